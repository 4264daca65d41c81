"""A team of two with one queue on a real server."""

import json
from pathlib import Path

import pytest

from tests.followups.talks import neutral, orphans, said
from tests.support import TODAY, Vault, spawn, wrap

NOTES = {
    "projects/web/todos.md": "# web\n\n## Next Session\n\n- [ ] Water the plants\n",
    "projects/infra/todos.md": "# infra\n",
    "journals/2026/04/2026-04-20.md": "# 2026-04-20\n",
}


class Person(Vault):
    """Somebody's clone of the team's vault, and what he says to his agent."""

    def __init__(self, root: Path, vault: str = "acme") -> None:
        super().__init__(root)
        self.write("wrapgen.toml", f'pending = "store"\nvault = "{vault}"\n')
        for name, text in NOTES.items():
            self.write(name, text)
        assert wrap("trust", vault=self).code == 0

    def says(self, *tasks: str, today: str = TODAY, name: str = "talk", **fields: str) -> dict[str, str]:
        """Have a session put tasks off, and look through it; gives the ids of what is not answered yet, by text."""
        talk = self.root.parent / f"{self.root.name}-{name}.json"
        talk.write_bytes(neutral(said(*tasks), f"{today}T10:00:00Z", **fields))
        result = orphans(self, talk, today=today)
        assert result.code == 0, result.err
        return {one["text"]: one["id"] for one in result.json["orphans"]}

    @property
    def waiting(self) -> list[str]:
        """What waits, as far as this clone knows after it has asked."""
        result = wrap("orphans", "--json", vault=self)
        assert result.code == 0, result.err
        return sorted(one["text"] for one in result.json["orphans"])

    def answers(self, **routes: str) -> Path:
        """A file of answers: route by id; a project for the route `project` is web."""
        file = self.root.parent / f"{self.root.name}-answers.json"
        given = [
            {"id": key, "route": route} | ({"project": "web"} if route == "project" else {})
            for key, route in routes.items()
        ]
        file.write_text(json.dumps({"answers": given}), encoding="utf-8")
        return file

    def routes(self, **routes: str):
        """Answer; gives the result of `wrap route --json`."""
        return wrap("route", "--json", "--answers", self.answers(**routes), vault=self)

    def routing(self, **routes: str):
        """A process that answers."""
        return spawn("--vault", self.root, "--today", TODAY, "route", "--json", "--answers", self.answers(**routes))

    @property
    def list(self) -> str:
        return self.path("projects/web/todos.md").read_text(encoding="utf-8")

    def holds(self, text: str) -> int:
        """How often a task stands in this clone's notes."""
        return sum(
            line.endswith(text)
            for file in self.root.glob("[jp]*/**/*.md")
            for line in file.read_text(encoding="utf-8").splitlines()
        )


@pytest.fixture
def people(team, tmp_path, monkeypatch):
    """Two who share a queue."""
    monkeypatch.setenv("WRAPGEN_STORE", team)
    return Person(tmp_path / "ann"), Person(tmp_path / "bob")
