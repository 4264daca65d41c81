"""What is watched, and by which means."""

from pathlib import PurePath
from threading import Event

import pytest

from wrapgen.serving.watch import Watcher, matters

PATIENCE = 60


@pytest.mark.parametrize(
    "path",
    ["journals/2026/04/2026-04-24.md", "projects/web/todos.md", "projects/web", "wrapgen.toml", "my.git/notes.md",
     "pages/ACTIVE-STATUS.md", ".wrapgen/history.jsonl", ".wrapgen/templates/page.html.j2",
     ".wrapgen/state/pending.jsonl"],
)  # fmt: skip
def test_what_the_page_shows_is_watched(path):
    assert matters(PurePath(path), PurePath("ACTIVE-STATUS.md"))


@pytest.mark.parametrize(
    "path",
    ["ACTIVE-STATUS.md", ".git/index", ".agents/locks/active-status.lock", ".wrapgen", ".wrapgen/cache/summaries",
     ".wrapgen/page/index.html", ".wrapgen/state", ".wrapgen/state/hooks/fired/Stop", ".wrapgen/state/hooks.log",
     "projects/web/.todos.md.12.0a1b2c3d.wrapgen-tmp", "projects/web/todos.md~", "projects/web/.todos.md.swp"],
)  # fmt: skip
def test_what_programs_write_for_themselves_is_not(path):
    assert not matters(PurePath(path), PurePath("ACTIVE-STATUS.md"))


@pytest.fixture
def watched(vault):
    """Starts watching a vault; gives it, and what is set at its next change."""
    built, changed, said = vault({"projects/web/todos.md": ""}), Event(), []
    watchers = []

    def start():
        watcher = Watcher(built.root, "ACTIVE-STATUS.md", changed.set, said.append)
        watchers.append(watcher)
        watcher.start()
        return built, changed, said

    yield start
    for one in watchers:
        one.stop()


@pytest.mark.slow
def test_a_change_right_after_the_start_is_seen(watched):
    built, changed, said = watched()
    built.write("projects/web/todos.md", "- [ ] Fix the login\n")
    assert changed.wait(PATIENCE)
    assert said == []


@pytest.mark.slow
@pytest.mark.sampled(3)
@pytest.mark.parametrize("done", ["new", "gone", "renamed", "in a new folder", "replaced"])
def test_whatever_becomes_of_a_note(watched, done):
    built, changed, _ = watched()
    note = built.path("projects/web/todos.md")
    match done:
        case "new":
            built.write("projects/web/PROGRESS.md", "")
        case "gone":
            note.unlink()
        case "renamed":
            note.parent.rename(built.root / "projects/api")
        case "in a new folder":
            built.write("journals/2026/04/2026-04-24.md", "")
        case "replaced":
            built.write("projects/web/.new.wrapgen-tmp", "x").replace(note)
    assert changed.wait(PATIENCE)


@pytest.mark.slow
def test_a_system_that_tells_of_nothing_is_looked_through(watched, monkeypatch):
    import watchfiles

    real = watchfiles.watch

    def refused(*paths, force_polling, **options):
        if not force_polling:
            raise OSError(28, "OS file watch limit reached")
        yield from real(*paths, force_polling=True, **options)

    monkeypatch.setattr(watchfiles, "watch", refused)
    built, changed, said = watched()
    assert len(said) == 1
    assert "limit reached" in said[0]
    built.write("projects/web/todos.md", "- [ ] Fix the login\n", changed="2026-04-25")
    assert changed.wait(PATIENCE)


def test_without_any_means_it_says_so_and_lets_the_server_go_on(watched, monkeypatch):
    def refused(*_, **__):
        raise OSError(28, "OS file watch limit reached")

    monkeypatch.setattr("watchfiles.watch", refused)
    _, changed, said = watched()
    assert "no longer detected" in said[-1]
    assert not changed.is_set()
