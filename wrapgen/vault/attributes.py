"""What a file has beside its content, given to the one that replaces it: owner, mode, access list, attributes.

Windows has no calls for it that Python knows: a file that is replaced there takes the access list of its folder.
"""

from __future__ import annotations

import ctypes
import errno
import os
import stat
import sys
from contextlib import suppress

_ACCESS_LIST = "system.posix_acl_access"
_NO_ROOM = (errno.EIO, errno.ENOSPC, errno.EDQUOT, errno.EROFS)
_COPYFILE_ACL, _COPYFILE_XATTR = 1 << 0, 1 << 2


class NotKeptError(OSError):
    """Something that a file has beside its content cannot be given to another file."""


def copy(like: int, new: int, *, whole: bool = True) -> None:
    """Give a file's owner, mode, access list and attributes to another one: what root writes stays the user's.

    Args:
        like: the file, opened.
        new: the other one, opened; nobody else knows it yet.
        whole: whether all of it must be given; else as much as can be, and the mode.

    Raises:
        NotKeptError: one of them cannot be given.
    """
    if os.name != "posix":
        return
    was, now = os.fstat(like), os.fstat(new)
    try:
        if (was.st_uid, was.st_gid) != (now.st_uid, now.st_gid):
            os.fchown(new, was.st_uid, was.st_gid)
        _copy_attributes(like, new)
    except OSError as error:
        if error.errno in _NO_ROOM:
            raise
        if whole:
            raise NotKeptError(error.errno, error.strerror) from error
    os.fchmod(new, stat.S_IMODE(was.st_mode))  # last: changing the owner clears mode bits


if sys.platform == "linux":

    def _copy_attributes(like: int, new: int) -> None:
        wanted, there = _attributes(like), _attributes(new)
        for name, value in wanted.items():
            if there.get(name) != value:
                os.setxattr(new, name, value)
        if _ACCESS_LIST in there.keys() - wanted.keys():  # the folder's default for new files
            os.removexattr(new, _ACCESS_LIST)

    def _attributes(descriptor: int) -> dict[str, bytes]:
        with suppress(OSError):  # a file system without any
            return {name: os.getxattr(descriptor, name) for name in os.listxattr(descriptor)}
        return {}

elif sys.platform == "darwin":

    def _copy_attributes(like: int, new: int) -> None:
        call = ctypes.CDLL(None, use_errno=True).fcopyfile
        call.argtypes = (ctypes.c_int, ctypes.c_int, ctypes.c_void_p, ctypes.c_uint32)
        if call(like, new, None, _COPYFILE_ACL | _COPYFILE_XATTR) < 0:
            number = ctypes.get_errno()
            raise OSError(number, os.strerror(number))

else:

    def _copy_attributes(like: int, new: int) -> None:
        """Other systems have no such call."""
