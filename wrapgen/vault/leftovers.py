"""What killed runs left beside the notes: temporary files, and displaced files that may contain user text."""

from __future__ import annotations

import re
from pathlib import Path

from wrapgen.vault import disk
from wrapgen.vault.rewrite import rewrite

_NAME = re.compile(
    r"\.(?P<target>.+)\.(?:"
    r"\d+\.[0-9a-f]{8}\.wrapgen-tmp"
    r"|[0-9a-f]{16}-\d+\.[0-9a-f]{16}-\d+\.[0-9a-f]+\.wrapgen-swap"
    r"|[0-9a-f]{16}-\d+\.[0-9a-f]+\.wrapgen-both)",
    re.DOTALL,
)


def left_over(root: Path) -> list[Path]:
    """Every such file in a vault. A running process may still own some, so call it under the vault's lock."""
    return [Path(one.path) for one in disk.below(root, leave_out=".git") if _NAME.fullmatch(one.name)]


def put_in_order(leftover: Path, root: Path) -> tuple[Path, ...]:
    """Finish what a killed run began with a file; the caller holds the vault's lock.

    Args:
        leftover: one of the files that it left.

    Returns:
        where words are kept that could not be given back to their file.

    Raises:
        PublishError: the file cannot be written, or somebody keeps it open for writing.
    """
    return rewrite(_target(leftover), lambda _: None, root=root).rescued


def _target(leftover: Path) -> Path:
    """The file that a leftover belongs to."""
    said = _NAME.fullmatch(leftover.name)
    assert said is not None
    stem = f".{said['target']}."
    # A leftover of a file with a very long name does not contain that name.
    like = (file for file in leftover.parent.iterdir() if disk.stem(file.name) == stem)
    return next(like, leftover.with_name(said["target"]))
