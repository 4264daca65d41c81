"""Stage 2: which project an item belongs to. PURE.

Its own leading `(name)`, else its folder, else the session heading above it, when that names exactly one known
project. Nothing is guessed and nothing is blocked: an untagged item goes on and is remarked with its candidates.
"""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, TypeVar

from msgspec.structs import replace

from wrapgen.ledger import Concern, Remark
from wrapgen.model import Evidence, Item
from wrapgen.text.folding import fold

if TYPE_CHECKING:
    from wrapgen.pipeline.projects import Projects
    from wrapgen.pipeline.stage import Context, StageResult

Tagged = TypeVar("Tagged", Item, Evidence)


def tag(before: StageResult, context: Context) -> StageResult:
    """Give every item and all evidence their project."""
    kept = tuple(_tagged(item, context.projects) for item in before.kept)
    by_id = {item.id: item for item in kept}
    return dataclasses.replace(
        before,
        kept=kept,
        backlog=tuple(_tagged(item, context.projects) for item in before.backlog),
        evidence=tuple(_tagged(evidence, context.projects) for evidence in before.evidence),
        remarks=(
            *(replace(remark, item=by_id.get(remark.item.id, remark.item)) for remark in before.remarks),
            *(Remark(Concern.UNTAGGED, item) for item in kept if item.project is None),
        ),
    )


def _tagged(one: Tagged, projects: Projects) -> Tagged:
    own, text = projects.leading_tag(one.text)
    if own is not None:
        return replace(one, text=text, folded=fold(text), project=own)
    if one.project is not None or not one.header:
        return one
    if (only := projects.only_one_named_in(one.header)) is not None:
        return replace(one, project=only)
    return replace(one, candidates=projects.named_in(one.header))
