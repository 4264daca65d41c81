"""Files that hooks write, which must not wait for a disk nor load anything large."""

import json
import os
import time
from typing import Any

HOOKS_FOLDER = ".wrapgen/state/hooks"
_TEMPORARY = ".wrapgen-tmp"  # that of `wrapgen.vault.disk`, which is large


def folder_of(root: str, name: str) -> str:
    """One of the folders that hooks keep in a vault, made when it is missing.

    Args:
        root: the vault.
        name: the folder's name.

    Raises:
        WrapgenError: it cannot be made.
    """
    folder = f"{root}/{HOOKS_FOLDER}/{name}"
    own = os.path.join(os.path.realpath(root), *HOOKS_FOLDER.split("/"), name)
    if os.path.realpath(folder) != own or not os.path.isdir(folder):  # new, or a link that came with the vault
        from pathlib import Path

        from wrapgen.vault.files import make_private_folder

        make_private_folder(Path(folder), Path(root))
    return folder


def forget_old(folder: str, seconds: float) -> None:
    """Remove what was written into a folder so long ago that nobody asks for it.

    Args:
        folder: the folder.
        seconds: how long ago.
    """
    oldest = time.time() - seconds
    try:
        with os.scandir(folder) as entries:
            old = [entry.path for entry in entries if entry.stat().st_mtime < oldest]
    except OSError:
        return
    for file in old:
        try:
            os.unlink(file)
        except OSError:
            continue


def put(file: str, data: bytes) -> None:
    """Replace a file in one step, without waiting until it is on the disk; only its owner may read it.

    Args:
        file: the file; its folder is there.
        data: its new content.

    Raises:
        OSError: it cannot be written; the former one stands.
    """
    temporary = f"{file}.{os.getpid()}{_TEMPORARY}"
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | getattr(os, "O_BINARY", 0), 0o600)
    try:
        try:
            view = memoryview(data)
            while view:
                view = view[os.write(descriptor, view) :]
        finally:
            os.close(descriptor)
        os.replace(temporary, file)
    except OSError:
        os.unlink(temporary)
        raise


def put_json(file: str, document: dict[str, Any]) -> None:
    """Replace a file by a JSON document, see `put`."""
    put(file, json.dumps(document).encode())
