"""Folding of an item's text for matching: what two people would write differently about the same words is levelled.

Pure. The parser has already taken away metadata (due dates, priority marks) and the leading project tag.
"""

import hashlib
import re
import unicodedata
from urllib.parse import unquote

import msgspec

from wrapgen.late_pattern import late

# No bracket inside a bracket, or a row of unfinished ones would cost the square of its length.
_LINK = late(r"!?\[\[(?:([^\[\]|]*)\|)?([^\[\]|]+)\]\]|!?\[([^\[\]]*)\]\(([^()]*)\)")
_TITLE = late(r"""(?<!\s)\s++["'].*$""", re.S)
# What says how to get there, not where to: copies of a line stand in folders of different depths.
_WAY = late(r"(?:https?://(?:www\.)?|(?:\.{0,2}/)+)")


def without_targets(text: str) -> tuple[str, tuple[str, ...]]:
    """Put their labels in the place of a text's links."""
    targets: dict[str, None] = {}

    def label(found: re.Match[str]) -> str:
        note, name, said, address = found.groups()
        if target := _level(address if note is None and name is None else note or name):
            targets[target] = None
        return name or said or ""

    return _LINK.sub(label, text), tuple(targets)


def _level(written: str) -> str:
    """A target without what two people would write differently."""
    address = unquote(_TITLE.sub("", written.strip())).strip("<>").casefold()
    return _WAY.sub("", address, count=1).rstrip("/").removesuffix(".md")


def swapped_targets(one: tuple[str, ...], other: tuple[str, ...]) -> str | None:
    """Refuse links of which each text has one that the other lacks; one without links may be a copy that lost them."""
    if one == other or not one or not other:
        return None
    only_one = [target for target in one if not any(_same(target, their) for their in other)]
    only_other = [target for target in other if not any(_same(target, mine) for mine in one)]
    return f"swapped link: {only_one[0]} / {only_other[0]}" if only_one and only_other else None


def _same(one: str, other: str) -> bool:
    """Whether two targets are one: a path may begin at any folder."""
    return one == other or one.endswith(f"/{other}") or other.endswith(f"/{one}")


# Characters. Comparing two texts takes the product of their lengths; no piece of work needs as many words.
LONGEST = 2_000
_MARKS = str.maketrans("", "", "*_`")

# Pictographs, arrows excluded: status marks such as a check, a red circle or an hourglass at either end of a line.
_PICTOGRAPH = late("[\U0001f000-\U0001faff\u2300-\u23ff\u2600-\u27bf\u2b50-\u2b55\u25a0-\u25ff\ufe0f\u200d\u20e3]")
_OPENING = " \t\r\n-–—•·>:;,.!?…。、"
_CLOSING = " \t\r\n-–—•·:;,.!?…。、"

# A word that names a place in a plan and takes a number; those of the first group need no delimiter behind the number.
_PLAIN_SORTS = "step|phase|task|ac|단계|ステップ|手順"
_DELIMITED_SORTS = (
    "stage|part|milestone|sprint|day|week|section|chapter|item|story|requirement|req|fr|nfr|us|tc"
    "|스텝|페이즈|작업|步骤|阶段|任务|フェーズ|タスク"
)
_LABEL = late(
    rf"""^[\W]*
    (?:
      (?P<plain>{_PLAIN_SORTS})[ \-#.]*(?P<plain_number>\d+(?:\.\d+)*[a-z]?)\b\s*[:.)\]\-–—]*(?=\s|[^\x00-\x7f])
    | (?P<delimited>{_DELIMITED_SORTS})[ \-#.]*(?P<delimited_number>\d+(?:\.\d+)*[a-z]?)
      (?:\s*[:)\]]|\.(?=\s)|\s[\-–—](?=\s))
    | (?:第\s*)?(?P<after_number>[\d一二三四五六七八九十]+)\s*(?P<after>단계|步|阶段|段階)\s*[:.)\]、\-–—](?=\s*\S)
    | (?P<outline>\d{{1,2}}(?:\.\d{{1,2}})+[a-z]?)\s*[:.)\]\-–—]?(?=\s)
    | (?P<single>\d{{1,3}}[a-z]?)\s*[.):\]](?=\s|[^\x00-\x7f])
    )\s*(?P<rest>.*)$""",
    re.X | re.I | re.S,
)
_LABEL_STARTS = late(rf"\W*(?:\d|第|[一二三四五六七八九十]|{_PLAIN_SORTS}|{_DELIMITED_SORTS})", re.I)

# Words of several languages for one sort of label.
_SORTS = {
    "단계": "step", "스텝": "step", "步": "step", "步骤": "step", "ステップ": "step", "手順": "step", "段階": "phase",
    "阶段": "phase", "페이즈": "phase", "フェーズ": "phase", "작업": "task", "任务": "task", "タスク": "task",
    "requirement": "req",
}  # fmt: skip


class ComparableText(msgspec.Struct, frozen=True, gc=False):
    """A text made ready for comparison."""

    text: str  # folded text without its position label; single blanks, no blank at either end
    # the position label that was dropped, as `sort number` ("step 3") or the bare number ("5.5"); or ""
    label: str = ""
    # the text in Unicode's NFKC form, links replaced by their text, else as written: case, quotation marks and
    # backticks tell the guard what is a name
    source: str = ""
    whole: bool = True  # False for a text over `LONGEST`, of which only the beginning stands here, with a digest of all
    links: tuple[str, ...] = ()  # what its links lead to


def split_label(text: str) -> tuple[str, str]:
    """A leading position label ("Step 4:", "5.5", "AC16") as `sort number`, else ""; and the rest.

    A text that is nothing but a label is returned whole, because the label is then all that it says.
    """
    if _LABEL_STARTS.match(text) is None:
        return "", text
    found = _LABEL.match(text)
    if found is None or not found["rest"].strip():
        return "", text
    sort = (found["plain"] or found["delimited"] or found["after"] or "").casefold()
    number = next(
        found[name] for name in ("plain_number", "delimited_number", "after_number", "outline", "single") if found[name]
    )
    return f"{_SORTS.get(sort, sort)} {number.casefold()}".strip(), found["rest"]


def trim(text: str) -> str:
    """Take white space, closing punctuation and status pictographs off both ends, unless nothing would be left."""
    bare = text.lstrip(_OPENING).rstrip(_CLOSING)
    if not bare.isascii():
        while bare and _PICTOGRAPH.match(bare[0]):
            bare = bare[1:].lstrip(_OPENING)
        while bare and _PICTOGRAPH.match(bare[-1]):
            bare = bare[:-1].rstrip(_CLOSING)
    return bare or text.strip()


def fold(text: str) -> ComparableText:
    """Fold a text for matching."""
    whole = len(text) <= LONGEST
    if not whole:
        digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
        text = f"{text[:LONGEST]} {digest}"
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text)
    text, links = without_targets(text) if "[" in text else (text, ())
    plain = text.casefold()
    if "*" in plain or "_" in plain or "`" in plain or "~~" in plain:
        plain = plain.translate(_MARKS).replace("~~", "")
    plain = " ".join(plain.split())
    label, rest = split_label(trim(plain))
    return ComparableText(trim(rest) if label else rest, label, text, whole, links)
