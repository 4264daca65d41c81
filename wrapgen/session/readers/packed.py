"""Conversations that their host has packed with zstd, as Codex does after a week."""

import io
import os
from importlib.util import find_spec
from pathlib import Path
from typing import BinaryIO, cast

PACKED = ".zst"
_LARGEST = 256 * 1024 * 1024  # bytes of a conversation once unpacked, which is held as a whole
_CHUNK = 1 << 20


def is_packed(path: Path | str) -> bool:
    """Whether a file is one, by its name."""
    return os.fspath(path).endswith(PACKED)


def can_unpack() -> bool:
    """Whether a library for it is there."""
    return find_spec("zstandard") is not None


def unpacked(file: BinaryIO) -> BinaryIO:
    """The file as it was before; raises `OSError` when it is damaged, too large, or cannot be unpacked here."""
    try:
        import zstandard
    except ImportError as error:
        raise OSError(
            0, "it is packed with zstd: `pip install 'wrapgen[zstd]'`, or unpack it with `zstd -d`"
        ) from error
    data = io.BytesIO()
    try:
        with zstandard.ZstdDecompressor().stream_reader(file) as reader:
            while chunk := reader.read(_CHUNK):
                data.write(chunk)
                if data.tell() > _LARGEST:
                    raise OSError(0, "it is too large once unpacked")
    except zstandard.ZstdError as error:
        raise OSError(0, f"it is damaged ({error})") from error
    data.seek(0)
    return cast("BinaryIO", data)
