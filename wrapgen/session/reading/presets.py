"""Command lines of the known programs, safe against instructions in a conversation. PURE.

A conversation may contain instructions to its reader. So each is run without tools, MCP servers, hooks, skills and
project settings, and keeps no session that could be mistaken for the user's.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from wrapgen.config import UserReader

PRESETS: dict[str, tuple[str, ...]] = {
    # claude --help of 2.1.330: --safe-mode leaves out hooks, skills, plugins and CLAUDE.md, and keeps the log-in.
    "claude": (
        "claude", "--print", "--safe-mode", "--tools", "", "--strict-mcp-config", "--no-session-persistence",
        "--output-format", "text",
    ),
    # codex exec --help of 0.169: the user's file names MCP servers and hooks, so it is left out; - reads stdin. What is
    # switched off by -c may be unknown to another version, what is by --disable may not.
    "codex": (
        "codex", "exec", "--sandbox", "read-only", "--skip-git-repo-check", "--ephemeral", "--ignore-user-config",
        "--ignore-rules", "-c", "features.shell_tool=false", "-c", "features.unified_exec=false",
        "-c", 'web_search="disabled"', "--color", "never", "-",
    ),
    # gemini --help of 0.61: plan mode changes nothing; no extension and no server has this name.
    "gemini": (
        "gemini", "--prompt", "Answer as the text above says.", "--approval-mode", "plan", "--extensions", "none",
        "--allowed-mcp-server-names", "none", "--skip-trust", "--output-format", "text",
    ),
    # llm 0.36 calls no tool unless it is named, and would keep every prompt in its log.
    "llm": ("llm", "prompt", "--no-stream", "--no-log"),
}  # fmt: skip
DROPPED = (
    "CLAUDECODE", "CLAUDE_CODE_CHILD_SESSION", "CLAUDE_CODE_ENTRYPOINT", "CLAUDE_CODE_SESSION_ID", "CLAUDE_ENV_FILE",
    "CLAUDE_PROJECT_DIR", "CLAUDE_PLUGIN_ROOT", "GEMINI_PROJECT_DIR",
)  # fmt: skip
"""Variables by which a host marks its child processes; a reader must not inherit them."""


def command_of(reader: UserReader) -> tuple[str, ...]:
    """The argument list of the reader, () when none is named.

    Args:
        reader: what the user's own file says.
    """
    if isinstance(reader.command, str):
        return PRESETS[reader.command] if reader.command else ()
    return reader.command
