"""The page passes markdownlint's default rules (line length aside), whatever the notes hold."""

import os
import shutil
import subprocess
from datetime import date

import pytest

from tests.support import wrap
from wrapgen.commands.demo_ import copy_demo

LINTER = os.environ.get("WRAPGEN_MARKDOWNLINT") or shutil.which("markdownlint-cli2")
pytestmark = pytest.mark.skipif(LINTER is None, reason="markdownlint-cli2 is not installed (npm)")

NASTY = """\
# 2026-04-24

## Next

- see https://example.org/a_b_c and www.example.org, mail a@example.org
- <b>bold</b> <details> &amp; <!-- note --> text
- *one* _two_ **three** __four__ ~~five~~ unfinished *emphasis and `code
- (see)[1] and [here](https://example.org) and [x](#part) and ![](pic.png) and ![alt](pic (1).png)
- [ref][undefined] and [[wiki|link]] and [^1] and \\`escaped\\`
- ` padded code ` and ``two `ticks` in`` it
- # heading
- 1. number
- | a | b |
- a\tb\u00a0c trailing spaces\u0020\u0020
- text with $math$ and :emoji: and ✅ in the middle of it
- [ ] open box with a mark ✅
- Setext
  ======
- long {words}
""".replace("{words}", "word " * 200)


def lint(folder):
    config = folder / ".markdownlint-cli2.jsonc"
    config.write_text('{"config": {"MD013": false}, "globs": ["ACTIVE-STATUS.md"]}', encoding="utf-8")
    done = subprocess.run([LINTER], cwd=folder, capture_output=True, text=True, check=False, encoding="utf-8")
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_page_of_the_sample_vault(tmp_path):
    copy_demo(tmp_path, date(2026, 4, 24))
    assert wrap("regen", vault=tmp_path).code == 0
    lint(tmp_path)


def test_the_page_of_notes_that_try_everything(vault):
    built = vault(
        {
            "journals/2026/04/2026-04-24.md": NASTY,
            "journals/2026/04/2026-04-23.md": "## Next\n\nProse <b>only</b> https://example.org\n",
            "journals/2026/03/2026-03-01.md": NASTY,
            "projects/a b/todos.md": "## Next Session\n\n- [ ] one\n- [ ] two\n",
        },
        config="cap = 5\n",
    )
    assert wrap("regen", vault=built).code == 0
    lint(built.root)


def test_the_page_of_an_empty_vault(vault):
    built = vault({})
    assert wrap("regen", vault=built).code == 0
    lint(built.root)
