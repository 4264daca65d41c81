"""Whether an answer meets the contract. PURE: the caller says which files exist."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from wrapgen.agents.contract import AnswerForm, ContractViolation, ParsedAnswer, Severity, parse, warning
from wrapgen.agents.verdict import NOTHING, disagreements

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

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
        """What keeps the answer from meeting the contract."""
        return tuple(one for one in self.findings if one.severity is Severity.ERROR)

    @property
    def meets(self) -> bool:
        """Whether the answer meets the contract; warnings do not keep it from that."""
        return not self.errors


def check(text: str, agent_type: str | None = None, exists: Callable[[str], bool] | None = None) -> Checked:
    """Check an answer.

    Args:
        agent_type: what the host says the agent is; None to believe the marker.
        exists: whether a file that the answer names is in the working folder; None to leave that out.
    """
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
