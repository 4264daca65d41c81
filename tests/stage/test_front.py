"""The front matter is YAML whatever its values hold, quoted only where YAML needs it, and is read back the same."""

from contextlib import suppress
from dataclasses import replace

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.stage.kit import HEADER, front
from tests.support import each, examples
from wrapgen.errors import SnapshotError
from wrapgen.stage.compose import front_matter, scalar, split

ONE_LINE = st.text(
    st.characters(exclude_categories=["Cs"], exclude_characters="\n\r\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029")
)
MARKS = st.text("ab01 .:-#?!&*|>'\"%@`[]{},=~<\t/_+eEnNyYT", max_size=12)
HOSTILE = (
    "", " ", "a ", " a", "a: b", "a:", ":a", ": a", "a #b", "#a", "a#b", "- a", "-", "--", "---", "-a",
    "?", "? a", "?a",
    "[a]", "{a}", "*a", "&a", "!a", "!!python/object/apply:os.system [x]", "|", ">", "@a", "`a`", '"a"',
    "'a'", '"', "%a",
    "true", "No", "null", "~", "12", "1_000", "0x1F", "0o17", "017", "1e3", "1.5", ".5", ".inf", "-.INF",
    ".nan", "190:20:30",
    "2026-05-21", "2026-05-21T13:45:00Z", "2026-05-21 and more", "<<", "=", "y", "on", "\x00", "\x1b[31m",
    "a\tb", "\x7f",
    "\x9f", "\ufeff", "a\ufeffb", "\u202e", "\U0001f600", "로그인", "\\", "a\\nb", "\ufffe", "... ", "...",
    "a,b", "a, b", "[", "}",
)  # fmt: skip
PLAIN = (
    "/dr-do", "/dr-do TUNE-0254 | implementation", "a#b", "a:b", "-a", "http://x.example/y?z=1", "it's",
    'say "hi"', "a, b",
    "로그인 오류", "\U0001f600", "v1.2.3", "2026-05-21 and more", "nothing", "<b>", "(web) x", "1. first",
    "--flag", "...", "---",
)  # fmt: skip


def as_yaml(text):
    return yaml.safe_load(f"key: {scalar(text)}\nlist:\n  - {scalar(text)}\n")


@each(HOSTILE)
def test_a_hostile_value_is_read_as_what_it_is(text):
    assert as_yaml(text) == {"key": text, "list": [text]}


@each(PLAIN)
def test_what_needs_no_quotes_has_none(text):
    assert scalar(text) == text
    assert as_yaml(text) == {"key": text, "list": [text]}


@settings(max_examples=examples(300))
@given(ONE_LINE | MARKS)
def test_any_value_is_read_as_what_it_is(text):
    assert as_yaml(text) == {"key": text, "list": [text]}


@settings(max_examples=examples(300))
@given(MARKS)
def test_quotes_stand_only_where_yaml_needs_them(text):
    """Numbers of YAML 1.2, and the one-letter answers of some readers of 1.1, are beyond PyYAML."""
    if scalar(text) == text or any(mark in text for mark in "eEyYnN0\t"):
        return
    with suppress(yaml.YAMLError, ValueError):
        assert yaml.safe_load(f"list:\n  - {text}\n") != {"list": [text]}


@settings(max_examples=examples(150))
@given(st.builds(
    replace, st.just(HEADER), command=ONE_LINE, captured_by=ONE_LINE, recommended_next=ONE_LINE, captured_at=MARKS,
    options=st.lists(ONE_LINE, max_size=5).map(tuple),
))  # fmt: skip
def test_whatever_is_written_is_read_back(header):
    data = front_matter(header, body_size=4, truncated=True) + b"body"
    values, options, body = split(data)
    loaded = yaml.safe_load(data.split(b"\n---\n")[0])
    assert body == b"body"
    assert options == header.options == tuple(loaded["options"] or ())
    for name in ("command", "captured_by", "recommended_next"):
        assert values[name] == loaded[name] == getattr(header, name)
    assert int(values["size_bytes"]) == len(data)


def test_the_form_is_that_of_the_specification():
    header = replace(HEADER, captured_at="2026-05-21T13:45:00Z", options=("/dr-do TUNE-0254 | implementation",))
    assert front_matter(header, body_size=6000, truncated=False).decode() == (
        "---\ntask_id: TUNE-0254\nartifact: stage-snapshot\nschema_version: 1\nstage: plan\ncommand: /dr-plan\n"
        "captured_at: 2026-05-21T13:45:00Z\ncaptured_by: agent\nrecommended_next: /dr-do\noptions:\n"
        "  - /dr-do TUNE-0254 | implementation\nsize_bytes: 6260\ntruncated: false\n---\n\n"
    )


def test_no_options_are_a_line_alone():
    assert b"\noptions:\nsize_bytes: " in front_matter(replace(HEADER, options=()), body_size=0, truncated=False)


@each([*range(640, 780), *range(9600, 9800)])
def test_the_size_counts_its_own_digits(size):
    """Around 999 and 9,999, where one digit more makes the file one byte longer."""
    data = front_matter(HEADER, body_size=size, truncated=False)
    assert f"size_bytes: {len(data) + size}\n".encode() in data


GOOD = (front_matter(HEADER, body_size=5, truncated=False) + b"text\n").decode()


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("", "no front matter"),
        ("---\n", "no front matter"),
        (f"\n{GOOD}", "no front matter"),
        (f"\ufeff{GOOD}", "no front matter"),
        (GOOD.replace("\n", "\r\n"), "no front matter"),
        (GOOD.replace("stage: plan", "stage: plan\nstage: do"), "second time"),
        (GOOD.replace("stage: plan\n", ""), "nothing about stage"),
        (GOOD.replace("stage: plan", "stage"), "not a key"),
        (GOOD.replace("options:", "options: [a]"), "not one per line"),
        (GOOD.replace("command: /dr-plan", 'command: "open'), "cannot be read"),
        (GOOD.replace("command: /dr-plan", 'command: "\\ud800"'), "cannot be read"),
        (GOOD.replace("  - /dr-do", "- /dr-do"), "not a key"),
    ],
)
def test_another_form_is_refused(text, word):
    with pytest.raises(SnapshotError, match=word):
        split(text.encode())


def test_bytes_that_are_no_text_are_refused():
    with pytest.raises(SnapshotError, match="cannot be read"):
        split(GOOD.encode().replace(b"/dr-plan", b"\xff"))


@each(["*a", "&a x", "!!python/name:os.system", "<<: *a", "{a: *b}"])
def test_what_yaml_would_act_on_is_only_text(value):
    """No anchor, alias, tag or merge can do anything: a bomb is a value like any other."""
    data = GOOD.replace("command: /dr-plan", f"command: {value}").encode()
    assert split(data)[0]["command"] == value


def test_raw_values_of_datarim_are_the_words_that_they_are():
    data = GOOD.replace("  - /dr-do TUNE-0254 | go", '  - [x] a: b # c\n  - "quoted"').encode()
    assert split(data)[1] == ("[x] a: b # c", "quoted")


def test_a_body_with_fences_of_its_own():
    data = front_matter(HEADER, body_size=0, truncated=False) + b"---\nstage: do\n---\n"
    assert split(data)[0]["stage"] == "plan"
    assert split(data)[2] == b"---\nstage: do\n---\n"


def test_the_kit_reads_what_is_written():
    assert front(GOOD.encode())["options"] == ["/dr-do TUNE-0254 | go"]
