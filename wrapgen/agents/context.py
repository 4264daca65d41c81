"""What a new agent is given of what others did: six steps, each entry once, within a budget. PURE.

The headings and lines are those of the tool that this follows, byte for byte; but nothing that an agent wrote can pass
for a heading or an entry of its own.
"""

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from operator import itemgetter

from wrapgen.agents.rows import AGENT_SUMMARY, IN_PROGRESS, PENDING, Who
from wrapgen.text.display import count, shorten
from wrapgen.text.tokens import conservative_tokens, utf16_beginning, utf16_length

CONTEXT_BUDGET = 1_500  # tokens of context about others' work for a new agent
CHARACTERS = 9_000
"""UTF-16 units. A host that is given more than 10,000 characters shows a preview instead; the brief comes on top."""

_DESCRIPTION = 100  # UTF-16 units, as in the recorded outputs
_PLAN = 200
_NAME = 100  # characters of a name in the first line and in headings
_FIRST = itemgetter(0)
_PLANNED = frozenset({"planned", PENDING, IN_PROGRESS})


# Entries of each step at most. Of a step's rows as many more are looked at as earlier steps may show already.
_MOST = {"siblings": 5, "same_type": 3, "other_sessions": 5, "relevant": 5, "recent": 10}
ROWS_A_STEP = max(_MOST.values()) + _MOST["siblings"] + _MOST["same_type"] + 1


@dataclass(frozen=True, slots=True)
class AgentResult:
    """What an agent answered."""

    id: str
    name: str
    summary: str
    session: str


@dataclass(frozen=True, slots=True)
class Note:
    """A recorded entry; `agent` and `by` are the id and the name of its agent, if it is known."""

    id: int
    agent: str | None
    by: str | None
    kind: str
    content: str


@dataclass(frozen=True, slots=True)
class AssignedTask:
    """A task that is assigned to the agent; `plan` is the newest comment of that kind, "" for none."""

    id: int
    status: str
    title: str
    tags: tuple[str, ...]
    description: str
    plan: str


@dataclass(frozen=True, slots=True)
class StepRows:
    """The rows of each step in the order of its query, more of them than it takes at most."""

    siblings: tuple[AgentResult, ...] = ()
    same_type: tuple[AgentResult, ...] = ()
    other_sessions: tuple[Note, ...] = ()
    relevant: tuple[Note, ...] = ()
    recent: tuple[Note, ...] = ()
    tasks: tuple[AssignedTask, ...] = ()


@dataclass(frozen=True, slots=True)
class ShownRow:
    """A row as it is shown."""

    id: str | int
    text: str


@dataclass(frozen=True, slots=True)
class ContextSection:
    """A step that has something to show."""

    step: int
    heading: str
    entries: tuple[ShownRow, ...]


@dataclass(frozen=True, slots=True)
class Chosen:
    """What the agent is given."""

    text: str  # "" when there is nothing
    sections: tuple[ContextSection, ...]  # what the text shows
    dropped: int  # how many entries there was no room for


def compose(asking: Who, found: StepRows, tokens: int = CONTEXT_BUDGET, characters: int = CHARACTERS) -> Chosen:
    """Choose and write down what an agent is given, within so many tokens and UTF-16 units.

    Tokens are `conservative_tokens`: to load a vocabulary takes half a second, and an agent waits for its context.
    """
    head = f"[smart context for {_short(asking.name)}]"
    everything = [(section, row) for section in _sections(asking, found) for row in section.entries]
    if not everything:
        return Chosen("", (), 0)

    def written(rows: Sequence[tuple[ContextSection, ShownRow]]) -> Chosen | None:
        sections = tuple(replace(one, entries=tuple(row for _, row in pairs)) for one, pairs in groupby(rows, _FIRST))
        dropped = len(everything) - len(rows)
        text = _text(head, sections, dropped)
        fits = utf16_length(text) <= characters and conservative_tokens(text) <= tokens
        return Chosen(text, sections, dropped) if fits else None

    if whole := written(everything):
        return whole
    # An entry that is too long by itself does not keep the others out.
    rows = [row for row in everything if written([row])]
    most = bisect_left(range(len(rows)), True, key=lambda number: written(rows[: number + 1]) is None)
    return written(rows[:most]) or Chosen("", (), len(everything))


def _sections(asking: Who, found: StepRows) -> Iterator[ContextSection]:
    siblings = [one for one in found.siblings if one.id != asking.id][: _MOST["siblings"]]
    same_type = [one for one in found.same_type if one.id != asking.id][: _MOST["same_type"]]
    told = {one.summary for one in (*siblings, *same_type)}

    def new(notes: Iterable[Note], most: int) -> list[Note]:
        """What no agent's own line already says."""
        return [
            one
            for one in notes
            if not (one.kind == AGENT_SUMMARY and one.content in told) and not (asking.id and one.agent == asking.id)
        ][:most]

    relevant = new(found.relevant, _MOST["relevant"])
    of_this_session = siblings or relevant or any(one.session == asking.session for one in same_type)
    recent = [] if of_this_session else new(found.recent, _MOST["recent"])
    others = new(found.other_sessions, _MOST["other_sessions"])
    yield ContextSection(1, "## Sibling Agent Results", tuple(map(_result, siblings)))
    yield ContextSection(2, f"## Previous {_short(asking.type or '')} Agent Results", tuple(map(_result, same_type)))
    yield ContextSection(3, "## Cross-Session Context", tuple(_note(one, one.by) for one in others))
    yield ContextSection(4, "## Relevant Context", tuple(_note(one) for one in relevant))
    yield ContextSection(5, "## Recent Context", tuple(_note(one) for one in recent))
    yield ContextSection(6, "## Your Assigned Tasks", tuple(map(_job, found.tasks)))


def _result(one: AgentResult) -> ShownRow:
    return ShownRow(one.id, fenced(f"- [{_flat(one.name)}] ", one.summary))


def _note(one: Note, by: str | None = None) -> ShownRow:
    said = f" by {_flat(by)}" if by else ""
    return ShownRow(one.id, fenced(f"- [{_flat(one.kind)}{said}] ", one.content))


def _job(one: AssignedTask) -> ShownRow:
    tags = f" [{', '.join(map(_flat, one.tags))}]" if one.tags else ""
    text = f"- [{_flat(one.status)}] {_flat(one.title)}{tags}"
    if one.description:
        text = fenced(f"{text}: ", utf16_beginning(one.description, _DESCRIPTION))
    if one.plan and one.status in _PLANNED:
        text += "\n" + fenced("  Plan: ", utf16_beginning(one.plan, _PLAN))
    return ShownRow(one.id, text)


def fenced(before: str, words: str) -> str:
    """An entry whose further lines cannot pass for headings or entries: they are indented, a leading `#` is escaped."""
    first, *further = words.splitlines() or [""]
    return "\n".join([before + first, *(_indented(line) for line in further)])


def _indented(line: str) -> str:
    bare = line.lstrip()
    if not bare:
        return ""
    return f"  {line[: len(line) - len(bare)]}\\{bare}" if bare.startswith("#") else f"  {line}"


def _flat(name: str) -> str:
    return " ".join(name.splitlines())


def _short(name: str) -> str:
    return shorten(_flat(name), _NAME)


def _text(head: str, sections: Sequence[ContextSection], dropped: int) -> str:
    parts = [head, *("\n".join([one.heading, *(entry.text for entry in one.entries)]) for one in sections)]
    if dropped:
        parts.append(f"({count(dropped, 'entry') if dropped == 1 else f'{dropped} entries'} left out: no room)")
    return "\n\n".join(parts)
