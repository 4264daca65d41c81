"""Names that lead elsewhere or say something to a terminal: projects, tasks, files, and what a memory says of files."""

from __future__ import annotations

import json
import os
from urllib.parse import unquote

from markdown_it import MarkdownIt

from tests.followups import talks
from tests.security.place import JOURNAL, Place, case
from tests.support import TODAY

TRAVERSAL = "names that lead elsewhere"
FILES = "file names"
STATE = ".wrapgen/state"

ELSEWHERE = (
    "../../outside", "..", ".", "/etc", "web/../..", "..\\..", "C:\\x", "web\0", "a\nb", "\x1b[31m", "CON", "x" * 5000,
    "web/actives/../../..", "~", "",
)  # fmt: skip


@case(TRAVERSAL, "the project of an answer")
def projects(place: Place) -> str:
    key = place.waiting()
    for name in ELSEWHERE:
        said = place.said(place.route(talks.answer(key, "project", project=name), limits=False))
        assert len(said) < 400
        assert talks.pending(place.vault) == [talks.RETRY]
    return said


@case(TRAVERSAL, "the task of an answer")
def tasks(place: Place) -> str:
    place.path("projects/web/actives/upload/x")
    key = place.waiting()
    for name in ELSEWHERE[:-1]:
        said = place.said(place.route(talks.answer(key, "active", project="web", task=name), limits=False))
        assert talks.pending(place.vault) == [talks.RETRY]
    return said


@case(TRAVERSAL, "the id of an answer")
def ids(place: Place) -> str:
    place.waiting()
    for name in ELSEWHERE[:-1]:
        said = place.said(place.route(talks.answer(name, "journal"), limits=False))
    return said


@case(TRAVERSAL, "a project of the configuration")
def configured(place: Place) -> str:
    place.vault.write("wrapgen.toml", '[projects."../../outside"]\naliases = ["out"]\n')
    return place.said(place.wrap("audit"))


@case(TRAVERSAL, "the file of a receipt that came with the vault, planned, done or undone")
def receipts(place: Place) -> str:
    said = set()
    for path in ("../outside/own.md", str(place.own), "a\0b", "x" * 5000, "projects", "CON/../../outside/own.md",
                 ".git/config", "projects/.GIT/hooks/post-commit"):  # fmt: skip
        for step in ("planned", "done"):
            line = {"id": "0" * 12, "text": "Somebody's own words", "route": "project", "path": path, "line": "- x"}
            change = {"path": path, "offset": 0, "after": "IyMgTmV4dAo=", "created": True}
            receipt = {"id": "r", "at": f"{TODAY}T10:00:00Z", "command": "route", "step": step}
            place.vault.write(
                f"{STATE}/receipts.jsonl", json.dumps({**receipt, "lines": [line], "changes": [change]}) + "\n"
            )
            for words in (("audit",), ("--no-prompt",), ("undo",)):
                result = place.wrap(*words)
                assert result.code in (0, 1, 2), result
                if result.code and len(path) < 100:
                    said.add(place.said(result).split(": ")[-1].split(". ")[0])
    return " / ".join(sorted(said))


@case(TRAVERSAL, "the working folder of a conversation")
def folders(place: Place) -> str:
    (place.outside / "code").mkdir()
    (place.outside / "code/.git").write_text("gitdir: /worktrees/x\n")
    place.renew()
    for name in ("\0", "../..", "x" * 10_000, str(place.outside / "code"), "\x1b[31m", "\ud800"):
        place.talk.write_bytes(json.dumps({"turns": [], "cwd": name}).encode())
        assert place.wrap("orphans", "--transcript", place.talk).code == 0
        place.talk.write_bytes(talks.claude(talks.said(talks.RETRY), cwd="/tmp/" + name.replace("\ud800", "x")))
        assert place.wrap("orphans", "--transcript", place.talk, "--dry-run").code == 0
    return "no project"


@case(TRAVERSAL, "the name of a transcript")
def transcripts(place: Place) -> str:
    said = place.said(place.wrap("orphans", "--transcript", "a\nb\x1b[31m\0"[:-1] + "../../etc"))
    place.wrap("orphans", "--transcript", "x" * 5000)
    return said


def shown(place: Place, name: str | bytes, folder: str = "journals") -> str:
    """Give a journal a name, and see what every command says of it."""
    file = place.path(f"{folder}/x").with_name(os.fsdecode(name))
    file.write_text("## Next\n- Paint the fence\n\n## Next steps\n\nProse.\n", "utf-8")
    audit = place.wrap("audit", "--json").json
    (item,) = [item for item in audit["items"] if item["text"] == "Paint the fence"]
    for words in (("audit",), ("list",), ("explain", "fence"), ("regen",), ("list", "--json"), ("done", item["id"])):
        result = place.wrap(*words)
        assert result.code == 0 or (words[0] == "done" and place.said(result)), result
    return str(item["path"])


def linked(place: Place, path: str) -> None:
    """The dashboard's link leads to the file, and nothing in its name made another line."""
    assert place.wrap("regen").code == 0
    page = place.vault.page
    assert not any(char in page for char in "\x1b\u202e\x9b\x07")
    targets = {
        unquote(child.attrGet("href") or "")
        for token in MarkdownIt("commonmark").parse(page)
        for child in token.children or ()
        if child.type == "link_open"
    }
    assert any(target.startswith(f"{path}#L") for target in targets), targets
    assert place.vault.page.count("## Priorities") == 1


NAMES = {
    "line breaks": f"{TODAY}-a\n\n## Priorities\n- (web) forged.md",
    "escape sequences": f"{TODAY}-\x1b[31mred\x9b0m\x07.md",
    "letters that run backwards": f"{TODAY}-\u202emd.exe.md",
    "brackets and bars": f"{TODAY}-a](x) [b|c]] `d` <e> *f*.md",
    "a comment's end": f"{TODAY}--->.md",
    "255 bytes": f"{TODAY}-{'x' * 241}.md",
    "reserved names of Windows": f"{TODAY}-CON.md",
}


def _named(title: str, name: str) -> None:
    @case(FILES, title)
    def check(place: Place) -> str:
        path = shown(place, name)
        if "255" not in title:  # the item is done by now, so it is only linked where it still stands
            place.vault.write(JOURNAL, "")
        linked(place, path) if "Paint" in place.vault.path("ACTIVE-STATUS.md").read_text("utf-8") else None
        text = place.wrap("list", "--all").out + place.wrap("audit").out
        return f"shown as `{next((line.strip() for line in text.splitlines() if TODAY + '-' in line), path)[:60]}`"


for _title, _name in NAMES.items():
    _named(_title, _name)


@case(FILES, "a name that is not UTF-8")
def not_utf8(place: Place) -> str:
    return f"shown as `{shown(place, TODAY.encode() + b'-caf' + bytes([0xE9]) + b'.md')}`"


@case(FILES, "a project's and a task's name that are not UTF-8")
def project_not_utf8(place: Place) -> str:
    for folder in (b"projects/caf\xe9", b"projects/web/actives/t\xe9"):
        place.path(f"{os.fsdecode(folder)}/todos.md").write_text("## Next Session\n- [ ] Paint the fence\n", "utf-8")
    for words in (("audit",), ("regen",), ("list", "--json"), ("orphans", "--transcript", place.talk, "--ask")):
        assert place.wrap(*words).code == 0
    key = place.waiting()
    return place.said(place.route(talks.answer(key, "project", project="café")))


@case(FILES, "wikilinks to a name that would end them")
def wikilinks(place: Place) -> str:
    place.vault.write("wrapgen.toml", 'link_style = "obsidian"\n')
    name = f"{TODAY}-a]]\n- (web) forged [[b|c.md"
    place.vault.write(f"journals/{name}", "## Next\n- Paint the fence\n")
    linked(place, f"journals/{name}")
    assert "[[journals/" in place.vault.page
    assert "- (web) forged" not in place.vault.page.splitlines()
    return "linked as Markdown does"
