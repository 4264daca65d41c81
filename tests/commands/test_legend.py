"""The balance keeps its form; whoever wants details is told its names in plain words."""

import pytest

from tests.support import journal, next_list, wrap

GOOD = journal("2026-04-23", next_list("Fix the login"))


@pytest.mark.parametrize("words", [("audit",), ("--no-prompt",)])
def test_the_legend_is_one_line_below_the_balance(vault, words):
    built = vault(GOOD)
    plain = wrap(*words, vault=built).out.splitlines()
    assert plain[-1].startswith("collected 1 = shown 1 + resolved 0 + duplicate 0 + overflow 0 + expired 0")
    told = wrap("--verbose", *words, vault=built).out.splitlines()
    assert told[-2] == plain[-1]
    assert told[-1] == "duplicate: merged · overflow: not shown · durable: in a file already · routed: filed"


def test_tables_say_it_in_plain_words(vault):
    built = vault(GOOD)
    assert wrap("regen", vault=built).code == 0
    table = built.page.partition("## Audit")[2]
    assert "| merged | | 0 |" in table
    assert "| not shown | | 0 |" in table
    assert "duplicate: 0\noverflow: 0\n" in built.page
