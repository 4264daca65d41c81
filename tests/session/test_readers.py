import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wrapgen.jsonl import LINE_LIMIT, clean
from wrapgen.session.readers import open_transcript
from wrapgen.session.transcript import Header, NoSuchTranscriptError, NotATranscriptError, Turn, without_machinery


def said(path: Path) -> list[tuple[str, str]]:
    return [(turn.role, turn.text) for turn in open_transcript(path)]


def line(role: str, content: object, **more: object) -> str:
    message: dict[str, object] = {"role": role, "content": content}
    if "id" in more:
        message["id"] = more.pop("id")
    record = {"type": role, "sessionId": "s-1", "cwd": "/home/dev/shop", "gitBranch": "main", "message": message} | more
    return json.dumps(record)


def text(words: str) -> list[dict[str, str]]:
    return [{"type": "text", "text": words}]


@pytest.fixture
def write(tmp_path):
    def write(*lines: str | bytes, name: str = "t.jsonl", end: bytes = b"\n") -> Path:
        path = tmp_path / name
        path.write_bytes(end.join(part if isinstance(part, bytes) else part.encode() for part in lines) + end)
        return path

    return write


class TestClaudeCode:
    def test_text_of_both_sides_is_read(self, write):
        path = write(line("user", "add a retry"), line("assistant", text("Done.")))
        assert said(path) == [("user", "add a retry"), ("assistant", "Done.")]

    @pytest.mark.parametrize(
        "left_out",
        [
            line("user", "meta", isMeta=True),
            line("assistant", "You've hit your limit", isApiErrorMessage=True),
            line("assistant", text("aside"), isSidechain=True),
            line("user", "This session is being continued", isCompactSummary=True),
            line("user", "<command-name>/clear</command-name>"),
            line("user", "<local-command-stdout>Bye!</local-command-stdout>"),
            line("user", "<task-notification>\n<task-id>b1</task-id>"),
            line("user", "<system-reminder>be brief</system-reminder>"),
            line("user", text("[Request interrupted by user for tool use]")),
            line("user", [{"type": "tool_result", "content": "ok"}]),
            line("user", [{"type": "tool_result", "content": [{"type": "text", "text": "ok"}]}]),
            line("assistant", [{"type": "tool_use", "name": "Bash", "input": {"content": "x"}}]),
            line("assistant", [{"type": "thinking", "thinking": "Next session"}]),
            '{"type":"summary","summary":"TODO: things","leafUuid":"x"}',
            '{"type":"progress","data":{"message":{"type":"user","message":{"content":"hi"}}}}',
            '{"type":"attachment","attachment":{"type":"text","text":"x"}}',
            '{"type":"some-new-kind","message":{"role":"user","content":"hi"}}',
            '["not", "an", "object"]',
            '{"type":"user","message":{"role":"user","content":17}}',
        ],
    )
    def test_machinery_is_not(self, write, left_out):
        path = write(left_out, line("user", "hello"))
        assert said(path) == [("user", "hello")]
        assert open_transcript(path).header.bad_lines == 0

    def test_reminders_inside_a_typed_text_are_cut_out(self, write):
        path = write(line("user", "before<system-reminder>x</system-reminder> after"))
        assert said(path) == [("user", "before after")]

    def test_lines_of_one_reply_are_one_turn_even_around_a_tool_call(self, write):
        path = write(
            line("assistant", text("First."), id="m1"),
            line("user", [{"type": "tool_result", "content": "ok"}]),
            line("assistant", text("Second."), id="m1"),
            line("assistant", text("Third."), id="m2"),
            line("assistant", text("Fourth.")),
        )
        assert [turn.text for turn in open_transcript(path)] == ["First.\n\nSecond.", "Third.", "Fourth."]

    def test_the_header_tells_where_it_happened(self, write):
        reader = open_transcript(
            write(
                line("user", "a", timestamp="2026-03-02T10:00:02.000Z", uuid="u-2"),
                line("assistant", text("b"), timestamp="2026-03-02T10:00:01.000Z"),
            )
        )
        first, _ = reader
        assert (first.uuid, first.line) == ("u-2", 1)
        header = reader.header
        assert (header.kind, header.session_id, header.cwd, header.git_branch) == (
            "claude-code",
            "s-1",
            "/home/dev/shop",
            "main",
        )
        assert (header.turns, header.lines, header.bad_lines) == (2, 2, 0)
        assert header.first_timestamp == "2026-03-02T10:00:01.000Z"
        assert header.last_timestamp == "2026-03-02T10:00:02.000Z"

    def test_bad_lines_are_counted_and_the_rest_is_read(self, write):
        reader = open_transcript(
            write(
                "oops", line("user", "hello"), '{"type":"user"', b"\xff\xfe\x00", "", line("assistant", text("hi"))[:-9]
            )
        )
        assert [turn.text for turn in reader] == ["hello"]
        assert reader.header.bad_lines == 4

    def test_a_line_over_the_limit_is_skipped_and_counted(self, write):
        reader = open_transcript(write(line("user", "a"), line("user", "x" * LINE_LIMIT), line("user", "b")))
        assert [turn.text for turn in reader] == ["a", "b"]
        assert (reader.header.bad_lines, reader.header.lines) == (1, 3)

    def test_byte_order_mark_line_ends_and_lone_surrogates(self, write):
        first = b"\xef\xbb\xbf" + line("user", "one\r\ntwo").encode()
        odd = line("user", "SURROGATE").replace("SURROGATE", "a \\ud800 b \\ud83d\\ude00").encode()
        path = write(first, odd, line("user", "raw").encode().replace(b"raw", b"r\xffw"), end=b"\r\n")
        assert [turn.text for turn in open_transcript(path)] == ["one\ntwo", "a \ufffd b \U0001f600", "r\ufffdw"]

    def test_the_filter_never_loses_what_decoding_would_find(self, write):
        typed = line("user", [{"type": "tool_result", "content": "x" * 9_000}, *text("and this")])
        assert said(write(typed)) == [("user", "and this")]


def test_codex_with_and_without_its_envelope(write):
    def item(role: str, kind: str, words: str) -> dict[str, object]:
        return {"type": "message", "role": role, "content": [{"type": kind, "text": words}]}

    messages = [
        item("user", "input_text", "<environment_context>x</environment_context>"),
        item("developer", "input_text", "rules"),
        item("user", "input_text", "add a retry"),
        item("assistant", "output_text", "Done."),
    ]
    meta = {"id": "c-1", "cwd": "/home/dev/shop", "git": {"branch": "dev"}}
    lines = [{"timestamp": "2026-03-02T10:00:00Z", "type": "response_item", "payload": part} for part in messages]
    event = {"type": "event_msg", "payload": {"type": "agent_message", "message": "Done."}}
    reader = open_transcript(write(*map(json.dumps, [{"type": "session_meta", "payload": meta}, event, *lines])))
    assert [(turn.role, turn.text) for turn in reader] == [("user", "add a retry"), ("assistant", "Done.")]
    assert (reader.header.session_id, reader.header.cwd, reader.header.git_branch) == ("c-1", "/home/dev/shop", "dev")
    old = open_transcript(write(*map(json.dumps, [meta | {"instructions": None}, *messages])))
    assert [turn.text for turn in old] == ["add a retry", "Done."]
    assert (old.header.kind, old.header.session_id) == ("codex", "c-1")


SPECSTORY = """\
<!-- Generated by SpecStory, Markdown v2.1.0 -->

# 2026-02-23 21:34:27Z

<!-- Claude Code Session b1ae66ec-3cd0-446d-89e7-65763a09c49a (2026-02-23 21:34:27Z) -->

_**User (2026-02-23 21:34:27Z)**_

add a retry

to the uploader

---

_**Agent (claude-opus-4-6 2026-02-23 21:34:31Z)**_

<think><details><summary>Thought Process</summary>
Next session.
</details></think>

_**Agent (claude-opus-4-6 2026-02-23 21:34:38Z)**_

<tool-use data-tool-type="read"><details>
_**User (quoted)**_

quoted words
</details></tool-use>

Done.

_**Agent - sidechain (2026-02-23 21:34:38Z)**_

not the main chain

---

_**User**_

thanks

---

_**Assistant**_

Welcome.
"""


def test_specstory(write):
    reader = open_transcript(write(SPECSTORY, name="t.md"))
    read = list(reader)
    assert [(turn.role, turn.text) for turn in read] == [
        ("user", "add a retry\n\nto the uploader"),
        ("assistant", "Done."),
        ("user", "thanks"),
        ("assistant", "Welcome."),
    ]
    assert (read[0].line, read[0].timestamp) == (7, "2026-02-23 21:34:27Z")
    assert reader.header.session_id == "b1ae66ec-3cd0-446d-89e7-65763a09c49a"


def test_neutral_turns_may_say_content(write):
    document = json.dumps({"turns": [{"role": "user", "content": "Hello"}]})
    assert [turn.text for turn in open_transcript(write(document))] == ["Hello"]


@pytest.mark.parametrize("turn", [{"speaker": "me", "message": "Hello"}, {"role": "user", "words": "Hello"}, {}])
def test_neutral_turns_of_which_none_can_be_read(write, turn):
    document = json.dumps({"turns": [turn, turn]})
    with pytest.raises(NotATranscriptError, match="role"):
        list(open_transcript(write(document)))


def test_neutral_turns(write):
    turns = [{"role": "user", "text": "a"}, {"role": "system", "text": "b"}, {"role": "assistant", "text": "c"}]
    for document in (json.dumps({"source": {}, "turns": turns}), json.dumps({"turns": turns}, indent=1)):
        assert said(write(document, name="t.json")) == [("user", "a"), ("assistant", "c")]


# Gemini CLI's chats of two versions: they are not read.
GEMINI_JSON = (
    b'{"sessionId": "s-1", "projectHash": "a1", "startTime": "2026-04-24T08:00:00Z", "messages": ['
    b'{"id": "1", "type": "user", "content": "hello"}, {"id": "2", "type": "gemini", "content": "Next session: x"}]}'
)


@pytest.mark.parametrize(
    ("content", "error"),
    [
        (b"# Notes\n\n- buy milk\n", NotATranscriptError),
        (b'{"name": "package", "version": 1}\n', NotATranscriptError),
        (b"\x89PNG\r\n\x1a\n\x00\x00", NotATranscriptError),
        (b'{"turns": [{"role": "user", "te', NotATranscriptError),
        (GEMINI_JSON[:-20], NotATranscriptError),
        (None, NoSuchTranscriptError),
    ],
)
def test_what_is_no_transcript_is_said_so_with_place_and_next_step(tmp_path, content, error):
    path = tmp_path / "x.md"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(error) as raised:
        list(open_transcript(path))
    assert raised.value.where == str(path)
    assert raised.value.next_step


def test_a_folder_is_no_transcript(tmp_path):
    with pytest.raises(NoSuchTranscriptError):
        open_transcript(tmp_path)


@pytest.mark.parametrize("content", [b"", b"\n", b"\xef\xbb\xbf\r\n"])
def test_an_empty_file_is_a_transcript_without_turns(tmp_path, content):
    (tmp_path / "t.jsonl").write_bytes(content)
    assert said(tmp_path / "t.jsonl") == []


def test_half_a_first_line_is_a_transcript_without_turns(write):
    reader = open_transcript(write('{"parentUuid":null,"sessionId":"s-1","type":"us'))
    assert list(reader) == []
    assert reader.header.bad_lines == 1


@given(st.text(alphabet=st.characters(), max_size=60))
def test_clean_texts_can_always_be_written(words):
    clean(words).encode()
    without_machinery(words)


@given(st.binary(max_size=400))
def test_any_bytes_after_a_good_line_are_survived(tmp_path_factory, junk):
    path = tmp_path_factory.mktemp("t") / "t.jsonl"
    path.write_bytes(line("user", "hello").encode() + b"\n" + junk)
    assert next(iter(open_transcript(path))) == Turn("user", "hello", 1)


def test_counting_turns():
    header = Header(Path("x"), "empty")
    header.count(Turn("user", "a", timestamp=None))
    assert (header.turns, header.first_timestamp) == (1, None)
