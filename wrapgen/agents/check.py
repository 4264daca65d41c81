"""Whether an answer meets the contract, and a verdict its own findings. PURE: the caller says which files exist."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum

from wrapgen.agents.contract import AnswerForm, ContractViolation, ParsedAnswer, Severity, error, parse, warning

# What may follow a name and is no part of it: `src/a.ts (new)`, `src/a.ts:12`, `src/a.ts:12-40`.
_NOTE = re.compile(r"\((?P<note>[^()]*)\)\Z")
_LINE_NUMBERS = re.compile(r":\d+(?:[-:]\d+)?\Z")
_GONE = re.compile(r"delet|remov|renam|삭제|删除|削除", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Checked:
    """An answer, and what is wrong with it, by line."""

    answer: ParsedAnswer
    findings: tuple[ContractViolation, ...]

    @property
    def errors(self) -> tuple[ContractViolation, ...]:
        return tuple(one for one in self.findings if one.severity is Severity.ERROR)

    @property
    def meets(self) -> bool:
        """Whether the answer meets the contract; warnings do not keep it from that."""
        return not self.errors


def check(text: str, agent_type: str | None = None, exists: Callable[[str], bool] | None = None) -> Checked:
    """Check an answer; without a type the marker is believed, without `exists` no file is looked for."""
    answer, findings = parse(text, agent_type)
    if answer.form is AnswerForm.REVIEW:
        findings += disagreements(answer)
    if exists is not None:
        findings += (
            warning(number, "no such file", f"`{name}` is not in the working folder")
            for number, name in named_files(answer)
            if not exists(name)
        )
    return Checked(answer, tuple(sorted(findings)))


def named_files(answer: ParsedAnswer) -> Iterator[tuple[int, str]]:
    """The files that an answer says it changed or reviewed, each with its line; deleted ones are left out."""
    for number, words in answer.rows(answer.form.required[0]):
        for part in re.split(r"[,;，、]", words):
            named = part.strip()
            if note := _NOTE.search(named):
                if _GONE.search(note["note"]):
                    continue
                named = named[: note.start()]
            name = _LINE_NUMBERS.sub("", named.strip("`\"' ")).strip("`\"' ")
            if name.lower() not in NOTHING:
                yield number, name


KINDS = ("critical", "warning", "suggestion")
NOTHING = frozenset(
    {"", "-", "–", "—", "0", "none", "n/a", "nothing", "no findings", "없음", "无", "無", "なし"}
)  # fmt: skip

# `src/a.ts:12 — what`, also with a column or a range of lines.
_PLACE = re.compile(r"\S.*?:\d+(?:[:-]\d+)?\s*[-–—:：]\s*\S.*\Z")
_VERDICT = re.compile(r"(?P<word>PASS|FAIL)\b(?P<rest>.*)", re.IGNORECASE)


def disagreements(answer: ParsedAnswer) -> Iterator[ContractViolation]:
    """What does not agree in a review: PASS only without critical findings and warnings, FAIL only with some."""
    said = [(number, kind, words) for kind in KINDS for number, words in answer.rows(kind)]
    # A section that says that there is nothing holds nothing.
    found = sorted(one for one in said if one[2].lower().rstrip(".。") not in NOTHING)
    for number, _, words in found:
        if not _PLACE.match(words):
            yield warning(number, "no place", "names no `file:line — what`")
    critical, grave = (sum(one[1] == kind for one in found) for kind in KINDS[:2])
    for number, words in list(answer.rows("verdict"))[:1]:
        verdict = _VERDICT.match(words)
        if not verdict or "|" in words:
            yield error(number, "no verdict", "the verdict must be PASS or FAIL, with the counts")
        elif verdict["word"].upper() == "PASS":
            yield from _passed(number, _counts(verdict["rest"]), critical, grave)
        else:
            yield from _failed(
                number, _counts(verdict["rest"]), critical, grave, full=answer.count >= answer.form.limit
            )


def _counts(rest: str) -> tuple[int, int] | None:
    """The counts of critical findings and warnings that a verdict names, None when it names none."""
    numbers = [int(digits[:9]) for digits in re.findall("[0-9]+", rest)]
    return (numbers[0], numbers[1]) if len(numbers) > 1 else None


def _passed(line: int, counts: tuple[int, int] | None, critical: int, grave: int) -> Iterator[ContractViolation]:
    if critical or grave or any(counts or ()):
        what = f"PASS allows no critical finding and no warning; {critical} critical and {grave} warning are listed"
        yield error(line, "verdict", what)


def _failed(
    line: int, counts: tuple[int, int] | None, critical: int, grave: int, *, full: bool
) -> Iterator[ContractViolation]:
    if not critical and not grave:
        yield error(line, "verdict", "FAIL needs a critical finding or a warning, and none is listed")
    elif counts is None:
        yield warning(line, "no counts", f"write the counts of critical and warning: FAIL ({critical}/{grave})")
    elif counts != (critical, grave):
        what = f"the verdict counts {counts[0]}/{counts[1]} critical/warning, but {critical}/{grave} are listed"
        # Twenty lines may be too few to list everything; counting less than is listed is wrong in any case.
        if counts[0] < critical or counts[1] < grave:
            yield error(line, "counts", what)
        elif not full:
            yield warning(line, "counts", what)


class StopVerdict(StrEnum):
    """What happens to an agent that wants to stop."""

    PASS = "pass"
    WARN = "warn"
    BLOCK = "block"


@dataclass(frozen=True, slots=True)
class StopDecision:
    """The reply to an agent that wants to stop."""

    verdict: StopVerdict  # whether it may
    message: str = ""  # for the agent when it is sent back, for the user at a warning; "" when all is well


def decide(message: str | None, *, active: bool, agent_type: str | None, contract: Mapping[str, str]) -> StopDecision:
    """Whether a sub-agent may stop; `active` if it was sent back once already.

    One without a message passes: there may be no agent any more that could answer better (anthropics/claude-code issue
    88995).
    """
    level = level_of(agent_type, contract)
    if active or level == "off" or not (message and message.strip()):
        return StopDecision(StopVerdict.PASS)
    checked = check(message, agent_type)
    if checked.meets:
        return StopDecision(StopVerdict.PASS)
    if level == "block":
        return StopDecision(StopVerdict.BLOCK, _send_back(checked))
    wrong = "; ".join(one.message for one in checked.errors)
    return StopDecision(StopVerdict.WARN, f"the answer of sub-agent {agent_type or '(no type)'}: {wrong}")


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


def _send_back(checked: Checked) -> str:
    form = checked.answer.form
    wrong = "\n".join(f"line {one.line}: {one.message}" for one in checked.errors)
    return (
        f"The answer does not meet the contract of sub-agents:\n{wrong}\n"
        f"Answer once more in this form alone, at most {form.limit} lines, without the lines that say nothing:\n"
        f"{form.template}\n"
    )
