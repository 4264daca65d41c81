"""`wrap mcp`, asked by the SDK's own client over standard input and output."""

from __future__ import annotations

import asyncio
import importlib
import json
import os
import subprocess
import sys

import pytest

from tests.followups import talks
from tests.support import child_environment, wrap
from wrapgen.cli import COMMANDS

TODAY = "2026-04-24"
TODOS = "# web\n\n## Next Session\n\n- [ ] Water the plants\n- [ ] Paint the fence\n"


@pytest.fixture
def notes(vault):
    return vault({"projects/web/todos.md": TODOS})


def asked(root, ask):
    """What a client gets, from `initialize` to the end."""
    # Not while tests are collected, which each worker would wait seconds for. One that fails calls on purpose may have
    # made the list of installed packages look empty.
    importlib.invalidate_caches()
    try:
        import mcp.server.mcpserver  # noqa: F401 - what the server itself needs
        from mcp import ClientSession, StdioServerParameters, stdio_client
    except ImportError as error:
        pytest.skip(f'no MCP SDK ({error}): pip install "wrapgen[mcp]"')

    words = ["-P", "-m", "wrapgen", "--today", TODAY, *(("--vault", str(root)) if root else ()), "mcp"]
    server = StdioServerParameters(command=sys.executable, args=words, env=child_environment())

    async def talk():
        async with stdio_client(server, sys.__stderr__) as streams, ClientSession(*streams) as session:
            await session.initialize()
            return await ask(session)

    return asyncio.run(talk())


def call(root, *steps):
    """For each tool that is called the text that it gives back, and whether it is an error, all in one session.

    Args:
        steps: the name of a tool and its arguments, or what gives them of the texts so far.
    """

    async def ask(session):
        given = []
        for step in steps:
            name, arguments = step([text for text, _ in given]) if callable(step) else step
            result = await session.call_tool(name, arguments)
            (content,) = result.content
            given.append((content.text, bool(result.is_error)))
        return given

    return asked(root, ask)


@pytest.mark.slow
def test_what_it_offers(notes):
    async def ask(session):
        page = await session.read_resource("wrapgen://page")
        return await session.list_tools(), await session.list_resources(), page.contents

    offered, resources, page = asked(notes.root, ask)
    by_name = {one.name: one for one in offered.tools}
    assert set(by_name) == {
        "list", "add", "done", "orphans_review", "orphans_reviewed", "route", "triage_review", "triage_reviewed",
        "audit", "next", "put_first",
    }  # fmt: skip
    assert {name.partition("_")[0] for name in by_name} - {"put"} <= set(COMMANDS)
    assert all(one.description for one in by_name.values())
    assert all(one.input_schema["additionalProperties"] is False for one in by_name.values())
    assert by_name["add"].input_schema["required"] == ["text"]
    assert {name for name, one in by_name.items() if one.annotations.read_only_hint} == {
        "list",
        "triage_review",
        "audit",
        "next",
    }
    assert [str(one.uri) for one in resources.resources] == ["wrapgen://page"]
    assert page[0].mime_type == "text/html"
    assert "Water the plants" in page[0].text
    assert not notes.path(".wrapgen/page.html").exists()


@pytest.mark.slow
def test_list_and_audit_are_those_of_the_commands(notes):
    (listed, failed), (audited, _) = call(notes.root, ("list", {"project": "web"}), ("audit", {}))
    assert not failed
    assert json.loads(listed) == wrap("list", "--json", "-p", "web", vault=notes, today=TODAY).json
    expected = wrap("audit", "--json", vault=notes, today=TODAY).json
    timeless = {"generated_at", "elapsed_ms"}
    assert {key: one for key, one in json.loads(audited).items() if key not in timeless} == {
        key: one for key, one in expected.items() if key not in timeless
    }


@pytest.mark.slow
def test_what_is_added_is_done_again(notes):
    todos = notes.path("projects/web/todos.md")

    def tick(_):
        assert todos.read_text(encoding="utf-8").endswith(" -p is no option here\n")
        return "done", {"items": ["projects/web/todos.md:5"]}

    (said, failed), (_, failed_too) = call(
        notes.root, ("add", {"text": "-p is no option here", "project": "web"}), tick
    )
    assert (failed, failed_too, "undo: wrap undo " in said) == (False, False, True)
    assert "- [x] " in todos.read_text(encoding="utf-8")


@pytest.mark.slow
def test_a_session_from_the_review_to_the_note(notes, tmp_path):
    talk = tmp_path / "talk.json"
    talk.write_bytes(talks.neutral(talks.said(f"Next session: {talks.RETRY}.")))
    empty = {"follow_ups": [], "drop": [], "dead_ends": [], "decisions": []}

    def route(texts):
        (orphan,) = json.loads(texts[-1])["orphans"]
        return "route", {"answers": {"answers": [{"id": orphan["id"], "route": "project", "project": "web"}]}}

    (review, failed), _, (routed, failed_too) = call(
        notes.root,
        ("orphans_review", {"transcript": str(talk)}),
        ("orphans_reviewed", {"review": empty, "transcript": str(talk)}),
        route,
    )
    assert {"instructions", "candidates"} <= set(json.loads(review))
    assert (failed, failed_too, json.loads(routed)["schema"]) == (False, False, "wrapgen.route/1")
    assert talks.RETRY in notes.path("projects/web/todos.md").read_text(encoding="utf-8")


@pytest.mark.slow
def test_the_page_is_judged(notes):
    def verdict(texts):
        (item, *_) = json.loads(texts[-1])["items"]
        return "triage_reviewed", {"verdicts": {"items": [{"handle": item["handle"], "verdict": "parked"}]}}

    first = ("put_first", {"items": ["projects/web/todos.md:6"]})
    (review, failed), (taken, failed_too), (put, failed_as_well), (said, _) = call(
        notes.root, ("triage_review", {"limit": 1}), verdict, first, ("next", {})
    )
    assert (failed, failed_too, failed_as_well) == (False, False, False)
    assert json.loads(review)["schema"] == "wrapgen.triage/1"
    assert json.loads(taken)["receipt"]
    assert json.loads(put)["receipt"]
    assert [one["text"] for one in json.loads(said)["next"]] == ["Paint the fence"]


@pytest.mark.slow
def test_what_a_command_refuses_is_an_error_with_its_words(notes, tmp_path):
    (said, failed), (done, failed_too), (added, failed_as_well) = call(
        notes.root,
        ("add", {"text": "Feed the cat", "projet": "web"}),  # an argument that no tool has
        ("done", {"items": ["99"]}),
        ("add", {"text": "x", "project": "nobody"}),
    )
    assert (failed, "projet" in said) == (True, True)
    assert not notes.path("journals").exists()
    assert (failed_too, "number 99 means nothing yet" in done) == (True, True)
    assert (failed_as_well, "no project named 'nobody'" in added) == (True, True)
    ((audited, failed),) = call(tmp_path, ("audit", {}))
    assert (failed, "wrap init" in audited) == (True, True)


def test_without_the_extra_it_says_how_to_install_it(notes):
    script = "import sys; sys.modules['mcp'] = None; sys.argv = ['wrap', 'mcp']; import wrapgen.__main__ as m; m.main()"
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=notes.root, env=child_environment(), capture_output=True, check=False
    )
    assert (done.returncode, done.stdout) == (1, b"")
    assert all(b"%s install" % one in done.stderr for one in (b"uv tool", b"pip"))
    assert b'pipx install --force ".[mcp]"' in done.stderr


def test_no_other_command_loads_it(notes):
    script = (
        "import sys; sys.argv = ['wrap', 'mcp', '--help']; import wrapgen.cli as cli; cli.run(sys.argv[1:]);"
        "cli.run(['list']); assert not {'mcp', 'pydantic', 'asyncio'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", script], cwd=notes.root, env=child_environment(), check=True)


@pytest.mark.slow
@pytest.mark.parametrize("text", ["--help", "-p web", "a\nb", "", os.sep])
def test_words_of_a_client_are_never_options(text, monkeypatch):
    server = pytest.importorskip("wrapgen.mcp.server")
    begun = []

    async def begin(*words, **_):
        begun.extend(words[4:])
        raise FileNotFoundError

    monkeypatch.setattr(server.asyncio, "create_subprocess_exec", begin)
    offered = server._server([], str)
    asked = {"add": {"text": text, "project": text}, "done": {"items": [text]}, "orphans_review": {"transcript": text}}
    for name, arguments in asked.items():
        with pytest.raises(server.ToolError):
            asyncio.run(offered.call_tool(name, arguments))
    assert begun == [
        "add", f"--project={text}", "--", text, "done", "--", text, "orphans", "--review", f"--transcript={text}",
    ]  # fmt: skip
