"""The reply to a sub-agent that wants to stop. PURE.

The host asks at every stop. An agent that was sent back once always passes at its next stop, so that none loops
forever.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from wrapgen.agents.check import Checked, check
from wrapgen.agents.contract import AnswerForm

if TYPE_CHECKING:
    from collections.abc import Mapping


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
    checked: Checked | None = None  # its answer as it was read, None when nobody looked


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
        return StopDecision(StopVerdict.PASS, checked=checked)
    if level == "block":
        return StopDecision(StopVerdict.BLOCK, _send_back(checked), checked)
    wrong = "; ".join(one.message for one in checked.errors)
    return StopDecision(StopVerdict.WARN, f"the answer of sub-agent {agent_type or '(no type)'}: {wrong}", checked)


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
