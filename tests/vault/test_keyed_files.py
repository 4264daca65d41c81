"""Small files by key: each document is there whole or not at all, and is given to one process where it is taken."""

import os
import time
from pathlib import Path

import pytest

from wrapgen import regular_files
from wrapgen.errors import PublishError
from wrapgen.vault.keyed_files import KeyedFiles

STORE = KeyedFiles("things", kept_seconds=60, largest=100)


@pytest.fixture
def root(tmp_path):
    STORE.put(str(tmp_path), "key", {"a": 1})
    return str(tmp_path)


@pytest.mark.parametrize("key", ["", "../up", "a/b", "\ud800", "x" * 5_000])
def test_any_key_will_do(root, key):
    STORE.put(root, key, {"key": 7})
    assert STORE.get(root, key) == {"key": 7}
    assert STORE.get(root, "key") == {"a": 1}
    assert len(STORE.files(root)) == 2


def test_a_key_like_a_uuid_is_its_own_name_and_no_other_key_has_it(root):
    key = "0b7e9c64-4a52-4b0e-9a4f-1c2d3e4f5a6b"
    assert Path(STORE.file(root, key)).name == f"{key}.json"
    others = [key.upper(), key + "0" * 40, "../" + key, key.replace("-", ""), key.replace("b", "x")]
    assert len({STORE.file(root, one).lower() for one in (key, *others)}) == 6


def test_the_latest_document_counts(root):
    STORE.put(root, "key", {"b": 2})
    assert STORE.get(root, "key") == {"b": 2}
    assert STORE.files(root) == [STORE.file(root, "key")]


def test_a_document_is_given_once(root):
    assert STORE.take(root, "key") == {"a": 1}
    assert STORE.take(root, "key") is None


def test_a_document_that_another_process_has_taken_is_not_given(root, monkeypatch):
    read = STORE.get

    def slow(root, key):
        found = read(root, key)
        Path(STORE.file(root, key)).unlink()
        return found

    monkeypatch.setattr(STORE, "get", slow)
    assert STORE.take(root, "key") is None


def test_what_is_too_large_is_none(root):
    STORE.put(root, "key", {"a": "x" * 200})
    assert STORE.get(root, "key") is None
    assert KeyedFiles("things", largest=None).get(root, "key") == {"a": "x" * 200}


def test_old_documents_are_forgotten(root):
    STORE.put(root, "new", {})
    os.utime(STORE.file(root, "key"), (0, time.time() - 61))
    STORE.forget_old(root)
    assert STORE.files(root) == [STORE.file(root, "new")]


def test_nothing_is_forgotten_where_nothing_is(tmp_path):
    STORE.forget_old(str(tmp_path))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(os.name != "posix", reason="makes links")
@pytest.mark.parametrize("change", [STORE.forget_old, lambda root: STORE.take(root, "key")])
def test_nothing_is_removed_behind_a_link_out_of_the_vault(tmp_path, change):
    outside, inside = tmp_path / "outside", tmp_path / "inside"
    STORE.put(str(outside), "key", {"a": 1})
    os.utime(STORE.file(str(outside), "key"), (0, 0))
    folder = inside / ".wrapgen/state/hooks"
    folder.mkdir(parents=True)
    (folder / "things").symlink_to(outside / ".wrapgen/state/hooks/things")
    with pytest.raises(PublishError):
        change(str(inside))
    assert STORE.get(str(outside), "key") == {"a": 1}


@pytest.mark.parametrize("step", ["write", "replace"])
def test_a_file_that_cannot_be_written_stays_as_it_was(root, monkeypatch, step):
    def fail(*_, **__):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(regular_files.os, step, fail)
    with pytest.raises(OSError, match="No space"):
        STORE.put(root, "key", {"b": 2})
    monkeypatch.undo()
    assert STORE.get(root, "key") == {"a": 1}
    assert len(list(Path(STORE.file(root, "key")).parent.glob("*"))) == 1


@pytest.mark.skipif(os.name != "posix", reason="modes")
def test_only_its_owner_may_read_it(root):
    assert Path(STORE.file(root, "key")).stat().st_mode & 0o777 == 0o600
