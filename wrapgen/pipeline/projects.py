"""Which projects there are, and which of them a text names. PURE."""

import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from wrapgen.config import Project, Sources
from wrapgen.late_pattern import late
from wrapgen.text.patterns import Pattern

# A mark in front of an item's words; emphasis may stand around it, a colon or dash behind it.
_MARK = late(
    r"""(?P<em>[*_`]{0,3})(?:
      [(（](?P<round>[^()（）]{1,80})[)）]
    | \[\[(?P<wiki>[^\[\]|]{1,80})(?:\|[^\[\]]*)?\]\]
    | \[(?P<square>[^\[\]]{1,80})\](?!\()
    | [#+](?P<hash>[^\s#+,;:：*_`]{1,80})
    | (?P<name>[^\s:：*`][^:：\n*`]{0,79}?)(?=(?P=em)[:：](?:\s|$)|[:：](?P=em)(?:\s|$))
    )[:：]?(?P=em)\s*(?:[:：]|[-–—](?=\s))?\s*""",
    re.VERBOSE,
)
# todo.txt's mark stands anywhere.
_PLUS = late(r"(?<!\S)\+(\S+)")
# Korean, Chinese and Japanese glue particles to a name: nothing separates a name from what follows.
_GLUES = late(r"[\u1100-\u11ff\u3040-\u30ff\u3130-\u318f\u3400-\u9fff\uac00-\ud7af]")
_WORD = late(r"[\w-]")


@dataclass(frozen=True)
class Projects:
    """The known projects."""

    names: Mapping[str, str]  # project of each known name or alias, by folded name
    inside: Mapping[str, str] = field(default_factory=dict)  # project of folders that `paths` name
    own: str | None = None  # the project that the whole vault is about
    exact: frozenset[str] = frozenset()  # the projects as they are written, of which some may differ in case alone

    @classmethod
    def known(
        cls,
        folders: Iterable[str],
        configured: Mapping[str, Project],
        own: str = "",
        inside: Mapping[str, str] | None = None,
    ) -> "Projects":
        """Gather the projects of a vault.

        Args:
            folders: names of the project folders.
            configured: the tables `[projects.*]` with their aliases; folders come first where a name is taken twice.
            own: the project that the vault is about, "" for none.
            inside: projects by the folders, relative to the vault, that `paths` name.
        """
        names: dict[str, str] = {_folded(own): own}
        for project, table in configured.items():
            for alias in (*table.aliases, project):
                names[_folded(alias)] = project
        names |= {_folded(folder): folder for folder in folders}
        names = {name: project for name, project in names.items() if name}
        exact = frozenset({*folders, *(name for name in configured if names.get(_folded(name)) == name)})
        return cls(names, inside or {}, names.get(_folded(own)), exact)

    @property
    def all(self) -> tuple[str, ...]:
        """Every project, by name."""
        return tuple(sorted({*self.names.values(), *self.exact}))

    def named(self, name: str) -> str | None:
        """The project of a name or alias, None for an unknown one."""
        exact = name.strip()
        return exact if exact in self.exact else self.names.get(_folded(name))

    def leading_tag(self, text: str) -> tuple[str | None, str]:
        """Split the item's own mark from its words: `(web) add retry`, `[web] ...`, `**web**: ...`, `#web ...`.

        Returns:
            the project and the rest, or None and the whole text when the mark is not a known name, or all there is.
        """
        mark = _MARK.match(text)
        if mark is None or mark.end() == len(text):
            return None, text
        name = next(filter(None, mark.group("round", "wiki", "square", "hash", "name")))
        project = self.named(name)
        return (project, text[mark.end() :]) if project is not None else (None, text)

    def plus_tag(self, text: str) -> tuple[str | None, str]:
        """The same for todo.txt, whose `+web` may stand anywhere; of several known ones the first."""
        for mark in _PLUS.finditer(text):
            project = self.named(mark[1])
            rest = " ".join(f"{text[: mark.start()]} {text[mark.end() :]}".split())
            if project is not None and rest:
                return project, rest
        return None, text

    def of_path(self, path: str) -> tuple[str, ...]:
        """The projects that the folders of a file say: by `paths`, the deepest first, else by their names."""
        folder = path.rpartition("/")[0]
        if folder not in self._of_folder:
            self._of_folder[folder] = self._of(folder.split("/") if folder else [])
        return self._of_folder[folder]

    @cached_property
    def _of_folder(self) -> dict[str, tuple[str, ...]]:
        return {}

    def _of(self, folders: list[str]) -> tuple[str, ...]:
        for depth in range(len(folders), 0, -1):
            if (project := self.inside.get("/".join(folders[:depth]))) is not None:
                return (project,)
        return tuple(dict.fromkeys(project for folder in folders if (project := self.named(folder)) is not None))

    def mark_of(self, text: str) -> str:
        """The mark in front of an item's words, as written; "" for none of a known project."""
        mark = _MARK.match(text)
        return mark[0] if mark and self.leading_tag(text)[0] else ""

    def mark(self, project: str, like: str) -> str:
        """A project's mark, written like another one; else in round brackets."""
        mark = _MARK.match(like)
        group = mark.lastgroup if mark else None
        if mark is None or group is None or group == "em" or not (project.isascii() and " " not in project):
            return f"({project}) "
        start, end = mark.span(group)
        return f"{like[:start]}{project}{like[end:]}"

    def of_place(self, path: str, sources: Sources) -> str | None:
        """The project that a file's place says; where only one is known, that of the whole vault."""
        for glob in (*sources.active_todos, *sources.project_todos, *sources.progress, *sources.lists):
            if (place := Pattern(glob).match(path)) and place.project:
                return place.project
        found = self.of_path(path) or ((self.own,) if set(self.names.values()) == {self.own} else ())
        return found[0] if len(found) == 1 else None

    def named_in(self, header: str) -> tuple[str, ...]:
        """The projects that a header names as whole words, longest name first, each once."""
        known = self._named_in.get(header)
        if known is None:
            known = self._named_in[header] = self._search(_folded(header))
        return known

    @cached_property
    def _named_in(self) -> dict[str, tuple[str, ...]]:
        """The answers so far: the items below a header ask for it again and again."""
        return {}

    def _search(self, text: str) -> tuple[str, ...]:
        found: list[str] = []
        for name in self._occurring(text):
            project = self.names[name]
            at = text.find(name)
            while at >= 0:
                end = at + len(name)
                if _stands_alone(text, at, end):
                    if project not in found:
                        found.append(project)
                    text = f"{text[:at]}\0{text[end:]}"  # a shorter name inside this one is not named
                    end = at + 1
                at = text.find(name, end)
        return tuple(sorted(found))

    def _occurring(self, text: str) -> list[str]:
        """The names that occur in a text, longest first: its parts are looked up, not every name searched for."""
        parts = {text[at : at + size] for size in self._lengths for at in range(len(text) - size + 1)}
        return sorted(parts & self.names.keys(), key=lambda name: (-len(name), name))

    @cached_property
    def _lengths(self) -> frozenset[int]:
        return frozenset(map(len, self.names))

    def only_one_named_in(self, text: str) -> str | None:
        """The project that a text names as whole words, None when it names none or several."""
        found = self.named_in(text)
        return found[0] if len(found) == 1 else None


def _folded(name: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", name).casefold().split())


def _stands_alone(text: str, start: int, end: int) -> bool:
    return not (_continues(text[start - 1 : start], text[start]) or _continues(text[end : end + 1], text[end - 1]))


def _continues(neighbour: str, edge: str) -> bool:
    """Whether the character beside a name makes it part of a longer word."""
    if not neighbour or not _WORD.match(neighbour):
        return False
    return not (_GLUES.match(neighbour) or _GLUES.match(edge))
