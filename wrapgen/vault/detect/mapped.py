"""What an agent says of where the next work stands (`wrapgen.mapped/1`), as far as it can be read. PURE.

Nothing here is believed yet: `workflows/roles_apply.py` checks each place against the notes.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

from wrapgen.answer_json import decode_answer
from wrapgen.config import Project, Sections, Sources
from wrapgen.errors import Refusal
from wrapgen.text.display import one_line, shorten

MAP_SCHEMA = "wrapgen.map/1"
MAPPED_SCHEMA = "wrapgen.mapped/1"
FORM = (
    '{"sources": {"hand_overs", "lists", ...}, "sections": {"next", ...}, "items": {"ignore"}, "project", "projects"}.'
)
_SOURCES = tuple(name for name in Sources.__struct_fields__ if name != "transcripts")
_SECTIONS = tuple(name for name in Sections.__struct_fields__ if name not in ("decisions", "session"))
_MOST = 50  # entries of one list; a page of fifteen lines needs a few
_LONGEST = 300  # characters of an entry
_NAMED = 60  # characters of an entry in a refusal
Texts = tuple[str, ...]


@dataclass(slots=True)
class Mapped:
    """An agent's answer, as far as it can be read; a list that is missing says nothing."""

    sources: dict[str, Texts] = field(default_factory=dict)
    sections: dict[str, Texts] = field(default_factory=dict)
    never_work: Texts = ()
    project: str = ""
    projects: dict[str, Project] = field(default_factory=dict)
    refused: list[Refusal] = field(default_factory=list)

    def refuse(self, what: str, why: str) -> None:
        self.refused.append(Refusal(what, why))


def named(key: str, entry: str) -> str:
    """Return how a refusal calls an entry of a list."""
    return f"{key}: `{shorten(one_line(entry), _NAMED)}`"


def decode_mapped(data: bytes, source: str) -> Mapped:
    """Parse an answer from `source`; entries that cannot be used are refused by name, the rest is accepted."""
    document = decode_answer(data, "answer is", MAPPED_SCHEMA, where=source, form=FORM)
    said = Mapped()
    for key in document.keys() - {"schema", "sources", "sections", "items", "project", "projects"}:
        said.refuse(named("answer", key), "there is no such key")
    said.sources = _lists(document.get("sources"), "sources", _SOURCES, said.refuse)
    said.sections = _lists(document.get("sections"), "sections", _SECTIONS, said.refuse)
    said.never_work = _lists(document.get("items"), "items", ("ignore",), said.refuse).get("ignore", ())
    said.project = _text(document.get("project"), "project", said.refuse)
    said.projects = _projects(document.get("projects"), said.refuse)
    return said


def _lists(table: object, name: str, keys: Texts, refuse: Callable[[str, str], None]) -> dict[str, Texts]:
    """Return the lists of a table that are given and not empty."""
    if not isinstance(table, dict):
        if table is not None:
            refuse(name, "a table of lists is needed")
        return {}
    found: dict[str, Texts] = {}
    for key, entries in table.items():
        where = f"{name}.{shorten(one_line(str(key)), _NAMED)}"
        if key not in keys:
            refuse(where, f"there is no such list; there are {', '.join(keys)}")
        elif not isinstance(entries, list):
            refuse(where, "a list of texts is needed")
        elif texts := tuple(dict.fromkeys(filter(None, (_text(one, where, refuse) for one in entries[:_MOST])))):
            found[key] = texts
        if isinstance(entries, list) and len(entries) > _MOST:
            refuse(where, f"{len(entries) - _MOST} more entries than {_MOST} are left out: name patterns")
    return found


def _text(entry: object, where: str, refuse: Callable[[str, str], None]) -> str:
    if entry is None:
        return ""
    if not isinstance(entry, str):
        refuse(where, f"a text is needed, not {shorten(repr(entry), _NAMED)}")
    elif not entry.isprintable():
        refuse(named(where, entry), "contains control characters")
    elif len(entry) > _LONGEST:
        refuse(named(where, entry), f"is longer than {_LONGEST} characters")
    else:
        return entry.strip()
    return ""


def _projects(table: object, refuse: Callable[[str, str], None]) -> dict[str, Project]:
    if not isinstance(table, dict):
        if table is not None:
            refuse("projects", "a table of projects is needed")
        return {}
    found: dict[str, Project] = {}
    for name, said in [*table.items()][:_MOST]:
        where = f"projects.{shorten(one_line(name), _NAMED)}"
        lists = _lists(said, where, ("paths", "aliases"), refuse)
        if isinstance(said, dict):
            found[name] = Project(paths=lists.get("paths", ()), aliases=lists.get("aliases", ()))
    if len(table) > _MOST:
        refuse("projects", f"{len(table) - _MOST} more than {_MOST} are left out")
    return found
