"""`wrap audit`: the document that others read, pinned; and `--strict`."""

import re
from datetime import datetime

import pytest

from tests.support import FATES, audit, journal, next_list, wrap

EVERYTHING = {
    **journal("2026-01-05", next_list("Pay the old bill")),
    **journal(
        "2026-04-22",
        "## Session: web\n### Next\n- Fix the login\n- Rotate the signing keys\n"
        "- Document the upload retry behaviour in the handbook\n",
    ),
    **journal(
        "2026-04-23",
        "## Session: web\n### Done\n- Rotate the signing keys\n- Tick the last box\n"
        "- Document upload retry behaviour in handbook\n"
        "### Next\n- Fix the login ⏫ 📅 2026-05-30\n"
        "## Session: web and api\n### Next\n- Whose is it\n- [ ] Open or not ✅\n## Next\nProse alone.\n",
    ),
    "journals/2026/02/2026-02-30.md": "",
    "projects/web/todos.md": "## Next Session\n- [ ] Tick the last box\n",
    "projects/api/todos.md": "## Next Session\n- [ ] One more\n- [ ] And one more of another kind\n",
    "projects/api/PROGRESS.md": "## Next Session\n- Deploy to staging 🔁 every week\n",
    "projects/api/actives/upload/todos.md": "- [ ] Measure the upload\n",
}
LIMITED = "cap = 6\n"

PLACE = {"path": str, "line": int, "text": str}
BECAUSE = {"path": str, "line": int, "score": float, "item": (str, type(None))}
MAYBE = (str, type(None))
SHAPES = {
    "sources": {"kind": str, "files": int, "items": int},
    "items": {
        "id": str, "text": str, "project": MAYBE, "kind": str, "path": str, "line": int, "raised": MAYBE,
        "last_seen": MAYBE, "due": MAYBE, "priority": MAYBE, "fate": str, "rank": (int, type(None)),
        "because": (dict, type(None)),
    },
    "untagged": {**PLACE, "candidates": list},
    "conflicts": PLACE,
    "stale_boxes": PLACE,
    "probably_done": PLACE,
    "unreadable": {"path": str, "error": str},
    "unread_sections": {"path": str, "line": int, "heading": str},
}  # fmt: skip
KEYS = [
    "schema", "vault", "generated_at", "today", "sources", "collected", "shown", "resolved", "duplicate", "overflow",
    "expired", "items", "untagged", "conflicts", "stale_boxes", "probably_done", "unreadable", "unread_sections",
    "follow_ups", "potentially_lost", "skipped", "dropped", "written", "changed", "elapsed_ms",
]  # fmt: skip


@pytest.mark.slow
def test_nothing_is_written(vault):
    built = vault(EVERYTHING)
    before = built.snapshot()
    for words in (("audit",), ("audit", "--json"), ("audit", "--strict"), ("explain", "login")):
        wrap(*words, vault=built)
    assert built.snapshot() == before


@pytest.mark.parametrize("words", [("audit", "--json"), ("regen", "--json"), ("--json",)])
def test_the_document_has_every_key_in_order(vault, words):
    document = wrap(*words, vault=vault(EVERYTHING, config=LIMITED)).json
    assert [key for key in document if key in KEYS] == KEYS
    assert document["schema"] == "wrapgen.audit/1"


def test_every_value_has_its_type(vault):
    built = vault(EVERYTHING, config=LIMITED)
    document = audit(built).json
    assert document["vault"] == str(built.root)
    assert document["today"] == "2026-04-24"
    assert datetime.fromisoformat(document["generated_at"]).tzinfo is not None
    assert document["generated_at"].startswith("2026-04-24T")
    for key in ("collected", *FATES, "elapsed_ms"):
        assert type(document[key]) is int
    for key in ("written", "changed"):
        assert type(document[key]) is bool
    for key, shape in SHAPES.items():
        assert document[key], f"this vault must have some {key}"
        for record in document[key]:
            for name, kind in shape.items():
                assert isinstance(record[name], kind), (key, name, record[name])
    reasons = [item["because"] for item in document["items"] if item["because"]]
    assert reasons
    for because in reasons:
        assert set(because) >= set(BECAUSE)
        for name, kind in BECAUSE.items():
            assert isinstance(because[name], kind)


def test_every_fate_is_in_this_vault(vault):
    document = audit(vault(EVERYTHING, config=LIMITED)).json
    assert {fate: document[fate] for fate in FATES} == {
        "shown": 6, "resolved": 2, "duplicate": 1, "overflow": 2, "expired": 1,
    }  # fmt: skip


def test_the_values_of_one_item(vault):
    item = audit(vault(EVERYTHING, config=LIMITED)).json["items"][0]
    assert re.fullmatch("[0-9a-f]{12}", item.pop("id"))
    assert {key: item[key] for key in SHAPES["items"] if key != "id"} == {
        "text": "Fix the login", "project": "web", "kind": "journal_next", "path": "journals/2026/04/2026-04-23.md",
        "line": 7, "raised": "2026-04-22", "last_seen": "2026-04-23", "due": "2026-05-30", "priority": "high",
        "fate": "shown", "rank": 1, "because": None,
    }  # fmt: skip


def test_because_names_the_evidence(vault):
    items = audit(vault(EVERYTHING, config=LIMITED)).json["items"]
    resolved = next(item for item in items if item["text"] == "Rotate the signing keys")
    assert resolved["because"] == {"path": "journals/2026/04/2026-04-23.md", "line": 3, "score": 100.0, "item": None}
    kept, twin = (item for item in items if item["text"] == "Fix the login")
    assert twin["because"] == {"path": kept["path"], "line": kept["line"], "score": 100.0, "item": kept["id"]}


@pytest.mark.parametrize("files", [{}, EVERYTHING])
def test_all_sources_always_stand_there(vault, files):
    document = audit(vault(files)).json
    kinds = ["journal_next", "active_todos", "project_todos", "progress", "lists", "hand_overs", "said"]
    assert [source["kind"] for source in document["sources"]] == kinds
    assert [source["files"] for source in document["sources"]] == ([3, 1, 2, 1, 0, 0, 0] if files else [0] * 7)


def test_follow_ups_stay_zero_until_conversations_are_read(vault):
    document = audit(vault(EVERYTHING)).json
    routed = {"journal": 0, "project": 0, "active": 0, "skip": 0}
    none = {"found": 0, "already_durable": 0, "routed": routed, "pending": 0, "redacted": 0, "unsure": 0}
    assert document["follow_ups"] == none
    assert document["potentially_lost"] == []


def test_the_printed_audit(vault):
    out = wrap("audit", vault=vault(EVERYTHING, config=LIMITED)).out
    for words in ("journal_next", "active_todos", "project_todos", "progress", *FATES):
        assert words in out
    assert "journals/2026/04/2026-04-23.md:10 Whose is it (candidates: api, web)" in out
    assert out.splitlines()[-1] == (
        "collected 12 = shown 6 + resolved 2 + duplicate 1 + overflow 2 + expired 1 · "
        "follow-ups 0: durable 0, routed 0, skipped 0, pending 0"
    )


def test_a_warning_list_is_printed_only_when_there_is_something(vault):
    out = wrap("audit", vault=vault({"projects/web/todos.md": "## Next Session\n- Fix the login\n"})).out
    for words in ("untagged", "conflicts", "probably", "stale", "unread"):
        assert words not in out


def test_a_warning_list_names_ten_and_all_when_asked(vault):
    built = vault(journal("2026-04-23", next_list(*(f"Nobody's work {letter}" for letter in "abcdefghijklm"))))
    short, whole = wrap("audit", vault=built).out, wrap("-v", "audit", vault=built).out
    assert (short.count("Nobody's work"), whole.count("Nobody's work")) == (10, 13)
    assert "… and 3 more: `wrap -v audit` shows all" in short


def test_expired_items_are_counts_and_the_newest_five(vault):
    old = {}
    for day in range(1, 9):
        old |= journal(f"2026-01-0{day}", next_list(f"Work of January {day}"))
    built = vault(old | journal("2026-04-23", ""))
    out = wrap("audit", vault=built).out
    assert [day for day in range(1, 9) if f"Work of January {day}" in out] == [4, 5, 6, 7, 8]
    assert "8" in next(line for line in out.splitlines() if "(untagged)" in line)


# --strict

FINDINGS = {
    "untagged": journal("2026-04-23", next_list("Whose is it")),
    "conflicts": {"projects/web/todos.md": "## Next Session\n- [ ] Open or not ✅\n"},
    "unreadable": {"projects/web/todos.md": b"caf\xe9\n"},
}


def test_strict_is_0_when_nothing_is_found(vault):
    built = vault({"projects/web/todos.md": "## Next Session\n- Fix the login\n"})
    assert wrap("audit", "--strict", vault=built).code == 0


@pytest.mark.parametrize("name", FINDINGS)
def test_strict_is_3_when_one_of_the_default_classes_is_found(vault, name):
    built = vault(FINDINGS[name])
    assert wrap("audit", vault=built).code == 0
    result = wrap("audit", "--strict", vault=built)
    assert result.code == 3
    assert name in result.err
    assert result.out, "the audit is printed all the same"


@pytest.mark.parametrize("name", FINDINGS)
def test_strict_looks_only_for_the_classes_that_are_named(vault, name):
    built = vault(FINDINGS[name])
    others = ",".join(["lost", *(other for other in FINDINGS if other != name)])
    assert wrap("audit", f"--strict={others}", vault=built).code == 0
    assert wrap("audit", f"--strict={name}", vault=built).code == 3
    assert wrap("audit", f"--strict=lost,{name}", vault=built).code == 3


def test_strict_with_json(vault):
    result = wrap("audit", "--strict", "--json", vault=vault(FINDINGS["untagged"]))
    assert (result.code, len(result.json["untagged"])) == (3, 1)


@pytest.mark.slow
def test_classes_that_strict_does_not_look_for_by_default(vault):
    built = vault(EVERYTHING)
    for name in ("stale_boxes", "probably_done", "unread_sections", "expired"):
        assert wrap("audit", f"--strict={name}", vault=built).code == 3
    tame = {"projects/web/todos.md": "## Next Session\nProse.\n"}
    assert wrap("audit", "--strict", vault=vault(tame, name="tame")).code == 0


def test_what_only_somebody_said_has_a_row_where_there_is_some(vault):
    built = vault({"projects/web/todos.md": "- [ ] Fix the login\n"})
    assert wrap("regen", vault=built).code == 0
    assert not re.search(r"\bsaid\b", wrap("audit", vault=built).out)
    assert "| said |" not in built.path("ACTIVE-STATUS.md").read_text()
    assert [one["kind"] for one in audit(built).json["sources"]][-1] == "said"
