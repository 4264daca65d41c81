"""The one prompt: every orphan on one screen, in a form with a checkbox each.

Nothing is written here. The answers are returned when the last one is given; Esc before that returns none.
The drawing library is imported only when there is something to ask.
"""

from __future__ import annotations

import os
import sys
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol

from wrapgen.errors import NoTerminalError
from wrapgen.session.answers import Answers
from wrapgen.session.follow_up import FollowUp, Places, unique, wording_trouble
from wrapgen.session.form import Form, FormLeftError, Keys
from wrapgen.session.screens import Draw, hint_lines
from wrapgen.text.display import Line, Size, one_line

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from prompt_toolkit.formatted_text import StyleAndTextTuples
    from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
    from questionary import Question

# How long a lone Esc waits for the rest of an arrow key's sequence; a slow line needs some of it.
_ESC_SECONDS = 0.2
_LEAST_HEAD = 5
_EDITING_LINES = 3
_STYLE = [
    ("qmark", "ansicyan bold"),
    ("question", "bold"),
    ("pointer", "ansicyan bold"),
    ("answer", "bold"),
    ("title", "bold"),
    ("number", ""),
    ("words", "bold"),
    ("file", "ansicyan"),
    ("note", "dim"),
]


def prompt(
    orphans: Sequence[FollowUp], places: Places, *, unsure: Sequence[FollowUp] = (), color: bool = True
) -> Answers | None:
    """Ask once where orphans belong; None when the form was left by Esc.

    Raises `KeyboardInterrupt` for Ctrl-C, and `NoTerminalError` when there is something to ask and no terminal.
    """
    waiting = unique(orphans)
    doubtful = unique(unsure)
    if not waiting and not doubtful:
        return Answers()
    require_terminal()
    try:
        return Form(waiting, places, Terminal(color=color and "NO_COLOR" not in os.environ), doubtful).answers()
    except (FormLeftError, EOFError):
        return None


class DrawnForm(Protocol):
    """A form of rows, which Enter takes."""

    @property
    def keys(self) -> Keys: ...

    def draw(self, size: Size) -> list[Line]: ...


def is_filled_in(form: DrawnForm, *, color: bool) -> bool:
    """Show a form until it is taken, or left by Esc."""
    try:
        Terminal(color=color and "NO_COLOR" not in os.environ).form(form.draw, form.keys)
    except (FormLeftError, EOFError):
        return False
    return True


def require_terminal(
    next_step: str = "The follow-ups stay pending; run `wrap route` in a terminal, or `wrap route --answers FILE`.",
) -> None:
    """Raise `NoTerminalError` unless input and output are a terminal that can move its cursor."""
    missing = [name for name, stream in (("input", sys.stdin), ("output", sys.stdout)) if not _is_terminal(stream)]
    if not missing and os.environ.get("TERM", "").casefold() not in ("dumb", "unknown"):
        return
    are = "is" if len(missing) == 1 else "are"
    what = f"standard {' and '.join(missing)} {are} not a terminal" if missing else "this terminal cannot show a form"
    raise NoTerminalError(f"cannot ask: {what}", next_step=next_step)


def _is_terminal(stream: Any) -> bool:  # noqa: ANN401 - whatever somebody put in the place of a stream
    try:
        return bool(stream.isatty())
    except (AttributeError, ValueError):  # none at all, or a closed one
        return False


class Terminal:
    """Draws the questions with questionary, each in the place of the one before."""

    def __init__(self, *, color: bool) -> None:
        from prompt_toolkit.output import ColorDepth, create_output
        from prompt_toolkit.output.vt100 import Vt100_Output
        from prompt_toolkit.styles import Style

        self._output = output = create_output()
        if isinstance(output, Vt100_Output):
            # Nothing here needs to know where the cursor stands, and terminals that do not say so would be complained
            # about in the middle of the form.
            output.enable_cpr = False
        self._options: dict[str, Any] = {
            "style": Style(_STYLE),
            "erase_when_done": True,
            "output": output,
            "color_depth": None if color else ColorDepth.MONOCHROME,
        }

    def form(self, draw: Draw, keys: Keys) -> object:
        from prompt_toolkit.application import Application
        from prompt_toolkit.layout import FormattedTextControl, Layout, Window
        from questionary.question import Question

        shown = FormattedTextControl(lambda: _fragments(draw(_size())), focusable=True, show_cursor=False)
        layout = Layout(Window(shown, dont_extend_height=True))
        application = Application[object](layout=layout, key_bindings=_bindings(keys), **self._options)
        application.ttimeoutlen = _ESC_SECONDS
        return Question(application).unsafe_ask()

    def words(self, question: str, text: str, head: Draw) -> str:
        from questionary import text as line

        def check(words: str) -> str | bool:
            return wording_trouble(one_line(words)) or True

        asked = line(question, default=text, validate=check, **self._options)
        return one_line(str(_ask(asked, head)))


def _ask(asked: Question, head: Draw) -> object:
    """Put lines above and below a question, and run it; it is left as `_bindings` says."""
    from prompt_toolkit.filters import to_filter
    from prompt_toolkit.key_binding import KeyBindings, merge_key_bindings
    from prompt_toolkit.layout import FormattedTextControl, HSplit, Layout, Window

    def below() -> list[Line]:
        return hint_lines(["edit the words", "Enter take", "Esc back"], _size())

    def above() -> list[Line]:
        room = _size()
        # The question itself takes a line, and is between two empty ones.
        return head(Size(room.width, max(room.height - _EDITING_LINES - len(below()) - 4, _LEAST_HEAD)))

    application = asked.application
    lines_above = Window(FormattedTextControl(lambda: _fragments([*above(), ()])))
    lines_below = Window(FormattedTextControl(lambda: _fragments([(), *below()])))
    application.layout = Layout(HSplit([lines_above, application.layout.container, lines_below, filler := Window()]))
    for window in application.layout.find_all_windows():
        # Else the lines of a large screen would be shared out between the parts, and tear them apart.
        window.dont_extend_height = to_filter(window is not filler)
    application.key_bindings = merge_key_bindings([application.key_bindings or KeyBindings(), _bindings({})])
    application.ttimeoutlen = _ESC_SECONDS
    return asked.unsafe_ask()


def _size() -> Size:
    from prompt_toolkit.application import get_app

    found = get_app().output.get_size()
    return Size(found.columns, found.rows)


def _bindings(keys: Keys) -> KeyBindings:
    """Keys of ours, with Esc and Ctrl-C, which leave."""
    from prompt_toolkit.key_binding import KeyBindings

    bindings = KeyBindings()

    @bindings.add("escape", eager=True)
    def _leave(event: KeyPressEvent) -> None:
        event.app.exit(exception=FormLeftError)

    @bindings.add("c-c", eager=True)
    @bindings.add("<sigint>")
    def _interrupt(event: KeyPressEvent) -> None:
        event.app.exit(exception=KeyboardInterrupt)

    for key, act in keys.items():
        bindings.add(key, eager=True)(partial(_typed if key == "<any>" else _bound, act))
    return bindings


def _typed(act: Callable[..., object], event: KeyPressEvent) -> None:
    if event.data.isprintable():
        act(event.data)


def _bound(act: Callable[[], object], event: KeyPressEvent) -> None:
    if (result := act()) is not None:
        event.app.exit(result=result)


def _fragments(lines: Sequence[Line]) -> StyleAndTextTuples:
    return [pair for number, line in enumerate(lines) for pair in ((("", "\n"), *line) if number else line)]
