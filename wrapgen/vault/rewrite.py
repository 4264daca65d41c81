from dataclasses import dataclass
from pathlib import Path


@dataclass
class Rewritten:
    former: bytes | None
    data: bytes | None
    changed: bool
    carried: int = 0
    rescued: tuple[Path, ...] = ()


def rewrite(file, transform, *, root):
    former = file.read_bytes() if file.exists() else None
    new = transform(former)
    if new is None or new == former:
        return Rewritten(former, former, False)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(new)
    return Rewritten(former, new, True)


def discard(file, expected, *, root):
    if file.exists() and file.read_bytes() == expected:
        file.unlink()
        return Rewritten(expected, None, True)
    return Rewritten(None, None, False)
