"""Installs, updates and removes wrapgen's entries in a host's settings, and records how to do that without a trace.

One folder per settings file, in the user's own state folder: `former.json`, the file without wrapgen; `before.json`,
the very bytes that were there; and `record.json`.
"""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import msgspec

from wrapgen.errors import ConfigError, PublishError
from wrapgen.hosts.jsontext import JsonTextError
from wrapgen.hosts.places import CONTRACT, FILE, HostFiles
from wrapgen.hosts.settings import Wanted, merge, root_of, with_skill, without, without_skill
from wrapgen.vault import disk, rewrite
from wrapgen.vault.disk import make_private_folder, publish
from wrapgen.vault.lock import LockWait, file_lock

_FOLDER = "hosts"
_LOCK = "install.lock"
_RECORD, _FORMER, _BEFORE = "record.json", "former.json", "before.json"
_PATIENCE = 10.0  # seconds


class ContractNote(msgspec.Struct, frozen=True):
    """A vault's configuration in which the sub-agent contract was turned on."""

    before: str  # its text before that
    written: str  # a digest of what was written


class InstallRecord(msgspec.Struct, frozen=True, kw_only=True):
    """An installation."""

    settings: str  # the settings file
    existed: bool  # whether it was there before
    installed: str  # a digest of what it held after the installation
    files: dict[str, str] = {}  # the files that were written whole, with a digest of each
    folders: tuple[str, ...] = ()  # the folders that were made, the outer ones first
    agents: dict[str, str] = {}  # what was written into the agents' own files: the skill by path
    contract: bool = False  # whether the skills of the sub-agent contract were asked for
    vaults: dict[str, ContractNote] = {}  # the configurations of vaults in which it was turned on, by path


def state_folder() -> Path:
    """The user's folder for what wrapgen remembers of installations."""
    from platformdirs import user_state_path

    return user_state_path("wrapgen", appauthor=False)


@contextmanager
def one_at_a_time() -> Iterator[None]:
    """Hold the lock of installations; raises `LockHeldError` and `PublishError`."""
    root = state_folder()
    make_private_folder(root / _FOLDER, root, ignored=root / _FOLDER)
    with file_lock(root / _FOLDER / _LOCK, LockWait("the setup of coding agents", _PATIENCE), root=root):
        yield


def remembered(settings: Path) -> tuple[InstallRecord, bytes] | None:
    """What is remembered of a settings file, and what it held before; None when nothing is."""
    folder = _folder(settings)
    try:
        record = msgspec.json.decode(disk.whole(folder / _RECORD), type=InstallRecord)
        return record, disk.whole(folder / _FORMER) if record.existed else b""
    except (OSError, msgspec.MsgspecError):
        return None


def remember(settings: Path, record: InstallRecord, former: bytes, before: bytes | None) -> Path:
    """Write down what was there; returns the file that holds what the settings were before.

    `former` are the settings without wrapgen; `before` every byte that somebody else left there, None when that is
    kept.
    """
    folder, root = _folder(settings), state_folder()
    make_private_folder(folder, root)
    publish(folder / _FORMER, former, root=root, private=True)
    if before is not None:
        publish(folder / _BEFORE, before, root=root, private=True)
    _write(settings, record)
    return folder / _BEFORE


def note_contract(settings: Path, vault_file: Path, note: ContractNote | None) -> None:
    """Write down that an installation turned the contract on in a vault, or, with None, that it is off again."""
    known = remembered(settings)
    if known is not None:
        others = {file: one for file, one in known[0].vaults.items() if file != str(vault_file)}
        now = {**others, str(vault_file): note} if note else others
        _write(settings, msgspec.structs.replace(known[0], vaults=now))


def _write(settings: Path, record: InstallRecord) -> None:
    data = msgspec.json.format(msgspec.json.encode(record))
    publish(_folder(settings) / _RECORD, data, root=state_folder(), private=True)


def forget(settings: Path) -> None:
    """Forget an installation that is gone."""
    folder = _folder(settings)
    for name in (_RECORD, _FORMER, _BEFORE):
        (folder / name).unlink(missing_ok=True)
    if folder.is_dir() and not any(folder.iterdir()):
        folder.rmdir()


def _folder(settings: Path) -> Path:
    return state_folder() / _FOLDER / disk.digest(os.fsencode(os.path.realpath(settings)))


_Edit = Callable[[str, str], str | None]  # of an agent's file, given the skill
_BOM = b"\xef\xbb\xbf"
_IGNORE = ".gitignore"


@dataclass(frozen=True, slots=True)
class PlannedWrite:
    """What becomes of a file."""

    file: Path  # the file
    before: bytes | None  # what it holds, None when there is none
    after: bytes | None  # what it is to hold, None when it is to be gone


@dataclass(frozen=True, slots=True)
class InstallPlan:
    """What an installation does, or taking it back."""

    settings: PlannedWrite  # what becomes of the settings, which may stay as they are
    changes: tuple[PlannedWrite, ...]  # the files that change, the settings first
    left: tuple[tuple[Path, str], ...]  # files that are somebody's own, with the reason why they stay as they are
    agents: Mapping[Path, str]  # the skill that each agent's file gets, or has got


class Guest:
    """Wrapgen in one host's settings of one scope; without a word on the `contract` what was asked for last counts.

    What reads settings raises `ConfigError` when they are broken (nothing is written then), and `PublishError` when a
    file cannot be read or written. Who installs or uninstalls holds the installation lock.
    """

    def __init__(self, places: HostFiles, skills: Mapping[str, str], *, contract: bool | None = None) -> None:
        self.places = places
        self.contract = self._remembered.contract if contract is None else contract
        self.skills = {name: text for name, text in skills.items() if self.contract or name not in CONTRACT}

    def plan(self, wanted: Wanted | None, agents: Mapping[Path, str]) -> InstallPlan:
        """What an installation would change, or with None taking it back; nothing is written."""
        before, known, own = _bytes(self.places.settings), self._remembered.files, dict(self._own_files())
        after = self._former(before) if wanted is None else self._merged(before, wanted)
        changes = [PlannedWrite(self.places.settings, before, after)]
        left: list[tuple[Path, str]] = []
        for file in dict.fromkeys([*own, *map(Path, known)]):  # a former version may have had more
            present, new = _bytes(file), own.get(file)
            if present in (None, new) or known.get(str(file)) == disk.digest(present or b""):
                changes.append(PlannedWrite(file, present, new if wanted else None))
            elif wanted or str(file) in known:
                whose = "was changed since wrapgen wrote it" if str(file) in known else "is not wrapgen's"
                left.append((file, f"{whose}, so it is left as is"))
        for file, skill in agents.items():
            present = _bytes(file)
            edited = _edited(present, with_skill if wanted else without_skill, skill)
            if edited is None and wanted:
                left.append((file, f"its front matter cannot be parsed; add {skill} to its `skills:` yourself"))
            changes.append(PlannedWrite(file, present, present if edited is None else edited))
        changed = tuple(one for one in changes if one.before != one.after)
        return InstallPlan(changes[0], changed, tuple(left), agents)

    def install(self, wanted: Wanted, plan: InstallPlan) -> Path:
        """Carry out an installation; returns the file that keeps what the settings were before."""
        # First what is needed to uninstall: an interrupted installation is undone like any other.
        kept = self._remember(plan, plan.settings.before, plan.settings.after)
        done = _rewrite(self.places.settings, lambda data: self._merged(data, wanted))
        if (done.former, done.data) != (plan.settings.before, plan.settings.after):  # somebody was faster
            kept = self._remember(plan, done.former, done.data)
        self._carry_out(plan, with_skill)
        return kept

    def _remember(self, plan: InstallPlan, before: bytes | None, after: bytes | None) -> Path:
        """Record what is needed to uninstall; returns the file with the previous settings."""
        old = self._remembered
        former = self._former(before)
        foreign = {file for file, _ in plan.left}
        written = {str(file): disk.digest(data) for file, data in self._own_files() if file not in foreign}
        named = {str(one.file): plan.agents[one.file] for one in plan.changes if one.file in plan.agents}
        now = InstallRecord(
            settings=str(self.places.settings),
            existed=former is not None,
            installed=disk.digest(after or b""),
            files={**old.files, **written},
            folders=tuple(dict.fromkeys([*old.folders, *_missing_folders(plan)])),
            agents={**old.agents, **named},
            contract=self.contract,
            vaults=old.vaults,
        )
        ours = before is None or before == after or disk.digest(before) == old.installed
        return remember(self.places.settings, now, former or b"", None if ours else before)

    def farewell(self) -> InstallPlan:
        """What taking the installation back would change; nothing is written."""
        return self.plan(None, {Path(name): skill for name, skill in self._remembered.agents.items()})

    def uninstall(self, plan: InstallPlan) -> None:
        made = [Path(one) for one in self._remembered.folders]
        if plan.settings.before != plan.settings.after:
            self._give_back()
        self._carry_out(plan, without_skill, made)
        forget(self.places.settings)

    def _carry_out(self, plan: InstallPlan, edit: _Edit, made: Sequence[Path] = ()) -> None:
        """Write and remove all but the settings; folders of skills that are gone go, and those that were `made`."""
        for change in plan.changes:
            if change.file in plan.agents:
                _rewrite(change.file, partial(_edited, how=edit, skill=plan.agents[change.file]))
            elif change.file == self.places.settings:
                continue
            elif change.after is None:
                _remove(change.file)
            else:
                _publish(change.file, change.after)
        gone = (one.file.parent for one in plan.changes if one.after is None)
        own = [folder for folder in gone if folder.parent == self.places.skills]
        for folder in reversed(dict.fromkeys([*made, *own])):  # the outer ones come first
            with suppress(OSError):  # someone has added something to it
                folder.rmdir()

    def _give_back(self) -> None:
        present = _bytes(self.places.settings)
        if present is not None and self._former(present) is None:
            target = Path(os.path.realpath(self.places.settings))
            if rewrite.discard(target, present, root=target.parent).changed:
                return
        _rewrite(self.places.settings, self._former)

    def _merged(self, data: bytes | None, wanted: Wanted) -> bytes:
        text, bom = self._text(data or b"")
        try:
            merged = merge(text, wanted)
        except JsonTextError as error:
            raise self._broken(error) from None
        return data if data is not None and merged == text else bom + merged.encode("utf-8")

    def _former(self, data: bytes | None) -> bytes | None:
        """The settings without us: as they were before, if nobody has changed them since; else without our entries.

        None when there were none, and nobody else has put anything in.
        """
        found = remembered(self.places.settings)
        if data is None or found is None:
            return None if data is None else self._stripped(data, None)
        known, before = found
        if disk.digest(data) == known.installed:
            return before if known.existed else None
        stripped = self._stripped(data, before if known.existed else b"")
        holds = known.existed or root_of(self._text(stripped)[0], self.places.host).children
        return stripped if holds else None

    def _stripped(self, data: bytes, before: bytes | None) -> bytes:
        text, bom = self._text(data)
        if not text.strip():
            return data
        try:
            former = None if before is None else self._text(before)[0]
            return bom + without(text, self.places.host, former).encode("utf-8")
        except JsonTextError as error:
            raise self._broken(error) from None

    def _text(self, data: bytes) -> tuple[str, bytes]:
        bom = _BOM if data.startswith(_BOM) else b""
        raw = data[len(bom) :]
        try:
            return raw.decode("utf-8"), bom
        except UnicodeDecodeError as error:
            line = raw[: error.start].count(b"\n") + 1
            raise self._broken(JsonTextError("is not UTF-8", line)) from None

    def _broken(self, error: JsonTextError) -> ConfigError:
        return ConfigError(
            f"{error.what}; nothing was written",
            where=f"{self.places.settings}:{error.line}",
            next_step=f"Fix it ({self.places.host.title} needs it too) and run again.",
        )

    @property
    def vaults(self) -> Mapping[Path, ContractNote]:
        """The configurations of vaults in which the sub-agent contract was turned on."""
        return {Path(file): note for file, note in self._remembered.vaults.items()}

    @property
    def _remembered(self) -> InstallRecord:
        found = remembered(self.places.settings)
        return found[0] if found else InstallRecord(settings=str(self.places.settings), existed=True, installed="")

    def _own_files(self) -> Iterator[tuple[Path, bytes]]:
        for name, text in self.skills.items():
            folder = self.places.skills / name
            yield folder / FILE, text.encode("utf-8")
            if self.places.private:
                yield folder / _IGNORE, b"*\n"


def _missing_folders(plan: InstallPlan) -> list[str]:
    """The folders that will be made, the outer ones first."""
    missing: dict[str, None] = {}
    for change in plan.changes:
        above = [str(one) for one in change.file.parents if not one.exists()]
        missing |= dict.fromkeys(reversed(above))
    return list(missing)


def _edited(data: bytes | None, how: _Edit, skill: str) -> bytes | None:
    """An agent's file after a change of its front matter; None when there is none, or it is not understood."""
    text = None if data is None else how(data.decode("utf-8", "surrogateescape"), skill)
    return None if text is None else text.encode("utf-8", "surrogateescape")


def _bytes(file: Path) -> bytes | None:
    try:
        return disk.whole(file)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise PublishError(f"cannot be read ({error.strerror or error})", where=str(file)) from error


def _rewrite(file: Path, transform: rewrite.Transform) -> rewrite.Rewritten:
    """Change a file that others write too, through links to wherever they lead."""
    target = Path(os.path.realpath(file))
    return rewrite.rewrite(target, transform, root=target.parent)


def _publish(file: Path, data: bytes) -> None:
    target = Path(os.path.realpath(file))
    with disk.refused("the folder cannot be made", target.parent):
        target.parent.mkdir(parents=True, exist_ok=True)
    disk.publish(target, data, root=target.parent)


def _remove(file: Path) -> None:
    with disk.refused("cannot be removed", file):
        file.unlink()
