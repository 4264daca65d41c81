"""What an installation records: the previous state, so that it can be removed without a trace.

One folder per settings file, in the user's own state folder: `former.json`, the file without wrapgen; `before.json`,
the very bytes that were there; and `record.json`.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec

from wrapgen.vault import disk
from wrapgen.vault.files import make_private_folder, publish
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
