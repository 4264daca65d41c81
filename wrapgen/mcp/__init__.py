"""`wrap mcp`: commands and the page for programs that speak the Model Context Protocol, on standard input and output.

- `tools`: the tools, each a command line (PURE); nothing is done that a command does not do.
- `running`: runs a command line as a process of its own: standard output belongs to the protocol.
- `server`: the official SDK, which only it imports.
"""
