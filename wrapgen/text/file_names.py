"""What names of files say: that one is a copy which a program left beside a note. PURE."""

import re
from collections.abc import Callable, Container
from typing import NamedTuple

from wrapgen.late_pattern import late

# Syncthing; Dropbox, Nextcloud and Obsidian Sync in several languages; Seafile; Resilio; git's merge tool; editors.
_SURE = late(
    r"""(?P<stem>.+?)(?:
      \.sync-conflict-\d{8}-\d{6}(?:-[A-Z0-9]{7})?
    | \s*\([^()]*(?:conflicted\ copy|case\ conflict|in\ konflikt\ stehende|konflikt(?:kopie|version)|copie\ en\ conflit
        |copia\ (?:en|in)\ conflitt?[oc]|cópia\ em\ conflito|sfconflict|충돌|競合|冲突|衝突|конфликт)[^()]*\)
    | _conflict-\d[\d-]* | \.conflict\d* | _(?:BACKUP|BASE|LOCAL|REMOTE)_\d+ | \.(?:orig|bak|backup) | \.md~
    )$""",
    re.VERBOSE | re.IGNORECASE,
)
# iCloud, Finder, Windows and OneDrive (which adds the computer's name) call them so; people do, too.
_MAYBE = late(
    r"(?P<stem>.+?)(?:\ [2-9]|\s?\(\d{1,2}\)|\ copy(?:\ \d)?|\ -\ Copy|-(?=[A-Z0-9-]*[A-Z])[A-Z0-9][A-Z0-9-]{3,14})$"
)
# What no name of a copy is without: most names are told by this alone.
_HINT = late(r"[ (~]|conflict|_[A-Z]|\.(?:orig|bak|back|Conflict)|-[A-Z]")
_ENDING = late(r"\.(?:md|markdown|txt)$", re.IGNORECASE)
# Of the lines of a copy, how many stand in the original.
_ALIKE = 0.6


class ConflictCopy(NamedTuple):
    """A copy."""

    path: str
    original: str  # whose copy it is; the file need not be there any more


def may_be_copy(name: str) -> bool:
    """Tell whether a name has what every name of a copy has: most have not."""
    return _HINT.search(name) is not None


def original_of(path: str, beside: Container[str], read: Callable[[str], str]) -> str | None:
    """The path of which another is a conflict copy, None for none; texts are asked only where names are not enough."""
    folder, slash, name = path.rpartition("/")
    if _HINT.search(name) is None:
        return None
    ending = _ENDING.search(name)
    if ending is None:
        return None
    stem = name[: ending.start()]
    if found := _SURE.match(stem):
        return f"{folder}{slash}{found['stem'].rstrip()}{ending[0]}"
    found = _MAYBE.match(stem)
    if found is None or (plain := found["stem"] + ending[0]) not in beside:
        return None
    original = f"{folder}{slash}{plain}"
    copied, lines = _lines(read(path)), _lines(read(original))
    return original if copied and len(copied & lines) >= _ALIKE * len(copied) else None


def _lines(text: str) -> set[str]:
    """What a text says, ticks apart; headings alone would be those of a template."""
    bare = (re.sub(r"^[-*+\d.)\s]*(?:\[.\])?\s*", "", line).strip() for line in text.splitlines())
    return {line for line in bare if line and not line.startswith("#")}
