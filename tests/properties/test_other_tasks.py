"""Work of other tasks never takes an open item away, however alike its words are."""

from __future__ import annotations

import tempfile
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.support import Vault, audit, examples

CONFIG = 'cap = 3\n[sources]\nlists = ["plans/*.md"]\n'
STEPS = (
    "Write failing tests first", "Run the full regression suite", "Run `tsc --noEmit`", "Commit", "Update the docs",
    "Run step 3", "Review `src/app/main.py`", "로그인 오류를 다시 확인하기", "修复登录页面错误",
)  # fmt: skip
TOPICS = ("Shop relaunch", "Billing interface", "Docker basics", "Java basics")
OTHER_TOPICS = ("Kitchen garden", "Steam engine")
marks = st.sampled_from(("[ ]", "[ ]", "[x]", "[-]"))
steps = st.lists(st.tuples(marks, st.sampled_from(STEPS)), min_size=1, max_size=6)


def written(lines: list[tuple[str, str]]) -> str:
    return "".join(f"- {mark} {text}\n" for mark, text in lines)


def journal(sections: list[tuple[str, str, list[tuple[str, str]]]]) -> str:
    return "".join(f"## {role}\n### {topic}\n{written(lines)}" for role, topic, lines in sections)


def sections(topics: tuple[str, ...]) -> st.SearchStrategy[list[tuple[str, str, list[tuple[str, str]]]]]:
    return st.lists(st.tuples(st.sampled_from(("Next", "Done")), st.sampled_from(topics), steps), max_size=3)


days = st.integers(1, 9).map(lambda day: f"2026-04-{day + 10}")
TASKS = ("projects/web/actives/{}/todos.md", "plans/{}.md")


@st.composite
def vaults(draw):
    """Plans and tasks with their steps, and journals that say what they are about."""
    topic = draw(st.sampled_from(TOPICS))  # an item that does not say what it is about may be any task's
    files = {"projects/web/todos.md": f"## Next Session\n### {topic}\n{written(draw(steps))}"}
    for name in draw(st.lists(st.sampled_from(("one", "two", "three")), unique=True, max_size=3)):
        files[draw(st.sampled_from(TASKS)).format(name)] = f"## {draw(st.sampled_from(TOPICS))}\n{written(draw(steps))}"
    for day in draw(st.lists(days, unique=True, max_size=4)):
        files[f"journals/2026/04/{day}.md"] = journal(draw(sections(TOPICS)))
    return files


@st.composite
def others(draw):
    """A plan, a task or a journal of something else."""
    topic = draw(st.sampled_from(OTHER_TOPICS))
    plan = st.sampled_from(TASKS).map(lambda path: path.format("other"))
    lines = draw(steps)
    return draw(
        st.one_of(
            st.tuples(plan, st.just(f"## {topic}\n{written(lines)}")),
            st.tuples(days.map(lambda day: f"journals/2026/04/{day}-other.md"), sections(OTHER_TOPICS).map(journal)),
        )
    )


def fates(vault: Vault) -> dict[str, str]:
    return {item["id"]: item["fate"] for item in audit(vault).json["items"]}


@settings(max_examples=examples(80), deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(vaults(), others(), st.sampled_from(("2026-04-01", "2026-04-24")))
def test_a_file_of_another_task_takes_nothing_away(files, other, changed):
    with tempfile.TemporaryDirectory() as folder:
        vault = Vault(Path(folder).resolve() / "vault")
        vault.write("wrapgen.toml", CONFIG)
        for path, text in files.items():
            vault.write(path, text, "2026-04-20")
        before = fates(vault)
        path, text = other
        vault.write(path, text, changed)
        after = fates(vault)
    still_open = [one for one, fate in before.items() if fate in ("shown", "overflow")]
    assert {after[one] for one in still_open} <= {"shown", "overflow"}


TEMPLATE = (
    "Write failing tests for the change", "Implement the change step by step", "Run `tsc --noEmit`",
    "Run the full regression suite", "Commit", "Update the user documentation",
)  # fmt: skip


def test_sixty_plans_of_one_template(tmp_path):
    """A tenth of their steps is ticked: nothing is resolved and nothing is merged across plans."""
    vault = Vault(tmp_path / "vault")
    vault.write("wrapgen.toml", 'cap = 3\n[sources]\nlists = ["plans/*.md"]\n')
    for plan in range(60):
        lines = [("[x]" if (plan + step) % 10 == 0 else "[ ]", text) for step, text in enumerate(TEMPLATE)]
        # Every second one calls its steps by the same heading.
        heading = f"Part {plan} of `src/module{plan}.py`" if plan % 2 else "Implementation steps of the change"
        vault.write(f"plans/plan-{plan}.md", f"# Plan {plan}\n## {heading}\n{written(lines)}", "2026-04-20")
    document = audit(vault).json
    assert document["resolved"] == document["duplicate"] == 0
    assert document["collected"] == 60 * len(TEMPLATE) * 9 // 10
    assert document["probably_done"] == []
