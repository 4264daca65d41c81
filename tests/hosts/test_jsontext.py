"""Values put into JSON texts and taken out again: every other byte stays."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wrapgen.hosts import jsontext
from wrapgen.hosts.jsontext import JsonTextError, parse, put, take

SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text()
VALUES = st.recursive(SCALARS, lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner), max_leaves=12)
TABLES = st.dictionaries(st.text(), VALUES, max_size=5)
INDENTS = st.sampled_from([None, 0, 1, 2, 4, "\t"])
NEWLINES = st.sampled_from(["\n", "\r\n"])


def written(value, indent, newline="\n"):
    text = json.dumps(value, indent=indent, ensure_ascii=False)
    return text.replace("\n", newline)


@given(VALUES, INDENTS, NEWLINES)
def test_what_is_parsed_is_what_json_says(value, indent, newline):
    text = f" {written(value, indent, newline)}{newline}"
    node = parse(text)
    assert node.value == json.loads(text)
    assert json.loads(text[node.start : node.end]) == value


@pytest.mark.slow
@given(TABLES, INDENTS, NEWLINES, VALUES)
def test_a_key_put_in_and_taken_out_leaves_nothing(table, indent, newline, value):
    table.pop("hooks", None)
    text = written(table, indent, newline)
    more = put(text, parse(text), value, "hooks")
    assert json.loads(more) == {**table, "hooks": value}
    again = parse(more)
    less = take(more, again, again.index("hooks"))
    assert less == text if table else json.loads(less) == {}


@pytest.mark.slow
@given(st.lists(VALUES, max_size=4), INDENTS, VALUES)
def test_an_item_put_in_and_taken_out_leaves_nothing(items, indent, value):
    text = written({"list": items}, indent)
    inner = parse(text).at("list")
    more = put(text, inner, value)
    assert json.loads(more) == {"list": [*items, value]}
    inner = parse(more).at("list")
    less = take(more, inner, len(items))
    assert less == text if items else json.loads(less) == {"list": []}


@given(st.lists(VALUES, min_size=1, max_size=4), st.data(), INDENTS)
def test_any_item_can_be_taken_out(items, data, indent):
    text = written(items, indent)
    number = data.draw(st.integers(0, len(items) - 1))
    assert json.loads(take(text, parse(text), number)) == items[:number] + items[number + 1 :]


@pytest.mark.parametrize(
    ("text", "more"),
    [
        ("{}", '{\n  "k": 1\n}'),
        ('{\n    "a": 2\n}\n', '{\n    "a": 2,\n    "k": 1\n}\n'),
        ('{\n\t"a": 2\n}', '{\n\t"a": 2,\n\t"k": 1\n}'),
        ('{"a": 2}', '{"a": 2, "k": 1}'),
        ('{\r\n  "a": 2\r\n}', '{\r\n  "a": 2,\r\n  "k": 1\r\n}'),
        ('{ "a": 2, "b": 3 }', '{ "a": 2, "b": 3, "k": 1 }'),
    ],
)
def test_a_key_looks_like_its_neighbours(text, more):
    assert put(text, parse(text), 1, "k") == more


def test_a_long_value_is_indented_as_what_stands_around_it():
    text = '{\n   "a": {\n      "b": []\n   }\n}'
    assert put(text, parse(text).at("a").at("b"), {"c": 1}) == (
        '{\n   "a": {\n      "b": [\n         {\n            "c": 1\n         }\n      ]\n   }\n}'
    )


def test_of_a_key_that_comes_twice_the_last_one_counts():
    text = '{"hooks": 1, "hooks": 2}'
    assert parse(text).at("hooks").value == 2
    assert take(text, parse(text), parse(text).index("hooks")) == '{"hooks": 1}'


@pytest.mark.parametrize(
    ("text", "line"),
    [("{\n\n  'a': 1}", 3), ("", 1), ("{} {}", 1), ('{"a": NaN}', 1), ("[\n1,\n]", 2), ('{"a": "\n"}', 1)],
)
def test_what_is_no_json_is_refused_with_its_line(text, line):
    with pytest.raises(JsonTextError) as caught:
        parse(text)
    assert abs(caught.value.line - line) <= 1  # of a comma too many, Python names the line behind it


@pytest.mark.parametrize("depth", [300, 100_000])
def test_what_is_nested_too_deeply_is_refused(depth):
    with pytest.raises(JsonTextError, match="deeply"):
        parse("[" * depth + "]" * depth)


def test_a_number_of_too_many_digits_is_refused():
    with pytest.raises(JsonTextError):
        parse("1" * 10_000)


class TestComments:
    TEXT = '{\n  // note, "hooks": 1\n  "a": "http://x", /* why */\n  "b": 2 // last\n}\n'

    def test_they_are_refused_where_they_are_not_allowed(self):
        with pytest.raises(JsonTextError):
            parse(self.TEXT)

    def test_they_are_no_values(self):
        assert parse(self.TEXT, comments=True).value == {"a": "http://x", "b": 2}

    def test_they_stay(self):
        more = put(self.TEXT, parse(self.TEXT, comments=True), [1], "k")
        node = parse(more, comments=True)
        assert node.value == {"a": "http://x", "b": 2, "k": [1]}
        assert take(more, node, 2) == self.TEXT

    def test_those_before_a_value_outlive_it(self):
        text = '{\n  "a": 1, // mine, too\n  "b": 2\n}'
        assert "// mine, too" in take(text, parse(text, comments=True), 1)
        assert "// mine, too" in take(text, parse(text, comments=True), 0)

    def test_one_in_an_empty_list_stays(self):
        text = "{ /* nothing yet */ }"
        more = put(text, parse(text, comments=True), 1, "k")
        assert parse(more, comments=True).value == {"k": 1}
        assert "/* nothing yet */" in more


def test_the_line_of_a_place():
    assert [jsontext.line_of("a\nb\nc", place) for place in (0, 1, 2, 4)] == [1, 1, 2, 3]
