from pathlib import Path

import pytest

from tests.support import each
from wrapgen.session import lexicon
from wrapgen.session.detection import ITEM_LEVEL, TurnHeadings, meaning_of
from wrapgen.session.lexicon import load_cues
from wrapgen.text.blocks import blocks

CUES = load_cues()


@pytest.mark.parametrize(
    ("heading", "meaning"),
    [
        ("Still to do (by theme)", "later"),
        ("📋 Remaining TODO Items", "later"),
        ("Deferred", "later"),
        ("남은 TODO (에디터 작업)", "later"),
        ("还没做/下一步重点：", "later"),
        ("残る対応は", "later"),
        ("What's next?", "next"),
        ("🚀 **Next Steps:**", "next"),
        ("다음 단계", "next"),
        ("下一步", "next"),
        ("次のステップ", "next"),
        ("**Completed**", "done"),
        ("What changed", "done"),
        ("완료된 작업", "done"),
        ("No remaining tasks", "done"),
        ("TODO items completed", "done"),
        ("Next steps ✅", "done"),
        ("How to run it", "other"),
        ("Would you like me to:", "other"),
        ("If you want, next steps are:", "other"),
        ("Should the remaining tasks be renamed?", "other"),
        ("Research Library", ""),
        ("Todo List", ""),
        ("Follow-up questions", ""),
        ("The `remaining` flag", ""),
        ("Before the first deploy three secrets still need to be set in the settings of the repository:", "later"),
    ],
)
def test_what_a_heading_says(heading, meaning):
    assert meaning_of(heading, CUES.of(heading))[0] == meaning


def test_a_users_own_phrase_comes_first():
    languages = load_cues([{"lang": "en", "headings": {"own": ["parkplatz"]}}]).of("Parkplatz")
    assert meaning_of("Parkplatz (remaining)", languages) == ("own", "Parkplatz")


@pytest.mark.parametrize(
    ("text", "last"),
    [
        ("## Remaining\n### High priority\n- a", "later"),
        ("## Remaining\nSome words first.\n- a", "later"),
        ("## Remaining\n- b\n\n  goes on\n- a", "later"),
        ("## Remaining\n- b\n\nIn other news.\n\n- a", ""),
        ("## Remaining\n- b\n\n**The branches**\n- a", ""),
        ("## Remaining\n## Usage\n- a", "other"),
        ("## Remaining\n### Done\n- a", "done"),
        ("## Remaining\n\n---\n\n- a", ""),
        ("Remaining tasks:\n\nSomething else.\n\n- a", ""),
        ("Here's what's left:\n\n**Short term**\n- a", "later"),
        ("- Remaining tasks:\n  - a", "later"),
        ("- Remaining tasks:\n  - a\n- b", ""),
    ],
)
def test_headings_carry_over_the_list_right_below_and_end_at_their_equals(text, last):
    sections = TurnHeadings(CUES.of(text))
    meaning = None
    for block in blocks(text):
        if block.shape == "heading":
            sections.enter(block, text)
        elif block.shape == "rule":
            sections.rule()
        elif block.shape == "prose":
            if text[block.start - 1] == "\n":
                sections.paragraph()
        else:
            sections.begin_item(block.level)
            meaning = sections.current.meaning
            if text[block.start : block.end].endswith(":"):
                sections.enter(block, text, level=ITEM_LEVEL + block.level)
    assert meaning == last


def test_every_shipped_language_has_the_same_groups():
    groups = {lang: set(language.groups) for lang, language in CUES.languages.items()}
    optional = {"text.end"}
    assert all(found - optional == groups["en"] - optional for found in groups.values())


@each(sorted(CUES.languages))
def test_a_cue_file_is_short_enough_to_be_read(lang):
    """About one screen a language and group."""
    text = (Path(lexicon.__file__).parent / "cues" / f"{lang}.toml").read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 125
    assert all(len(line) <= 120 for line in text.splitlines())


def test_terms_only_mention_a_cue():
    languages = CUES.of("english")
    assert languages.says("text.terms", "the todo list is shown")
