"""A hook in the settings and in a plugin: the work is done once, and one reply is given."""

import os
import threading

import pytest

from tests.hooks import kit
from tests.hooks.kit import SESSION, moment
from tests.support import wrap
from wrapgen.hooks.once import SECONDS, forget, is_first


def test_the_second_copy_is_told_so(notes):
    event = moment("SessionStart", notes, source="startup")
    assert [is_first(event), is_first(event)] == [True, False]


@pytest.mark.parametrize(
    "other",
    [
        {"source": "clear"}, {"session_id": "another"}, {"prompt_id": "p2"}, {"agent_id": "a"}, {"tool_use_id": "t"},
        {"stop_hook_active": True}, {"last_assistant_message": "more"},
    ],
)  # fmt: skip
def test_another_event_is_another_one(notes, other):
    assert is_first(moment("SessionStart", notes, source="startup"))
    assert is_first(moment("SessionStart", notes, **{"source": "startup", **other}))


def test_time_stamps_do_not_count(notes):
    assert is_first(moment("Stop", notes, timestamp="10:00:00.1"))
    assert not is_first(moment("Stop", notes, timestamp="10:00:00.2"))


def test_events_without_a_session_cannot_be_told_apart(notes):
    event = moment("Stop", notes, session_id=None)
    assert [is_first(event), is_first(event)] == [True, True]


def age(notes, seconds):
    for file in notes.path(".wrapgen/state/hooks/once").iterdir():
        stamp = file.stat().st_mtime - seconds
        os.utime(file, (stamp, stamp))


def test_the_same_event_later_is_another_one(notes):
    event = moment("SessionStart", notes, source="resume")
    assert is_first(event)
    age(notes, SECONDS + 1)
    assert [is_first(event), is_first(event)] == [True, False]


def test_of_many_at_once_exactly_one_is_the_first(notes):
    event = moment("Stop", notes)
    for _ in range(3):
        gate, answers = threading.Barrier(8), []

        def ask(gate=gate, answers=answers):
            gate.wait()
            answers.append(is_first(event))

        threads = [threading.Thread(target=ask) for _ in range(8)]
        for one in threads:
            one.start()
        for one in threads:
            one.join()
        assert sorted(answers) == [False] * 7 + [True]
        age(notes, SECONDS + 1)


def test_what_nobody_asks_about_any_more_goes(notes):
    folder = notes.path(".wrapgen/state/hooks/once")
    is_first(moment("Stop", notes))
    forget(str(notes.root))
    assert len(list(folder.iterdir())) == 1
    age(notes, 4000)
    forget(str(notes.root))
    assert list(folder.iterdir()) == []


@pytest.mark.slow
def test_two_processes_of_one_event_give_one_reply(notes):
    wrap("regen", vault=notes, today=None)
    data = f'{{"session_id": "{SESSION}", "source": "startup", "cwd": "{notes.root.as_posix()}"}}'.encode()
    children = [kit.start_hook("hook", "SessionStart") for _ in range(3)]
    for child in children:
        child.stdin.write(data)
        child.stdin.flush()
    replies = [child.communicate(timeout=kit.PATIENCE) for child in children]
    assert sum(bool(out) for out, _ in replies) == 1
    assert [err for _, err in replies] == [b""] * 3
