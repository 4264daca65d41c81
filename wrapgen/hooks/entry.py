"""`wrap hook EVENT`: from the arguments to the exit code. Errors never stop the session."""

import os
import sys
from collections.abc import Callable, Sequence
from typing import Any

from wrapgen.hooks.detach import GUARD
from wrapgen.hooks.events import TOOLS, Moment, event_named, from_cursor, host_of
from wrapgen.hooks.place import PlaceError, began_in, is_trusted, vault_for
from wrapgen.hooks.stdin import NoJSONError, read_object
from wrapgen.host_reply import HookReply

DISABLE = "WRAPGEN_DISABLE"
_LONGEST = 500  # characters of the line on stderr


def main(words: Sequence[str]) -> int:
    """Answer one event, from the arguments after `hook`; the exit code is 0, or 2 to send a sub-agent back."""
    if os.environ.get(DISABLE) == "1" or os.environ.get(GUARD):
        return 0
    call = _Call()
    try:
        return call.run(list(words))
    except KeyboardInterrupt:
        return 0
    except Exception as error:
        call.fail(_said(error))
        return 0


class _Call:
    """One call of the hook: its event, for messages, and its vault, "" while none is known that hooks may write to."""

    def __init__(self) -> None:
        self.event = ""
        self.root = ""

    def run(self, words: list[str]) -> int:
        options, named = _options(words)
        self.event = named
        fields = read_object(0)
        event = event_named(named or str(fields.get("hook_event_name") or ""))
        self.event = event or named
        if event is None:
            self.fail("no such event; `wrap hook --help` lists them")
            return 0
        moment = _moment(event, options, fields)
        if _is_idle(moment):
            return 0
        root, cwd = _place(moment, options.get("--vault"))
        if root is None:
            return 0
        if not is_trusted(root):
            self._untrusted(moment, root)
            return 0
        self.root = root
        return self._answer(moment._replace(root=root, cwd=cwd))

    def fail(self, words: str) -> None:
        """Report an error in one line, and log it for `wrap doctor`."""
        _complain(self.event, words)
        try:
            from wrapgen.vault.keyed_files import log, log_of

            if self.root:
                file = log_of(self.root)
            else:
                import platformdirs

                folder = platformdirs.user_state_dir("wrapgen", appauthor=False)
                os.makedirs(folder, mode=0o700, exist_ok=True)
                file = os.path.join(folder, "hooks.log")
            log(file, f"{self.event or 'hook'}: {words}")
        except Exception:
            pass

    def _answer(self, moment: Moment) -> int:
        from wrapgen.hooks.once import is_first
        from wrapgen.vault.keyed_files import note_fired

        troubles: list[str] = []
        try:
            note_fired(moment.root, moment.event)
            if not is_first(moment):
                return 0
        except Exception as error:
            troubles.append(_said(error))  # a folder that cannot be written must not keep the session from its context
        answer = _handler(moment.event)(moment)
        if said := "; ".join(filter(None, (*troubles, answer.trouble))):
            self.fail(said)
        _reply(answer, moment)
        return answer.exit_code

    def _untrusted(self, moment: Moment, root: str) -> None:
        from shlex import quote

        from wrapgen.text.display import visible_line

        words = f"hooks ignore {root} until you trust it: wrap trust {quote(root)}"
        if moment.event == "SessionStart" and moment.text("source") in ("", "startup"):  # once a session
            _reply(HookReply(warning=f"wrapgen: {visible_line(words)}"), moment)
        _complain(moment.event, words)


def _options(words: list[str]) -> tuple[dict[str, str], str]:
    options: dict[str, str] = {}
    event = ""
    rest = iter(words)
    for word in rest:
        name, _, value = word.partition("=")
        if name in ("--host", "--vault"):
            options[name] = value or next(rest, "")
        elif not word.startswith("-"):
            event = event or word
    return options, event


def _moment(event: str, options: dict[str, str], fields: dict[str, Any]) -> Moment:
    host = host_of(options.get("--host", ""), fields)
    fields = from_cursor(fields) if host == "cursor" else fields
    cwd = fields.get("cwd")
    if not isinstance(cwd, str) or not os.path.isabs(cwd) or "\0" in cwd:
        cwd = os.getcwd()
    return Moment(event, host, "", cwd, fields)


def _place(moment: Moment, named: str | None) -> tuple[str | None, str]:
    """The vault of a session, and the folder that it works in there.

    It belongs to where it began, wherever its folder drifts; of several roots the first that has a vault counts.
    """
    began = began_in(moment.text("transcript_path"))
    roots = moment.fields.get("workspace_roots")
    more = [one for one in roots if isinstance(one, str) and os.path.isabs(one)] if isinstance(roots, list) else []
    for folder in dict.fromkeys(filter(None, (began, moment.cwd, *more))):
        if found := vault_for(folder, named):
            drifted = folder != moment.cwd and (other := vault_for(moment.cwd, named)) != found and (more or other)
            return found, folder if drifted else moment.cwd
    return None, moment.cwd


def _is_idle(moment: Moment) -> bool:
    """Whether an event can be ignored; decided before anything else is loaded."""
    if moment.event == "Stop":
        return moment.fields.get("stop_hook_active") in (True, "true") or bool(moment.text("agent_id"))
    return moment.event == "PostToolUse" and moment.text("tool_name") not in TOOLS


def _handler(event: str) -> Callable[[Moment], HookReply]:
    match event:
        case "SessionStart":
            from wrapgen.hooks.start import on_session_start as handler
        case "Stop" | "SessionEnd":
            from wrapgen.hooks.ending import on_ending as handler
        case "PreCompact":
            from wrapgen.hooks.tracks import on_pre_compact as handler
        case "PostCompact":
            from wrapgen.hooks.tracks import on_post_compact as handler
        case "SubagentStart":
            from wrapgen.hooks.subagents import on_subagent_start as handler
        case "SubagentStop":
            from wrapgen.hooks.subagents import on_subagent_stop as handler
        case "PostToolUse":
            from wrapgen.hooks.subagents import on_post_tool_use as handler
        case _:
            from wrapgen.hooks.tracks import on_prompt as handler
    return handler


def _reply(answer: HookReply, moment: Moment) -> None:
    document = answer.document(moment.event, moment.host)
    if document:
        import json

        # ASCII only: no console encoding can break it, and lone surrogates survive.
        _write(sys.stdout, json.dumps(document) + "\n")
    if answer.stderr:
        _write(sys.stderr, answer.stderr)


def _complain(event: str, words: str) -> None:
    from wrapgen.text.display import shorten, visible_line

    _write(sys.stderr, f"wrap hook {event}".rstrip() + f": {shorten(visible_line(words), _LONGEST)}\n")


def _write(stream: Any, text: str) -> None:  # noqa: ANN401 - a stream, or what a test puts in its place
    """Write as UTF-8, whatever the console's encoding; a host that no longer listens is ignored."""
    try:
        stream.buffer.write(text.encode("utf-8", "backslashreplace"))
        stream.buffer.flush()
    except (OSError, ValueError, AttributeError):
        try:
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())  # else Python complains again at exit
        except (OSError, ValueError, AttributeError):
            return


def _said(error: Exception) -> str:
    from wrapgen.errors import WrapgenError

    known = isinstance(error, (WrapgenError, PlaceError, NoJSONError, OSError))
    return str(error) if known else f"unexpected {type(error).__name__}: {error}"
