"""`wrap regen`: the same bytes from the same notes, and nothing else."""

import subprocess
import sys
import time

import pytest

from tests.support import FATES, TODAY, audit, child_environment, finish, journal, next_list, spawn, wrap

GOOD = journal("2026-04-23", next_list("Fix the login"))
ADAPTED = ".wrapgen/templates/ACTIVE-STATUS.md.j2"


def test_a_second_run_leaves_bytes_and_time(vault):
    built = vault(GOOD)
    first = wrap("regen", "--json", vault=built)
    before = built.snapshot()
    second = wrap("regen", "--json", vault=built)
    assert (first.json["written"], first.json["changed"]) == (True, True)
    assert (second.json["written"], second.json["changed"]) == (True, False)
    assert built.snapshot() == before


def test_where_nothing_changed_the_pipeline_is_not_even_loaded(vault):
    """A third of such a run's time goes into loading it."""
    built = vault(GOOD)
    time.sleep(0.1)  # a file that changed within the clock's grain is read once more
    wrap("regen", vault=built)
    script = (
        f"import sys; from wrapgen.cli import run; run(['--vault', sys.argv[1], '--today', '{TODAY}', 'regen']);"
        "assert not {name for name in sys.modules if name.startswith(('wrapgen.pipeline', 'markdown_it', 'jinja2'))}"
    )
    subprocess.run([sys.executable, "-c", script, built.root], env=child_environment(), check=True)


def test_check_is_0_when_the_page_is_as_it_should_be_and_3_after_an_edit(vault):
    built = vault(GOOD)
    assert wrap("regen", vault=built).code == 0
    assert wrap("regen", "--check", vault=built).code == 0
    built.write("journals/2026/04/2026-04-23.md", next_list("Fix the login", "Add the retry"))
    before = built.snapshot()
    assert wrap("regen", "--check", vault=built).code == 3
    assert built.snapshot() == before


def test_check_without_a_page_is_3_and_writes_nothing(vault):
    built = vault(GOOD)
    before = built.snapshot()
    result = wrap("regen", "--check", "--json", vault=built)
    assert (result.code, result.json["written"], result.json["changed"]) == (3, False, True)
    assert built.snapshot() == before


def test_an_edit_of_the_page_is_found_and_undone(vault):
    built = vault(GOOD)
    wrap("regen", vault=built)
    page = built.page
    built.dashboard.write_text(page + "- (web) By hand\n", encoding="utf-8")
    assert wrap("regen", "--check", vault=built).code == 3
    assert wrap("regen", vault=built).code == 0
    assert built.page == page


def test_the_next_day_is_another_page(vault):
    built = vault(GOOD)
    wrap("regen", vault=built)
    assert wrap("regen", "--check", vault=built, today="2026-04-25").code == 3


def test_what_is_outside_of_the_sources_changes_nothing(vault):
    built = vault(GOOD)
    wrap("regen", vault=built)
    built.write("notes/idea.md", "- Not a source\n- [x] Nor is this\n")
    assert wrap("regen", "--check", vault=built).code == 0
    built.write("notes/idea.md", "- [ ] Not a source, but counted\n")
    assert wrap("regen", "--check", vault=built).code == 3


@pytest.mark.slow
def test_another_process_writes_the_same_bytes(vault, monkeypatch):
    """Hash seeds, locales and working folders differ from run to run."""
    texts = [f"Write chapter {number}" for number in range(30)]
    built = vault(journal("2026-04-23", next_list(*texts)) | {"projects/web/todos.md": "## Next Session\n- 로그인\n"})
    wrap("regen", vault=built)
    page = built.dashboard.read_bytes()
    for seed, zone in (("1", "UTC"), ("2", "Asia/Seoul")):
        monkeypatch.setenv("PYTHONHASHSEED", seed)
        monkeypatch.setenv("TZ", zone)
        built.dashboard.unlink()
        assert finish(spawn("--vault", built.root, "--today", "2026-04-24", "regen")).code == 0
        assert built.dashboard.read_bytes() == page


def test_a_copy_of_the_vault_gives_the_same_bytes(vault):
    pages = []
    for name in ("here", "there"):
        built = vault(GOOD, name=name)
        wrap("regen", vault=built)
        pages.append(built.dashboard.read_bytes())
    assert pages[0] == pages[1]


def test_another_place_for_the_page(vault):
    built = vault({**GOOD, "pages/.keep": ""}, config='output = "pages/now.md"\n')
    assert wrap("regen", vault=built).code == 0
    assert "Fix the login" in built.path("pages/now.md").read_text(encoding="utf-8")
    assert not built.dashboard.exists()
    assert wrap("regen", "--check", vault=built).code == 0


def test_links_of_a_page_in_a_folder_lead_to_their_sources(vault):
    built = vault({**GOOD, "pages/.keep": ""}, config='output = "pages/now.md"\n')
    wrap("regen", vault=built)
    assert "[source](../journals/2026/04/2026-04-23.md#L3)" in built.path("pages/now.md").read_text(encoding="utf-8")


@pytest.mark.slow
@pytest.mark.sampled(5)
@pytest.mark.parametrize(
    "template",
    [
        "{{ view.nobody }}",
        "{% if %}",
        "{{ 1 / 0 }}",
        "{{ view.priorities[99].words }}",
        "{{ ''.x.y }}",
        "{% include 'none.j2' %}",
        "{{ view.today() }}",
    ],
)
def test_a_broken_template_leaves_the_old_page(vault, template):
    built = vault({**GOOD, ADAPTED: template})
    built.dashboard.write_text("old\n", encoding="utf-8")
    result = wrap("regen", vault=built)
    assert result.code == 1
    assert "ACTIVE-STATUS.md.j2" in result.err
    assert "unexpected" not in result.err
    assert built.page == "old\n"


@pytest.mark.slow
@pytest.mark.sampled(5)
@pytest.mark.parametrize(
    "template",
    [
        "{{ view.__class__.__mro__ }}",
        "{{ ''.__class__.__base__.__subclasses__() }}",
        "{{ view.priorities.__getitem__.__globals__ }}",
        "{{ cycler.__init__.__globals__.os.system('touch pwned') }}",
        "{% include '../../wrapgen.toml' %}",
        "{% include '/etc/hostname' %}",
    ],
)
def test_a_template_stays_in_its_sandbox(vault, template):
    built = vault({**GOOD, ADAPTED: template}, config="# secret\n")
    result = wrap("regen", vault=built)
    assert result.code == 1
    assert not built.dashboard.exists()


@pytest.mark.slow
def test_a_template_that_is_not_utf8(vault):
    built = vault({**GOOD, ADAPTED: b"caf\xe9\n"})
    result = wrap("regen", vault=built)
    assert result.code == 1
    assert "unexpected" not in result.err


@pytest.mark.slow
def test_a_template_that_is_a_folder_is_named_or_passed_over(vault):
    built = vault({**GOOD, f"{ADAPTED}/x": ""})
    result = wrap("regen", vault=built)
    assert "unexpected" not in result.err


@pytest.mark.slow
def test_an_own_template(vault):
    built = vault(
        {**GOOD, ADAPTED: "{% for item in view.priorities %}\n- ({{ item.project }}) {{ item.words }}\n{% endfor %}\n"}
    )
    assert wrap("regen", vault=built).code == 0
    assert built.page.strip() == "- (untagged) Fix the login"


def test_a_ledger_that_does_not_balance_is_never_published(vault, monkeypatch):
    from dataclasses import replace

    from wrapgen.pipeline import run as pipeline

    def forgets(before, context):
        return replace(before, kept=before.kept[1:], dropped=())

    stages = tuple(forgets if stage.__name__ == "expire" else stage for stage in pipeline.STAGES)
    monkeypatch.setattr(pipeline, "STAGES", stages)
    built = vault(GOOD)
    built.dashboard.write_text("old\n", encoding="utf-8")
    result = wrap("regen", vault=built)
    assert result.code == 1
    assert "balance" in result.err
    assert built.page == "old\n"


@pytest.mark.parametrize(
    "text",
    [
        "## 다음 할 일\r\n\r\n- [ ] 로그인 오류 수정\r\n  - [ ] 하위 작업\r\n",
        "\ufeff## 下一步\n\n| 状态 | 任务 |\n| --- | --- |\n| ⏳ | 修复登录错误 |\n",
        "## 🚀 Next\n\n- 🔄 deploying\n- ✅ deployed\n* ☐ watch it\n",
    ],
)
def test_the_shapes_of_public_vaults_give_a_balanced_audit(vault, text):
    document = wrap("regen", "--json", vault=vault(journal("2026-04-23", text))).json
    assert document["collected"] == sum(document[fate] for fate in FATES) >= 1


def test_the_page_does_not_read_the_clock(vault):
    built = vault(GOOD)
    wrap("regen", vault=built)
    assert "2026-04-24" in built.page
    assert not any(part in built.page for part in ("T00:", "T12:", ":00"))


def test_done_on_monday_raised_on_wednesday(vault):
    built = vault(
        journal("2026-04-20", "## Done\n- Fix the login\n") | journal("2026-04-22", next_list("Fix the login"))
    )
    assert audit(built).fates == {"Fix the login": "shown"}
