"""Stage 5: the same work written down twice is shown once. PURE.

In canonical order each item becomes the duplicate of the first kept item that it matches. The pool only makes this
fast: the result is that of comparing every pair.
"""

from __future__ import annotations

from dataclasses import dataclass

from msgspec.structs import replace

from wrapgen.model import Because, Dropped, Fate, Item
from wrapgen.pipeline import matching
from wrapgen.pipeline.crowds import Crowds
from wrapgen.pipeline.pool import Pool
from wrapgen.pipeline.stage import Context, StageResult, canonical_key


def dedup(before: StageResult, context: Context) -> StageResult:
    """Merge duplicates into the first of their kind, which takes over the group's dates, urgency and places."""
    items = sorted(before.kept, key=canonical_key)
    pool = Pool(items, context.config.dedup_threshold, Crowds(items))
    groups: dict[int, _Group] = {}
    dropped: list[Dropped] = []
    for position, item in enumerate(items):
        twins = () if item.id in context.decisions.kept else pool.earlier(position)
        for earlier in twins:
            group = groups.get(earlier)
            if group and not pool.apart(item, earlier) and group.accepts(item):
                group.members.append(item)
                group.project = group.project or item.project
                first = group.first
                score = round(matching.similarity(first.folded, item.folded), 1)
                because = Because(first.path, first.line, score, first.id)
                dropped.append(Dropped(item, Fate.DUPLICATE, because))
                break
        else:
            groups[position] = _Group(item, [item], item.project)
    return StageResult(
        kept=tuple(group.merged() for group in groups.values()),
        dropped=tuple(dropped),
        evidence=before.evidence,
        remarks=before.remarks,
        unread=before.unread,
    )


@dataclass(slots=True)
class _Group:
    """A kept item with its twins.

    Attributes:
        project: the only project of the group: once an untagged item has a tagged twin, it takes no twin of another
            project, or two projects' work would be one line.
    """

    first: Item
    members: list[Item]
    project: str | None

    def accepts(self, item: Item) -> bool:
        if self.project is not None and item.project is not None and self.project != item.project:
            return False
        sides = [matching.Side(one.text, one.path, one.line, one.folded) for one in (self.first, item)]
        return matching.refusal(*sides) is None

    def merged(self) -> Item:
        if len(self.members) == 1:
            return self.first
        return replace(
            self.first,
            project=self.project,
            raised=min((item.raised for item in self.members if item.raised), default=None),
            last_seen=max((item.last_seen for item in self.members if item.last_seen), default=None),
            due=min((item.due for item in self.members if item.due), default=None),
            priority=min((item.priority for item in self.members if item.priority is not None), default=None),
            recurrence=next((item.recurrence for item in self.members if item.recurrence), None),
            twins=tuple((item.path, item.line) for item in self.members[1:]),
        )
