"""Labelled conversations, in two forms: `NAME.json` beside `NAME.labels.json`, or invented ones in a text file.

The text form is for the repository's own set: `=== name` begins a conversation, `U: ` and `A: ` begin a turn, and
`⟦...⟧` marks a follow-up in its place (`⟦?...⟧`: counts neither way).
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from wrapgen.session.readers import open_transcript
from wrapgen.session.transcript import Turn

_MARK = re.compile(r"⟦(\??)([^⟧]+)⟧")


@dataclass(frozen=True, slots=True)
class Talk:
    """A labelled conversation; labels hold `turn`, `quote`, and where they apply `sure` and `also`."""

    name: str
    lang: str
    author: str
    turns: list[Turn]
    labels: list[dict[str, Any]]


def talks(folder: Path) -> Iterator[Talk]:
    """All labelled conversations of a folder, by name."""
    for path in sorted(folder.glob("*.labels.json")):
        gold = json.loads(path.read_text(encoding="utf-8"))
        talk = path.with_name(path.name.replace(".labels", ""))
        source = json.loads(talk.read_text(encoding="utf-8")).get("source", {})
        yield Talk(talk.name, gold["lang"], _author(source), list(open_transcript(talk)), gold["followups"])
    for path in sorted(folder.glob("*.txt")):
        for chunk in re.split(r"^=== ", path.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]:
            name, body = chunk.split("\n", 1)
            yield _invented(name, body)


def _author(source: dict[str, Any]) -> str:
    """Whose conversation it is, as far as its source tells: the repository, or the first part of the path."""
    repo = source.get("repo") or str(source.get("path", "?")).split("/")[0]
    return str(repo).split("__")[0].split("/")[0]


def _invented(name: str, body: str) -> Talk:
    turns: list[Turn] = []
    labels: list[dict[str, Any]] = []
    for part in re.split(r"^(?=[UA]: )", body, flags=re.MULTILINE):
        if part.strip():
            words = part[3:].strip("\n")
            labels.extend({"turn": len(turns), "quote": mark[2], "sure": not mark[1]} for mark in _MARK.finditer(words))
            text = re.sub(r"⟦\??|⟧", "", words)
            turns.append(Turn("user" if part[0] == "U" else "assistant", text, len(turns) + 1))
    return Talk(name, name[:2], "own", turns, labels)
