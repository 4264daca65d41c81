"""The open items beyond those that the HTML page draws: data that its filter searches. PURE.

Tens of thousands of elements take a browser seconds, and as long to write; as data they are drawn when somebody looks
for them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import msgspec

from wrapgen.dashboard.balance import UNTAGGED
from wrapgen.dashboard.view import TEXT_LIMIT
from wrapgen.text.display import shorten, visible
from wrapgen.text.scripts import language_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from wrapgen.dashboard.html.links import Links
    from wrapgen.ledger import Outcome

MOST = 50_000
"""Items of which there is data; a page that has more takes a browser too long to read."""


class FurtherItems(NamedTuple):
    """What is listed as data."""

    total: int  # how many items
    # `files` (name and address in front of the line, and whether a line follows), `projects`, and `rows` (number,
    # words, places in those two, line, handle, language); safe inside a `script` element
    json: str


NOTHING = FurtherItems(0, "")


def further(outcomes: Sequence[Outcome], first: int, links: Links, handles: Mapping[str, str]) -> FurtherItems:
    """List items as data: their words as written, project and place.

    Args:
        outcomes: at most `MOST` of them are listed.
        first: the number of the first one in `wrap list`.
        handles: the handle of each, by its id.
    """
    files: dict[str, int] = {}
    projects: dict[str, int] = {}
    rows = []
    for number, one in enumerate(outcomes[:MOST], first):
        item = one.item
        text = shorten(item.words, TEXT_LIMIT)
        project = projects.setdefault(visible(item.project or UNTAGGED), len(projects))
        lang = language_of(text)
        row = [number, visible(text), project, files.setdefault(item.path, len(files)), item.line, handles[item.id]]
        rows.append(row if lang == "en" else [*row, lang])
    data = {"files": [links.note(path) for path in files], "projects": list(projects), "rows": rows}
    return FurtherItems(len(rows), msgspec.json.encode(data).decode().replace("<", "\\u003c"))
