"""What is wrong with an answer, and in which line. PURE."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Severity(StrEnum):
    """Whether an answer meets the contract all the same."""

    ERROR = "error"
    WARNING = "warning"


@dataclass(frozen=True, slots=True, order=True)
class ContractViolation:
    """One thing that is wrong.

    Attributes:
        line: 1-based line of the message.
        severity: an error keeps the answer from meeting the contract.
        rule: two or three words that name the rule.
        message: what is wrong, for people.
    """

    line: int
    severity: Severity
    rule: str
    message: str


def error(line: int, rule: str, message: str) -> ContractViolation:
    """A finding that keeps the answer from meeting the contract."""
    return ContractViolation(line, Severity.ERROR, rule, message)


def warning(line: int, rule: str, message: str) -> ContractViolation:
    """A finding that the answer may live with."""
    return ContractViolation(line, Severity.WARNING, rule, message)
