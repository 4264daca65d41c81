"""The guard: whether two alike texts are two pieces of work. PURE.

One idea: they are when each side has a word of content that the other lacks (a swap), when one side alone has a
negation, or when their position labels differ. Words added on one side alone are details of the same work.
"""

import re
from collections import Counter
from functools import lru_cache

from rapidfuzz.distance import OSA

from wrapgen.late_pattern import late
from wrapgen.text.folding import ComparableText, split_label, trim

# Comparisons of one left-over word with another; texts that differ in more are not forms of one item.
_TOO_MANY = 10_000
# Characters shown of a longer difference.
_SHOWN = 40

# Words that name no work.
_FILLERS = frozenset(
    """a an the this that these those it its i me my we our you your he his she her they them their and or of at by for
    with as via per across about is are be been being was were am do does did done has have had will would shall should
    can could may might must need needs needed please also just still then so such very properly correctly successfully
    all each every entire whole any some there here when while which who what how if than too only etc eg ie vs existing
    new current currently now re make sure 및 그리고 또는 등 것 수 좀 더 또 관련 대한 위한 있는 하는 되는""".split()  # noqa: SIM905
)
_HAN_FILLERS = late(
    "进行|一下|是否|需要|应该|已经|可以|[的了吗呢吧地得请将把并等再去来对于在就也都还要和与及跟为给向到至]"
)
_NOT = "not"
_NEGATIONS = frozenset(
    """not no never none neither nor without cannot cant dont doesnt didnt isnt arent wasnt werent wont shouldnt couldnt
    hasnt havent except unless prevent avoid stop nicht kein keine nie ohne sans ne pas aucun sin nunca nao sem не нет
    без никогда 안 못 不 未 无 無 没 沒 非 别 勿 禁""".split()  # noqa: SIM905
)
_NEGATES = late(r"(?:않|못하|없|아니|말[고기것]|금지).*|.*(?:ません|ない|なく|ずに).*")
# What a word is done to or from; these are compared by the word that they stand before.
_OPPOSED = {("to", "from"), ("into", "from"), ("in", "out"), ("on", "off"), ("up", "down"), ("over", "under")}
_DIRECTIONS = frozenset(word for pair in _OPPOSED for word in pair)
# What one person writes where another writes the next; the first stands for all of a line.
_GROUPS = """verify check confirm ensure validate test
fix repair resolve
remove delete
add create write implement
schedule book
update refresh
documentation docs doc
database db
检查 核对 查看 验证 确认 测试 檢查 確認
修复 修正 解决
删除 移除
添加 增加 新增
1 one
2 two
3 three
4 four
5 five"""
_HEADS = {word: line.split()[0] for line in _GROUPS.splitlines() for word in line.split()}
_HAN_GROUPS = late("|".join(word for word in _HEADS if "\u4e00" <= word[0] <= "\u9fff"))
_INFLECTIONS = frozenset(("", *"s es ed d ing e y ies ied".split()))  # noqa: SIM905
_DERIVATIONS = _INFLECTIONS | frozenset(
    "er ers or ors ion ions ation ations ment ments al ally ly ize izing ization".split()  # noqa: SIM905
)
_ENGLISH_ENDING = late(r"(?:s|es|d|ed|ing)$")
_BRITISH = late(r"(?<=[a-z]{3})(?:is(?=(?:e[sd]?|ing|ations?)$)|our(?=s?$|ed$|ing$))")
_KOREAN_ENDING = late(
    "(?:을|를|이|가|은|는|의|에|에서|으로|로|와|과|도|만|까지|부터|에게|들|하기|하고|한|할|해|해서|했음|했다|합니다|하여|한다|하다|하는지|하도록|하는"
    "|되게|되는|된|될|되기|됨|함|기|음|임|시|적인?|용)$"
)
_HIRAGANA_ENDING = late(
    "^[をがはにでとのへもや]|(?:[をがはにでとのへもやるたていく]|から|まで|する|した|して|しま(?:す|した)|です|ます)+$"
)
_TWO_WORDS = late(r"\b(set|clean|log|sign|check|roll|back)[ -](up|in|out)\b", re.I)
_JOINT = r"(?:(?<![\w./-])\w{1,40}/|[、&+]|\b(?:and|or)\s|[및和或]\s*)\s*"
_NO_PATH = r"(?![\w.-]*[./]\w)"
# In a text with single blanks: what counts on by itself, so that tomorrow's copy of an item shows another number.
_COUNTER = late(
    r"""\(?(?<!\d)\d++(?:/\d++)?\s?(?:개\s?남음|건\s?남음|일째|회째|번째|주째|개월째|日目|回目|週目|天(?=[了前未）)])
    |일(?=\s?(?:[(\[,.;)–—-]|$|경과|동안|연속|지남|지연|초과|전))
    |%\s?(?:done|complete\w{0,4}|finished|완료|진행|完成|完了)
    |(?:st|nd|rd|th)\s(?:day|week|month|time|attempt|reminder|notice|request)\b
    |(?:st|nd|rd|th)?\s?(?:consecutive\s)?(?:days?|weeks?|months?|hours?|times?|items?)?\s?
     (?:old|overdue|open|late|ago|left|remaining|running|stale|pending|blocked|waiting|done|so\ far|to\ go|in\ a\ row)\b
    |\s?(?:days?|weeks?|months?|hours?|일|주|개월|시간|天|周|日)\s?\))
    |(?<=\()(?:day|week|attempt|第)\s?\#?\d++\s?[天次周日]?(?=\s?\))""",
    re.X | re.I,
)
_THOUSANDS = late(r"(?<=\d),(?=\d{3}\b)")
_TOKEN = late(
    r"""\b[a-z](?:\+\+|\#)(?!\w) | (?P<letters>[a-z\u00df-\u024f]+) | (?P<korean>[가-힣ㄱ-ㆎ]+)
    | (?:(?<![\w.)])[+-])?\d+(?:[.:-]\d+)* | [\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]
    | (?P<hiragana>[\u3041-\u309f]+) | [\u30a1-\u30faー]+ | [=!<>]=+ | [<>≤≥≠€£¥$%‰] | && | \|\| | [^\W\d_]+""",
    re.X,
)


def refusal(one: ComparableText, other: ComparableText) -> str | None:
    """What tells two texts apart ("swapped number: 3 / 5"); None when nothing does."""
    return _labels(one.label, other.label) or _swap(one, other)


def _labels(one: str, other: str) -> str | None:
    """Two labels of one sort with different numbers; "6.6" and "AC9" are two sorts and may mean one thing."""
    (sort, _, number), (other_sort, _, other_number) = one.rpartition(" "), other.rpartition(" ")
    if number and other_number and sort == other_sort and number != other_number:
        return f"different label: {one} / {other}"
    return None


def _swap(one: ComparableText, other: ComparableText) -> str | None:
    (mine, my_ends), (theirs, their_ends) = _content(one), _content(other)
    for word in sorted(my_ends.keys() & their_ends.keys()):
        if {(my_ends[word], their_ends[word]), (their_ends[word], my_ends[word])} & _OPPOSED:
            return f"exchanged ends: {my_ends[word]} {word} / {their_ends[word]} {word}"
    left, rest = _leftovers(mine, theirs)
    if (_NOT in left) != (_NOT in rest):
        return f"negated: {_said(left)} / {_said(rest)}"
    if not left or not rest:
        return _widened(one.text, left) or _widened(other.text, rest)
    kinds = {_kind(first) for first, *_ in (left, rest)}
    kind = kinds.pop() if len(kinds) == 1 else "word"
    return f"swapped {kind}: {_said(left)} / {_said(rest)}"


def _kind(word: str) -> str:
    return "number" if word[-1].isdigit() else "word" if word[0].isalnum() else "sign"


def _said(left: list[str]) -> str:
    joined = " ".join(left) or "-"
    return joined if len(joined) <= _SHOWN else joined[: _SHOWN - 1] + "…"


def _widened(text: str, added: list[str]) -> str | None:
    """A further member of a list ("code" / "code/data") is more work, no detail: 3 of 56 labelled pairs let through."""
    member = next((word for word in added if re.search(f"{_JOINT}{re.escape(word)}{_NO_PATH}", text)), None)
    return f"widened list: {member}" if member else None


def _leftovers(mine: tuple[str, ...], theirs: tuple[str, ...]) -> tuple[list[str], list[str]]:
    """The words of each side that the other lacks in every form."""
    ours, others = Counter(mine), Counter(theirs)
    left, rest = [*(ours - others)], [*(others - ours)]
    if len(left) * len(rest) > _TOO_MANY:
        return left, rest
    for word in [*left]:
        if twin := next((twin for twin in rest if _akin(word, twin)), None):
            left.remove(word)
            rest.remove(twin)
    left, rest = _unjoined(left, rest)
    rest, left = _unjoined(rest, left)
    return left, rest


def _unjoined(apart: list[str], together: list[str]) -> tuple[list[str], list[str]]:
    """Without words that one side writes together and the other apart ("free text", "FreeText")."""
    for start in range(len(apart)):
        for end in range(start + 2, min(start + 4, len(apart)) + 1):
            if (joined := "".join(apart[start:end])) in together:
                return _unjoined([*apart[:start], *apart[end:]], [word for word in together if word != joined])
    return apart, together


@lru_cache(maxsize=8192)
def _akin(one: str, other: str) -> bool:
    """Whether two words are one, inflected, shortened or mistyped."""
    if one[0] != other[0] or not one.isalpha() or not other.isalpha():
        return False
    short, long = sorted((one, other), key=len)
    if len(short) >= 4 and len(long) >= 9 and long.startswith(short):
        return True
    start = next((at for at in range(len(short)) if one[at] != other[at]), len(short))
    for stem in range(start, max(3, start - 3) - 1, -1):
        # A consonant may be doubled before an ending ("run" + "ning").
        rests = {
            rest[1:] if len(rest) > 1 and rest[0] == one[stem - 1] else rest for rest in (one[stem:], other[stem:])
        }
        if rests <= (_DERIVATIONS if stem >= 5 else _INFLECTIONS) and rests != {"", "e"}:
            return True
    if len(long) < 7 or OSA.distance(one, other, score_cutoff=1) > 1:
        return False
    return len(long) >= 10 or len(short) < len(long) or sorted(one) == sorted(other)


@lru_cache(maxsize=16384)
def _content(text: ComparableText) -> tuple[tuple[str, ...], dict[str, str]]:
    """A text's words of content, and for those behind a direction ("to", "from") which one it is."""
    source = trim(" ".join(text.source.replace("*", "").split()))
    if text.label:
        source = split_label(source)[1]
    source = _THOUSANDS.sub("", _COUNTER.sub(" ", source)).replace("'", "").replace("’", "")
    source = _HAN_GROUPS.sub(lambda found: _HEADS[found[0]], _TWO_WORDS.sub(r"\1\2", source))
    source = _HAN_FILLERS.sub(" ", source)
    found: list[str] = []
    ends: dict[str, str] = {}
    direction = ""
    for match in _TOKEN.finditer(source.lower()):
        word = _levelled(match, source)
        if word in _DIRECTIONS:
            direction = word
        elif word:
            found.append(word)
            if direction:
                ends[word], direction = direction, ""
    if direction and found:
        ends[found[-1]] = direction
    return tuple(found), ends


def _levelled(match: re.Match[str], source: str) -> str:
    """A word as it is compared; "" for what names nothing."""
    word = match[0]
    if word in _NEGATIONS or _NEGATES.fullmatch(word):
        return _NOT
    if match.lastgroup == "hiragana":
        word = _HIRAGANA_ENDING.sub("", word)
        return word if len(word) > 1 else ""
    if match.lastgroup == "korean":
        word = _korean_stem(word)
    elif match.lastgroup == "letters" and len(word) == 1:
        return word if _is_name(match, source) else ""
    if word in _FILLERS:
        return ""
    bare = _ENGLISH_ENDING.sub("", word) if len(word) > 4 else ""
    word = _BRITISH.sub(lambda found: "iz" if found[0] == "is" else "or", word)
    return _HEADS.get(word) or _HEADS.get(bare) or _HEADS.get(bare + "e", word)


def _is_name(match: re.Match[str], source: str) -> bool:
    """Whether a single letter names something ("host a", "server B", "4b") and is no article."""
    before, letter = source[: match.start()], source[match.start() : match.end()]
    if match[0] not in "ai" or before[-1:].isdigit():
        return True
    after = re.match(r"\s+([a-z]+)", source[match.end() :], re.I)
    if not before.strip() or after is None:
        return after is None
    return letter.isupper() or after[1] in _FILLERS or after[1] in _DIRECTIONS


def _korean_stem(word: str) -> str:
    for _ in range(2):
        stem = _KOREAN_ENDING.sub("", word)
        if len(stem) < 2:
            break
        word = stem
    return word
