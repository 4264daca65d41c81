"""A click is the command's own workflow: with a receipt, under the lock, and never over somebody else's words."""

import json

import pytest

from tests.followups import talks
from tests.serving.kit import NOTE, NOTES
from tests.support import next_list, wrap

TICKED = "projects/web/todos.md"
pytestmark = pytest.mark.slow


def listed(served):
    return [one["text"] for one in wrap("list", "--json", vault=served.vault).json["items"]]


def test_a_tick_is_in_the_file_and_undone_from_its_receipt(served):
    before = served.vault.path(TICKED).read_text("utf-8")
    done = served.act(do="done", item=served.ids()["로그인 오류 수정"])
    assert (done["ok"], done["said"]) == (True, "")
    assert "- [x] 로그인 오류 수정" in served.vault.path(TICKED).read_text("utf-8")
    assert "로그인 오류 수정" not in listed(served)
    assert served.act(do="undo", receipt=done["undo"])["ok"]
    assert served.vault.path(TICKED).read_text("utf-8") == before


def test_a_new_item_is_written_down_and_undone(served):
    before = talks.notes(served.vault)
    for project in ("web", None):
        made = served.act(do="add", text="--all of it due:2026-05-01", **({"project": project} if project else {}))
        assert (made["ok"], made["said"]) == (True, "")
        (item,) = wrap("list", "--json", "all of it", vault=served.vault).json["items"]
        assert (item["text"], item["project"], item["due"]) == ("--all of it", project, "2026-05-01")
        assert served.act(do="undo", receipt=made["undo"])["ok"]
        assert talks.notes(served.vault) == before
    assert not served.act(do="add", text="Buy milk", project="none")["ok"]


def test_what_changed_elsewhere_is_not_overwritten(served):
    item = served.ids()["Fix the login"]
    served.vault.write(NOTE, next_list("(web) Fix the login form of members"))
    before = served.vault.path(NOTE).read_bytes()
    done = served.act(do="done", item=item)
    assert (done["ok"], done["undo"]) == (False, None)
    assert item in done["said"]
    assert served.vault.path(NOTE).read_bytes() == before


def test_snoozed_kept_and_judged(served):
    ids = served.ids()
    hidden = served.act(do="snooze", item=ids["Fix the login"], until="1w")
    assert hidden["ok"]
    assert "Fix the login" not in listed(served)
    assert served.act(do="undo", receipt=hidden["undo"])["ok"]
    none = served.act(do="verdict", item=ids["Fix the login"], verdict="not_work")
    assert none["ok"]
    assert "Fix the login" not in listed(served)
    assert served.act(do="undo", receipt=none["undo"])["ok"]
    assert "Fix the login" in listed(served)
    same = served.act(do="verdict", item=ids["Fix the login"], verdict="same_as", other=ids["로그인 오류 수정"])
    assert same["ok"]
    found = wrap("explain", ids["Fix the login"], "--json", vault=served.vault).json["items"]
    assert [one["fate"] for one in found] == ["duplicate"]
    assert served.act(do="keep", item=ids["Fix the login"])["ok"]


def test_a_follow_up_is_filed_or_skipped(serve, tmp_path):
    served = serve()
    talk = tmp_path / "talk.json"
    talk.write_bytes(talks.neutral(talks.said("Ask the neighbours", "Buy the paint")))
    assert wrap("orphans", "--transcript", talk, vault=served.vault).code == 0
    ids = served.ids()
    filed = served.act(
        do="file", item=ids["Ask the neighbours"], route="project", project="web", text="Ask all neighbours"
    )
    assert filed["ok"], filed
    assert "Ask all neighbours" in served.vault.path(TICKED).read_text("utf-8")
    assert served.act(do="file", item=ids["Buy the paint"], route="skip")["ok"]
    waiting = wrap("audit", "--json", vault=served.vault).json["follow_ups"]["pending"]
    assert waiting == 0
    assert served.act(do="undo", receipt=filed["undo"])["ok"]
    assert served.vault.path(TICKED).read_text("utf-8") == NOTES[TICKED]
    assert served.act(do="restore", item=served.ids()["Buy the paint"])["ok"]
    assert sorted(talks.pending(served.vault)) == ["Ask the neighbours", "Buy the paint"]


def test_what_is_refused_writes_nothing(served):
    before = served.vault.snapshot()
    headers = {"Origin": f"http://127.0.0.1:{served.port}", "Content-Type": "application/json"}
    good = json.dumps({"do": "done", "item": served.ids()["Fix the login"]}).encode()
    for target, body, change, status in (
        (f"{served.home}act", b"{}", {}, 400),
        (f"{served.home}act", b"x" * 30_000, {}, 413),
        (f"{served.home}act", good, {"Origin": "http://evil.example"}, 403),
        (f"{served.home}act", good, {"Content-Type": "text/plain"}, 403),
        ("/act", good, {}, 403),
        (served.home, good, {}, 405),
    ):
        assert served.ask(target, "POST", body, **headers | change)[0] == status
    assert served.vault.snapshot() == before
