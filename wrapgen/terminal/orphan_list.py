"""Follow-ups that are in no file: as lines with their handles, and as the document `wrapgen.orphans/1`."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import PurePath
from typing import Any

from wrapgen.dashboard.document import fields
from wrapgen.errors import Refusal
from wrapgen.ledger import Handles
from wrapgen.session.conversation import Dismissed
from wrapgen.session.follow_up import FollowUp
from wrapgen.session.form import MOST_UNSURE
from wrapgen.session.memory import LEFT_OUT, Skip
from wrapgen.terminal.item_list import tagged
from wrapgen.text.display import count
from wrapgen.workflows.app import App
from wrapgen.workflows.orphan_search import Search, said_of
from wrapgen.workflows.session_end import TombstoneWarning


@dataclass(frozen=True, slots=True)
class OrphanList:
    """What a search found, with what waited before."""

    found: Search
    orphans: Sequence[FollowUp]
    unsure: Sequence[FollowUp]
    names: Handles
    skipped: Mapping[str, Skip] = field(default_factory=dict)  # by id
    warnings: Sequence[TombstoneWarning] = ()
    everything: bool = False  # whether what was dismissed is listed, too

    def document(self, refused: Sequence[Refusal]) -> dict[str, Any]:
        """Return all of it, with what of a review was refused."""
        names, read = self.names, self.found.conversations
        said = {one.follow_up.id for one in self.found.dismissed}
        before = [Dismissed(one.orphan, said_of(one)) for key, one in self.skipped.items() if key not in said]
        return {
            "schema": "wrapgen.orphans/1",
            "transcripts": [{"path": one.name, **fields(one.header, "session_id turns bad_lines")} for one in read],
            "orphans": [
                *(_record(one, names[one.id]) for one in (*self.orphans, *self.unsure)),
                *(_record(one.orphan, names[key]) | {"skipped": one.on} for key, one in self.skipped.items()),
            ],
            "dismissed": [
                fields(one.follow_up, "text line transcript") | fields(one, "reason held_by")
                for one in (*self.found.dismissed, *before)
            ],
            "refused": [fields(one, "what why") for one in refused],
            "tried_before": [one.as_json() for one in self.warnings],
        }

    def print(self, app: App) -> None:
        shown, names = self.unsure[:MOST_UNSURE], self.names
        listed = [*self.orphans, *shown, *(one.orphan for one in self.skipped.values())]
        width = max((len(names[one.id]) for one in listed), default=0)
        for one in listed:
            app.say(f"{names[one.id]:{width}}  {tagged(one.project, one.text)}")
            gone = self.skipped.get(one.id)
            why = ", unsure" if one in shown else f", {_gone(gone)}" if gone else ""
            app.say(f"{' ' * width}  {one.transcript}:{one.line} {_said(one)}{why}")
        for other in self.found.dismissed if self.everything else ():
            if other.follow_up.id not in self.skipped:
                held = f" ({other.held_by})" if other.held_by else ""
                app.say(f"dismissed: {other.follow_up.text}: {other.reason}{held}")
        before = f", {len(self.skipped)} left out or skipped" if self.skipped else ""
        written = f"{count(len(self.orphans), 'follow-up')} not written down"
        app.say(f"{written}{self._doubts}{before}, {len(self.found.dismissed)} dismissed")
        for warning in self.warnings:
            app.say(f"tried before: {warning}")
        if self.orphans or self.unsure:
            app.say("file them: `wrap route`")
        if self.skipped:
            app.say("to be asked about one again: `wrap orphans --restore H`, with the handle in front of it")

    def print_first(self, app: App) -> None:
        """Print them for somebody who has set nothing up yet."""
        shown = self.unsure[:MOST_UNSURE]
        for one in (*self.orphans, *shown):
            app.say(f"- {one.text}")
            where = f"{PurePath(one.transcript).name}:{one.line}"
            app.say(f"  {one.said_on} {_said(one)}{', unsure' if one in shown else ''}, {where}")
        read = count(len(self.found.conversations), "conversation")
        told, unsure = len(self.orphans), len(self.unsure)
        left = count(told, "follow-up") if told or not unsure else count(unsure, "unsure follow-up")
        more = self._doubts if told else ""
        app.say(f"{read} read: {left} in no Markdown file below this folder{more}")
        app.say("nothing was written; `wrap init` sets up this folder, then `wrap` asks where each belongs")

    @property
    def _doubts(self) -> str:
        return f", {len(self.unsure)} unsure" if self.unsure else ""


def _said(one: FollowUp) -> str:
    due = f", due {one.due}" if one.due else ""
    by = {"state": f"on the agent's {one.cue}", "reader": f"from the {one.role}, found by a reader"}
    return (by.get(one.by) or f"from the {one.role}{f' ({one.cue})' if one.cue else ''}") + due


def _gone(skip: Skip) -> str:
    """Return why and since when a follow-up is not asked about."""
    dropped = f"dropped ({skip.why})" if skip.why not in ("", LEFT_OUT) else skip.why
    return f"{dropped or 'skipped'} on {skip.on}"


def _record(one: FollowUp, handle: str) -> dict[str, Any]:
    return {
        "id": one.id,
        "handle": handle,
        **fields(one, "text quote role transcript turn line uuid lang by sure cue confidence project"),
        "suggested": fields(one.suggested, "route project task"),
        **fields(one, "said_on due reason"),
        "skipped": None,
        "also": [fields(also, "transcript turn line") for also in one.also],
    }
