"""The records of a stage snapshot, and what their single values may be. PURE."""

import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from wrapgen.config import Stage
from wrapgen.errors import UsageError

ARTIFACT = "stage-snapshot"
SCHEMA_VERSION = 1
# Bytes of a whole snapshot: the limit of the system whose files these are (datarim), small enough for any prompt.
CAP = 8192
ENDING = ".snapshot.md"
_PLAIN_WORD = re.compile(r"[a-z][a-z0-9]{0,29}(?:[-_][a-z0-9]{1,30}){0,3}")


@dataclass(frozen=True, slots=True)
class FrontMatter:
    """What the front matter says, without what follows from the body."""

    task_id: str  # the task
    stage: str  # the stage that has ended
    command: str  # the command that ran it
    captured_at: str  # when it ended, as ISO 8601
    captured_by: str  # who wrote it down
    recommended_next: str  # the command to go on with
    options: tuple[str, ...] = ()  # other ways to go on, one line each

    @property
    def captured(self) -> datetime:
        """When it was captured, with a zone; UTC where the text names none."""
        moment = datetime.fromisoformat(self.captured_at)
        return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Body:
    """The text of a stage: whole, or the two ends of one that is longer than any snapshot."""

    head: bytes  # its first bytes, at least `CAP` of them where it has so many
    tail: bytes  # its last bytes, likewise
    size: int  # bytes of all of it

    @classmethod
    def of(cls, data: bytes) -> "Body":
        return cls(data, data, len(data))


@dataclass(frozen=True, slots=True)
class StageSnapshot:
    """A snapshot as it was read."""

    header: FrontMatter
    size_bytes: int  # bytes of the whole file, by its own word
    truncated: bool  # whether words or options were left out to keep it small
    body: bytes  # the text as it is

    @property
    def text(self) -> str:
        return self.body.decode("utf-8", "replace")


def is_stage(text: str, rules: Stage) -> bool:
    """Whether a word names a stage: one of those of the configuration, or any plain word where it lists none."""
    return text in rules.names or (rules.names == Stage().names and _PLAIN_WORD.fullmatch(text) is not None)


def one_line_value(name: str, value: str) -> str:
    """A value that can be in one line, else `UsageError`; `name` is what a person calls it."""
    if len(value.splitlines()) > 1 or value != "".join(value.splitlines()):
        raise UsageError(f"{name} has a line break: {value!r}", next_step="Write it in one line.")
    try:
        value.encode("utf-8")
    except UnicodeEncodeError:
        raise UsageError(f"{name} is not valid UTF-8: {value!r}", next_step="Write it in UTF-8.") from None
    return value


def canonical_time(text: str) -> str:
    """A moment (ISO 8601, without a zone UTC) as `2026-05-21T13:45:00Z`; raises `UsageError`."""
    try:
        moment = datetime.fromisoformat(text)
        return utc_text(moment if moment.tzinfo else moment.replace(tzinfo=UTC))
    except (ValueError, OverflowError):
        raise UsageError(
            f"{text!r} is not a date and time", next_step="Write it as ISO 8601, such as 2026-05-21T13:45:00Z."
        ) from None


def utc_text(moment: datetime) -> str:
    """A moment with a zone, in UTC with seconds; raises `OverflowError` beyond the calendar."""
    return moment.astimezone(UTC).replace(tzinfo=None).isoformat(timespec="seconds") + "Z"


def age_in_words(age: timedelta) -> str:
    """How long ago something was, in its largest unit."""
    minutes = int(age.total_seconds() // 60)
    if minutes < 1:
        return "just now"
    number, unit = next(
        (minutes // size, unit) for size, unit in ((1440, "day"), (60, "hour"), (1, "minute")) if minutes >= size
    )
    return f"{number} {unit}{'' if number == 1 else 's'} ago"
