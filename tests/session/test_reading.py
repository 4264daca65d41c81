"""Pieces of a conversation, what a reader is sent with them, what is understood of its answer, and how it is run."""

import json
import os
import re
import sys
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.followups.readers import How, Reader
from tests.support import examples
from wrapgen.config import READERS, UserReader
from wrapgen.session.folders import FOLDER_PREFIX
from wrapgen.session.reading import PRESETS, ReviewCandidate, command_of, document_in, prompt, windows
from wrapgen.session.transcript import Turn
from wrapgen.text.tokens import estimate_tokens
from wrapgen.workflows import reader_run as running
from wrapgen.workflows.reader_run import ReaderError, run

HEAD = re.compile(r"(?:\A|\n\n)\[turn (\d+), (?:user|assistant)\]\n")
OVER = 5
"""Tokens of a long head beyond those that are set aside for it."""
WORDS = st.sampled_from(
    ["add a retry", "배포 문서를 쓴다", "整理部署脚本", "x" * 700, "1 2 3 4 5 6", "𒀀𒀁" * 90, "🙂", "a\n\nb", ""]
)
TEXTS = st.lists(WORDS | st.text(alphabet="ab \n한字.", max_size=40), min_size=1, max_size=30).map("\n".join)
TURNS = st.lists(st.builds(Turn, st.sampled_from(["user", "assistant"]), TEXTS), max_size=12)
LIMITS = st.integers(100, 600)


def words_of(listed):
    """What the windows say, turn by turn."""
    said: dict[int, str] = {}
    for window in listed:
        parts = HEAD.split(window.text)
        assert parts[0] == ""
        for index, text in zip(parts[1::2], parts[2::2], strict=True):
            said[int(index)] = said.get(int(index), "") + text
    return said


class TestWindows:
    @settings(max_examples=examples(60))
    @given(TURNS, LIMITS)
    def test_every_word_stands_in_them_in_order(self, turns, limit):
        said = words_of(windows(turns, limit))
        assert list(said) == sorted(said)
        assert said == {index: turn.text for index, turn in enumerate(turns)}

    @settings(max_examples=examples(60))
    @given(TURNS, LIMITS)
    def test_none_is_larger_than_allowed(self, turns, limit):
        for window in windows(turns, limit):
            assert estimate_tokens(window.text) <= limit + OVER * len(HEAD.findall(window.text))

    @settings(max_examples=examples(60))
    @given(TURNS, LIMITS)
    def test_they_say_which_turns_they_hold(self, turns, limit):
        listed = list(windows(turns, limit))
        for number, window in enumerate(listed, 1):
            held = [int(index) for index in HEAD.findall(window.text)]
            assert (window.number, window.first, window.last) == (number, held[0], held[-1])
            assert window.full is (number < len(listed))

    @settings(max_examples=examples(60))
    @given(TURNS, LIMITS, st.integers(0, 12))
    def test_a_conversation_that_grows_keeps_its_full_pieces(self, turns, limit, length):
        before = [window.digest for window in windows(turns[:length], limit) if window.full]
        after = [window.digest for window in windows(turns, limit)]
        assert after[: len(before)] == before

    def test_a_short_conversation_is_one_piece_that_may_still_grow(self):
        (window,) = windows([Turn("user", "Hello."), Turn("assistant", "Hi.")], 1_000)
        assert window.text == "[turn 0, user]\nHello.\n\n[turn 1, assistant]\nHi."
        assert (window.number, window.first, window.last, window.full) == (1, 0, 1, False)
        assert list(windows([], 1_000)) == []

    def test_other_words_are_another_piece(self):
        digests = {next(windows([Turn("user", text)], 500)).digest for text in ("a", "b", "a ")}
        assert len(digests) == 3

    def test_secrets_are_taken_out_even_where_a_turn_is_cut(self):
        token = "ghp_" + "Ab1" * 12
        turns = [Turn("user", f"{'x ' * filler}{token} {'y ' * 900}") for filler in range(380, 400)]
        said = "".join(window.text for window in windows(turns, 300))
        assert token not in said
        assert token[:20] not in said


class TestPrompt:
    SHOWN = (
        ReviewCandidate(1, "a" * 12, "cue", "add a retry", "Later: add a retry", 1, 2),
        ReviewCandidate(2, "b" * 12, "state", "배포 문서", "배포 문서", 30, 31),
    )

    @staticmethod
    def pieces():
        return list(windows([Turn("user", f"Turn number {n} says something.") for n in range(40)], 120))

    def test_it_holds_all_that_a_reader_needs(self):
        asked = prompt("Do this.", self.pieces()[0], self.SHOWN, "m4rker")
        assert asked.startswith("Do this.\n")
        assert "Turn number 0 says something." in asked
        begin, end = asked.index("\nm4rker begin\n"), asked.index("\nm4rker end\n")
        assert begin < asked.index("[turn 0, user]") < end
        candidates = json.loads(re.search(r"^candidates: (.*)$", asked, re.MULTILINE)[1])
        assert candidates == [{"n": 1, "by": "cue", "text": "add a retry", "quote": "Later: add a retry", "turn": 1}]

    def test_a_later_piece_says_where_it_begins_and_shows_what_was_found_up_to_it(self):
        first, *_, last = self.pieces()
        assert f"from turn {last.first} on" in prompt("Do this.", last, self.SHOWN, "m")
        assert "배포 문서" in prompt("Do this.", last, self.SHOWN, "m")
        assert "on. Of what was said before" not in prompt("Do this.", first, self.SHOWN, "m")


class TestAnswer:
    DOCUMENT = {"follow_ups": [{"quote": "한글 {x} ```"}], "drop": []}  # noqa: RUF012 - a constant
    TEXT = json.dumps(DOCUMENT, ensure_ascii=False)
    INDENTED = json.dumps(DOCUMENT, ensure_ascii=False, indent=2)

    @pytest.mark.parametrize(
        "answer",
        [
            TEXT, INDENTED, f"  \n{TEXT}\n", f"```json\n{TEXT}\n```", f"```\n{INDENTED}\n```", f"```json\n{TEXT}```",
            f"Here it is:\n\n```json\n{INDENTED}\n```\nAnything else?", f"Sure! {TEXT} Bye.", f"{TEXT}\n{{}}",
            f"```python\nprint(1)\n```\n```json\n{TEXT}\n```",
        ],
    )  # fmt: skip
    def test_the_document_is_found(self, answer):
        assert json.loads(document_in(answer)) == self.DOCUMENT

    @pytest.mark.parametrize(
        "answer",
        [
            "",
            "I cannot do that.",
            "{",
            '{"a": ',
            "[1, 2]",
            "{'a': 1}",
            "```json\n\n```",
            "[" * 50_000,
            '{"a":' * 50_000,
        ],
    )
    def test_there_is_none(self, answer):
        assert document_in(answer) is None

    @given(st.text(max_size=60) | st.text(alphabet='{}[]":,a1` \n', max_size=60))
    def test_any_text(self, answer):
        found = document_in(answer)
        assert found is None or isinstance(json.loads(found), dict)


class TestPresets:
    def test_each_name_has_one(self):
        assert set(PRESETS) == set(READERS)
        assert all(command[0] == name for name, command in PRESETS.items())
        assert [command_of(UserReader(command=name)) for name in READERS] == list(PRESETS.values())

    def test_nobody_and_somebodys_own(self):
        assert command_of(UserReader()) == ()
        assert command_of(UserReader(command=("my-reader", "--fast"))) == ("my-reader", "--fast")

    @pytest.mark.parametrize(
        ("name", "options"),
        [
            ("claude", [("--tools", ""), ("--strict-mcp-config",), ("--safe-mode",), ("--no-session-persistence",)]),
            ("codex", [("--sandbox", "read-only"), ("--ignore-user-config",), ("--ephemeral",), ("--ignore-rules",),
                       ("-c", "features.shell_tool=false"), ("-c", 'web_search="disabled"')]),
            ("gemini", [("--approval-mode", "plan"), ("--extensions", "none"), ("--allowed-mcp-server-names", "none")]),
            ("llm", [("--no-log",)]),
        ],
    )  # fmt: skip
    def test_a_conversation_cannot_make_it_do_anything(self, name, options):
        command = PRESETS[name]
        for words in options:
            assert any(command[at : at + len(words)] == words for at in range(len(command))), words
        assert not {
            "--dangerously-skip-permissions",
            "--yolo",
            "-y",
            "--tool",
            "-T",
            "--functions",
            "--continue",
        } & set(command)


class TestRun:
    @pytest.fixture
    def reader(self, tmp_path):
        return Reader(tmp_path / "reader")

    def test_it_is_given_the_prompt_and_its_answer_is_read(self, reader):
        reader.answers("배포 \ud7ff")
        assert run(reader.command, "prompt 한글\n$(touch x) `y`", 30) == "배포 \ud7ff"
        assert [call["prompt"] for call in reader.calls] == ["prompt 한글\n$(touch x) `y`"]

    def test_it_runs_in_an_empty_folder_that_is_gone_afterwards(self, reader):
        run(reader.command, "", 30)
        (call,) = reader.calls
        folder = Path(call["cwd"])
        assert folder.name.startswith(FOLDER_PREFIX)
        assert call["held"] == []
        assert not folder.exists()

    def test_it_starts_no_hooks_and_knows_nothing_of_the_session_around_it(self, reader, monkeypatch):
        for name in ("CLAUDECODE", "CLAUDE_CODE_SESSION_ID", "CLAUDE_PROJECT_DIR", "GEMINI_PROJECT_DIR"):
            monkeypatch.setenv(name, "x")
        monkeypatch.setenv("MY_KEY", "kept")
        run(reader.command, "", 30)
        (call,) = reader.calls
        assert call["environment"]["WRAPGEN_DISABLE"] == "1"
        assert call["environment"]["MY_KEY"] == "kept"
        told = {name for name in call["environment"] if name.startswith(("CLAUDE", "GEMINI"))}
        assert told <= {"CLAUDE_CONFIG_DIR"}, "which says where it is logged in"

    def test_no_shell_looks_at_its_arguments(self, reader):
        words = ["$HOME", "*", "; touch x", "a b", '"', "`id`"]
        run([*reader.command, *words], "", 30)
        assert reader.calls[0]["words"] == words

    def test_a_program_that_is_not_there(self):
        with pytest.raises(ReaderError, match="no-such-reader") as raised:
            run(["no-such-reader"], "", 30)
        assert raised.value.next_step

    def test_a_program_that_cannot_be_started(self, tmp_path):
        odd = tmp_path / "odd"
        odd.write_bytes(b"\x7fELF no program")
        odd.chmod(0o755)
        with pytest.raises(ReaderError, match="cannot be started"):
            run([str(odd)], "", 30)

    @pytest.mark.parametrize(
        ("how", "said"), [({"complain": "no key"}, "no key"), ({"say": "out"}, "out"), ({}, "nothing")]
    )
    def test_a_program_that_fails(self, reader, how, said):
        reader.answers(How(exit=3, **how))
        with pytest.raises(ReaderError, match=f"code 3: .*{said}"):
            run(reader.command, "", 30)

    def test_what_it_complains_of_is_kept_short(self, reader):
        reader.answers(How(exit=1, complain="word\n" * 9_000 + "the end"))
        with pytest.raises(ReaderError) as raised:
            run(reader.command, "", 30)
        assert len(raised.value.what) < 400
        assert "\n" not in raised.value.what
        assert "the end" in raised.value.what

    def test_a_program_that_does_not_listen(self):
        assert run([sys.executable, "-I", "-S", "-c", "print('hi')"], "x" * 4_000_000, 30).strip() == "hi"

    def test_an_answer_that_is_too_large(self, reader, monkeypatch):
        monkeypatch.setattr(running, "_MOST_BYTES", 1_000)
        reader.answers("x" * 1_001)
        with pytest.raises(ReaderError, match="1001 bytes"):
            run(reader.command, "", 30)
        reader.answers("x" * 1_000)
        assert len(run(reader.command, "", 30)) == 1_000

    def test_an_answer_that_is_no_utf8(self, reader):
        reader.answers("a \udcff b")
        assert run(reader.command, "", 30) == "a \ufffd b"

    @pytest.mark.slow
    @pytest.mark.skipif(os.name != "posix", reason="process groups are those of POSIX")
    def test_one_that_takes_too_long_is_ended_with_all_that_it_started(self, tmp_path):
        pids = tmp_path / "pids"
        grandchild = "import os, sys, time; open(sys.argv[1], 'a').write(f'{os.getpid()}\\n'); time.sleep(600)"
        script = (
            "import os, subprocess, sys, time\n"
            "open(sys.argv[1], 'a').write(f'{os.getpid()}\\n')\n"
            "subprocess.Popen([sys.executable, '-I', '-S', '-c', sys.argv[2], sys.argv[1]])\n"
            "time.sleep(600)\n"
        )
        with pytest.raises(ReaderError, match="within 3 seconds"):
            run([sys.executable, "-I", "-S", "-c", script, str(pids), grandchild], "", 3)
        started = [int(line) for line in pids.read_text("utf-8").split()]
        assert len(started) == 2
        deadline = time.monotonic() + 60
        while any(_runs(pid) for pid in started):
            assert time.monotonic() < deadline
            time.sleep(0.02)


def _runs(pid):
    """Whether a process runs; one that nobody has taken leave of does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text("utf-8").rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        if Path("/proc/self").exists():
            return False
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def test_fences_and_line_breaks_without_end_cost_no_more_than_their_length():
    assert document_in("```" + "\n" * 400_000) is None
    assert document_in("```\n" * 90 + '{"drop": []}') == b'{"drop": []}'


def test_a_document_that_speaks_of_fences_is_taken_whole():
    said = json.dumps({"follow_ups": [{"quote": "close the ``` fence"}]})
    assert json.loads(document_in(f"Here:\n```json\n{said}\n```\nBye.") or b"") == json.loads(said)
