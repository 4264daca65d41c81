"""The events of hosts, under every name by which hosts call them, and what they are told in return. PURE."""

from typing import Any, NamedTuple

EVENTS = (
    "SessionStart", "UserPromptSubmit", "Stop", "SessionEnd", "PreCompact", "PostCompact",
    "SubagentStart", "SubagentStop", "PostToolUse",
)  # fmt: skip
HOSTS = ("claude", "codex", "gemini")
TOOLS = frozenset({"Write", "Edit", "MultiEdit", "NotebookEdit", "Agent", "Task"})
"""The tools that change files, and those that start a sub-agent; what others answer concerns nobody."""
# Gemini CLI's own names.
_OTHER_NAMES = {
    "precompress": "PreCompact",
    "aftertool": "PostToolUse",
    "beforeagent": "UserPromptSubmit",
    "afteragent": "Stop",
}
_GEMINI = {"PreCompact": "PreCompress", "PostToolUse": "AfterTool", "UserPromptSubmit": "BeforeAgent"}
_BY_NAME = {name.lower(): name for name in EVENTS} | _OTHER_NAMES


def event_named(words: str) -> str | None:
    """The event that a host or a person means: `SessionStart`, `session-start`, `PreCompress`; None when there is none.

    Args:
        words: its name.
    """
    return _BY_NAME.get("".join(letter for letter in words if letter.isalpha()).lower())


class Moment(NamedTuple):
    """An event in a trusted vault.

    Attributes:
        event: one of `EVENTS`.
        host: one of `HOSTS`.
        root: the vault.
        cwd: the session's working folder.
        fields: the host's JSON.
    """

    event: str
    host: str
    root: str
    cwd: str
    fields: dict[str, Any]

    def text(self, name: str) -> str:
        """A field that should be text; "" when it is missing or of another kind."""
        value = self.fields.get(name)
        return value if isinstance(value, str) else ""

    @property
    def session(self) -> str:
        """The session's id, "" when the host does not say."""
        return self.text("session_id")


class Answer(NamedTuple):
    """What the host is told.

    Attributes:
        context: facts for the model.
        warning: what the user should see.
        output: what takes the place of a tool's answer; None to leave it.
        code: the exit code; 2 sends a sub-agent back.
        stderr: the words for an agent that is sent back.
        trouble: what could not be done; for the log.
    """

    context: str = ""
    warning: str = ""
    output: object | None = None
    code: int = 0
    stderr: str = ""
    trouble: str = ""

    def document(self, event: str, host: str) -> dict[str, Any]:
        """The JSON for stdout; {} for nothing to say.

        Args:
            event: one of `EVENTS`.
            host: one of `HOSTS`; only Claude Code takes another tool output.
        """
        specific: dict[str, Any] = {}
        if self.context:
            specific["additionalContext"] = self.context
        if self.output is not None and host == "claude":
            specific["updatedToolOutput"] = self.output
        document: dict[str, Any] = {"systemMessage": self.warning} if self.warning else {}
        if specific:
            name = _GEMINI.get(event, event) if host == "gemini" else event
            document["hookSpecificOutput"] = {"hookEventName": name, **specific}
        return document


NOTHING = Answer()
