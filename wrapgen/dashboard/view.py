"""What the page says, as lines of safe Markdown that a template only has to place. PURE."""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from wrapgen.dashboard.balance import UNTAGGED, fates, per_project
from wrapgen.ledger import Concern
from wrapgen.model import Fate, Priority
from wrapgen.text import count, shorten
from wrapgen.vault.markdown.safe import code, link_target, safe_inline

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from datetime import date

    from wrapgen.ledger import Remark, Run, SourceCount
    from wrapgen.model import Item

TEXT_LIMIT = 300  # characters of an item that are shown
_TWINS_LINKED = 3
_LINES_PER_GROUP = 10
_PRIORITY_SIGNS = {
    Priority.HIGHEST: "🔺", Priority.HIGH: "⏫", Priority.MEDIUM: "🔼", Priority.LOW: "🔽", Priority.LOWEST: "⏬",
}  # fmt: skip

LinkStyle = Literal["markdown", "obsidian"]


@dataclass(frozen=True, slots=True)
class PriorityLine:
    """One priority: `- (project) words · marks · link`."""

    project: str
    words: str
    marks: tuple[str, ...]
    link: str


@dataclass(frozen=True, slots=True)
class Group:
    """Things of one kind that a person should look at, and what to do about them."""

    title: str
    advice: str
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class View:
    """Everything a dashboard template can show."""

    today: str
    collected: int
    fates: tuple[tuple[str, int], ...]
    sources: tuple[SourceCount, ...]
    priorities: tuple[PriorityLine, ...]
    overflow: tuple[str, ...]
    attention: tuple[Group, ...]
    pending: int


def build_view(run: Run, link_style: LinkStyle) -> View:
    """Make the view of a run.

    Args:
        run: the run to show.
        link_style: how to link to sources.
    """
    link = _linker(link_style)
    return View(
        today=run.today.isoformat(),
        collected=len(run.outcomes),
        fates=tuple((fate.value, number) for fate, number in fates(run).items()),
        sources=run.sources,
        priorities=tuple(_priority(one.item, run.today, link) for one in run.of(Fate.SHOWN)),
        overflow=tuple(
            f"({_name(project)}) {number} more: {code(f'wrap list --all --project {shlex.quote(project)}')}"
            for project, number in per_project(run.of(Fate.OVERFLOW))
        ),
        attention=tuple(group for group in _attention(run, link) if group.lines),
        pending=run.follow_ups.pending,
    )


def _priority(item: Item, today: date, link: Callable[[str, int, str], str]) -> PriorityLine:
    marks: list[str] = []
    if item.due is not None:
        overdue = "**overdue** " if item.due < today else ""
        marks.append(f"{overdue}📅 {item.due}")
    if item.priority is not None:
        marks.append(_PRIORITY_SIGNS[item.priority])
    if item.recurrence is not None:
        marks.append(f"🔁 {safe_inline(item.recurrence, item.path)}".removesuffix(" 🔁"))
    if item.raised is not None:
        marks.append(age(item.raised, today))
    source = link(item.path, item.line, "source")
    if item.twins:
        twins = [link(path, line, "twin") for path, line in item.twins[:_TWINS_LINKED]]
        source = f"{source} (+{len(item.twins)} similar) {', '.join(twins)}"
    return PriorityLine(_name(item.project), _words(item), tuple(marks), source)


def age(raised: date, today: date) -> str:
    """How long ago, in days: `today`, `1 day`, `12 days`; a day to come is named."""
    days = (today - raised).days
    if days < 0:
        return f"from {raised}"
    return "today" if days == 0 else count(days, "day")


def _attention(run: Run, link: Callable[[str, int, str], str]) -> Iterable[Group]:
    def about(concern: Concern) -> list[str]:
        return [_remark(remark, link) for remark in run.about(concern)]

    if waiting := run.follow_ups.pending:
        line = f"{count(waiting, 'follow-up')} that {'was' if waiting == 1 else 'were'} only said: `wrap route` asks"
        yield _group("Pending follow-ups", "They stand in no file of yours yet.", [line])
    yield _group("Untagged", "Start the item with `(project)`, or name one project in its session heading.",
                 about(Concern.UNTAGGED))  # fmt: skip
    yield _group("Conflicts", "The box is open, but its text or its list says done: tick it, or take the mark away.",
                 about(Concern.CONFLICTS))  # fmt: skip
    yield _group("Probably done", "Something much alike is done: tick the box if this is too.",
                 about(Concern.PROBABLY_DONE))  # fmt: skip
    yield _group("Stale boxes", "Done elsewhere, still open in its file: tick it.", about(Concern.STALE_BOXES))
    expired = run.of(Fate.EXPIRED)
    newest = sorted(
        expired, key=lambda one: (-(one.item.raised or run.today).toordinal(), one.item.path, one.item.line)
    )
    yield _group(
        "Expired",
        "Older than the look-back and no longer shown: `wrap list --expired` shows all.",
        [f"({_name(project)}) {number}" for project, number in per_project(expired)]
        + [f"{_words(one.item)} · {link(one.item.path, one.item.line, 'source')}" for one in newest[:5]],
    )
    yield _group("Unreadable", "Mend the file, then run `wrap` again.",
                 [f"{_plain(trouble.path)}: {_plain(trouble.error)}" for trouble in run.troubles])  # fmt: skip
    yield _group("Unread sections", "Prose is not read: write each follow-up as a list item.",
                 [f"{_plain(one.heading)} · {link(one.path, one.line, 'source')}" for one in run.unread])  # fmt: skip


def _group(title: str, advice: str, lines: list[str]) -> Group:
    more = len(lines) - _LINES_PER_GROUP
    tail = [f"and {more} more: `wrap audit`"] if more > 0 else []
    return Group(title, advice, tuple(lines[:_LINES_PER_GROUP] + tail))


def _remark(remark: Remark, link: Callable[[str, int, str], str]) -> str:
    item, because = remark.item, remark.because
    parts = [_words(item), link(item.path, item.line, "source")]
    if item.candidates:
        parts.append(f"candidates {', '.join(_name(name) for name in item.candidates)}")
    if because is not None:
        parts.append(f"{because.score:g} % alike: {link(because.path, because.line, 'evidence')}")
    return " · ".join(parts)


def _words(item: Item) -> str:
    return safe_inline(shorten(item.text, TEXT_LIMIT), item.path)


def _name(project: str | None) -> str:
    return _plain(project) if project else UNTAGGED


def _plain(text: str) -> str:
    return safe_inline(text, "")


def _linker(style: LinkStyle) -> Callable[[str, int, str], str]:
    def markdown(path: str, line: int, words: str) -> str:
        return f"[{words}]({link_target(path)}#L{line})"

    def obsidian(path: str, line: int, words: str) -> str:
        del line  # wikilinks cannot name a line
        return f"[[{path.removesuffix('.md')}|{words}]]"

    return markdown if style == "markdown" else obsidian
