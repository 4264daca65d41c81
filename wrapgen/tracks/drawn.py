"""What the hot track draws from a conversation by rules: goal, blockers, progress, decisions. PURE."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from wrapgen.model import Decision
from wrapgen.text.blocks import LEAD_LEVEL, Block, blocks
from wrapgen.text.display import one_line, shorten
from wrapgen.text.folding import fold
from wrapgen.tracks.record import Drawn, FileState, Progress, StateRecord, TrackLabels, TurnRecord
from wrapgen.tracks.signals import HOSTS_OWN, about, is_supposed, labelled, phrases, sentences

LIMIT = 200  # characters of the goal and of a blocker
LAST_LIMIT = 300  # characters of the last words of each side
MOST_BLOCKERS = 5
DECISION_LIMIT = 300  # characters of a decision; its turn has the rest
_MOST_OPEN = 50  # failures that an answer is compared with: it is about one of the last
_BEYOND = re.compile(rf"(?m)^(.{{{5 * LIMIT}}}).+$")  # what no label or goal reaches into
_BOX = re.compile(r"\[[ xX]\]|[☐☑☒]")
_AROUND_TITLE = " \t*_`#0123456789.:：()"
_BOXES = ("[ ]", "[x]", "[X]", "☐", "☑", "✅", "⬜", "□", "☒")
_GOAL = frozenset(
    ["goal", "the goal", "current goal", "goal of this session", "목표", "현재 목표", "이번 목표", "目标", "目標",
     "当前目标", "本次目标"]
)  # fmt: skip
_GOAL_IS = re.compile(
    r"\b(?:the|my|our) (?:\w+ )?goal (?:here |now )?is(?: now)?:? (?!not\b)(?:to )?|목표는 ?|目标是|目標は、?"
)
_DECISIONS = frozenset(
    ["decisions", "key decisions", "decisions made", "결정", "결정 사항", "결정사항", "决定", "决定事项", "关键决策",
     "決定", "決定事項"]
)  # fmt: skip
_DECISION = frozenset(
    ["decision", "decided", "key decision", "decisions", "결정", "결정 사항", "결정사항", "결론", "决定", "決定",
     "关键决策", "决策"]
)  # fmt: skip
_BLOCKED = re.compile(r"\bblocked (?:by|on)\b|^\W*(?:\w+ )?blockers?: *\S|阻塞|卡点|被卡住|막힘|막혀 있|막혔|차단 요인")
_MAY_BLOCK = re.compile(r"\bblocke[dr]|阻塞|卡点|被卡住|막[힘혀혔]|차단 요인")
_UNBLOCKED = re.compile(
    r"\bunblocked|\b(?:not|no longer|isn't|aren't|never) (?:currently )?blocked|\bno (?:longer a )?blocker"
    r"|blockers?: none|막힘(?:이|은)?:? ?(?:없|해소|풀)|막혀 있[지던]|막혔던"
    r"|(?:不再|没有|无|无任何|未|不会|解除|没|非|不)(?:阻塞|卡点)"
    r"|阻塞(?:已?解除|已解决|队列|模?式|调用|操作|读|写|线程|i/?o|项?：无)"
)


def drawn_from(
    turns: Sequence[TurnRecord], files: Iterable[FileState], words: TrackLabels, read: StateRecord | None = None
) -> Drawn:
    """Goal, blockers, progress and last words; where a reader has `read` it, rules speak of later turns only."""
    written = tuple(file.path for file in files if not file.gone)
    asked, said = one_line(_last_words(turns, "user")), one_line(_last_words(turns, "assistant"))
    drawn = Drawn(
        written=written,
        last_asked=shorten(asked, LAST_LIMIT - 1),
        last_said=said if len(said) < LAST_LIMIT else f"…{said[2 - LAST_LIMIT :]}",
    )
    if read is None:
        goal = _named_goal(turns) or _first_words(turns)
        return replace(drawn, goal=goal, blockers=_blockers(turns), progress=_progress(turns, words))
    later = [turn for turn in turns if turn.turn > read.turn]
    blockers = _blockers(turns)
    if read.blockers is not None:
        blockers = tuple(dict.fromkeys([*_blockers(later), *read.blockers]))[:MOST_BLOCKERS]
    return replace(
        drawn,
        goal=_named_goal(later) or _short(read.goal) or _named_goal(turns) or _first_words(turns),
        blockers=blockers,
        progress=_progress(later, words) or read.progress or _progress(turns, words),
    )


def decisions(turns: Iterable[TurnRecord]) -> tuple[Decision, ...]:
    """The decisions that lines such as `decision: ...` report, in order, each once, in its last wording."""
    found: list[Decision] = []
    for turn in turns:
        words = [*labelled(turn.text, _DECISION), *_listed_decisions(turn.text)]
        texts = (shorten(one_line(text), DECISION_LIMIT - 1) for text in words)
        # A lone `_` is markup of nothing.
        found += [Decision(text, turn.day, f"turn {turn.turn}") for text in texts if text]
    return merged(found)


def _listed_decisions(text: str) -> Iterator[str]:
    """The items of lists and rows of tables below a heading that says decisions."""
    folded = text.casefold()
    if text.startswith(HOSTS_OWN) or not any(title in folded for title in _DECISIONS):
        return
    within = 0  # the level of the heading
    for block in blocks(text):
        words = text[block.start : block.end]
        if block.shape in ("heading", "rule"):
            within = block.level if words.strip(_AROUND_TITLE).casefold() in _DECISIONS else 0
        elif within == LEAD_LEVEL and block.shape == "prose":
            within = 0
        elif within and block.shape == "item" and block.checked is None and not words.endswith(("?", "？")):
            yield words
        elif within and block.shape == "row" and not _is_head(text, block):
            cells = (cell.strip() for cell in words.strip("| \t").split("|"))
            yield " – ".join(cell for cell in cells if cell and not cell.isdecimal())


def _is_head(text: str, row: Block) -> bool:
    """Whether a row is the head of its table: below it is a rule."""
    begin = text.find("\n", row.end) + 1
    below = text[begin : text.find("\n", begin)] if begin else ""
    return "-" in below and not below.strip(" \t\r:|-")


def merged(*groups: Iterable[Decision]) -> tuple[Decision, ...]:
    """Decisions of several sources, oldest first, those without a day before all; of the same words only the latest."""
    told = sorted(
        (decision for group in groups for decision in group),
        key=lambda one: (one.day is not None, one.day.toordinal() if one.day else 0),
    )
    latest = {fold(one.text).text: one for one in told}
    return tuple(one for one in told if latest[fold(one.text).text] is one)


def _short(text: str) -> str:
    return shorten(one_line(text), LIMIT - 1)


def _last_words(turns: Sequence[TurnRecord], role: str) -> str:
    said = (turn.text for turn in reversed(turns) if turn.role == role and turn.text.strip())
    return next((text for text in said if not text.startswith(HOSTS_OWN)), "")


def _first_words(turns: Sequence[TurnRecord]) -> str:
    return _short(next((turn.text for turn in turns if turn.role == "user" and turn.text.strip()), ""))


def _named_goal(turns: Sequence[TurnRecord]) -> str:
    """The newest: a line of anybody's behind a label, or what the user says it is."""
    for turn in reversed(turns):
        text = _BEYOND.sub(r"\1", turn.text)
        if lines := list(labelled(text, _GOAL)):
            return _short(lines[-1])
        if turn.role == "user" and _GOAL_IS.search(text.casefold()):
            told = ((one, _GOAL_IS.search(one.said)) for one in sentences(text) if not is_supposed(one))
            said = [words for one, found in told if found and (words := one.words(found.end(), len(one.said)).strip())]
            if said:
                return _short(said[-1])
    return ""


def _blockers(turns: Sequence[TurnRecord]) -> tuple[str, ...]:
    """Newest first: sentences that name a blocker, and failures of the last tenth that nothing has answered."""
    found = [(len(turns) - turn.turn, text) for turn, text in _open_failures(turns)]
    named = 0
    for turn in reversed(turns):
        if named >= MOST_BLOCKERS or not _MAY_BLOCK.search(turn.text.lower()):
            continue
        for one in sentences(turn.text):
            if _BLOCKED.search(one.said) and not _UNBLOCKED.search(one.said) and not is_supposed(one):
                found.append((len(turns) - turn.turn, _short(one.raw)))
                named += 1
    ordered = sorted(found, key=lambda pair: pair[0])
    return tuple(dict.fromkeys(text for _, text in ordered))[:MOST_BLOCKERS]


def _open_failures(turns: Sequence[TurnRecord]) -> list[tuple[TurnRecord, str]]:
    """Failures of the last tenth without a later success; one about none of them is about the last."""
    failures: list[tuple[TurnRecord, str, frozenset[str]]] = []
    for turn in turns[len(turns) - max(1, len(turns) // 10) :] if turns else ():
        for one in sentences(turn.text):
            if is_supposed(one):
                continue
            if any(phrases(kind).found(one.said) for kind in ("worked", "left", "left_it")):
                others = [failure for failure in failures if failure[2].isdisjoint(about(one.folded))]
                failures = failures[:-1] if others == failures else others
            elif phrases("failed").found(one.said):
                failures = [*failures[-_MOST_OPEN:], (turn, _short(one.raw), about(one.folded))]
    return [(turn, text) for turn, text, _ in failures]


def _progress(turns: Sequence[TurnRecord], words: TrackLabels) -> tuple[Progress, ...]:
    for turn in reversed(turns):
        if any(box in turn.text for box in _BOXES) and (rows := tuple(_checklist(turn.text, words))):
            return rows
    return ()


def _checklist(text: str, words: TrackLabels) -> Iterator[Progress]:
    """The last list of a turn whose lines have boxes; one of `✅` alone praises something, and is none."""
    items: list[Block] = [block for block in blocks(text) if block.shape == "item" and block.checked is not None]
    items = items if any(not one.checked for one in items) or _BOX.search(text) else []
    for item in items:
        if item.lists == items[-1].lists:
            yield Progress(one_line(text[item.start : item.end]), words.done if item.checked else words.open)
