"""What Logseq says: where journals are and how they are named, and what it leaves out itself."""

from __future__ import annotations

import re
from pathlib import Path

from wrapgen.vault import disk
from wrapgen.vault.detect.moment import JODA, glob_of
from wrapgen.vault.detect.proposal import Proposal, ToolSettings, joined, literal

FILE = "logseq/config.edn"
_FORMAT = "yyyy_MM_dd"
_JOURNALS = "journals"
_OWN = ("logseq/bak", "logseq/version-files")
_COMMENT = re.compile(r'("(?:[^"\\]|\\.)*+"?)|;[^\n]*')


def settings(root: Path, inside: str) -> ToolSettings:
    """Read the settings of a graph.

    Args:
        root: the folder that becomes a vault of ours.
        inside: the graph, relative to it; "" for itself.
    """
    try:
        text = disk.whole(root / inside / FILE).decode("utf-8", "replace")
    except OSError:
        return ToolSettings()
    # Most keys stand there commented out.
    said = _COMMENT.sub(lambda found: found[1] or "", text)
    folder = _text(said, ":journals-directory") or _JOURNALS
    glob = glob_of(_text(said, ":journal/file-name-format") or _FORMAT, JODA)
    journals = [Proposal("journals", joined(literal(inside), literal(folder), f"{glob}.md"), "Logseq's journals")]
    copies = [
        Proposal("ignore", joined(literal(inside), one, "**"), "Logseq's own copies")
        for one in _OWN
        if (root / inside / one).is_dir()
    ]
    return ToolSettings((*(journals if glob else ()), *copies))


def _text(said: str, key: str) -> str:
    found = re.search(rf'{re.escape(key)}\s+"((?:[^"\\]|\\.)*)"', said)
    return found[1] if found and found[1].isprintable() else ""
