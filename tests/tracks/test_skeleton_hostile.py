"""Sources that nobody wrote by hand: they end by name only, or as far as they can be read, in bounded time."""

import pytest

from tests.tracks.outlining import lines
from wrapgen.tracks.record import FileState, turn_record
from wrapgen.tracks.skeleton import final
from wrapgen.tracks.skeleton.final import interfaces
from wrapgen.tracks.skeleton.outline import LARGEST, ReadingTime, UnreadableError, outline


def read(path, text):
    (one,) = interfaces([turn_record("s", 1, "assistant", "")], [FileState(path, text, turn=1)])
    return one


@pytest.mark.sampled(20)
@pytest.mark.parametrize("suffix", ["py", "js", "ts", "tsx", "go", "rs", "java"])
@pytest.mark.parametrize(
    "unit", ["(", "{", "<", '"', "A<", "a<b,", "if (a) { ", "f(", ")", "\x00", "\ud800", "`${", "a?b:"]
)
def test_ten_thousand_levels_are_listed_by_name(suffix, unit):
    one = read(f"a.{suffix}", unit * 10_000)
    assert (one.name, one.lines) == (f"a.{suffix}", ())


def test_many_levels_that_close():
    assert lines("python", "def f(): return " + "(" * 300 + "1" + ")" * 300) == ["def f()"]
    with pytest.raises(UnreadableError):
        lines("python", "def f(): return " + "(" * 10_000 + "1" + ")" * 10_000)


def test_comparisons_are_no_levels():
    assert lines("javascript", "function f(a, b) {\n" + "if (a < b) g();\n" * 1_000 + "}") == ["function f(a, b)"]


def test_classes_in_classes_are_shown_to_a_depth():
    code = "".join(f"{'    ' * n}class A{n}:\n" for n in range(40)) + "    " * 40 + "x: int\n"
    assert lines("python", code) == [f"{'    ' * n}class A{n}" for n in range(12)]


def test_a_source_of_five_megabytes_is_listed_by_name():
    one = read("a.py", "def f(): pass\n" * 400_000)
    assert (one.lines, one.readable) == ((), False)


def test_the_largest_source_that_is_read():
    code = "def f(): pass\n" + "#" * LARGEST
    assert lines("python", code[:LARGEST]) == ["def f()"]
    with pytest.raises(UnreadableError):
        lines("python", code[: LARGEST + 1])


def test_characters_that_cannot_be_written():
    assert read("a.py", "def f(a: '\ud800\x1b'): ...").lines == (r"def f(a: '?\x1b')",)
    assert read("a\ud800\x1b.py", "def f(): ...").name == r"a\ud800\x1b.py"


def test_without_patience_everything_is_listed_by_name():
    with pytest.raises(UnreadableError):
        outline("def f(): pass", "python", ReadingTime(0))


def test_the_newest_sources_are_read_first(monkeypatch):
    def outline_while_time(text, _language, _patience):
        if "old" in text:
            raise UnreadableError
        return outline(text, "python", ReadingTime(60))

    seen = []
    monkeypatch.setattr(final, "outline", lambda text, *rest: seen.append(text) or outline_while_time(text, *rest))
    files = (FileState("old.py", "def old(): ...", turn=1), FileState("new.py", "def new(): ...", turn=1))
    found = interfaces([turn_record("s", 1, "assistant", "")], files)
    assert seen == ["def new(): ...", "def old(): ..."]
    assert [(one.name, one.readable) for one in found] == [("old.py", False), ("new.py", True)]


@pytest.mark.slow
def test_thousands_of_files():
    files = tuple(FileState(f"d/{n}.py", f"def f{n}(): ...", turn=1) for n in range(1_000))
    text = "".join(f"`d/{n}.py`:\n```python\ndef g(): ...\n```\n" for n in range(1_000))
    found = interfaces([turn_record("s", 1, "assistant", text)], files)
    assert [one.lines for one in found] == [(f"def f{n}()",) for n in range(1_000)]
