"""A text cut into the tokens that the guard compares: words, numbers, names, and runs of Han characters."""

import re
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache

from wrapgen.pipeline.guard.lexicon import chinese, english, japanese, korean
from wrapgen.pipeline.guard.variants import korean_stem
from wrapgen.text.folding import ComparableText, split_label, trim


class TokenKind(Enum):
    """What sort of thing a token names."""

    WORD = "word"
    NUMBER = "number"
    DATE = "date"
    VERSION = "version"
    NAME = "identifier"
    HAN = "characters"
    SIGN = "sign"
    JOINT = "joint"
    FILLER = "filler"


@dataclass(frozen=True, slots=True)
class Token:
    """One token of a text.

    Args:
        key: what is compared: case folded, number without separators, Korean word without its particle.
        kind: what sort of thing it names.
        index: its position among the text's tokens.
        quoted: whether it is in backticks or quotation marks, where every letter counts.
        running: whether it is a number that counts on by itself ("20th day of silence").
        quantity: whether it is a number of things or a reading ("5 failures", "72%"), neither a name nor a limit.
    """

    key: str
    kind: TokenKind
    written: str
    index: int
    quoted: bool = False
    running: bool = False
    quantity: bool = False


_MARKUP = re.compile(r"\*+|~~|(?<![^\W_])_+(?=\w)|(?<=\w)_+(?![^\W_])")
_HAN = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff々〇"
_PIECE = re.compile(
    rf"""(?P<quote>`[^`]+`|"[^"]{{1,80}}"|“[^”]{{1,80}}”|「[^」]{{1,80}}」|『[^』]{{1,80}}』|《[^》]{{1,80}}》)
    | (?P<url>https?://[^\s)>\]]+)
    | (?P<date>(?:19|20)\d\d(?:[-/.]\d{{1,2}}){{1,2}}(?![\d/])
      |\d{{4}}年\d{{1,2}}月(?:\d{{1,2}}日)?|\d{{1,2}}[月월]\s?\d{{1,2}}[日일])
    | (?P<time>\d{{1,2}}:\d\d(?::\d\d)?(?!\d))
    | (?P<ascii>[A-Za-z0-9_./\\@\#$!~{{<-][A-Za-z0-9_./\\@\#$!~'’{{}}+:=%<>-]*)
    | (?P<hangul>[가-힣ㄱ-ㆎ]+)
    | (?P<han>[{_HAN}]+)
    | (?P<hiragana>[\u3041-\u309f]+)
    | (?P<katakana>[\u30a1-\u30faー]+)
    | (?P<joint>[、·・ㆍ&+])
    | (?P<sign>[<>≤≥≠→←])
    | (?P<other>[^\W\d_]+|\d+)""",
    re.X,
)
_NUMBER = re.compile(r"#?\d[\d,]*(?:\.\d+)?(?:%|st|nd|rd|th|k|x)?", re.I)
_VERSION = re.compile(r"v\d+(?:\.\d+)*|\d+(?:\.\d+){2,}|v?\d+(?:\.\d+)+(?:-?(?:rc|alpha|beta|dev)\.?\d*)", re.I)
_TITLE = re.compile(rf"\s(?:{'|'.join(sorted(korean.TITLES))})")
_PLAIN_WORDS = re.compile(r"[A-Za-z]+(?:-[A-Za-z]+)*")
_CAMEL = re.compile(r"[a-z][A-Z]|[A-Z]{2}[a-z]{2}")
_ORDINAL = re.compile(r"(?:st|nd|rd|th)$", re.I)
# A part between slashes that only paths have.
_OF_A_PATH = re.compile(r"[._@{]|^$|^src$|^docs?$")
# Characters.
_NEAR = 60
_DATE_MARKS = re.compile(r"[-/.年月日월일]\s?")
# A place in a file moves when the file is edited.
_LINE = re.compile(r"(?<=\w)(?::\d+(?:[-:]\d+)?|#L\d+(?:-L?\d+)?)$", re.I)
_MEASURE = re.compile(r"(\d+(?:\.\d+)?)(kb|mb|gb|tb|ms|s|sec|m|min|h|hrs?|d|w|px|km|kg|usd|eur)", re.I)
_FRACTION = re.compile(r"(\d+)/(\d+)")
_CAPITALS = "ABCDEFGHJKLMNOPQRSTUVWXYZ"
_EDGES = ".:!-'’+=~<>/\\"

# Behind a number: it counts time or attempts that pass by themselves, so tomorrow's copy of the item shows another one.
_RUNNING = re.compile(
    r"""\s*(?:일째|회째|주째|개월째|년째|시간째|번째\s*(?:권고|알림|요청|시도)|日目|回目|週目|天(?:了|前|未)
    |일(?=\s*(?:[(\[,.;)\-–—]|$|경과|동안|연속|지남|지연|초과|전))
    |(?:st|nd|rd|th)?\s*(?:consecutive\s+)?(?:days?|weeks?|months?|hours?|times?)\s+
      (?:old|overdue|open|late|ago|left|remaining|running|stale|in\sa\srow|passed|without|since|pending|blocked|waiting)
    |\s+(?:(?:still|more)\s+)?(?:remaining|left|open|pending|outstanding|unresolved|unread|overdue|failing|so\sfar|to\sgo)\b
    |\s?(?:개|건|명|장)?\s?(?:남음|남았|남아)|\s?[个個件条]?(?:未完成|待处理|残り|剩余)
    |%\s*(?:done|completed?|finished|완료|진행|完成|完了)
    |/\d++\s*+(?:\w+\s+)?(?:done|completed?|finished|so\sfar|완료|진행|完成|完了)
    |(?:st|nd|rd|th)\s+(?:day|week|month|time|attempt|reminder|notice|request)\b)""",
    re.X | re.I,
)
# Around a date that says when the item was last looked at.
_AS_OF = re.compile(
    r"\b(?:as of|updated|last (?:seen|checked|touched)|carried(?: over)? from|moved from|since|截至)\s*:?\s*$", re.I
)
_STANDING = re.compile(r"\s*(?:기준|현재|时点|時点|現在)")
# Before one.
_RUNNING_UP = re.compile(
    r"(?:남은|잔여|미해결|미처리|누적)(?:\s[가-힣]+)?\s?$|(?:剩余|还剩|剩下|残り|残)\s?$"
    r"|\b(?:remaining|still|left|currently|currently at|now at)\s$",
    re.I,
)
# Behind a number that is alone in brackets with it: "(12 days)".
_TIME_PASSED = re.compile(
    r"""\s*(?:(?:(?:business|working)\s)?(?:days?|weeks?|months?|hours?|minutes?|mins?|h|d)
    |일|주|개월|시간|분|天|周|分钟?|日|週間?|%)\s*\)""",
    re.X | re.I,
)
# Around one that is there as an ordinal: "(day 12)", "（第 3 天）".
_ORDINAL_DAY = re.compile(r"\((?:day|week|attempt|try|第)\s?#?$", re.I)
_ORDINAL_END = re.compile(r"\s?(?:天|次|周|週|日)?\s?\)")
# Behind a number of things, and before one that is a name ("phase 2 tests") or a limit ("at least 80%").
_QUANTITY = re.compile(r"%|\s?(?:건|개|명|행|줄|일|시간|분|퍼센트|个|条|项|次|天|份|件|個|回)|\s+[a-z]{3,}s\b", re.X)
_NAMED = re.compile(
    r"""(?:phase|step|part|stage|task|day|week|month|chapter|section|version|release|sprint|issue|ticket|bug|pr|option|level
    |page|line|room|year|quarter|q|top|first|last|least|most|above|below|over|under|max|min|to|within|옵션|단계|제|第|[#<>≤≥=~v-])\s?$""",
    re.X | re.I,
)


def _around(text: str, piece: re.Match[str]) -> tuple[str, str]:
    """Give what is before and behind a piece, as far as it can tell what a number means."""
    return text[max(0, piece.start() - _NEAR) : piece.start()], text[piece.end() : piece.end() + _NEAR]


class _Cutter:
    """Collects the tokens of one text."""

    def __init__(self) -> None:
        self.tokens: list[Token] = []
        self.before = ""
        self.behind = ""

    def add(self, key: str, kind: TokenKind, written: str, *, quoted: bool) -> None:
        self.tokens.append(Token(key, kind, written, len(self.tokens), quoted))

    def cut(self, text: str, *, quoted: bool) -> None:
        for piece in _PIECE.finditer(text):
            group, written = piece.lastgroup or "", piece[0]
            if group == "quote":
                self.cut(written[1:-1], quoted=True)
            elif group == "ascii":
                self.before, self.behind = _around(text, piece)
                self.ascii(written, quoted=quoted)
            elif group == "hangul":
                named = written in korean.SURNAMES and _TITLE.match(text, piece.end()) is not None
                self.hangul(written, named=named, quoted=quoted)
            elif group == "date":
                before, behind = _around(text, piece)
                running = _AS_OF.search(before) or _STANDING.match(behind)
                key = _DATE_MARKS.sub("-", written).strip("-")
                self.tokens.append(Token(key, TokenKind.DATE, written, len(self.tokens), quoted, running is not None))
            elif group in _KINDS:
                self.add(written.casefold(), _KINDS[group], written, quoted=quoted)
            elif group == "hiragana":
                kind = TokenKind.WORD if any(word in written for word in japanese.NEGATIONS) else TokenKind.FILLER
                self.add(written, kind, written, quoted=quoted)
            else:
                self.word(written, quoted=quoted)

    def word(self, written: str, *, quoted: bool) -> None:
        key = written.casefold().replace("'", "").replace("’", "")
        if key in english.NUMBER_WORDS and not quoted:
            self.add(english.NUMBER_WORDS[key], TokenKind.NUMBER, written, quoted=quoted)
        elif key in english.COORDINATORS and not quoted:
            self.add("&", TokenKind.JOINT, written, quoted=quoted)
        else:
            named = len(written) == 1 and written in _CAPITALS and bool(self.tokens)  # "server A"
            filler = key in english.FILLERS and not quoted and not named
            self.add(key, TokenKind.FILLER if filler else TokenKind.WORD, written, quoted=quoted)

    def hangul(self, written: str, *, named: bool, quoted: bool) -> None:
        if written in korean.COORDINATORS:
            self.add("&", TokenKind.JOINT, written, quoted=quoted)
            return
        negates = written in korean.NEGATIONS or written.startswith(korean.NEGATION_STARTS)
        key = written if quoted or negates else korean_stem(written)
        filler = not (quoted or negates or named) and (written in korean.FILLERS or key in korean.FILLERS)
        self.add(key, TokenKind.FILLER if filler else TokenKind.WORD, written, quoted=quoted)

    def number(self, written: str, *, quoted: bool) -> None:
        ordinal = _ORDINAL.search(written)
        behind = (ordinal[0] if ordinal else "%" if written.endswith("%") else "") + self.behind
        key = _ORDINAL.sub("", written.casefold()).replace(",", "").replace("#", "")
        running = (
            _RUNNING.match(behind) is not None
            or _RUNNING_UP.search(self.before) is not None
            or (self.before.endswith("(") and _TIME_PASSED.match(behind) is not None)
            or (_ORDINAL_DAY.search(self.before) is not None and _ORDINAL_END.match(behind) is not None)
        )
        quantity = not ordinal and _QUANTITY.match(behind) is not None and _NAMED.search(self.before) is None
        self.tokens.append(Token(key, TokenKind.NUMBER, written, len(self.tokens), quoted, running, quantity))

    def ascii(self, written: str, *, quoted: bool) -> None:
        """Tell numbers, versions, paths and identifiers from words joined by a slash or a hyphen."""
        bare = written.rstrip(_EDGES).lstrip("'’-<>=+")
        if "." in bare:
            bare = _LINE.sub("", bare)
        if not bare.strip("._-"):
            return
        if _VERSION.fullmatch(bare):
            self.add(bare.casefold().removeprefix("v"), TokenKind.VERSION, bare, quoted=quoted)
        elif _NUMBER.fullmatch(bare):
            self.number(bare, quoted=quoted)
        elif fraction := _FRACTION.fullmatch(bare):
            self.behind = f"/{fraction[2]}{self.behind}"
            self.number(fraction[1], quoted=quoted)
            self.add(fraction[2], TokenKind.NUMBER, fraction[2], quoted=quoted)
        elif measure := _MEASURE.fullmatch(bare):
            self.behind = f" {measure[2]}{self.behind}"
            self.number(measure[1], quoted=quoted)
            self.word(measure[2], quoted=quoted)
        else:
            self.words_or_name(bare, quoted=quoted)

    def words_or_name(self, bare: str, *, quoted: bool) -> None:
        words = bare.replace("'", "").replace("’", "")
        if pieces := _alternatives(bare, quoted=quoted):
            for piece, joint in pieces:
                if joint:
                    self.add("&", TokenKind.JOINT, joint, quoted=quoted)
                self.ascii(piece, quoted=quoted)
        elif _PLAIN_WORDS.fullmatch(words) and not (quoted and "-" in words) and not _CAMEL.search(words):
            for word in words.split("-"):
                self.word(word, quoted=quoted)
        else:
            self.add(bare.casefold(), TokenKind.NAME, bare, quoted=quoted)


def _alternatives(bare: str, *, quoted: bool) -> list[tuple[str, str]]:
    """Cut alternatives ("code/data", "a+b", "key:value") into pieces, each with the joint before it; not paths."""
    if bare[0] in "./!~@" or "\\" in bare:
        return []
    for mark, joint in (("/", "/"), ("+", "+"), (":", ""), ("=", "")):
        pieces = bare.split(mark)
        if len(pieces) == 1 or (mark == "/" and (quoted or any(_OF_A_PATH.search(piece) for piece in pieces))):
            continue
        return [(piece, joint if place else "") for place, piece in enumerate(pieces) if piece]
    return []


_KINDS = {
    "url": TokenKind.NAME, "time": TokenKind.DATE, "han": TokenKind.HAN, "joint": TokenKind.JOINT,
    "sign": TokenKind.SIGN,
}  # fmt: skip


_STATUS = re.compile(
    rf"(?:^|\s)[(\[](?:{'|'.join(sorted(english.STATUS | korean.STATUS | chinese.STATUS))})\b[^()\[\]]{{0,30}}[)\]]",
    re.I,
)
_PHRASE = re.compile(
    rf"\b(?:{'|'.join(re.escape(phrase).replace(re.escape(' '), '[ -]') for phrase in english.PHRASES)})(?![a-z])", re.I
)


@lru_cache(maxsize=16384)
def tokens(folded: ComparableText) -> tuple[Token, ...]:
    """Cut a folded text's source, its position label aside, into tokens."""
    bare = trim(_STATUS.sub("", _MARKUP.sub("", folded.source)))
    if folded.label:
        bare = split_label(bare)[1]
    cutter = _Cutter()
    cutter.cut(_PHRASE.sub(lambda found: english.PHRASES[found[0].casefold().replace("-", " ")], bare), quoted=False)
    return tuple(cutter.tokens)


_CHINESE_FILLERS = re.compile("|".join(sorted(chinese.FILLERS, key=len, reverse=True)))
_HEADS = {word: group[0] for group in (*japanese.SYNONYMS, *chinese.SYNONYMS) for word in group[1:]}
# A head may itself belong to a later group.
_CANONICAL = {word: _HEADS.get(head, head) for word, head in _HEADS.items()}
_SYNONYM = re.compile("|".join(sorted(_CANONICAL, key=len, reverse=True)))


def han_text(cut: tuple[Token, ...]) -> str:
    """Join a text's Han characters, fillers removed and synonyms replaced by one word of their group."""
    joined = "\n".join(token.key for token in cut if token.kind is TokenKind.HAN and not token.quoted)
    levelled = _SYNONYM.sub(lambda found: _CANONICAL[found[0]], joined)
    return _CHINESE_FILLERS.sub("", levelled)
