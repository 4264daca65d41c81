"""`wrap mcp`: commands and the page for programs that speak the Model Context Protocol, on standard input and output.

Tools are command lines, so that nothing is done that a command does not do; `server` runs them, and is alone in knowing
the official SDK.
"""
