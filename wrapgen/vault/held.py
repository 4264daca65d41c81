"""Files by their names in a folder that is held open: one that is swapped for a link meanwhile leads nowhere else.

A path is looked up anew by every call, a descriptor is not. Each folder from the vault down is opened relative to the
one above it, and no link is followed there. Windows has no such calls: there a file goes by its path.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

from wrapgen.errors import PublishError
from wrapgen.regular_files import NO_LINKS, as_named, give_to_owner, opened

NO_LINKS_HERE = (errno.EPERM, errno.ENOTSUP, errno.ENOSYS, errno.EMLINK, errno.EOPNOTSUPP, errno.EINVAL)
"""How a file system says that it gives no file a second name."""
_CALLS = {os.access, os.link, os.mkdir, os.open, os.rename, os.stat, os.unlink}
_HOLDS = os.supports_dir_fd >= _CALLS and NO_LINKS != 0
_FOLDER = os.O_RDONLY | getattr(os, "O_DIRECTORY", 0) | NO_LINKS
_NEW_FOLDER = 0o777
# As Windows and macOS may spell it too.
_GIT = (".git", "git~1")


class HeldFile(NamedTuple):
    """A name in a folder, whether there is a file of that name or not; its calls raise what those of `os` raise."""

    path: Path  # where that was when the folder was opened; for messages
    folder: int | None = None  # the folder's descriptor, None where files go by their paths

    @property
    def name(self) -> str:
        return self.path.name

    @property
    def at(self) -> str:
        """The name to pass to calls that take the folder as `dir_fd`."""
        return os.fspath(self.path) if self.folder is None else self.path.name

    def with_name(self, name: str) -> HeldFile:
        """Another name in the folder."""
        return HeldFile(self.path.with_name(name), self.folder)

    def opened(self, flags: int = os.O_RDONLY) -> AbstractContextManager[int]:
        """The file's descriptor; a link is not followed, and what is new belongs to whom the folder belongs."""
        return opened(self.at, flags, follow=False, folder=self.folder)

    def is_open_as(self, descriptor: int) -> bool:
        """Whether an open file has this name."""
        try:
            return os.path.samestat(os.fstat(descriptor), self.stat())
        except FileNotFoundError:
            return False

    def stat(self) -> os.stat_result:
        """Of the file itself, also when it is a link."""
        return os.stat(self.at, dir_fd=self.folder, follow_symlinks=False)

    def exists(self) -> bool:
        """Whether anything has the name."""
        try:
            self.stat()
        except FileNotFoundError:
            return False
        return True

    def is_writable(self) -> bool:
        """Whether this user may write the file."""
        return os.access(self.at, os.W_OK, dir_fd=self.folder)

    def rename(self, other: HeldFile) -> None:
        """Windows refuses to replace another one."""
        os.rename(self.at, other.at, src_dir_fd=self.folder, dst_dir_fd=other.folder)

    def replace(self, other: HeldFile) -> None:
        os.replace(self.at, other.at, src_dir_fd=self.folder, dst_dir_fd=other.folder)

    def place(self, other: HeldFile) -> None:
        """Give the file the name of one that does not exist yet; FileExistsError where it does, and neither changes."""
        if os.name != "posix":
            self.rename(other)  # refuses by itself to replace a file
            return
        try:
            self.link(other)
        except OSError as error:
            if error.errno not in NO_LINKS_HERE or other.exists():
                raise
            self.replace(other)  # no links on this file system: the best that is possible there
            return
        if other.folder == self.folder:
            with suppress(OSError):  # a temporary one that stays is removed by the next run
                self.unlink()
        else:
            other.sync_folder()  # a power cut may take either folder's change and not the other's
            self.unlink()

    def link(self, other: HeldFile) -> None:
        os.link(self.at, other.at, src_dir_fd=self.folder, dst_dir_fd=other.folder)

    def unlink(self) -> None:
        os.unlink(self.at, dir_fd=self.folder)

    def names(self) -> list[str]:
        """All names in the folder."""
        return os.listdir(self.path.parent if self.folder is None else self.folder)  # noqa: PTH208 - or a descriptor

    def sync_folder(self) -> None:
        """Make what was named and renamed in the folder survive a power cut."""
        sync_folder(self.path.parent if self.folder is None else self.folder)


def sync_folder(folder: Path | int) -> None:
    """Make a rename survive a power cut; systems that cannot open folders do so by themselves."""
    if os.name != "posix":
        return
    try:
        descriptor = folder if isinstance(folder, int) else os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            if descriptor is not folder:
                os.close(descriptor)
    except OSError as error:
        if error.errno not in (errno.EINVAL, errno.ENOTSUP, errno.EACCES):
            raise


def inside(file: Path, root: Path) -> Path:
    """A file of the vault itself, links followed; neither it nor what it leads to need exist.

    Raises PublishError when a link leads outside the vault, or to git's own files, by which git can be made to run
    anything.
    """
    target = Path(os.path.realpath(as_named(os.fspath(file))))
    real_root = os.path.realpath(root)
    if not target.is_relative_to(real_root):
        raise PublishError(
            "is behind a symbolic link that leads outside the vault, so it is not written",
            where=str(file),
            next_step="Remove the link, or move what it leads to into the vault.",
        )
    if any(part.casefold().rstrip(". ") in _GIT for part in target.relative_to(real_root).parts):
        raise PublishError(
            "lies in git's own folder, so it is not written",
            where=str(file),
            next_step="Remove the link, or give another path in wrapgen.toml.",
        )
    return target


@contextmanager
def held(file: Path, root: Path, *, new_folders: int | None = None) -> Iterator[HeldFile]:
    """A file by its name in its folder, which is held open; links inside the vault are followed before that.

    Missing folders are made with the mode `new_folders`, if one is given. Raises OSError when a folder is missing, or
    cannot be opened or made, and PublishError when a link leads outside the vault, or took a folder's place just now.
    """
    target = inside(file, root)
    top = os.path.realpath(root)
    if not _HOLDS or target == Path(top):
        if new_folders is not None:
            _make_by_path(target.parent, new_folders)
        yield HeldFile(target)
        return
    if new_folders is not None:
        _make_by_path(Path(top), new_folders)
    try:
        folder = _descend(top, target.parent.relative_to(top).parts, new_folders)
    except OSError as error:
        if error.errno in (errno.ELOOP, errno.ENOTDIR) and Path(os.path.realpath(target)) != target:
            raise PublishError(
                "a folder above it was replaced by a link while wrapgen ran, so it is not written",
                where=str(file),
                next_step="Look at what stands there now, and run again.",
            ) from error
        raise
    try:
        yield HeldFile(target, folder)
    finally:
        os.close(folder)


def make_folder(folder: Path, root: Path, mode: int = _NEW_FOLDER) -> None:
    """Make a folder with those above it that are missing, each its upper one's owner's; raises what `held` raises."""
    with held(folder / "file", root, new_folders=mode):
        pass


def _descend(top: str, parts: tuple[str, ...], mode: int | None) -> int:
    folder = os.open(top, _FOLDER)
    try:
        for part in parts:
            try:
                lower = os.open(part, _FOLDER, dir_fd=folder)
            except FileNotFoundError:
                if mode is None:
                    raise
                _make_in(folder, part, mode)
                lower = os.open(part, _FOLDER, dir_fd=folder)
            os.close(folder)
            folder = lower
    except BaseException:
        os.close(folder)
        raise
    return folder


def _make_in(folder: int, name: str, mode: int) -> None:
    with suppress(FileExistsError):  # another run has just made it
        os.mkdir(name, mode, dir_fd=folder)
        give_to_owner(name, folder)
    sync_folder(folder)  # else a power cut takes it with everything that is in it


def _make_by_path(folder: Path, mode: int) -> None:
    for path in reversed([one for one in (folder, *folder.parents) if not one.exists()]):
        with suppress(FileExistsError):  # another run has just made it
            path.mkdir(mode)
            give_to_owner(str(path), str(path.parent))
