"""What is read and what is not, as one table, and whose it is: the projects; and changing both in `wrapgen.toml`."""

import os
import re
import shlex
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from difflib import get_close_matches
from pathlib import Path
from typing import Any, NamedTuple, get_args

import msgspec

from wrapgen.config import (
    KEYS,
    SECTION_KEYS,
    VAULT_FILE,
    Config,
    Sources,
    declared_by,
    names_section,
    pattern_of,
    split_headings,
)
from wrapgen.config.paths import path_troubles
from wrapgen.config.schema import FolderName, Project, redundant_names
from wrapgen.errors import ConfigError, UsageError
from wrapgen.late_pattern import late
from wrapgen.notes import Kind, Trouble, UnreadBoxes
from wrapgen.pipeline.collected import Collected, without_history
from wrapgen.pipeline.source_outline import titles_above
from wrapgen.session.follow_up import nearest
from wrapgen.text.file_names import ConflictCopy
from wrapgen.text.headings import fold_name
from wrapgen.vault.detect.detect import detect
from wrapgen.vault.detect.file_names import may_hand_over
from wrapgen.vault.detect.hand_overs import NextName, next_names, touches
from wrapgen.vault.detect.proposal import Detected, Key
from wrapgen.vault.detect.survey import SurveyedFile, Touched, survey
from wrapgen.vault.index import QUIETLY, Glance, Headings, ReadOptions, day_of, in_order
from wrapgen.vault.near_names import NearName, near_names
from wrapgen.workflows import collecting, user_config
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
    everything: Glance  # all notes, parsed
    touched: Mapping[str, Touched]  # what the last commits say of them
    drifted: tuple[Trouble, ...] = ()  # what the configuration names and is not there
    troubles: tuple[Trouble, ...] = ()  # files of which nothing can be read

    @property
    def is_empty(self) -> bool:
        return not self.proposed and not any(row.files for row in self.read)

    @property
    def copies(self) -> tuple[ConflictCopy, ...]:
        """Files that are not read, left there by synchronizing programs."""
        return self.everything.listing.copies

    def near(self, config: Config) -> list[NearName]:
        """Look for files that are not read, and are nearly named like sources."""
        return near_names(self.everything.root, config, self.copies)

    def files(self) -> list[SurveyedFile]:
        """Return the files that hold lists, with their headings, those first that are most lived in."""
        notes, found = self.everything.surveyed, self.everything.listing.others
        day = {one.path: day_of(one) for one in found}
        touched = {path: self.touched.get(path) or Touched(0, day[path]) for path in day}
        return survey(
            {path: notes.document(path) for path in day} if notes else {}, touched, self.everything.config.names
        )


def overview(root: Path, config: Config, today: date, manner: ReadOptions = QUIETLY, *, anew: bool = False) -> Overview:
    """Look at what a configuration reads of a folder, and at what it does not; `anew` as for `detect`."""
    everything = everything_at(root, config, manner)
    notes = everything.surveyed
    glance, touched = Glance.at(root, config, manner, notes), touches(root)
    detected = detect(glance, touched, anew=anew)
    if names := _next_names(Glance.at(root, with_proposals(config, detected), manner, notes)):
        detected = detected._replace(next_names=tuple(names))
    wider = with_proposals(config, detected)
    after = Glance.at(root, wider, manner, notes)
    rows, collected = counted(after, everything, {(one.key, one.glob): one.why for one in detected.proposals}, today)
    proposed = {(one.key, one.glob) for one in detected.proposals}
    return Overview(
        tuple(row for row in rows if (row.key, row.glob) not in proposed),
        tuple(row for row in rows if (row.key, row.glob) in proposed),
        glance.unread_boxes,
        after.unread_boxes,
        detected,
        everything,
        touched,
        collected.drifted,
        in_order({*collected.troubles, *after.unread.troubles}),
    )


def everything_at(root: Path, config: Config, manner: ReadOptions) -> Glance:
    """List and parse all notes of a folder: where nothing is a source and nothing ignored, everything is unread."""
    nothing = Sources(**dict.fromkeys(KEY_NAMES, ()))
    everything = Glance.at(root, msgspec.structs.replace(config, sources=nothing), manner)
    return msgspec.structs.replace(everything, surveyed=everything.survey())


def _next_names(glance: Glance) -> list[NextName]:
    journals = [one for one in glance.listing.found if one.kind is Kind.JOURNAL_NEXT and one.place.day]
    journals.sort(key=lambda one: (one.place.day or date.min, one.path), reverse=True)
    return next_names([one for _, one in glance.documents(journals[:_JOURNALS])], glance.config.names)


def counted(
    glance: Glance, everything: Glance, why: Mapping[tuple[str, str], str], today: date
) -> tuple[list[SourceRow], Collected]:
    """Return the globs of a configuration with what each gives, and what was collected; a line belongs to one glob.

    Args:
        glance: the folder as the configuration reads it.
        everything: the same, with nothing read or left out.
        why: what the files of proposed globs are.
    """
    config = glance.config
    collected = collecting.counted(glance, known_projects(glance, config))
    files: defaultdict[tuple[str, str], set[str]] = defaultdict(set)
    open_lines: Counter[tuple[str, str]] = Counter()
    for one in glance.listing.found:
        if (declared := declared_by(one.path, one.kind, (), config.sources))[0]:
            files[declared].add(one.path)
    kept = without_history(collected.found, (), today).kept
    places = Counter((one.path, one.kind, one.header or "") for one in kept)
    for (path, kind, header), number in places.items():
        titles = tuple(reversed(header.split("\n"))) if header else ()
        if (declared := declared_by(path, kind, titles, config.sources))[0]:
            files[declared].add(path)
            open_lines[declared] += number
    for path, headings in _left_out(glance, everything):
        if (declared := declared_by(path, None, (), config.sources))[0]:
            files[declared].add(path)
            open_lines[declared] += sum(number for _, number in headings)
    for key, glob, path, boxes in _sections(glance):
        files[key, glob].add(path)
        open_lines[key, glob] += boxes if key == "ignore" else 0
    keys = [(key, glob) for key in KEY_NAMES for glob in getattr(config.sources, key)]
    usual = Sources()
    rows = [
        SourceRow(
            key,
            glob,
            why.get((key, glob)) or (_USUAL if glob in getattr(usual, key) else YOURS),
            len(files[key, glob]),
            open_lines[key, glob],
        )
        for key, glob in keys
    ]
    return rows, collected


def _sections(glance: Glance) -> Iterator[tuple[str, str, str, int]]:
    """The sections that a configuration names, each with its file and the open boxes below its heading."""
    for key in SECTION_KEYS:
        for glob in getattr(glance.config.sources, key):
            if not split_headings(glob)[1]:
                continue
            match = pattern_of(glob).match
            for found, document in glance.documents(one for one in glance.listing.found if match(one.path)):
                below = [names_section(glob, titles) for titles in titles_above(document)]
                for at, section in enumerate(document.sections):
                    below[at] = below[at] or (section.parent >= 0 and below[section.parent])
                if any(below):
                    inside = (one for one in document.entries if one.section >= 0 and below[one.section])
                    yield key, glob, found.path, sum(one.box and not one.done for one in inside)


class CountsNow(NamedTuple):
    """What a configuration gives."""

    rows: list[SourceRow]
    unread: UnreadBoxes


def counts_now(found: Overview, config: Config, today: date) -> CountsNow:
    """Count what a configuration reads of notes that have been looked at."""
    glance = Glance.at(found.everything.root, config, found.everything.manner, found.everything.surveyed)
    return CountsNow(counted(glance, found.everything, {}, today)[0], glance.unread_boxes)


def _left_out(glance: Glance, everything: Glance) -> Iterator[tuple[str, Headings]]:
    """The files that a configuration leaves out, with their open boxes by heading."""
    known = {one.path for one in (*glance.listing.found, *glance.listing.others)}
    for one in everything.listing.others:
        if one.path not in known:
            yield one.path, everything.unread.boxes.get(one.path, ())


def _proposed(config: Config, detected: Detected) -> dict[str, dict[str, Any]]:
    """What proposals come to, as keys of tables.

    Where daily notes are found, the usual place of journals goes: nothing should be written there. A list that is
    proposed as a hand-over is a list no more, and names that are usual are not written.
    """
    globs: dict[str, tuple[str, ...]] = {}
    handed = [pattern_of(one.glob).match for one in detected.proposals if one.key == "hand_overs"]
    for key in get_args(Key):
        more = [one.glob for one in detected.proposals if one.key == key]
        present = getattr(config.sources, key)
        usual = getattr(Sources(), key) if key == "journals" and more else ()
        kept = [one for one in present if one not in usual]
        if key == "lists":
            kept = [one for one in kept if not any(match(one) for match in handed)]
        if more or len(kept) < len(present):
            globs[key] = tuple(dict.fromkeys([*kept, *more]))
    sections = dict(redundant_names(config.sections))
    if names := [fold_name(one.title) for one in detected.next_names]:
        sections["next"] = tuple(dict.fromkeys([*sections.get("next", config.sections.next), *names]))
    tables: dict[str, dict[str, Any]] = {"sources": globs, "tasks": task_settings(detected), "sections": sections}
    return {table: keys for table, keys in tables.items() if keys}


def with_proposals(config: Config, detected: Detected) -> Config:
    """A configuration that reads more."""
    change, proposed = msgspec.structs.replace, _proposed(config, detected)
    tables = {table: change(getattr(config, table), **keys) for table, keys in proposed.items()}
    known = {name: Project(paths=(folder,)) for name, folder in detected.projects.folders.items()}
    own = detected.projects.own or config.project
    return change(config, **tables, projects=config.projects | known, project=own)


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


def with_escapes(root: Path, glob: str) -> str:
    r"""Write `#` as `\#` where it belongs to the name of a file or folder that is there, and begins no heading."""

    def written(mark: re.Match[str]) -> str:
        behind = glob[mark.end() :]
        names = (glob[: mark.end()] + re.split(ends, behind)[0] for ends in ("[#/]", "/"))
        return "\\#" if any(os.path.lexists(root / name.replace("\\#", "#")) for name in names) else "#"

    return re.sub(r"(?<!\\)#", written, glob)


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
