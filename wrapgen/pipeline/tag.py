"""Stage 2: which project an item belongs to. PURE.

Its own leading mark, else its folders, else the nearest heading that names a known project, else the vault's own. Where
two are named nothing is guessed and nothing is blocked: the item goes on and is remarked with its candidates.
"""

import dataclasses
from typing import TypeVar

from msgspec.structs import replace

from wrapgen.ledger import Concern, Remark
from wrapgen.model import Evidence, Item
from wrapgen.pipeline.projects import Projects
from wrapgen.pipeline.stage import Context, StageResult
from wrapgen.text.folding import fold
from wrapgen.vault.markdown.todo_txt import is_todo_txt

Tagged = TypeVar("Tagged", Item, Evidence)


def tag(before: StageResult, context: Context) -> StageResult:
    """Give every item and all evidence their project."""
    kept = tuple(tagged(item, context.projects) for item in before.kept)
    by_id = {item.id: item for item in kept}
    return dataclasses.replace(
        before,
        kept=kept,
        backlog=tuple(tagged(item, context.projects) for item in before.backlog),
        evidence=tuple(tagged(evidence, context.projects) for evidence in before.evidence),
        remarks=(
            *(replace(remark, item=by_id.get(remark.item.id, remark.item)) for remark in before.remarks),
            *(Remark(Concern.UNTAGGED, item) for item in kept if item.project is None),
        ),
    )


def tagged(one: Tagged, projects: Projects) -> Tagged:
    """Give one item or piece of evidence its project; where several fit, its candidates."""
    own, text = projects.leading_tag(one.text)
    if own is None and is_todo_txt(one.path):
        own, text = projects.plus_tag(one.text)
    if own is not None:
        return replace(one, text=text, folded=fold(text), project=own)
    if one.project is not None:
        return one
    headings = (one.header or "").split("\n")
    found = projects.of_path(one.path) or next(filter(None, map(projects.named_in, headings)), ())
    if len(found) == 1:
        return replace(one, project=found[0])
    return replace(one, candidates=found) if found else replace(one, project=projects.own)
