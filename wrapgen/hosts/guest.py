"""Being a guest in a host's settings: coming, coming again with a new version, and going without a trace."""

from __future__ import annotations

import os
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from wrapgen.errors import ConfigError, PublishError
from wrapgen.hosts import front, jsontext, record, settings
from wrapgen.hosts.jsontext import JsonTextError
from wrapgen.hosts.record import Record
from wrapgen.hosts.skills import FILE
from wrapgen.vault import disk, files, rewrite

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from wrapgen.hosts.places import Places
    from wrapgen.hosts.settings import Wanted

_BOM = b"\xef\xbb\xbf"
_IGNORE = ".gitignore"


@dataclass(frozen=True, slots=True)
class Change:
    """What becomes of a file.

    Attributes:
        file: the file.
        before: what it holds, None when there is none.
        after: what it is to hold, None when it is to be gone.
    """

    file: Path
    before: bytes | None
    after: bytes | None


@dataclass(frozen=True, slots=True)
class Plan:
    """What an installation does, or taking it back.

    Attributes:
        changes: the files that change, the settings first.
        left: files that are somebody's own, with the reason why they stay as they are.
        agents: the skill that each agent's file gets, or has got.
    """

    changes: tuple[Change, ...]
    left: tuple[tuple[Path, str], ...] = ()
    agents: Mapping[Path, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Guest:
    """Wrapgen in one host's settings of one scope.

    Attributes:
        places: the files.
        skills: the texts of the skills by name.
    """

    places: Places
    skills: Mapping[str, str]

    # ---- coming

    def plan(self, wanted: Wanted, agents: Mapping[Path, str]) -> Plan:
        """What an installation would change; nothing is written.

        Args:
            wanted: what is to stand in the settings.
            agents: files of agents that are to name a skill.

        Raises:
            ConfigError: the settings are broken.
            PublishError: a file cannot be read.
        """
        before = _bytes(self.places.settings)
        changes = [Change(self.places.settings, before, self._merged(before, wanted))]
        left: list[tuple[Path, str]] = []
        known = self._record.files if self._record else {}
        for file, data in self._own_files():
            present = _bytes(file)
            if present is None or known.get(str(file)) == disk.digest(present):
                changes.append(Change(file, present, data))
            elif present != data:
                left.append((file, "is not what wrapgen wrote there, so it stays as it is"))
        for file, skill in agents.items():
            change = _agent(file, skill)
            if change is None:
                left.append((file, f"its front matter is not understood; add {skill} to its `skills:` yourself"))
            else:
                changes.append(change)
        return Plan(tuple(one for one in changes if one.before != one.after), tuple(left), agents)

    def install(self, wanted: Wanted, plan: Plan) -> Path:
        """Carry an installation out; the caller holds the lock of installations.

        Returns:
            the file that keeps what the settings were before.

        Raises:
            ConfigError: the settings are broken; nothing is written.
            PublishError: a file cannot be written; those before it are.
        """
        former_record = record.remembered(self.places.settings)
        old = former_record[0] if former_record else None
        folders = [*(old.folders if old else ()), *self._missing_folders(plan)]
        done = _rewrite(self.places.settings, lambda data: self._merged(data, wanted))
        written = dict(old.files if old else {})
        for change in plan.changes:
            if change.file != self.places.settings and change.after is not None:
                _publish(change.file, change.after)
        for file, data in self._own_files():
            if _bytes(file) == data:
                written[str(file)] = disk.digest(data)
        former = self._former(done.former, former_record)
        changed = {str(one.file): plan.agents[one.file] for one in plan.changes if one.file in plan.agents}
        now = Record(
            settings=str(self.places.settings),
            existed=former is not None,
            installed=disk.digest(done.data or b""),
            files=written,
            folders=tuple(dict.fromkeys(map(str, folders))),
            agents={**(old.agents if old else {}), **changed},
        )
        return record.remember(self.places.settings, now, former or b"")

    def _merged(self, data: bytes | None, wanted: Wanted) -> bytes:
        text, bom = self._text(data)
        try:
            merged = settings.merge(text, wanted)
        except JsonTextError as error:
            raise self._broken(error) from None
        return data if data is not None and merged == text else bom + merged.encode("utf-8")

    def _former(self, present: bytes | None, old: tuple[Record, bytes] | None) -> bytes | None:
        """What stood there without us: what was remembered, unless somebody has changed the file since."""
        if old is not None and present is not None and disk.digest(present) == old[0].installed:
            return old[1] if old[0].existed else None
        return None if present is None else self._stripped(present, old[1] if old and old[0].existed else None)

    def _own_files(self) -> Iterator[tuple[Path, bytes]]:
        """The files that are written whole."""
        for name, text in self.skills.items():
            folder = self.places.skills / name
            yield folder / FILE, text.encode("utf-8")
            if self.places.private:
                yield folder / _IGNORE, b"*\n"

    def _missing_folders(self, plan: Plan) -> list[Path]:
        """The folders that will be made, the outer ones first."""
        missing: dict[Path, None] = {}
        for change in plan.changes:
            above = [one for one in change.file.parents if not one.exists()]
            missing |= dict.fromkeys(reversed(above))
        return list(missing)

    # ---- going

    def farewell(self) -> Plan:
        """What taking the installation back would change; nothing is written.

        Raises:
            ConfigError: the settings are broken.
            PublishError: a file cannot be read.
        """
        before = _bytes(self.places.settings)
        changes = [Change(self.places.settings, before, self._restored(before))]
        left: list[tuple[Path, str]] = []
        known = self._record.files if self._record else {}
        own = dict(self._own_files())
        for file in dict.fromkeys([*own, *map(Path, known)]):
            present = _bytes(file)
            if present is None:
                continue
            if present == own.get(file) or disk.digest(present) == known.get(str(file)):
                changes.append(Change(file, present, None))
            elif str(file) in known:
                left.append((file, "was changed by somebody, so it stays"))
        for name, skill in (self._record.agents if self._record else {}).items():
            present = _bytes(Path(name))
            if present is not None:
                text = front.without_skill(present.decode("utf-8", "surrogateescape"), skill)
                changes.append(Change(Path(name), present, text.encode("utf-8", "surrogateescape")))
        return Plan(tuple(one for one in changes if one.before != one.after), tuple(left))

    def uninstall(self, plan: Plan) -> None:
        """Take an installation back; the caller holds the lock of installations.

        Raises:
            ConfigError: the settings are broken; nothing is written.
            PublishError: a file cannot be written or removed.
        """
        folders = [Path(one) for one in (self._record.folders if self._record else ())]
        for change in plan.changes:
            if change.file == self.places.settings:
                self._restore()
            elif change.after is not None:
                _publish(change.file, change.after)
            else:
                _remove(change.file)
        for folder in reversed(dict.fromkeys([*folders, *(one.file.parent for one in plan.changes if not one.after)])):
            with suppress(OSError):  # it was there before, or somebody has put something into it
                if folder in folders or folder.parent == self.places.skills:
                    folder.rmdir()
        record.forget(self.places.settings)

    def _restore(self) -> None:
        present = _bytes(self.places.settings)
        if present is not None and self._restored(present) is None:
            target = Path(os.path.realpath(self.places.settings))
            if rewrite.discard(target, present, root=target.parent).changed:
                return
        _rewrite(self.places.settings, self._restored)

    def _restored(self, data: bytes | None) -> bytes | None:
        """The settings without us; None when there were none before."""
        if data is None:
            return None
        old = record.remembered(self.places.settings)
        if old is None:
            return self._stripped(data, None)
        if disk.digest(data) == old[0].installed:
            return old[1] if old[0].existed else None
        stripped = self._stripped(data, old[1] if old[0].existed else None)
        return None if not old[0].existed and self._holds_nothing(stripped) else stripped

    def _stripped(self, data: bytes, former: bytes | None) -> bytes:
        text, bom = self._text(data)
        if not text.strip():
            return data
        try:
            before = None if former is None else self._text(former)[0]
            stripped = settings.without(text, self.places.host, before)
        except JsonTextError as error:
            raise self._broken(error) from None
        return bom + stripped.encode("utf-8")

    def _holds_nothing(self, data: bytes) -> bool:
        return not jsontext.parse(self._text(data)[0], comments=self.places.host.comments).children

    # ---- both

    @property
    def _record(self) -> Record | None:
        found = record.remembered(self.places.settings)
        return found[0] if found else None

    def _text(self, data: bytes | None) -> tuple[str, bytes]:
        """A settings file as text, and its byte order mark."""
        bom = _BOM if (data or b"").startswith(_BOM) else b""
        raw = (data or b"")[len(bom) :]
        try:
            return raw.decode("utf-8"), bom
        except UnicodeDecodeError as error:
            line = raw[: error.start].count(b"\n") + 1
            raise self._broken(JsonTextError("is not UTF-8", line)) from None

    def _broken(self, error: JsonTextError) -> ConfigError:
        return ConfigError(
            f"{error.what}; nothing was written",
            where=f"{self.places.settings}:{error.line}",
            next_step=f"Mend it, as {self.places.host.title} needs it too, and run again.",
        )


def _agent(file: Path, skill: str) -> Change | None:
    before = _bytes(file)
    if before is None:
        return None
    after = front.with_skill(before.decode("utf-8", "surrogateescape"), skill)
    return None if after is None else Change(file, before, after.encode("utf-8", "surrogateescape"))


def _bytes(file: Path) -> bytes | None:
    """What a file holds, None when there is none."""
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
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise disk.cannot("the folder cannot be made", target.parent, error) from error
    files.publish(target, data, root=target.parent)


def _remove(file: Path) -> None:
    try:
        file.unlink()
    except OSError as error:
        raise disk.cannot("cannot be removed", file, error) from error
