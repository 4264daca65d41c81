"""Whether words stand where a judge says, and are about what is judged."""

import pytest

from tests.support import each
from wrapgen.triage.note_text import NoteText
from wrapgen.triage.related import is_filler, unrelated
from wrapgen.workflows.triage_proof import QuotedPlace, missing

LOG = NoteText("\n".join(("# Log", "", "- **Staging keys** rotated on", "  Tuesday, all of them", "- nothing else")))


@pytest.mark.parametrize(
    ("at", "place"),
    [
        ("docs/log.md:12", QuotedPlace("docs/log.md", 12)),
        (" a b.md:3 ", QuotedPlace("a b.md", 3)),
        ("commit:1A2B3C4", QuotedPlace(commit="1a2b3c4")),
        ("C:\\notes\\log.md:2", QuotedPlace("C:\\notes\\log.md", 2)),
        ("docs/log.md", None),
        ("docs/log.md:0", None),
        ("commit:xyz", None),
        ("commit:--all", None),
        ("", None),
    ],
)
def test_places(at, place):
    assert QuotedPlace.of(at) == place


@pytest.mark.parametrize("quote", ["Staging keys rotated", "staging KEYS", "rotated on Tuesday"])
def test_words_stand_in_their_line_whatever_their_marks_and_go_on_in_the_next(quote):
    assert missing(quote, LOG, 3) is None


def test_words_of_another_line_name_it():
    assert missing("nothing else", LOG, 3) == "its quote stands in line 5, not in line 3"


def test_words_that_begin_before_the_line_do_not_stand_in_it():
    assert missing("rotated on Tuesday", LOG, 4) == "its quote stands in line 3, not in line 4"


def test_words_that_stand_nowhere():
    assert missing("production keys", LOG, 3) == "its quote does not stand there"


def test_a_line_that_is_not_there():
    assert missing("Staging keys", LOG, 9) == "the file has 5 lines, not 9"


@each(["", "  ", "on", "- *"])
def test_too_few_words_prove_nothing(quote):
    assert missing(quote, LOG, 3)


def test_a_shared_word_of_content_relates():
    assert not unrelated("rotated the keys on Tuesday", ["Rotate the staging keys"])
    assert not unrelated("스테이징 키를 교체함", ["스테이징 키 교체"])
    assert unrelated("the deploy was fine", ["Rotate the staging keys", "Security"])


@pytest.mark.parametrize(
    ("quote", "text"),
    [
        ("const [sidebarCollapsed, set] = useState(false)", "Check if the sidebar toggle works"),
        ("<PixelSpinner />", "Morph the bet button into a spinner"),
        ("Automatyczna inicjalizacja bazy", "Brak automatycznej inicjalizacji"),
    ],
)
def test_parts_of_identifiers_and_other_forms_of_a_word_relate(quote, text):
    assert not unrelated(quote, [text])


@pytest.mark.parametrize(
    ("quote", "text"),
    [
        ("Fable-ревью завершено", "провести ревью"),
        ("책을 샀다", "책 반납"),
        ("税の計算は終わった", "税"),
        ("wrote `src/app/retry.py`", "src/app/retry.py is missing"),
    ],
)
def test_parts_of_compounds_and_words_of_one_character_relate(quote, text):
    assert not unrelated(quote, [text])


@each(["continue", "see above", "TBD", "next", "계속", "...", "", "to do later"])
def test_filler_names_no_work(text):
    assert is_filler(text)


@each(["Rotate keys", "Проверить отчёт", "책 반납", "税の計算", "修复登录", "Réviser le contrat"])
def test_two_words_of_any_script_name_work(text):
    assert not is_filler(text)


def test_a_common_beginning_is_no_word():
    assert unrelated("interest rates fell", ["Internal notes"])


def test_a_name_in_capitals_is_a_word_though_it_reads_like_one_without_content():
    assert not unrelated("PER is 4.2 %", ["Measure PER"])
    assert unrelated("4 requests per second", ["Measure PER"])
    assert unrelated("this is NOT over", ["Do NOT measure"])
