import pytest
from hypothesis import given
from hypothesis import strategies as st

from wrapgen.text.blocks import BOLD_LEVEL, LEAD_LEVEL, blocks


def shapes(text):
    return [(block.shape, text[block.start : block.end]) for block in blocks(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        ("plain words", [("prose", "plain words")]),
        ("one\ntwo", [("prose", "one\ntwo")]),
        ("one\n\ntwo", [("prose", "one"), ("prose", "two")]),
        ("## Next steps ##", [("heading", "Next steps ##")]),
        ("**Next steps:**", [("heading", "**Next steps:**")]),
        ("Remaining:\n- a b\n- c d", [("heading", "Remaining:"), ("item", "a b"), ("item", "c d")]),
        ("1. one\n2) two\n① three", [("item", "one"), ("item", "two"), ("item", "three")]),
        ("- [ ] open\n- [x] done\n☐ bare", [("item", "open"), ("item", "done"), ("item", "bare")]),
        ("> quoted\n\nsaid", [("prose", "said")]),
        ("```\n- code\n```\n- item", [("item", "item")]),
        ("```\n- [ ] box in code\n```", [("item", "box in code")]),
        ("| a | b |\n|---|---|\n| 1 | 2 |", [("row", "| a | b |"), ("row", "| 1 | 2 |")]),
        ("a\n---\nb", [("prose", "a"), ("rule", "---"), ("prose", "b")]),
        ("1.完成登录\n2、测试", [("item", "完成登录"), ("item", "测试")]),
        ("version 1.2 is out", [("prose", "version 1.2 is out")]),
        ("x" * 5_000, []),
    ],
)
def test_shapes(text, expected):
    assert shapes(text) == expected


def test_levels_numbers_and_boxes():
    found = list(blocks("# Top\n**Bold**\nLead:\n- a\n  3. [ ] b\n- [x] c"))
    assert [block.level for block in found[:3]] == [1, BOLD_LEVEL, LEAD_LEVEL]
    assert [(block.level, block.number, block.checked) for block in found[3:]] == [
        (0, None, None),
        (2, 3, False),
        (0, None, True),
    ]


@given(st.text(alphabet="ab \t\n#*-`>|[]x1.:\ud800가一"))
def test_every_block_lies_in_the_text_and_they_come_in_order(text):
    at = 0
    for block in blocks(text):
        assert at <= block.start <= block.end <= len(text)
        at = block.end
