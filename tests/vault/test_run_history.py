"""The history's file: appended to, put together by day, and never in anybody's way."""

import os
import stat

import pytest

from tests.trend.kit import day, line, lines
from wrapgen.errors import PublishError, WrapgenError
from wrapgen.vault import run_history

posix = pytest.mark.skipif(os.name != "posix", reason="links and modes of POSIX")


@pytest.fixture
def built(vault):
    return vault()


def write(built, *written):
    built.write(run_history.FILE, b"".join(one + b"\n" for one in written))


def test_no_file_is_no_history(built):
    assert run_history.days(built.root) == ()


def test_what_is_added_is_read_again(built):
    for one in (day("2026-04-23"), day("2026-04-24", open=3, new=3)):
        run_history.add(built.root, one)
    assert run_history.days(built.root) == (day("2026-04-23"), day("2026-04-24", open=3, new=3))


def test_nothing_new_on_a_day_adds_nothing(built):
    run_history.add(built.root, day(open=3, new=3))
    before = built.path(run_history.FILE).stat().st_ino
    run_history.add(built.root, day(open=3))
    assert built.path(run_history.FILE).stat().st_ino == before
    run_history.add(built.root, day(open=3, new=1, resolved=1))
    assert lines(built) == [line(day(open=3, new=4, resolved=1))]


def test_another_day_is_added_even_when_it_says_the_same(built):
    run_history.add(built.root, day("2026-04-23", open=3))
    run_history.add(built.root, day("2026-04-24", open=3))
    assert len(lines(built)) == 2


def test_a_day_is_one_line(built):
    for new in (1, 2, 3):
        run_history.add(built.root, day("2026-04-23", new=new, open=new))
    run_history.add(built.root, day("2026-04-24"))
    assert lines(built) == [line(day("2026-04-23", new=6, open=3)), line(day("2026-04-24"))]


def test_a_back_fill_stands_in_its_place(built):
    run_history.add(built.root, day("2026-04-24"))
    run_history.add(built.root, day("2026-04-20"))
    assert [str(one.day) for one in run_history.days(built.root)] == ["2026-04-20", "2026-04-24"]


STRANGE = (b"\xff\xfe not text", b'{"day":"2026-04-2', b"[]", b"[" * 100_000, b'{"day":"2026-04-22","version":1}')
NEWER = line(day("2026-04-21")).replace(b'"version":1', b'"version":2')


@pytest.mark.parametrize("strange", [*STRANGE, NEWER], ids=range(len(STRANGE) + 1))
def test_a_line_that_cannot_be_read_is_passed_over_and_kept(built, strange):
    write(built, line(day("2026-04-22", new=1)), strange, line(day("2026-04-22", new=1, open=1)))
    assert run_history.days(built.root) == (day("2026-04-22", new=2, open=1),)
    run_history.add(built.root, day("2026-04-23"))
    assert lines(built) == [strange, line(day("2026-04-22", new=2, open=1)), line(day("2026-04-23"))]


def test_a_torn_last_line_tears_no_other(built):
    write(built, line(day("2026-04-22")))
    with built.path(run_history.FILE).open("ab") as file:
        file.write(line(day("2026-04-23"))[:50])
    run_history.add(built.root, day("2026-04-24"))
    assert [str(one.day) for one in run_history.days(built.root)] == ["2026-04-22", "2026-04-24"]


def test_it_is_bounded_in_days(built, monkeypatch):
    monkeypatch.setattr(run_history, "_DAYS", 5)
    for number in range(10, 30):
        run_history.add(built.root, day(f"2026-04-{number}"))
        assert len(lines(built)) <= 5
    assert [one.day.day for one in run_history.days(built.root)][-5:] == [25, 26, 27, 28, 29]


def test_a_folder_in_its_place_is_an_error(built):
    built.path(run_history.FILE).mkdir(parents=True)
    for look in (lambda: run_history.days(built.root), lambda: run_history.add(built.root, day())):
        with pytest.raises(WrapgenError, match=r"history\.jsonl"):
            look()


@posix
@pytest.mark.parametrize("way", ["file", "folder", "out"])
def test_no_line_gets_into_what_a_link_leads_to(built, tmp_path, way):
    note = built.write("notes/history.jsonl", "- mine\n") if way != "out" else tmp_path / "mine"
    note.write_text("- mine\n", "utf-8")
    if way == "folder":
        built.path(".wrapgen").symlink_to(note.parent)
    else:
        built.path(".wrapgen").mkdir()
        built.path(run_history.FILE).symlink_to(note)
    with pytest.raises(PublishError, match="symbolic link"):
        run_history.add(built.root, day())
    assert note.read_text("utf-8") == "- mine\n"


@posix
def test_only_its_owner_may_read_it(built):
    for number in (23, 24, 25):
        for new in (1, 2):
            run_history.add(built.root, day(f"2026-04-{number}", new=new, open=new))
            assert stat.S_IMODE(built.path(run_history.FILE).stat().st_mode) == 0o600


class TestGit:
    """It is ignored, and nothing else that a person keeps in the folder."""

    def ignored(self, built):
        return built.path(".wrapgen/.gitignore").read_text("utf-8")

    def test_in_a_new_folder(self, built):
        run_history.add(built.root, day())
        assert self.ignored(built) == "*\n!/said.jsonl\n"

    def test_beside_somebodys_templates(self, built):
        built.write(".wrapgen/templates/ACTIVE-STATUS.md.j2", "own")
        for number in (23, 24):
            run_history.add(built.root, day(f"2026-04-{number}"))
        assert self.ignored(built) == "history.jsonl\n.*.wrapgen-*\n.gitignore\n"

    def test_somebodys_own_words_stay(self, built):
        built.write(".wrapgen/.gitignore", "!templates\n")
        run_history.add(built.root, day())
        assert self.ignored(built) == "!templates\n"
