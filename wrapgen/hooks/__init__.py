"""What coding agents' hosts call: `wrap hook EVENT`, JSON on stdin, a reply on stdout; and `wrap statusline`.

Every event of a session starts a process and waits for it, so `entry` and what it imports load nothing that an event
with nothing to do would not need; the rest is imported by the handler that needs it.
"""
