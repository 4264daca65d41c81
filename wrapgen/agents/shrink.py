"""Shrinks a tool's answer that would flood its reader: a digest, and where the full text is. PURE."""

from __future__ import annotations

from typing import Any

from wrapgen.agents.contract import MARKER, AnswerForm, parse
from wrapgen.text.display import shorten

AGENT_TOOLS = frozenset({"Agent", "Task"})
"""The tool that starts a sub-agent, under its new and its old name."""

_LINE = 200  # characters of a line of a digest
_MARGIN = 3


def text_of(response: object) -> str:
    """The words of an agent tool's answer: a text, or an object whose `content` is a text or blocks."""
    content = response.get("content") if isinstance(response, dict) else response
    if isinstance(content, list):
        return "\n".join(text for block in content if (text := _block_text(block)))
    return content if isinstance(content, str) else ""


def with_text(response: object, text: str) -> object:
    """The same answer with another text: hosts refuse one that does not have the tool's own form."""
    if not isinstance(response, dict):
        return _with(response, text)
    return {**response, "content": _with(response.get("content"), text)}


def digest(text: str, pointer: str) -> str:
    """What is shown instead: the answer's own summary where it has one, else how it begins and ends.

    Args:
        pointer: says where the whole stands.
    """
    lines = [line for line in text.splitlines() if line.strip()]
    answer, _ = parse(text)
    most = answer.form.limit
    if answer.agent_type is not None and MARKER in lines[0]:
        fields = [(part.line, part.rows) for parts in answer.fields.values() for part in parts]
        numbers = sorted({line for line, _ in fields} | {row for _, rows in fields for row, _ in rows})
        all_lines = text.splitlines()
        lines = [lines[0], *(all_lines[number - 1] for number in numbers if all_lines[number - 1].strip())]
    elif len(lines) > AnswerForm.GENERAL.limit:
        lines = [*lines[: most - _MARGIN], "...", *lines[-_MARGIN + 1 :]]
    return "\n".join([*(shorten(line, _LINE) for line in lines[:most]), pointer])


def _block_text(block: object) -> str:
    text = block.get("text") if isinstance(block, dict) and block.get("type") == "text" else block
    return text if isinstance(text, str) else ""


def _with(content: object, text: str) -> Any:  # noqa: ANN401 - the host's form
    if not isinstance(content, list):
        return text
    others = [block for block in content if isinstance(block, dict) and block.get("type") != "text"]
    return [{"type": "text", "text": text}, *others]
