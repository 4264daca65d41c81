"""Dead ends asked about: a guess, an attempt, a failure and a giving up that names the thing. PURE.

Words alone do not show what was meant, so what is found is a question until somebody confirms it. Lines such as
`dead end: NAME because REASON` are said on purpose and no question.
"""

import re
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import islice, product
from typing import NamedTuple

from wrapgen.late_pattern import late
from wrapgen.resources import cue_tables
from wrapgen.text.blocks import LEAD_LEVEL, blocks, statements
from wrapgen.text.display import beginning, one_line
from wrapgen.text.phrases import Phrases
from wrapgen.text.words import HANGUL, Folded, has_cjk, masked, stem, tokens
from wrapgen.tracks.record import NAME_LIMIT, QUOTE_LIMIT, REASON_LIMIT, Quoted, Tombstone, TurnRecord

_SAME = 0.6  # least share of words of the shorter one of two names for one dead end
LANGUAGES = ("en", "ko", "zh", "ja")
_LABELS = frozenset(["tombstone", "dead end", "墓碑", "막다른 길"])
_WITHIN = 6  # successive turns that contain all four signals
_MOST = 200  # dead ends of a conversation; more of them is not a conversation
_BEFORE = ("guessed", "did", "failed", "worked")
_MOST_SIGNS, _MOST_FAREWELLS = 12, 2_000
"""Signals of a kind that are remembered, and sentences that may give something up: no text costs more."""
# From the first of several blanks only, else a long run of them would be gone through from each.
_SECOND = late(
    r"(?<!\s)(?:\s*+——\s*|\s++[—–-]++\s+|\s*+[:：|]\s+|\s*+[,，(]?+\s*+(?:\bbecause\b|因为|因為|由于)\s*)|：", re.I
)
"""Separates a name from its reason in a labelled line."""
_EDGE = ' \t\n,，.。:：;；!！?？、-–—·…*_~"“”()（）>#'
_CLAUSE = late(
    r"[,:;()、]|\s-+\s|--|\s(?=(?:but|so|because|and|which|since|then|for now|we|let's|i'll|in favou?r)\b)"
    r"|(?<=[가-힣]고) |但是?|因为|所以|改用|换成"
)
_BECAUSE = late(r"\b(?:because(?: of)?|since|due to)\s|因为|因為|由于")
_SMALL = late(
    r"^(?:(?:the|using|with|about|of|from|on|to|a|an|this|that|our|my|it|just)\b|掉|使用|用|了)"
    r"|(?:了|吧|方案|(?:을|를) ?(?:쓰는|사용하는) ?(?:것|걸)?|を(?:使う|使用する)の?|の(?:使用|利用|導入)"
    r"|(?:은|는|을|를|이|가|도|으로|로|は|を|の|が|も|で)|\b(?:entirely|altogether|approach|idea|route|again))$",
    re.I,
)
_HANGUL = late(f"[{HANGUL}]+")
_BARE_NUMBER = late(r"\d{1,3}\Z")
_LATIN = late(r"[A-Za-z0-9]\Z")

# A label is short; marks of lists, headings and bold type may stand around it.
_LABELLED = late(r"[^\w\n]{0,12}(?P<label>\w[^:：\n]{0,39})[:：][ \t*_]*(?P<rest>\S.*)")
_MARKS = " \t*_`"
_LONGEST = 600  # characters of a sentence; what is longer is data
HOSTS_OWN = ("This session is being continued from a previous conversation", "[Request interrupted by user")
"""How the host begins its summary after a compaction, and marks an interrupted turn."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of a turn, as it was said, folded, and folded with code, quotations and paths blanked out."""

    raw: str
    folded: str  # `said` has its offsets
    said: str

    def words(self, start: int, end: int) -> str:
        folded = Folded(self.raw)
        return self.raw[folded.origin(start) : folded.origin(end)]


def labelled(text: str, labels: frozenset[str]) -> Iterator[str]:
    """What stands behind one of some labels (in lower case) that a line begins with."""
    folded = text.casefold()
    if text.startswith(HOSTS_OWN) or not any(label in folded for label in labels):
        return
    for block in blocks(text):
        if block.shape == "row" or block.fenced:
            continue
        for line in text[block.start : block.end].splitlines():
            match = _LABELLED.match(line)
            if match and match["label"].strip(_MARKS).casefold() in labels:
                yield match["rest"].strip(_MARKS)


def sentences(text: str) -> Iterator[Sentence]:
    """The sentences of a turn's paragraphs and list items, in order."""
    if text.startswith(HOSTS_OWN):
        return
    for block in blocks(text):
        if block.fenced or not (block.shape in ("prose", "item") or block.level == LEAD_LEVEL):
            continue
        folded = Folded(text[block.start : block.end])
        said = masked(folded.text)
        for start, end in statements(said):
            raw = folded.raw[folded.origin(start) : folded.origin(end)]
            if raw and end - start <= _LONGEST:  # a mark that combines with the next letter is not a sentence
                yield Sentence(raw, folded.text[start:end], said[start:end])


@cache
def phrases(name: str) -> Phrases:
    """The words of a signal in all languages: conversations mix them."""
    table = cue_tables("tracks")[1]
    listed = table.get(name) or {language: table[language].get(name, []) for language in LANGUAGES}
    return Phrases(phrase for group in listed.values() for phrase in group)


class _Sign(NamedTuple):
    turn: int  # place of its turn, from 0
    place: int  # of its sentence in the turn
    start: int  # of its words in the sentence
    end: int
    sentence: Sentence


def tombstones(turns: Sequence[TurnRecord]) -> tuple[Tombstone, ...]:
    """The dead ends of a conversation in the order in which they were given up, each once; labelled ones first."""
    found: list[tuple[int, Tombstone]] = []
    lines = ((at, line) for at, turn in enumerate(turns) for line in labelled(turn.text, _LABELS))
    told = [(at, _marked(text, turns[at])) for at, text in islice(lines, _MOST)]
    for at, one in (*told, *islice(_asked(turns), _MOST)):
        if one.name and not any(same_thing(one.name, other.name) for _, other in found):
            found.append((at, one))
    return tuple(one for _, one in sorted(found, key=lambda pair: pair[0]))


def same_thing(one: str, other: str) -> bool:
    """Whether two names are of the same dead end."""
    mine, theirs = about(one), about(other)
    if not mine or not theirs:
        return one.casefold() == other.casefold()
    return len(mine & theirs) >= _SAME * min(len(mine), len(theirs))


def _marked(line: str, turn: TurnRecord) -> Tombstone:
    """What a line says that names a dead end, with the reason that it gives."""
    name, reason = line, ""
    if (parted := _SECOND.search(line)) and parted.start():
        name, reason = line[: parted.start()], line[parted.end() :]
    name, reason = cut(one_line(name), NAME_LIMIT), cut(one_line(reason).rstrip(" )）"), REASON_LIMIT)
    return Tombstone(name, reason, turn.day, (Quoted(turn.turn, cut(one_line(line), QUOTE_LIMIT)),), "said")


def _asked(turns: Sequence[TurnRecord]) -> Iterator[tuple[int, Tombstone]]:
    """The dead ends that the four signals tell, with the place of the turn that gives them up."""
    signs: dict[str, deque[_Sign]] = {name: deque(maxlen=_MOST_SIGNS) for name in _BEFORE}
    farewells = 0
    for at, turn in enumerate(turns):
        for place, sentence in enumerate(sentences(turn.text)):
            supposed = is_supposed(sentence)
            for kind, listed in signs.items():
                said = None if supposed and kind != "guessed" else phrases(kind).search(sentence.said)
                if said:
                    listed.append(_Sign(at, place, *said.span(), sentence))
            for left, name in () if supposed or farewells > _MOST_FAREWELLS else _given_up(at, place, sentence):
                farewells += 1
                if steps := _steps(left, about(name), signs):
                    yield at, _tombstone(turns, [*steps, left], name)
                    break


def _given_up(at: int, place: int, sentence: Sentence) -> Iterator[tuple[_Sign, str]]:
    """What a sentence may give up, each with its name: the words up to the end of the clause, behind or before."""
    for kind in ("left", "left_it"):
        for cue in phrases(kind).finditer(sentence.said):
            start, end = _clause(sentence, cue.start(), cue.end() + 1)
            if name := _name(sentence.words(*((cue.end(), end) if kind == "left" else (start, cue.start())))):
                yield _Sign(at, place, *cue.span(), sentence), name


def _clause(sentence: Sentence, start: int, end: int) -> tuple[int, int]:
    """Return the clause around some words."""
    ends = [one.span() for one in _CLAUSE.finditer(sentence.folded)]
    begin = max((after for _, after in ends if after <= start), default=0)
    return begin, min((before for before, _ in ends if before >= end), default=len(sentence.folded))


def _steps(left: _Sign, thing: frozenset[str], signs: dict[str, deque[_Sign]]) -> list[_Sign] | None:
    """Guess, attempt and failure before a giving up, in this order and about the thing, no success between."""
    near = {kind: [one for one in reversed(listed) if left.turn - one.turn < _WITHIN] for kind, listed in signs.items()}
    # A failure of an earlier turn tells more than the words that give the thing up.
    failures = sorted(near["failed"], key=lambda one: one.turn == left.turn)
    for failed, did, guess in product(failures, near["did"], near["guessed"]) if thing else ():
        if not guess[:3] < did[:3] < failed[:3] < left[:3]:
            continue
        helped = any(did[:3] < one[:3] < left[:3] for one in near["worked"])
        said = about(guess.sentence.folded) | about(did.sentence.folded)
        if not helped and 3 * len(thing & said) >= len(thing):
            return [guess, did, failed]
    return None


def _tombstone(turns: Sequence[TurnRecord], steps: list[_Sign], name: str) -> Tombstone:
    told = (Quoted(turns[one.turn].turn, cut(one_line(one.sentence.raw), QUOTE_LIMIT)) for one in steps)
    return Tombstone(name, _reason(steps[2]), turns[steps[3].turn].day, tuple(dict.fromkeys(told)))


def _reason(failed: _Sign) -> str:
    """Return why it failed, in the sentence's own words: behind "because", else its clause or what follows it."""
    sentence = failed.sentence
    start, end = _clause(sentence, failed.start, failed.end)
    rest = sentence.folded[end:]
    if because := _BECAUSE.search(sentence.folded, failed.start):
        start, end = because.end(), len(sentence.folded)
    elif end - failed.end < 2 and (failed.start - start < 2 or rest.startswith(":")) and len(rest.strip(_EDGE)) > 1:
        start, end = end, len(sentence.folded)  # the clause says no more than that it failed
    return cut(one_line(sentence.words(start, end)).strip(_EDGE), REASON_LIMIT)


def _name(said: str) -> str:
    """A thing's name without small words around it, "" when nothing is left."""
    name = one_line(said).strip(_EDGE)
    for _ in range(4):
        name = _SMALL.sub("", name).strip(_EDGE)
    return name if len(name) <= NAME_LIMIT else ""


def is_supposed(sentence: Sentence) -> bool:
    """Whether it says how things might be: questions, conditions, offers."""
    said = sentence.said.rstrip(".。!~ ")
    return said.endswith("?") or phrases("supposed").found(said)


@lru_cache(maxsize=4096)
def about(text: str) -> frozenset[str]:
    """The words with content of a text: Latin words by their stems, pairs of Chinese, Japanese and Korean characters.

    Chinese is taken apart at characters that only join words, Korean words lose their endings; small numbers say too
    little alone: "30 s" is not about "30 files".
    """
    folded = Folded(text).text
    stop, joints, endings = _words()
    if not folded.isascii():
        folded = joints.sub(" ", folded)
        folded = _HANGUL.sub(lambda word: endings.sub("", word[0]) or " ", folded)
    return frozenset(term for term in tokens(folded, stop) if not _BARE_NUMBER.match(term))


@cache
def _words() -> tuple[frozenset[str], re.Pattern[str], re.Pattern[str]]:
    """Words without content and their stems, what joins Chinese words, what ends Korean ones."""
    table = cue_tables("tracks")[1]
    words = table["words"]
    endings = sorted(words["endings"], key=len, reverse=True)
    return (
        frozenset(words["stop"]) | frozenset(map(stem, words["stop"])),
        re.compile("|".join(map(re.escape, words["joints"]))),
        re.compile(f"(?:{'|'.join(map(re.escape, endings))})$"),
    )


def cut(text: str, limit: int) -> str:
    """The beginning of a text that ends with a word, or between two characters where words have no blanks."""
    if len(text) <= limit:
        return text
    head = beginning(text, limit)
    if _LATIN.search(head) and text[len(head)].isascii() and not text[len(head)].isspace():
        at = head.rfind(" ")
        head = head[:at] if at > limit // 3 else head
    return head.rstrip(_EDGE)


_SHARE = 0.6  # least share of a dead end's words that a text has to say
_NAME = late(
    r"`[^`\n]+`|(?<=[^.!?\n] )[A-Z][\w.-]+|\b[a-z]+[A-Z]\w*|\b[A-Z]+[a-z]*[A-Z]\w*|\b\w+[-_.]\w+|\b[a-z]+\d\w*"
)
_LATIN_AMONG_OTHER = late(r"[A-Za-z][\w.-]{2,}")


def resembles(text: str, dead_ends: Iterable[Tombstone]) -> Tombstone | None:
    """The dead end of whose words a follow-up, a plan or a prompt says most; None when it speaks of it as gone."""
    said = about(text)
    found = [(share, one) for one in dead_ends if (share := _share(said, one)) >= _SHARE]
    if not found or _buries(text):
        return None
    return max(found, key=lambda pair: (pair[0], len(about(pair[1].name) & said)))[1]


def _share(said: frozenset[str], tombstone: Tombstone) -> float:
    name, story = about(tombstone.name), frozenset[str]().union(*(about(one.text) for one in tombstone.story))
    shared = name & said
    named = shared & _names(tombstone)
    if not shared or (len(shared | said & story) < 2 and not named):
        return 0.0
    return (len(shared) + len(named)) / (len(name) + len(named))


@lru_cache(maxsize=1024)
def _names(tombstone: Tombstone) -> frozenset[str]:
    """Words that are names: code, capitals within a sentence, Latin words among Chinese or Korean ones."""
    found: set[str] = set()
    for text in (tombstone.name, *(quoted.text for quoted in tombstone.story)):
        pattern = _LATIN_AMONG_OTHER if has_cjk(text) else _NAME
        found.update(*(about(match[0]) for match in pattern.finditer(text)))
    return frozenset(found)


def _buries(text: str) -> bool:
    """Whether a text takes something away or asks why it failed, instead of trying it."""
    said = masked(Folded(text).text)
    return any(phrases(group).found(said) for group in ("left", "left_it", "looks_back"))
