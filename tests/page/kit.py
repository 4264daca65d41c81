"""Vaults with much to look at, and their page taken apart."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import timedelta
from html.parser import HTMLParser
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

from tests.support import TODAY, Vault, journal, next_list, wrap
from wrapgen.commands.demo_ import copy_demo
from wrapgen.vault import run_history
from wrapgen.vault.run_history import Day

if TYPE_CHECKING:
    from datetime import date
    from pathlib import Path

PAGE = ".wrapgen/page/index.html"
VOID = {"meta", "input", "path", "rect", "br"}
HOSTILE = (
    "Run <script>window.sprung = 1</script> and <img src=x onerror='window.sprung = 1'>",
    "[press](javascript:window.sprung=1) or [this](  JaVaScRiPt:window.sprung=1)",
    "[that](java&#9;script:window.sprung=1) or [those](&#106;avascript:window.sprung=1)",
    "[data](data:text/html,<script>window.sprung=1</script>) [share](//evil.example/x) [back](\\\\\\\\evil\\\\share)",
    '"><svg onload=window.sprung=1> \' onmouseover=\'window.sprung=1\' " autofocus onfocus="window.sprung=1"',
    "Close </title></style></script><script>window.sprung = 1</script><!-- ]]> {{ view }} {% raw %}",
    "Reads \u202egnol sdrawkcab\u202c and \u2066isolated\u2069 \x1b[31mred\x1b[0m \x07 &#8238; &lt;b&gt;",
    "x" * 320,
    "가" * 320,
    "漢字" * 160,
    "👩‍👩‍👧‍👦🏳️‍🌈🇰🇷 family and e\u0301\u0323\u0324 marks",
    "مرحبا بالعالم and שלום עולם",
    '`code <b>` **bold [a *b*](https://example.org/?a=1&b="2")** ~~gone~~ https://example.org/<x>',
)


@dataclass
class Parsed(HTMLParser):
    """A page as a strict reader sees it: every element with its attributes and own text."""

    elements: list[tuple[str, dict[str, str], list[str]]] = field(default_factory=list)
    open: list[tuple[str, dict[str, str], list[str]]] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__(convert_charrefs=True)

    @classmethod
    def of(cls, text: str) -> Parsed:
        parsed = cls()
        parsed.feed(text)
        parsed.close()
        assert not parsed.open, f"never closed: {[name for name, _, _ in parsed.open]}"
        return parsed

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert len({name for name, _ in attrs}) == len(attrs), f"an attribute twice: {tag} {attrs}"
        element = (tag, {name: value or "" for name, value in attrs}, [])
        self.elements.append(element)
        if tag not in VOID:
            self.open.append(element)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag in VOID, tag
        self.handle_starttag(tag, attrs)

    def handle_endtag(self, tag: str) -> None:
        assert self.open, f"</{tag}> closes nothing"
        assert self.open.pop()[0] == tag, f"</{tag}> closes something else"

    def handle_data(self, data: str) -> None:
        for _, _, texts in self.open:
            texts.append(data)

    def texts(self, tag: str, kind: str = "") -> list[str]:
        """What the elements of a tag, and of a class where one is given, hold as text."""
        return [
            " ".join("".join(texts).split())
            for name, attributes, texts in self.elements
            if name == tag and (not kind or kind in attributes.get("class", "").split())
        ]

    def by_id(self, name: str) -> str:
        """What the element with an id holds, to the letter."""
        return "".join(next(texts for _, attributes, texts in self.elements if attributes.get("id") == name))

    def attributes(self, name: str) -> list[str]:
        return [attributes[name] for _, attributes, _ in self.elements if name in attributes]


def page(vault: Vault, *words: str | Path, today: str = TODAY) -> str:
    """The page that the program writes at its usual place."""
    result = wrap("page", *words, vault=vault, today=today)
    assert result.code == 0, result.err
    return vault.path(PAGE).read_text(encoding="utf-8")


def source_of(vault: Vault, href: str) -> str:
    """The line of a note that a link of the page leads to."""
    parts = urlsplit(href)
    assert not parts.scheme
    file = vault.path(PAGE).parent.joinpath(unquote(parts.path))
    return file.read_text(encoding="utf-8").split("\n")[int(parts.fragment.removeprefix("L")) - 1]


def past_days(root: Path, last: date, number: int) -> None:
    """Give a vault a history."""
    for ago in reversed(range(number)):
        day = Day(
            day=last - timedelta(days=ago), collected=90, open=20 + ago * 7 % 23, new=ago % 5, resolved=ago % 3,
            fates={}, sources={}, projects={}, pending=0, median_age=3, ages={}, made=0, kept=0,
        )  # fmt: skip
        run_history.add(root, day)


def demo(root: Path, today: date) -> Vault:
    """The sample vault, with a history of two months."""
    copy_demo(root, today)
    config = (root / "wrapgen.toml").read_bytes()
    vault = Vault(root)  # which begins with an empty configuration
    vault.write("wrapgen.toml", config)
    past_days(root, today - timedelta(days=1), 60)
    return vault


def hostile() -> dict[str, str]:
    """Files whose every word wants to be something else on the page."""
    done = "## Done\n\n" + "".join(f"- {text}\n" for text in HOSTILE[:4])
    return {
        **journal("2026-04-24", done),
        **journal("2026-04-22", next_list(*HOSTILE[:4])),
        **journal("2026-04-23", next_list(*HOSTILE[4:], "(<b>x</b>) No project", "(a'b\"c) One more")),
        "projects/a'b\"c/todos.md": next_list("Fix it", heading="## Next Session"),
        "projects/javascript:alert(1)/todos.md": next_list("Of an odd project", heading="## Next Session"),
        "projects/<img src=x>/todos.md": next_list("Of an odder one", heading="## Next Session")
        + "## Next\n\nProse <b>\n",
    }
