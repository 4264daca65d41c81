"""What a sentence states: cues in their clause, with its negations, conditions and questions."""

from __future__ import annotations

import pytest

from tests.tracks.talk import talk
from wrapgen.tracks.load_cues import load_cues
from wrapgen.tracks.signal import Kind
from wrapgen.tracks.signals import signals


def kinds(said: str, who: str = "U") -> set[Kind]:
    (step,) = talk(f"{who}: {said}")
    found, _ = signals(step, 0, load_cues())
    return {signal.kind for signal in found}


@pytest.mark.parametrize(
    ("said", "kind"),
    [
        ("Maybe a bloom filter helps.", Kind.HYPOTHESIS),
        ("I'll add a bloom filter.", Kind.ANNOUNCEMENT),
        ("I added a bloom filter.", Kind.ATTEMPT),
        ("Added a bloom filter.", Kind.ATTEMPT),
        ("It still fails.", Kind.FAILURE),
        ("Why does it still fail?", Kind.FAILURE),
        ("It is not fixed.", Kind.FAILURE),
        ("Let's scrap the filter.", Kind.DROP),
        ("I removed the filter.", Kind.REMOVE),
        ("A different approach: sort first.", Kind.SWITCH),
        ("Shall we drop the filter?", Kind.PROPOSAL),
        ("All tests pass now.", Kind.SUCCESS),
        ("试试布隆过滤器。", Kind.HYPOTHESIS),
        ("我改了过滤器。", Kind.ATTEMPT),
        ("还是报错。", Kind.FAILURE),
        ("算了。", Kind.DROP),
        ("换一种思路。", Kind.SWITCH),
        ("필터를 써 볼까요?", Kind.HYPOTHESIS),
        ("필터를 추가했습니다.", Kind.ATTEMPT),
        ("여전히 안 됩니다.", Kind.FAILURE),
        ("여전히 오류가 나요.", Kind.FAILURE),
        ("아직도 안 되는데?", Kind.FAILURE),
        ("필터는 포기하겠습니다.", Kind.DROP),
    ],
)
def test_what_is_stated(said: str, kind: Kind) -> None:
    assert kind in kinds(said)


@pytest.mark.parametrize(
    ("said", "kind"),
    [
        ("The list of filters was added by Tom.", Kind.DROP),
        ("If it still fails, tell me.", Kind.FAILURE),
        ("It might fail.", Kind.FAILURE),
        ("It never fails.", Kind.FAILURE),
        ("There were no errors.", Kind.FAILURE),
        ('He wrote "it still fails".', Kind.FAILURE),
        ("Does it still fail?", Kind.FAILURE),
        ("I raised the timeout.", Kind.FAILURE),
        ("It isn't fixed.", Kind.SUCCESS),
        ("It would be fixed.", Kind.SUCCESS),
        ("The crash is gone but the page jumps.", Kind.SUCCESS),
        ("There is no need to drop the filter.", Kind.DROP),
        ("不行的话再说。", Kind.FAILURE),
        ("没有报错。", Kind.FAILURE),
        ("如果失败就放弃。", Kind.DROP),
        ("실패하지 않았습니다.", Kind.FAILURE),
        ("실패하면 알려 주세요.", Kind.FAILURE),
        ("여전히 오류가 나나요?", Kind.FAILURE),
        ("포기하지 않겠습니다.", Kind.DROP),
    ],
)
def test_what_is_not_stated(said: str, kind: Kind) -> None:
    assert kind not in kinds(said, who="A")


def test_signals_know_their_place() -> None:
    (step,) = talk("A: Fine.\n\nI added a filter. It still fails.")
    found, clock = signals(step, 0, load_cues(), clock=10)
    failure = next(signal for signal in found if signal.kind is Kind.FAILURE)
    assert step.text[slice(*failure.sentence)] == "It still fails."
    assert failure.clock == 12
    assert clock == 13
