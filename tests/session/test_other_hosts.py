"""Conversations of Gemini CLI, in both generations of its files, and of OpenCode, in its database."""

import json
import os
import sqlite3
from hashlib import sha256

import pytest

from tests.support import TODAY, wrap
from wrapgen.session.discover import host_folders
from wrapgen.session.readers import open_transcript
from wrapgen.session.readers.whole import pointers
from wrapgen.session.transcript import ListChange, NoSuchTranscriptError

STAMP = f"{TODAY}T10:00:00.000Z"
RETRY, ROTATE = "add retry to the uploader", "rotate the staging keys"


def said(kind, text, key, **more):
    return {"id": key, "timestamp": STAMP, "type": kind, "content": text, **more}


def turns(path):
    return [(one.role, one.text) for one in open_transcript(path)]


TALK = [
    said("user", "<session_context>\nToday is Friday.\n</session_context>", "0"),
    said("user", [{"text": "Tidy the uploader."}], "1"),
    said("info", "Request cancelled.", "2"),
    said("gemini", f"It is tidy. Next session: {RETRY}.", "3", toolCalls=[{"name": "x"}], thoughts=[]),
]
READ = [("user", "Tidy the uploader."), ("assistant", f"It is tidy. Next session: {RETRY}.")]
HEADER = {"sessionId": "g1", "projectHash": "abc", "startTime": STAMP, "lastUpdated": STAMP, "kind": "main"}


@pytest.fixture
def gemini(home):
    """Writes a conversation as Gemini CLI keeps it."""

    def write(*lines, header=HEADER, name="session-2026-04-24T10-00-0123abcd.jsonl", slug="shop", root=None):
        folder = home / ".gemini" / "tmp" / slug / "chats"
        folder.mkdir(parents=True, exist_ok=True)
        if root is not None:
            (folder.parent / ".project_root").write_text(str(root))
        file = folder / name
        file.write_text("".join(json.dumps(one) + "\n" for one in (header, *lines)))
        return file

    return write


class TestGemini:
    def test_what_was_said(self, gemini):
        assert turns(gemini(*TALK)) == READ

    def test_what_hooks_gave_the_session_is_no_word_of_its_user(self, gemini):
        """The host puts it before the first prompt, in the same message (0.61)."""
        given = said("user", "<hook_context>Pending:\n- Later: paint the roof</hook_context>\n\nTidy.", "1")
        assert turns(gemini(given)) == [("user", "Tidy.")]

    def test_a_checkpoint_begins_the_list_anew(self, gemini):
        again = {"$set": {"messages": [TALK[1]]}}
        assert turns(gemini(*TALK, again, said("gemini", "Anew.", "9"))) == [READ[0], ("assistant", "Anew.")]
        assert turns(gemini(*TALK, {"$set": {"summary": "x"}})) == READ

    @pytest.mark.parametrize(("back", "left"), [("1", []), ("3", READ[:1]), ("unknown", READ)])
    def test_what_was_taken_back(self, gemini, back, left):
        assert turns(gemini(*TALK, {"$rewindTo": back})) == left

    def test_an_older_one_is_one_object(self, gemini, tmp_path):
        file = tmp_path / "session-2025-x.json"
        for indent in (None, 2):
            file.write_text(json.dumps({**HEADER, "messages": TALK}, indent=indent))
            assert turns(file) == READ

    def test_lines_that_are_broken_are_counted(self, gemini):
        file = gemini(*TALK)
        file.write_bytes(file.read_bytes() + b'{"id": "4", "type": "us\n[]\n3\n')
        read = open_transcript(file)
        assert (len(list(read)), read.header.bad_lines) == (2, 1)

    def test_a_sub_agent_says_nothing(self, gemini):
        assert turns(gemini(*TALK, header={**HEADER, "kind": "subagent"})) == []

    def test_whose_it_is_stands_beside_it_or_in_one_list_or_is_a_digest(self, gemini, home, tmp_path):
        def folder(file):
            read = open_transcript(file)
            list(read)
            return read.header.cwd

        assert folder(gemini(*TALK, root=tmp_path)) == str(tmp_path)
        other = gemini(*TALK, slug="other")
        assert folder(other) == "sha256:abc"
        for known in ({str(tmp_path): "other"}, {"projects": {"other": str(tmp_path)}}):
            (home / ".gemini" / "projects.json").write_text(json.dumps(known))
            assert folder(other) == str(tmp_path)

    def test_of_both_generations_the_newer_form_is_listed(self, gemini, home):
        new = gemini(*TALK)
        old = gemini(*TALK, name=new.name.removesuffix("l"))
        alone = gemini(*TALK, name="session-2025-alone.json")
        gemini(*TALK, name="logs.json")
        files = {file.path for one in host_folders(home, {}) for file in one.files}
        assert files == {str(new), str(alone)} != {str(old)}


@pytest.fixture
def opencode(home, tmp_path):
    """Makes a database as OpenCode keeps it; gives a way to say something in it."""
    file = home / ".local" / "share" / "opencode" / "opencode.db"
    file.parent.mkdir(parents=True)
    database = sqlite3.connect(file, isolation_level=None)
    database.executescript(
        """CREATE TABLE session
        (id TEXT PRIMARY KEY, parent_id TEXT, directory TEXT, revert TEXT, time_updated INTEGER);
        CREATE TABLE message (id TEXT PRIMARY KEY, session_id TEXT, data TEXT);
        CREATE TABLE part (id TEXT PRIMARY KEY, message_id TEXT, data TEXT);
        CREATE TABLE todo
        (session_id TEXT, content TEXT, status TEXT, priority TEXT, position INTEGER, time_updated INTEGER);"""
    )
    numbers = iter(range(10, 99))

    def say(role, text, session="ses_1", **part):
        number = next(numbers)
        message = {"role": role, "time": {"created": 1_777_024_800_000 + number * 1000}}
        database.execute("INSERT INTO message VALUES (?, ?, ?)", (f"msg_{number}", session, json.dumps(message)))
        data = json.dumps({"type": "text", "text": text, **part})
        database.execute("INSERT INTO part VALUES (?, ?, ?)", (f"prt_{number}", f"msg_{number}", data))

    say.database, say.file = database, file
    say.begin = lambda key="ses_1", parent=None, folder=tmp_path: database.execute(
        "INSERT INTO session VALUES (?, ?, ?, NULL, 1777024800000)", (key, parent, str(folder))
    )
    say.begin()
    say("user", "Tidy the uploader.")
    say("user", "The editor's own words.", synthetic=True)
    say("assistant", "thinking", type="reasoning")
    say("assistant", f"It is tidy. Next session: {RETRY}.")
    yield say
    database.close()


def pointer(home, name="ses_1"):
    return pointers(home, {}) / f"{name}.json"


class TestOpenCode:
    def test_what_was_said_and_where(self, opencode, home, tmp_path):
        read = open_transcript(pointer(home))
        assert [(one.role, one.text) for one in read] == READ
        assert (read.header.session_id, read.header.cwd, read.header.bad_lines) == ("ses_1", str(tmp_path), 0)

    def test_the_list_of_its_agent(self, opencode, home):
        for number, (text, status) in enumerate([("one", "pending"), ("two", "completed"), ("three", "cancelled")]):
            row = ("ses_1", text, status, "high", number, 1_777_024_899_000)
            opencode.database.execute("INSERT INTO todo VALUES (?, ?, ?, ?, ?, ?)", row)
        (listed,) = [one for one in open_transcript(pointer(home)).with_kept() if isinstance(one, ListChange)]
        assert [(one.text, one.status) for one in listed.entries] == [
            ("one", "pending"), ("two", "completed"), ("three", "deleted"),
        ]  # fmt: skip
        assert (listed.whole, listed.turn) == (True, 1)

    def test_what_was_taken_back(self, opencode, home):
        opencode.database.execute("UPDATE session SET revert = ?", (json.dumps({"messageID": "msg_13"}),))
        assert turns(pointer(home)) == READ[:1]

    def test_sub_agents_have_no_pointer_and_one_that_goes_on_changes(self, opencode, home):
        opencode.begin("ses_2", "ses_1")
        before = pointer(home).read_bytes()
        assert [one.name for one in pointers(home, {}).iterdir()] == ["ses_1.json"]
        assert pointer(home).read_bytes() == before
        opencode.database.execute("UPDATE session SET time_updated = time_updated + 1")
        assert pointer(home).read_bytes() != before

    def test_a_database_that_cannot_be_read_is_said(self, opencode, home):
        opencode.file.write_bytes(b"no database" * 100)
        troubles = [trouble for one in host_folders(home, {}) for trouble in one.troubles]
        assert troubles == [str(opencode.file)]

    def test_one_of_another_version_is_said(self, opencode, home):
        file = pointer(home)
        opencode.database.execute("DROP TABLE part")
        with pytest.raises(NoSuchTranscriptError, match="cannot be read"):
            list(open_transcript(file))

    def test_without_it_there_is_nothing(self, home):
        assert pointers(home, {}) is None


@pytest.fixture
def built(vault, tmp_path, monkeypatch):
    monkeypatch.delenv("CLAUDE_CONFIG_DIR", raising=False)
    for name in ("XDG_DATA_HOME", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    code = tmp_path / "code"
    code.mkdir()
    return vault({"projects/web/todos.md": "# web\n"}, config=f"[projects.web]\npaths = ['{code}']\n", trusted=True)


def test_they_are_found_by_their_folder(built, gemini, opencode, tmp_path):
    code = tmp_path / "code"
    hashed = sha256(os.fsencode(code)).hexdigest()
    gemini(said("gemini", f"Next session: {ROTATE}.", "1"), header={**HEADER, "projectHash": hashed}, slug=hashed)
    opencode.database.execute("UPDATE session SET directory = ?", (str(code),))
    opencode.database.execute("INSERT INTO todo VALUES ('ses_1', 'Paint the roof', 'pending', '', 0, 1777024899000)")
    result = wrap("orphans", "--json", vault=built)
    assert {one["text"]: (one["project"], one["by"]) for one in result.json["orphans"]} == {
        ROTATE: ("web", "cue"), RETRY: ("web", "cue"), "Paint the roof": ("web", "state"),
    }  # fmt: skip
