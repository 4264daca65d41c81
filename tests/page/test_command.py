"""`wrap page`: where it writes, and what it never writes over."""

import os
import stat
import sys

import pytest

from tests.page.kit import PAGE, Parsed, page
from tests.support import finish, journal, next_list, spawn, wrap

FILES = {**journal("2026-04-23", next_list("(web) Fix the login")), "projects/web/todos.md": "# Web\n"}
OWN = ".wrapgen/templates/page.html.j2"
posix = pytest.mark.skipif(os.name != "posix", reason="file modes and links of POSIX")


def test_it_stands_where_git_does_not_see_it(vault):
    built = vault(FILES)
    result = wrap("page", vault=built)
    assert result.code == 0
    assert result.out.splitlines() == [
        f"{built.path(PAGE)}: written",
        wrap("audit", vault=built).out.splitlines()[-1],
    ]
    assert built.path(".wrapgen/page/.gitignore").read_text() == "*\n"


@posix
def test_only_its_owner_may_read_it(vault, tmp_path):
    built = vault(FILES)
    page(built)
    assert wrap("page", "--out", tmp_path / "page.html", vault=built).code == 0
    for file in (built.path(PAGE), tmp_path / "page.html"):
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE(built.path(PAGE).parent.stat().st_mode) == 0o700


@pytest.mark.slow
def test_two_runs_on_one_day_write_the_same_bytes(vault):
    built = vault(FILES)
    first = page(built)
    before = built.path(PAGE).stat().st_mtime_ns
    result = wrap("page", vault=built)
    assert result.out.splitlines()[0].endswith(": unchanged")
    assert (page(built), built.path(PAGE).stat().st_mtime_ns) == (first, before)


def test_nothing_else_is_written(vault):
    built = vault(FILES)
    before = built.snapshot()
    page(built)
    after = built.snapshot()
    assert {name: after[name] for name in before} == before
    assert {name for name in set(after) - set(before) if not name.startswith((".wrapgen", ".agents"))} == set()


@pytest.mark.slow
def test_as_json(vault, tmp_path):
    built = vault(FILES)
    out = tmp_path / "page.html"
    document = wrap("page", "--json", "--out", out, vault=built).json
    assert document == {
        "schema": "wrapgen.page/1",
        "path": str(out),
        "bytes": out.stat().st_size,
        "changed": True,
        "today": "2026-04-24",
        "collected": 1,
        "shown": 1,
        "resolved": 0,
        "duplicate": 0,
        "overflow": 0,
        "expired": 0,
    }
    assert wrap("page", "--json", "--out", out, vault=built).json["changed"] is False


@pytest.mark.slow
def test_links_start_where_the_page_stands(vault, tmp_path):
    built = vault(FILES)
    for out, start in (
        (built.path("page.html"), "./journals/"),
        (tmp_path / "page.html", "vault/journals/"),
        (tmp_path / "a b#c" / "page.html", "../vault/journals/"),
    ):
        out.parent.mkdir(exist_ok=True)
        assert wrap("page", "--out", out, vault=built).code == 0
        links = [link for link in Parsed.of(out.read_text(encoding="utf-8")).attributes("href") if "#L" in link]
        assert links
        assert all(link.startswith(start) for link in links), links


@pytest.mark.slow
@pytest.mark.parametrize(
    "name",
    [
        "notes.md",
        "wrapgen.toml",
        "ACTIVE-STATUS.md",
        "journals/2026/04/2026-04-23.md",
        "journals/2026/04/2026-04-25.md",
        "projects/web/PROGRESS.md",
        "some.html",
    ],
)
def test_it_is_not_written_over_anything_else(vault, name):
    built = vault({**FILES, "notes.md": "# Mine\n", "some.html": "<!doctype html>"})
    before = built.snapshot()
    result = wrap("page", "--out", built.path(name), vault=built)
    assert result.code == 1
    assert f"{name}: was not made by `wrap page`, so it is not overwritten. Name another file" in result.err
    after = built.snapshot()
    assert {path: after[path] for path in before} == before
    assert built.path(name).exists() == (name in before)


def test_a_folder_or_a_missing_one(vault, tmp_path):
    built = vault(FILES)
    for out, why in ((tmp_path, "not a regular file"), (tmp_path / "none" / "page.html", "folder does not exist")):
        result = wrap("page", "--out", out, vault=built)
        assert result.code == 1
        assert why in result.err


@pytest.mark.slow
@posix
def test_a_link_that_came_with_the_vault_leads_nowhere(vault, tmp_path):
    built = vault(FILES)
    page(built)
    target = tmp_path / "autostart.html"
    built.path(PAGE).unlink()
    built.path(PAGE).symlink_to(target)
    built.path("linked").symlink_to(tmp_path)
    for words in ((), ("--out", built.path("linked/autostart.html"))):
        result = wrap("page", *words, vault=built)
        assert result.code == 1
        assert "leads outside the vault" in result.err
    assert not target.exists()


@posix
def test_a_link_from_outside_does_not_lead_to_a_note(vault, tmp_path):
    built = vault(FILES)
    (tmp_path / "page.html").symlink_to(built.path("journals/2026/04/2026-04-24.md"))
    result = wrap("page", "--out", tmp_path / "page.html", vault=built)
    assert result.code == 1
    assert not built.path("journals/2026/04/2026-04-24.md").exists()


@pytest.mark.slow
def test_the_browser_is_asked_for_by_its_variable(vault, tmp_path, monkeypatch):
    note = tmp_path / "asked"
    program = tmp_path / "browser.py"
    program.write_text(f"import sys, pathlib; pathlib.Path({str(note)!r}).write_text(sys.argv[1])", encoding="utf-8")
    monkeypatch.setenv("BROWSER", f"{sys.executable} {program} %s")
    built = vault(FILES)
    assert finish(spawn("--vault", built.root, "page", "--open")).code == 0
    assert note.read_text() == built.path(PAGE).as_uri()


def test_without_a_browser_it_says_where_the_page_is(vault, monkeypatch):
    monkeypatch.setattr("webbrowser.open", lambda _: False)
    built = vault(FILES)
    result = wrap("page", "--open", vault=built)
    assert result.code == 0
    assert f"open {built.path(PAGE)} yourself" in result.err


@pytest.mark.slow
def test_the_vaults_own_template_is_used_once_it_is_trusted(vault):
    built = vault({**FILES, OWN: "<p>{{ view.name }} {{ view.priorities.rows[0].words.spans[0].text }}</p>\n"})
    result = wrap("page", vault=built)
    assert result.code == 0
    assert "is not used because this vault is not trusted; `wrap trust`" in result.err
    assert "<!doctype html>" in page(built)
    assert wrap("trust", vault=built).code == 0
    assert page(built).splitlines()[1:] == ["<p>vault Fix the login</p>"]


@pytest.mark.slow
def test_what_a_template_shows_is_escaped(vault):
    built = vault({**journal("2026-04-23", next_list('a <b> & "c"')), OWN: "{{ view.priorities.rows[0].words.spans }}"})
    wrap("trust", vault=built)
    assert "<b>" not in page(built)
    assert "&lt;b&gt;" in page(built)


@pytest.mark.slow
def test_a_broken_template_leaves_the_former_page(vault):
    built = vault(FILES)
    before = page(built)
    built.write(OWN, "{{ view.nobody }}")
    wrap("trust", vault=built)
    result = wrap("page", vault=built)
    assert result.code == 1
    assert f"{built.path(OWN)}:1: the template cannot be rendered" in result.err
    assert built.path(PAGE).read_text(encoding="utf-8") == before


@pytest.mark.parametrize(("style", "start"), [("vscode", "vscode://file/"), ("obsidian", "obsidian://open?path=")])
def test_links_for_an_editor(vault, style, start):
    built = vault(FILES, config=f'link_style = "{style}"\n')
    links = [link for link in Parsed.of(page(built)).attributes("href") if not link.startswith("#")]
    assert links
    assert all(link.startswith(start) for link in links)
    assert ("2026-04-23.md:3" in links[0]) == (style == "vscode")
