"""Items and evidence as the stages take them, and what the stages may know."""

from datetime import date

from tests.support import TODAY
from wrapgen.config import Config
from wrapgen.model import Evidence, Item
from wrapgen.notes import Kind
from wrapgen.pipeline.expire import newest_journal
from wrapgen.pipeline.projects import Projects
from wrapgen.pipeline.stage import Context, Decisions
from wrapgen.text.folding import fold

DAY = date.fromisoformat(TODAY)


def item(text="Fix the login", number=1, **given):
    """An open item; its id, and its line unless that is given, come from a number."""
    stands = {"kind": Kind.JOURNAL_NEXT, "path": "a.md", "line": number, "raised": DAY, "last_seen": DAY, **given}
    return Item(id=f"{number:012x}", text=text, folded=fold(text), **stands)


def evidence(text="Fix the login", **given):
    """An entry of a journal's Done section of the day after."""
    later = date(2026, 4, 25)
    stands = {"path": "b.md", "line": 1, "kind": Kind.JOURNAL_NEXT, "listed": True, "day": later, "latest": later}
    return Evidence(text=text, folded=fold(text), **stands | given)


def context(*, today=DAY, sources=(), kept=(), snoozed=None, **config):
    made = Config(**config)
    decisions = Decisions(frozenset(kept), snoozed or {})
    newest = newest_journal(((one.kind, one.day) for one in sources), today)
    return Context(tuple(sources), made, Projects.known((), made.projects), today, decisions, newest)
