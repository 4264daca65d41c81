"""What is read and what is not, as one table, and whose it is: the projects; and changing both in `wrapgen.toml`."""

import os
import re
import shlex
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from difflib import get_close_matches
from pathlib import Path
from typing import Any, NamedTuple, get_args

import msgspec

from wrapgen.config import KEYS, VAULT_FILE, Config, Sources, pattern_of
from wrapgen.config.paths import path_troubles
from wrapgen.config.schema import FolderName, Project
from wrapgen.errors import ConfigError, UsageError
from wrapgen.late_pattern import late
from wrapgen.notes import Kind, UnreadBoxes
from wrapgen.pipeline.collected import entries_of
from wrapgen.session.follow_up import nearest
from wrapgen.text.file_names import ConflictCopy
from wrapgen.text.headings import fold_name
from wrapgen.vault.detect.detect import detect
from wrapgen.vault.detect.file_names import may_hand_over
from wrapgen.vault.detect.hand_overs import NextName, next_names
from wrapgen.vault.detect.proposal import Detected, Key
from wrapgen.vault.index import QUIETLY, Glance, ReadOptions, source_of
from wrapgen.vault.near_names import NearName, near_names
from wrapgen.workflows import user_config
from wrapgen.workflows.app import App
from wrapgen.workflows.vault_session import VaultSession, known_projects

KEY_NAMES = (*KEYS.values(), "ignore")
"""What a glob can be given as."""

YOURS = "wrapgen.toml"
_USUAL = "as usual"
_JOURNALS = 60  # the newest, whose headings are looked at


class SourceRow(NamedTuple):
    """One glob."""

    key: str  # of `[sources]`
    glob: str
    why: str  # what these files are, and who says so
    files: int  # how many fit that no earlier glob takes
    items: int  # how many open items they give; of what is left out, how many open boxes they hold

    @property
    def command(self) -> str:
        return f"wrap sources add {shlex.quote(self.glob)} --as {self.key}"


class Overview(NamedTuple):
    """What is read of a folder, and what is not."""

    read: tuple[SourceRow, ...]  # the globs of the configuration
    proposed: tuple[SourceRow, ...]  # those that would read, or leave out, more
    unread: UnreadBoxes  # what is not read now
    still_unread: UnreadBoxes  # what would not be read if the proposals were taken
    detected: Detected  # the proposals as they were found
    near: tuple[NearName, ...]  # files that are not read, and are nearly named like sources
    copies: tuple[ConflictCopy, ...] = ()  # files that are not read, left there by synchronizing programs

    @property
    def is_empty(self) -> bool:
        return not self.proposed and not any(row.files for row in self.read)


def overview(root: Path, config: Config, manner: ReadOptions = QUIETLY) -> Overview:
    """Look at what a configuration reads of a folder, and at what it does not."""
    # Where nothing is a source and nothing ignored, everything is unread: each file is parsed once to be counted.
    nothing = Sources(**dict.fromkeys(KEY_NAMES, ()))
    everything = Glance.at(root, msgspec.structs.replace(config, sources=nothing), manner)
    glance = Glance.at(root, config, manner, everything.unread.boxes)
    detected = detect(glance)
    wider = with_proposals(config, detected) if detected.proposals else config
    after = Glance.at(root, wider, manner, everything.unread.boxes)
    if names := _next_names(after):
        detected = detected._replace(next_names=tuple(names))
        wider = with_proposals(wider, detected)
        after = Glance.at(root, wider, manner, everything.unread.boxes)
    counts = _counts(after, everything, wider)
    why: dict[tuple[str, str], str] = {(one.key, one.glob): one.why for one in detected.proposals}
    rows = [
        SourceRow(
            key,
            glob,
            why.get((key, glob)) or (_USUAL if glob in getattr(Sources(), key) else YOURS),
            *counts[key, glob],
        )
        for key in KEY_NAMES
        for glob in getattr(wider.sources, key)
    ]
    return Overview(
        tuple(row for row in rows if (row.key, row.glob) not in why),
        tuple(row for row in rows if (row.key, row.glob) in why),
        glance.unread_boxes,
        after.unread_boxes,
        detected,
        tuple(near_names(root, config, everything.listing.copies)),
        everything.listing.copies,
    )


def _next_names(glance: Glance) -> list[NextName]:
    journals = [one for one in glance.listing.found if one.kind is Kind.JOURNAL_NEXT and one.place.day]
    journals.sort(key=lambda one: (one.place.day or date.min, one.path), reverse=True)
    return next_names([one for _, one in glance.documents(journals[:_JOURNALS])], glance.config.names)


def _counts(after: Glance, everything: Glance, config: Config) -> dict[tuple[str, str], tuple[int, int]]:
    """Files and open items of each glob; a file belongs to the first that fits."""
    known = known_projects(after, config)
    sources = (source_of(*read) for read in after.documents(after.listing.found))
    items = {one.path: len(entries_of(one, config, known).items) for one in sources}
    placed = {one.path: KEYS[one.kind] for one in after.listing.found}
    boxes = {path: sum(number for _, number in said) for path, said in everything.unread.boxes.items()}
    unread = {one.path for one in after.listing.others}
    left_out = {one.path: "ignore" for one in everything.listing.others if one.path not in unread}
    files: Counter[tuple[str, str]] = Counter()
    found: Counter[tuple[str, str]] = Counter()
    for path, key in (left_out | placed).items():
        glob = next((one for one in getattr(config.sources, key) if pattern_of(one).match(path)), None)
        if glob is not None:
            files[key, glob] += 1
            found[key, glob] += boxes.get(path, 0) if key == "ignore" else items[path]
    keys = ((key, glob) for key in KEY_NAMES for glob in getattr(config.sources, key))
    return {one: (files[one], found[one]) for one in keys}


def _proposed(config: Config, detected: Detected) -> dict[str, dict[str, Any]]:
    """What proposals come to, as keys of tables.

    Where daily notes are found, the usual place of journals goes: nothing should be written there.
    """
    globs: dict[str, tuple[str, ...]] = {}
    for key in get_args(Key):
        more = [one.glob for one in detected.proposals if one.key == key]
        if more:
            present = getattr(config.sources, key)
            usual = getattr(Sources(), key) if key == "journals" else ()
            globs[key] = tuple(dict.fromkeys([*(one for one in present if one not in usual), *more]))
    names = [fold_name(one.title) for one in detected.next_names]
    sections = {"next": tuple(dict.fromkeys([*config.names.next, *names]))} if names else {}
    tables: dict[str, dict[str, Any]] = {"sources": globs, "tasks": task_settings(detected), "sections": sections}
    return {table: keys for table, keys in tables.items() if keys}


def with_proposals(config: Config, detected: Detected) -> Config:
    """A configuration that reads more."""
    replace, proposed = msgspec.structs.replace, _proposed(config, detected)
    tables = {table: replace(getattr(config, table), **keys) for table, keys in proposed.items()}
    known = {name: Project(paths=(folder,)) for name, folder in detected.projects.folders.items()}
    own = detected.projects.own or config.project
    return replace(config, **tables, projects=config.projects | known, project=own)


def task_settings(detected: Detected) -> dict[str, object]:
    """What other tools say of tasks, as keys of `[tasks]`."""
    said = {"filter": detected.task_filter, "states": detected.states}
    return {key: value for key, value in said.items() if value}


def write_proposals(root: Path, config: Config, detected: Detected) -> None:
    """Write proposals into a vault's `wrapgen.toml`, with what other tools say of tasks."""
    tables: dict[str, object] = {
        table: {key: list(value) if isinstance(value, tuple) else value for key, value in keys.items()}
        for table, keys in _proposed(config, detected).items()
    }
    if detected.projects.folders:
        tables["projects"] = {name: {"paths": [folder]} for name, folder in detected.projects.folders.items()}
    if detected.projects.own:
        tables = {"project": detected.projects.own} | tables
    user_config.set_keys(root / VAULT_FILE, tables)


def add(root: Path, config: Config, glob: str, key: str) -> bool:
    """Read the files of a glob, or leave them out; `key` is one of `KEY_NAMES`."""
    present = getattr(config.sources, key)
    if glob in present:
        return False
    _set(root, config, {key: (*present, glob)}, glob)
    return True


def remove(root: Path, config: Config, glob: str) -> list[str]:
    """Read the files of a glob, as it stands there, no more."""
    kept = {
        key: tuple(one for one in getattr(config.sources, key) if one != glob)
        for key in KEY_NAMES
        if glob in getattr(config.sources, key)
    }
    if not kept:
        known = [one for key in KEY_NAMES for one in getattr(config.sources, key)]
        near = get_close_matches(glob, known, n=1, cutoff=0)
        meant = f" Did you mean `{near[0]}`?" if near else ""
        raise ConfigError(f"no source is called `{glob}`", next_step=f"`wrap sources` shows those there are.{meant}")
    _set(root, config, kept, glob)
    return list(kept)


def refuse(config: Config, globs: Mapping[str, tuple[str, ...]], glob: str) -> None:
    """Refuse a glob that cannot be used, before it is written."""
    changed = msgspec.structs.replace(config, sources=msgspec.structs.replace(config.sources, **globs))
    for trouble in path_troubles(changed):
        if trouble.value == glob:
            raise ConfigError(f"`{glob}` {trouble.what}; nothing was written", next_step=trouble.next_step)


def _set(root: Path, config: Config, globs: Mapping[str, tuple[str, ...]], glob: str) -> None:
    refuse(config, globs, glob)
    user_config.set_keys(root / VAULT_FILE, {"sources": {key: list(value) for key, value in globs.items()}})


_LIST = late(r"(?:.*[-_ .])?(?:plan|roadmap|backlog)s?\.md", re.IGNORECASE)


def projects_of(session: VaultSession) -> list[dict[str, Any]]:
    """Every known project, by name, as JSON; its `list` is None where the file that a line of it goes to is missing."""
    config, known, places = session.app.config, session.projects, session.index.places
    items = Counter(one.project for one in session.everything.kept)
    sources = {one.path for one in session.contents.sources}
    rows: list[dict[str, Any]] = []
    for name in sorted(set(known.names.values())):
        table, file = config.projects.get(name, Project()), places.files.get((name, None))
        about = {"name": name, "own": name == known.own, "paths": table.paths, "aliases": table.aliases}
        rows.append(about | {"list": file if file in sources else None, "items": items[name]})
    return rows


def add_project(root: Path, config: Config, name: str, paths: Sequence[str]) -> list[str]:
    """Make a project known, with further working folders; gives all, relative to the vault where they are in it."""
    try:
        msgspec.convert(name, FolderName)
    except msgspec.ValidationError:
        raise UsageError(f"{name!r} cannot be a project's name; nothing was written") from None
    given = [_written(root, path) for path in paths]
    before = config.projects.get(name, Project())
    folders = list(dict.fromkeys([*before.paths, *given]))
    table = ({"paths": folders} if folders else {}) | ({"aliases": list(before.aliases)} if before.aliases else {})
    user_config.set_keys(root / VAULT_FILE, {"projects": {name: table}})
    return folders


def _written(root: Path, path: str) -> str:
    folder = Path(path).expanduser().resolve()
    if not folder.is_dir():
        raise UsageError(f"{path!r} is no folder; nothing was written")
    here = root.resolve()
    if folder == here:
        raise UsageError(
            f"{path!r} is the vault itself; nothing was written", next_step='Set `project = "NAME"` instead.'
        )
    return folder.relative_to(here).as_posix() if folder.is_relative_to(here) else str(folder)


def remove_project(root: Path, config: Config, name: str) -> None:
    """Take a project out of the configuration."""
    if name in config.projects:
        user_config.set_keys(root / VAULT_FILE, {"projects": {name: None}})
    elif name and name == config.project:
        user_config.set_keys(root / VAULT_FILE, {"project": ""})
    elif (root / "projects" / name).is_dir():
        raise ConfigError(f"{name} is a folder under projects/, not a table of {VAULT_FILE}; nothing was written")
    else:
        raise ConfigError(f"no project is called {name!r}{nearest(name, config.projects)}; nothing was written")


def lists_in(app: App, folders: Sequence[str]) -> Iterator[tuple[str, bool]]:
    """The TODO, plan and progress files right in some folders that nothing reads, and whether they are in the vault."""
    read = {one.path for one in app.glance().listing.found}
    for folder in folders:
        try:
            names = sorted(os.listdir(app.root / Path(folder).expanduser()))  # noqa: PTH208 - names are enough
        except OSError:
            continue
        for name in names:
            path = f"{folder}/{name}"
            if name.lower().endswith(".md") and (may_hand_over(name) or _LIST.fullmatch(name)) and path not in read:
                yield path, not Path(folder).expanduser().is_absolute()
