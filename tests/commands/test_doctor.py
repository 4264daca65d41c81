"""`wrap doctor`: each broken set-up is found and named with what mends it; `--fix` mends for good and loses nothing."""

import json
import os
import shutil
from pathlib import Path

import pytest

from tests.support import finish, journal, next_list, spawn, wrap
from wrapgen.commands.doctor_ import CHECKS
from wrapgen.config import user_config_path
from wrapgen.vault import leftovers
from wrapgen.vault.held import HeldFile

GOOD = journal("2026-04-23", next_list("Fix the login")) | {"projects/web/todos.md": "# Web\n\n- [ ] Add the retry\n"}
RECEIPT = b'{"id":"x","at":"2026-04-23T12:00:00Z","command":"add","step":"undone"}\n'
STATE = ".wrapgen/state"
posix = pytest.mark.skipif(os.name != "posix", reason="modes of POSIX")
needs_git = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")


@pytest.fixture
def healthy(vault):
    """A vault that is trusted and was used."""
    built = vault(GOOD)
    assert wrap("trust", vault=built).code == 0
    assert wrap("regen", vault=built).code == 0
    return built


def doctor(built=None, *words):
    return wrap("doctor", *words, "--json", vault=built)


def findings(result, check=None, level="wrong"):
    return [
        one for one in result.json["findings"] if one["level"] == level and (check is None or one["check"] == check)
    ]


def only(result, check, level="wrong"):
    """The one finding that is not well."""
    found = [one for one in result.json["findings"] if one["level"] in ("wrong", "warning")]
    assert [(one["check"], one["level"]) for one in found] == [(check, level)]
    return found[0]


def mended(built, check):
    """Found, told, mended, and not found again."""
    found = doctor(built)
    assert found.code == 3
    assert findings(found, check)
    assert all(one["mend"] and one["fixable"] for one in findings(found, check))
    first = doctor(built, "--fix")
    assert (first.code, findings(first)) == (0, [])
    assert first.json["mended"]
    second = doctor(built, "--fix")
    assert (second.code, second.json["mended"]) == (0, [])
    return first.json["mended"]


@pytest.mark.slow
def test_a_healthy_vault(healthy):
    before = healthy.snapshot()
    result = wrap("doctor", vault=healthy)
    assert (result.code, result.err) == (0, "")
    lines = result.out.splitlines()
    assert lines[-1] == "no problems found"
    assert len(lines) == len(CHECKS) + 1
    assert {line.split()[0] for line in lines[:-1]} == {"ok"}
    assert healthy.snapshot() == before


@pytest.mark.slow
def test_a_vault_after_the_run_at_the_end_of_a_session(healthy):
    assert wrap("--no-prompt", vault=healthy).code == 0
    assert wrap("doctor", vault=healthy).out.endswith("no problems found\n")


def test_the_document(healthy):
    result = doctor(healthy)
    assert list(result.json) == ["schema", "vault", "wrong", "warnings", "mended", "findings"]
    assert result.json["schema"] == "wrapgen.doctor/1"
    assert result.json["vault"] == str(healthy.root)
    assert {tuple(one) for one in result.json["findings"]} == {("check", "level", "what", "where", "mend", "fixable")}
    assert [one["check"] for one in result.json["findings"]] == [check.name for check in CHECKS]


def test_no_vault():
    result = doctor()
    assert (result.code, result.json["vault"]) == (3, None)
    assert "wrap init" in only(result, "vault")["mend"]


def test_a_vault_that_was_moved_away(healthy, monkeypatch):
    shutil.move(healthy.root, healthy.root.with_name("elsewhere"))
    monkeypatch.setenv("WRAPGEN_VAULT", str(healthy.root))
    result = doctor()
    assert result.code == 3
    assert str(healthy.root) in findings(result, "vault")[0]["where"]
    assert "wrap trust --remove" in findings(result, "own file", "warning")[0]["mend"]


def test_a_default_vault_that_is_gone(healthy):
    user_config_path().write_text('default_vault = "/none"\n', encoding="utf-8")
    assert "default_vault" in findings(doctor(healthy), "own file")[0]["what"]


@pytest.mark.parametrize("text", ["capp = 3\n", "cap = [\n", "cap = 0\n", 'output = "../x"\n'])
def test_a_broken_configuration(healthy, text):
    healthy.write("wrapgen.toml", f"\n{text}")
    result = doctor(healthy, "--fix")
    assert result.code == 3
    assert only(result, "configuration")["where"].startswith(f"{healthy.path('wrapgen.toml')}:2")


def test_a_broken_file_of_the_users(healthy):
    user_config_path().write_text("nothing = 1\n", encoding="utf-8")
    assert findings(doctor(healthy), "own file")[0]["where"] == f"{user_config_path()}:1"


@pytest.mark.slow
def test_a_vault_that_is_not_trusted(vault):
    built = vault(GOOD, config='follow = ["notes"]\n[projects.web]\npaths = ["~/code/web"]\n')
    built.write(".wrapgen/templates/ACTIVE-STATUS.md.j2", "x\n")
    result = doctor(built)
    assert result.code == 0
    assert only(result, "trust", "warning")["mend"] == "wrap trust"
    told = " ".join(one["what"] for one in findings(result, "trust", "note"))
    assert all(word in told for word in ("notes", "~/code/web", ".wrapgen/templates"))


@pytest.mark.slow
def test_the_folder_of_another_tool(healthy):
    healthy.write("wrapgen.toml", "lock_timeout = 0.1\n")
    healthy.path(".agents/locks/active-status.lock").unlink()
    healthy.write(".agents/locks/active-status.lock/manifest.json", '{"owner": "other-tool"}')
    found = only(doctor(healthy, "--fix"), "lock")
    assert "other-tool" in found["what"]
    assert "remove the folder" in found["mend"]


@pytest.mark.slow
def test_a_template_that_does_not_render(healthy):
    healthy.write(".wrapgen/templates/ACTIVE-STATUS.md.j2", "# x\n\n{{ view.nobody }}\n")
    found = only(doctor(healthy, "--fix"), "templates")
    assert found["where"].endswith("ACTIVE-STATUS.md.j2:3")


def test_what_waits_is_told(vault):
    built = vault(journal("2026-01-05", next_list("Long ago")) | GOOD)
    built.write("said.md", "**User:** go on\n\n**Assistant:** Next session: add retry to the uploader.\n")
    notes = {one["what"]: one["mend"] for one in findings(doctor(built), "follow-ups", "note")}
    assert notes == {"1 item expired": "wrap list --expired"}


# The memory


@pytest.mark.slow
@pytest.mark.sampled(4)
@pytest.mark.parametrize(
    ("name", "torn"),
    [
        ("receipts.jsonl", b'{"id":"x","at":"2026-0'),
        ("pending.jsonl", b"\xff\xfe not text"),
        ("skipped.jsonl", b'{"orphan":1,"on":"x"}'),
        ("asked.jsonl", b"{"),
        ("something-new.jsonl", b"[1]"),
    ],
)
def test_lines_that_cannot_be_read_are_kept_beside(healthy, name, torn):
    good = RECEIPT if name == "receipts.jsonl" else b""
    healthy.write(f"{STATE}/{name}", good + torn + b"\n" + good + torn)
    assert findings(doctor(healthy), "memory")[0]["where"] == f"{STATE}/{name}:{2 if good else 1}"
    (said,) = [line for line in mended_private(healthy, "memory") if "moved" in line]
    assert said == f"moved 2 lines of {STATE}/{name} to {name}.torn, as they were"
    assert healthy.path(f"{STATE}/{name}").read_bytes() == good * 2
    assert healthy.path(f"{STATE}/{name}.torn").read_bytes() == (torn + b"\n") * 2
    assert wrap("audit", "--json", vault=healthy).json["unreadable"] == []


def mended_private(built, check):
    """As `mended`, for files that a test wrote open to others."""
    for path in built.path(".wrapgen").rglob("*"):
        path.chmod(0o700 if path.is_dir() else 0o600)
    built.path(".wrapgen").chmod(0o700)
    built.write(f"{STATE}/.gitignore", "*\n")
    return mended(built, check)


@pytest.mark.slow
def test_more_torn_lines_are_added_to_those_before(healthy):
    for number in range(3):
        healthy.write(f"{STATE}/pending.jsonl", f"torn {number}")
        mended_private(healthy, "memory")
    assert healthy.path(f"{STATE}/pending.jsonl.torn").read_text() == "torn 0\ntorn 1\ntorn 2\n"


@pytest.mark.slow
def test_torn_lines_wait_for_the_lock(healthy):
    """Another run may be writing the very line."""
    healthy.write("wrapgen.toml", "lock_timeout = 0.1\n")
    healthy.write(f"{STATE}/pending.jsonl", "torn")
    healthy.path(".agents/locks/active-status.lock").unlink()
    healthy.path(".agents/locks/active-status.lock").mkdir()
    result = doctor(healthy, "--fix")
    assert result.code == 3
    assert any(line.startswith("could not fix (memory)") for line in result.json["mended"])
    assert healthy.path(f"{STATE}/pending.jsonl").read_text() == "torn"


# The cache, and what killed runs left


@pytest.mark.slow
@pytest.mark.sampled(3)
@pytest.mark.parametrize("data", [b"", b"wrapgen cache 1\n", b"rubbish", b"wrapgen cache 1\n\0\0\0\0torn"])
def test_a_damaged_cache_is_deleted(healthy, data):
    whole = sorted(path.name for path in healthy.path(".wrapgen/cache").iterdir())
    healthy.write(".wrapgen/cache/files-03", data)
    assert mended(healthy, "left behind") == ["deleted .wrapgen/cache/files-03"]
    assert sorted(path.name for path in healthy.path(".wrapgen/cache").iterdir()) == [
        name for name in whole if name != "files-03"
    ]


def test_the_cache_of_another_version_is_not_damaged(healthy):
    """Its key differs, so it is not used; the next run replaces it."""
    for file in healthy.path(".wrapgen/cache").iterdir():
        os.utime(file, (0, 0))
    assert doctor(healthy).code == 0


@pytest.mark.slow
def test_temporary_files_of_killed_runs_are_removed(healthy):
    names = (".ACTIVE-STATUS.md.77.0123abcd.wrapgen-tmp", "projects/web/.todos.md.7.0123abcd.wrapgen-tmp")
    for name in names:
        healthy.write(name, "half a pag")
    healthy.write(".wrapgen/cache/clock.7.0123abcd.tmp", "")
    mended(healthy, "left behind")
    assert not any(healthy.path(name).exists() for name in names)


@pytest.mark.parametrize("name", ["my.wrapgen-tmp", ".todos.md.wrapgen-both", ".x.1.2.wrapgen-tmp"])
def test_files_that_only_look_so_are_left_alone(healthy, name):
    healthy.write(f"projects/web/{name}", "mine")
    assert doctor(healthy, "--fix").json["mended"] == []
    assert healthy.path(f"projects/web/{name}").read_text() == "mine"


@pytest.mark.slow
@posix
@pytest.mark.parametrize("name", ["todos.md", f"{'long' * 50}.md", "줄\nbreak.md"])
def test_a_half_written_file_is_put_back(healthy, name):
    """A run was killed while it wrote a file with several names."""
    target = healthy.write(f"projects/web/{name}", b"# Web\n\n- [ ] old\n")
    aside = leftovers.keep_both(HeldFile(target), b"# Web\n\n- [ ] old\n", b"# Web\n\n- [ ] ours\n")
    target.write_bytes(b"# Web\n\n- [ ] oud\n\n")
    said = mended(healthy, "left behind")
    assert target.read_bytes() == b"# Web\n\n- [ ] old\n"
    assert not aside.exists()
    assert "\n" not in said[0].replace("줄\nbreak", "")


@pytest.mark.slow
@posix
def test_texts_that_cannot_be_put_back_are_kept(healthy):
    target = healthy.write("projects/web/todos.md", b"somebody wrote this since\n")
    leftovers.keep_both(HeldFile(target), b"old\n", b"new\n")
    said = mended(healthy, "left behind")
    (kept,) = healthy.path(".wrapgen/state/rescued").glob("todos.md.*")
    assert kept.read_bytes() == b"old\nnew\n"
    assert str(kept.relative_to(healthy.root)) in " ".join(said)
    assert target.read_bytes() == b"somebody wrote this since\n"


# Private folders


@pytest.mark.slow
@posix
def test_what_is_open_to_others_is_closed(healthy):
    healthy.write(f"{STATE}/pending.jsonl", "")
    for name in (STATE, ".wrapgen/cache", ".agents/locks"):
        healthy.path(name).mkdir(exist_ok=True)
        healthy.path(name).chmod(0o755)
    healthy.path(f"{STATE}/pending.jsonl").chmod(0o644)
    (found,) = findings(doctor(healthy), "private")
    assert found["what"].startswith("readable by others (755), and ")
    said = mended(healthy, "private")
    assert {f"made {name} private" for name in (STATE, f"{STATE}/pending.jsonl", ".agents/locks")} <= set(said)
    modes = {name: healthy.path(name).stat().st_mode & 0o777 for name in (STATE, ".wrapgen/cache", ".agents/locks")}
    assert set(modes.values()) == {0o700}
    assert healthy.path(f"{STATE}/pending.jsonl").stat().st_mode & 0o777 == 0o600


@posix
def test_one_that_cannot_be_closed_keeps_no_other_one_open(healthy, monkeypatch):
    for name in (STATE, ".wrapgen/cache"):
        healthy.path(name).mkdir(exist_ok=True)
        healthy.path(name).chmod(0o755)
    close = Path.chmod

    def refuse(path, mode):
        if path.name == "state":
            raise PermissionError(1, "Operation not permitted")
        close(path, mode)

    monkeypatch.setattr(Path, "chmod", refuse)
    said = doctor(healthy, "--fix").json["mended"]
    assert f"could not make {STATE} private: Operation not permitted" in said
    assert healthy.path(".wrapgen/cache").stat().st_mode & 0o777 == 0o700


@posix
def test_a_link_in_the_private_folder_is_not_followed(healthy, tmp_path):
    outside = tmp_path / "outside"
    outside.write_text("x")
    outside.chmod(0o644)
    healthy.path(STATE).mkdir(exist_ok=True, mode=0o700)
    healthy.path(f"{STATE}/pending.jsonl").symlink_to(outside)
    doctor(healthy, "--fix")
    assert outside.stat().st_mode & 0o777 == 0o644


def test_host_alone_is_a_usage_error(healthy):
    assert wrap("doctor", "--host", "nas", vault=healthy).code == 2


def test_the_page_for_people(healthy):
    healthy.write("wrapgen.toml", "x\x1b]0;title\x07 = 1\n")
    result = wrap("doctor", vault=healthy)
    assert result.code == 3
    assert "\x1b" not in result.out
    (line,) = [line for line in result.out.splitlines() if line.startswith("wrong")]
    assert "configuration" in line
    assert "wrapgen.toml:1" in line
    assert result.out.splitlines()[-1] == "1 wrong, 0 warnings"


def test_quiet_says_it_by_the_exit_code(healthy):
    healthy.write("projects/web/.todos.md.7.0123abcd.wrapgen-tmp", "half a pag")
    result = wrap("--quiet", "doctor", vault=healthy)
    assert (result.code, result.out, result.err) == (3, "", "")


@pytest.mark.slow
def test_in_a_process_of_its_own(healthy):
    result = finish(spawn("--vault", healthy.root, "--today", "2026-04-24", "doctor", "--json"))
    assert (result.code, result.err) == (0, "")
    assert json.loads(result.out)["wrong"] == 0
