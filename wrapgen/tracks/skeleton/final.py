"""The last version of every file that a conversation wrote or showed in a code block, as signatures."""

import posixpath
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from operator import attrgetter

from wrapgen.text.display import visible
from wrapgen.tracks.record import FileState, Interface, TurnRecord
from wrapgen.tracks.skeleton.outline import Declaration, ReadingTime, UnreadableError, known, outline

_FENCE = re.compile(r"^([ \t]*)(`{3,}(?=[^`\n]*$)|~{3,})([^\n]*)$", re.MULTILINE)
_SUFFIXES = (
    "astro bat c cc cfg cjs clj cpp cs css csv cts dart env ex exs fish gd go gradle graphql h hpp hs html ini ipynb "
    "java jl js json jsonc jsx kt kts less lock lua m md mdx mjs ml mod mts nix php pl prisma proto ps1 py pyi pyw r "
    "rb rs rst sass scala scss sh sql svelte swift tf toml ts tsx txt vue xml yaml yml zig zsh"
)
# A path has no blanks here: words before it in a sentence would be taken for its folders.
_PATH = r"(?:[A-Za-z]:)?[\w@~.+()\[\]$/\\-]*[\w)\]]\.(?:" + "|".join(_SUFFIXES.split()) + ")"
_ONLY_PATH = re.compile(_PATH)
_IN_INFO = re.compile(
    rf"(?:(?:title|file|filename|path|name|src)\s*[=:]\s*|\d+:\d+:|(?<=\w):(?!//)|(?<![\w/\\:.]))"
    rf"[\"'{{`]*({_PATH})(?![\w/\\.])"
)
_LABEL = r"(?:(?:new |updated )?(?:file(?:name|path)?|path|文件|路径|파일|경로)\s*+[:：]?\s*+)?"
_MARKS = "*_`#>:：\"'()[]-–—•→ \t"
# Marks are never given back to the path, but for the one letter that a name like `_.md` consists of.
_LEAD = re.compile(
    rf"(?:[*`#>\s-]|_(?!\.))*+(?:\d+[.)]\s*+)?(?:[*`\s-]|_(?!\.))*+{_LABEL}(?:[*`\"'(\[]|_(?!\.))*+({_PATH})"
    r"(?![^\W_])",  # `.tsx` is not `.ts`
    re.IGNORECASE,
)
_QUOTED = re.compile(rf"`({_PATH})`")
_COMMENT = re.compile(rf"\s*(?:#|//|--|;|/\*+|<!--)\s*{_LABEL}({_PATH})\s*+(?:\*/|-->)?\s*+$", re.IGNORECASE)
# Characters. A line that says more is no title; and the patterns' time grows by the square of its length.
_LONGEST = 300


@dataclass(frozen=True, slots=True)
class CodeBlock:
    """A fenced block of a message."""

    tag: str  # the language that its fence names, lower case; empty without one
    name: str  # the file that it says it is, empty when it does not
    text: str  # the code


def code_blocks(text: str) -> Iterator[CodeBlock]:
    """The fenced blocks of a message in order; one that is not closed ends with the message."""
    opening: re.Match[str] | None = None
    above = 0
    for fence in _FENCE.finditer(text):
        if opening is None:
            opening = fence
        elif fence[2].startswith(opening[2]) and not fence[3].strip():
            yield _block(opening, text[above : opening.start()], text[opening.end() + 1 : fence.start()])
            opening, above = None, fence.end()
    if opening is not None:
        yield _block(opening, text[above : opening.start()], text[opening.end() + 1 :])


def _block(opening: re.Match[str], above: str, code: str) -> CodeBlock:
    info = opening[3][:_LONGEST].strip()
    if opening[1]:  # the fence, and so the code, is indented: a block may stand in a list item
        code = re.sub(rf"^[ \t]{{1,{len(opening[1])}}}", "", code, flags=re.MULTILINE)
    first = re.match(r"[\w+#.-]*", info)
    tag = first[0].lower() if first else ""
    if _ONLY_PATH.fullmatch(info):
        tag = ""
    in_info, in_comment = _IN_INFO.search(info), _COMMENT.match(code[: 2 * _LONGEST].lstrip().partition("\n")[0])
    # A comment may speak of any file; only of code it is taken for the name of the block.
    commented = in_comment[1] if in_comment and _by_suffix(in_comment[1]) else ""
    name = in_info[1] if in_info else _above(above) or commented
    return CodeBlock(tag, name, code)


def _above(text: str) -> str:
    """The file that the last line above a block names: all of the line, or the only quoted one of a lead-in."""
    lines = text[-2 * _LONGEST :].rstrip().splitlines()
    line = lines[-1].strip() if lines else ""
    if len(line) > _LONGEST:
        return ""
    lead = _LEAD.match(line)
    if lead and not line[lead.end() :].strip(_MARKS):
        return lead[1]
    quoted = set(_QUOTED.findall(line)) if line.endswith((":", "：")) else set()
    return quoted.pop() if len(quoted) == 1 else ""


PATIENCE = 3.0  # seconds of processor time for all sources together; the oldest ones are left unread when it is over
_FAMILIES = {"typescript": "javascript", "tsx": "javascript"}


@dataclass(frozen=True, slots=True)
class _Version:
    name: str  # as it is listed
    language: str  # a grammar's name, or empty
    text: str  # all of it
    gone: bool = False  # the file was deleted
    nameless: bool = False  # a code block that names no file


def interfaces(turns: Iterable[TurnRecord], files: Iterable[FileState] = ()) -> tuple[Interface, ...]:
    """Signatures of every file in its final version, in the order of these versions.

    What a tool wrote is what a file holds: a code block of the same path is an excerpt of it, and left out. Of code
    blocks that name no file, only what is declared nowhere later is shown.
    """
    patience = ReadingTime(PATIENCE)
    # The newest first: they matter most when time is short.
    newest_first = [(version, _read(version, patience)) for version in _final(turns, files)]
    return tuple(_listed(newest_first))[::-1]


def _final(turns: Iterable[TurnRecord], files: Iterable[FileState]) -> list[_Version]:
    """The last version of each file and block, the newest first."""
    written: dict[int, list[FileState]] = {}
    for state in files:
        written.setdefault(state.turn, []).append(state)
    last: dict[tuple[str, ...], _Version] = {}
    for turn in turns:
        told = [*_shown(turn)]
        for state in written.get(turn.turn, ()):
            version = _Version(state.path, _by_suffix(state.path), state.text, state.gone)
            told.append((("written", _key(state.path)), version))
        for key, version in told:
            last.pop(key, None)
            last[key] = version
    # A block may name the end of a path that a tool wrote, or of a file deleted since.
    taken = [f"/{key[1]}" for key, version in last.items() if key[0] == "written" and not version.gone]
    final = []
    for key, version in reversed(last.items()):
        if version.gone:
            taken.append(f"/{key[1]}")
        elif key[0] != "shown" or not any(path.endswith(f"/{key[1]}") for path in taken):
            final.append(version)
    return final


def _shown(turn: TurnRecord) -> Iterator[tuple[tuple[str, ...], _Version]]:
    """The code blocks of a turn, each with what tells it from others."""
    for number, block in enumerate(code_blocks(turn.text), start=1):
        tagged, language = known(block.tag), _by_suffix(block.name)
        if not block.name and tagged:
            name = f"code block {number}" if number > 1 else "code block"
            key = ("nameless", tagged, block.text)
            yield key, _Version(f"{name} in turn {turn.turn}", tagged, block.text, nameless=True)
        elif block.name and (tagged or not block.tag or not language):  # else a patch, or what a command said of it
            yield ("shown", _key(block.name)), _Version(block.name, language or tagged, block.text)


def _read(version: _Version, patience: ReadingTime) -> list[Declaration] | None:
    """What a version declares, None when it cannot be read."""
    try:
        return outline(version.text, version.language, patience) if version.language else None
    except UnreadableError:
        return None


def _listed(newest_first: Sequence[tuple[_Version, list[Declaration] | None]]) -> Iterator[Interface]:
    """Interfaces in the order given; of a nameless block only what no later source and no file declares alike."""
    in_files = {entry.lines for version, read in newest_first if not version.nameless for entry in read or ()}
    later: set[tuple[str, str]] = set()
    for version, read in newest_first:
        family = _FAMILIES.get(version.language, version.language)
        shown = read or []
        if version.nameless:
            shown = [entry for entry in shown if entry.lines not in in_files and (family, entry.name) not in later]
        later.update((family, entry.name) for entry in read or ())
        if shown or not (version.nameless and read is not None):
            lines, bare = (
                tuple(visible(line) for entry in shown for line in kind(entry))
                for kind in (attrgetter("lines"), attrgetter("bare"))
            )
            yield Interface(visible(version.name), version.language, lines, bare, readable=read is not None)


def _key(path: str) -> str:
    """What paths of the same file have in common."""
    path = posixpath.normpath(path.replace("\\", "/"))
    return path[0].lower() + path[1:] if path[1:2] == ":" else path


def _by_suffix(path: str) -> str:
    return known(posixpath.basename(path.replace("\\", "/")).rpartition(".")[2])
