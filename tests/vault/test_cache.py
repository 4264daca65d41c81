"""The cache is only a cache: it notices every change, and whatever happens to it, the page is the same."""

import errno
import os
import shutil
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from datetime import date

import pytest

from tests.support import finish, journal, next_list, spawn, wrap
from wrapgen.config import Config
from wrapgen.vault import cache, reading
from wrapgen.vault.cache import Stamp
from wrapgen.vault.entry_index import DamagedIndexError, EntryIndex
from wrapgen.vault.index import QUIETLY, Glance, ReadOptions
from wrapgen.workflows.last_run import last_run

SECOND = 1_000_000_000
NOTE = "journals/2026/04/2026-04-23.md"
FILES = {
    **journal("2026-04-20", "## Done\n- Water the plants\n"),
    **journal("2026-04-23", next_list("Fix the login", "Add the retry", "(web) Water the plants")),
    "projects/web/todos.md": "## Next Session\n- [ ] Write chapter 1\n- [x] Paint the fence\n",
    "projects/web/actives/upload/todos.md": "- [ ] Rotate the keys\n- [ ] Rotate all the keys 📅 2026-04-25\n",
}
posix = pytest.mark.skipif(os.name != "posix", reason="Windows keeps no time of the inode's last change")


@pytest.fixture
def built(vault):
    return vault(FILES)


def settle(built):
    """Run until everything is remembered: what was just written is young for a moment."""
    for _ in range(40):
        assert wrap("regen", vault=built).code == 0
        index = EntryIndex(built.root, remember=False, say=pytest.fail)
        remembered = last_run(index).load()
        if remembered is not None and remembered.inputs:
            return
    pytest.fail("the files stay too young to be remembered")


def clean_page(built):
    """What a run without any cache gives."""
    other = built.root.with_name("clean")
    shutil.rmtree(other, ignore_errors=True)
    shutil.copytree(built.root, other, ignore=shutil.ignore_patterns("cache", "ACTIVE-STATUS.md"))
    for file in built.root.rglob("*.md"):  # copytree keeps times to the microsecond only
        copied = other / file.relative_to(built.root)
        if copied.exists():
            os.utime(copied, ns=(file.stat().st_atime_ns, file.stat().st_mtime_ns))
    assert wrap("regen", vault=other).code == 0
    return (other / "ACTIVE-STATUS.md").read_text(encoding="utf-8")


def assert_noticed(built, before):
    result = wrap("regen", vault=built)
    assert result.code == 0
    assert "rebuilt" in result.out
    assert built.page != before
    assert built.page == clean_page(built)


def replace_whole(path, data):
    status = path.stat()
    other = path.with_name("other")
    other.write_bytes(data)
    os.utime(other, ns=(status.st_atime_ns, status.st_mtime_ns))
    other.replace(path)


def replace_in_place(path, data):
    status = path.stat()
    path.write_bytes(data)
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))


@posix
@pytest.mark.parametrize("replace", [replace_whole, replace_in_place])
@pytest.mark.parametrize("settled", [False, True])
def test_the_same_size_and_mtime_within_a_second_of_the_scan(built, replace, settled):
    if settled:
        settle(built)
    else:
        wrap("regen", vault=built)
    before = built.page
    path = built.path(NOTE)
    data = path.read_bytes()
    replace(path, data.replace(b"login", b"logos"))
    assert path.stat().st_size == len(data)
    assert_noticed(built, before)


@pytest.mark.slow
def test_every_change_right_after_the_scan_is_noticed(built):
    """A change within one tick of the clock leaves the stamp as it is; so what is young is not trusted."""
    path = built.path(NOTE)
    for number in range(30):
        path.write_bytes(next_list(f"Write chapter {number:02d}").encode())
        wrap("regen", vault=built)
        assert f"Write chapter {number:02d}" in built.page


def test_an_edit(built):
    settle(built)
    before = built.page
    with built.path(NOTE).open("a", encoding="utf-8") as file:
        file.write("- Sweep the yard\n")
    assert_noticed(built, before)


def test_a_touch_moves_the_day_that_a_tick_can_mean(vault):
    built = vault(
        {
            **journal("2026-04-10", next_list("(web) Paint the garden fence")),
            "projects/web/todos.md": "- [x] Paint the garden fence\n",
        },
        changed={"projects/web/todos.md": "2026-04-01"},
    )
    settle(built)
    before = built.page
    built.touch("projects/web/todos.md", "2026-04-20")
    assert_noticed(built, before)


def test_a_new_file(built):
    settle(built)
    before = built.page
    built.write("projects/api/todos.md", "## Next Session\n- [ ] Call the plumber\n")
    assert_noticed(built, before)


def test_a_new_project_folder_tags_what_named_it_before(vault):
    built = vault(journal("2026-04-23", "## Session: api work\n### Next\n- Call the plumber\n"))
    settle(built)
    before = built.page
    built.path("projects/api").mkdir(parents=True)
    assert_noticed(built, before)
    assert "(api) Call the plumber" in built.page


def test_a_rename(built):
    settle(built)
    before = built.page
    built.path("projects/web/actives/upload").rename(built.path("projects/web/actives/download"))
    assert_noticed(built, before)


def test_a_deletion(built):
    settle(built)
    before = built.page
    built.path(NOTE).unlink()
    assert_noticed(built, before)


def test_two_files_that_change_places(built):
    other = built.write(
        "journals/2026/04/2026-04-22.md", next_list("Fix the logos", "Add the retry", "(web) Water the x")
    )
    settle(built)
    before, path = built.page, built.path(NOTE)
    path.rename(path.with_suffix(".old"))
    other.rename(path)
    path.with_suffix(".old").rename(other)
    assert_noticed(built, before)


def test_a_file_that_becomes_readable(built):
    path = built.path(NOTE)
    data = path.read_bytes()
    path.write_bytes(data + b"\xff\n")
    settle(built)
    assert "decoded with errors" in built.page
    before = built.page
    path.write_bytes(data)
    assert_noticed(built, before)


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    "config",
    [
        "cap = 1\n",
        "lookback_days = 1\n",
        "dedup_threshold = 100\n",
        '[sections]\nnext = ["done"]\ndone = ["next"]\n',
        '[projects.web]\naliases = ["garden"]\n',
        "[sources]\nproject_todos = []\n",
        'link_style = "obsidian"\n',
    ],
)
def test_another_configuration(vault, config):
    older = journal("2026-04-18", next_list("Add a retry to the uploader", "(garden) Dig the beds"))
    newer = journal("2026-04-23", next_list("Add retry to the uploader") + "\n## Done\n- Sweep the yard\n")
    built = vault(older | newer | {"projects/web/todos.md": "## Next Session\n- [ ] Write chapter 1\n"})
    settle(built)
    before = built.page
    built.write("wrapgen.toml", config)
    assert_noticed(built, before)


@pytest.mark.slow
def test_the_next_day_a_template_a_decision_and_a_hand_on_the_page(built):
    settle(built)
    page = built.page
    assert "rebuilt" in wrap("regen", vault=built, today="2026-04-25").out
    assert "rebuilt" in wrap("regen", vault=built).out
    assert built.page == page
    built.dashboard.write_text(page + "by hand\n", encoding="utf-8")
    assert "rebuilt" in wrap("regen", vault=built).out
    assert built.page == page
    built.write(".wrapgen/templates/ACTIVE-STATUS.md.j2", "{{ view.collected }}\n")
    assert "rebuilt" in wrap("regen", vault=built).out
    shutil.rmtree(built.path(".wrapgen/templates"))
    assert "rebuilt" in wrap("regen", vault=built).out
    assert built.page == page
    assert wrap("snooze", f"{NOTE}:3", "3", vault=built).code == 0
    assert built.page != page
    assert built.page == clean_page(built)


def test_an_unchanged_vault_is_answered_without_reading_it(built, monkeypatch):
    settle(built)
    expected = wrap("regen", "--json", vault=built).json

    def fail(*_):
        pytest.fail("the pipeline was asked")

    monkeypatch.setattr("wrapgen.workflows.rebuild.run_pipeline", fail)
    for words in (("regen",), ("regen", "--check")):
        result = wrap(*words, vault=built)
        assert result.code == 0
        assert result.out.splitlines()[-1].startswith(f"collected {expected['collected']} = shown {expected['shown']}")
    built.dashboard.write_text("by hand\n", encoding="utf-8")
    assert wrap("regen", "--check", vault=built).code == 3


def files_of(root):
    """What tells a file from a changed one; the time of the headline says when the dashboard was found up to date."""
    files = {path: path.stat() for path in root.rglob("*") if path.is_file()}
    return {path: (path.name == "headline.jsonl" or at.st_mtime_ns, at.st_ino) for path, at in files.items()}


def test_an_unchanged_vault_changes_no_file(built):
    settle(built)
    wrap("regen", vault=built)
    before = files_of(built.root)
    assert "unchanged" in wrap("regen", vault=built).out
    assert files_of(built.root) == before


@pytest.mark.parametrize("words", [("audit",), ("list",), ("regen", "--check"), ("explain", "Fix the login")])
def test_what_only_looks_writes_no_cache(built, words):
    before = sorted(built.root.rglob("*"))
    wrap(*words, vault=built)
    # What the numbers of a printed list mean is remembered.
    made = [path for path in sorted(built.root.rglob("*")) if words != ("list",) or ".wrapgen" not in path.parts]
    assert made == before
    assert not built.path(".wrapgen/cache").exists()


def truncated(data):
    return data[: len(data) // 2]


def flipped(data):
    """With every thousandth byte another one; SQLite notices only some of them."""
    return bytes(byte ^ (at % 1000 == 999) for at, byte in enumerate(data))


def foreign(data):
    return data.replace(b"SQLite format 3", b"SQLite format 9", 1)


TOLD = [truncated, foreign, lambda _: b"", lambda _: b"\0" * 100, lambda _: os.urandom(5_000)]


@pytest.mark.parametrize("damage", [*TOLD, flipped, lambda data: data + b"x"])
def test_a_damaged_cache_gives_the_same_page(built, damage):
    settle(built)
    page = built.page
    built.dashboard.unlink()
    for file in built.path(".wrapgen/cache").glob("[a-z]*"):
        file.write_bytes(damage(file.read_bytes()))
    result = wrap("-v", "regen", vault=built)
    assert result.code == 0
    assert built.page == page
    told = [line for line in result.err.splitlines() if "cache" in line]
    if damage in TOLD:
        assert len(told) == 1
        assert "damaged" in told[0]
    settle(built)
    assert wrap("-v", "regen", vault=built).err == ""


@pytest.mark.parametrize("table", ["file", "content", "pair", "kept"])
def test_a_damaged_record_gives_the_same_page(built, table):
    """Whatever is wrong with it, and whoever looks at it."""
    settle(built)
    page = built.page
    column = {"file": "known", "content": "items", "pair": "found", "kept": "value"}[table]
    for words in (("list", "--json"), ("regen",)):
        with closing(sqlite3.connect(built.path(".wrapgen/cache/index.db"))) as connection:
            changed = connection.execute(f"UPDATE {table} SET {column} = x'00010203040506'").rowcount
            connection.commit()
        assert changed
        built.touch(NOTE, "2026-04-23")
        assert wrap(*words, vault=built).code == 0
    assert built.page == page


def test_a_damaged_cache_is_no_news_without_verbose(built):
    settle(built)
    for file in built.path(".wrapgen/cache").glob("[a-z]*"):
        file.write_bytes(b"")
    assert wrap("regen", vault=built).err == ""


def test_a_deleted_cache_gives_the_same_page(built):
    settle(built)
    page = built.page
    built.dashboard.unlink()
    shutil.rmtree(built.path(".wrapgen"))
    assert wrap("regen", vault=built).code == 0
    assert built.page == page


def test_a_cache_of_another_program_is_not_read(built, monkeypatch):
    settle(built)
    page = built.page
    built.dashboard.unlink()
    monkeypatch.setattr(cache, "__version__", "0.0.0")
    assert wrap("regen", vault=built).code == 0
    assert built.page == page


def test_a_cache_that_cannot_be_written(built):
    page = clean_page(built)
    built.write(".wrapgen/cache", "a file, not a folder")
    result = wrap("-v", "regen", vault=built)
    assert result.code == 0
    assert "cache cannot be written" in result.err
    assert built.page == page
    assert wrap("regen", vault=built).err == ""


@pytest.mark.parametrize("begins", ["INSERT INTO {table}.file", "INSERT INTO {table}.post", "INSERT OR REPLACE"])
def test_a_full_disk_is_no_failure_of_the_cache(built, monkeypatch, begins):
    page = clean_page(built)
    write = EntryIndex._write

    def full(self, command, rows):
        if command.startswith(begins) and self._remember:
            raise DamagedIndexError from OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        write(self, command, rows)

    monkeypatch.setattr(EntryIndex, "_write", full)
    assert wrap("regen", vault=built).code == 0
    assert built.page == page
    monkeypatch.undo()
    assert list(built.path(".wrapgen/cache").glob("*.wrapgen-tmp")) == []
    assert wrap("regen", vault=built).code == 0
    assert built.page == page


def test_what_killed_runs_left_is_removed(built):
    left = built.write(".wrapgen/cache/last-run.123.abcd.wrapgen-tmp", "half")
    settle(built)
    assert not left.exists()


def test_git_ignores_the_cache(built):
    wrap("regen", vault=built)
    folders = (built.path(".wrapgen"), built.path(".wrapgen/cache"))
    assert any(
        (folder / ".gitignore").exists() and (folder / ".gitignore").read_text().startswith("*\n") for folder in folders
    )


def test_a_cache_that_can_only_be_read(built):
    """It is used, and what is new is kept in memory."""
    settle(built)
    built.write("projects/api/todos.md", "## Next Session\n- [ ] Call the plumber\n- [x] Fix the login\n")
    file = built.path(".wrapgen/cache/index.db")
    before, changed = file.read_bytes(), file.stat().st_mtime_ns
    for folder in (file.parent, file):
        folder.chmod(0o500 if folder.is_dir() else 0o400)
    try:
        listed = wrap("list", "--all", "--json", vault=built).json["items"]
    finally:
        file.parent.chmod(0o700)
    assert (file.read_bytes(), file.stat().st_mtime_ns) == (before, changed)
    assert "Call the plumber" in {one["text"] for one in listed}
    shutil.rmtree(file.parent)
    assert wrap("list", "--all", "--json", vault=built).json["items"] == listed


def test_an_index_that_another_program_holds(built):
    """Nobody is told of it, and nothing is lost."""
    settle(built)
    page = built.page
    built.touch(NOTE, "2026-04-22")
    for how in ("EXCLUSIVE", "IMMEDIATE"):
        with closing(sqlite3.connect(built.path(".wrapgen/cache/index.db"), isolation_level=None)) as connection:
            connection.execute(f"BEGIN {how}")
            for words in (("list",), ("regen",)):
                result = wrap(*words, vault=built)
                assert (result.code, result.err) == (0, "")
    assert built.page == page


@pytest.mark.slow
def test_two_runs_at_once(built):
    page = clean_page(built)
    with ThreadPoolExecutor(2) as threads:
        runs = threads.map(
            lambda _: finish(spawn("--vault", built.root, "--today", "2026-04-24", "regen")), range(4), timeout=120
        )
        assert [result.code for result in runs] == [0, 0, 0, 0]
    assert built.page == page


@pytest.mark.parametrize("last", [10**18 + 1, 10**18])
def test_a_file_is_settled_when_its_clock_has_moved_on(last):
    grain = 50_000_000 if last % SECOND else 2 * SECOND
    for stamp in (Stamp(1, last, 0, 1), Stamp(1, 0, last, 1)):
        assert not stamp.settled(last)
        assert not stamp.settled(last + grain)
        assert stamp.settled(last + grain + 1)
        assert not stamp.settled(0)


@pytest.mark.slow
@pytest.mark.parametrize("cores", [1, 2, 4])
def test_any_number_of_cores_reads_the_same(built, monkeypatch, cores):
    for number in range(40):
        built.write(f"journals/2026-03-{number % 28 + 1:02d}-{number}.md", next_list(f"Write chapter {number}", "> x"))
    built.write("journals/2026-03-01-bad.md", b"## Next\n- caf\xe9\n")
    glance = Glance.at(built.root, Config())
    expected = reading.read_all(glance.listing.found, cores=1)
    monkeypatch.setattr(reading, "_MANY_BYTES", 0)
    monkeypatch.setattr(reading, "_CHUNK_BYTES", 200)
    done = []
    found = reading.read_all(glance.listing.found, progress=lambda *told: done.append(told), cores=cores)
    assert [(one.readable, one.troubles, bytes(one.packed)) for one in found] == [
        (one.readable, one.troubles, bytes(one.packed)) for one in expected
    ]
    assert done[-1] == (len(found), len(found))
    assert [told[0] for told in done] == sorted(told[0] for told in done)


def test_a_worker_that_dies_costs_time_only(built, monkeypatch):
    def broken(*_, **__):
        raise OSError(errno.ENOSYS, "no semaphores here")

    monkeypatch.setattr("concurrent.futures.ProcessPoolExecutor", broken)
    monkeypatch.setattr(reading, "_MANY_BYTES", 0)
    found = Glance.at(built.root, Config()).listing.found
    assert len(reading.read_all(found, cores=4)) == len(found)


def read_vault(root, manner=QUIETLY):
    return Glance.at(root, Config(), manner).read()


def test_reading_with_the_cache_is_reading(built):
    plain = read_vault(built.root)
    wrap("regen", vault=built)
    for remember in (False, True, True):
        assert read_vault(built.root, ReadOptions(remember)) == plain
    assert plain.sources[0].changed == date(2026, 4, 24)
