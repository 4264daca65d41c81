"""The recorded outputs of the tool that this follows: the same bytes below the first line."""

import json

import pytest

from tests.public import DATA
from tests.support import wrap

FILE = DATA / "agents" / "golden.json"
CASES = json.loads(FILE.read_text(encoding="utf-8")) if FILE.exists() else {}


@pytest.mark.sampled(3)
@pytest.mark.skipif(not CASES, reason="the public data is not beside the checkout (WRAPGEN_DATA)")
@pytest.mark.parametrize("name", CASES)
def test_the_recorded_context(vault, tmp_path, name, manner, request, monkeypatch):
    case, built = CASES[name], vault()
    if manner == "postgres":
        monkeypatch.setenv("WRAPGEN_STORE", request.getfixturevalue("team"))
    rows = tmp_path / "rows.json"
    rows.write_text(json.dumps({key: value for key, value in case.items() if key not in ("call", "output")}))
    assert wrap("agent", "import", rows, vault=built).code == 0
    session, agent, kind, parent = case["call"]
    options = [("--session", session), ("--name", agent), ("--type", kind), ("--parent", parent)]
    words = [word for option, value in options if value is not None for word in (option, value)]
    printed = wrap("agent", "context", *words, vault=built)
    first, *others = printed.out.removesuffix("\n").split("\n")
    assert (printed.code, others) == (0, case["output"].split("\n")[1:])
    assert first == (f"[smart context for {agent}]" if case["output"] else "")
