"""The text of a declaration on one line: no body, no default value, no comment. PURE."""

from __future__ import annotations

from itertools import takewhile
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from tree_sitter import Node

    from wrapgen.tracks.skeleton.languages import SourceLanguage

_OPENERS = frozenset("([<")
_CLOSERS = frozenset(")]>,;")
_SEPARATORS = frozenset(",;")
_ENDS_LIST = frozenset(")]}>")
_BEGINNING = 100  # bytes that are enough to tell what a call begins with
ELIDED = "(...)"  # what stands for the parameters of a bare signature


class _Token(NamedTuple):
    start: int
    end: int
    text: str
    member: bool = False


class DeclarationWriter:
    """Writes parts of one source."""

    def __init__(self, source: bytes, language: SourceLanguage) -> None:
        self._source = source
        self.language = language

    def text(self, node: Node) -> str:
        if not node.child_count:
            return self._token(node, member=False).text
        return self._written(list(self._tokens(node, (), node.end_byte)))

    def raw(self, node: Node) -> str:
        return self._source[node.start_byte : node.end_byte].decode(errors="replace")

    def beginning(self, node: Node) -> str:
        return self._source[node.start_byte : min(node.end_byte, node.start_byte + _BEGINNING)].decode(errors="replace")

    def field(self, node: Node, name: str) -> str:
        part = node.child_by_field_name(name)
        return self.text(part) if part is not None else ""

    def signature(
        self, node: Node, *, until: Node | None = None, params: Node | None = None, without: Collection[Node] = ()
    ) -> tuple[str, str]:
        """A declaration up to a part of it, without some parts; and the same without its parameters."""
        end = until.start_byte if until else node.end_byte
        tokens = list(self._tokens(node, without, end))
        line = self._written(tokens)
        if params is None or self.text(params) == "()":
            return line, line
        before = [token for token in tokens if token.end <= params.start_byte]
        after = [token for token in tokens if token.start >= params.end_byte]
        elided = _Token(params.start_byte, params.end_byte, ELIDED)
        return line, self._written([*before, elided, *after])

    def _tokens(self, node: Node, without: Collection[Node], end: int) -> Iterator[_Token]:
        language = self.language
        stack = [(node, False)]
        while stack:
            current, member = stack.pop()
            kind = current.type
            if current.start_byte >= end or kind in language.dropped:
                continue
            children = current.children
            if not children or kind in language.whole:
                yield self._token(current, member)
                continue
            children = _kept(children, language.cut.get(kind), without)
            listed = kind in language.listed
            marked = [(child, listed and child.is_named) for child in children]
            if marked:
                marked[0] = (marked[0][0], marked[0][1] or member)
            stack.extend(reversed(marked))

    def _token(self, node: Node, member: bool) -> _Token:
        return _Token(node.start_byte, node.end_byte, " ".join(self.raw(node).splitlines()), member)

    def _written(self, tokens: list[_Token]) -> str:
        parts: list[str] = []
        last: _Token | None = None
        for token in tokens:
            if not token.text:
                continue
            if last is not None:
                parts.append(self._between(last, token, parts))
            parts.append(token.text)
            last = token
        return "".join(parts).strip()

    def _between(self, last: _Token, token: _Token, parts: list[str]) -> str:
        """The blank that parts two tokens; a separator that a line break made needless is taken back."""
        gap = self._source[last.end : token.start]
        cut = bool(gap.strip())
        broken = cut or b"\n" in gap or b"\r" in gap
        if broken and last.text in _SEPARATORS and token.text in _ENDS_LIST:
            parts.pop()
            return " " if token.text == "}" else ""
        if token.member and last.text not in {"{", ",", ";", "{|"} and broken:
            return "; "
        if not gap or (broken and (last.text in _OPENERS or token.text in _CLOSERS)):
            return ""
        return " "


def _kept(children: list[Node], value: str | None, without: Collection[Node]) -> list[Node]:
    """Parts before the value, less those left out and the commas behind them."""
    if value is not None:
        children = list(takewhile(lambda child: child.type != value, children))
    if not without:
        return children
    gone = [child in without for child in children]
    return [
        child
        for index, child in enumerate(children)
        if not gone[index] and not (child.type == "," and index and gone[index - 1])
    ]
