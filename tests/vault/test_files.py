"""Files that cannot be read or written as they should: a clear word about each, everything else still done."""

import errno
import hashlib
import os
import stat
import subprocess
import sys

import pytest

from tests.support import FATES, audit, child_environment, finish, next_list, spawn, wrap
from wrapgen.vault import disk

GOOD = {"journals/2026/04/2026-04-23.md": "## Next\n- Fix the login\n"}
BAD = "journals/2026/04/2026-04-22.md"
posix = pytest.mark.skipif(os.name != "posix", reason="links, pipes and modes of POSIX")
not_root = pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may read everything")


def the_rest_is_done(built):
    """The good journal is on the page and the ledger balances; returns what is listed as unreadable."""
    result = wrap("regen", "--json", vault=built)
    assert result.code == 0, result.err
    assert "- (untagged) Fix the login" in built.priorities
    document = result.json
    assert document["collected"] == sum(document[fate] for fate in FATES)
    for trouble in document["unreadable"]:
        assert trouble["path"] in built.page
    return {trouble["path"]: trouble["error"] for trouble in document["unreadable"]}


def test_a_vault_without_trouble_lists_none(vault):
    assert the_rest_is_done(vault(GOOD)) == {}
    assert "Unreadable" not in vault(GOOD).page


def test_bytes_that_are_not_utf8_are_replaced_and_listed(vault):
    built = vault({**GOOD, BAD: "## Next\n- Café\n".encode("latin-1")})
    assert the_rest_is_done(built) == {BAD: "decoded with errors"}
    assert "Caf�" in audit(built).fates


@not_root
def test_an_unreadable_file_is_listed(vault):
    built = vault({**GOOD, BAD: "## Next\n- Add the retry\n"})
    built.path(BAD).chmod(0)
    assert list(the_rest_is_done(built)) == [BAD]


@not_root
def test_an_unreadable_folder_is_listed(vault):
    built = vault({**GOOD, "journals/2025/2025-01-01.md": "## Next\n- Add the retry\n"})
    built.path("journals/2025").chmod(0)
    try:
        assert list(the_rest_is_done(built)) == ["journals/2025"]
    finally:
        built.path("journals/2025").chmod(0o700)


@pytest.mark.parametrize("number", [errno.EACCES, errno.ENOENT, errno.EIO, errno.ESTALE])
def test_a_file_that_the_system_refuses_is_listed(vault, monkeypatch, number):
    """As when it may not be read, vanished behind its listing, or lies on a bad disk or a lost network folder."""
    built = vault({**GOOD, BAD: "## Next\n- Add the retry\n"})
    really_open = os.open

    def refuse(path, *args, **kwargs):
        if str(path).endswith(BAD):
            raise OSError(number, os.strerror(number), str(path))
        return really_open(path, *args, **kwargs)

    monkeypatch.setattr(os, "open", refuse)
    troubles = the_rest_is_done(built)
    assert list(troubles) == [BAD]
    assert os.strerror(number) in troubles[BAD]


def test_a_folder_that_the_system_refuses_is_listed(vault, monkeypatch):
    built = vault({**GOOD, "journals/2025/2025-01-01.md": "## Next\n- Add the retry\n"})
    really_scan = os.scandir

    def refuse(path="."):
        if str(path).endswith("2025"):
            raise PermissionError(errno.EACCES, "Permission denied", str(path))
        return really_scan(path)

    monkeypatch.setattr(os, "scandir", refuse)
    assert list(the_rest_is_done(built)) == ["journals/2025"]


@pytest.mark.slow
def test_a_file_of_five_megabytes_is_read_and_a_larger_one_is_listed(vault):
    head = b"## Next\n- Add the retry\n\n## Notes\n\n"
    built = vault({**GOOD, BAD: head + b"x" * (5_000_000 - len(head))})
    assert the_rest_is_done(built) == {}
    assert "Add the retry" in audit(built).fates
    built.write(BAD, head + b"x" * (5_000_001 - len(head)))
    assert list(the_rest_is_done(built)) == [BAD]
    assert "Add the retry" not in audit(built).fates


@pytest.mark.parametrize("path", [BAD, "projects/web/todos.md", "projects/web/PROGRESS.md"])
def test_a_folder_where_a_file_should_be_is_listed(vault, path):
    built = vault(GOOD)
    built.path(path).mkdir(parents=True)
    assert list(the_rest_is_done(built)) == [path]


def test_a_file_where_a_folder_should_be_does_no_harm(vault):
    built = vault({**GOOD, "projects/README.md": "# Projects\n", "projects/web": "a file\n"})
    the_rest_is_done(built)


def test_a_vault_without_any_source(vault):
    result = wrap("regen", "--json", vault=vault())
    assert (result.code, result.json["collected"], result.json["unreadable"]) == (0, 0, [])


@pytest.mark.slow
@posix
def test_a_named_pipe_is_listed_and_nobody_waits_for_its_writer(vault):
    built = vault(GOOD)
    os.mkfifo(built.path(BAD))
    result = finish(spawn("--vault", built.root, "--today", "2026-04-24", "regen"), timeout=30)
    assert result.code == 0
    assert list(the_rest_is_done(built)) == [BAD]


@pytest.mark.parametrize(
    "data",
    [
        b"## Next\r\n\r\n- Add the retry\r\n- [ ] Rotate the keys\r\n",
        b"\xef\xbb\xbf## Next\n\n- Add the retry\n- [ ] Rotate the keys\n",
        b"## Next\n\n- Add the retry\n- [ ] Rotate the keys",
        b"## Next\r\r- Add the retry\r- [ ] Rotate the keys\r",
        b"##\tNext\n\n-\tAdd the retry\n-\t[ ]\tRotate the keys\n",
    ],
    ids=["CRLF", "BOM", "no final newline", "CR", "tabs"],
)
def test_every_way_to_write_lines_is_read(vault, data):
    built = vault({**GOOD, BAD: data})
    assert the_rest_is_done(built) == {}
    items = audit(built).items
    assert (items["Add the retry"]["line"], items["Rotate the keys"]["line"]) == (3, 4)


def test_nul_bytes_are_shown_as_replacement_characters(vault):
    built = vault({**GOOD, BAD: b"## Next\n- Add\0the retry\n"})
    assert the_rest_is_done(built) == {}
    assert "- (untagged) Add�the retry" in [*built.priorities, *built.also_open]
    assert b"\0" not in built.dashboard.read_bytes()


def test_control_characters_are_shown_as_escapes(vault):
    built = vault({BAD: "## Next\n- Paint \x1b[31mred\x07\n"})
    assert wrap("regen", vault=built).code == 0
    assert r"\x1b" in built.page
    assert "\x1b" not in built.page
    listed = wrap("list", vault=built)
    assert r"\x1b" in listed.out
    assert "\x1b" not in listed.out


def deep_lists(depth):
    """Nested lists whose items have nothing in common."""
    names = (hashlib.sha256(str(level).encode()).hexdigest()[:20] for level in range(depth))
    return "".join(f"{'  ' * level}- [ ] {name}\n" for level, name in enumerate(names))


def test_a_list_of_sixty_levels_is_no_trouble(vault):
    built = vault({**GOOD, "projects/web/actives/deep/todos.md": deep_lists(60)})
    assert the_rest_is_done(built) == {}
    assert audit(built).json["sources"][1]["items"] == 60


@pytest.mark.slow
def test_a_thousand_nested_lists_are_read_by_lines(vault):
    path = "projects/web/actives/deep/todos.md"
    built = vault({**GOOD, path: deep_lists(1000)})
    assert the_rest_is_done(built) == {path: "nested too deeply"}
    assert audit(built).json["sources"][1]["items"] == 1000


@pytest.mark.sampled(4)
@pytest.mark.parametrize("sign", ["- ", "> ", "1. ", "* > "])
def test_ten_thousand_levels_on_one_line_are_read_by_lines(vault, sign):
    path = "projects/web/actives/deep/todos.md"
    text = f"- [ ] Before\n\n{sign * 10_000}[ ] Deep\n\n# After\n\n- [ ] Behind\n"
    built = vault({**GOOD, path: text})
    assert the_rest_is_done(built) == {path: "nested too deeply"}
    found = {item["text"]: item["line"] for item in audit(built).json["items"] if item["path"] == path}
    assert (found["Before"], found["Behind"]) == (1, 7)


def test_a_deep_file_is_read_with_its_sections(vault):
    text = (
        "## Next\n\n- Add the retry\n\n## Notes\n\n"
        + "> " * 5000
        + "deep\n\n- The weather was fine\n\n## Next\n\n- Rotate\n"
    )
    built = vault({**GOOD, BAD: text})
    assert the_rest_is_done(built) == {BAD: "nested too deeply"}
    assert set(audit(built).fates) == {"Fix the login", "Add the retry", "Rotate"}


@pytest.mark.slow
def test_long_lines_of_unfinished_marks_end(vault):
    """A quadratic reader would need minutes for some of them: the child is killed when it hangs."""
    pieces = ("[", "![", "*a ", "`", "<", "**", "~~", "[[", "](", "\\", "&#", "| ", "_a", "(", "<!--", "🔁 ", "due:")
    built = vault({BAD: next_list(*(f"Add {piece * 20_000}" for piece in pieces))})
    result = finish(spawn("--vault", built.root, "--today", "2026-04-24", "regen", "--json"), timeout=30)
    assert (result.code, result.json["collected"]) == (0, len(pieces))


# Writing


def test_the_dashboard_is_a_folder(vault):
    built = vault(GOOD)
    built.dashboard.mkdir()
    result = wrap("regen", vault=built)
    assert result.code == 1
    assert "ACTIVE-STATUS.md" in result.err
    assert "folder" in result.err
    assert list(built.dashboard.iterdir()) == []


@posix
def test_the_dashboard_is_a_link_out_of_the_vault(vault, tmp_path):
    outside = tmp_path / "outside.md"
    outside.write_text("Somebody's words.\n", encoding="utf-8")
    built = vault(GOOD)
    built.dashboard.symlink_to(outside)
    result = wrap("regen", vault=built)
    assert result.code == 1
    assert "ACTIVE-STATUS.md" in result.err
    assert outside.read_text(encoding="utf-8") == "Somebody's words.\n"
    assert built.dashboard.is_symlink()


@pytest.mark.slow
@posix
def test_the_dashboard_is_a_link_inside_the_vault(vault):
    built = vault(GOOD)
    built.write("pages/status.md", "old\n")
    built.dashboard.symlink_to("pages/status.md")
    assert wrap("regen", vault=built).code == 0
    assert built.dashboard.is_symlink()
    assert "Fix the login" in built.path("pages/status.md").read_text(encoding="utf-8")


@posix
@pytest.mark.parametrize("target", ["journals/2026/04/2026-04-23.md", "wrapgen.toml"])
def test_the_dashboard_is_a_link_to_what_a_person_wrote(vault, target):
    built = vault(GOOD)
    words = built.path(target).read_bytes()
    built.dashboard.symlink_to(target)
    result = wrap("regen", vault=built)
    assert result.code == 1
    assert "ACTIVE-STATUS.md" in result.err
    assert built.path(target).read_bytes() == words


@posix
def test_the_former_mode_is_kept(vault):
    built = vault(GOOD)
    built.dashboard.write_text("old\n", encoding="utf-8")
    built.dashboard.chmod(0o640)
    assert wrap("regen", vault=built).code == 0
    assert stat.S_IMODE(built.dashboard.stat().st_mode) == 0o640


@not_root
def test_a_vault_that_may_not_be_written(vault):
    built = vault(GOOD)
    built.root.chmod(0o500)
    try:
        result = wrap("regen", vault=built)
        assert result.code == 1
        assert str(built.root) in result.err
        assert wrap("audit", vault=built).code == 0
    finally:
        built.root.chmod(0o700)


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EROFS, errno.EACCES])
@pytest.mark.parametrize("step", ["open", "fsync", "replace"])
def test_a_write_that_fails_leaves_the_old_page(vault, monkeypatch, number, step):
    built = vault(GOOD)
    built.dashboard.write_text("old\n", encoding="utf-8")
    fail_when_writing(monkeypatch, step, OSError(number, os.strerror(number)))
    result = wrap("regen", vault=built)
    monkeypatch.undo()
    assert result.code == 1
    assert os.strerror(number) in result.err
    assert "Traceback" not in result.err
    assert built.page == "old\n"
    assert [path.name for path in built.root.iterdir() if "tmp" in path.name] == []


def fail_when_writing(monkeypatch, step, error):
    """Make one step of replacing the dashboard fail."""

    def fail(*_args, **_kwargs):
        raise error

    if step == "fsync":
        monkeypatch.setattr(os, "fsync", fail)
    elif step == "replace":
        for name in ("replace", "rename"):
            monkeypatch.setattr(os, name, fail)
            monkeypatch.setattr(f"pathlib.Path.{name}", fail)
    else:
        really_open = os.open

        def fail_to_create(path, flags, *args, **kwargs):
            if flags & os.O_CREAT and "ACTIVE-STATUS" in str(path):
                raise error
            return really_open(path, flags, *args, **kwargs)

        monkeypatch.setattr(os, "open", fail_to_create)


def test_an_interrupted_write_leaves_the_old_page(vault, monkeypatch):
    built = vault(GOOD)
    built.dashboard.write_text("old\n", encoding="utf-8")
    fail_when_writing(monkeypatch, "fsync", KeyboardInterrupt())
    result = wrap("regen", vault=built)
    monkeypatch.undo()
    assert result.code == 130
    assert built.page == "old\n"
    assert wrap("regen", vault=built).code == 0


KILLED_WHILE_WRITING = """
import os, signal, stat, sys
os.fsync = lambda descriptor: stat.S_ISREG(os.fstat(descriptor).st_mode) and os.kill(os.getpid(), signal.SIGKILL)
from wrapgen.cli import run
run(sys.argv[1:])
"""


@pytest.mark.slow
@posix
def test_a_run_that_is_killed_while_it_writes(vault):
    """Old file whole, the next run not blocked, and the temporary file removed by it."""
    built = vault(GOOD)
    built.dashboard.write_text("old\n", encoding="utf-8")
    before = set(built.snapshot())
    child = start_python(KILLED_WHILE_WRITING, "--vault", built.root, "--today", "2026-04-24", "regen")
    assert finish(child).code == -9
    assert built.page == "old\n"
    left = [name for name in set(built.snapshot()) - before if not name.startswith((".agents", ".wrapgen"))]
    assert len(left) == 1, "this test needs the temporary file that the kill left behind"
    assert wrap("regen", vault=built).code == 0
    assert left[0] not in built.snapshot()
    assert "Fix the login" in built.page


def start_python(code, *words):
    command = [sys.executable, "-c", code, *(str(word) for word in words)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=child_environment())


def test_somebody_elses_files_beside_the_page_stay(vault):
    names = (".ACTIVE-STATUS.md.swp", "ACTIVE-STATUS.md.bak", ".ACTIVE-STATUS.md.tmp", "ACTIVE-STATUS.md~")
    built = vault({**GOOD, **dict.fromkeys(names, "mine\n")})
    assert wrap("regen", vault=built).code == 0
    assert [built.path(name).read_text(encoding="utf-8") for name in names] == ["mine\n"] * 4


def test_folders_that_the_program_makes_ignore_themselves(vault):
    built = vault(GOOD)
    assert wrap("regen", vault=built).code == 0
    assert built.path(".agents/.gitignore").read_text(encoding="utf-8").split() == ["*"]
    if os.name == "posix":
        assert stat.S_IMODE(built.path(".agents/locks").stat().st_mode) == 0o700


def test_a_folder_that_stood_there_gets_no_ignore_file_of_ours(vault):
    built = vault({**GOOD, ".agents/notes.md": "mine\n"})
    assert wrap("regen", vault=built).code == 0
    assert not built.path(".agents/.gitignore").exists()
    assert built.path(".agents/locks/.gitignore").read_text(encoding="utf-8").split() == ["*"]


def test_the_former_page_is_never_read_as_state(vault):
    built = vault(GOOD)
    built.dashboard.write_bytes(b"\xff\xfe not even text\n- (web) Made up\n")
    assert wrap("regen", vault=built).code == 0
    assert built.priorities == ["- (untagged) Fix the login"]


def test_read_gives_the_text(tmp_path):
    file = tmp_path / "a.md"
    file.write_bytes(b"\xef\xbb\xbfone\r\ntwo")
    text = disk.read(file, 100)
    assert (text.text, text.trouble) == ("one\r\ntwo", None)
