"""The tasks of a sentence that puts its own work off, each with its quote."""

from wrapgen.session.inline import Hit
from wrapgen.session.lexicon import Language
from wrapgen.session.tasks import after_colon, clauses, enumeration, parts, points_at_work, points_back, task_text
from wrapgen.words import Folded

_EDGES = " *_:：-\n"
Pieces = list[tuple[int, int]]


def tasks_of(folded: Folded, hit: Hit, languages: tuple[Language, ...]) -> list[tuple[int, int, str, str]]:
    """Begin and end of the quote, task, and words of the cue, for each separate piece of work in a sentence.

    Args:
        folded: the sentence.
        hit: the cue in it.
        languages: whose filler to cut.
    """
    raw = folded.raw
    span, pieces = hit.span(folded), hit.pieces(folded)
    cue = " … ".join(raw[a:b].strip(_EDGES) for a, b in pieces) or raw[span[0] : span[1]].strip(_EDGES)
    left, right = clauses(raw, *span)
    title = after_colon(raw[:right], span[1]) or (span[1] if raw[: span[1]].rstrip(" *_").endswith((":", "：")) else 0)
    left = max(left, title)
    listed = enumeration(raw[left:right]) if title else []
    found = [(left + a, left + b) for a, b in listed or parts(raw[left:right], languages)]
    if len(found) == 1 and points_back(raw[left:right]):
        found = [(0, len(raw))]  # "...; I left it alone": what "it" is stands in the other half
    whole = len(found) == 1
    texts = [
        _task(raw[a:b], [(x - a, y - a) for x, y in pieces if a <= x and y <= b], hit, languages) for a, b in found
    ]
    return [(0 if whole else a, len(raw) if whole else b, text, cue) for (a, b), text in zip(found, texts, strict=True)]


def _task(raw: str, pieces: Pieces, hit: Hit, languages: tuple[Language, ...]) -> str:
    """The task alone, of a sentence or a part of it."""
    filler = [(0, 0)]
    if len(pieces) > 1 and not hit.keeps:
        # "leave X for later": what the cue embraces is the task, whatever stands around it.
        return task_text(raw[pieces[0][1] : pieces[1][0]], filler, languages)
    if pieces and hit.match[0].endswith(" to") and points_at_work(raw[pieces[0][1] :]):
        # "come back to X": so is what follows it.
        return task_text(raw[pieces[0][1] :], filler, languages)
    return task_text(raw, pieces or filler, languages)
