"""What people write beside finished work to say that it is not quite finished. PURE."""

import re
from functools import lru_cache

from wrapgen.late_pattern import late
from wrapgen.model import Evidence, Item

_WORDS = (
    r"(?:wip|(?:work\s)?in\sprogress|ongoing|partly|partial(?:ly)?|half(?:way)?|failed|reverted|blocked|skipped|postponed"
    r"|deferred|unfinished|incomplete|not\s(?:yet|done|finished|working)|일부|진행\s?중|보류|실패|연기|중단|미완"
    r"|部分|一半|进行中|失败|推迟|延期|搁置|未完|一部|途中|進行中|失敗|保留|中断)(?![a-z])"
)
_SIGNS = "🚧🔄⏳⚠"
_OPEN, _CLOSE = r"[(\[（【]\s*", r"[)\]）】]"
_NOTE = rf"{_OPEN}(?:{_WORDS}[^()\[\]（）【】]*+|\d{{1,2}}\s?%(?:\s*(?:done|완료|完成|完了))?\s*){_CLOSE}"
_SAID = late(
    rf"""^[\s*_]*(?:
      [{_SIGNS}] | {_NOTE} | wip\b | {_WORDS}(?=[*_]*(?:\s*[:：]|\s+[-–—])) | (?:tried|failed|attempted)\s+to\b)
    | (?:[{_SIGNS}]\ufe0f? | {_NOTE} | (?<=\s)[-–—]\s+{_WORDS} | [?？])[\s.!*_]*$""",
    re.IGNORECASE | re.VERBOSE,
)


def may_be_unfinished(item: Item, evidence: Evidence) -> str | None:
    """What evidence says to mean that it is not done ("WIP", "(50%)", a closing "?") and the item does not say."""
    said = _said(evidence.text)
    return f"may be unfinished: {said}" if said and said != _said(item.text) else None


@lru_cache(maxsize=100_000)
def _said(text: str) -> str | None:
    found = _SAID.search(text)
    return found[0].strip(" *_-–—.!").casefold() if found else None


def is_under_way(text: str) -> bool:
    """Whether a text begins with a sign for work that is going on, which in a list of finished work makes it none."""
    return text.lstrip(" *_").startswith(("🚧", "🔄", "⏳"))
