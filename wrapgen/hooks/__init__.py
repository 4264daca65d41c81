"""What coding agents' hosts call: `wrap hook EVENT`, JSON on stdin, a reply on stdout; and `wrap statusline`.

Every event of a session starts a process and waits for it, so `entry` and what it imports load nothing that an event
with nothing to do would not need; the rest is imported by the handler that needs it.

- `entry.main(words)`: one event, from its arguments to its exit code. It fails open.
- `start`, `ending`, `tracks`, `subagents`: one handler an event, given a `Moment`, giving a `HookReply`.
- `injection.compose(pieces, marker)`: what a session is given, within its budget (PURE).
- `detach.hand_over(root, request)`: work that must not keep the host waiting; `worker` does it.
"""
