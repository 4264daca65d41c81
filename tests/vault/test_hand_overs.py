"""What one session leaves to the next is proposed as that: files, rows of dated files, logs and sections."""

import shutil

import pytest

from tests.clones import started
from tests.support import each, wrap
from wrapgen.config import VAULT_FILE, Config, load
from wrapgen.config.schema import Sections, names_in_force
from wrapgen.vault.detect.file_names import is_hand_over, may_hand_over, says_state
from wrapgen.vault.detect.hand_overs import lasting_heading

NEXT = "# State\n\n## Facts\n\n- It is red\n\n## Next steps\n\n- Finish the parser\n"


def detected(built):
    result = wrap("init", "--detect", built.root, "--no-default")
    assert result.code == 0, result.err
    return result.out


def sources(built):
    return load(built.path(VAULT_FILE), Config).sources


def texts(built):
    return [one["text"] for one in wrap("list", "--all", "--json", vault=built).json["items"]]


@each(
    ["HANDOFF.md", "hand-over.md", "docs/SessionHandoff.md", "NEXT_SESSION.md", "resume.md", "인수인계.md", "NEXT.md"]
)
def test_names_that_hand_over(name):
    assert is_hand_over(name)
    assert may_hand_over(name)


@each(
    [
        "PROJECT_STATE.md",
        "master-state.md",
        "memory-bank/activeContext.md",
        "SESSION_CONTEXT.md",
        "docs/TEST-SESSION-2026-06-30-batch2.md",
        "progress.md",
    ]
)
def test_names_that_say_how_things_stand(name):
    assert says_state(name)
    assert not is_hand_over(name)


@each(["QUEUE.md", "TODO.md", "Kanban.md", "docs/task-board.md", "plan of record.md", "roadmap.md"])
def test_names_of_lists(name):
    assert may_hand_over(name)
    assert not says_state(name)
    assert not is_hand_over(name)


@each(["README.md", "statements.md", "handbook.md", "Next.js migration.md", "context.md", "celery-task-3-notes.md"])
def test_names_that_say_nothing(name):
    assert not may_hand_over(name)


def test_a_hand_over_of_bullets_is_the_page(vault):
    built = vault({"HANDOFF.md": "# Handoff\n\n- Finish the parser\n- Ring Ann about the contract\n"})
    detected(built)
    assert sources(built).hand_overs == ("HANDOFF.md",)
    assert texts(built) == ["Finish the parser", "Ring Ann about the contract"]


@pytest.mark.parametrize(
    ("paths", "glob"),
    [
        (("docs/handoff_2026_04_02.md", "docs/handoff_2026_04_09-b.md"), "docs/handoff_YYYY_MM_DD*.md"),
        (("docs/handoffs/2026-04-02.md", "docs/handoffs/2026-04-09 late.md"), "docs/handoffs/YYYY-MM-DD*.md"),
        (("hand-overs/2026/03/2026-03-02.md", "hand-overs/2026/04/2026-04-02.md"), "hand-overs/**/YYYY-MM-DD*.md"),
        (("HANDOFF-7.md", "HANDOFF-8.md"), "HANDOFF-*.md"),
        (("COMMIT_HANDOFF_2026-04-02.md", "COMMIT_HANDOFF_2026-04-09.md"), "COMMIT_HANDOFF_*.md"),
    ],
)
def test_a_family_of_dated_or_numbered_files_is_one_row(vault, paths, glob):
    files = {path: f"# Day\n\n## Next\n\n- Task {number}\n" for number, path in enumerate(paths)}
    built = vault(files, changed={paths[0]: "2026-04-20"})  # of numbered files the one that was changed last
    detected(built)
    assert sources(built).hand_overs == (glob,)
    assert texts(built) == ["Task 1"]


def test_a_state_file_is_read_where_it_says_what_is_next(vault):
    built = vault({"work/site/STATUS.md": NEXT, "work/site/essay.md": NEXT.replace("parser", "essay")})
    detected(built)
    assert sources(built).hand_overs == ("work/site/STATUS.md#Next steps",)
    assert sources(built).lists == ("work/site/*.md",)
    assert sorted(texts(built)) == ["Finish the essay", "Finish the parser"]


def test_prose_below_such_a_heading_is_read_too(vault):
    built = vault({"STATE.md": "# State\n\n## Exact next action\n\nReview the main page on a phone. Then rest.\n"})
    detected(built)
    assert texts(built) == ["Review the main page on a phone"]


def test_a_state_file_that_says_nothing_is_not_proposed(vault):
    assert "STATUS" not in detected(vault({"STATUS.md": "# Status\n\nAll is well.\n"}))


def test_a_log_is_read_by_its_newest_entry_whatever_it_is_called(vault):
    entries = "".join(f"## 2026-04-{day}\n\nDid much.\n\n### Next\n\n- Task {day}\n\n" for day in (21, 23, 22))
    built = vault({"docs/devlog.md": f"# Log\n\n{entries}"})
    detected(built)
    assert sources(built).hand_overs == ("docs/devlog.md#Next",)
    assert texts(built) == ["Task 23"]


def test_what_was_put_away_is_none(vault):
    built = vault({"archive/HANDOFF.md": NEXT, "templates/NEXT_SESSION.md": NEXT, "notes/a.md": "- [ ] Paint\n"})
    detected(built)
    assert sources(built).hand_overs == ()


def test_a_hand_over_whose_heading_no_name_fits_is_read_where_it_speaks_of_what_comes_next(vault):
    text = "# Handoff\n\n## Protocols\n\n- Ask first\n\n## First thing in the morning\n\n- Finish the parser\n"
    built = vault({"HANDOFF.md": text})
    detected(built)
    assert sources(built).hand_overs == ("HANDOFF.md#First thing in the morning",)
    assert texts(built) == ["Finish the parser"]


@each(
    [
        ("Next steps", "Next steps"),
        ("**Next steps** (S066)", "Next steps*"),
        ("Next session — 2026-05-03", "Next session*"),
        ("Next session: the parser", "Next session*"),
        ("3. Next steps", "3. Next steps"),
        ("Open # of items", "Open \\# of items"),
    ]
)
def test_a_heading_is_named_as_it_will_be_called_the_next_time(title, named):
    assert lasting_heading(title, names_in_force(Sections())) == named


def test_a_next_list_without_boxes_counts_as_unread_until_somebody_decides(vault):
    note = "# State\n\n## Facts\n\n- It is red\n\n## Next session picks up\n\n- Finish the parser\n- Ring Ann\n"
    built = vault({"docs/notes.md": note})
    assert wrap("audit", "--json", vault=built).json["unread"]["boxes"] == 2
    assert "2 open boxes in 1 file are not read" in wrap("list", vault=built).out
    detected(built)
    assert sorted(texts(built)) == ["Finish the parser", "Ring Ann"]


def test_what_tells_readers_where_to_go_on_is_none(vault):
    built = vault({"README.md": "# Tool\n\n## Next steps\n\n- Read the guide\n"})
    assert wrap("audit", "--json", vault=built).json["unread"]["boxes"] == 0


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")
def test_a_file_that_many_commits_touched_is_lived_in(vault):
    clone = started(vault({"a/HANDOFF.md": "## Next\n\n- Oil it\n", "b/plain.md": "## Next\n\n- Mend it\n"}))
    for number in range(1, 7):
        clone.write("b/plain.md", f"## Next\n\n- Mend it{'!' * number}\n")
        clone.commit()
    clone.path(VAULT_FILE).unlink()
    said = detected(clone)
    assert sources(clone).hand_overs == ("a/HANDOFF.md", "b/plain.md#Next")
    assert "what is next, in 7 of the last 50 commits" in said


def test_what_an_earlier_version_wrote_is_written_anew(vault):
    usual = ", ".join(f'"{name}"' for name in names_in_force(Sections()).next)
    files = {"handoff_2026-04-02.md": "## Next\n\n- Old\n", "handoff_2026-04-09.md": "## Next\n\n- New\n"}
    lists = '"handoff_2026-04-02.md", "handoff_2026-04-09.md", "notes.md"'
    config = f'# Ours.\n[sources]\nlists = [{lists}]\n\n[sections]\nnext = [{usual}, "baton"]\n'
    built = vault({**files, "notes.md": "- [ ] Paint\n"}, config=config)
    detected(built)
    text = built.path(VAULT_FILE).read_text(encoding="utf-8")
    assert text.startswith("# Ours.\n[sources]\n")
    assert load(built.path(VAULT_FILE), Config).sections.next == ("baton",)
    assert (sources(built).hand_overs, sources(built).lists) == (("handoff_YYYY-MM-DD*.md",), ("notes.md",))
    assert texts(built) == ["New", "Paint"]


def test_a_heading_of_many_journals_is_proposed_with_its_newest_list(vault):
    days = {
        f"log/2026-04-{day}.md": f"# Day\n\n## Tomorrow morning\n\n- Paint wall {day}\n\n## Seen\n\n- A bird\n"
        for day in range(10, 14)
    }
    built = vault(days)
    said = detected(built)
    assert '"Tomorrow morning" stands above a list in 4 of 4 journals; the newest:\n  - Paint wall 13\n' in said
    assert "Seen" not in said
    assert load(built.path(VAULT_FILE), Config).sections.next == ("tomorrow morning",)
    assert "Paint wall 13" in texts(built)


class TestProjects:
    LIST = "# List\n\n- [ ] Mend it\n"

    def test_folders_with_a_list_of_their_own(self, vault):
        built = vault({"shop/TODO.md": self.LIST, "till/PROGRESS.md": self.LIST, "docs/TODO.md": self.LIST})
        detected(built)
        assert {name: one.paths for name, one in load(built.path(VAULT_FILE), Config).projects.items()} == {
            "shop": ("shop",),
            "till": ("till",),
        }
        found = wrap("list", "--all", "--json", vault=built).json["items"]
        assert {one["path"]: one["project"] for one in found} == {
            "shop/TODO.md": "shop",
            "till/PROGRESS.md": "till",
            "docs/TODO.md": None,
        }

    def test_a_repository_is_one_project(self, vault):
        built = vault({"HANDOFF.md": "## Next\n\n- Oil it\n", "package.json": "{}"})
        assert f"all of it is one project: {built.root.name}" in detected(built)
        (found,) = wrap("list", "--json", vault=built).json["items"]
        assert found["project"] == built.root.name
        assert wrap("audit", "--json", vault=built).json["untagged"] == []

    def test_notes_that_name_none_have_none(self, vault):
        built = vault({"notes/a.md": self.LIST})
        assert "project" not in detected(built)


def test_hand_overs_in_the_hidden_folders_of_agents_are_proposed(vault):
    built = vault(
        {
            ".claude/HANDOFF.md": "# Handoff\n\n## Next steps\n\n- Finish the parser\n",
            ".planning/STATE.md": "# State\n\n## Next up\n\n- Ring Ann\n",
            ".claude/agent-memory/a-task89.md": "## Next steps\n\n- Remember it\n",
            "notes/celery-tasks.md": "# Celery tasks\n\nHow they run.\n",
            ".claude/skills/handoff.md": "## Next steps\n\n- Say goodbye\n",
            ".github/HANDOFF.md": "## Next steps\n\n- Open an issue\n",
            ".claude/settings-notes.md": "- [ ] A box of the program's\n",
        }
    )
    said = detected(built)
    assert sources(built).hand_overs == (".claude/HANDOFF.md", ".planning/STATE.md#Next up")
    assert "celery" not in said
    assert sorted(texts(built)) == ["Finish the parser", "Ring Ann"]
    assert ".claude/HANDOFF.md" not in wrap("sources", vault=built).out.partition("not read")[2]


def test_a_hidden_hand_over_that_nobody_committed_is_not(vault):
    built = vault({"notes/HANDOFF.md": "## Next steps\n\n- Ring Ann\n"}, name="somebody")
    clone = started(built)
    (built.root / ".claude").mkdir()
    (built.root / ".claude/HANDOFF.md").write_text("## Next steps\n\n- Finish the parser\n", encoding="utf-8")
    assert ".claude" not in detected(built)
    clone.commit()
    assert ".claude/HANDOFF.md" in detected(built)
