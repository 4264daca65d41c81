"""A sub-agent's last message and usage, read from its transcript, even if that is incomplete."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING

import msgspec

from wrapgen.agents.operations import NO_USAGE, Usage
from wrapgen.jsonl import clean, decode, lines
from wrapgen.vault import disk

if TYPE_CHECKING:
    from pathlib import Path

_ENDING = ".jsonl"  # a host's transcript; whatever else a path may lead to is not read


class _Block(msgspec.Struct, gc=False):
    type: str = ""
    text: str | None = None


class _Used(msgspec.Struct, gc=False):
    input_tokens: int | None = None
    output_tokens: int | None = None
    cache_read_input_tokens: int | None = None
    cache_creation_input_tokens: int | None = None

    def usage(self) -> Usage:
        into = (self.input_tokens, self.cache_read_input_tokens, self.cache_creation_input_tokens)
        return Usage(sum(max(0, number or 0) for number in into), max(0, self.output_tokens or 0))


class _Message(msgspec.Struct, gc=False):
    id: str | None = None
    content: str | list[_Block | str | None] | None = None
    usage: _Used | None = None


class _Line(msgspec.Struct, rename="camel", gc=False):
    type: str = ""
    request_id: str | None = None
    message: _Message | None = None


_DECODER = msgspec.json.Decoder(_Line)


@dataclass(slots=True)
class _Counts:
    lines: int = 0
    bad_lines: int = 0


@dataclass(frozen=True, slots=True)
class LastWords:
    """What a transcript says of its agent."""

    text: str | None = None  # the last reply that has words, None when there is none
    usage: Usage = NO_USAGE  # tokens of all its replies; a reply that is in several lines counts once


def last_words(transcript: Path) -> LastWords:
    """Read a sub-agent's transcript; what cannot be read is skipped, and a missing file says nothing.

    Args:
        transcript: the agent's own file, in Claude Code's form.
    """
    if transcript.suffix != _ENDING:
        return LastWords()
    text, reply = None, None
    used: dict[str, Usage] = {}
    try:
        with disk.opened(transcript) as descriptor, os.fdopen(descriptor, "rb", closefd=False) as file:
            counts = _Counts()
            for number, line in lines(file, counts, lambda line: b'"assistant"' in line):
                record = decode(line, _DECODER, counts)
                if record is None or record.type != "assistant" or record.message is None:
                    continue
                message = record.message
                key = message.id or record.request_id or str(number)
                if message.usage:
                    used[key] = message.usage.usage()
                if words := _words(message):
                    text = f"{text}\n{words}" if text is not None and key == reply else words
                    reply = key
    except OSError:
        return LastWords()
    return LastWords(text, Usage(sum(one.input for one in used.values()), sum(one.output for one in used.values())))


def _words(message: _Message) -> str:
    blocks = [message.content] if isinstance(message.content, str) else message.content or []
    texts = (block.text if isinstance(block, _Block) and block.type == "text" else block for block in blocks)
    return clean("\n".join(text for text in texts if isinstance(text, str) and text.strip()))
