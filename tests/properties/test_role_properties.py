"""What holds whatever `wrapgen.toml` says files and sections are: no open box is passed over, none is counted twice."""

from __future__ import annotations

import re
import tempfile
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.support import FATES, Vault, audit, examples, wrap

TITLES = (
    "Next", "Done", "Backlog", "Waiting for", "Baton", "Task 9: export", "Task 10 (deferred)", "Signals",
    "2026-04-20", "Session 4", "2026-04-22 Session 5", "2062-01-01",
)  # fmt: skip
LINES = (
    "- [ ] {}",
    "- [ ] {}",
    "- [x] {}",
    "  - [ ] {}",
    "- {}",
    "1. {}",
    "Prose {}. And more.",
    "> quoted {}",
    "- [ ]",
)
HEADS = ("Next", "Done", "Baton", "Task *", "*", "Baton#Next", "*#Signals", "2026-04-20#*", "Nowhere")
WHOLE = {"hand_overs": ("a.md", "{a,b}.md", "*-2026-*.md"), "lists": ("a.md", "*.md"), "project_todos": ("b.md",)}


@st.composite
def notes(draw):
    """The lines of a note, and how many of them show an open box."""
    lines, boxes = [], 0
    for number in range(draw(st.integers(0, 14))):
        kind = draw(st.sampled_from(("heading", "line", "line", "line", "bold", "fence", "blank")))
        if kind == "heading":
            lines += ["", f"{'#' * draw(st.integers(1, 3))} {draw(st.sampled_from(TITLES))}", ""]
        elif kind == "bold":
            lines += ["", f"**{draw(st.sampled_from(TITLES))}:**", ""]
        elif kind == "fence":
            lines += ["", "```", "- [ ] in code", "```", ""]
        else:
            lines.append("" if kind == "blank" else draw(st.sampled_from(LINES)).format(f"thing {number}"))
        boxes += kind == "fence" or "[ ]" in lines[-1]
    return "\n".join([*lines, ""]), boxes


@st.composite
def roles(draw):
    """Sources, names of sections and patterns of lines, as `wrapgen.toml` has them."""
    sources = {}
    for key in ("hand_overs", "lists", "project_todos", "ignore"):
        heads = st.tuples(st.sampled_from(("a.md", "b.md", "{a,b}.md", "*.md")), st.sampled_from(HEADS)).map("#".join)
        globs = draw(st.lists(heads | st.sampled_from(WHOLE[key]) if key in WHOLE else heads, max_size=3))
        sources[key] = [*globs, "*.md#Nowhere"] if key == "lists" else globs
    names = {
        key: draw(st.lists(st.sampled_from(("Baton", "Task 9: export", "!Next", "!Done", "Signals")), max_size=2))
        for key in ("next", "done", "backlog", "waiting", "ignore")
    }
    ignored = draw(st.lists(st.sampled_from(("thing 1*", "*3", "Prose *", "* thing *")), max_size=2))
    tables = {"sources": sources, "sections": names, "items": {"ignore": ignored}}
    return "".join(f"[{table}]\n" + "".join(f"{k} = {v}\n" for k, v in keys.items()) for table, keys in tables.items())


@settings(
    max_examples=examples(300), deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large]
)
@given(st.lists(notes(), min_size=4, max_size=4), roles())
def test_every_open_box_is_collected_backlog_unread_empty_or_ignored(files, config):
    paths = ("a.md", "b.md", "c-2026-04-20.md", "c-2026-04-22.md")
    with tempfile.TemporaryDirectory() as folder:
        vault = Vault(Path(folder).resolve() / "vault")
        vault.write("wrapgen.toml", config)
        for path, (text, _) in zip(paths, files, strict=True):
            vault.write(path, text)
        found = audit(vault).json
        items, lines = found["items"], {path: text.split("\n") for path, (text, _) in zip(paths, files, strict=True)}
        boxed = [one for one in items if "[ ]" in lines[one["path"]][one["line"] - 1]]
        counted = [found[name] for name in ("backlog", "empty", "ignored")]
        assert found["unread"]["boxes"] == 0
        assert len(boxed) + sum(counted) == sum(boxes for _, boxes in files)
        assert len({(one["path"], one["line"]) for one in items}) == len({one["id"] for one in items}) == len(items)
        assert all(re.search(r"\w", one["text"]) for one in items)
        assert found["collected"] == len(items) == sum(found[fate] for fate in FATES)
        assert wrap("regen", vault=vault).code == 0
        shown = [one for one in items if one["fate"] == "shown"]
        assert len(vault.priorities) + len(vault.also_open) == len(shown)
        assert wrap("regen", "--check", vault=vault).code == 0
