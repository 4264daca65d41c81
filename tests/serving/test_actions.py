"""What the page may ask for becomes a command's words, and nothing else does."""

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support import each
from wrapgen.serving.gate import ActionCall, VerdictAction, call_of, decode_action

ITEM = "b5ce0eee3176"


def call(**fields):
    return call_of(decode_action(json.dumps(fields).encode()))


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"do": "done", "item": ITEM}, ("done", "--json", ITEM)),
        ({"do": "add", "text": "--all"}, ("add", "--json", "--", "--all")),
        ({"do": "add", "text": "Buy milk", "project": "--x"}, ("add", "--json", "--project=--x", "--", "Buy milk")),
        ({"do": "snooze", "item": ITEM, "until": "1w"}, ("snooze", "--json", ITEM, "1w")),
        ({"do": "snooze", "item": ITEM, "until": "2026-05-01"}, ("snooze", "--json", ITEM, "2026-05-01")),
        ({"do": "keep", "item": ITEM}, ("keep", "--json", ITEM)),
        ({"do": "next", "item": ITEM}, ("next", "--json", ITEM)),
        ({"do": "next", "item": ITEM, "clear": True}, ("next", "--json", "--clear", ITEM)),
        ({"do": "next", "item": ITEM, "behind": ["ab12", "cd34"]}, ("next", "--json", "ab12", "cd34", ITEM)),
        ({"do": "restore", "item": ITEM}, ("orphans", "--json", "--restore", ITEM)),
        ({"do": "undo", "receipt": "20260424T004222-ed0fde"}, ("undo", "--json", "20260424T004222-ed0fde")),
    ],
)
def test_the_commands(fields, words):
    assert call(**fields) == ActionCall(words)


def test_a_follow_up_is_filed_as_answers_say_it():
    made = call(do="file", item="eab8", route="project", project="web", text="--json")
    assert made.words == ("route", "--json", "--answers", "-")
    (answer,) = json.loads(made.given)["answers"]
    assert answer == {"id": "eab8", "route": "project", "project": "web", "text": "--json"}


def test_a_verdict_is_the_owners():
    made = decode_action(json.dumps({"do": "verdict", "item": ITEM, "verdict": "same_as", "other": "a1b2"}).encode())
    assert made == VerdictAction(ITEM, "same_as", "a1b2")


@each(
    [
        b"",
        b"null",
        b"[]",
        b"{}",
        b'{"do": "serve"}',
        b'{"do": "done"}',
        b'{"do": "done", "item": "--all"}',
        b'{"do": "done", "item": "ab"}',
        b'{"do": "done", "item": "b5ce0eee3176 x"}',
        b'{"do": "done", "item": 7}',
        b'{"do": "done", "item": "b5ce0eee3176\\n"}',
        b'{"do": "done", "item": "b5ce", "also": 1}',
        b'{"do": "snooze", "item": "b5ce", "until": "--help"}',
        b'{"do": "undo", "receipt": "-x-y-z"}',
        b'{"do": "file", "item": "b5ce", "route": "/etc"}',
        b'{"do": "verdict", "item": "b5ce", "verdict": "done"}',
    ]
)
def test_anything_else_is_refused_with_the_reason(body):
    assert isinstance(decode_action(body), str)


@given(st.dictionaries(st.sampled_from(["do", "item", "until", "receipt", "route", "text"]), st.text(max_size=20)))
def test_no_text_becomes_an_option(fields):
    action = decode_action(json.dumps(fields).encode())
    if not isinstance(action, (str, VerdictAction)):
        words = call_of(action).words
        assert [one for one in words if one.startswith("-")] in (
            ["--json"],
            ["--json", "--answers", "-"],
            ["--json", "--restore"],
        )
        assert all(re.fullmatch(r"[\w-]+", one) for one in words)
