"""Notes that grow without end, each in a way that some parser, pattern or comparison has choked on.

A family makes a text of about so many characters. What reads it must take time in proportion: the tests look for
hangs (`test_sizes.py`), `tests/benchmarks/hostile.py` prints how the time grows.
"""

from __future__ import annotations

import json
import random
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    Make = Callable[[int], str]

NEXT = "## Next\n\n"


def again(piece: str, *, before: str = "- ", behind: str = "\n") -> Make:
    """One piece again and again."""
    return lambda size: before + piece * (size // len(piece)) + behind


def item(word: Callable[[random.Random], str], words: int, line: str = "- {}\n") -> Make:
    """Many items of random words."""

    def make(size: int) -> str:
        rng, lines, length = random.Random(1), [], 0
        while length < size:
            lines.append(line.format(" ".join(word(rng) for _ in range(words))))
            length += len(lines[-1])
        return "".join(lines)

    return make


def rising_backticks(size: int) -> str:
    runs = range(1, int((2 * size) ** 0.5))
    return "- " + " ".join("`" * run for run in runs) + "\n"


def nested_lists(size: int) -> str:
    levels = int(size**0.5)
    return "".join(f"{'  ' * level}- a\n" for level in range(levels))


def ragged_table(size: int) -> str:
    side = int(size**0.5)
    return "|a" * side + "|\n" + "|-" * side + "|\n" + "| b |\n" * side


def long_twins(size: int) -> str:
    words = "fix the login " * (size // 28)
    return f"- {words}\n- {words} again\n"


def one_letter_apart(rng: random.Random) -> str:
    letters = list("repair the broken pagination of the search results page")
    for _ in range(2):
        letters[rng.randrange(len(letters))] = rng.choice("abcdefghijklmnopqrstuvwxyz")
    return "".join(letters)


# Read as a journal, below a heading named Next.
NOTES: dict[str, Make] = {
    "emphasis *a": again("*a"),
    "emphasis **a *": again("**a *"),
    "emphasis _a": again("_a "),
    "strike ~~a": again("~~a"),
    "brackets [[[": again("["),
    "brackets [[[ ]]]": lambda size: "- " + "[" * (size // 2) + "]" * (size // 2) + "\n",
    "images ![](": again("![]("),
    "links [a](b": again("[a](b"),
    "links [a](<": again("[a](<"),
    "wikilinks [[a|": again("[[a|"),
    "backticks, rising runs": rising_backticks,
    "backticks and dates": again("`x` 📅 2026-05-30 "),
    "backticks and comments": again("`a` <!-- b -->"),
    "comments <!--": again("<!--"),
    "tags <a": again("<a "),
    "less-than <<<": again("<"),
    "declarations <!A": again("<!A"),
    "sections <![CDATA[": again("<![CDATA["),
    "entities &amp": again("&amp"),
    "entities &#1234": again("&#1234"),
    "backslashes": again("\\"),
    "addresses a@b.": again("a@b."),
    "addresses http://": again("http://"),
    "template marks {{": again("{{ x }}"),
    "done signs": again("✅ ", behind="x\n"),
    "priorities": again("!! P1 "),
    "due (due": again("(due "),
    "recurrence": again("🔁 "),
    "joiners": again("\u200d", before="- a"),
    "combining marks": again("\u0301", before="- a"),
    "ligatures that expand": again("\ufdfa"),
    "NUL bytes": again("\0", before="- a"),
    "escape sequences": again("\x1b[31m", before="- a"),
    "position labels 1.1.1.": again("1.", behind=" a\n"),
    "blanks in an item": again(" ", before="- a", behind="b\n"),
    "one word": again("a"),
    "one item of words": again("fix the login "),
    "two long items": long_twins,
    "blanks behind bold": again(" ", before="**a**", behind="b\n"),
    "blanks in a heading": again(" ", before="# a", behind="b\n"),
    "marks in a heading": again(" #", before="# a", behind="b\n"),
    "brackets in a heading": lambda size: "## Next " + "(" * (size // 2) + ")" * (size // 2) + "\n\nprose\n",
    "numbers in a heading": again("1. ", before="## ", behind="Next\n\nprose\n"),
    "a heading of emphasis": again("*a", before="## Next (", behind=")\n\nprose\n"),
    "quotes >>>": again(">", before="", behind="a\n"),
    "quotes on one line > > >": again("> ", before="", behind="a\n"),
    "lists on one line - - -": again("- ", before="", behind="a\n"),
    "numbers on one line 1. 1.": again("1. ", before="", behind="a\n"),
    "lists in lists": nested_lists,
    "indentation": again(" ", before="- a\n", behind="- b\n"),
    "tabs": again("\t", before="- a\n", behind="- b\n"),
    "small items": again("- a\n", before=""),
    "small boxes": again("- [ ] a\n", before=""),
    "empty items": again("-\n", before=""),
    "items, lines ended by CR": again("- a\r", before=""),
    "items, nested once": again("- a\n  - [ ] b\n", before=""),
    "items of random words": item(lambda rng: str(rng.randrange(10**6)), 6),
    "items with one other number": item(lambda rng: f"fix login bug {rng.randrange(10**7)} of the shop", 1),
    "items one letter apart": item(one_letter_apart, 1),
    "headings": again("# a\n", before=""),
    "sections Next": again("## Next\n- a\n", before=""),
    "sections of prose": again("## Next\n\na\n\n", before=""),
    "bold lines": again("**a**\n\n", before=""),
    "underlined headings": again("a\n", before="", behind="===\n"),
    "continuation lines": again("b\n", before="- a\n"),
    "fences": again("```\n", before=""),
    "fences in items": again("- ```\n", before=""),
    "HTML blocks": again("<div>\n", before=""),
    "quoted lines": again("> a\n", before=""),
    "link definitions": again("[a]: b\n", before=""),
    "unfinished link definitions": again("[a\n", before=""),
    "unfinished link titles": again('[a]: b "\n', before=""),
    "table rows": again("| a | b |\n", before="| a | b |\n| --- | --- |\n"),
    "table columns": lambda size: "|a" * (size // 6) + "|\n" + "|-" * (size // 6) + "|\n" + "|b" * (size // 6) + "|\n",
    "table rows without cells": ragged_table,
}  # fmt: skip

# Read as a journal as they are.
WHOLE: dict[str, Make] = {
    "front matter": again("a: b\n", before="---\n", behind="---\n- a\n"),
    "front matter without an end": again("a: b\n", before="---\n", behind=""),
    "front matter of aliases": lambda size: (
        "---\na: &a [x]\n" + "".join(f"k{n}: &k{n} [*a, *a, *a]\n" for n in range(size // 24)) + "---\n- a\n"
    ),
    "dashes": again("---\n", before=""),
}


def _turn(text: str) -> str:
    return json.dumps({"turns": [{"role": "assistant", "text": text}]})


# Conversations, as what the assistant said in one turn.
TALKS: dict[str, Make] = {
    "one sentence": again("Next session: fix the login, ", before="", behind=""),
    "sentences": again("Next session: fix the login. ", before="", behind=""),
    "lines of cues": again("TODO: a\n", before=""),
    "items below a cue": again("- fix the login\n", before="Next steps:\n\n"),
    "cues alone": again("later ", before="", behind=""),
    "Korean": again("나중에 로그인을 고치자. ", before="", behind=""),
    "Chinese": again("下次修复登录", before="", behind=""),
    "different tasks": item(lambda rng: str(rng.randrange(10**6)), 4, "Next session: fix {} bugs.\n"),
    "emphasis": again("*a"),
    "brackets": again("["),
    "backticks": rising_backticks,
    "fences": again("```\n", before=""),
    "quotes": again("> ", before="", behind="a\n"),
    "lists on one line": again("- ", before="", behind="TODO: a\n"),
    "commas": again("and, ", before="Next session: ", behind=""),
    "blanks": again(" ", before="Next session:", behind="fix it"),
    "one word": again("a", before="TODO: ", behind=""),
    "question marks": again("?", before="TODO: a", behind=""),
    "dots": again(".", before="TODO: a", behind=""),
    "headings": again("# Next steps\n", before=""),
    "table rows": again("| a | b |\n", before="| Next | b |\n| --- | --- |\n"),
    "tags": again("<system-reminder>", before="a", behind=""),
    "parentheses": again("(", before="Next session: fix ", behind=""),
    "quotation marks": again('"a ', before="Next session: fix ", behind=""),
    "keys": again("AKIA", before="Next session: use ", behind=""),
    "addresses with passwords": again("a://b:c", before="Next session: use ", behind=""),
    "key blocks": again("-----BEGIN PRIVATE KEY-----", before="Next session: use ", behind=""),
    "web tokens": again("eyJ-", before="Next session: use ", behind=""),
}


def note(name: str, size: int) -> str:
    """A journal of one of the families."""
    return WHOLE[name](size) if name in WHOLE else NEXT + NOTES[name](size)


def talk(name: str, size: int) -> str:
    """A conversation of one of the families."""
    return _turn(TALKS[name](size))
