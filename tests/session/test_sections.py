import pytest

from wrapgen.blocks import blocks
from wrapgen.session.load_cues import load_cues
from wrapgen.session.sections import Sections, classify

CUES = load_cues()


@pytest.mark.parametrize(
    ("heading", "meaning"),
    [
        ("Still to do (by theme)", "open"),
        ("📋 Remaining TODO Items", "open"),
        ("What's next?", "open"),
        ("There's some cleanup left:", "open"),
        ("Known issues", "open"),
        ("남은 TODO (에디터 작업)", "open"),
        ("还没做/下一步重点：", "open"),
        ("残る対応は", "open"),
        ("**Completed**", "closed"),
        ("Files changed", "closed"),
        ("완료된 작업", "closed"),
        ("No remaining tasks", "closed"),
        ("TODO items completed", "blocked"),
        ("How to run it", "blocked"),
        ("Recommendations", "blocked"),
        ("Would you like me to:", "offer"),
        ("If you want, I can:", "offer"),
        ("Research Library", "neutral"),
        ("TODO: rotate the staging keys", "neutral"),
        ("Follow-up questions", "neutral"),
        ("The `remaining` flag", "neutral"),
    ],
)
def test_what_a_heading_says(heading, meaning):
    assert classify(heading, 2, CUES.of(heading)).meaning == meaning


@pytest.mark.parametrize(
    ("text", "last"),
    [
        ("## Remaining\n### High priority\n- a", "open"),
        ("## Remaining\n## Usage\n- a", "blocked"),
        ("## Remaining\n### Done\n- a", "closed"),
        ("## Remaining\n\n---\n\n- a", None),
        ("Remaining tasks:\n\nSomething else.\n\n- a", None),
        ("Here's what's left:\n\n**Short term**\n- a", "open"),
        ("- Remaining tasks:\n  - a", "open"),
        ("- Remaining tasks:\n  - a\n- b", None),
    ],
)
def test_headings_carry_over_their_lists_and_end_at_their_equals(text, last):
    sections = Sections(CUES.of(text))
    meaning = None
    for block in blocks(text):
        if block.shape == "heading":
            sections.enter(block, text)
        elif block.shape == "rule":
            sections.rule()
        elif block.shape == "prose":
            sections.leave_lead()
        else:
            sections.leave_items(block.level)
            current = sections.current
            meaning = current.meaning if current else None
            if text[block.start : block.end].endswith(":"):
                sections.enter_item(block, text)
    assert meaning == last
