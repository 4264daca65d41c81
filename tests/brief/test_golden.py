"""Where the first such tool is sound, the same bytes come out."""

import json

import pytest

from tests.public import needs, rows
from tests.support import finish, spawn, wrap
from wrapgen.brief import create_snapshot, estimate_snapshot_tokens, format_for_prompt

CASES = rows("brief/golden.jsonl")
by_id = pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])


@needs(CASES)
@by_id
def test_the_library_writes_the_recorded_block(case):
    snapshot = create_snapshot(case["state"])
    assert format_for_prompt(snapshot) == case["prompt"]
    assert estimate_snapshot_tokens(snapshot) <= 500


@needs(CASES)
@by_id
def test_the_command_writes_the_recorded_block(case, tmp_path):
    file = tmp_path / "state.json"
    file.write_text(json.dumps(case["state"]), encoding="utf-8")
    result = wrap("brief", "--state", file, "--lang", "ko")
    assert (result.code, result.out, result.err) == (0, f"{case['prompt']}\n", "")


@pytest.mark.slow
@needs(CASES)
def test_the_command_as_a_process(tmp_path):
    case = next(one for one in CASES if one["id"] == "seed-example")
    file = tmp_path / "state.json"
    file.write_text(json.dumps(case["state"], ensure_ascii=False), encoding="utf-8")
    result = finish(spawn("brief", "--state", file, "--lang", "ko", cwd=tmp_path))
    assert (result.code, result.out) == (0, f"{case['prompt']}\n")
