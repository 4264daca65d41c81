"""The sample vault's history: what a rebuild on each of its days would have noted, by rebuilding on each of them."""

from __future__ import annotations

import contextlib
import io
import re
import shutil
import tempfile
from pathlib import Path

from tests.support import CHECKOUT
from wrapgen import cli

SAMPLE = CHECKOUT / "sample_vault"
FILE = SAMPLE / "history.jsonl"
_FIRST = "2026-04-03"  # what lies before it is one journal, which is there to be expired
_DATED_DONE = re.compile(r"^(\s*- )\[x\](.*) ✅ (\d{4}-\d\d-\d\d)", re.MULTILINE)


def made() -> str:
    """The lines of every day but the last: that one's is written when somebody tries the demo."""
    journals = sorted((SAMPLE / "journals").rglob("*.md"))
    days = sorted({path.name[:10] for path in journals})
    with tempfile.TemporaryDirectory() as folder:
        vault = Path(folder)
        shutil.copyfile(SAMPLE / "wrapgen.toml", vault / "wrapgen.toml")
        for day in days[:-1]:
            for path in (*(SAMPLE / "projects").rglob("*.md"), *(one for one in journals if one.name[:10] <= day)):
                copy = vault / path.relative_to(SAMPLE)
                copy.parent.mkdir(parents=True, exist_ok=True)
                copy.write_text(_as_of(day, path.read_text(encoding="utf-8")), encoding="utf-8")
            with contextlib.redirect_stdout(io.StringIO()):
                assert cli.run(["--vault", folder, "--today", day, "regen"]) == 0
        lines = (vault / ".wrapgen" / "history.jsonl").read_text(encoding="utf-8").splitlines(keepends=True)
    return "".join(line for line in lines if line >= f'{{"day":"{_FIRST}')


def _as_of(day: str, text: str) -> str:
    """The text before what was ticked later."""
    return _DATED_DONE.sub(lambda one: one[0] if one[3] <= day else f"{one[1]}[ ]{one[2]}", text)
