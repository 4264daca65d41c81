"""What docs/sessions.md shows is what the commands print."""

from tests.sessions import PAGE, played


def test_the_worked_sessions_print_what_the_page_shows(tmp_path, monkeypatch):
    folder = tmp_path / "notes"
    folder.mkdir()
    monkeypatch.chdir(folder)
    page = PAGE.read_text("utf-8")
    assert played(page, folder) == page, "write it anew: python -m tests.sessions"
    assert page.count("````console\n") >= 10
