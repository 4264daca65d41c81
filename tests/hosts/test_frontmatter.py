"""Skills in the front matter of agents: put in, found again, taken out; every other byte stays."""

import yaml
from hypothesis import given
from hypothesis import strategies as st

from tests.support import each
from wrapgen.hosts.settings import with_skill, without_skill

NAMES = st.lists(st.sampled_from(["tdd", "api-conventions", "a"]), unique=True, max_size=3)
FORMS = st.sampled_from(
    [
        lambda names: f"skills: [{', '.join(names)}]\n",
        lambda names: f"skills: {', '.join(names)}\n" if names else "",
        lambda names: "skills:\n" + "".join(f"  - {name}\n" for name in names) if names else "",
        lambda names: "skills:\n" + "".join(f"- {name}\n" for name in names) if names else "",
    ]
)


def listed(text):
    value = yaml.safe_load(text.split("---")[1])["skills"]
    return value if isinstance(value, list) else [one.strip() for one in value.split(",")]


@given(
    NAMES, FORMS, st.sampled_from(["", "tools: Read, Edit\n", "model: opus # why\n"]), st.sampled_from(["\n", "\r\n"])
)
def test_put_in_and_taken_out(names, form, other, newline):
    text = f"---\nname: x\n{form(names)}{other}---\nBody with skills: none.\n".replace("\n", newline)
    more = with_skill(text, "compress-output")
    assert listed(more.replace("\r\n", "\n")) == [*names, "compress-output"]
    assert with_skill(more, "compress-output") == more
    assert without_skill(more, "compress-output") == text


@each(
    [
        "no front matter\n",
        "---\nnever closed\n",
        "---\nskills: |\n  a\n---\n",
        "---\nskills: [a, # why\n  b]\n---\n",
        "---\nskills:\n---\n",
        '---\nskills: ["a b"]\n---\n',
    ]
)
def test_what_is_not_understood_is_left_alone(text):
    assert with_skill(text, "compress-output") is None
    assert without_skill(text, "compress-output") == text


def test_one_that_is_there_already():
    text = '---\nskills:\n  - "compress-output"\n---\n'
    assert with_skill(text, "compress-output") == text
