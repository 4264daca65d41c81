"""What came of it, as it is printed; whatever must be 0 decides about the exit code."""

from __future__ import annotations

import os
import platform
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tests.torture.killer import Aim
from tests.torture.plan import Verb

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tests.torture.check import Verdict
    from tests.torture.crowd import Run

_EXAMPLES = 8


@dataclass(frozen=True, slots=True)
class Certificate:
    """A run of the torture.

    Attributes:
        in_flight: how many processes there were at most at once.
        kills: how many were killed, by what they were doing.
        locks: how long the lock was waited for and held, each time, in seconds.
        looks: how often the reader looked at the dashboard.
        pages: how many different ones it saw.
        editors: how many there were.
        torn: faults that the reader saw.
        faults: everything else that must not be, by its name.
    """

    seed: int
    seconds: float
    runs: Sequence[Run]
    in_flight: int
    kills: Mapping[Aim, int]
    locks: Sequence[tuple[float, float]]
    looks: int
    pages: int
    editors: int
    verdict: Verdict
    torn: Sequence[str]
    faults: dict[str, Sequence[str]] = field(default_factory=dict)

    @property
    def wrong(self) -> dict[str, Sequence[str]]:
        """Everything that must be empty, by its name in the certificate."""
        verdict = self.verdict
        return {"lost": verdict.lost, "standing twice": verdict.twice, "torn pages": self.torn, **self.faults}

    @property
    def holds(self) -> bool:
        """Whether nothing is wrong."""
        return not any(self.wrong.values())

    def __str__(self) -> str:
        rows = [*self._what_was_done(), "", *self._what_became_of_it(), ""]
        rows += [f"{name:<26}{len(found)}" for name, found in self.wrong.items()]
        for name, found in self.wrong.items():
            rows += [f"  {name}: {one}" for one in found[:_EXAMPLES]]
        rows += ["", "The certificate holds." if self.holds else "THE CERTIFICATE DOES NOT HOLD."]
        return "\n".join(rows)

    def _what_was_done(self) -> list[str]:
        kinds = Counter(run.verb for run in self.runs)
        codes = Counter(run.code for run in self.runs if run.code >= 0)
        refused = sum(run.refused for run in self.runs)
        machine = f"{platform.system()}, Python {platform.python_version()}, {os.cpu_count()} cores"
        return [
            f"wrapgen under torture: seed {self.seed}, {self.seconds:.0f} seconds, {machine}",
            "",
            f"{'runs':<26}{len(self.runs)}  ({', '.join(f'{verb} {kinds[verb]}' for verb in Verb)})",
            f"{'processes in flight':<26}{self.in_flight}",
            f"{'killed':<26}{sum(self.kills.values())}  ({', '.join(f'{self.kills[aim]} {aim}' for aim in Aim)})",
            f"{'exit codes of the others':<26}" + ", ".join(f"{code}: {codes[code]}" for code in sorted(codes)),
            f"{'refused, then through':<26}{refused}  (a note was open for writing in an editor)",
            f"{'lock taken':<26}{len(self.locks)} times",
            f"{'longest wait for it':<26}{self._longest(0)}, held for at most {self._longest(1)}",
        ]

    def _longest(self, which: int) -> str:
        return f"{max((one[which] for one in self.locks), default=0.0):.1f} seconds"

    def _what_became_of_it(self) -> list[str]:
        verdict = self.verdict
        return [
            f"{'lines routed and standing':<26}{verdict.standing}",
            f"{'vanished, noticed':<26}{verdict.noticed}  (an editor saved a stale copy; they wait again)",
            f"{'never answered, waiting':<26}{verdict.waiting}",
            f"{'skipped, remembered':<26}{verdict.skipped}",
            f"{'lines by editors':<26}{verdict.editors}  ({self.editors} editors; {len(verdict.rescued)} put aside)",
            f"{'looks at the dashboard':<26}{self.looks}  ({self.pages} different pages)",
        ]
