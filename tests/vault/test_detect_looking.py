"""Notes are found by their names, whatever the folders are called; what is none is left out."""

import pytest

from wrapgen.config import Config
from wrapgen.vault.detect.detect import detect
from wrapgen.vault.index import Glance

BOX = "- [ ] Paint the boat\n"


@pytest.fixture
def proposals(tmp_path):
    def look(files, key=None):
        for path, text in files.items():
            (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / path).write_text(text, encoding="utf-8")
        found = detect(Glance.at(tmp_path, Config())).proposals
        return [one.glob for one in found if one.key == key] if key else {(one.key, one.glob) for one in found}

    return look


@pytest.mark.parametrize(
    ("path", "pattern"),
    [
        ("2026-04-23.md", "YYYY-MM-DD.md"),
        ("2026_04_23.md", "YYYY_MM_DD.md"),
        ("20260423.md", "YYYYMMDD.md"),
        ("journals/2026_04_23.md", "journals/**/YYYY_MM_DD.md"),
        ("daily/2026/04/2026-04-23 Thursday.md", "daily/**/YYYY-MM-DD*.md"),
        ("01 Notes/Days/2026/2026-04/2026-04-23.md", "01 Notes/Days/**/YYYY-MM-DD.md"),
        ("2026/04-23.md", "YYYY/MM-DD.md"),
        ("Diary/23.04.2026.md", "Diary/**/DD.MM.YYYY.md"),
        ("Diary/23-04-2026.md", "Diary/**/DD-MM-YYYY.md"),
        ("Diary/04-23-2026.md", "Diary/**/MM-DD-YYYY.md"),
        ("Daily/260423.md", "Daily/**/YYMMDD.md"),
        ("diary/2026/04-23.md", "diary/YYYY/MM-DD.md"),
        ("diary/2026/0423 Thursday.md", "diary/YYYY/MMDD*.md"),
        ("diary/2026/04/23.md", "diary/YYYY/MM/DD.md"),
        ("diary/2026/04/23 Thursday.md", "diary/YYYY/MM/DD*.md"),
        ("2026/April/04-23.md", "YYYY/April/MM-DD.md"),
        ("plan.work.2026.04.23.md", "plan.work.YYYY.MM.DD.md"),
        ("[a] {b}/2026-04-23.md", "?a? ?b?/**/YYYY-MM-DD.md"),
    ],
)
def test_the_way_a_date_is_written(proposals, path, pattern):
    assert proposals({path: "## Next\n- Fix the login\n"}) == {("journals", pattern)}


@pytest.mark.parametrize(
    "path",
    [
        "notes/2026-13-45.md", "notes/20260423123.md", "2026/23.md", "2026/04/notes.md", "2026/04/99.md",
        "2026/a/b/23.md", "notes/23.md", "04-23.md", ".obsidian/2026-04-23.md", "a/.trash/2026-04-23.md",
        "2026-04-23.txt", "notes/Drawing 2026-01-27 13.32.md",
    ],
)  # fmt: skip
def test_what_is_no_daily_note(proposals, path):
    assert proposals({path: "x"}) == set()


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("_posts/2026-04-23-a-walk.md", "x"),
        ("site/blog/2026-04-23.md", "x"),
        ("site/content/2026/2026-04-23.md", "x"),
        ("notes/2026-04-23-a-walk.md", "---\nlayout: post\n---\nx"),
        ("notes/2026-04-23.md", "---\ntitle: A\npermalink: /a\n---\nx"),
        ("notes/2026-04-23.md", "---\r\nslug: a\r\n---\r\nx"),
        ("docs/plans/2026-04-23-upload-retry.md", "x"),
        ("reports/2026-04-23-classify.md", "x"),
    ],
)
def test_a_dated_article_or_plan_is_no_journal(proposals, path, text):
    assert proposals({path: text}, "journals") == []
    # Its boxes are not lost: it is a list like any other.
    assert proposals({path: f"{text}\n\n{BOX}"}, "lists") == [f"{path.rpartition('/')[0]}/*.md"]


def test_front_matter_that_only_mentions_it_makes_no_article(proposals):
    assert proposals({"log/2026-04-23.md": "---\ntags: [layout]\n---\n\nlayout: x\n"}, "journals")


def test_a_folder_above_finds_the_notes_of_those_below(proposals):
    paths = ("log/2026-04-21.md", "log/old/2025-04-21.md", "work/log/2026-04-20.md", "work/log/2026-04-22.md")
    assert proposals(dict.fromkeys(paths, "x"), "journals") == ["log/**/YYYY-MM-DD.md", "work/log/**/YYYY-MM-DD.md"]


def test_names_with_and_without_words_behind_the_date_are_one_kind(proposals):
    paths = ("log/2026-04-21.md", "log/2026-04-22 Wednesday.md", "log/2026-04-23.md")
    assert proposals(dict.fromkeys(paths, "x"), "journals") == ["log/**/YYYY-MM-DD*.md"]


def test_files_with_open_boxes_are_lists_by_folder(proposals):
    files = {"TODO.md": BOX, "areas/a.md": BOX, "areas/b.md": BOX, "areas/deep/c.md": BOX, "areas/d.md": "- [x] Done\n"}
    assert proposals(files | {"prose/a.md": "Only words\n"}) == {
        ("lists", "TODO.md"), ("lists", "areas/*.md"), ("lists", "areas/deep/*.md"),
    }  # fmt: skip


def test_lists_have_the_endings_that_are_found(proposals):
    files = {"n/b.markdown": BOX, "m/B.MD": BOX, "k/a.md": BOX, "k/deep/b.markdown": BOX}
    globs = ["k/*.{markdown,md}", "k/deep/*.{markdown,md}", "m/*.MD", "n/*.markdown"]
    assert proposals(files, "lists") == globs


def test_many_folders_become_one_glob(proposals):
    assert proposals({f"areas/{name}/a.md": BOX for name in "abcdef"}, "lists") == ["areas/**/*.md"]


@pytest.mark.parametrize(
    ("path", "glob"),
    [
        ("Templates/daily.md", "Templates/**"),
        ("99 - Templates/daily.md", "99 - Templates/**"),
        ("999_templates/daily/a.md", "999_templates/**"),
        ("work/Archive/2020/a.md", "work/Archive/**"),
        ("docs/examples/a.md", "docs/examples/**"),
        ("docs/ISSUE_TEMPLATE/bug.md", "docs/ISSUE_TEMPLATE/**"),
        ("docs/pull_request_template.md", "docs/pull_request_template.md"),
        ("project template.md", "project template.md"),
        ("vault/tutorial.md", "vault/tutorial.md"),
        ("Projects/Example project.md", "Projects/Example project.md"),
        ("web/todo-archive.md", "web/todo-archive.md"),
        ("web/roadmap-historico-snapshot-2026-05-31.md", "web/roadmap-historico-snapshot-2026-05-31.md"),
        ("notes/02-四象限任务示例.md", "notes/02-四象限任务示例.md"),
        ("模板/a.md", "模板/**"),
        ("R-模板资源/a.md", "R-模板资源/**"),
        ("周复盘模版.md", "周复盘模版.md"),
        ("pages/Plantillas.md", "pages/Plantillas.md"),
        ("tools/skills/review/a.md", "tools/skills/**"),
        ("ops/runbooks/a.md", "ops/runbooks/**"),
        ("archivedInstructions/a.md", "archivedInstructions/**"),
        ("docs/archive-2025/a.md", "docs/archive-2025/**"),
        ("Omnivore/2026-01-10/How to sail.md", "Omnivore/**"),
        ("src/third_party/parser/TODO.md", "src/third_party/**"),
    ],
)
def test_what_is_copied_from_or_put_away_is_left_out(proposals, path, glob):
    assert proposals({path: BOX}) == {("ignore", glob)}


@pytest.mark.parametrize(
    "path",
    [
        "archiving the boat/a.md",
        "playbook/phase-2/a.md",
        "template engine/a.md",
        "contemplate.md",
        "exampled/a.md",
        "archive the boat.md",
        "good snippets and templates.md",
        "example-app-plan.md",
        "backup plan.md",
    ],
)
def test_what_only_sounds_like_it_is_not(proposals, path):
    assert proposals({path: BOX}, "ignore") == []


def test_todo_txt_is_known_by_its_lines_and_in_the_vaults_own_folder_by_its_name(proposals):
    files = {
        "todo.txt": "Call the bank\n",
        "home/todo.txt": "(A) Call @phone\n",
        "src/todo.txt": "fix this mess\n",
        "work.todo.txt": "Call +bank\n",
    }
    assert proposals(files) == {("lists", name) for name in ("todo.txt", "home/todo.txt", "work.todo.txt")}
