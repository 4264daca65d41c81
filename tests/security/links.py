"""Symbolic links, pipes, sockets and devices in the place of whatever is read or written."""

from __future__ import annotations

import os
import socket
import subprocess
from pathlib import Path

from tests.followups import talks
from tests.security.place import FIX, JOURNAL, Place, case
from tests.support import TODAY

LINKS = "links out of the vault"
ENDLESS = "pipes, devices, sockets"
LOOPS = "loops"
STATE = ".wrapgen/state"


@case(LINKS, "a journal")
def journal(place: Place) -> str:
    place.link("journals/2026-04-23.md", place.own)
    return place.trouble("journals/2026-04-23.md")


@case(LINKS, "a folder of journals")
def folder(place: Place) -> str:
    place.link("journals/2025", place.outside)
    return place.trouble("journals/2025")


@case(LINKS, "the dashboard")
def dashboard(place: Place) -> str:
    place.link("ACTIVE-STATUS.md", place.own)
    return place.said(place.child("regen"))


@case(LINKS, "the dashboard, to a file that is not there yet")
def dangling_dashboard(place: Place) -> str:
    place.link("ACTIVE-STATUS.md", place.outside / "new.md")
    return place.said(place.child("regen"))


@case(LINKS, "the dashboard, to a note of the vault")
def dashboard_to_note(place: Place) -> str:
    place.link("ACTIVE-STATUS.md", JOURNAL)
    said = place.said(place.child("regen"))
    assert FIX in place.vault.path(JOURNAL).read_text("utf-8")
    return said


@case(LINKS, "`.wrapgen`")
def own_folder(place: Place) -> str:
    place.link(".wrapgen", place.outside)
    return place.said(place.child("orphans", "--transcript", place.talk))


@case(LINKS, "the state folder")
def state_folder(place: Place) -> str:
    place.link(STATE, place.outside)
    return place.said(place.child("orphans", "--transcript", place.talk))


@case(LINKS, "each state file, read or written")
def state_files(place: Place) -> str:
    said = set()
    for name in ("pending", "skipped", "receipts", "asked", "conversations"):
        place.link(f"{STATE}/{name}.jsonl", place.own)
        words = ("orphans", "--ask") if name == "asked" else ("--no-prompt",)
        result = place.child(*words, "--transcript", place.talk)
        said.add(place.said(result).replace(name, "NAME") if result.code else "its lines are listed as unreadable")
        place.vault.path(f"{STATE}/{name}.jsonl").unlink()
    return " / ".join(sorted(said))


@case(LINKS, "a state file, to one that is not there yet")
def dangling_state(place: Place) -> str:
    key = place.waiting()
    place.link(f"{STATE}/skipped.jsonl", place.outside / "new.jsonl")
    return place.said(place.route(talks.answer(key, "skip")))


@case(LINKS, "the cache folder")
def cache_folder(place: Place) -> str:
    place.link(".wrapgen/cache", place.outside)
    assert place.child("regen").code == 0
    return "works without a cache"


@case(LINKS, "a cache file")
def cache_file(place: Place) -> str:
    for name in ("last-run", *(f"files-{number:02}" for number in range(32))):
        place.link(f".wrapgen/cache/{name}", place.own)
    assert place.child("regen").code == 0
    assert place.child("regen").code == 0
    return "read anew, replaced"


@case(LINKS, "the folder of the lock")
def lock_folder(place: Place) -> str:
    place.link(".agents/locks", place.outside)
    return place.said(place.child("regen"))


@case(LINKS, "the lock")
def lock(place: Place) -> str:
    place.link(".agents/locks/active-status.lock", place.own)
    return place.said(place.child("regen"))


@case(LINKS, "the lock's holder")
def holder(place: Place) -> str:
    place.link(".agents/locks/active-status.lock.holder", place.own)
    assert place.child("regen").code == 0
    return "replaced, its target untouched"


@case(LINKS, "a list that a line is routed to")
def routed(place: Place) -> str:
    key = place.waiting()
    place.link("projects/web/todos.md", place.own)
    said = place.said(place.route(talks.answer(key, "project", project="web")))
    assert talks.pending(place.vault) == [talks.RETRY]
    return f"{said} (stays pending)"


@case(LINKS, "the folder that a journal is to be made in")
def journals_folder(place: Place) -> str:
    key = place.waiting()
    place.vault.path(JOURNAL).unlink()
    place.vault.path("journals").rmdir()
    place.link("journals", place.outside)
    said = place.said(place.route(talks.answer(key, "journal")))
    assert talks.pending(place.vault) == [talks.RETRY]
    return f"{said} (stays pending)"


@case(LINKS, "`wrapgen.toml`, by `wrap init`")
def settings(place: Place) -> str:
    place.link("wrapgen.toml", place.outside / "new.toml")
    place.child("init", place.vault.root)
    assert not (place.outside / "new.toml").exists()
    return "nothing is written through it"


@case(LINKS, "a file of the user's templates")
def template(place: Place) -> str:
    place.own.write_text("words of another file\n")
    place.renew()
    place.link(".wrapgen/templates/own.md", place.own)
    place.vault.write(".wrapgen/templates/ACTIVE-STATUS.md.j2", "{% include 'own.md' %}\n")
    said = place.said(place.child("regen"))
    assert not place.vault.dashboard.exists()
    return said


@case(LINKS, "a state file, to /dev/zero")
def endless_state(place: Place) -> str:
    place.link(f"{STATE}/pending.jsonl", "/dev/zero")
    return place.said(place.child("audit"))


@case(LINKS, "a cache file, to /dev/zero")
def endless_cache(place: Place) -> str:
    place.link(".wrapgen/cache/files-00", "/dev/zero")
    assert place.child("regen").code == 0
    return "read anew, replaced"


@case(LINKS, "a template, to /dev/zero")
def endless_template(place: Place) -> str:
    place.link(".wrapgen/templates/ACTIVE-STATUS.md.j2", "/dev/zero")
    return place.said(place.child("regen"))


@case(LINKS, "a list that a line is routed to, to /dev/zero")
def endless_list(place: Place) -> str:
    key = place.waiting()
    place.link("projects/web/todos.md", "/dev/zero")
    return place.said(place.route(talks.answer(key, "project", project="web")))


@case(LINKS, "a working folder's `.git`, to /dev/zero")
def endless_git(place: Place) -> str:
    (place.outside / "code").mkdir()
    (place.outside / "code/.git").symlink_to("/dev/zero")
    place.renew()
    place.talk.write_bytes(talks.neutral(talks.said(talks.RETRY), cwd=str(place.outside / "code")))
    place.waiting()
    return "no worktree"


@case(ENDLESS, "a journal is a pipe")
def pipe(place: Place) -> str:
    place.pipe("journals/2026-04-23.md")
    return place.trouble("journals/2026-04-23.md")


@case(ENDLESS, "a journal is a socket")
def socket_(place: Place) -> str:
    here = Path.cwd()
    os.chdir(place.path("journals/x").parent)  # the name of a socket holds a hundred bytes at most
    try:
        with socket.socket(socket.AF_UNIX) as listening:
            listening.bind("2026-04-23.md")
    finally:
        os.chdir(here)
    return place.trouble("journals/2026-04-23.md")


@case(ENDLESS, "the dashboard is a pipe")
def pipe_dashboard(place: Place) -> str:
    place.pipe("ACTIVE-STATUS.md")
    assert place.child("audit", "--json").json["changed"]
    assert place.child("regen", "--check").code == 3
    return place.said(place.child("regen"))


@case(ENDLESS, "each state file is a pipe")
def pipe_state(place: Place) -> str:
    said = set()
    for name in ("pending", "skipped", "receipts"):
        place.pipe(f"{STATE}/{name}.jsonl")
        said.add(place.said(place.child("audit")).replace(name, "NAME"))
        place.vault.path(f"{STATE}/{name}.jsonl").unlink()
    return " / ".join(sorted(said))


@case(ENDLESS, "a cache file is a pipe")
def pipe_cache(place: Place) -> str:
    place.pipe(".wrapgen/cache/files-00")
    place.pipe(".wrapgen/cache/last-run")
    assert place.child("regen").code == 0
    return "read anew, replaced"


@case(ENDLESS, "a template is a pipe")
def pipe_template(place: Place) -> str:
    place.pipe(".wrapgen/templates/ACTIVE-STATUS.md.j2")
    return place.said(place.child("regen"))


@case(ENDLESS, "`wrapgen.toml` is a pipe")
def pipe_settings(place: Place) -> str:
    place.pipe("wrapgen.toml")
    return place.said(place.child("audit"))


@case(ENDLESS, "the lock's holder is a pipe")
def pipe_holder(place: Place) -> str:
    place.pipe(".agents/locks/active-status.lock.holder")
    assert place.child("regen").code == 0
    return "replaced"


@case(ENDLESS, "another tool's lock folder holds a pipe")
def pipe_manifest(place: Place) -> str:
    place.pipe(".agents/locks/active-status.lock/manifest.json")
    place.vault.write("wrapgen.toml", "lock_timeout = 0\n")
    result = place.child("regen")
    assert result.code == 4
    return f"exit 4: {result.err.split(': ')[2].strip()}"


@case(ENDLESS, "a list that a line is routed to is a pipe")
def pipe_list(place: Place) -> str:
    key = place.waiting()
    place.pipe("projects/web/todos.md")
    said = place.said(place.route(talks.answer(key, "project", project="web")))
    assert talks.pending(place.vault) == [talks.RETRY]
    return f"{said} (stays pending)"


@case(ENDLESS, "a transcript is a pipe")
def pipe_transcript(place: Place) -> str:
    place.pipe("talk")
    return place.said(place.child("orphans", "--transcript", place.vault.path("talk")))


@case(ENDLESS, "a transcript is /dev/zero")
def endless_transcript(place: Place) -> str:
    return place.said(place.child("orphans", "--transcript", "/dev/zero"))


@case(ENDLESS, "answers, reviews and pairs are /dev/zero")
def endless_documents(place: Place) -> str:
    said = {
        place.said(place.child("route", "--answers", "/dev/zero")),
        place.said(place.child("orphans", "--transcript", place.talk, "--reviewed", "/dev/zero")),
        place.said(place.child("match", "--pairs", "/dev/zero")),
    }
    return " / ".join(sorted(said))


@case(LOOPS, "a folder that links to the folder around it")
def loop(place: Place) -> str:
    place.link("journals/again", "..")
    return place.trouble("journals/again")


@case(LOOPS, "two links that lead into each other")
def mutual(place: Place) -> str:
    place.link("journals/2026-04-23.md", "2026-04-22.md")
    place.link("journals/2026-04-22.md", "2026-04-23.md")
    audit = place.child("audit", "--json").json
    return f"skipped and listed: {audit['unreadable'][0]['error']}"


@case(LOOPS, "two links in each of forty folders, a billion ways to one file")
def many_ways(place: Place) -> str:
    for number in range(40):
        for name in ("a", "b"):
            place.link(f"journals/l{number:02}/{name}", f"../l{number + 1:02}")
    place.vault.write("journals/l40/2026-04-23.md", "## Next\n- Paint the fence\n")
    texts = [item["text"] for item in place.child("audit", "--json").json["items"]]
    assert sorted(texts) == [FIX, "Paint the fence", "Write docs"]
    assert place.child("regen").code == 0
    return "read once"


@case(LOOPS, "a folder in a folder, 1,900 deep")
def deep(place: Place) -> str:
    here = Path.cwd()
    os.chdir(place.path("journals/x").parent)
    try:
        for _ in range(1_900):
            Path("d").mkdir()
            os.chdir("d")
        Path(f"{TODAY}.md").write_text("## Next\n- Paint the fence\n")
        os.chdir(here)
        texts = [item["text"] for item in place.child("audit", "--json").json["items"]]
        assert FIX in texts
        assert place.child("init", place.vault.root, "--detect").code == 0
    finally:
        os.chdir(here)
        # What removes the folders of tests cannot go as deep.
        subprocess.run(["rm", "-rf", place.vault.path("journals/d")], check=True)
    return "read" if "Paint the fence" in texts else "not read"
