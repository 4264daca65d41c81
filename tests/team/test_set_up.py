"""`wrap init --git`: what clones of one vault need to be told, printed for their owner to add."""

import shutil

import pytest

from tests.clones import set_up, started
from tests.support import wrap

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")
NOTES = {"projects/web/todos.md": "# web\n", "journals/2026/04/2026-04-20.md": "# 2026-04-20\n"}
LINES = """\
.gitignore:
  /ACTIVE-STATUS.md
.gitattributes:
  /journals/**/*-*-**.md merge=union
  /projects/*/todos.md merge=union
  /projects/*/actives/*/todos.md merge=union
  /wrapgen.toml merge=union
  /.wrapgen/said.jsonl merge=union
.git/hooks/post-merge:
  wrap --quiet regen || :
"""


def init(root, *words):
    return wrap("init", *words, root, "--no-default")


def test_the_lines_are_printed_and_nothing_is_written(vault):
    clone = started(vault(NOTES))
    before = {path: path.read_bytes() for path in clone.root.rglob("*") if path.is_file()}
    result = init(clone.root, "--git")
    assert (result.code, LINES in result.out) == (0, True), result.out
    assert {path: path.read_bytes() for path in clone.root.rglob("*") if path.is_file()} == before


def test_they_are_those_of_the_configuration(vault):
    built = vault(NOTES, config='output = "STATUS [now].md"\n[sources]\njournals = ["my days/{a,b}/YYYY-MM-DD.md"]\n')
    said = init(started(built).root, "--git").out
    assert "  /STATUS \\[now\\].md\n" in said
    assert '  "/my days/a/*-*-*.md" merge=union\n  "/my days/b/*-*-*.md" merge=union\n' in said


def test_a_page_that_is_committed_is_not_ignored(vault):
    clone = started(vault(NOTES))
    said = init(clone.root, "--git", "--page", "merge").out
    assert ".gitignore" not in said
    assert ".gitattributes:\n  /ACTIVE-STATUS.md merge=ours -text\n" in said
    assert "git config merge.ours.driver true" in said
    assert init(clone.root, "--page", "merge").code == 2


def test_outside_of_git_there_is_nothing_to_say(vault):
    result = init(vault(NOTES).root, "--git")
    assert (result.code, "is not in a git work tree" in result.err) == (2, True)


def test_init_names_it_until_git_leaves_the_page_out(vault):
    clone = started(vault(NOTES))
    assert "wrap init --git" in init(clone.root).out
    set_up(clone)
    assert "wrap init --git" not in init(clone.root).out


def test_only_files_to_which_lines_are_added_are_named(vault):
    built = vault(
        {"TODO.md": "- [ ] Paint\n", "log/2026-04-20.md": "- [ ] Mow\n"},
        config='project = "home"\n[sources]\njournals = ["log/YYYY-MM-DD.md"]\nlists = ["TODO.md", "old/*.md"]\n',
    )
    said = init(started(built).root, "--git").out
    lines = [line.strip() for line in said.splitlines() if line.endswith("merge=union")]
    names = ("/log/*-*-*.md", "/TODO.md", "/wrapgen.toml", "/.wrapgen/said.jsonl")
    assert lines == [f"{name} merge=union" for name in names]
