"""Tries each verb on single items of a vault, and says which lines changed that were not named.

`python -m tests.edits VAULT... [--items 10] [--seed 1]`: each vault is copied, and every verb is tried on some of its
open items, and taken back. What the verb was told to change are the lines of the item and of what is merged into it;
the multiset of all other lines must stay, and undo must give every byte back.
"""

from __future__ import annotations

import argparse
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.support import wrap

if TYPE_CHECKING:
    from collections.abc import Iterator

VERBS = ("done", "edit", "due", "move", "keep", "snooze")
PAGE = "ACTIVE-STATUS.md"
_OWN = (".wrapgen", ".agents", ".git", ".obsidian")
_BREAK = re.compile(rb"\r\n|\r|\n")
_BEGINS = re.compile(rb"[ \t]*(?:[-*+>|]|\d{1,9}[.)]|#|```)")  # a line that goes on with no item's words
_ROW = re.compile(rb"[ \t>]*(?:[-*+]|\d{1,9}[.)])?[ \t]*")


def notes(root: Path) -> dict[str, bytes]:
    """What every file holds that a person may write."""
    return {
        path.relative_to(root).as_posix(): path.read_bytes()
        for path in root.rglob("*")
        if path.suffix in (".md", ".txt")
        and path.name != PAGE
        and path.relative_to(root).parts[0] not in _OWN
        and path.is_file()
        and not path.is_symlink()
    }


def lines(files: dict[str, bytes]) -> Counter[bytes]:
    return Counter(line for data in files.values() for line in _BREAK.split(data) if line.strip())


@dataclass(slots=True)
class Tried:
    """What came of the tries."""

    tries: Counter[str] = field(default_factory=Counter)
    refused: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)


def outcome_lines(items: list[dict[str, Any]], item: dict[str, Any], files: dict[str, bytes]) -> list[bytes]:
    """The lines of an item and of what is merged into it, with the lines that its words go on in."""
    kept = item["id"] if item["fate"] != "duplicate" else (item["because"] or {}).get("item")
    group = [
        one
        for one in items
        if one["id"] in (item["id"], kept)
        or (one["fate"] == "duplicate" and (one["because"] or {}).get("item") == kept)
    ]
    found: list[bytes] = []
    for one in group:
        rows = _BREAK.split(files[one["path"]].removeprefix(b"\xef\xbb\xbf"))
        at = one["line"] - 1
        found.append(rows[at])
        indent = len(rows[at]) - len(rows[at].lstrip())
        for row in rows[at + 1 :]:
            if not row.strip() or (len(row) - len(row.lstrip()) <= indent and _BEGINS.match(row)):
                break
            found.append(row)
    return found


def words(line: bytes) -> bytes:
    return _ROW.sub(b"", line, count=1).strip()


def attempt(
    root: Path, verb: str, item: dict[str, Any], items: list[dict[str, Any]], to: str
) -> tuple[bool, list[str]]:
    """Try a verb on an item, and take it back.

    Returns:
        whether it was done, and what is wrong.
    """
    before = notes(root)
    named = outcome_lines(items, item, before)
    told = {
        "done": ["done", item["id"]],
        "edit": ["edit", item["id"], "Zwölf Boxkämpfer jagen Viktor"],
        "due": ["edit", item["id"], "due:2031-03-04"],
        "move": ["move", item["id"], to],
        "keep": ["keep", item["id"]],
        "snooze": ["snooze", item["id"], "3"],
    }[verb]
    result = wrap(*told, vault=root)
    after = notes(root)
    where = f"{verb} {item['path']}:{item['line']} {item['text'][:60]!r}"
    faults = [f"{where}: {problem}" for problem in _unnamed(verb, lines(before), lines(after), named)]
    if "unexpected" in result.err or "Traceback" in result.err:
        faults.append(f"{where}: {result.err[:200]}")
    if result.code not in (0, 1, 2):
        faults.append(f"{where}: exit {result.code}")
    if result.code == 1 and after != before and verb != "done":
        faults.append(f"{where}: refused, and written: {result.err[:200]}")
    undo = re.search(r"wrap undo (\S+)", result.out)
    if undo:
        taken = wrap("undo", undo[1], vault=root)
        if notes(root) != before:
            changed = [path for path in before | after if before.get(path) != notes(root).get(path)]
            faults.append(f"{where}: undo leaves {changed}: {taken.out[:150]} {taken.err[:150]}")
    elif after != before:
        faults.append(f"{where}: written without a receipt")
    return result.code == 0, faults


def _unnamed(verb: str, before: Counter[bytes], after: Counter[bytes], named: list[bytes]) -> Iterator[str]:
    gone, new = before - after, after - before
    if verb in ("keep", "snooze"):
        yield from (f"changed {line!r}" for line in gone | new)
        return
    wanted = Counter(named)
    yield from (f"took away {line!r}" for line in gone - wanted)
    if verb == "move":
        moved = Counter(words(line) for line in new)
        lost = Counter(words(line) for line in gone) - moved
        heads = [word for word in lost if not any(_alike(word, other) for other in moved)]
        yield from (f"lost {word!r}" for word in heads)
    allowed = len(wanted) * 2 + 6  # headings of a list or of today's journal may be new
    if sum(new.values()) > allowed:
        yield f"added {sum(new.values())} lines"


def _alike(word: bytes, other: bytes) -> bool:
    """Whether the words of a line stand in another one: tag and box may differ."""
    named = re.search(rb"\s\^[\w-]+$", word)
    if named and named[0] not in other:
        return False
    word = word[: named.start()] if named else word
    plain = re.sub(rb"^\[.\]\s*|^(?:TODO|LATER|NOW|DOING|WAITING)\s+|^[(\[#+][^\s)\]]*[)\]]?:?\s*", b"", word)
    return plain[:40] in other or word[:40] in other


def try_vault(root: Path, count: int, chance: random.Random, tried: Tried, seconds: float = 1e9) -> None:
    """Try every verb on some open items of a vault."""
    until = time.monotonic() + seconds
    document = wrap("audit", "--json", vault=root)
    if document.code not in (0, 3):
        tried.faults.append(f"{root}: audit: {document.err[:200]}")
        return
    items = [one for one in document.json["items"] if one["fate"] in ("shown", "overflow", "duplicate", "expired")]
    (root / "projects" / "zz-elsewhere").mkdir(parents=True, exist_ok=True)
    (root / "projects" / "zz-elsewhere" / "todos.md").write_text("# zz\n\n## Next Session\n\n- [ ] Zz stays\n", "utf-8")
    wrap("regen", vault=root)
    for place in range(count):
        for verb in VERBS:
            if time.monotonic() > until or place >= len(items):
                return
            done, faults = attempt(root, verb, items[chance.randrange(len(items))], items, "zz-elsewhere")
            tried.tries[verb] += 1
            tried.refused[verb] += not done
            tried.faults += faults


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.edits", description=__doc__)
    parser.add_argument("vaults", nargs="+", type=Path)
    parser.add_argument("--items", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=60, help="at most so long for each vault")
    given = parser.parse_args()
    whole = Tried()
    for vault in given.vaults:
        tried = Tried()
        with tempfile.TemporaryDirectory() as temporary:
            root = Path(temporary) / "vault"
            shutil.copytree(vault, root, symlinks=True, ignore=shutil.ignore_patterns(".git", "node_modules"))
            made = subprocess.run(
                [sys.executable, "-m", "wrapgen", "init", str(root), "--detect", "--no-default"],
                capture_output=True, text=True, check=False, env={"HOME": temporary, "PATH": "/usr/bin:/bin"},
            )  # fmt: skip
            if made.returncode and not (root / "wrapgen.toml").exists():
                print(f"{vault.name}: not opened: {made.stderr.strip()[:200]}")
                continue
            try_vault(root, given.items, random.Random(given.seed), tried, given.seconds)
        print(
            f"{vault.name}: {dict(tried.tries)}, refused {sum(tried.refused.values())}, faults {len(tried.faults)}",
            flush=True,
        )
        for fault in tried.faults[:6]:
            print(f"  {fault}", flush=True)
        whole.tries += tried.tries
        whole.refused += tried.refused
        whole.faults += tried.faults
    print(f"in all: {dict(whole.tries)}, refused {dict(whole.refused)}, faults {len(whole.faults)}")
    return bool(whole.faults)


if __name__ == "__main__":
    sys.exit(main())
