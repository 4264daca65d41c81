"""A run as the HTML page. PURE."""

from collections.abc import Sequence

from wrapgen.dashboard.balance import FATE_WORDS, UNTAGGED, audit_line, collected, fates, not_read, nothing_shown
from wrapgen.dashboard.html import charts
from wrapgen.dashboard.html.flow import Part, flow
from wrapgen.dashboard.html.listings import attention, names, past, still_open
from wrapgen.dashboard.html.records import Sheet
from wrapgen.dashboard.html.rows import Rows
from wrapgen.model import Fate
from wrapgen.notes import Kind
from wrapgen.run_history import Day
from wrapgen.text.display import visible

_KINDS = {
    Kind.JOURNAL_NEXT: "journals",
    Kind.ACTIVE_TODOS: "active tasks",
    Kind.PROJECT_TODOS: "project lists",
    Kind.PROGRESS: "progress",
    Kind.LISTS: "other lists",
}


def sheet(rows: Rows, name: str, days: Sequence[Day]) -> Sheet:
    """Make the page of a run, for a vault of that name with such a history."""
    run, counts = rows.run, fates(rows.run)
    priorities, overflow = still_open(rows)
    to_look_at, gone = tuple(attention(rows)), tuple(past(rows))
    return Sheet(
        name=visible(name),
        today=f"{run.today:%A}, {run.today.day} {run.today:%B %Y}",
        day=run.today.isoformat(),
        open=counts[Fate.SHOWN] + counts[Fate.OVERFLOW],
        collected=collected(run),
        fates=tuple((FATE_WORDS[fate], number) for fate, number in counts.items()),
        sources=tuple((_KINDS[one.kind], one.files, one.items) for one in run.sources),
        follow_ups=run.follow_ups,
        audit_line=audit_line(run),
        priorities=priorities,
        overflow=overflow,
        attention=to_look_at,
        past=gone,
        projects=names((priorities, overflow, *to_look_at, *gone), last=UNTAGGED),
        flow=flow(
            [Part(one.kind.value, _KINDS[one.kind], one.items) for one in run.sources],
            [Part(fate.value, FATE_WORDS[fate], number) for fate, number in counts.items()],
        ),
        ages=charts.ages(run),
        trend=charts.trend(days),
        not_read=not_read(run.not_read),
        nothing=nothing_shown(run).capitalize(),
    )
