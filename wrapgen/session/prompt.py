"""The one prompt: every orphan on one screen, one question, and a form for whoever wants to decide one by one.

Nothing is written here. The answers are handed back when the last one is given; Esc or Ctrl-C before that hands back
none. The drawing library is imported only when there is something to ask.
"""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any

from wrapgen.errors import NoTerminalError
from wrapgen.session.form import NO_KEYS, Form, Head, Keys, Row
from wrapgen.session.routing import Answer, Orphan, Places, unique, wording_trouble
from wrapgen.session.screens import Line, Size, by_destination, cells, cut_middle, wrap
from wrapgen.text import one_line

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from prompt_toolkit.formatted_text import StyleAndTextTuples
    from prompt_toolkit.key_binding import KeyPressEvent
    from questionary import Question

# How long a lone Esc waits for the rest of an arrow key's sequence; a slow line needs some of it.
_ESC_SECONDS = 0.2
_LEAST_DETAIL = 24
_LEAST_HEAD = 5
_EDITING_LINES = 3
_STYLE = [
    ("qmark", "ansicyan bold"),
    ("question", "bold"),
    ("pointer", "ansicyan bold"),
    ("highlighted", "ansicyan bold"),
    ("answer", "bold"),
    ("title", "bold"),
    ("number", "bold"),
    ("words", "bold"),
    ("file", "ansicyan"),
]


def prompt(orphans: Sequence[Orphan], places: Places, *, color: bool = True) -> tuple[Answer, ...] | None:
    """Ask once where orphans belong.

    Args:
        orphans: what waits; nothing is asked when there is nothing.
        places: what can be routed to.
        color: false to draw without colour; `NO_COLOR` has the same effect.

    Returns:
        The answers; an orphan without one stays pending. None when the form was left by Esc or Ctrl-C.

    Raises:
        NoTerminalError: there is something to ask and nobody to ask.
    """
    waiting = by_destination(unique(orphans))
    if not waiting:
        return ()
    require_terminal()
    try:
        return Form(waiting, places, _Terminal(color=color and "NO_COLOR" not in os.environ)).answers()
    except (KeyboardInterrupt, EOFError):
        return None


def require_terminal() -> None:
    """Make sure that somebody can be asked.

    Raises:
        NoTerminalError: input or output is no terminal, or one that cannot move its cursor.
    """
    missing = [name for name, stream in (("input", sys.stdin), ("output", sys.stdout)) if not _is_terminal(stream)]
    if not missing and os.environ.get("TERM", "").casefold() not in ("dumb", "unknown"):
        return
    what = f"standard {' and '.join(missing)} is no terminal" if missing else "this terminal cannot draw a form"
    raise NoTerminalError(
        f"nobody can be asked: {what}",
        next_step="The follow-ups stay pending; run `wrap route` in a terminal, or `wrap route --answers FILE`.",
    )


def _is_terminal(stream: Any) -> bool:  # noqa: ANN401 - whatever somebody put in the place of a stream
    try:
        return bool(stream.isatty())
    except (AttributeError, ValueError):  # none at all, or a closed one
        return False


class _Terminal:
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

    def select(
        self,
        question: str,
        rows: Sequence[Row],
        head: Head,
        *,
        hints: Sequence[str],
        start: object = None,
        keys: Keys = NO_KEYS,
        typed: bool = False,
    ) -> object:
        """Have one row chosen; see `wrapgen.session.form.Screen`."""
        from questionary import Choice, select

        width = self._output.get_size().columns
        choices = [Choice(title, value=row.value) for title, row in zip(_titles(rows, width), rows, strict=True)]
        first = next((choice for choice in choices if choice.value == start), choices[0])
        asked = select(
            question,
            choices,
            default=first,
            instruction=" ",
            use_jk_keys=not typed,
            use_search_filter=typed,
            **self._options,
        )
        return _ask(asked, head, keys, len(rows), hints)

    def words(self, question: str, text: str, head: Head) -> str:
        """Have a line of text edited; see `wrapgen.session.form.Screen`."""
        from questionary import text as line

        def check(words: str) -> str | bool:
            return wording_trouble(one_line(words)) or True

        asked = line(question, default=text, validate=check, **self._options)
        return one_line(str(_ask(asked, head, NO_KEYS, _EDITING_LINES, ["edit the words"])))


def _titles(rows: Sequence[Row], width: int) -> list[str]:
    """Names and details in two columns; names alone where sentences do not fit, paths are cut in their middle."""
    column = max(cells(row.label) for row in rows)
    room = width - column - len(" »   ") - 1
    if room < _LEAST_DETAIL:
        return [row.label for row in rows]
    titles = []
    for row in rows:
        note = row.note if cells(row.detail + row.note) <= room else ""
        titles.append(f"{row.label}{' ' * (column - cells(row.label))}  {cut_middle(row.detail, room)}{note}")
    return titles


def _ask(asked: Question, head: Head, keys: Keys, rows: int, hints: Sequence[str]) -> object:
    """Put lines above and below a question, add keys to it, and run it.

    Raises:
        KeyboardInterrupt: Esc or Ctrl-C was pressed.
    """
    from prompt_toolkit.application import get_app
    from prompt_toolkit.filters import to_filter
    from prompt_toolkit.key_binding import KeyBindings, merge_key_bindings
    from prompt_toolkit.layout import FormattedTextControl, HSplit, Layout, Window

    def size() -> Size:
        found = get_app().output.get_size()
        return Size(found.columns, found.rows)

    def below() -> list[str]:
        # Only between two hints may a line be broken.
        parts = [part.replace(" ", "\u00a0") for part in (*hints, "Enter take", "Esc all stay pending")]
        return wrap("\u00a0· ".join(parts), size().width - 2, 3)

    def above() -> list[Line]:
        room = size()
        # The question itself takes a line, and stands between two empty ones.
        return head(Size(room.width, max(room.height - min(rows, room.height // 2) - len(below()) - 4, _LEAST_HEAD)))

    bindings = KeyBindings()

    @bindings.add("escape", eager=True)
    @bindings.add("<sigint>")
    def _leave(event: KeyPressEvent) -> None:
        event.app.exit(exception=KeyboardInterrupt)

    for key, act in keys.items():
        bindings.add(key, eager=True)(_bound(act))

    application = asked.application
    lines_above = Window(FormattedTextControl(lambda: _fragments([*above(), ()])))
    lines_below = Window(FormattedTextControl(lambda: _fragments([(), *_hints(below())])))
    application.layout = Layout(HSplit([lines_above, application.layout.container, lines_below, filler := Window()]))
    for window in application.layout.find_all_windows():
        # Else the lines of a large screen would be shared out between the parts, and tear them apart.
        window.dont_extend_height = to_filter(window is not filler)
    application.key_bindings = merge_key_bindings([application.key_bindings or KeyBindings(), bindings])
    application.ttimeoutlen = _ESC_SECONDS
    return asked.unsafe_ask()


def _bound(act: Callable[[], object]) -> Callable[[KeyPressEvent], None]:
    def handler(event: KeyPressEvent) -> None:
        if (result := act()) is not None:
            event.app.exit(result=result)

    return handler


def _hints(lines: Sequence[str]) -> list[Line]:
    return [(("class:note", f" {line}"),) for line in lines]


def _fragments(lines: Sequence[Line]) -> StyleAndTextTuples:
    """Lines as the drawing library takes them: one list of pairs, line breaks between."""
    return [pair for number, line in enumerate(lines) for pair in ((("", "\n"), *line) if number else line)]
