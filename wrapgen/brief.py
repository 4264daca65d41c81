"""The session brief: what a sub-agent must know of the session that starts it, within a budget of tokens. PURE.

Every text that is handed out was measured as a whole, so the budget holds whatever the estimator says of its parts.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TypeVar

from wrapgen.late_pattern import late
from wrapgen.text.display import ELLIPSIS, beginning, without_controls
from wrapgen.text.tokens import estimate_tokens, utf16_beginning, utf16_length

# Tag characters spell words that no screen shows and a model reads.
_HIDDEN = late("[\U000e0000-\U000e007f]")


def field(record: object, *names: str) -> object:
    """The first of some fields of a mapping that has a value; None when there is none, or reading it fails."""
    try:
        if not isinstance(record, Mapping):
            return None
        return next((value for name in names if (value := record.get(name)) is not None), None)
    except Exception:
        return None


def elements(value: object) -> tuple[object, ...]:
    """The elements of a list or tuple; nothing of anything else, such as a text or an endless generator."""
    try:
        if isinstance(value, list):
            return tuple(list.__getitem__(value, slice(None)))
        return tuple.__getitem__(value, slice(None)) if isinstance(value, tuple) else ()
    except Exception:
        return ()


def words(value: object, limit: int | None = None) -> str:
    """A text on one line without control characters, cut to so many UTF-16 units; anything else gives none."""
    try:
        if not isinstance(value, str):
            return ""
    except Exception:
        return ""
    text = str.__str__(value)
    lines = text.splitlines()
    if lines != [text]:
        text = " ".join(filter(None, map(str.strip, lines)))
    text = _HIDDEN.sub("", without_controls(text.replace("\t", " ")))
    return text if limit is None else cut(text, limit)


def cut(text: str, limit: int) -> str:
    """Cut a text to so many UTF-16 units, the `…` that marks the cut included."""
    return text if utf16_length(text) <= limit else utf16_beginning(text, limit - 1) + ELLIPSIS


# Lengths in UTF-16 units, and how many of a list are kept: those of the first such tool.
_TASK_LENGTH = 150
_DECISION_LENGTH = 160
_PENDING_LENGTH = 100
_STAMP_LENGTH = 60
_FILES = 8
_DECISIONS = 3
_CHANGED = "modified"

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class FileChange:
    """A file that the session works on, and what became of it."""

    path: str
    change_type: str


@dataclass(frozen=True, slots=True)
class Teammate:
    """A teammate on the same work."""

    name: str
    role: str


@dataclass(frozen=True, slots=True)
class Snapshot:
    """What a session is doing. Lists are oldest first."""

    task: str = ""
    files: tuple[FileChange, ...] = ()
    decisions: tuple[str, ...] = ()
    teammates: tuple[Teammate, ...] = ()
    pending: tuple[str, ...] = ()
    files_omitted: int = 0  # how many older files the state held
    decisions_omitted: int = 0  # how many older decisions the state held
    generated_at: str = ""  # when it was made, nothing when nobody said so
    branch: str = ""  # the branch that is checked out, nothing when nobody said so


def create_snapshot(state: object) -> Snapshot:
    """Make a snapshot of a session's state; no content of it raises an error.

    It is a mapping with `task_description`, `files` (`path`, `change_type`), `decisions`, `teammates` (`name`, `role`),
    `pending`, `generated_at` and `branch`, all of them optional, camelCase names too. What is of another type counts as
    not said; an element that says nothing is left out. A snapshot stays as it is.
    """
    if type(state) is Snapshot:
        return state
    files = [file for record in elements(field(state, "files")) if (file := _file(record))]
    decisions = _texts(field(state, "decisions"), _DECISION_LENGTH)
    teammates = [mate for record in elements(field(state, "teammates")) if (mate := _teammate(record))]
    return Snapshot(
        task=words(field(state, "task_description", "taskDescription"), _TASK_LENGTH),
        files=tuple(files[-_FILES:]),
        decisions=tuple(decisions[-_DECISIONS:]),
        teammates=tuple(teammates),
        pending=tuple(_texts(field(state, "pending"), _PENDING_LENGTH)),
        files_omitted=max(0, len(files) - _FILES),
        decisions_omitted=max(0, len(decisions) - _DECISIONS),
        generated_at=words(field(state, "generated_at", "generatedAt"), _STAMP_LENGTH),
        branch=words(field(state, "branch"), _STAMP_LENGTH),
    )


def diff_snapshots(old: Snapshot, new: Snapshot) -> Snapshot:
    """What is new: the task when it is another one, and elements of lists that were not there before."""
    return Snapshot(
        task=new.task if new.task != old.task else "",
        files=_added(old.files, new.files),
        decisions=_added(old.decisions, new.decisions),
        teammates=_added(old.teammates, new.teammates),
        pending=_added(old.pending, new.pending),
        generated_at=new.generated_at,
        branch=new.branch,
    )


def _added(old: tuple[T, ...], new: tuple[T, ...]) -> tuple[T, ...]:
    known = set(old)
    return tuple(one for one in new if one not in known)


def _texts(value: object, limit: int) -> list[str]:
    return [text for element in elements(value) if (text := words(element, limit))]


def _file(record: object) -> FileChange | None:
    path = words(field(record, "path"))
    return FileChange(path, words(field(record, "change_type", "changeType")) or _CHANGED) if path else None


def _teammate(record: object) -> Teammate | None:
    one = Teammate(words(field(record, "name")), words(field(record, "role")))
    return one if one.name or one.role else None


LANGUAGES = ("ko", "en", "zh", "ja")


@dataclass(frozen=True, slots=True)
class BriefLabels:
    """The lines that the brief itself writes."""

    task: str
    files: str
    decisions: str
    teammates: str
    pending: str
    none: str  # is in an empty list
    as_of: str  # before the time and the branch


_LABELS = {
    "ko": BriefLabels("현재 작업", "주요 파일", "최근 결정", "팀원", "미완료", "없음", "기준"),
    "en": BriefLabels("Current task", "Key files", "Recent decisions", "Teammates", "Pending", "none", "As of"),
    "zh": BriefLabels("当前任务", "主要文件", "最近决定", "团队成员", "未完成", "无", "截至"),
    "ja": BriefLabels("現在の作業", "主なファイル", "最近の決定", "チームメンバー", "未完了", "なし", "時点"),
}


def labels(lang: str) -> BriefLabels:
    """The words of a language; English for one that is not among `LANGUAGES`."""
    return _LABELS.get(lang, _LABELS["en"])


SNAPSHOT_MAX_TOKENS = 500
_MAX_LENGTH = 2000  # UTF-16 units

# In the order in which a round serves them, and whether they give their newest element first.
_ROUND = {"pending": False, "decisions": True, "files": True, "teammates": False}


@dataclass(frozen=True, slots=True)
class Brief:
    """The block, and what it has no room for."""

    text: str
    tokens: int  # what it costs, by `estimate_tokens`
    omitted: Mapping[str, int]  # how many elements of each list were left out


def format_for_prompt(snapshot: Snapshot, *, lang: str = "ko", budget: int = SNAPSHOT_MAX_TOKENS) -> str:
    """Write a snapshot (or a state) as a block for a prompt, at most 2,000 characters and `budget` tokens.

    The task comes first and whole. Then the lists are filled in rounds of one element each; a list whose next element
    does not fit is closed, and a list that lost elements says how many. A budget that is smaller than the empty block
    (some 70 tokens) gives the empty block.
    """
    return fitted(snapshot, lang=lang, budget=budget).text


def estimate_snapshot_tokens(snapshot: Snapshot) -> int:
    """The tokens that a snapshot costs as a block."""
    return fitted(snapshot).tokens


def fitted(snapshot: Snapshot, *, lang: str = "ko", budget: int = SNAPSHOT_MAX_TOKENS) -> Brief:
    """The block of `format_for_prompt`, with what it costs and what it leaves out."""
    page = _BriefPage.of(create_snapshot(snapshot), labels(lang))

    def fits(text: str) -> bool:
        return len(text) <= _MAX_LENGTH >= utf16_length(text) and estimate_tokens(text) <= budget

    shown: Mapping[str, int] = {name: len(lines) for name, lines in page.lists.items()}
    if not fits(page.text(shown)):
        page = next((one for one in page.shorter() if fits(one.text({}))), page.headed(""))
        shown = _served(page, fits)
    text = page.text(shown)
    return Brief(text, estimate_tokens(text), {name: page.left_out(name, shown) for name in page.lists})


def _served(page: "_BriefPage", fits: Callable[[str], bool]) -> Mapping[str, int]:
    """How many elements of each list there is room for, when they are served in rounds."""
    shown: dict[str, int] = dict.fromkeys(page.lists, 0)
    waiting = list(_ROUND)
    while waiting:
        for name in tuple(waiting):
            more = {**shown, name: shown[name] + 1}
            if more[name] <= len(page.lists[name]) and fits(page.text(more)):
                shown = more
            else:
                waiting.remove(name)
    return shown


@dataclass(frozen=True, slots=True)
class _BriefPage:
    """What there is to be written; `lists` in the order of the page, their elements as lines without their marks."""

    words: BriefLabels
    task: str
    as_of: str
    lists: Mapping[str, tuple[str, ...]]
    omitted: Mapping[str, int]

    @classmethod
    def of(cls, snapshot: Snapshot, words: BriefLabels) -> "_BriefPage":
        lists = {
            "files": tuple(f"{one.path} ({one.change_type})" for one in snapshot.files),
            "decisions": snapshot.decisions,
            "teammates": tuple(f"{one.name}: {one.role}" for one in snapshot.teammates),
            "pending": snapshot.pending,
        }
        branch = f"({snapshot.branch})" if snapshot.branch else ""
        return cls(
            words,
            snapshot.task,
            " ".join(filter(None, (snapshot.generated_at, branch))),
            {name: tuple(map(_neutral, lines)) for name, lines in lists.items()},
            {"files": snapshot.files_omitted, "decisions": snapshot.decisions_omitted},
        )

    def shorter(self) -> "Iterator[_BriefPage]":
        """The block with less and less around the lists: the task is cut last."""
        yield self
        yield self.headed(self.task)
        for end in range(len(self.task) - 1, 0, -1):
            yield self.headed(beginning(self.task, end) + ELLIPSIS)

    def headed(self, task: str) -> "_BriefPage":
        return replace(self, task=task, as_of="")

    def left_out(self, name: str, shown: Mapping[str, int]) -> int:
        return self.omitted.get(name, 0) + len(self.lists[name]) - shown.get(name, 0)

    def text(self, shown: Mapping[str, int]) -> str:
        lines = ["<session-context>", f"{self.words.task}: {_neutral(self.task)}"]
        for name in self.lists:
            lines += [f"{getattr(self.words, name)}:", *self._list(name, shown)]
        if self.as_of:
            lines.append(f"{self.words.as_of}: {_neutral(self.as_of)}")
        return "\n".join([*lines, "</session-context>"])

    def _list(self, name: str, shown: Mapping[str, int]) -> Iterator[str]:
        lines, count = self.lists[name], shown.get(name, 0)
        chosen = lines[len(lines) - count :] if _ROUND[name] else lines[:count]
        for number, line in enumerate(chosen, 1):
            yield f"  {number}. {line}" if name == "decisions" else f"  - {line}"
        if left_out := self.left_out(name, shown):
            yield f"  (+{left_out})"
        elif not chosen:
            yield f"  ({self.words.none})"


def _neutral(text: str) -> str:
    """A text that can neither close the block nor open another one."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace("]]>", "]]&gt;")
