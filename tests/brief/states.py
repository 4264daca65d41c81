"""Random states, sound and hostile."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hypothesis import strategies as st

from tests.brief.hostile import FORGERIES, VALUES

if TYPE_CHECKING:
    from wrapgen.brief import Snapshot

WORDS = (
    "fix", "login", "배포", "스크립트를", "修复", "登录错误", "ログイン", "👨‍👩‍👧‍👦", "🇰🇷", "e\u0301", "क्षि",
    "src/cache.py", "2026-04-24", "`code`", "R&D", "a<b", "𒀀𒀁", "ꀀꀁꀂ", "0x1f", *FORGERIES,
)  # fmt: skip


# "raises" is left to the tests of single values: Hypothesis looks at what it draws.
def _value(name: str) -> Any:
    return VALUES[name]


phrases = st.lists(st.sampled_from(WORDS), max_size=30).map(" ".join)
repeated = st.builds(lambda word, times: word * times, st.sampled_from(WORDS), st.integers(0, 60))
texts = st.one_of(phrases, repeated, st.text(max_size=80))
values = st.one_of(texts, texts, texts, st.sampled_from([name for name in VALUES if name != "raises"]).map(_value))


def _lists(elements: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    many = st.builds(lambda element, times: [element] * times, elements, st.integers(0, 40))
    return st.one_of(st.lists(elements, max_size=12), many, values)


_states = st.one_of(
    st.fixed_dictionaries(
        {},
        optional={
            "task_description": values,
            "taskDescription": values,
            "files": _lists(
                st.one_of(st.fixed_dictionaries({"path": values}, optional={"changeType": values}), values)
            ),
            "decisions": _lists(values),
            "teammates": _lists(st.one_of(st.fixed_dictionaries({"name": values}, optional={"role": values}), values)),
            "pending": _lists(values),
            "generated_at": values,
            "branch": values,
        },
    ),
    values,
)


@st.composite
def _any_state(draw: st.DrawFn) -> Any:
    """Drawn here, so that the name of the strategy is short: Hypothesis warns about long ones."""
    return draw(_states)


states = _any_state()


def as_state(snapshot: Snapshot) -> dict[str, Any]:
    """A snapshot as the state that it says."""
    return {
        "task_description": snapshot.task,
        "files": [{"path": file.path, "change_type": file.change_type} for file in snapshot.files],
        "decisions": list(snapshot.decisions),
        "teammates": [{"name": mate.name, "role": mate.role} for mate in snapshot.teammates],
        "pending": list(snapshot.pending),
        "generated_at": snapshot.generated_at,
        "branch": snapshot.branch,
    }
