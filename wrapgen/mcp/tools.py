"""The tools: each is a command line, and the text that it gets on standard input. PURE."""

from __future__ import annotations

import json
from typing import Any, NamedTuple


class ToolCall(NamedTuple):
    """A command to run."""

    words: tuple[str, ...]  # the words after `wrap`
    given: str = ""  # what it reads on standard input


def list_items(project: str | None, *, everything: bool) -> ToolCall:
    """`wrap list`."""
    return ToolCall(("list", "--json", *(("--all",) if everything else ()), *_option("--project", project)))


def add(text: str, project: str | None) -> ToolCall:
    """`wrap add`."""
    return ToolCall(("add", *_option("--project", project), "--", text))


def done(items: list[str]) -> ToolCall:
    """`wrap done`."""
    return ToolCall(("done", "--", *items))


def orphans_review(transcript: str | None) -> ToolCall:
    """`wrap orphans --review`."""
    return ToolCall(("orphans", "--review", *_option("--transcript", transcript)))


def orphans_reviewed(review: dict[str, Any], transcript: str | None, *, ask: bool) -> ToolCall:
    """`wrap orphans --reviewed`."""
    words = ("orphans", "--reviewed", "-", "--ask" if ask else "--json", *_option("--transcript", transcript))
    return ToolCall(words, json.dumps(review))


def triage_review(limit: int) -> ToolCall:
    """`wrap triage --review`."""
    return ToolCall(("triage", "--review", f"--limit={limit}"))


def triage_reviewed(verdicts: dict[str, Any]) -> ToolCall:
    """`wrap triage --reviewed`."""
    return ToolCall(("triage", "--reviewed", "-", "--json"), json.dumps(verdicts))


def route(answers: dict[str, Any]) -> ToolCall:
    """`wrap route --answers`."""
    return ToolCall(("route", "--answers", "-", "--json"), json.dumps(answers))


def audit() -> ToolCall:
    """`wrap audit`."""
    return ToolCall(("audit", "--json"))


def _option(name: str, value: str | None) -> tuple[str, ...]:
    return () if value is None else (f"{name}={value}",)
