"""Asks a person what the places of their notes are (`wrap init` on a terminal)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from wrapgen.config import escaped_heading, pattern_of, split_headings
from wrapgen.text.display import count
from wrapgen.vault.detect.form import PlaceRow, PlacesForm
from wrapgen.vault.detect.proposal import Detected, Proposal, literal
from wrapgen.vault.detect.survey import weight

if TYPE_CHECKING:
    from wrapgen.vault.detect.survey import Heading, SurveyedFile
    from wrapgen.workflows.app import App
    from wrapgen.workflows.sources import Overview

_MOST_OTHERS = 20  # places that nothing proposes
_MOST_OF_A_FILE = 2
_SAID = "as you say"


def ask(app: App, found: Overview) -> Detected | None:
    """Show the places of the notes, the likeliest with a role; what was taken, or None when the form is left.

    Raises:
        NoTerminalError: there is none that can draw it.
    """
    from wrapgen.session.prompt import is_filled_in, require_terminal

    require_terminal("Run it in a terminal, or take what is shown: `wrap init --detect`.")
    rows = list(place_rows(found))
    if rows and not is_filled_in(PlacesForm(rows), color=app.color):
        return None
    return taken(found.detected, rows)


def place_rows(found: Overview) -> Iterator[PlaceRow]:
    """Return what is proposed, and then the places that nothing proposes or reads, the most lived in first."""
    files = found.files()
    rows = {(row.key, row.glob): row for row in found.proposed}
    for one in found.detected.proposals:
        if row := rows.get((one.key, one.glob)):
            about = f"{one.why}: {count(row.files, 'file')}, {row.items} open"
            yield PlaceRow(one.glob, about, _lines(one.glob, files), one.key)
    known = [pattern_of(row.glob).match for row in (*found.proposed, *found.read) if "#" not in row.glob]
    others = [file for file in files if not any(match(file.newest or file.path) for match in known)]
    number = 0
    for file in others:
        for heading in sorted(file.headings, key=weight)[:_MOST_OF_A_FILE]:
            glob = (file.path if file.newest else literal(file.path)) + (
                f"#{escaped_heading(heading.text)}" if heading.text else ""
            )
            if glob not in {row.glob for row in found.proposed}:
                number += 1
                yield PlaceRow(glob, _amount(heading), heading.lines)
        if number >= _MOST_OTHERS:
            return


def taken(detected: Detected, rows: Sequence[PlaceRow]) -> Detected:
    """Return what was detected with the roles that the rows have now."""
    why = {one.glob: one.why for one in detected.proposals}
    proposals = tuple(Proposal(row.role, row.glob, why.get(row.glob, _SAID)) for row in rows if row.role)
    return detected._replace(proposals=proposals)


def _lines(glob: str, files: Sequence[SurveyedFile]) -> tuple[str, ...]:
    """The first lines of a place."""
    match, headings = pattern_of(glob).match, split_headings(glob)[1]
    for one in files:
        if one.path == glob or match(one.newest or one.path):
            named = [each for each in one.headings if not headings or escaped_heading(each.text) == headings[-1]]
            return min(named or one.headings, key=weight).lines
    return ()


def _amount(heading: Heading) -> str:
    return ", ".join(filter(None, (f"{heading.open} open" if heading.open else "", count(heading.items, "line"))))
