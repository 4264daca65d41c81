"""Texts in user turns that no person typed: they are left out."""

import re

_WHOLE = re.compile(
    r"\s*(?:<(?:command-(?:name|message|args|contents)|local-command-[a-z]+|task-notification"
    r"|bash-(?:input|stdout|stderr)|user-prompt-submit-hook|environment_context|user_instructions|turn_aborted"
    r"|permissions instructions|skill|INSTRUCTIONS|user_shell_command|collaboration_mode|subagent_notification"
    r"|teammate-message)\b"
    r"|\[Request interrupted\b|# AGENTS\.md instructions for )"
)
"""Prefixes of texts that are entirely machine-made: Claude Code (spec 3.1) and Codex (the context it puts before the
first prompt)."""

_OPEN = re.compile(r"<(system-reminder|ide_opened_file|ide_selection|ide_diagnostics)>")


def without_machinery(text: str) -> str:
    """What a person typed of a user's text; empty when it is entirely machine-made.

    Reminders that the host put into a typed text are cut out; a reminder that is never closed runs to the end.
    """
    if _WHOLE.match(text):
        return ""
    if "<system-reminder>" not in text and "<ide_" not in text:
        return text
    kept: list[str] = []
    at = 0
    while match := _OPEN.search(text, at):
        kept.append(text[at : match.start()])
        close = f"</{match[1]}>"
        end = text.find(close, match.end())
        at = len(text) if end < 0 else end + len(close)
    kept.append(text[at:])
    return "".join(kept)
