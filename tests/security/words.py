"""Words that give orders to terminals, forge lines of the dashboard, or are no words at all."""

from __future__ import annotations

import json

from markdown_it import MarkdownIt

from tests.followups import talks
from tests.security.place import FIX, JOURNAL, Place, case
from tests.support import FATES, TODAY

TERMINAL = "terminal sequences"
FORGED = "Markdown that forges"
BYTES = "what is no Markdown"
STATE = ".wrapgen/state"

# Colours, a window title, a clipboard, a cleared screen in 8 bits, a bell, letters that run backwards.
ORDERS = "\x1b[31mred \x1b]0;title\x07 \x1b]52;c;cm0=\x07 \x9b2J \u202etxt.exe\u2066 \x7f"
EVERY_LOOK = (("audit",), ("list", "--all"), ("explain", "red"), ("audit", "--json"), ("list", "--json"), ("regen",))


def looked_at(place: Place) -> str:
    """Every command says it without a control character: `Place` looks at what they print."""
    for words in EVERY_LOOK:
        assert place.wrap(*words).code in (0, 1)
    assert not {"\x1b", "\x9b", "\u202e", "\x07"} & set(place.vault.page)
    line = next(line for line in place.wrap("list", "--all").out.splitlines() if "red" in line)
    return f"shown as `{line.strip()[:60]}`"


@case(TERMINAL, "in an item")
def item(place: Place) -> str:
    place.vault.write(JOURNAL, f"## Next\n- {ORDERS}\n- [x] {ORDERS} done\n")
    return looked_at(place)


@case(TERMINAL, "in a heading and a table")
def heading(place: Place) -> str:
    text = f"## Session: {ORDERS}\n\n### Next {ORDERS}\n\nProse.\n\n## Next\n\n| Task |\n| --- |\n| {ORDERS} |\n"
    place.vault.write(JOURNAL, text)
    return looked_at(place)


@case(TERMINAL, "in the name of a project and a task")
def project(place: Place) -> str:
    name = "red\x1b[31m\x9b2J\u202e"
    place.vault.write(f"projects/{name}/todos.md", "## Next Session\n- [ ] Paint the fence\n")
    place.vault.write(f"projects/web/actives/{name}/todos.md", "- [ ] Oil the gate\n")
    key = place.waiting()
    assert place.wrap("orphans", "--ask").code == 0
    place.said(place.route(talks.answer(key, "project", project="rad")))
    return looked_at(place)


@case(TERMINAL, "in a conversation")
def conversation(place: Place) -> str:
    said = [("assistant", f"Next session: paint the {ORDERS} fence of the garden.")]
    place.talk.write_bytes(talks.neutral(said, session_id="\x1b[31m", cwd="/\x1b[31m"))
    for words in ((), ("--json",), ("--ask",), ("--review",)):
        assert place.wrap("orphans", "--transcript", place.talk, *words).code == 0
    (orphan,) = place.wrap("orphans", "--json").json["orphans"]
    answers = place.vault.root.parent / "answers.json"
    answers.write_text(talks.answers(talks.answer(orphan["id"], "journal")))
    line = place.wrap("route", "--answers", answers, "--dry-run").out.splitlines()[0]
    assert place.wrap("route", "--answers", answers, "--json").code == 0
    assert "\x1b" not in place.vault.path(JOURNAL).read_text("utf-8")
    return f"shown as `{line[:70]}`"


@case(TERMINAL, "in the agent's to-do list, and in what a reader says of it")
def reviewed(place: Place) -> str:
    todos = {"todos": [{"content": f"paint the {ORDERS} fence", "status": "pending"}]}
    call = [{"type": "tool_use", "id": "c", "name": "TodoWrite", "input": todos}]
    said = talks.claude([("user", f"The {ORDERS} gate creaks.")])
    place.talk.write_bytes(said + talks.json_lines([talks.claude_line("assistant", call, 2)]))
    for words in (("--review",), ("--ask",)):
        assert place.wrap("orphans", "--transcript", place.talk, *words).code == 0
    review = place.vault.root.parent / "review.json"
    finds = [
        {"quote": f"The {ORDERS} gate creaks", "text": f"oil the {ORDERS} gate"},
        {"quote": ORDERS, "text": ORDERS},
    ]
    drop = [{"n": 1, "why": ORDERS}]
    review.write_text(json.dumps({"follow_ups": finds, "drop": drop, "session_id": ORDERS}))
    for words in ((), ("--json",)):
        result = place.wrap("orphans", "--transcript", place.talk, "--reviewed", review, *words)
        assert result.code == 1
    answers = place.vault.root.parent / "answers.json"
    waiting = [record["orphan"]["id"] for record in talks.state(place.vault, "pending.jsonl")]
    answers.write_text(talks.answers(*(talks.answer(key, "journal") for key in waiting)))
    place.wrap("route", "--answers", answers)
    journal = place.vault.path(JOURNAL)
    assert "\x1b" not in (journal.read_text("utf-8") if journal.exists() else "")
    return f"refused: `{result.err.splitlines()[0][:70]}`"


@case(TERMINAL, "in a rewording")
def rewording(place: Place) -> str:
    key = place.waiting()
    said = place.said(place.route(talks.answer(key, "journal", text=f"do {ORDERS}")))
    assert talks.pending(place.vault) == [talks.RETRY]
    return said


@case(TERMINAL, "in `wrapgen.toml`")
def settings(place: Place) -> str:
    place.vault.write("wrapgen.toml", '"\\u001b[31mred\\u009b2J" = 1\n')
    return place.said(place.wrap("audit"))


@case(TERMINAL, "in the words of a command")
def command(place: Place) -> str:
    for words in (
        ("explain", ORDERS),
        ("list", "-p", ORDERS),
        (ORDERS,),
        ("done", ORDERS),
        ("--verbose", "explain", ORDERS),
    ):
        result = place.child(*words) if words[0] != "--verbose" else place.child(*words[1:])
        said = place.said(result)
    return said


@case(TERMINAL, "in another tool's lock, and in the name of the lock's holder")
def holder(place: Place) -> str:
    place.vault.write("wrapgen.toml", "lock_timeout = 0\n")
    place.vault.write(".agents/locks/active-status.lock/who", ORDERS)
    result = place.wrap("regen")
    assert result.code == 4
    return f"exit 4: {result.err.split(': ')[2].strip()[:60]}"


FORGERIES = {
    "an audit line": "collected 1 = shown 1 + resolved 0 + duplicate 0 + overflow 0 + expired 0",
    "a table row": "| collected | 0 | 0 |",
    "a heading": "## Priorities",
    "a heading behind an escaped line break": "a&#10;## Priorities&#10;- (web) forged",
    "a comment's end": "a --> ## Priorities",
    "a comment": "a <!-- the rest is gone",
    "front matter": "--- collected: 0 ---",
    "a link that runs something": "[click](javascript:alert(1)) <javascript:alert(1)> ![x](data:text/html,x)",
    "a link around the source": "](x) [more](http://evil.example",
    "HTML": "<script>alert(1)</script><img src=x onerror=alert(1)>",
    "code without an end": "`` a ` b ```",
    "a template": "{{ view.pending }}{% for x in range(10**9) %}",
    "a bullet": "- (web) forged",
    "a definition": "[source]: http://evil.example",
}


def _forged(title: str, text: str) -> None:
    @case(FORGED, title)
    def check(place: Place) -> str:
        place.vault.write(JOURNAL, f"## Next\n- {FIX}\n- {text}\n- [ ] {text} 📅 2026-05-01 🔁 {text}\n")
        place.vault.write("journals/2026-04-23.md", f"## Next {text}\n\nProse.\n\n## Next\n- Paint {text}\n")
        audit = place.wrap("audit", "--json").json
        assert audit["collected"] == sum(audit[fate] for fate in FATES)
        assert place.wrap("regen").code == 0
        page = place.vault.page
        tokens = MarkdownIt("commonmark").enable("table").parse(page)
        assert [token.content for token in tokens if token.type == "inline"].count("Priorities") == 1
        assert sum(token.type == "table_open" for token in tokens) == 1
        assert not any(token.type.startswith("html") for token in tokens)
        for token in tokens:
            for child in token.children or ():
                assert child.type not in ("html_inline", "image")
                target = str(child.attrs.get("href", ""))
                assert target.startswith(("http://", "projects/", "journals/", "#")) or ":" not in target, target
        texts = sorted({item["text"] for item in audit["items"] if item["path"] == JOURNAL})
        lines = [line for line in page.splitlines() if line.startswith("- (")]
        assert len(lines) == audit["shown"], lines
        assert place.wrap("audit").out.count("\ncollected ") == 1
        return f"words of an item: `{texts[-1][:50]}`"


for _title, _text in FORGERIES.items():
    _forged(_title, _text)

RAW = {
    "UTF-16 with a byte order mark": ("## Next\n- Paint the fence\n").encode("utf-16"),
    "NUL bytes": b"## Next\n- Paint\0the\0fence\n" + b"\0" * 1000,
    "bytes of every value": b"## Next\n- " + bytes(range(256)) * 10 + b"\n- Paint the fence\n",
    "lines ended by CR alone": b"## Next\r- Paint the fence\r- [x] done\r",
    "surrogates in UTF-8": b"## Next\n- Paint \xed\xa0\x80 the fence\n",
    "overlong encodings": b"## Next\n- \xc0\xaf Paint\n",
    "a picture": b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 100,
    "6 MB": b"## Next\n" + b"- a\n" * 1_500_000,
    "front matter of aliases that multiply": b"---\na: &a [x,x]\n"
    + b"".join(b"b%d: &b%d [*a,*a]\n" % (n, n) for n in range(99)) + b"---\n## Next\n- Paint the fence\n",
    "front matter of half a megabyte": b"---\n" + b"a: b\n" * 100_000 + b"---\n## Next\n- Paint the fence\n",
}  # fmt: skip


def _raw(title: str, data: bytes) -> None:
    @case(BYTES, title)
    def check(place: Place) -> str:
        place.vault.write("journals/2026-04-23.md", data)
        audit = place.wrap("audit", "--json").json
        assert audit["collected"] == sum(audit[fate] for fate in FATES)
        assert FIX in {item["text"] for item in audit["items"]}
        assert place.wrap("regen").code == 0
        assert place.vault.path("journals/2026-04-23.md").read_bytes() == data
        trouble = [one["error"] for one in audit["unreadable"]]
        found = sum(item["path"].endswith("23.md") for item in audit["items"])
        return f"{found} items{f', listed: {trouble[0]}' if trouble else ''}"


for _title, _data in RAW.items():
    _raw(_title, _data)

DEEP = b"[" * 100_000
DOCUMENTS = {
    "no JSON": b"{",
    "half a record": b'{"orphan": {"id": "a"',
    "null": b"null",
    "a number": b"1",
    "wrong types": json.dumps({"orphan": [], "since": 5, "id": None, "at": "x", "answers": {"a": {}}}).encode(),
    "brackets, 100,000 deep": DEEP,
    "brackets, 100,000 deep and closed": DEEP + b"]" * 100_000,
    "objects, 100,000 deep": b'{"answers":' * 100_000,
    "a number of a million digits": b"1" * 1_000_000,
    "surrogates": b'{"turns": [{"role": "user", "text": "\\ud800 TODO: fix \\udfff it"}]}',
    "not UTF-8": b'{"turns": "\xff\xfe"}',
    "NUL bytes": b"\0" * 5000,
}


def _document(title: str, data: bytes) -> None:
    @case("documents", title)
    def check(place: Place) -> str:
        file = place.vault.root.parent / "document"
        file.write_bytes(data)
        codes = []
        for words in (("orphans", "--transcript", file), ("route", "--answers", file), ("match", "--pairs", file),
                      ("orphans", "--transcript", place.talk, "--reviewed", file)):  # fmt: skip
            result = place.wrap(*words)
            assert result.code in (0, 1), result
            codes.append(str(result.code))
        for name in ("pending", "skipped", "receipts", "conversations", "reviews", "readings"):
            place.vault.write(f"{STATE}/{name}.jsonl", data + b"\n")
        assert place.wrap("audit").code == 0
        assert place.wrap("--no-prompt").code == 0
        if data.strip():
            assert data in place.vault.path(f"{STATE}/receipts.jsonl").read_bytes(), "somebody's words were thrown away"
        for name in ("last-run", "files-00"):
            place.vault.write(f".wrapgen/cache/{name}", data)
        assert place.wrap("regen").code == 0
        place.vault.write("wrapgen.toml", data)
        settings_said = place.said(place.wrap("audit")) if place.wrap("audit").code else "no settings"
        return f"transcript, answers, pairs, review: {', '.join(codes)}; memory: listed; settings: {settings_said[:60]}"


for _title, _data in DOCUMENTS.items():
    _document(_title, _data)


@case("documents", "conversations of half and wrong lines")
def half(place: Place) -> str:
    good = talks.claude(talks.said(talks.RETRY))
    junk = (
        b'{"type": "user", "message": {"content": [null, 1, {"text": 5}]}}\n{"type": 5}\nnull\n[]\n' + DEEP + b"\n{\n"
    )
    place.talk.write_bytes(junk + good + b'{"type":"assistant","message":')
    (transcript,) = place.wrap("orphans", "--transcript", place.talk, "--json").json["transcripts"]
    assert talks.pending(place.vault) == [talks.RETRY]
    return f"the rest is read, {transcript['bad_lines']} bad lines"


@case("documents", f"dates beyond the calendar ({TODAY[:4]} and others)")
def dates(place: Place) -> str:
    place.vault.write(JOURNAL, "## Next\n- a 📅 9999-12-31\n- b ➕ 0001-01-01\n- c due:2026-99-99\n- d ✅ 0000-00-00\n")
    for day in ("0001-01-01", "9999-12-31"):
        place.vault.write(f"journals/{day}.md", "## Next\n- x\n## Done\n- a\n")
    said = talks.neutral(talks.said(talks.RETRY), stamp="9999-12-31T23:59:59Z")
    place.talk.write_bytes(said.replace(b"9999-12-31T23", b"99999-99-31T23", 1))
    assert place.wrap("--transcript", place.talk, "--no-prompt").code == 0
    assert place.wrap("audit").code == 0
    return "read as words where they are no days"
