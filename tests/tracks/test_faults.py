"""A full disk, one that may only be read, one that fails: the message says what to do, the log keeps what it had."""

from __future__ import annotations

import errno
import io
import json
import shutil
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

import pytest

from tests.faults.inject import Fault, Manner, child
from tests.faults.verdict import STEPS
from tests.support import THOROUGH
from tests.tracks.kit import CONTEXT, Talk, footer_is_true, snapshot
from tests.tracks.test_log import dead_end
from wrapgen.cli import run

pytestmark = pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="needs fork, and /proc to name descriptors")
EVERY = 4 if THOROUGH else 5


def attempt(folder, transcript, fault):
    """The call that was refused (None when the fault was never met), and how the command ended."""

    def told():
        out, err = io.StringIO(), io.StringIO()
        with redirect_stdout(out), redirect_stderr(err):
            code = run(["track", "snapshot", "--transcript", str(transcript), "--dir", str(folder)])
        return json.dumps([int(code), err.getvalue()]).encode()

    event, answer = child(folder, fault, told)
    return event, *json.loads(answer)


@pytest.mark.slow
@pytest.mark.sampled(4)
@pytest.mark.parametrize("error", [errno.ENOSPC, errno.EROFS, errno.EACCES, errno.EIO])
def test_refused_from_any_call_on(tmp_path, error):
    project = tmp_path / "project"
    snapshot(project, dead_end(Talk("s1")).to(tmp_path / "1.jsonl"))
    second = dead_end(Talk("s2"), "shared folder").user("decision: keep SQLite").to(tmp_path / "2.jsonl")
    before = (project / CONTEXT / "cold.jsonl").read_bytes()
    old = (project / CONTEXT / "HOT_TRACK.md").read_bytes()
    at, failed = 1, 0
    while True:
        folder = tmp_path / "copy"
        shutil.copytree(project, folder)
        event, code, err = attempt(folder, second, Fault(at, error, Manner.ON))
        about = f"{errno.errorcode[error]} from call {at} on ({event}): {code} {err}"
        if event is None:
            break
        assert code in (0, 1), about
        if code:
            failed += 1
            assert err.startswith("wrap: "), about
            assert "Traceback" not in err, about
            assert STEPS[error] in err or "permissions" in err, about
        assert (folder / CONTEXT / "cold.jsonl").read_bytes().startswith(before), about
        page = (folder / CONTEXT / "HOT_TRACK.md").read_bytes()
        footer_is_true(page.decode())
        if code and page != old:
            assert "v2_" in page.decode(), about
        told = snapshot(folder, second)
        assert (told["turns"], told["tombstones"]) == (9, 2), about
        shutil.rmtree(folder)
        at += EVERY
    assert failed > 3, "the fault stood in nobody's way"


def test_a_project_that_cannot_be_written_at_all(tmp_path):
    project = tmp_path / "project"
    project.mkdir()
    _, code, err = attempt(project, Talk().user("x").to(tmp_path / "t.jsonl"), Fault(1, errno.EROFS, Manner.ON))
    assert code == 1
    assert "read-only" in err
    assert list(project.rglob("*")) == []
