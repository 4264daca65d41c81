"""The events of hosts, under every name that hosts use. PURE."""

from typing import Any, NamedTuple

EVENTS = (
    "SessionStart", "UserPromptSubmit", "Stop", "SessionEnd", "PreCompact", "PostCompact",
    "SubagentStart", "SubagentStop", "PostToolUse",
)  # fmt: skip
HOSTS = ("claude", "codex", "gemini", "cursor")
TOOLS = frozenset({"Write", "Edit", "MultiEdit", "NotebookEdit", "Agent", "Task"})
"""The tools that change files, and those that start a sub-agent; results of others are ignored."""
# Gemini CLI's own names, and Cursor's for a turn that ends.
_OTHER_NAMES = {
    "precompress": "PreCompact",
    "aftertool": "PostToolUse",
    "beforeagent": "UserPromptSubmit",
    "afteragent": "Stop",
    "afteragentresponse": "Stop",
}
_BY_NAME = {name.lower(): name for name in EVENTS} | _OTHER_NAMES


def event_named(words: str) -> str | None:
    """The event that a name refers to: `SessionStart`, `session-start`, `PreCompress`; None when there is none."""
    return _BY_NAME.get("".join(letter for letter in words if letter.isalpha()).lower())


def host_of(named: str, fields: dict[str, Any]) -> str:
    """The host whose event it is. Cursor also runs the hooks in Claude Code's settings, and says that it is Cursor."""
    if "cursor_version" in fields:
        return "cursor"
    return named if named in HOSTS else HOSTS[0]


def from_cursor(fields: dict[str, Any]) -> dict[str, Any]:
    """Cursor's fields under the names that others use, without its transcript, whose form is not read."""
    roots = fields.get("workspace_roots")
    return {
        "cwd": roots[0] if isinstance(roots, list) and roots else None,
        "session_id": fields.get("conversation_id"),
        "last_assistant_message": fields.get("text"),
        **fields,
        "transcript_path": "",
    }


class Moment(NamedTuple):
    """An event in a trusted vault."""

    event: str  # one of `EVENTS`
    host: str  # one of `HOSTS`
    root: str  # the vault
    cwd: str  # the session's working folder
    fields: dict[str, Any]  # the host's JSON

    def text(self, name: str) -> str:
        value = self.fields.get(name)
        return value if isinstance(value, str) else ""

    @property
    def session(self) -> str:
        return self.text("session_id")
