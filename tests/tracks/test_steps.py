"""What a transcript says its files hold: final versions alone, calls that failed left out."""

import json

import pytest

from tests.tracks.kit import Talk
from wrapgen.workflows.compaction import read_steps


def read(talk, tmp_path):
    return read_steps(talk.to(tmp_path / "talk.jsonl"))


def files(talk, tmp_path):
    """What every file holds at the end; those that are gone are left out."""
    return {state.path: state.text for state in read(talk, tmp_path).files if not state.gone}


def test_the_last_of_forty_versions_counts(tmp_path):
    talk = Talk().user("go")
    for number in range(40):
        talk.write("a.py", f"version {number}\n").assistant(f"that was {number}")
    (state,) = read(talk, tmp_path).files
    assert (state.text, state.turn) == ("version 39\n", 41)


def test_edits_follow_what_was_written(tmp_path):
    talk = Talk().user("go").write("a.py", "one two two\n").edit("a.py", "one", "1")
    talk.edit("a.py", "two", "2", everywhere=True)
    talk.tool("MultiEdit", {"file_path": "a.py", "edits": [
        {"old_string": "1", "new_string": "uno"}, {"old_string": "2", "new_string": "due"},
    ]})  # fmt: skip
    assert files(talk, tmp_path) == {"a.py": "uno due 2\n"}


def test_an_edit_of_a_file_never_written_takes_what_the_host_says_it_held(tmp_path):
    talk = Talk().user("go").edit("a.py", "old", "new", result={"originalFile": "an old file\n", "filePath": "a.py"})
    assert files(talk, tmp_path) == {"a.py": "an new file\n"}


def test_an_edit_that_does_not_fit_what_is_known_trusts_the_host(tmp_path):
    """A formatter, or somebody's editor, changed the file in between."""
    talk = Talk().user("go").write("a.py", "x=1\n")
    talk.edit("a.py", "x = 1", "x = 2", result={"originalFile": "x = 1\ny = 3\n"})
    assert files(talk, tmp_path) == {"a.py": "x = 2\ny = 3\n"}


def test_without_the_former_file_the_patch_shows_parts(tmp_path):
    patch = [{"lines": [" def a():", "-    old", "+    new"]}, {"lines": [" def b():"]}]
    talk = Talk().user("go").edit("a.py", "old", "new", result={"originalFile": None, "structuredPatch": patch})
    assert files(talk, tmp_path) == {"a.py": "def a():\n    new\ndef b():"}


def test_calls_that_failed_or_were_rejected_do_not_count(tmp_path):
    talk = Talk().user("go").write("a.py", "kept\n").write("a.py", "refused\n", error=True)
    talk.edit("a.py", "kept", "never", error=True).write("b.py", "no\n", error=True)
    assert files(talk, tmp_path) == {"a.py": "kept\n"}


def test_a_call_without_an_answer_counts_at_its_place(tmp_path):
    """The transcript lags; the last call has no answer yet. A later one must not be overwritten by it."""
    talk = Talk().user("go").write("a.py", "first\n", answered=False).write("a.py", "second\n")
    assert files(talk, tmp_path) == {"a.py": "second\n"}
    assert files(Talk().user("go").write("a.py", "last\n", answered=False), tmp_path) == {"a.py": "last\n"}


@pytest.mark.parametrize(
    ("command", "left"),
    [
        ("rm src/a.py", {"/work/shop/src/b.py"}),
        ("rm -rf src", set()),
        ("cd x && rm -f '/work/shop/src/b.py'; ls", {"/work/shop/src/a.py"}),
        ("git rm src/a.py src/b.py", set()),
        ("mv src/a.py src/c.py", {"/work/shop/src/b.py", "/work/shop/src/c.py"}),
        ("mv src/a.py lib/", {"/work/shop/src/b.py", "/work/shop/lib/a.py"}),
        ("mv src lib", {"/work/shop/lib/a.py", "/work/shop/lib/b.py"}),
        ("echo rm src/a.py", {"/work/shop/src/a.py", "/work/shop/src/b.py"}),
        ("rm 'src/a.py", {"/work/shop/src/a.py", "/work/shop/src/b.py"}),
        ("npm run clean", {"/work/shop/src/a.py", "/work/shop/src/b.py"}),
    ],
)
def test_files_that_a_shell_plainly_deletes_or_moves(tmp_path, command, left):
    talk = Talk().user("go").write("/work/shop/src/a.py", "a\n").write("/work/shop/src/b.py", "b\n")
    assert set(files(talk.tool("Bash", {"command": command}), tmp_path)) == left


def test_a_file_deleted_and_written_again_is_there(tmp_path):
    talk = Talk().user("go").write("a.py", "1\n").tool("Bash", {"command": "rm a.py"}).write("a.py", "2\n")
    assert files(talk, tmp_path) == {"a.py": "2\n"}


def test_a_notebook_is_known_by_the_cells_that_were_written(tmp_path):
    talk = Talk().user("go").tool("NotebookEdit", {"notebook_path": "n.ipynb", "new_source": "def a(): ..."})
    talk.tool("NotebookEdit", {"notebook_path": "n.ipynb", "new_source": "def b(): ..."})
    assert files(talk, tmp_path) == {"n.ipynb": "def a(): ...\n\ndef b(): ..."}


def test_turns_and_their_tools(tmp_path):
    talk = Talk().user("please").assistant("I look").tool("Bash", {"command": "ls"}).write("a.py", "1\n").user("thanks")
    turns = read(talk, tmp_path).turns
    assert [(one.turn, one.role, one.text, one.tools, one.files) for one in turns] == [
        (1, "user", "please", (), ()),
        (2, "assistant", "I look", ("Bash", "Write"), ("a.py",)),
        (3, "user", "thanks", (), ()),
    ]
    assert turns[0].key == "s1-u1"


def test_what_a_sub_agent_wrote_counts_but_not_what_it_said(tmp_path):
    talk = Talk().user("go").assistant("I ask one", isSidechain=False).assistant("side", isSidechain=True)
    talk.write("a.py", "1\n")
    talk.lines[-2]["isSidechain"] = talk.lines[-1]["isSidechain"] = True
    session = read(talk, tmp_path)
    assert [one.text for one in session.turns] == ["go", "I ask one"]
    assert session.files[0].text == "1\n"


def test_secrets_are_taken_out_of_what_was_said(tmp_path):
    session = read(Talk().user("key sk-ant-aaaaaaaaaaaaaaaaaaaaaaaaaaaa here"), tmp_path)
    assert session.redacted == 1
    assert "sk-ant-aaaa" not in session.turns[0].text


@pytest.mark.sampled(9)
@pytest.mark.parametrize(
    "arguments",
    [{}, {"file_path": 7}, {"file_path": "a.py"}, {"file_path": "a.py", "edits": [None, 3]}, {"command": ["rm", 3]}],
)
@pytest.mark.parametrize("tool", ["Write", "Edit", "MultiEdit", "NotebookEdit", "Bash"])
def test_arguments_of_any_shape_are_lived_with(tmp_path, tool, arguments):
    read(Talk().user("go").tool(tool, arguments, result={"originalFile": 3, "structuredPatch": {"lines": 1}}), tmp_path)


PATCH = """*** Begin Patch
*** Add File: src/new.py
+def new():
+    pass
*** Update File: src/old.py
@@ def old():
-    return 1
+    return 2
*** Delete File: src/gone.py
*** End Patch"""


def codex(*items):
    meta = {"type": "session_meta", "payload": {"id": "c1", "cwd": "/work/shop"}}
    said = {"type": "response_item", "payload": {"type": "message", "role": "user", "content": "go"}}
    return [meta, said, *({"type": "response_item", "payload": one} for one in items)]


def codex_files(tmp_path, *items):
    file = tmp_path / "rollout.jsonl"
    file.write_text("".join(json.dumps(one) + "\n" for one in codex(*items)), encoding="utf-8")
    return {state.path: None if state.gone else state.text for state in read_steps(file).files}


def output(text, call="c"):
    return {"type": "function_call_output", "call_id": call, "output": text}


class TestCodex:
    @pytest.mark.parametrize(
        "call",
        [
            {"type": "custom_tool_call", "name": "apply_patch", "input": PATCH},
            {"type": "function_call", "name": "apply_patch", "arguments": json.dumps({"input": PATCH})},
            {"type": "function_call", "name": "shell", "arguments": json.dumps({"command": ["apply_patch", PATCH]})},
            {"type": "function_call", "name": "shell",
             "arguments": json.dumps({"command": ["bash", "-lc", f"apply_patch <<'EOF'\n{PATCH}\nEOF"]})},
        ],
    )  # fmt: skip
    def test_patches_in_every_way_they_are_called(self, tmp_path, call):
        assert codex_files(tmp_path, {**call, "call_id": "c"}, output('{"output":"","metadata":{"exit_code":0}}')) == {
            "src/new.py": "def new():\n    pass\n",
            "src/old.py": "    return 2\n",
            "src/gone.py": None,
        }

    @pytest.mark.parametrize(
        "answer",
        ['{"output":"x","metadata":{"exit_code":1}}', "apply_patch verification failed: no", "Exit code: 1\nno"],
    )
    def test_a_patch_that_failed_does_not_count(self, tmp_path, answer):
        call = {"type": "custom_tool_call", "name": "apply_patch", "input": PATCH, "call_id": "c"}
        assert codex_files(tmp_path, call, output(answer)) == {}

    def test_hunks_are_found_by_their_words(self, tmp_path):
        add = "*** Begin Patch\n*** Add File: a.py\n+one\n+two\n+three\n*** End Patch"
        change = "*** Begin Patch\n*** Update File: a.py\n*** Move to: b.py\n@@\n one\n-two\n+2\n*** End Patch"
        calls = [
            part
            for number, patch in enumerate((add, change))
            for part in (
                {"type": "custom_tool_call", "name": "apply_patch", "input": patch, "call_id": str(number)},
                output("Exit code: 0\nSuccess.", str(number)),
            )
        ]
        assert codex_files(tmp_path, *calls) == {"a.py": None, "b.py": "one\n2\nthree\n"}
