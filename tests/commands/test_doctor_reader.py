"""`wrap doctor` about the program that reads conversations: is it there, what became of its last piece."""

import pytest

from tests.followups import talks
from tests.followups.readers import How, Reader
from tests.support import wrap
from wrapgen.config import user_config_path


@pytest.fixture
def built(vault):
    found = vault()
    assert wrap("trust", vault=found).code == 0
    assert wrap("regen", vault=found).code == 0
    return found


@pytest.fixture
def reader(tmp_path):
    return Reader(tmp_path / "reader")


@pytest.fixture
def talk(tmp_path):
    file = tmp_path / "a talk.json"
    file.write_bytes(talks.neutral(talks.said(talks.RETRY)))
    return file


def said(built):
    """What is said of the reader, but for what is well unless nothing else is."""
    result = wrap("doctor", "--json", vault=built)
    found = [one for one in result.json["findings"] if one["check"] == "reader"]
    return result.code, [one for one in found if one["level"] != "ok"] or found


def test_nobody_is_named(built):
    code, (one,) = said(built)
    assert (code, one["level"]) == (0, "ok")
    assert "none configured" in one["what"]


@pytest.mark.slow
def test_all_is_well(built, reader, talk):
    reader.name(per_day=7)
    reader.answers("junk", {})
    wrap("orphans", "--read", "--transcript", talk, vault=built)
    code, (one,) = said(built)
    assert (code, one["level"]) == (0, "ok")
    assert "2 of 7 calls today" in one["what"]


def test_a_program_that_is_not_there(built, reader):
    reader.name(["no-such-reader", "--fast"])
    code, (one,) = said(built)
    assert (code, one["level"]) == (3, "wrong")
    assert "`no-such-reader`" in one["what"]
    assert one["where"] == str(user_config_path())
    assert one["mend"]


@pytest.mark.slow
def test_its_last_piece_failed(built, reader, talk):
    reader.name()
    reader.answers(How(exit=1, complain="no key is set"))
    assert wrap("orphans", "--read", "--transcript", talk, vault=built).code == 1
    code, (one,) = said(built)
    assert (code, one["level"], one["where"]) == (0, "warning", str(talk))
    assert "no key is set" in one["what"]
    assert one["mend"] == f"wrap orphans --read --transcript '{talk}'"
    reader.answers({})
    assert wrap("orphans", "--read", "--transcript", talk, vault=built).code == 0
    assert [one["level"] for one in said(built)[1]] == ["ok"], "it is forgiven once it worked"


def test_a_users_file_that_names_what_nobody_knows(built, reader):
    reader.name("rm")
    result = wrap("doctor", vault=built)
    assert result.code == 3
    assert str(user_config_path()) in result.out
    assert "defect" not in result.err


def test_what_is_remembered_of_it_is_damaged(built, reader):
    reader.name()
    built.write(".wrapgen/state/readings.jsonl", b'{"at": 3}\nnull\n{')
    assert [one["level"] for one in said(built)[1]] == ["ok"]
