"""Runs the cases in `tests/cases`: Markdown in, Markdown out. Their README says how they are written."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from tests.support import FATES, TODAY, audit, each, wrap

FOLDER = Path(__file__).parent / "cases"
_FENCE = re.compile(r"(`{3,})(.*)")
OUTCOMES = ("expected", "also", "fates", "warnings", "counts")
CLASSES = (
    "untagged",
    "conflicts",
    "stale_boxes",
    "probably_done",
    "unreadable",
    "unreadable_metadata",
    "unread_sections",
)


@dataclass
class Case:
    title: str
    files: dict[str, str] = field(default_factory=dict)
    changed: dict[str, str] = field(default_factory=dict)
    outcomes: dict[str, list[str]] = field(default_factory=dict)
    today: str = TODAY
    sentence: str = ""


def read_cases(file: Path) -> list[Case]:
    cases: list[Case] = []
    lines = iter(file.read_text(encoding="utf-8").split("\n"))
    for line in lines:
        if line.startswith("## "):
            cases.append(Case(line[3:]))
        elif fence := _FENCE.match(line):
            body = []
            for inner in lines:
                if inner.startswith(fence[1]) and not inner.strip("`"):
                    break
                body.append(inner)
            _block(cases[-1], fence[2].split(), body)
        elif cases and line and not cases[-1].files:
            cases[-1].sentence += line
    return cases


def _block(case: Case, info: list[str], body: list[str]) -> None:
    words = [word for word in info if "=" not in word]
    options = dict(word.split("=", 1) for word in info if "=" in word)
    kind = words[-1]
    case.today = options.pop("today", case.today)
    if kind in OUTCOMES:
        assert kind not in case.outcomes, f"{case.title}: two blocks say {kind}"
        case.outcomes[kind] = [line for line in body if line]
    else:
        assert len(words) == 2, f"{case.title}: a block without a path: {info}"
        case.files[kind] = "\n".join(body) + "\n"
        if "changed" in options:
            case.changed[kind] = options.pop("changed")
    assert not options, f"{case.title}: unknown options {options}"


CASES = [
    pytest.param(case, id=f"{file.stem}: {case.title}")
    for file in sorted(FOLDER.glob("*.md"))
    if file.stem != "README"
    for case in read_cases(file)
]


@each([one.values[0] for one in CASES])
def test_a_case_documents_a_rule(case: Case):
    assert case.sentence.endswith("."), "one sentence says the rule"
    assert case.files
    assert case.outcomes


@pytest.mark.parametrize("case", CASES)
def test_case(case: Case, vault):
    files = dict(case.files)
    built = vault(files, config=files.pop("wrapgen.toml", ""), changed=case.changed)
    result = audit(built, today=case.today)
    document = result.json
    if "fates" in case.outcomes:
        assert_fates(case.outcomes["fates"], document["items"])
    if "warnings" in case.outcomes:
        assert_warnings(case.outcomes["warnings"], document)
    for name, number in (line.split("|") for line in case.outcomes.get("counts", ())):
        assert document[name.strip()] == int(number), name
    if case.outcomes.keys() & {"expected", "also"}:
        assert wrap("regen", vault=built, today=case.today).code == 0
        assert built.priorities == case.outcomes.get("expected", [])
        assert built.also_open == case.outcomes.get("also", [])
    assert document["collected"] == sum(document[fate] for fate in FATES)
    assert wrap("regen", vault=built, today=case.today).code == 0
    warm = audit(built, today=case.today).json
    assert {key: value for key, value in warm.items() if key not in OF_THE_RUN} == {
        key: value for key, value in document.items() if key not in OF_THE_RUN
    }, "what is remembered gives something else"


OF_THE_RUN = ("generated_at", "elapsed_ms", "changed")


def assert_fates(expected: list[str], items: list[dict[str, Any]]) -> None:
    left = list(items)
    missing = []
    for line in expected:
        fate, words, *rest = (cell.strip() for cell in line.split("|"))
        assert fate in FATES, f"a fate that there is not: {line}"
        wanted = dict(pair.split("=", 1) for pair in rest[0].split()) if rest else {}
        for item in left:
            attributes = {key: _attribute(item, key) for key in wanted}
            if item["fate"] == fate and words in (item["text"], _tagged(item)) and attributes == wanted:
                left.remove(item)
                break
        else:
            missing.append(line)
    assert (missing, [_said(item) for item in left]) == ([], [])


def _attribute(item: dict[str, Any], key: str) -> str:
    if key == "because":
        return f"{item[key]['path']}:{item[key]['line']}" if item[key] else "null"
    if isinstance(item[key], list):
        return str(len(item[key])) if key == "blocked_by" else "›".join(item[key]).replace(" ", "_")
    return "null" if item[key] is None else str(item[key]).replace(" ", "_")


def _tagged(item: dict[str, Any]) -> str:
    return f"({item['project'] or 'untagged'}) {item['text']}"


def _said(item: dict[str, Any]) -> str:
    named = ("line", "raised", "last_seen", "due", "priority", "because", "rank")
    return f"{item['fate']} | {_tagged(item)} | " + " ".join(f"{key}={_attribute(item, key)}" for key in named)


def assert_warnings(expected: list[str], document: dict[str, Any]) -> None:
    rows = [tuple(cell.strip() for cell in line.split("|")) for line in expected]
    classes = {name for name, *_ in rows}
    assert classes <= set(CLASSES), f"a class that there is not: {classes}"
    actual = sorted((name, *_warning(name, one)) for name in classes for one in document[name])
    assert actual == sorted(row for row in rows if row[1:] != ("nothing",))


def _warning(name: str, one: dict[str, Any]) -> tuple[str, ...]:
    match name:
        case "unreadable":
            return (one["path"], one["error"])
        case "unreadable_metadata":
            return (one["text"], one["written"])
        case "unread_sections":
            return (f"{one['path']}:{one['line']}", one["heading"])
        case "untagged" if one["candidates"]:
            return (one["text"], " ".join(sorted(one["candidates"])))
        case _:
            return (one["text"],)
