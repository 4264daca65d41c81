"""The contract of sub-agents: a short answer with its marker on top, and whether one meets it. PURE.

Two forms: one for every agent, at most 10 lines, and one for reviewers, at most 20. The skills `compress-output` and
`compress-review` tell the agents beforehand.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from typing import Literal

from wrapgen.errors import ExitCode
from wrapgen.host_reply import HookReply
from wrapgen.text.display import one_line

MARKER = "[COMPRESSED]"

_MARKER_LINE = re.compile(r" {0,3}\[COMPRESSED\](?:\s+agent_type\s*[:：](?P<type>.*))?\s*\Z")
_LABEL = re.compile(r" {0,3}(?P<label>[A-Za-z][A-Za-z ]{2,30}?)\s*[:：](?P<text>.*)\Z")
_REVIEWER = re.compile(r"(?:\A|[-_ :])reviewer\Z", re.IGNORECASE)
_PLACEHOLDER = re.compile(r"\A<[^<>]*>\Z")
_BULLET = re.compile(r"\A[-*•]\s+")
_RESULT_LINES = 3
# Characters. A longer line is a long answer that got rid of its line breaks.
_LONGEST_LINE = 1_000

_GENERAL = """\
[COMPRESSED] agent_type: <type>
Changed files: file1, file2
Result: (1-3 lines)
Decisions: (if any)
Blockers: (if any)"""
_REVIEW = """\
[COMPRESSED] agent_type: reviewer
Files reviewed: file1, file2
Critical: file:line — what
Warning: file:line — what
Suggestion: file:line — what
Verdict: PASS | FAIL (critical/warning counts)"""


@dataclass(frozen=True, slots=True, order=True)
class ContractViolation:
    """One thing that is wrong."""

    line: int  # 1-based line of the message
    severity: Literal["error", "warning"]  # an error keeps the answer from meeting the contract
    rule: str  # two or three words that name the rule
    message: str  # what is wrong, for people


def _error(line: int, rule: str, message: str) -> ContractViolation:
    return ContractViolation(line, "error", rule, message)


def _warning(line: int, rule: str, message: str) -> ContractViolation:
    return ContractViolation(line, "warning", rule, message)


class AnswerForm(Enum):
    """A form of answer: its most lines, the fields that must say something, and those that are left out when empty."""

    GENERAL = (10, ("changed files", "result"), ("decisions", "blockers"), _GENERAL)
    REVIEW = (20, ("files reviewed", "verdict"), ("critical", "warning", "suggestion"), _REVIEW)

    def __init__(self, limit: int, required: tuple[str, ...], optional: tuple[str, ...], template: str) -> None:
        self.limit = limit
        self.required = required
        self.optional = optional
        self.template = template

    @classmethod
    def of(cls, agent_type: str | None) -> "AnswerForm":
        """The form of a type: `reviewer` reviews, and what ends so (`code-reviewer`, `plugin:reviewer`)."""
        return cls.REVIEW if _REVIEWER.search(agent_type or "") else cls.GENERAL


@dataclass(frozen=True, slots=True)
class Field:
    """A labelled part of an answer."""

    line: int  # 1-based line of its label
    rows: tuple[tuple[int, str], ...]  # its words, without bullets and blank lines: each line with its number


@dataclass(frozen=True, slots=True)
class CheckedAnswer:
    """An answer taken apart, and what is wrong with it."""

    form: AnswerForm  # what it was read as
    agent_type: str | None  # what its marker says, None without a marker
    first: int  # 1-based line where it begins, 1 when it is blank
    count: int  # how many lines it has from there to its last one that is not blank
    fields: dict[str, tuple[Field, ...]]  # by label in lower case; a repeated label has two
    findings: tuple[ContractViolation, ...] = ()  # by line

    @property
    def errors(self) -> tuple[ContractViolation, ...]:
        return tuple(one for one in self.findings if one.severity == "error")

    @property
    def meets(self) -> bool:
        """Whether the answer meets the contract; warnings do not keep it from that."""
        return not self.errors

    def rows(self, label: str) -> Iterator[tuple[int, str]]:
        for field in self.fields.get(label, ()):
            yield from field.rows

    def text(self, label: str) -> str:
        return "\n".join(words for _, words in self.rows(label))


def check(text: str, agent_type: str | None = None, exists: Callable[[str], bool] | None = None) -> CheckedAnswer:
    """Take an answer apart, in the form of its type or else of its marker; without `exists` no file is looked for."""
    lines = text.removeprefix("\ufeff").splitlines()
    filled = [number for number, line in enumerate(lines, 1) if line.strip()]
    if not filled:
        return CheckedAnswer(AnswerForm.of(agent_type), None, 1, 0, {}, (_error(1, "empty", "the answer is empty"),))
    first, count = filled[0], filled[-1] - filled[0] + 1
    said, findings = _marker(lines, first)
    form = AnswerForm.of(agent_type or said)
    if said and agent_type and said != agent_type:
        findings.append(_warning(first, "other type", f"says agent_type {said!r}, but it is {agent_type!r}"))
    if count > form.limit:
        at = first + form.limit
        findings.append(_error(at, "too long", f"the answer has {count} lines; at most {form.limit} are allowed"))
    findings += (
        _warning(number, "long line", f"has {len(line)} characters; a summary needs no more than {_LONGEST_LINE}")
        for number, line in enumerate(lines, 1)
        if len(line) > _LONGEST_LINE
    )
    fields, stray = _fields(lines, first if said is None else first + 1, form)
    if stray and said is not None:
        known = ", ".join(name.capitalize() for name in (*form.required, *form.optional))
        findings.append(_warning(stray, "no field", f"belongs to no field; the fields are {known}"))
    answer = CheckedAnswer(form, said, first, count, fields)
    findings += _wanting(answer)
    if form is AnswerForm.REVIEW:
        findings += _disagreements(answer)
    if exists is not None:
        findings += (
            _warning(number, "no such file", f"`{name}` is not in the working folder")
            for number, name in named_files(answer)
            if not exists(name)
        )
    return replace(answer, findings=tuple(sorted(findings)))


def _marker(lines: Sequence[str], first: int) -> tuple[str | None, list[ContractViolation]]:
    """What the marker says, "" for nothing, None without one; and what is wrong with it."""
    found = _MARKER_LINE.match(lines[first - 1])
    if not found:
        later = next((number for number, line in enumerate(lines, 1) if MARKER in line), None)
        where = f"; the one in line {later} does not count" if later else ""
        what = f"the first line must be the marker `{MARKER} agent_type: <type>`{where}"
        return None, [_error(first, "no marker", what)]
    said = (found["type"] or "").strip()
    if not said or _PLACEHOLDER.match(said):
        return "", [_error(first, "no type", f"write your type after `{MARKER} agent_type:`")]
    return said, []


def _fields(lines: Sequence[str], start: int, form: AnswerForm) -> tuple[dict[str, tuple[Field, ...]], int]:
    """The labelled parts, and the first line that belongs to none of them, 0 for none."""
    found: dict[str, list[Field]] = {}
    stray = 0
    name = ""
    for number, line in enumerate(lines[start - 1 :], start):
        label = _LABEL.match(line)
        heading = one_line(label["label"].lower()) if label else ""
        words = line
        if label and heading in (*form.required, *form.optional):
            name, words = heading, label["text"]
            found.setdefault(name, []).append(Field(number, ()))
        words = _BULLET.sub("", words.strip())
        if words and name:
            part = found[name][-1]
            found[name][-1] = Field(part.line, (*part.rows, (number, words)))
        elif words:
            stray = stray or number
    return {name: tuple(parts) for name, parts in found.items()}, stray


def _wanting(answer: CheckedAnswer) -> Iterator[ContractViolation]:
    """Fields that are missing, empty, or longer than they should be."""
    for name in answer.form.required:
        parts = answer.fields.get(name, ())
        if not any(part.rows for part in parts):
            at = parts[0].line if parts else answer.first
            yield _error(at, "missing", f"`{name.capitalize()}:` is required and says nothing")
    for name in answer.form.optional:
        for part in answer.fields.get(name, ()):
            if not part.rows:
                yield _warning(part.line, "empty field", f"`{name.capitalize()}:` is empty: leave the line out")
    for part in answer.fields.get("result", ()):
        if len(part.rows) > _RESULT_LINES:
            what = f"the result has {len(part.rows)} lines; 1 to {_RESULT_LINES} are enough"
            yield _warning(part.line, "long result", what)


# What may follow a name and is no part of it: `src/a.ts (new)`, `src/a.ts:12`, `src/a.ts:12-40`.
_NOTE = re.compile(r"\((?P<note>[^()]*)\)\Z")
_LINE_NUMBERS = re.compile(r":\d+(?:[-:]\d+)?\Z")
_GONE = re.compile(r"delet|remov|renam|삭제|删除|削除", re.IGNORECASE)


def named_files(answer: CheckedAnswer) -> Iterator[tuple[int, str]]:
    """The files that an answer says it changed or reviewed, each with its line; deleted ones are left out."""
    for number, words in answer.rows(answer.form.required[0]):
        for part in re.split(r"[,;，、]", words):
            named = part.strip()
            if note := _NOTE.search(named):
                if _GONE.search(note["note"]):
                    continue
                named = named[: note.start()]
            name = _LINE_NUMBERS.sub("", named.strip("`\"' ")).strip("`\"' ")
            if name.lower() not in _NOTHING:
                yield number, name


_KINDS = ("critical", "warning", "suggestion")
_NOTHING = frozenset(
    {"", "-", "–", "—", "0", "none", "n/a", "nothing", "no findings", "없음", "无", "無", "なし"}
)  # fmt: skip

# `src/a.ts:12 — what`, also with a column or a range of lines.
_PLACE = re.compile(r"\S.*?:\d+(?:[:-]\d+)?\s*[-–—:：]\s*\S.*\Z")
_VERDICT = re.compile(r"(?P<word>PASS|FAIL)\b(?P<rest>.*)", re.IGNORECASE)


def _disagreements(answer: CheckedAnswer) -> Iterator[ContractViolation]:
    """What does not agree in a review: PASS only without critical findings and warnings, FAIL only with some."""
    said = [(number, kind, words) for kind in _KINDS for number, words in answer.rows(kind)]
    # A section that says that there is nothing holds nothing.
    found = sorted(one for one in said if one[2].lower().rstrip(".。") not in _NOTHING)
    for number, _, words in found:
        if not _PLACE.match(words):
            yield _warning(number, "no place", "names no `file:line — what`")
    listed = tuple(sum(one[1] == kind for one in found) for kind in _KINDS[:2])
    for number, words in list(answer.rows("verdict"))[:1]:
        verdict = _VERDICT.match(words)
        if not verdict or "|" in words:
            yield _error(number, "no verdict", "the verdict must be PASS or FAIL, with the counts")
            return
        # How many critical findings and warnings it names.
        counts = tuple(int(digits[:9]) for digits in re.findall("[0-9]+", verdict["rest"])[:2])
        named = counts if len(counts) == len(listed) else None
        if verdict["word"].upper() == "PASS":
            if any(listed) or any(named or ()):
                what = f"{listed[0]} critical and {listed[1]} warning are listed"
                yield _error(number, "verdict", f"PASS allows no critical finding and no warning; {what}")
        elif not any(listed):
            yield _error(number, "verdict", "FAIL needs a critical finding or a warning, and none is listed")
        elif named is None:
            yield _warning(
                number, "no counts", f"write the counts of critical and warning: FAIL ({listed[0]}/{listed[1]})"
            )
        elif named != listed:
            what = f"the verdict counts {named[0]}/{named[1]} critical/warning, but {listed[0]}/{listed[1]} are listed"
            # Twenty lines may be too few to list everything; counting less than is listed is wrong in any case.
            if named[0] < listed[0] or named[1] < listed[1]:
                yield _error(number, "counts", what)
            elif answer.count < answer.form.limit:
                yield _warning(number, "counts", what)


def decide(message: str | None, *, active: bool, agent_type: str | None, contract: Mapping[str, str]) -> HookReply:
    """The reply to a sub-agent that wants to stop; `active` if it was sent back once already.

    One without a message passes: there may be no agent any more that could answer better (anthropics/claude-code issue
    88995).
    """
    level = level_of(agent_type, contract)
    if active or level == "off" or not (message and message.strip()):
        return HookReply()
    checked = check(message, agent_type)
    if checked.meets:
        return HookReply()
    if level == "block":
        return HookReply(exit_code=ExitCode.USAGE, stderr=_send_back(checked))
    wrong = "; ".join(one.message for one in checked.errors)
    return HookReply(warning=f"the answer of sub-agent {agent_type or '(no type)'}: {wrong}")


def level_of(agent_type: str | None, contract: Mapping[str, str]) -> str:
    """How strict to be with a type: as configured for `plugin:reviewer`, else for `reviewer`, else for "*"."""
    name = agent_type or ""
    return contract.get(name) or contract.get(name.rpartition(":")[2]) or contract.get("*") or "off"


def stated(agent_type: str | None, contract: Mapping[str, str]) -> str:
    """The contract as an agent of a type is told it at its start; "" when there is none for it."""
    if level_of(agent_type, contract) == "off":
        return ""
    form = AnswerForm.of(agent_type)
    return (
        f"Your final answer has this form alone, at most {form.limit} lines, without the lines that say nothing:\n"
        f"{form.template}"
    )


def _send_back(checked: CheckedAnswer) -> str:
    form = checked.form
    wrong = "\n".join(f"line {one.line}: {one.message}" for one in checked.errors)
    return (
        f"The answer does not meet the contract of sub-agents:\n{wrong}\n"
        f"Answer once more in this form alone, at most {form.limit} lines, without the lines that say nothing:\n"
        f"{form.template}\n"
    )
