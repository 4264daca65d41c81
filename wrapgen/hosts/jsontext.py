"""Edits JSON as text: single values are added and removed, every other byte stays. PURE.

A text is parsed again for each change: settings are small, and spans that were found in another text are wrong.
"""

import json
import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NoReturn

_DEEPEST = 200
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\],:]|[^\s,\]}]+')
_FIRST_INDENT = re.compile(r"\A\s*[\[{][ \t]*\r?\n([ \t]+)\S")
_COMMENT = re.compile(r'"(?:[^"\\\n]|\\.)*+"?|//[^\n]*|/\*.*?(?:\*/|\Z)', re.DOTALL)


class JsonTextError(ValueError):
    """What is wrong with a text, without a full stop, and the line, counted from 1."""

    def __init__(self, what: str, line: int) -> None:
        super().__init__(what)
        self.what = what
        self.line = line


@dataclass(frozen=True, slots=True)
class Node:
    """A value and its position."""

    value: Any  # what it says, decoded
    start: int  # its first character
    end: int  # behind its last character
    children: "tuple[Node, ...]" = ()  # the values of a list or of an object, in the order of the text
    keys: tuple[str, ...] = ()  # the keys of an object; one that comes twice is there twice
    starts: tuple[int, ...] = ()  # where each child begins, an object's with its key

    def at(self, key: str) -> "Node | None":
        """An object's value; of a key that comes twice the last one counts, as for every reader of JSON."""
        found = self.index(key)
        return None if found is None else self.children[found]

    def index(self, key: str) -> int | None:
        numbers = [number for number, one in enumerate(self.keys) if one == key]
        return numbers[-1] if numbers else None


def parse(text: str, *, comments: bool = False) -> Node:
    """Find the values of a JSON text without byte order mark; raises `JsonTextError`."""
    bare = _without_comments(text) if comments else text
    try:
        json.loads(bare, parse_constant=_refuse)
        tokens = _TOKEN.finditer(bare)
        return _node(bare, tokens, next(tokens), 1)
    except json.JSONDecodeError as error:
        raise JsonTextError(f"is not valid JSON ({error.msg})", error.lineno) from None
    except JsonTextError:
        raise
    except ValueError as error:
        raise JsonTextError(f"cannot be read ({error})", 1) from None
    except RecursionError:
        raise JsonTextError("is nested too deeply", 1) from None


def _refuse(word: str) -> NoReturn:
    raise JsonTextError(f"is not valid JSON ({word} is none of its values)", 1)


def _without_comments(text: str) -> str:
    """Comments replaced by spaces, so that every offset stays the same."""

    def blank(found: re.Match[str]) -> str:
        whole = found[0].endswith("*/") if found[0].startswith("/*") else not found[0].startswith('"')
        return re.sub(r"[^\n]", " ", found[0]) if whole else found[0]

    return _COMMENT.sub(blank, text)


def _node(text: str, tokens: Iterator[re.Match[str]], token: re.Match[str], depth: int) -> Node:
    """The value that begins with a token, of a text that is valid JSON; its further tokens are used up."""
    opening = token[0]
    if opening not in "{[":
        return Node(json.loads(opening), token.start(), token.end())
    if depth > _DEEPEST:
        raise JsonTextError("is nested too deeply", line_of(text, token.start()))
    children, keys, starts = list[Node](), list[str](), list[int]()
    while (found := next(tokens))[0] not in "]}":
        if found[0] != ",":
            starts.append(found.start())
            if opening == "{":
                keys.append(json.loads(found[0]))
                next(tokens)  # the colon
                found = next(tokens)
            children.append(_node(text, tokens, found, depth + 1))
    values = [one.value for one in children]
    value = dict(zip(keys, values, strict=True)) if opening == "{" else values
    return Node(value, token.start(), found.end(), tuple(children), tuple(keys), tuple(starts))


def line_of(text: str, place: int) -> int:
    """The line of a place, counted from 1."""
    return bisect_right([found.end() for found in re.finditer("\n", text)], place) + 1


def put(text: str, parent: Node, value: object, key: str | None = None) -> str:
    """Append a value to a list, or with a key to an object, indented as what stands around it."""
    newline = "\r\n" if "\r\n" in text else "\n"
    indent, unit = _indent(text, parent), _indentation(text)
    name = "" if key is None else f"{json.dumps(key, ensure_ascii=False)}: "
    if not parent.children:
        inner = text[parent.start + 1 : parent.end - 1]
        begin = parent.end - 1 if inner.strip() else parent.start + 1  # a comment in an empty list stays
        lead = newline + indent + unit
        return f"{text[:begin]}{lead}{name}{_written(value, unit, lead)}{newline}{indent}{text[parent.end - 1 :]}"
    former = parent.children[-2].end if len(parent.children) > 1 else parent.start
    gap = text[former + 1 : parent.starts[-1]]
    if gap.strip():  # do not repeat a comment
        gap = newline + indent + unit
    if "\n" in gap:
        written = _written(value, unit, newline + gap.rpartition("\n")[2])
    else:  # everything is on one line here
        written, gap = _written(value, None, ""), gap or " "
    end = parent.children[-1].end
    return f"{text[:end]},{gap}{name}{written}{text[end:]}"


def _written(value: object, unit: str | None, lead: str) -> str:
    """A value as JSON, its further lines beginning with `lead`; on one line without a unit of indentation."""
    return json.dumps(value, ensure_ascii=False, indent=unit).replace("\n", lead)


def take(text: str, parent: Node, number: int) -> str:
    """Take a child (counted from 0) out of a list or an object, with its comma."""
    if len(parent.children) == 1:
        inner = text[parent.start + 1 : parent.starts[0]] + text[parent.children[0].end : parent.end - 1]
        kept = inner if inner.strip() else ""  # a comment
        return text[: parent.start + 1] + kept + text[parent.end - 1 :]
    if number:
        begin, end = parent.children[number - 1].end, parent.children[number].end
        kept = _comments_between(text, begin, parent.starts[number])
    else:
        begin, end = parent.starts[0], parent.starts[1]
        kept = _comments_between(text, parent.children[0].end, end)
    return text[:begin] + kept + text[end:]


def _comments_between(text: str, begin: int, end: int) -> str:
    """What is between two values but their comma, if that is more than blanks."""
    comma = _without_comments(text).index(",", begin)
    kept = text[begin:comma] + text[comma + 1 : end]
    return kept if kept.strip() else ""


def swap(text: str, node: Node, value: object) -> str:
    """Write another value in the place of one."""
    newline = "\r\n" if "\r\n" in text else "\n"
    written = _written(value, _indentation(text), newline + _indent(text, node))
    return text[: node.start] + written + text[node.end :]


def _indentation(text: str) -> str:
    found = _FIRST_INDENT.match(text)
    return found[1] if found else "  "


def _indent(text: str, node: Node) -> str:
    begin = text.rfind("\n", 0, node.start) + 1
    found = re.match(r"[ \t]*", text[begin:])
    assert found
    return found[0]
