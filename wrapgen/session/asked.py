"""What was asked, as it is remembered. PURE.

A question begins with the handles of its follow-ups, so that its answer says by itself what it is about: any number of
conversations may ask at the same time.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from wrapgen.session.follow_up import ID_LENGTH
from wrapgen.session.routing import Answer
from wrapgen.text.display import one_line

SKIP_THE_REST = "skip the rest"
"""The last option of a question about several."""

HANDLE = f"[0-9a-f]{{4,{ID_LENGTH}}}"
"""Pattern of a handle."""

_HANDLES = re.compile(rf"\s*({HANDLE}(?:\s*,\s*{HANDLE})*)\s*:")


@dataclass(frozen=True, slots=True)
class Option:
    """One option that was offered, and what choosing it means."""

    label: str
    answer: Answer


@dataclass(frozen=True, slots=True)
class Asked:
    """One question as it was asked: what is needed to understand its answer."""

    question: str  # its text, the key of the answer; it begins with the handles of its follow-ups
    header: str  # its short title, understood as the key as well
    # several options may be chosen, each about an orphan of its own; otherwise all options are about one orphan, and
    # the first is the suggestion
    multi: bool
    options: tuple[Option, ...]

    @property
    def ids(self) -> tuple[str, ...]:
        """The follow-ups that it is about."""
        return tuple(dict.fromkeys(option.answer.id for option in self.options))

    @property
    def named(self) -> Mapping[str, Option]:
        """What a label, a handle or a number means."""
        handles = handles_of(self.question)
        found = {folded(option.label): option for option in self.options}
        if self.multi:
            return found | dict(zip(handles, self.options, strict=False))
        return {"1": self.options[0], **dict.fromkeys(handles, self.options[0])} | found


def handles_of(question: str) -> list[str]:
    """The handles that a question begins with."""
    found = _HANDLES.match(question.casefold())
    return re.findall(HANDLE, found[1]) if found else []


def folded(text: str) -> str:
    """A label or a question as it is compared."""
    return one_line(text).casefold().removesuffix("(recommended)").rstrip(" .")
