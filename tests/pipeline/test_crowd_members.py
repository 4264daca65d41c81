"""Members of one crowd with different values are refused by the guard: all of them, or nobody may pass over them."""

import random
from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import structs

from tests.pipeline.test_candidate_pairs import brute_force, merged
from tests.support import examples
from wrapgen.model import Item
from wrapgen.notes import Kind
from wrapgen.pipeline import matching
from wrapgen.pipeline.blocking import Crowds, lone_words, memberships
from wrapgen.pipeline.candidate_pairs import Pool
from wrapgen.pipeline.guard.variants import are_variants
from wrapgen.text.folding import fold

PATTERNS = (
    "Write chapter {} of the long book", "Send {} letters to the office",
    "Send {} letters to the office of the town hall",
    "Fix bug #{}", "Release v{}.{}", "Copy {} to {}", "{}", "{} days overdue: call Ann", "Step {}: commit",
    "item{} is lost",
    "Check `mod_{}.py` again", "Call 010-{}-{}", "Report of 2026-04-{}", "Pay {}% of the bill",
    "Take {}, {} and three apples",
    "第{}章を書く", "{}월 {}일 회의 준비", "修复第{}个错误", "Run test {} of 12", "(day {}) wait for the reply",
    "see a/b{}.md",
    "release-{}", "Read src/part{}/notes.md", "Buy {} kg of rice", "Fix PROJ-{} and proj {}", "Meet at {}:30",
    "x{} y{}", "read https://example.com/page/{}", "Read https://a.com/{}/{}", "review src/module{}/file{}.py",
    "review src/m{}/{}-of-a-long-name.py", "review src/module{}/a-long-name-{}.py", "See m{}/{}", "See {}/m{}/a",
    "Open `src/part{}/a-long-name-{}.py`", "See src/{}-{}/long-name and src",
    "Rename `field_{}` to `column_{}` in the schema", "Move `src/part_{}.py` to `lib/part_{}.py`",
    "Copy `long_name_{}` over `long_name_{}.py` and back", "Use `a_{}` for `b.c_{}` and `a.{}`", "Join `a_{}` `b_{}`",
    "Say a and {} of `a-{}` in `a/a-{}`", "Move `a/b{}` to `a/b{}/c` or `b{}`", "Put `a-{}b` into `a{}-b`",
)  # fmt: skip
WORD_PATTERNS = (
    "Ask {} about the report", "{} the report for the garden club", "Write the {}", "{}",
    "The {} and the report are lost",
    "Fix {} in src/anna.py", "Do not {} it", "Move {} to the archive", "Call {} or Anna", "오늘 {} 회의",
    "修复 {} 错误", "See src/{}.py", "See src/{}/a-long-name.py", "See src/a-long-{}.py",
    "Copy {}.py and {} to src/{}.py",
    "See a/{}-b and src", "Ask FormData-{} again", "Call a.{} of the `{}` API", "Rename `{}_a` to `b_{}` and `c_{}`",
    "Move `{}/report.py` to `lib/{}.py`",
)  # fmt: skip
WORDS = """
    anna bob bert carla fix fixed fixes fixing repair add added adding create open opened close closed colour color
    hour hours our or ours licence license licences grey gray enable enabled disable with without not no the and it
    config configuration configs docs documentation implement implementation implemented receive recieve seperate
    separate report reports reporter archive inbound outbound encrypt decrypt use using usage one two step phase
"""
NAMES = [f"{first}{last}" for first in ("ka", "lo", "mi", "nu") for last in ("rin", "dek", "vola", "tess", "bra")]
NUMBERS = ("1", "2", "3", "12", "07", "12.5", "1,000", "30", "4", "200")
PATHS = (None, "a.md", "b.md")


@st.composite
def crowds(draw):
    pattern = draw(st.sampled_from(PATTERNS))
    filled = [pattern.format(*draw(st.tuples(*[st.sampled_from(NUMBERS)] * 3))) for _ in range(2)]
    return [(text, draw(st.sampled_from(PATHS)), draw(st.sampled_from((1, 400)))) for text in filled]


def crowds_of(side):
    return {one.crowd: one for one in (*memberships(side.folded, side.path), *lone_words(side.folded))}


def assert_refused_where_apart(pair):
    sides = [matching.Side(*one) for one in pair]
    one, other = map(crowds_of, sides)
    for crowd in one.keys() & other.keys():
        mine, theirs = one[crowd], other[crowd]
        apart = mine.value != theirs.value or (mine.word != theirs.word and not are_variants(mine.word, theirs.word))
        if apart and sides[0].folded.text != sides[1].folded.text:
            assert matching.refusal(*sides) is not None


@pytest.mark.slow
@settings(max_examples=examples(1000), deadline=None)
@given(crowds())
def test_the_guard_refuses_members_with_other_numbers(pair):
    assert_refused_where_apart(pair)


@st.composite
def word_crowds(draw):
    pattern = draw(st.sampled_from(WORD_PATTERNS))
    filled = [pattern.format(*[draw(st.sampled_from(WORDS.split()))] * 3) for _ in range(2)]
    return [(text, draw(st.sampled_from(PATHS)), draw(st.sampled_from((1, 400)))) for text in filled]


@pytest.mark.slow
@settings(max_examples=examples(1500), deadline=None)
@given(word_crowds())
def test_the_guard_refuses_members_with_other_words(pair):
    assert_refused_where_apart(pair)


@pytest.mark.slow
def test_a_crowd_of_words():
    texts = [f"Ask {word} about the report of the garden club" for word in (*WORDS.split(), *NAMES)]
    items = [
        structs.replace(crowd(number), text=text, folded=fold(text), path=f"{number % 3}.md")
        for number, text in enumerate(texts)
    ]
    assert merged(items) == brute_force(items)


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("Write chapter 4 of the long book", 1),
        ("Fix the login", 0),
        ("Release v1.2.3 of item 7", 2),
        ("20 days overdue: call Ann", 0),
        ("Take 3 and three apples", 1),
        ("read https://example.com/page/7", 1),
        ("review src/module7/file7.py", 1),
        ("review src/module7/a-long-name.py", 3),
        ("review src/m7/7-of-a-long-name.py", 2),
        ("Fix item7 in src/anna.py", 4),
        ("Fix the FormData", 0),
        ("item7 is lost", 2),
    ],
)
def test_slots(text, kinds):
    assert len(memberships(fold(text), "a.md")) == kinds


def crowd(number, path="projects/web/todos.md"):
    text = f"Write chapter {number} of the long book"
    return Item(
        id=f"{number:012d}", text=text, kind=Kind.PROJECT_TODOS, path=path, line=3 + 40 * number, folded=fold(text),
        project="web", raised=date(2026, 4, 1),
    )  # fmt: skip


@pytest.mark.slow
def test_a_crowd_is_kept_whole_and_fast():
    items = [crowd(number) for number in range(3000)]
    result = merged(items)
    assert len(result) == 3000


ANY = [f"{first}{second}" for first in "abcdefghijklmnopqrst" for second in ("at", "elb", "ing", "o", "urt")]


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("read https://example.com/page/{}", range(1, 200)),
        ("review src/module{0}/file{0}.py", range(1, 200)),
        ("see src/part-{0}/a-long-name-{0}.py", range(1, 200)),
        ("read https://example.com/{}/index.html again", ANY),
        ("review the file src/shop/{}.py once more", ANY),
        ("review the file src/shop/page-of-{}.py once more", ANY),
        ("Rename `field_{0}` to `column_{0}` in the schema", range(1, 200)),
        ("Rename `field.{0}` to `{0}.column` in the schema", ANY),
        ("Move `src/field_{0}.py` to `lib/field_{0}.py` again", range(1, 200)),
        ("Move `field_{0}` into `table.column_{0}` again", range(1, 200)),
    ],
)
def test_no_two_that_differ_in_a_path_are_compared(text, values):
    items = [
        structs.replace(
            crowd(number, path=f"journals/2026-04-{number % 10 + 1:02}.md"),
            text=text.format(value), folded=fold(text.format(value)),
        )
        for number, value in enumerate(values)
    ]  # fmt: skip
    pool = Pool(items, matching.DEFAULT_THRESHOLD, Crowds(items))
    assert sum(len(pool.query(item)) for item in items) == len(items)
    assert len(merged(items)) == len(items)


@pytest.mark.slow
def test_a_crowd_with_twins_is_that_of_comparing_all():
    rng = random.Random(5)
    items = [crowd(number) for number in range(40)]
    twins = [crowd(number, path="projects/web/PROGRESS.md") for number in rng.sample(range(40), 20)]
    renamed = [structs.replace(one, id=f"f{one.id[1:]}") for one in twins]
    everything = items + renamed
    rng.shuffle(everything)
    assert merged(everything) == brute_force(everything)
