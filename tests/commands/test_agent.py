"""`wrap agent`, as people and scripts call it."""

import io
import json
import sys

import pytest

from tests.support import wrap
from wrapgen.agents.contract import AnswerForm

GOOD = "[COMPRESSED] agent_type: worker\nChanged files: wrapgen.toml\nResult: done\n"


@pytest.fixture(autouse=True, params=["sqlite", pytest.param("postgres", marks=pytest.mark.xdist_group("postgres"))])
def manner(request, monkeypatch):
    """Which of the two stores it is."""
    if request.param == "postgres":
        monkeypatch.setenv("WRAPGEN_STORE", request.getfixturevalue("team"))
    return request.param


@pytest.fixture
def stdin(monkeypatch):
    def give(text):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))

    return give


def record(built, *words, session="s1"):
    result = wrap("agent", "record", "--session", session, *words, vault=built)
    assert result.code == 0, result.err
    return result


class TestCheck:
    @pytest.mark.slow
    def test_an_answer_in_form(self, stdin, monkeypatch, vault):
        monkeypatch.chdir(vault().root)
        stdin(GOOD)
        result = wrap("agent", "check")
        assert (result.code, result.out) == (0, "meets the contract: 3 lines of at most 10\n")

    def test_warnings_alone_are_exit_0(self, stdin):
        stdin(GOOD)
        result = wrap("agent", "check", "-")
        assert result.code == 0
        assert result.out.startswith("-:2: warning: `wrapgen.toml` is not in the working folder\n")

    def test_an_answer_that_is_too_long(self, tmp_path):
        file = tmp_path / "answer.md"
        file.write_text(GOOD + "more\n" * 198)
        result = wrap("agent", "check", file)
        assert result.code == 3
        assert f"{file}:11: error: the answer has 201 lines; at most 10 are allowed" in result.out

    def test_a_reviewer_who_passes_what_is_critical(self, stdin):
        stdin("[COMPRESSED] agent_type: reviewer\nFiles reviewed: a\nCritical: a:1 — leaks\nVerdict: PASS\n")
        result = wrap("agent", "check", "--json", "--type", "reviewer")
        assert result.code == 3
        document = result.json
        assert (document["schema"], document["meets"], document["form"]) == ("wrapgen.agent-check/1", False, "review")
        assert {"line": 4, "severity": "error", "rule": "verdict"}.items() <= document["findings"][-1].items()

    def test_a_file_that_is_not_there(self):
        assert wrap("agent", "check", "nowhere.md").code == 1


@pytest.mark.slow
def test_what_is_recorded_is_given(vault):
    built = vault()
    record(built, "--kind", "decision", "--tag", "all", "Keep UTF-8")
    record(built, "--kind", "result", "--agent", "a1", "--type", "worker", "--parent", "p", "Parser done")
    words = ("agent", "context", "--session", "s1", "--name", "bob", "--parent", "p")
    assert wrap(*words, vault=built).out == (
        "[smart context for bob]\n\n## Sibling Agent Results\n- [worker] Parser done\n\n"
        "## Relevant Context\n- [decision] Keep UTF-8\n"
    )
    document = wrap(*words, "--json", vault=built).json
    assert (document["schema"], document["dropped"]) == ("wrapgen.agent-context/1", 0)
    assert [one["step"] for one in document["sections"]] == [1, 4]


@pytest.mark.parametrize("manner", ["sqlite"], indirect=True)
def test_nothing_is_printed_and_nothing_made_when_there_is_nothing(vault):
    built = vault()
    before = built.snapshot()
    assert wrap("agent", "context", "--session", "s", "--name", "n", vault=built).out == ""
    assert wrap("agent", "list", vault=built).out == "agents: 0\n"
    assert wrap("agent", "export", vault=built).json["agents"] == []
    assert built.snapshot() == before


@pytest.mark.slow
def test_controls_are_shown_and_not_sent(vault):
    built = vault()
    record(built, "--kind", "decision", "red \x1b[31m\ttab\n# forged")
    out = wrap("agent", "context", "--session", "s1", "--name", "n", vault=built).out
    assert out.endswith("- [decision] red \\x1b[31m\ttab\n  \\# forged\n")
    assert "\x1b" not in wrap("agent", "list", "entries", vault=built).out


@pytest.mark.slow
def test_words_from_stdin(vault, stdin):
    built = vault()
    stdin("two\nlines\n")
    record(built, "-")
    assert wrap("agent", "list", "entries", "--json", vault=built).json["rows"][0]["content"] == "two\nlines\n"


@pytest.mark.slow
def test_tasks(vault):
    built = vault({"projects/web/todos.md": ""})
    web = built.path("projects/web")
    record(built, "--cwd", str(web), "note")
    added = wrap(
        "agent", "task", "add", "Review", "--for", "bob", "--plan", "Lists first", "--cwd", web, "--json", vault=built
    )
    number = str(added.json["id"])
    assert wrap("agent", "task", "set", number, "--status", "planned", vault=built).code == 0
    assert wrap("agent", "task", "comment", number, "--kind", "plan", "Tables first", vault=built).code == 0
    out = wrap("agent", "context", "--session", "s1", "--name", "bob", vault=built).out
    assert out.endswith("## Your Assigned Tasks\n- [planned] Review\n  Plan: Tables first\n")
    assert (
        wrap("agent", "list", "tasks", "--project", "web", vault=built).out == "1  [planned] Review → bob\ntasks: 1\n"
    )
    assert wrap("agent", "task", "set", "99", "--status", "idea", vault=built).code == 1
    assert wrap("agent", "task", "set", number, vault=built).code == 2
    assert wrap("agent", "list", "tasks", "--project", "nowhere", vault=built).code == 1


@pytest.mark.slow
def test_sub_folders_belong_to_their_project(vault):
    built = vault({"projects/web/src/deep/a.md": ""}, config='[projects.api]\npaths = ["~/api"]\n')
    record(built, "--cwd", str(built.path("projects/web/src/deep")), "note")
    assert wrap("agent", "list", "sessions", vault=built).out.startswith("s1  [active] web\n")


@pytest.mark.slow
def test_full_texts(vault):
    built = vault()
    record(built, "--kind", "result", "--agent", "a1", "--name", "w", "first\nlong")
    record(built, "--kind", "result", "--agent", "a1", "--name", "w", "second")
    out = wrap("agent", "list", "outputs", "--agent", "a1", vault=built).out
    assert [line for line in out.splitlines() if not line.startswith("---")] == ["first", "long", "second"]
    assert wrap("agent", "list", "outputs", vault=built).code == 2


@pytest.mark.slow
def test_a_store_moves_to_another_vault(vault, tmp_path):
    first, second = vault(), vault(name="second")
    record(first, "--kind", "result", "--agent", "a1", "--name", "w", "done")
    exported = wrap("agent", "export", vault=first)
    (tmp_path / "rows.json").write_text(exported.out, encoding="utf-8")
    taken = wrap("agent", "import", tmp_path / "rows.json", "--json", vault=second)
    assert taken.json["taken"]["agents"] == 1
    assert wrap("agent", "export", vault=second).json == exported.json
    assert exported.json["schema"] == "wrapgen.agents/1"


def test_rows_that_no_table_is_called_by_are_named(vault, stdin):
    stdin(json.dumps({"agents": [], "output": "x"}))
    result = wrap("agent", "import", "-", vault=vault())
    assert (result.code, result.out) == (0, "imported: nothing new\n")
    assert "output" in result.err


@pytest.mark.parametrize(
    "words",
    [
        ("record", "--session", "s", " "),
        ("record", "--session", "s", "--kind", "result", "x"),
        ("record", "x"),
        ("list", "x"),
    ],
)
def test_wrong_usage(vault, words):
    assert wrap("agent", *words, vault=vault()).code == 2


@pytest.mark.parametrize("manner", ["sqlite"], indirect=True)
def test_a_damaged_store_is_said_so(vault):
    built = vault({".wrapgen/state/agents.db": "not a database" * 500})
    result = wrap("agent", "context", "--session", "s", "--name", "n", vault=built)
    assert result.code == 1
    assert "damaged" in result.err
    assert "unexpected" not in result.err


@pytest.mark.parametrize(
    ("config", "named"),
    [
        ('[agents.contract]\nworker = "warn"\nreviewer = "strict"\n', "agents.contract.reviewer"),
        ('[agents]\nstore = "postgresql://x"\n', "agents.store"),
    ],
)
def test_a_configuration_that_is_wrong(vault, config, named):
    result = wrap("agent", "record", "--session", "s", "x", vault=vault(config=config))
    assert result.code == 1
    assert f"`{named}`" in result.err


def test_the_help_tells_the_contract():
    said = " ".join(wrap("agent", "check", "--help").out.split())
    for form in AnswerForm:
        assert f"at most {form.limit}" in said
        for name in (*form.required, *form.optional):
            assert f"{name.capitalize()}:" in said


@pytest.mark.parametrize("command", ["stage", "brief", "track", "agent"])
def test_the_help_says_when_to_use_it(command):
    assert "Use it when" in wrap(command, "--help").out
