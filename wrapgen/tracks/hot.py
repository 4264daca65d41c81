"""HOT_TRACK.md: what the next context starts with, in the seed's form and below its budget of tokens. PURE.

What does not fit goes step by step: rows of the progress, decisions (oldest first), the dates of tombstones, the
parameters of signatures; then, where that is not enough, signatures (names of files stay), tombstones and files, oldest
first, with a line that says how many and where they stand. Goal and blockers are never cut.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate

from wrapgen.late_pattern import late
from wrapgen.text.blocks import fence_behind
from wrapgen.text.display import beginning, visible, visible_line
from wrapgen.text.tokens import conservative_tokens
from wrapgen.tracks.record import DecisionRecord, Drawn, Interface, Tombstone, TrackLabels, in_all_languages
from wrapgen.tracks.user_lines import BEGIN, END, MOVED_FILE, AddedLines, fit

LIMIT = 6_000  # tokens. The seed's budget: the file always has fewer.

BY_HAND_MOST = 2_000  # maximum tokens of text added by hand

COLD_FILE = "COLD_TRACK.md"
_MOST_CHARACTERS = 200  # of the goal and of a blocker
_MOST_BLOCKERS = 5
_MOST_LAST = 300
_MOST_CELL = 200
_MOST_NAME = 200
_MOST_WRITTEN = 400
# More never fit; what is beyond is counted among what is left out.
_MOST_ROWS = 150
_MOST_SIGNATURES = 60_000  # characters
# What estimates of parts and of their whole may differ by, and the line that says where the rest stands.
_SLACK = 60
# What would make a line something other than text.
_STRUCTURE = late(r"^(?=[#>`~|<=+*_-])")
_BECAUSE = late(r"(?:(?<!\s)\s*+[,，;；]?|[,，;；])\s*+(?:\bbecause\b|因为|由于)[:：]?\s*", re.I)


_NOTHING = Drawn()


@dataclass(frozen=True, slots=True)
class Material:
    """What the hot track is made of; every list ends with the newest."""

    version: int  # of the snapshot
    generated: str  # local time, `2026-04-24 09:30`
    drawn: Drawn = _NOTHING
    graves: tuple[Tombstone, ...] = ()
    decisions: tuple[DecisionRecord, ...] = ()
    by_hand: tuple[AddedLines, ...] = ()  # what people added
    moved_before: bool = False  # some of what they added is in its own file already


@dataclass(frozen=True, slots=True)
class Cut:
    """What is left out: the first so many of each list, and what goes from all of one."""

    progress: int = 0
    decisions: int = 0
    dates: int = 0  # 1: all of them
    parameters: int = 0
    signatures: int = 0
    graves: int = 0
    interfaces: int = 0


@dataclass(frozen=True, slots=True)
class Hot:
    """The file."""

    text: str  # whole, with its footer
    own: str  # the same without what people added: what wrapgen wrote of it
    tokens: int  # of `text`, as the footer says
    cut: Cut  # what was left out
    moved: tuple[AddedLines, ...] = ()  # what people added and did not fit


def assemble(material: Material, labels: TrackLabels) -> Hot:
    """Make the file."""
    everything = _steps(material)
    bare = _render(replace(material, by_hand=()), labels, everything[-1], link=True)
    room = min(BY_HAND_MOST, LIMIT - 1 - _SLACK - conservative_tokens(bare))
    kept, moved = fit(material.by_hand, room)
    material = replace(material, by_hand=kept)
    link = bool(moved) or material.moved_before

    def fits(cut: Cut) -> bool:
        return conservative_tokens(_render(material, labels, cut, link=link)) < LIMIT - _SLACK // 2

    low, high = 0, len(everything) - 1
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if fits(everything[middle]) else (middle + 1, high)
    cut = everything[low]
    text, tokens = _with_footer(_render(material, labels, cut, link=link), labels)
    own, _ = _with_footer(_render(replace(material, by_hand=()), labels, cut, link=link), labels, tokens)
    return Hot(text, own, tokens, cut, moved)


def _short(text: str, limit: int) -> str:
    return beginning(visible_line(text), limit)


def _steps(material: Material) -> list[Cut]:
    """All cuts from the least to the most, in the promised order."""
    drawn = material.drawn
    sizes = {
        "progress": len(drawn.progress),
        "decisions": len(material.decisions),
        "dates": 1,
        "parameters": 1,
        "signatures": len(drawn.interfaces),
        "graves": len(material.graves),
        "interfaces": len(drawn.interfaces),
    }
    surely = {name: max(0, size - _MOST_ROWS) for name, size in sizes.items()}
    steps = [Cut(**surely | {"signatures": _without_room(drawn.interfaces)})]
    for name, size in sizes.items():
        first = getattr(steps[-1], name) + 1
        steps += [replace(steps[-1], **{name: number}) for number in range(first, size + 1)]
    return steps


def _without_room(interfaces: Sequence[Interface]) -> int:
    """How many of the oldest files are surely by name only."""
    newest_first = accumulate(sum(map(len, one.bare)) for one in reversed(interfaces))
    return len(interfaces) - sum(size <= _MOST_SIGNATURES for size in newest_first)


def _with_footer(body: str, labels: TrackLabels, tokens: int | None = None) -> tuple[str, int]:
    """The file with the number of its tokens, which counts itself too: at most two numbers are possible."""

    def footed(number: int) -> str:
        return f"{body}\n---\n*{labels.tokens}: ~{number:,}*\n"

    if tokens is None:
        tokens = conservative_tokens(footed(0))
        tokens = tokens if tokens < 1_000 else conservative_tokens(footed(1_000))
    return footed(tokens), tokens


def _render(material: Material, labels: TrackLabels, cut: Cut, *, link: bool) -> str:
    drawn = material.drawn
    goal = _STRUCTURE.sub(r"\\", _short(drawn.goal, _MOST_CHARACTERS))
    blockers = [f"- **{labels.problem}**: {_short(one, _MOST_CHARACTERS)}" for one in drawn.blockers[:_MOST_BLOCKERS]]
    words = ((labels.user, drawn.last_asked), (labels.assistant, drawn.last_said))
    last = [f"- **{who}**: {_short(said, _MOST_LAST)}" for who, said in words if said]
    last = ["", f"### {labels.last}", *last] if last else []
    progress = [*_progress(material, labels, cut)]
    lines = [
        f"# {labels.hot}", "", f"_{labels.generated}: {material.generated}_",
        f"_{labels.version}: v{material.version}_", "", "---", "", f"## 1. {labels.state}", "",
        f"### {labels.goal}", goal or labels.none, "",
        f"### {labels.progress}", *progress, "",
        f"### {labels.blockers}", *(blockers or [labels.none]), *last,
        "", "---", "", f"## 2. {labels.interfaces}", "", *_interfaces(material, labels, cut, progress),
        "---", "", f"## 3. {labels.tombstones}", "", *_graves(material, labels, cut), "",
        "---", "", f"## 4. {labels.decisions}", "", *_decisions(material, labels, cut), "",
    ]  # fmt: skip
    if material.by_hand or link:
        lines += ["---", "", f"## 5. {labels.by_hand}", "", BEGIN]
        lines += [line for block in material.by_hand for line in (*block.lines, "")]
        lines += [END, "", *([labels.moved.format(where=MOVED_FILE), ""] if link else [])]
    return "\n".join(lines)


def _progress(material: Material, labels: TrackLabels, cut: Cut) -> Iterator[str]:
    rows = [(_cell(one.name), _cell(one.state), _cell(one.note)) for one in material.drawn.progress[cut.progress :]]
    if rows or cut.progress or not material.drawn.written:
        yield from _table(labels.progress_head, 3, rows, "|------|------|------|", cut.progress, labels)
    else:
        yield _STRUCTURE.sub(r"\\", _short(f"{labels.written}: {', '.join(material.drawn.written)}", _MOST_WRITTEN))


def _graves(material: Material, labels: TrackLabels, cut: Cut) -> Iterator[str]:
    rows = [
        (f"{one.mark}{_cell(one.name)} ({one.id})", _cell(one.reason), one.day.isoformat() if one.day else "")
        for one in material.graves[cut.graves :]
    ]
    columns, rule = (2, "|--------|----------|") if cut.dates else (3, "|--------|----------|------|")
    yield from _table(labels.tombstone_head, columns, rows, rule, cut.graves, labels)


def _decisions(material: Material, labels: TrackLabels, cut: Cut) -> Iterator[str]:
    rows = []
    for one in material.decisions[cut.decisions :]:
        what, why = _cell(one.text), ""
        found = _BECAUSE.search(what)
        if found and found.start() and found.end() < len(what):
            what, why = what[: found.start()], what[found.end() :]
        rows.append((what, why, one.day.isoformat() if one.day else ""))
    yield from _table(labels.decision_head, 3, rows, "|------|------|------|", cut.decisions, labels)


def _table(
    head: list[str], columns: int, rows: Sequence[tuple[str, ...]], rule: str, left_out: int, labels: TrackLabels
) -> Iterator[str]:
    if rows:
        yield f"| {' | '.join(head[:columns])} |"
        yield rule
        for row in rows:
            yield f"| {' | '.join(row[:columns])} |"
    elif not left_out:
        yield labels.none
    if left_out:
        yield from ([""] if rows else [])
        yield _more(left_out, labels)


def _more(left_out: int, labels: TrackLabels) -> str:
    return f"_{labels.more.format(n=left_out, where=COLD_FILE)}_"


def _interfaces(material: Material, labels: TrackLabels, cut: Cut, progress: Sequence[str]) -> list[str]:
    """Signatures of the newest files in fences; those that have none, or are cut, by name.

    Names that the progress lists as written stand there.
    """
    listed = progress[0].removeprefix(f"{labels.written}: ").split(", ") if progress else ()
    blocks: list[str] = []
    named: list[str] = []
    for number, one in enumerate(material.drawn.interfaces[cut.interfaces :], cut.interfaces):
        lines = one.bare if cut.parameters else one.lines
        name = _short(one.name, _MOST_NAME).lstrip("# ") or "?"
        if number < cut.signatures or not lines or not one.readable:
            named += [f"- {name}"] if name not in listed else []
            continue
        shown = [visible(line.replace("\t", "    ")) for line in lines]
        longest = max((len(run) for line in shown for run in re.findall("`+", line)), default=0)
        fence = "`" * max(3, longest + 1)
        blocks += (f"### {name}", fence, *shown, fence, "")
    if named:
        blocks += (*named, "")
    if cut.interfaces:
        blocks += (_more(cut.interfaces, labels), "")
    return blocks or [labels.none, ""]


def _cell(text: str) -> str:
    """A text as it can be in a table: one line, no bar that would end the cell."""
    return _short(text, _MOST_CELL).replace("|", "\\|")


# Most important first; sections with other names were added by people, and come second.
_ORDER = ("state", "by_hand", "tombstones", "decisions", "interfaces")
_SECOND = 1
_IN_WORDS = {"Tombstones": "Dead ends"}  # as a reader is told them
_HEADING = late(r"##\s++(?:\d++\.\s*+(?=.))?(.*\S)")


def by_importance(text: str) -> list[str]:
    """The lines of a hot track, the most important section first, without numbers, head, rules, blanks and footer."""
    footers = tuple(f"*{name}: ~" for name in in_all_languages("tokens"))
    sections: list[tuple[int, list[str]]] = []
    fence = ""
    for line in text.splitlines():
        heading = None if fence else _HEADING.match(line)
        if heading:
            ranks = (rank for rank, name in enumerate(_ORDER) if heading[1] in in_all_languages(name))
            sections.append((next(ranks, _SECOND), [f"## {_IN_WORDS.get(heading[1], heading[1])}"]))
            continue
        fence = fence_behind(line, fence)
        if sections and line.strip() and line.strip() not in {"---", BEGIN, END} and not line.startswith(footers):
            sections[-1][1].append(line)
    ordered = sorted(sections, key=lambda section: section[0])
    return [line for _, lines in ordered if len(lines) > 1 for line in lines]
