"""What a coding agent's host is told about one of its events. PURE."""

from typing import Any, NamedTuple

_GEMINI = {"PreCompact": "PreCompress", "PostToolUse": "AfterTool", "UserPromptSubmit": "BeforeAgent"}


class HookReply(NamedTuple):
    """The reply to the host."""

    context: str = ""  # facts for the model
    warning: str = ""  # what the user should see
    output: object | None = None  # replacement for a tool's output; None to leave it
    exit_code: int = 0  # 0, or 2 to send a sub-agent back
    stderr: str = ""  # the message for an agent that is sent back
    trouble: str = ""  # what failed, for the log; it never changes the rest

    def document(self, event: str, host: str) -> dict[str, Any]:
        """The JSON for stdout of an event by Claude Code's name; {} when there is nothing to say.

        Only Claude Code takes another tool output, and Cursor context at a start alone.
        """
        specific: dict[str, Any] = {}
        if self.context:
            specific["additionalContext"] = self.context
        if self.output is not None and host == "claude":
            specific["updatedToolOutput"] = self.output
        if host == "cursor":
            return {"additional_context": self.context} if self.context and event == "SessionStart" else {}
        document: dict[str, Any] = {"systemMessage": self.warning} if self.warning else {}
        if specific:
            name = _GEMINI.get(event, event) if host == "gemini" else event
            document["hookSpecificOutput"] = {"hookEventName": name, **specific}
        return document


NOTHING = HookReply()
