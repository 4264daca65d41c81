"""One round of everything that reads notes, in memory: whatever the bytes are, these hold.

Fuzzers call it (`fuzz_parse.py`, and hypothesis in `test_rounds.py`).
"""

from __future__ import annotations

import re
from datetime import date
from functools import partial

from markdown_it import MarkdownIt

from tests.test_cases import FOLDER, read_cases
from tests.vault.edit_check import check, note
from wrapgen.config import Config
from wrapgen.dashboard.balance import collected, fates
from wrapgen.dashboard.view import View, build_view
from wrapgen.errors import EditError
from wrapgen.notes import Contents, Kind, Source
from wrapgen.pipeline.collected import collect
from wrapgen.pipeline.projects import Projects
from wrapgen.pipeline.run import run
from wrapgen.redact import redact
from wrapgen.vault.markdown.blocks import decode, read_blocks
from wrapgen.vault.markdown.insert import into_checklist, into_done, into_journal, into_next_session
from wrapgen.vault.markdown.item_writer import NewItem
from wrapgen.vault.markdown.parse import parse
from wrapgen.vault.markdown.take_out import remove
from wrapgen.vault.markdown.tick import tick

TODAY = date(2026, 4, 24)
WORDS = "paint the fence"
EDITS = (
    (False, partial(into_journal, day=TODAY, sections=Config().names)),
    (True, partial(into_done, day=TODAY, sections=Config().names)),
    (False, partial(into_next_session, title="web", sections=Config().names)),
    (False, partial(into_checklist, title="upload", sections=Config().names)),
)
RENDER = MarkdownIt("commonmark")


def corpus() -> list[bytes]:
    """The notes of the cases that say what must be read in which way."""
    cases = [case for file in sorted(FOLDER.glob("*.md")) for case in read_cases(file)]
    return [text.encode() for case in cases for text in case.files.values()]


def round_of(data: bytes) -> None:
    """Read, account, show, and edit; an exception is a defect."""
    text = data.decode("utf-8-sig", "replace")
    redact(text[:5000])
    shown(text)
    for done, edit in EDITS:
        edited(data, edit, done=done)
    for number in range(1, 4):
        ticked(data, number)


def ticked(data: bytes, number: int) -> None:
    """A tick changes its box and nothing else."""
    try:
        replacement = tick(read_blocks(data), number)
    except EditError:  # UTF-16
        return
    if replacement is not None:
        after = parse(decode(replacement.apply(data))).entries
        before = parse(decode(data)).entries
        assert [entry.text for entry in after] == [entry.text for entry in before]
        assert sum(one.done != other.done for one, other in zip(before, after, strict=True)) == 1


def shown(text: str) -> None:
    """The ledger balances, and every line of the page is one line that opens nothing of its own."""
    document = parse(text)
    lines = len(re.split("\r\n|\r|\n", text))
    assert all(1 <= entry.line <= lines for entry in document.entries)
    sources = (
        Source("journals/2026-04-23.md", Kind.JOURNAL_NEXT, document, date(2026, 4, 23), None, None, changed=TODAY),
        Source("projects/web/actives/a/todos.md", Kind.ACTIVE_TODOS, document, None, "web", "a", changed=TODAY),
        Source("projects/web/todos.md", Kind.PROJECT_TODOS, document, None, "web", None, changed=TODAY),
    )
    projects = Projects.known(("web",), {})
    gathered = collect(Contents(sources, ("web",), ()), projects, Config())
    result = run(gathered, projects=projects, config=Config(), today=TODAY)
    assert collected(result) == sum(fates(result).values())
    view = build_view(result, "markdown", "ACTIVE-STATUS.md")
    for line in said_on(view):
        # Blanks of every kind, and joiners, are part of words.
        assert not re.search("[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\ud800-\udfff]", line), line
        tokens = RENDER.parse(f"- {line}\n")
        assert [token.type for token in tokens].count("inline") <= 1, line
        assert not any(child.type == "html_inline" for token in tokens for child in token.children or ()), line


def said_on(view: View) -> list[str]:
    """The lines of a page that hold somebody's words."""
    priorities = [f"({one.project}) {' · '.join((one.words, *one.marks, one.link))}" for one in view.priorities]
    return [*priorities, *view.overflow, *(line for group in view.attention for line in group.lines)]


def edited(data: bytes, edit, *, done: bool) -> None:
    """An insertion changes no byte that stands there, adds the item and nothing else, and can be taken back."""
    item = NewItem(WORDS, "web")
    try:
        insertion = edit(note(data), [item])
    except EditError:
        return
    new = insertion.apply(data)
    end = insertion.offset + len(insertion.data)
    assert new[: insertion.offset] + new[end:] == data
    check(data, new, [item], done=done)
    assert len(parse(decode(new)).entries) == len(parse(decode(data)).entries) + 1
    removal = remove(new, insertion.data, insertion.texts, offset=insertion.offset)
    assert removal is not None
    assert removal.data == data
