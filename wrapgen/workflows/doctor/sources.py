"""Is everything read that holds open boxes, and does every pattern find something."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wrapgen.config import KEYS, Sources
from wrapgen.dashboard.balance import not_read
from wrapgen.text.display import count
from wrapgen.text.patterns import Pattern
from wrapgen.vault.near_names import near_names
from wrapgen.workflows.doctor.finding import warning

if TYPE_CHECKING:
    from collections.abc import Iterator

    from wrapgen.workflows.doctor.finding import Finding, Visit

_NAMED = 20


def sources(visit: Visit) -> Iterator[Finding]:
    """Open boxes that no source reads, patterns of the user that no file fits, and files that nearly fit one."""
    glance = visit.app.glance()
    sentence, _, command = not_read(glance.unread_boxes).rpartition(": ")
    if sentence:
        yield warning(sentence, mend=command)
    for trouble in glance.unread_troubles[:_NAMED]:
        yield warning(f"nobody knows what is open in it: {trouble.error}", trouble.path)
    usual = Sources()
    for kind, key in KEYS.items():
        paths = [one.path for one in glance.listing.found if one.kind is kind]
        for glob in getattr(visit.app.config.sources, key):
            if glob not in getattr(usual, key) and not any(map(Pattern(glob).match, paths)):
                yield warning(f"`{glob}` of `sources.{key}` fits no file", mend="wrap sources")
    for copy in glance.listing.copies[:_NAMED]:
        mend = f"bring what differs into {copy.original}, then delete the copy"
        yield warning(f"a conflict copy of {copy.original}, not read", copy.path, mend)
    near = near_names(visit.app.root, visit.app.config)
    for one in near[:_NAMED]:
        yield warning("not read, though nearly named like a source", one.path, f"rename it if you mean {one.meant}")
    if more := near[_NAMED:]:
        yield warning(f"{count(len(more), 'more file')} nearly named like a source", mend="wrap sources --json")
