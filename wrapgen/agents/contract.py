"""The form in which a sub-agent answers: short, with its marker on top. PURE.

Two forms: one for every agent, at most 10 lines, and one for reviewers, at most 20. The skills `compress-output` and
`compress-review` tell the agents beforehand.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum, StrEnum

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


class Severity(StrEnum):
    """Whether an answer meets the contract all the same."""

    ERROR = "error"
    WARNING = "warning"


@dataclass(frozen=True, slots=True, order=True)
class ContractViolation:
    """One thing that is wrong."""

    line: int  # 1-based line of the message
    severity: Severity  # an error keeps the answer from meeting the contract
    rule: str  # two or three words that name the rule
    message: str  # what is wrong, for people


def error(line: int, rule: str, message: str) -> ContractViolation:
    """A finding that keeps the answer from meeting the contract."""
    return ContractViolation(line, Severity.ERROR, rule, message)


def warning(line: int, rule: str, message: str) -> ContractViolation:
    """A finding that the answer may live with."""
    return ContractViolation(line, Severity.WARNING, rule, message)


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
class ParsedAnswer:
    """An answer taken apart."""

    form: AnswerForm  # what it was read as
    agent_type: str | None  # what its marker says, None without a marker
    first: int  # 1-based line where it begins, 1 when it is blank
    count: int  # how many lines it has from there to its last one that is not blank
    fields: dict[str, tuple[Field, ...]]  # by label in lower case; a repeated label has two

    def rows(self, label: str) -> Iterator[tuple[int, str]]:
        for field in self.fields.get(label, ()):
            yield from field.rows

    def text(self, label: str) -> str:
        return "\n".join(words for _, words in self.rows(label))


def parse(text: str, agent_type: str | None = None) -> tuple[ParsedAnswer, list[ContractViolation]]:
    """Take an answer apart, in the form of its type or else of its marker; and what is wrong with its shape."""
    lines = text.removeprefix("\ufeff").splitlines()
    filled = [number for number, line in enumerate(lines, 1) if line.strip()]
    if not filled:
        return ParsedAnswer(AnswerForm.of(agent_type), None, 1, 0, {}), [error(1, "empty", "the answer is empty")]
    first, count = filled[0], filled[-1] - filled[0] + 1
    said, findings = _marker(lines, first)
    form = AnswerForm.of(agent_type or said)
    if said and agent_type and said != agent_type:
        findings.append(warning(first, "other type", f"says agent_type {said!r}, but it is {agent_type!r}"))
    if count > form.limit:
        at = first + form.limit
        findings.append(error(at, "too long", f"the answer has {count} lines; at most {form.limit} are allowed"))
    findings += (
        warning(number, "long line", f"has {len(line)} characters; a summary needs no more than {_LONGEST_LINE}")
        for number, line in enumerate(lines, 1)
        if len(line) > _LONGEST_LINE
    )
    fields, stray = _fields(lines, first if said is None else first + 1, form)
    if stray and said is not None:
        known = ", ".join(name.capitalize() for name in (*form.required, *form.optional))
        findings.append(warning(stray, "no field", f"belongs to no field; the fields are {known}"))
    answer = ParsedAnswer(form, said, first, count, fields)
    return answer, [*findings, *_wanting(answer)]


def _marker(lines: Sequence[str], first: int) -> tuple[str | None, list[ContractViolation]]:
    """What the marker says, "" for nothing, None without one; and what is wrong with it."""
    found = _MARKER_LINE.match(lines[first - 1])
    if not found:
        later = next((number for number, line in enumerate(lines, 1) if MARKER in line), None)
        where = f"; the one in line {later} does not count" if later else ""
        what = f"the first line must be the marker `{MARKER} agent_type: <type>`{where}"
        return None, [error(first, "no marker", what)]
    said = (found["type"] or "").strip()
    if not said or _PLACEHOLDER.match(said):
        return "", [error(first, "no type", f"write your type after `{MARKER} agent_type:`")]
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


def _wanting(answer: ParsedAnswer) -> Iterator[ContractViolation]:
    """Fields that are missing, empty, or longer than they should be."""
    for name in answer.form.required:
        parts = answer.fields.get(name, ())
        if not any(part.rows for part in parts):
            at = parts[0].line if parts else answer.first
            yield error(at, "missing", f"`{name.capitalize()}:` is required and says nothing")
    for name in answer.form.optional:
        for part in answer.fields.get(name, ()):
            if not part.rows:
                yield warning(part.line, "empty field", f"`{name.capitalize()}:` is empty: leave the line out")
    for part in answer.fields.get("result", ()):
        if len(part.rows) > _RESULT_LINES:
            what = f"the result has {len(part.rows)} lines; 1 to {_RESULT_LINES} are enough"
            yield warning(part.line, "long result", what)
