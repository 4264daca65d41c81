"""What one session leaves to the next is found, with boxes or without."""

import shutil

import pytest

from tests.clones import started
from tests.support import each, wrap
from wrapgen.config import VAULT_FILE, Config, load
from wrapgen.text.file_names import is_hand_over, may_hand_over


def detected(built):
    result = wrap("init", "--detect", built.root, "--no-default")
    assert result.code == 0, result.err
    return result.out


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
        "QUEUE.md",
        "TODO.md",
        "Kanban.md",
        "memory-bank/activeContext.md",
        "SESSION_CONTEXT.md",
        "docs/task-board.md",
        "docs/TEST-SESSION-2026-06-30-batch2.md",
        "plan of record.md",
        "progress.md",
    ]
)
def test_names_that_may(name):
    assert may_hand_over(name)
    assert not is_hand_over(name)


@each(["README.md", "statements.md", "handbook.md", "Next.js migration.md", "context.md", "celery-task-3-notes.md"])
def test_names_that_do_not(name):
    assert not is_hand_over(name)


def test_a_hand_over_of_bullets_is_the_page(vault):
    built = vault({"HANDOFF.md": "# Handoff\n\n- Finish the parser\n- Ring Ann about the contract\n"})
    assert "nothing is open" not in wrap("list", vault=built).out
    detected(built)
    assert texts(built) == ["Finish the parser", "Ring Ann about the contract"]


def test_a_state_that_says_in_prose_what_is_next_is_found(vault):
    prose = "# State\n\n## Exact next action\n\nReview the main page on a phone.\n"
    built = vault({"work/site/STATUS.md": prose, "work/site/essay.md": prose})
    assert "work/site/STATUS.md" in detected(built)
    assert texts(built) == ["Review the main page on a phone."]


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
def test_what_most_commits_touched_comes_first(vault):
    clone = started(vault({"a/QUEUE.md": "## Next\n\n- Oil it\n", "b/plain.md": "## Next\n\n- Mend it\n"}))
    for number in range(1, 7):
        clone.write("b/plain.md", f"## Next\n\n- Mend it{'!' * number}\n")
        clone.commit()
    clone.path(VAULT_FILE).unlink()
    rows = [line for line in detected(clone).splitlines() if line.startswith("lists")]
    assert ["b/plain.md" in rows[0], "list, in 7 of the last 50 commits" in rows[0]] == [True, True], rows
    assert "a/QUEUE.md" in rows[1]
    assert "hand-over, in 1 of the last 50 commits" in rows[1]


def test_a_heading_of_many_journals_is_proposed_with_its_newest_list(vault):
    days = {
        f"log/2026-04-{day}.md": f"# Day\n\n## Tomorrow morning\n\n- Paint wall {day}\n\n## Seen\n\n- A bird\n"
        for day in range(10, 14)
    }
    built = vault(days)
    said = detected(built)
    assert '"Tomorrow morning" stands above a list in 4 of 4 journals; the newest:\n  - Paint wall 13\n' in said
    assert "Seen" not in said
    names = load(built.path(VAULT_FILE), Config).sections.next
    assert names == (*Config().sections.next, "tomorrow morning")
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
    assert ".claude/HANDOFF.md" in said
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


@pytest.mark.parametrize(
    "text",
    [
        "# Handoff\n\n## Known gaps / in progress\n\n- The bridge\n",
        "# Handoff\n\n**▶ RESUME AT P3.1** — the bridge\n",
        "# Handoff\n\n## Issues\n\nMany.\n\n### Priority order\n1. The bridge\n",
        "# Handoff\n\n## Next\n\n### Phase 1 — ✅ DONE (branch `a`)\n- The road\n### Phase 2\n- The bridge\n",
    ],
)
def test_what_hand_overs_call_it(vault, text):
    built = vault({"HANDOFF.md": text})
    detected(built)
    page = wrap("list", "--json", vault=built).json["items"]
    assert page[0]["text"].casefold() == "the bridge"
