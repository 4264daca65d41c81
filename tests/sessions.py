"""The worked sessions of docs/sessions.md, run anew: `python -m tests.sessions` writes what they print."""

from __future__ import annotations

import io
import json
import os
import re
import shlex
import sys
import tempfile
from pathlib import Path
from unittest import mock

from tests.support import CHECKOUT, wrap

PAGE = CHECKOUT / "docs" / "sessions.md"
DAY = "2026-04-24"
_BLOCK = re.compile(r"(?<=^````console\n).*?(?=^````$)", re.MULTILINE | re.DOTALL)
_MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?=Z|\+00:00)")
_LOG_SIZE = re.compile(r"(?<=cold\.jsonl  )[\d,]+(?= bytes)")  # the log names folders of this machine

NOTES = {
    "journals/2026-04-23.md": "# 2026-04-23\n\n## 16:00 Session: reset mails for the shop\n\n### Decisions\n"
    "- Retries wait 1, 4 and 9 seconds: the mail host bans faster ones\n\n### Next\n"
    "- [ ] Send the reset mail again when it bounces (shop)\n",
    "projects/shop/todos.md": "# shop\n\n- [ ] Say on the page that the reset mail may take a minute\n",
    "answer.md": "[COMPRESSED] agent_type: worker\nChanged files: mailer.py\n"
    "Result: reset mails are tried three times; 12 tests pass\n"
    "Decisions: retries wait 1, 4 and 9 seconds, the mail host bans faster ones\n",
    "mailer.py": "",
}
LIST = "- [x] queue in PostgreSQL\n- [ ] retries of the reset mail"
TALK = (
    ("user", "goal: reset mails that arrive"),
    ("user", "Maybe a Redis cluster for the queue helps, let's try it."),
    ("assistant", "I moved the queue to a Redis cluster."),
    ("user", "Still failing: hash slots move on every deploy."),
    ("assistant", f"Giving up on the Redis cluster. The queue stays in PostgreSQL.\n\n{LIST}"),
    ("user", "Blocked by the missing key of the mail host."),
)  # fmt: skip
SOURCE = "def send_reset(address: str, tries: int = 3) -> bool:\n    return False\n"


def _transcript(folder: Path) -> str:
    content: list[tuple[str, object, dict]] = [(role, text, {}) for role, text in TALK]
    write = {"type": "tool_use", "id": "t", "name": "Write", "input": {"file_path": "mailer.py", "content": SOURCE}}
    content += [("assistant", [write], {}), ("user", [{"type": "tool_result", "tool_use_id": "t"}], {})]
    lines = [
        {
            "type": role, "uuid": f"u{n}", "sessionId": "s1", "cwd": str(folder), "timestamp": f"{DAY}T08:0{n}:00Z",
            "message": {"role": role, "content": text, "id": f"m{n}"}, **more,
        }
        for n, (role, text, more) in enumerate(content, 1)
    ]  # fmt: skip
    return "".join(json.dumps(line) + "\n" for line in lines)


def played(page: str, folder: Path) -> str:
    """The page with what its commands print now, run in an empty folder, which is made the working one."""
    for name, text in NOTES.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, "utf-8")
    (folder / "session.jsonl").write_text(_transcript(folder), "utf-8")
    assert wrap("init", ".", today=DAY).code == 0
    return _BLOCK.sub(lambda block: "".join(_played(line, folder) for line in _commands(block[0])), page)


def _commands(block: str) -> list[str]:
    return [line.removeprefix("$ ") for line in block.splitlines() if line.startswith("$ ")]


def _played(line: str, folder: Path) -> str:
    words = shlex.split(line)
    given = b""
    if "<" in words:
        given = (folder / words[words.index("<") + 1]).read_bytes()
        words = words[: words.index("<")]
    if words[0] == "cat":
        return f"$ {line}\n{(folder / words[1]).read_text('utf-8')}"
    assert words[0] == "wrap", line
    with mock.patch.object(sys, "stdin", io.TextIOWrapper(io.BytesIO(given))):
        result = wrap(*words[1:], today=DAY)
    assert result.code == 0, (line, result.err)
    said = _MOMENT.sub(f"{DAY}T09:00:00", result.out.replace(f"{folder}{os.sep}", ""))
    return f"$ {line}\n{_LOG_SIZE.sub('6,000', said)}"


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as name, mock.patch.dict(os.environ, HOME=f"{name}/home"):
        place = Path(os.path.realpath(name)) / "notes"
        place.mkdir()
        os.chdir(place)
        PAGE.write_text(played(PAGE.read_text("utf-8"), place), "utf-8")
        os.chdir(CHECKOUT)
