"""`wrap init`: a folder becomes a vault; what stands there, and what was asked for before, is respected."""

import shlex
import sys

import pytest

from tests.support import wrap
from wrapgen.commands import init_
from wrapgen.config import UserConfig, load, user_config_path
from wrapgen.hosts.places import program_here
from wrapgen.workflows.app import App


def default():
    return load(user_config_path(), UserConfig).default_vault


class TestDefault:
    def test_it_is_the_one_that_is_asked_for_and_init_says_so(self, tmp_path):
        result = wrap("init", tmp_path / "notes", "--default")
        assert "this is now your default vault" in result.out
        wrap("init", tmp_path / "work")
        assert default() == str(tmp_path / "notes")

    @pytest.mark.parametrize("words", [(), ("--no-default",), ("--demo",)])
    def test_but_not_when_it_should_not_be(self, tmp_path, words):
        assert wrap("init", tmp_path / "notes", *words).code == 0
        assert default() == ""

    @pytest.mark.parametrize("answer", [True, False])
    def test_who_is_asked_and_says_no_is_told_nothing_else(self, tmp_path, monkeypatch, answer):
        monkeypatch.setattr(App, "at_terminal", True)
        monkeypatch.setattr(init_.click, "confirm", lambda *_, **__: answer)
        result = wrap("init", tmp_path / "notes")
        assert ("this is now your default vault" in result.out, bool(default())) == (answer, answer)

    def test_it_is_taken_back(self, tmp_path):
        notes = tmp_path / "my notes"
        wrap("init", notes, "--default")
        assert default() == str(notes)
        before = sorted(notes.rglob("*"))
        result = wrap("init", notes, "--no-default")
        assert (result.code, default()) == (0, "")
        assert "no longer" in result.out
        assert sorted(notes.rglob("*")) == before

    def test_that_of_another_vault_stays(self, tmp_path):
        wrap("init", tmp_path / "notes", "--default")
        assert "no longer" not in wrap("init", tmp_path / "others", "--no-default").out
        assert default() == str(tmp_path / "notes")

    def test_one_that_is_gone_is_not_made_again(self, tmp_path):
        wrap("init", tmp_path / "notes", "--default")
        (tmp_path / "notes").rename(tmp_path / "moved")
        assert wrap("init", tmp_path / "notes", "--no-default").code == 0
        assert not (tmp_path / "notes").exists()
        assert default() == ""

    @pytest.mark.slow
    @pytest.mark.parametrize("host", ["claude", "codex"])
    def test_uninstalling_says_that_it_stays_and_what_takes_it_back(self, vault, host):
        built = vault({}, name="my notes")
        wrap("install", host, "--default", vault=built)
        command = wrap("uninstall", host).out.splitlines()[-1].partition("undo: ")[2]
        program, *words = shlex.split(command)
        assert program == "wrap"
        assert wrap(*words).code == 0
        assert default() == ""
        wrap("install", host, "--no-default", vault=built)
        assert "default" not in wrap("uninstall", host).out


class TestDemo:
    @pytest.mark.parametrize("folder", ["", "demo", "new/demo"])
    def test_it_goes_into_an_empty_folder(self, tmp_path, monkeypatch, folder):
        empty = tmp_path / "empty"
        empty.mkdir()
        monkeypatch.chdir(empty)
        assert wrap("init", *filter(None, [folder]), "--demo").code == 0
        assert (empty / folder / "wrapgen.toml").is_file()

    @pytest.mark.parametrize("named", [True, False])
    @pytest.mark.parametrize("file", ["wrapgen.toml", "a note.md", ".hidden"])
    def test_it_goes_into_no_other(self, tmp_path, monkeypatch, file, named):
        (tmp_path / file).write_text("", encoding="utf-8")
        monkeypatch.chdir(tmp_path)
        result = wrap("init", *([tmp_path] if named else []), "--demo")
        assert result.code == 2
        assert str(tmp_path) in result.err
        assert "wrap init DIR --demo" in result.err
        assert [one.name for one in tmp_path.iterdir()] == [file]

    def test_a_copy_that_died_is_finished_and_one_that_is_used_is_left_alone(self, tmp_path):
        wrap("init", tmp_path, "--demo")
        whole = {path: path.read_bytes() for path in tmp_path.rglob("*.*") if path.is_file()}
        (tmp_path / "wrapgen.toml").unlink()
        assert wrap("init", tmp_path, "--demo").code == 0
        assert {path: path.read_bytes() for path in tmp_path.rglob("*.*") if path.is_file()} == whole
        assert wrap("init", tmp_path, "--demo", today="2026-04-25").code == 2
        assert {path: path.read_bytes() for path in tmp_path.rglob("*.*") if path.is_file()} == whole


class TestDetect:
    @pytest.fixture
    def notes(self, tmp_path):
        for path, text in {
            "Daily/2026-04-23.md": "## Next\n\n- [ ] Rotate the keys\n",
            "Areas/boat.md": "# Boat\n\n- [ ] Paint the hull\n- [ ] Sell the sail\n",
            "Templates/boat.md": "- [ ] NAME\n",
        }.items():
            (tmp_path / path).parent.mkdir()
            (tmp_path / path).write_text(text, encoding="utf-8")
        return tmp_path

    @pytest.mark.parametrize("how", [("--detect",), ("--journals", "Daily/YYYY-MM-DD.md")])
    def test_what_is_read_already_is_not_offered_again(self, notes, how):
        assert "wrap init --detect" in wrap("init", notes).out
        assert "as journals" not in wrap("init", notes, *how).out
        written = (notes / "wrapgen.toml").read_bytes()
        again = wrap("init", notes)
        assert (again.code, again.err) == (0, "")
        assert "Daily" not in again.out
        assert (notes / "wrapgen.toml").read_bytes() == written

    def test_one_table_shows_what_it_is_and_what_it_would_give(self, notes):
        rows = [" ".join(line.split()) for line in wrap("init", notes).out.splitlines()]
        assert "journals Daily/**/YYYY-MM-DD.md notes named after days 1 1" in rows
        assert "lists Areas/*.md files with open boxes 1 2" in rows
        assert "ignore Templates/** Templates: left out 1 1" in rows
        assert "4 open boxes in 3 files are not read: wrap sources" in rows

    def test_without_a_terminal_nothing_is_read_until_it_is_said(self, notes):
        assert "`wrap init --detect` reads it" in wrap("init", notes).out
        assert wrap("audit", "--json", vault=notes).json["collected"] == 0
        result = wrap("init", notes, "--detect")
        assert "3 open items will be read" in result.out
        assert "not read" not in result.out
        assert set(wrap("audit", "--json", vault=notes).fates) == {"Rotate the keys", "Paint the hull", "Sell the sail"}

    def test_the_folders_of_others_stay_as_they_are(self, notes):
        before = set(notes.rglob("*"))
        wrap("init", notes, "--detect")
        assert set(notes.rglob("*")) - before == {notes / "wrapgen.toml"}

    @pytest.mark.slow
    @pytest.mark.skipif(sys.platform == "win32", reason="pseudo-terminals as pexpect drives them exist on POSIX only")
    @pytest.mark.parametrize("key", ["enter", "esc"])
    def test_on_a_terminal_it_asks_once(self, notes, key):
        from tests.terminal import ENTER, ESC, Wrap

        with Wrap("init", notes, "--no-default", columns=80, lines=24) as terminal:
            terminal.see("Where does your next work stand?").see("- Paint the hull")
            terminal.press({"enter": ENTER, "esc": ESC}[key])
            assert terminal.finish() == 0
        assert (wrap("audit", "--json", vault=notes).json["collected"] == 3) is (key == "enter")

    @pytest.mark.slow
    @pytest.mark.skipif(sys.platform == "win32", reason="pseudo-terminals as pexpect drives them exist on POSIX only")
    def test_a_folder_laid_out_in_no_way_of_ours_takes_two_keys(self, tmp_path):
        from tests.terminal import ENTER, Wrap

        text = "# Relay\n\n## Baton\n\n- Finish the parser\n- Ring Ann\n\n## Log\n\nMuch was done.\n"
        (tmp_path / "relay.md").write_text(text, encoding="utf-8")
        with Wrap("init", tmp_path, "--no-default", columns=80, lines=24) as terminal:
            terminal.see("relay.md#Baton").see("- Ring Ann").press("h", ENTER)
            assert terminal.finish() == 0
            assert "Finish the parser" in terminal.text
        found = wrap("list", "--json", vault=tmp_path).json["items"]
        assert [one["text"] for one in found] == ["Finish the parser", "Ring Ann"]

    def test_who_leaves_at_the_question_finds_nothing_written(self, notes, monkeypatch):
        def leave(*_, **__):
            raise KeyboardInterrupt

        monkeypatch.setattr(App, "at_terminal", True)
        monkeypatch.setattr(init_.roles_form, "ask", leave)
        before = set(notes.rglob("*"))
        assert wrap("init", notes).code != 0
        assert set(notes.rglob("*")) == before

    def test_where_no_form_can_be_drawn_the_table_is_shown(self, notes, monkeypatch):
        monkeypatch.setattr(App, "at_terminal", True)
        monkeypatch.setenv("TERM", "dumb")
        said = wrap("init", notes, "--no-default").out
        assert "notes found here:" in said
        assert "`wrap init --detect` reads it" in said

    def test_it_ends_with_the_folder_to_go_to(self, notes, monkeypatch):
        spaced = notes / "my notes"
        program = shlex.join(program_here())
        assert f"next: cd '{spaced}' && {program}\n" in wrap("init", spaced).out
        assert f"next: cd '{spaced}' && {program}\n" in wrap("init", vault=spaced).out
        monkeypatch.chdir(spaced)
        assert f"next: {program}\n" in wrap("init").out


@pytest.mark.parametrize("glob", ["!Log/YYYY-MM-DD.md", "[x]/YYYY-MM-DD.md", "../YYYY-MM-DD.md"])
def test_a_glob_that_cannot_be_used_is_refused_before_there_is_a_vault(tmp_path, glob):
    result = wrap("init", tmp_path / "notes", "--journals", "Log/YYYY-MM-DD.md", "--journals", glob)
    assert (result.code, result.out) == (1, "")
    assert f"`{glob}`" in result.err
    assert not (tmp_path / "notes").exists()


class TestItsNumbersAreTrue:
    @staticmethod
    def notes(folder, files):
        for path, text in files.items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_text(text, encoding="utf-8")
        return folder

    def test_with_a_task_filter(self, tmp_path):
        tasks = '{"globalFilter": "#task", "statusSettings": {"customStatuses": []}}'
        files = {
            ".obsidian/community-plugins.json": '["obsidian-tasks-plugin"]',
            ".obsidian/plugins/obsidian-tasks-plugin/data.json": tasks,
            "Areas/boat.md": "- [ ] #task Paint the hull\n- [ ] Milk\n- [ ] Tea\n",
        }
        notes = self.notes(tmp_path, files)
        said = wrap("init", notes, "--detect").out
        assert "lists Areas/*.md files with open boxes 1 1" in " ".join(said.split())
        assert "tasks.filter is to be #task" in said
        assert "1 open item will be read" in said
        assert wrap("audit", "--json", vault=notes).json["collected"] == 1

    def test_what_is_unread_is_counted_with_the_globs_that_are_given(self, tmp_path):
        notes = self.notes(tmp_path, {"Log/2026-04-23.md": "- [ ] Milk\n", "a.md": "- [ ] Tea\n"})
        assert "1 open box in 1 file is not read" in wrap("init", notes, "--journals", "Log/YYYY-MM-DD.md").out

    def test_without_a_proposal(self, tmp_path):
        notes = self.notes(tmp_path, {"talks/a.md": "- [ ] Milk\n"})
        (notes / "wrapgen.toml").write_text('[sources]\ntranscripts = ["talks/*.md"]\n', encoding="utf-8")
        assert "1 open box in 1 file is not read: wrap sources" in wrap("init", notes).out
