"""What git is told about a vault: patterns that fit where ours do, one block in a file, one hook for all."""

import os
import shutil
import subprocess

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wrapgen.config import Config, Sources
from wrapgen.text.patterns import Pattern
from wrapgen.vault.gitfiles import attribute_lines, globs, hook, hook_line, ignore_lines, runs_wrapgen, with_block

LINES = ["/todos.md merge=union", "/ACTIVE-STATUS.md merge=wrapgen"]
PROGRAM = ("/usr/bin/wrap",)


class TestAttributes:
    def test_the_lists_that_wrapgen_writes_and_nothing_else(self):
        assert attribute_lines(Config(), "ignore") == [
            "/journals/**/[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]*.md merge=union",
            "/projects/*/todos.md merge=union",
            "/projects/*/actives/*/todos.md merge=union",
        ]

    def test_the_page_is_merged_or_ignored(self):
        config = Config(output="out/Our [page].md")
        assert attribute_lines(config, "merge")[-1] == r'"/out/Our \\[page\\].md" merge=wrapgen'
        assert ignore_lines(config, "merge") == []
        assert ignore_lines(config, "ignore") == [r"/out/Our \[page\].md"]
        assert attribute_lines(config, "ignore") == attribute_lines(Config(), "ignore")

    def test_a_pattern_that_stands_twice(self):
        sources = Sources(project_todos=("a.md",), active_todos=("a.md",), journals=())
        assert attribute_lines(Config(sources=sources), "ignore") == ["/a.md merge=union"]

    def test_braces_become_a_line_for_each_choice(self):
        assert globs("{work,home}/YYYY/M-DD*.md") == [
            "/work/[0-9][0-9][0-9][0-9]/*-[0-9][0-9]*.md",
            "/home/[0-9][0-9][0-9][0-9]/*-[0-9][0-9]*.md",
        ]


names = st.text("ab1[]*?!#\\\"' .é가", min_size=1, max_size=5)
parts = st.one_of(
    st.sampled_from(["**", "YYYY", "YYYY-MM-DD*.md", "<project>", "<task>", "x<project>y", "MM_DD", "*", "todos.md"]),
    names.map(lambda name: name.replace("\\", "")).filter(lambda name: name.strip(".")),  # as a vault may name
)
filled = {"YYYY": "2026", "MM": "04", "DD": "24", "<project>": "web é", "<task>": "[t]", "?": "é", "*": "x y"}


def one_path(pattern):
    segments = ["deep/er" if part == "**" else part for part in Pattern(pattern).segments]
    path = "/".join(segments)
    for word, value in filled.items():
        path = path.replace(word, value)
    return path


@pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")
@pytest.mark.skipif(os.name == "nt", reason="names that Windows does not have")
@given(st.lists(st.lists(parts, min_size=1, max_size=4).map("/".join), min_size=1, max_size=30))
def test_git_finds_what_a_pattern_finds(tmp_path_factory, patterns):
    folder = tmp_path_factory.getbasetemp() / "patterns"
    if not folder.exists():
        folder.mkdir()
        subprocess.run(["git", "init", "-q"], cwd=folder, check=True)
    sources = Sources(journals=tuple(patterns), active_todos=(), project_todos=())
    lines = attribute_lines(Config(sources=sources), "ignore")
    (folder / ".gitattributes").write_text("\n".join(lines) + "\n", encoding="utf-8")
    paths = [path for path in map(one_path, patterns) if path and any(Pattern(one).match(path) for one in patterns)]
    given_paths = "\0".join(paths).encode()
    asked = ["git", "check-attr", "-z", "--stdin", "merge"]
    said = subprocess.run(asked, cwd=folder, input=given_paths, capture_output=True, check=True).stdout
    assert dict(zip(said.decode().split("\0")[::3], said.decode().split("\0")[2::3], strict=False)) == dict.fromkeys(
        paths, "union"
    ), lines


def test_a_glob_begins_at_the_vault():
    assert globs("./todos.md") == ["/todos.md"]


OTHERS = st.binary(max_size=60).filter(lambda data: b"wrapgen" not in data)


class TestBlock:
    @given(
        st.binary(max_size=60).filter(lambda data: b"wrapgen" not in data),
        st.lists(st.sampled_from(LINES), unique=True),
    )
    def test_twice_is_once_and_others_lines_stay(self, data, lines):
        once = with_block(data, lines)
        assert with_block(once, lines) == once
        assert once.startswith(data)

    @pytest.mark.parametrize("data", [b"", b"*.png binary\n", b"a\r\nb\r\n"])
    def test_it_goes_without_a_trace(self, data):
        assert with_block(with_block(data, LINES), []) == data

    def test_it_changes_where_it_stands(self):
        before = with_block(b"one\n", LINES) + b"two\n"
        after = with_block(before, LINES[:1])
        assert after.startswith(b"one\n#")
        assert after.endswith(b"<<< wrapgen\ntwo\n")
        assert LINES[1].encode() not in after

    @pytest.mark.parametrize("cut", [0, 1, 2, 3])
    def test_what_is_left_of_one_that_was_cut_into_goes(self, cut):
        rows = with_block(b"", LINES).splitlines(keepends=True)
        damaged = b"own\n" + b"".join(rows[:cut] + rows[cut + 1 :])
        mended = with_block(damaged, LINES)
        assert mended.count(LINES[0].encode()) == mended.count(LINES[1].encode()) == 1
        assert mended.startswith(b"own\n")
        assert with_block(mended, LINES) == mended


class TestHook:
    def test_a_foreign_one_is_left_alone(self):
        assert hook("post-merge", "#!/bin/sh\nmake\n", ".", PROGRAM) is None
        assert not runs_wrapgen("#!/bin/sh\nwrap regen\n")

    def test_twice_is_once_and_a_moved_program_is_called_where_it_is_now(self):
        once = hook("post-merge", None, "my notes", PROGRAM)
        assert hook("post-merge", once, "my notes", PROGRAM) == once
        moved = hook("post-merge", once, "my notes", ("/opt/wrap",))
        assert moved == hook("post-merge", None, "my notes", ("/opt/wrap",))

    def test_two_vaults_of_one_repository(self):
        both = hook("post-merge", hook("post-merge", None, "one", PROGRAM), "two", PROGRAM)
        assert hook_line("one", PROGRAM) in both
        assert hook_line("two", PROGRAM) in both
        assert hook("post-merge", both, "one", PROGRAM).count(" --vault ") == 2

    @pytest.mark.skipif(os.name == "nt", reason="needs a shell")
    @pytest.mark.parametrize(
        ("name", "reason", "runs"),
        [("post-merge", "0", True), ("post-rewrite", "rebase", True), ("post-rewrite", "amend", False)],
    )
    def test_it_runs_the_program_and_never_fails(self, tmp_path, name, reason, runs):
        program = tmp_path / "the program"
        program.write_text('#!/bin/sh\necho "$@"\nexit 4\n', encoding="utf-8")
        program.chmod(0o755)
        vault = tmp_path / "it's a vault"
        vault.mkdir()
        (vault / "wrapgen.toml").touch()
        text = hook(name, None, "it's a vault", (str(program),))
        done = subprocess.run(["sh", "-c", text, name, reason], cwd=tmp_path, capture_output=True, check=False)
        assert (done.returncode, done.stderr) == (0, b"")
        assert done.stdout.decode() == ("--quiet --vault it's a vault regen\n" if runs else "")
        program.unlink()
        done = subprocess.run(["sh", "-c", text, name, reason], cwd=tmp_path, capture_output=True, check=False)
        assert (done.returncode, done.stdout + done.stderr) == (0, b"")
