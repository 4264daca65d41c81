"""What somebody wrote in the dashboard's place is kept before it is replaced."""

import shutil
import subprocess

import pytest

from tests.support import wrap

OWN = "# My status\n\n- everything I know\n"
COPY = "ACTIVE-STATUS.before-wrapgen.md"
NOTES = {"journals/2026/04/2026-04-24.md": "## Next\n\n- Water the plants\n"}


@pytest.fixture
def written(vault):
    return vault(NOTES | {"ACTIVE-STATUS.md": OWN})


def test_it_is_kept_beside_it_and_said(written):
    result = wrap("regen", vault=written)
    assert result.code == 0
    assert COPY in result.err
    assert written.path(COPY).read_text() == OWN
    assert "Water the plants" in written.path("ACTIVE-STATUS.md").read_text()


def test_each_text_is_kept_once(written):
    second = "ACTIVE-STATUS.before-wrapgen-2.md"
    wrap("regen", vault=written)
    for _ in range(2):
        written.write("ACTIVE-STATUS.md", "something else\n")
        result = wrap("regen", vault=written)
    assert written.path(COPY).read_text() == OWN
    assert written.path(second).read_text() == "something else\n"
    assert second not in result.err
    assert not written.path("ACTIVE-STATUS.before-wrapgen-3.md").exists()


def test_so_is_a_page_of_its_own_that_somebody_wrote_on(vault):
    built = vault(NOTES, config='[sources]\nlists = ["**/*.md"]')
    wrap("regen", vault=built)
    page = built.page + "\n- [ ] Call the plumber\n"
    built.write("ACTIVE-STATUS.md", page)
    assert COPY in wrap("regen", vault=built).err
    assert built.path(COPY).read_text() == page
    assert "plumber" not in built.page  # a copy is no note
    assert wrap("regen", vault=built).err == ""


def test_other_ends_of_lines_are_no_words(vault):
    built = vault(NOTES)
    wrap("regen", vault=built)
    built.write("ACTIVE-STATUS.md", built.page.replace("\n", "\r\n"))
    wrap("regen", vault=built)
    assert not built.path(COPY).exists()


def test_a_page_from_before_pages_were_remembered_is_its_own(vault):
    built = vault(NOTES)
    wrap("regen", vault=built)
    built.path(".wrapgen/state/published.json").unlink()
    built.write("journals/2026/04/2026-04-24.md", "## Next\n\n- Sort the shelves\n")
    wrap("regen", vault=built)
    assert not built.path(COPY).exists()


def test_what_the_program_wrote_is_not_kept(vault):
    built = vault(NOTES)
    wrap("regen", vault=built)
    built.write("journals/2026/04/2026-04-24.md", "## Next\n\n- Sort the shelves\n")
    wrap("regen", vault=built)
    assert not built.path(COPY).exists()


def test_a_page_of_a_template_of_its_own_that_somebody_wrote_over(vault):
    built = vault(NOTES | {".wrapgen/templates/ACTIVE-STATUS.md.j2": "My page: {{ view.collected }}\n"})
    wrap("regen", vault=built)
    built.write("ACTIVE-STATUS.md", OWN)
    assert COPY in wrap("regen", vault=built).err
    assert built.path(COPY).read_text() == OWN


@pytest.mark.slow
def test_nor_is_what_the_vaults_own_template_made(vault):
    built = vault(NOTES | {".wrapgen/templates/ACTIVE-STATUS.md.j2": "My page: {{ view.collected }}\n"})
    wrap("regen", vault=built)
    built.write("journals/2026/04/2026-04-24.md", "## Next\n\n- a\n- b\n")
    wrap("regen", vault=built)
    assert built.path("ACTIVE-STATUS.md").read_text() == "My page: 2\n"
    assert not built.path(COPY).exists()


def test_a_readme_as_the_dashboards_place(vault):
    built = vault(NOTES | {"README.md": OWN}, config='output = "README.md"')
    wrap("regen", vault=built)
    assert built.path("README.before-wrapgen.md").read_text() == OWN


def in_git(vault, *names):
    for words in (("init", "-q"), ("add", "--", *names)):
        subprocess.run(["git", "-C", str(vault.root), *words], check=True)


@pytest.mark.skipif(shutil.which("git") is None, reason="needs git")
class TestTracked:
    @pytest.mark.parametrize("tracked", ["README.md", "other.md"])
    def test_a_readme_is_kept_beside_it_in_git_or_not(self, vault, tracked):
        built = vault(NOTES | {"README.md": OWN, "other.md": ""}, config='output = "README.md"')
        in_git(built, tracked)
        assert wrap("regen", vault=built).code == 0
        assert built.path("README.before-wrapgen.md").read_text() == OWN

    def test_a_dashboard_of_the_usual_name_is_kept_beside_it(self, written):
        in_git(written, "ACTIVE-STATUS.md")
        assert wrap("regen", vault=written).code == 0
        assert written.path(COPY).read_text() == OWN

    def test_a_committed_dashboard_is_rebuilt(self, vault):
        built = vault(NOTES, config='output = "STATUS.md"')
        wrap("regen", vault=built)
        in_git(built, "STATUS.md")
        built.write("journals/2026/04/2026-04-24.md", "## Next\n\n- Sort the shelves\n")
        assert wrap("regen", vault=built).code == 0
        assert "Sort the shelves" in built.path("STATUS.md").read_text()
        assert not built.path("STATUS.before-wrapgen.md").exists()

    def test_a_page_that_came_with_a_pull_is_replaced(self, vault):
        built = vault(NOTES, config='output = "STATUS.md"')
        wrap("regen", vault=built)
        built.write("STATUS.md", built.path("STATUS.md").read_text().replace("Water", "Repot"))
        in_git(built, "STATUS.md")
        wrap("regen", vault=built)
        assert not built.path("STATUS.before-wrapgen.md").exists()

    def test_one_that_was_changed_since_is_kept(self, vault):
        built = vault(NOTES, config='output = "STATUS.md"')
        wrap("regen", vault=built)
        in_git(built, "STATUS.md")
        page = built.path("STATUS.md").read_text() + "- mine\n"
        built.write("STATUS.md", page)
        assert wrap("regen", vault=built).code == 0
        assert built.path("STATUS.before-wrapgen.md").read_text() == page


def test_a_look_keeps_nothing(written):
    for words in (("audit",), ("regen", "--check")):
        wrap(*words, vault=written)
    assert not written.path(COPY).exists()
    assert written.path("ACTIVE-STATUS.md").read_text() == OWN
