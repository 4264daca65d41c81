"""Reading sources, and publishing what the program makes by itself; what all replacements of files share.

A file is replaced in one step (temporary file in the same folder, fsync, rename, fsync of the folder), so that neither
a reader nor a crash leaves half a file. Files that people write are changed by `wrapgen.vault.rewrite`.
"""

from __future__ import annotations

import errno
import os
import stat
import sys
from collections.abc import Container, Mapping
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from wrapgen.errors import PublishError, remedy
from wrapgen.regular_files import ENDING, content, discard, opened, whole, write_all, write_temporary
from wrapgen.text.encodings import other_form
from wrapgen.vault.held import held, inside, make_folder

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from wrapgen.vault.held import HeldFile

# Part of this kit; hooks take them from where nothing large is loaded.
__all__ = ["ENDING", "content", "opened", "whole"]

# Names may have 255 bytes; suffixes take at most this many.
_LONGEST_NAME = 160
_NEW_FILE = 0o666
_PRIVATE_FILE = 0o600
_ACCESS_LIST_AND_ATTRIBUTES = 1 << 0 | 1 << 2  # COPYFILE_ACL, COPYFILE_XATTR


def below(folder: Path | str, leave_out: Container[str] = ()) -> Iterator[os.DirEntry[str]]:
    """Everything in a folder and in those below it, by name; one that cannot be listed holds nothing."""
    todo = [os.fspath(folder)]
    while todo:
        try:
            with os.scandir(todo.pop()) as listed:
                entries = sorted(listed, key=lambda entry: entry.name)
        except OSError:
            continue
        yield from entries
        todo += [one.path for one in entries if one.is_dir(follow_symlinks=False) and one.name not in leave_out]


def append(descriptor: int, data: bytes, *, durable: bool = True) -> None:
    """Append to a file that is opened for reading and appending; durable: wait until it is on the disk.

    Raises OSError: then nothing is appended, as far as the disk allows and nobody else has appended more.
    """
    size = os.fstat(descriptor).st_size
    try:
        write_all(descriptor, data)
        if durable:
            os.fsync(descriptor)
    except OSError:
        with suppress(OSError):
            os.lseek(descriptor, size, os.SEEK_SET)
            if data.startswith(os.read(descriptor, len(data) + 1)):
                os.ftruncate(descriptor, size)
        raise


def digest(data: bytes) -> str:
    """A short name for what a file holds."""
    import hashlib

    return hashlib.sha256(data).hexdigest()[:16]


def stem(name: str) -> str:
    """The prefix of all files that wrapgen creates beside one of this name; they are hidden and in the same folder."""
    known = name if len(os.fsencode(name)) <= _LONGEST_NAME else digest(os.fsencode(name))
    return f".{known}."


def write_beside(
    target: HeldFile, data: bytes | Iterable[bytes], like: int | None, *, private: bool = False
) -> HeldFile:
    """Write a temporary file beside another one, and make sure that it is on the disk; OSError leaves nothing of it.

    It gets mode, owner, access list and attributes of the open file that it is to be `like`, else those of a new file.
    """
    name = write_temporary(
        target.with_name(stem(target.name)).at,
        [data] if isinstance(data, bytes) else data,
        mode=_PRIVATE_FILE if private or like is not None else _NEW_FILE,
        folder=target.folder,
        durable=True,
        finish=None if like is None else partial(_take_after, like),
    )
    return target.with_name(os.path.basename(name))  # noqa: PTH119 - a name, where the folder is held


def is_ours(descriptor: int) -> bool:
    """Whether what replaces an open file belongs to the same user as it does; root gives it to them."""
    return os.name != "posix" or os.geteuid() in (0, os.fstat(descriptor).st_uid)


def _take_after(like: int, new: int) -> None:
    """Give a file the mode, owner, access list and attributes of another one; its content stays new."""
    import ctypes
    import shutil

    if os.name != "posix":
        return
    was = os.fstat(like)
    if os.geteuid() == 0:
        os.fchown(new, was.st_uid, was.st_gid)
    else:
        with suppress(PermissionError):  # a group that this user is not in
            os.fchown(new, -1, was.st_gid)
    if sys.platform == "darwin":  # where `copystat` knows neither, and Finder's tags are attributes
        ctypes.CDLL(None).fcopyfile(like, new, None, _ACCESS_LIST_AND_ATTRIBUTES)
        os.fchmod(new, stat.S_IMODE(was.st_mode))
    else:
        shutil.copystat(like, new)  # type: ignore[arg-type]  # descriptors serve as paths
        os.utime(new)


@contextmanager
def replacing(
    target: HeldFile, data: bytes | Iterable[bytes], like: int | None = None, *, private: bool = False
) -> Iterator[None]:
    """Write a temporary file beside the target, run the body, then rename it into place; as for `write_beside`."""
    temporary = write_beside(target, data, like, private=private)
    try:
        yield
        temporary.replace(target)
    except BaseException:
        discard(temporary.at, temporary.folder)
        raise


def sync_name(file: HeldFile) -> None:
    """Make a file's new name survive a power cut; PublishError where the disk does not confirm it, but it exists."""
    try:
        file.sync_folder()
    except OSError as error:
        raise cannot("is written, but the disk did not confirm it", file.path, error) from error


def remove_leftovers(target: HeldFile) -> None:
    """Remove the temporary files that a killed run left beside a file; call it under the lock."""
    for leftover in beside(target):
        if leftover.name.endswith(ENDING):
            discard(leftover.at, leftover.folder)


def sweep(folder: Path) -> None:
    """Remove the temporary files that killed runs left in one of the program's own folders; call it under the lock."""
    with suppress(OSError), os.scandir(folder) as entries:
        for leftover in [entry.path for entry in entries if entry.name.endswith(ENDING)]:
            discard(leftover)


def beside(target: HeldFile) -> list[HeldFile]:
    """What wrapgen made beside a file: temporary ones, and copies aside."""
    start = stem(target.name)
    return [target.with_name(name) for name in sorted(target.names()) if name.startswith(start) and ".wrapgen-" in name]


@contextmanager
def refused(what: str, where: Path) -> Iterator[None]:
    """Give what the system refuses the words of `cannot`."""
    try:
        yield
    except OSError as error:
        raise cannot(what, where, error) from error


def cannot(what: str, where: Path, error: OSError) -> PublishError:
    """The error message for a failed write: what happened, and that nothing was lost."""
    return PublishError(f"{what} ({error.strerror or error})", where=str(where), next_step=remedy(error))


DECODED_WITH_ERRORS = "decoded with errors"
LARGEST_FILE = 5_000_000
"""Bytes; larger files are listed as unreadable instead of read."""
_PRIVATE_FOLDER = 0o700
_IGNORE = ".gitignore"
_OWN, _SHARED = ".wrapgen", "said.jsonl"  # the program's folder, and what clones share of it


class Text(NamedTuple):
    """What a file holds."""

    text: str  # without byte order mark, line endings as they are
    trouble: str | None = None  # what was wrong with it although it was read


def read(file: Path | str, max_bytes: int) -> Text:
    """Read a file whole; OSError when it is no regular file or no text, or is larger than `max_bytes` (`EFBIG`)."""
    with opened(file) as descriptor:
        data = content(descriptor, max_bytes + 1)
    if len(data) > max_bytes:
        raise OSError(errno.EFBIG, f"is larger than {max_bytes} bytes")
    if form := other_form(data):
        raise OSError(errno.EILSEQ, f"{DECODED_WITH_ERRORS}: it is {form}, so nothing in it is read; save it as UTF-8")
    try:
        return Text(data.decode("utf-8-sig"))
    except UnicodeDecodeError:
        return Text(data.decode("utf-8-sig", "replace"), DECODED_WITH_ERRORS)


def make_private_folder(folder: Path, root: Path, *, ignored: Path | None = None, pattern: str = "*") -> None:
    """Create a folder for the program's own files: private to the user, ignored by git; PublishError when it cannot be.

    Args:
        ignored: the folder that git is told to ignore when it is new or empty; by default `.wrapgen` where a killed
            run left it or a clone brought it with nothing else, or the topmost new one, or the folder itself.
        pattern: what git is told to ignore in a folder that is not new; there may be somebody's files in it.
    """
    inside(folder, root)
    with refused("the folder cannot be made", folder):
        missing = list(takewhile(lambda path: not path.exists(), (folder, *folder.parents)))
        own = [path for path in (folder, *folder.parents) if path.is_relative_to(root) and path != root]
        bare = next(filter(_is_bare, own), None)
        if missing:
            make_folder(folder, root, _PRIVATE_FOLDER)
        if ignored:
            due = bool(missing) or all(one.name == _IGNORE for one in ignored.iterdir())  # else it is the user's own
        else:
            ignored = bare or (missing[-1] if missing else folder)
            due = not any(_ignores(one, b"*", pattern.encode()) for one in own)
        file = ignored / _IGNORE
        if due and not (file.exists() and file.stat().st_size > 0):
            with held(file, root) as ignore, ignore.opened(os.O_RDWR | os.O_APPEND | os.O_CREAT) as descriptor:
                words = _ignoring(ignored, "*" if missing or bare else pattern)
                append(descriptor, words, durable=False)  # all or nothing
    for one in own:
        let_through(one, root)


def let_through(folder: Path, root: Path) -> None:
    """Let git see what clones share, where an earlier version told it to ignore all of the program's folder."""
    if folder.name == _OWN:
        with suppress(OSError, PublishError):
            if whole(folder / _IGNORE).split() == [b"*"]:
                publish(folder / _IGNORE, _ignoring(folder, "*"), root=root, private=True)


def _ignoring(folder: Path, pattern: str) -> bytes:
    """What git is told in a folder of the program, this file being none of it: what clones share is let through.

    Were it committed, another clone would get it in place of its own, which ignores more.
    """
    if pattern != "*":
        return f"{pattern}\n.*.wrapgen-*\n{_IGNORE}\n".encode()
    return (f"*\n!/{_SHARED}\n" if folder.name == _OWN else "*\n").encode()


def _is_bare(folder: Path) -> bool:
    """Whether the program's folder holds nothing of anybody's: a killed run left it, or a clone brought it."""
    return (
        folder.name == _OWN
        and folder.is_dir()
        and all(one.name == _SHARED or (one.name == _IGNORE and one.stat().st_size == 0) for one in folder.iterdir())
    )


def _ignores(folder: Path, *patterns: bytes) -> bool:
    with suppress(FileNotFoundError):
        return not set(patterns).isdisjoint(whole(folder / _IGNORE).split())
    return False


def make_new(root: Path, files: Mapping[str, str]) -> list[str]:
    """Write files (texts by path) that do not exist yet, with the folders above them; the paths that were written."""
    written: list[str] = []
    for path, text in files.items():
        target = root / path
        if not os.path.lexists(target):
            make_folder(inside(target, root).parent, root)
            publish(target, text.encode("utf-8"), root=root, private=path.startswith(".wrapgen/"))
            written.append(path)
    return written


def publish(file: Path, data: bytes, *, root: Path, private: bool = False) -> bool:
    """Replace a file in one step, or leave it alone when it already holds the text; whether it was replaced.

    Raises PublishError when it cannot be written, or is a link out of the vault; the existing file is unchanged.
    """
    with refused("cannot be written; the existing file is unchanged", file), held(file, root) as target:
        if target.path.is_dir():
            raise PublishError("is a folder, so nothing can be written there", where=str(target.path))
        remove_leftovers(target)
        with ExitStack() as stack:
            former = None
            with suppress(FileNotFoundError):
                former = stack.enter_context(target.opened())
                if content(former) == data:
                    return False
            with replacing(target, data, former, private=private):
                if os.name != "posix":
                    stack.close()  # other systems do not replace a file that is open
        sync_name(target)
    return True
