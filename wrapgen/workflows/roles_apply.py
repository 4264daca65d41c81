"""Checks what an agent says of where the next work stands, and writes what holds (`wrap init --reviewed`)."""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from wrapgen.config import Config, names_section, pattern_of, split_headings
from wrapgen.config.paths import path_troubles
from wrapgen.config.schema import FolderName, usual_names
from wrapgen.pipeline.extract import bare_words, never_work_pattern
from wrapgen.pipeline.source_outline import titles_above
from wrapgen.vault.detect.mapped import Mapped, Texts, decode_mapped, named
from wrapgen.vault.index import Glance
from wrapgen.workflows.config_edit import edit_config
from wrapgen.workflows.given_files import read_bytes
from wrapgen.workflows.item_edit import item_edit
from wrapgen.workflows.sources import everything_at
from wrapgen.workflows.user_config import with_keys
from wrapgen.workflows.vault_session import VaultSession

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from wrapgen.config import Sources
    from wrapgen.errors import Refusal
    from wrapgen.ledger import Run
    from wrapgen.vault.index import ReadOptions
    from wrapgen.vault.walk import FoundFile
    from wrapgen.workflows.app import App

COMMAND = "init"
_MOST_READ = 200  # files of one glob in which its heading is looked for
_MOST_IGNORED = 0.5  # of all open boxes


@dataclass(frozen=True, slots=True)
class RolesTaken:
    """What came of an answer."""

    tables: dict[str, Any]  # what holds, as keys of tables
    refused: tuple[Refusal, ...]
    run: Run  # the page that it gives


def take(app: App, source: str, *, dry_run: bool) -> RolesTaken:
    """Check an agent's answer, and write what holds under one receipt."""
    said = decode_mapped(read_bytes(source), source)
    tables = RolesCheck(app.root, app.config, said, app.read_options).tables()
    if dry_run or not tables:
        session = VaultSession.look(app)
        if tables:
            app.__dict__["config"] = _with(app.config, tables)
        return RolesTaken(tables, tuple(said.refused), session.run)
    with item_edit(app, COMMAND) as made:
        made.receipt = edit_config(made.session, partial(with_keys, keys=tables), made.receipt)
    return RolesTaken(tables, tuple(said.refused), made.run)


def _with(config: Config, tables: dict[str, Any]) -> Config:
    """Return a configuration as it would be with some keys set."""
    before = msgspec.to_builtins(config)
    merged = {
        key: {**before[key], **value} if isinstance(value, dict) and key in before else value
        for key, value in tables.items()
    }
    return msgspec.convert(before | merged, Config)


class RolesCheck:
    """Checks an answer against the notes as they are: what does not hold is refused by name."""

    def __init__(self, root: Path, config: Config, said: Mapped, manner: ReadOptions) -> None:
        self._root = root
        self._config = config
        self._said = said
        self._manner = manner

    @cached_property
    def _everything(self) -> Glance:
        return everything_at(self._root, self._config, self._manner)

    def tables(self) -> dict[str, Any]:
        """Return what holds, as keys of tables of `wrapgen.toml`."""
        sources = self._sources()
        own = self._said.project
        tables: dict[str, Any] = {
            "project": own if own and not self._refused(named("project", own), _misnamed(own)) else "",
            "sources": {key: list(globs) for key, globs in sources.items() if globs},
            "sections": {key: list(names) for key, names in self._sections().items() if names},
            "items": {"ignore": list(patterns)} if (patterns := self._never_work()) else {},
            "projects": self._projects(),
        }
        tables = {key: value for key, value in tables.items() if value}
        try:
            _with(self._config, tables)
        except msgspec.ValidationError as error:
            self._said.refuse("answer", str(error))
            return {}
        return tables

    def _refused(self, what: str, why: str | None) -> bool:
        if why:
            self._said.refuse(what, why)
        return bool(why)

    def _holding(self, key: str, entries: Texts, why: Callable[[str], str | None]) -> Texts:
        """Return the entries of a list that nothing is to be said against; the others are refused by name."""
        return tuple(one for one in entries if not self._refused(named(key, one), why(one)))

    def _sources(self) -> dict[str, Texts]:
        said = {
            key: self._holding(f"sources.{key}", globs, partial(_unsound, key))
            for key, globs in self._said.sources.items()
        }
        globs = said.pop("ignore", ())
        sources = msgspec.structs.replace(self._config.sources, **said)
        ignored = self._ignored(globs, self._listed(sources).listing.found)
        sources = msgspec.structs.replace(self._config.sources, **said, **({"ignore": ignored} if ignored else {}))
        glance = self._listed(sources)
        troubles = {one.path: one.error for one in glance.listing.troubles}

        def trouble(glob: str) -> str | None:
            return troubles.get(glob) or self._unfitting(glob, glance.listing.found, glance)

        found = {key: self._holding(f"sources.{key}", globs, trouble) for key, globs in said.items()}
        return {**found, "ignore": ignored}

    def _listed(self, sources: Sources) -> Glance:
        config = msgspec.structs.replace(self._config, sources=sources)
        return Glance.at(self._root, config, self._manner, self._everything.surveyed)

    def _ignored(self, globs: Texts, sources: Collection[FoundFile]) -> Texts:
        """Return the globs of what is left out, as long as some note remains.

        Args:
            sources: the files that are named as such; of a hidden folder nothing else is read.
        """
        notes = (*self._everything.listing.others, *(one for one in sources if one.path.startswith(".")))
        left = {one.path for one in notes}
        kept: list[str] = []
        for glob in globs:
            if glob.startswith(".") and not any(pattern_of(glob).match(one.path) for one in sources):
                continue  # it is not read anyway
            rest = left if split_headings(glob)[1] else {path for path in left if not pattern_of(glob).match(path)}
            why = self._unfitting(glob, notes, self._everything) or (not rest and "it would leave out every note")
            if not self._refused(named("sources.ignore", glob), why or None):
                kept.append(glob)
                left = rest
        return tuple(kept)

    def _unfitting(self, glob: str, files: Collection[FoundFile], glance: Glance) -> str | None:
        """Return why a place is refused; None where a file fits it and has the heading that it names."""
        fitting = [one for one in files if pattern_of(glob).match(one.path)]
        if not fitting:
            return "no note fits it"
        if not split_headings(glob)[1]:
            return None
        newest = sorted(fitting, key=lambda one: -one.stamp.mtime_ns)[:_MOST_READ]
        stands = any(names_section(glob, titles) for _, one in glance.documents(newest) for titles in titles_above(one))
        return None if stands else "no heading of its files is called so"

    def _sections(self) -> dict[str, Texts]:
        usual = {key: {name.casefold() for name in names} for key, names in usual_names().items()}

        def trouble(key: str, name: str) -> str | None:
            if "*" in name:
                return "a name is a whole heading; `*` is for places (`path#Heading*`) and `items.ignore`"
            known = name[0] != "!" or name[1:].strip().casefold() in usual[key]
            return None if known else "it takes away no usual name"

        return {
            key: self._holding(f"sections.{key}", names, partial(trouble, key))
            for key, names in self._said.sections.items()
        }

    def _never_work(self) -> Texts:
        """Return the patterns of lines that hit some, and all together at most half of the open boxes."""
        if not self._said.never_work:
            return ()
        boxes, others = self._open_lines()
        hidden: set[int] = set()
        kept: list[str] = []
        for pattern in self._said.never_work:
            fits = never_work_pattern((pattern,))
            hits = {at for at, words in enumerate(boxes) if fits and fits.fullmatch(words)}
            why = None
            if not hits and not (fits and any(map(fits.fullmatch, others))):
                why = "no open line reads so"
            elif len(hidden | hits) > len(boxes) * _MOST_IGNORED:
                why = f"it would hide {len(hidden | hits)} of {len(boxes)} open boxes, more than half"
            if not self._refused(named("items.ignore", pattern), why):
                hidden |= hits
                kept.append(pattern)
        return tuple(kept)

    def _open_lines(self) -> tuple[list[str], list[str]]:
        """Return the words of the open boxes of all notes, and of their other list items."""
        boxes: list[str] = []
        others: list[str] = []
        for _, document in self._everything.documents(self._everything.listing.others):
            for entry in document.entries:
                if not entry.done:
                    (boxes if entry.box else others).append(bare_words(entry.text))
        return boxes, others

    def _projects(self) -> dict[str, dict[str, list[str]]]:
        found: dict[str, dict[str, list[str]]] = {}
        for name, project in self._said.projects.items():
            if self._refused(named("projects", name), _misnamed(name)):
                continue
            folders = [folder for path in project.paths if (folder := self._folder(name, path))]
            if folders or not project.paths:
                table = {"paths": folders, "aliases": list(project.aliases)}
                found[name] = {key: value for key, value in table.items() if value}
        return found

    def _folder(self, name: str, path: str) -> str:
        """Return a working folder as it is written: in the vault, or that of this session; "" where it is neither."""
        root, here = os.path.realpath(self._root), os.path.realpath(Path.cwd())
        folder = os.path.realpath(Path(root) / Path(path).expanduser())
        why = None
        if not os.path.isdir(folder):  # noqa: PTH112
            why = "is no folder"
        elif folder == root:
            why = "is the vault itself; say `project`"
        elif not folder.startswith(root + os.sep) and folder != here:
            why = "lies outside of the vault, and is not where this session works"
        if self._refused(named(f"projects.{name}.paths", path), why):
            return ""
        return os.path.relpath(folder, root).replace(os.sep, "/") if folder.startswith(root + os.sep) else folder


def _misnamed(name: str) -> str | None:
    try:
        msgspec.convert(name, FolderName)
    except msgspec.ValidationError:
        return "cannot be a project's name"
    return None


def _unsound(key: str, glob: str) -> str | None:
    """Return why a glob cannot be used at all."""
    sources = msgspec.structs.replace(Config().sources, **{key: (glob,)})
    trouble = next(path_troubles(msgspec.structs.replace(Config(), sources=sources)), None)
    return f"{trouble.what}. {trouble.next_step}" if trouble else None
