"""Scripted readers: programs that note what they were given, and answer what a test says."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any

from wrapgen.config import user_config_path

if TYPE_CHECKING:
    from pathlib import Path

_SCRIPT = """\
import json, os, sys, time
from pathlib import Path
here = Path(sys.argv[1])
given = sys.stdin.buffer.read().decode("utf-8")
note = {"prompt": given, "cwd": os.getcwd(), "held": os.listdir()}
note |= {"environment": dict(os.environ), "words": sys.argv[2:]}
number = len(list(here.glob("call-*.json")))
(here / f"call-{number:03}.part").write_text(json.dumps(note), "utf-8")  # a test that waits for it reads no half of it
os.replace(here / f"call-{number:03}.part", here / f"call-{number:03}.json")
answers = json.loads((here / "answers.json").read_text("utf-8"))
answer = answers[min(number, len(answers) - 1)]
if "until" in answer:
    while not os.path.exists(answer["until"]):
        time.sleep(0.01)
time.sleep(answer.get("sleep", 0))
sys.stdout.buffer.write(answer.get("say", "").encode("utf-8", "surrogateescape"))
sys.stderr.write(answer.get("complain", ""))
sys.exit(answer.get("exit", 0))
"""


class Reader:
    """A program that answers from a list; the last answer is given again and again.

    Args:
        folder: where it keeps what it is given.
    """

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._folder = folder
        script = folder / "reader.py"
        script.write_text(_SCRIPT, "utf-8")
        self.command = [sys.executable, "-I", "-S", str(script), str(folder)]
        self.answers({})

    def answers(self, *documents: object) -> None:
        """What it says from now on: a JSON document, a text as it is, or `How(...)` it goes about it."""
        said = [
            one.fields if isinstance(one, How) else {"say": one if isinstance(one, str) else json.dumps(one)}
            for one in documents
        ]
        (self._folder / "answers.json").write_text(json.dumps(said), "utf-8")
        for file in self._folder.glob("call-*.json"):
            file.unlink()

    def name(self, command: object = None, **settings: float) -> None:
        """Name it, or another command, in the user's own file."""
        listed = json.dumps(self.command if command is None else command)
        lines = [f"{key} = {value}" for key, value in settings.items()]
        file = user_config_path()
        file.parent.mkdir(parents=True, exist_ok=True)
        former = file.read_text("utf-8").partition("\n[reader]")[0] if file.exists() else ""
        file.write_text("\n".join([former, "[reader]", f"command = {listed}", *lines, ""]), "utf-8")

    @property
    def calls(self) -> list[dict[str, Any]]:
        """What it was given, call by call."""
        return [json.loads(file.read_text("utf-8")) for file in sorted(self._folder.glob("call-*.json"))]


class How:
    """How a reader answers: `say`, `complain`, `exit`, `sleep`, `until` a file is there."""

    def __init__(self, **fields: object) -> None:
        self.fields = fields
