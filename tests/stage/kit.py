"""What the tests of stage snapshots share."""

import yaml

from tests.support import wrap
from wrapgen.stage.record import CAP, FrontMatter

_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # as strict, and ten times as fast

TASK = "TUNE-0254"
PLAN = ("--task", TASK, "--stage", "plan", "--command", "/dr-plan", "--recommended-next", "/dr-do")
AT = "2026-04-24T09:00:00Z"
FILE = f"snapshots/{TASK}.snapshot.md"
HEADER = FrontMatter(TASK, "plan", "/dr-plan", AT, "agent", "/dr-do", ("/dr-do TUNE-0254 | go",))
MARKER = "<!-- snapshot-truncated, full text: session jsonl -->"
CALL_TO_ACTION = (
    "---\n\n**Next step: TUNE-0254** (L3, in progress)\n\n1. `/dr-do TUNE-0254` recommended: write the code\n"
    "2. `/dr-design TUNE-0254` alternative: think once more\n\n---\n"
)


def front(data: bytes) -> dict:
    """The front matter of a snapshot as a YAML loader reads it; the file must keep what it says of itself."""
    assert data.startswith(b"---\n")
    text = data[4:].split(b"\n---\n", 1)[0]
    values = yaml.load(text.decode("utf-8"), _LOADER)
    assert list(values) == [
        "task_id", "artifact", "schema_version", "stage", "command", "captured_at", "captured_by", "recommended_next",
        "options", "size_bytes", "truncated",
    ]  # fmt: skip
    assert values["size_bytes"] == len(data) <= CAP
    return values


def body(data: bytes) -> bytes:
    return data.split(b"\n---\n\n", 1)[1]


def write(vault, text="The plan.\n", *words, today="2026-04-24", **changed):
    """Write a snapshot through the command line; its body goes through a file."""
    given = dict(zip(PLAN[::2], PLAN[1::2], strict=True)) | {"--captured-at": AT}
    given |= {f"--{name.replace('_', '-')}": value for name, value in changed.items()}
    file = vault.root.parent / "body.md"
    file.write_bytes(text if isinstance(text, bytes) else text.encode("utf-8"))
    flags = [word for name, value in given.items() if value is not None for word in (name, value)]
    return wrap("stage", "write", *flags, "--body-file", file, *words, vault=vault, today=today)


def written(vault, *args, **changed) -> bytes:
    """The bytes of the snapshot that a successful write leaves."""
    result = write(vault, *args, **changed)
    assert result.code == 0, result.err
    return vault.path(FILE).read_bytes()
