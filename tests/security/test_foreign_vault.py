"""A vault that came from somebody else: used by hand, it changes nothing outside of itself and runs nothing."""

import os
import shutil
import subprocess

import pytest

from tests.followups import talks
from tests.support import TODAY, audit, finish, journal, next_list, spawn, wrap

if os.name == "posix":
    from tests.forked import forked

pytestmark = pytest.mark.skipif(os.name != "posix", reason="links and pipes of POSIX")
GOOD = journal("2026-04-23", next_list("Fix the login", "(web) Add the retry")) | {
    "projects/web/todos.md": "# Web\n\n## Backlog\n\n- [ ] Write the docs\n"
}
TEMPLATE = ".wrapgen/templates/ACTIVE-STATUS.md.j2"
EVERY_WRITE = (("regen",), ("add", "Sharpen the saw"), ("add", "-p", "web", "Call back"), ("list",),
               ("done", "1"), ("undo",),
               ("edit", "docs", "Write it down"), ("move", "login", "web"), ("undo",),
               ("--no-prompt",), ("doctor", "--fix"))  # fmt: skip
LOCK = ".agents/locks/active-status.lock"
needs_git = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")


@pytest.fixture
def outside(tmp_path):
    """A folder beside the vault that nobody may touch."""
    folder = tmp_path / "outside"
    folder.mkdir()
    (folder / "profile").write_text("export PATH\n")
    return folder


def run_all(built, words=EVERY_WRITE):
    for one in words:
        result = wrap(*one, vault=built)
        assert "unexpected" not in result.err, (one, result.err)


def unchanged(folder):
    assert [path.name for path in folder.iterdir()] == ["profile"]
    assert (folder / "profile").read_text() == "export PATH\n"


@pytest.mark.slow
@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    "name",
    [
        ".wrapgen", ".wrapgen/state", ".wrapgen/cache", ".wrapgen/state/rescued", ".agents", ".agents/locks",
        "journals", "journals/2026", "projects", "projects/web",
    ],
)  # fmt: skip
def test_folders_that_are_links_out_of_it(vault, outside, name):
    built = vault(GOOD, config="lock_timeout = 0.1\n")
    path = built.path(name)
    shutil.rmtree(path, ignore_errors=True)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.symlink_to(outside)
    run_all(built)
    unchanged(outside)


@pytest.mark.slow
@pytest.mark.sampled(7)
@pytest.mark.parametrize(
    "name",
    [
        "ACTIVE-STATUS.md", LOCK, f"{LOCK}.holder", f"{LOCK}.filelock", ".wrapgen/cache/last-run",
        ".wrapgen/cache/files-00", ".wrapgen/state/pending.jsonl", ".wrapgen/state/receipts.jsonl",
        ".wrapgen/state/skipped.jsonl", ".wrapgen/state/conversations.jsonl", ".wrapgen/state/receipts.jsonl.torn",
        ".wrapgen/state/.gitignore", ".wrapgen/.gitignore", ".agents/.gitignore",
        "journals/2026/04/2026-04-24.md", "projects/web/todos.md",
    ],
)  # fmt: skip
def test_files_that_are_links_out_of_it(vault, outside, name):
    lock = "shared" if name.endswith(".filelock") else "kernel"
    built = vault(GOOD, config=f'lock = "{lock}"\nlock_timeout = 0.1\n')
    path = built.path(name)
    path.unlink(missing_ok=True)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.symlink_to(outside / "profile")
    run_all(built)
    unchanged(outside)


@pytest.mark.slow
@pytest.mark.sampled(18)
@pytest.mark.parametrize(
    "name",
    [
        "ACTIVE-STATUS.md", f"{LOCK}.holder", ".wrapgen/cache/last-run",
        ".wrapgen/state/pending.jsonl", TEMPLATE, ".wrapgen/templates/other",
        "journals/2026/04/2026-04-24.md", "projects/web/todos.md",
    ],
)  # fmt: skip
@pytest.mark.parametrize("kind", ["pipe", "/dev/zero"])
def test_what_has_no_end_is_not_read(vault, name, kind):
    """A child, so that one that hangs fails instead of hanging."""
    built = vault(GOOD, config="lock_timeout = 0.1\n")
    path = built.path(name)
    path.unlink(missing_ok=True)
    path.parent.mkdir(parents=True, exist_ok=True)
    os.mkfifo(path) if kind == "pipe" else path.symlink_to(kind)
    for words in (("regen",), ("audit",), ("add", "Sharpen the saw"), ("doctor",)):
        done = forked("--vault", built.root, "--today", TODAY, *words, patience=60)
        assert "unexpected" not in done.err


# Git's own folder is inside of the vault, but what stands in it is run


def git(built, *words, env=None):
    who = {f"GIT_{role}_{what}": "a@example.org" for role in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
    return subprocess.run(
        ["git", *words], cwd=built.root, check=True, capture_output=True, env={**os.environ, **who, **(env or {})}
    )


@pytest.mark.sampled(6)
@needs_git
@pytest.mark.parametrize(
    "config",
    [
        'output = ".git/config"', 'output = "way/config"', 'output = ".GIT/config"', 'output = "sub/.git/config"',
        '[sources]\njournals = ["way/YYYY-MM-DD.md"]', '[sources]\nproject_todos = ["way/<project>"]',
    ],
)  # fmt: skip
def test_nothing_is_written_into_gits_folder(vault, config):
    built = vault(GOOD, config=f"{config}\n")
    built.write("sub/.git/config", "[core]\n")
    page = config.startswith("output")
    if page:
        built.write(TEMPLATE, "[core]\n\tfsmonitor = touch pwned\n")
    git(built, "init", "-q")
    built.path("way").symlink_to(".git")
    before = {path: path.read_bytes() for path in built.path(".git").rglob("*") if path.is_file()}
    run_all(built, (("regen",), ("add", "Sharpen the saw"), ("doctor", "--fix")) if page else EVERY_WRITE)
    assert {path: path.read_bytes() for path in built.path(".git").rglob("*") if path.is_file()} == before
    assert built.path("sub/.git/config").read_text() == "[core]\n"
    assert not built.path("pwned").exists()


@pytest.fixture
def hostile(vault, tmp_path):
    """A vault whose repository runs a program wherever git lets it."""
    built = vault({**GOOD, "projects/web/todos.md": "## Backlog\n- [x] Add the retry\n"})
    built.write(".gitattributes", "* filter=f diff=d\n")
    trap = tmp_path / "trap"
    trap.write_text(f'#!/bin/sh\necho "$@" >> {tmp_path}/sprung\ncat\n')
    trap.chmod(0o755)
    git(built, "init", "-q")
    git(built, "add", "-A")
    git(built, "commit", "-q", "-m", "notes", env={"GIT_COMMITTER_DATE": "2026-04-20T12:00:00+0000"})
    for key in (
        "core.fsmonitor", "core.pager", "core.sshCommand", "core.editor", "diff.external", "filter.f.clean",
        "filter.f.smudge", "filter.f.process", "diff.d.textconv", "diff.d.command", "credential.helper",
        "filter.odd=name.f.clean", "alias.blame", "pager.blame", "gpg.program",
    ):  # fmt: skip
        git(built, "config", key, f"{trap} {key}")
    git(built, "config", "filter.f.required", "true")
    hooks = tmp_path / "hooks"
    hooks.mkdir()
    for hook in ("post-index-change", "fsmonitor-watchman", "post-checkout", "reference-transaction"):
        shutil.copy(trap, hooks / hook)
    git(built, "config", "core.hooksPath", str(hooks))
    return built


@pytest.mark.slow
@needs_git
def test_a_repository_cannot_make_git_run_anything(hostile, tmp_path, monkeypatch):
    subprocess.run(["git", "status"], cwd=hostile.root, capture_output=True, check=False)
    assert (tmp_path / "sprung").exists(), "the trap works"
    (tmp_path / "sprung").unlink()
    hostile.write("projects/web/todos.md", "## Backlog\n- [x] Add the retry \n")
    monkeypatch.chdir(hostile.root)
    run_all(hostile, (("audit",), ("regen",), ("doctor",), ("doctor", "--fix"), ("brief",)))
    assert not (tmp_path / "sprung").exists(), (tmp_path / "sprung").read_text()


@pytest.mark.slow
@needs_git
def test_the_days_of_its_lines_are_known_nevertheless(hostile):
    """The tick was committed before the item was raised."""
    assert wrap("audit", "--json", vault=hostile).fates["Add the retry"] == "shown"


@needs_git
def test_the_variables_of_a_hook_of_git_do_not_lead_elsewhere(hostile, tmp_path, monkeypatch):
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "none"))
    monkeypatch.setenv("GIT_INDEX_FILE", str(tmp_path / "none"))
    monkeypatch.setenv("GIT_CONFIG_COUNT", "x")
    assert wrap("audit", "--json", vault=hostile).fates["Add the retry"] == "shown"


@needs_git
def test_a_program_named_git_in_the_vault_is_not_run(hostile, tmp_path, monkeypatch):
    hostile.write("git", f"#!/bin/sh\ntouch {tmp_path}/sprung\n").chmod(0o755)
    monkeypatch.chdir(hostile.root)
    assert wrap("audit").code == 0
    assert not (tmp_path / "sprung").exists()


# What it reads outside of itself


@pytest.mark.parametrize("trusted", [False, True])
def test_conversations_of_other_folders_are_read_once_it_is_trusted(vault, home, monkeypatch, trusted):
    built = vault(GOOD, config='[projects.web]\npaths = ["/"]\n', trusted=trusted)
    monkeypatch.delenv("CLAUDE_CONFIG_DIR")
    sessions = home / ".claude" / "projects" / "-secret"
    sessions.mkdir(parents=True)
    (sessions / "s.jsonl").write_bytes(talks.claude(talks.said(talks.ROTATE), cwd=str(home / "secret")))
    result = wrap("--no-prompt", vault=built, today=None)
    assert result.code == 0
    assert talks.pending(built) == ([talks.ROTATE] if trusted else [])
    assert ("`projects.web.paths`; `wrap trust`" in result.err) is not trusted


@pytest.mark.parametrize("trusted", [False, True])
def test_links_out_of_it_are_followed_once_it_is_trusted(vault, outside, trusted):
    (outside / "todos.md").write_text("## Next\n\n- [ ] Sell the house\n", encoding="utf-8")
    built = vault(GOOD, config='follow = ["projects"]\n', trusted=trusted)
    built.path("projects/web/todos.md").unlink()
    built.path("projects/web/todos.md").symlink_to(outside / "todos.md")
    result = wrap("regen", vault=built)
    assert ("Sell the house" in built.page) is trusted
    assert ("`follow`; `wrap trust`" in result.err) is not trusted


def test_init_in_somebodys_vault_says_what_it_reads(vault):
    built = vault(GOOD, config='follow = ["projects"]\n')
    assert "it reads files outside of it, through links in projects" in wrap("init", built.root).out


# Templates


@pytest.mark.slow
@pytest.mark.sampled(8)
@pytest.mark.parametrize(
    "template",
    [
        "{% for a in range(99999) %}{% for b in range(99999) %}{% endfor %}{% endfor %}",
        "{{ 'a' * 10**12 }}",
        "{{ 10**(10**10) }}",
        "{{ '%1000000000000d' % 1 }}",
        "{{ '{:>99999999999}'.format(1) }}",
        "{{ 'a'|center(10**12) }}",
        "{% set ns = namespace(x='ab') %}{% for i in range(60) %}{% set ns.x = ns.x ~ ns.x %}{% endfor %}{{ ns.x }}",
        "{% for i in range(99999) %}{{ 'x' * 9999 }}{% endfor %}",
        "{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}",
        "{% include 'ACTIVE-STATUS.md.j2' %}",
        "{{ lipsum(n=99999, min=99999, max=999999) }}",
    ],
)
def test_a_template_without_bounds_is_ended(vault, template, monkeypatch):
    monkeypatch.setattr("wrapgen.dashboard.render.SECONDS", 1)
    built = vault({**GOOD, TEMPLATE: template})
    built.dashboard.write_text("old\n", encoding="utf-8")
    result = wrap("regen", vault=built)
    assert result.code == 1
    assert "ACTIVE-STATUS.md.j2" in result.err
    assert "unexpected" not in result.err
    assert built.page == "old\n"


@pytest.mark.slow
def test_a_template_reads_nothing_outside(vault, outside):
    built = vault({**GOOD, TEMPLATE: "{% include 'profile' %}"})
    built.path(".wrapgen/templates/profile").symlink_to(outside / "profile")
    result = wrap("regen", vault=built)
    assert result.code == 1
    assert "leads outside the vault" in result.err
    shutil.rmtree(built.path(".wrapgen/templates"))
    (outside / "ACTIVE-STATUS.md.j2").write_text("x")
    built.path(".wrapgen/templates").symlink_to(outside)
    assert wrap("regen", vault=built).code == 1


@pytest.mark.slow
def test_modules_in_the_vault_are_not_imported(vault, tmp_path, monkeypatch):
    """Rendering apart starts Python in the working folder, which may be the vault."""
    built = vault({**GOOD, TEMPLATE: "fine\n"})
    for name in ("jinja2", "pickle", "json", "wrapgen", "sitecustomize"):
        built.write(f"{name}.py", f"open({str(tmp_path / 'sprung')!r}, 'w')\n")
    monkeypatch.chdir(built.root)
    assert wrap("regen").code == 0
    assert built.page == "fine\n"
    assert not (tmp_path / "sprung").exists()


@pytest.mark.slow
def test_what_a_template_shows_is_the_same_as_before(vault):
    """The built-in template, copied into the vault, gives the same bytes."""
    from wrapgen.resources import resource

    built = vault(GOOD)
    wrap("regen", vault=built)
    page = built.dashboard.read_bytes()
    built.write(TEMPLATE, (resource("templates") / "ACTIVE-STATUS.md.j2").read_bytes())
    built.dashboard.unlink()
    assert wrap("regen", vault=built).code == 0
    assert built.dashboard.read_bytes() == page


# What a repository ships in the place of the program's own folders


@needs_git
def test_private_folders_that_came_with_the_repository_are_not_committed(vault):
    built = vault({**GOOD, ".wrapgen/state/readme": "", ".agents/locks/readme": "", ".wrapgen/cache/readme": ""})
    git(built, "init", "-q")
    git(built, "add", "-A")
    git(built, "commit", "-q", "-m", "x")
    assert wrap("add", "Sharpen the saw", vault=built).code == 0
    git(built, "add", "-A")
    staged = git(built, "diff", "--cached", "--name-only").stdout.decode().split()
    assert not [name for name in staged if name.startswith((".wrapgen/state", ".wrapgen/cache", ".agents"))]


# Patterns, and trees of folders


@pytest.mark.parametrize(
    "glob", ["**/a/**/b/**/YYYY-MM-DD.md", "journals/*a*a*a*b.md", "journals/<project>-<task>-*a*.md"]
)
def test_patterns_that_would_be_tried_without_end(vault, glob):
    built = vault(GOOD, config=f'[sources]\njournals = ["{glob}"]\n')
    result = wrap("regen", vault=built)
    assert result.code == 1
    assert "wrapgen.toml:2" in result.err
    assert "wildcards" in result.err


@pytest.mark.slow
def test_the_worst_pattern_that_is_allowed_ends(vault):
    """A child, so that one that hangs fails instead of hanging."""
    built = vault(config='[sources]\njournals = ["journals/**/a/**/*a*a*YYYY-MM-DD.md"]\n')
    deep = built.path("journals/" + "a/" * 40)
    deep.mkdir(parents=True)
    for number in range(8):
        (deep / f"{'a' * 240}{number}.md").write_text("## Next\n\n- never\n")
    (deep / "aaa2026-04-23.md").write_text("## Next\n\n- found\n")
    done = finish(spawn("--vault", built.root, "--today", "2026-04-24", "audit", "--json"), timeout=60)
    assert list(done.items) == ["found"]


@pytest.mark.slow
def test_folders_too_deep_for_recursion(vault):
    built = vault(GOOD, config="lock_timeout = 0.1\n")
    for name in ("journals", ".wrapgen/templates", ".wrapgen/state"):
        built.path(name).mkdir(parents=True, exist_ok=True)
        descriptor = os.open(built.path(name), os.O_RDONLY)
        for _ in range(1100):
            os.mkdir("a", dir_fd=descriptor)
            below = os.open("a", os.O_RDONLY, dir_fd=descriptor)
            os.close(descriptor)
            descriptor = below
        os.close(descriptor)
    try:
        run_all(built, (("regen",), ("doctor", "--fix")))
        assert audit(built).fates["Fix the login"] == "shown"
    finally:
        subprocess.run(["rm", "-rf", str(built.root)], check=True)  # Python's own removal recurses
