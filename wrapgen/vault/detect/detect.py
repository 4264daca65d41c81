"""A look at notes that are there already: what `wrapgen.toml` should say so that they are read."""

from __future__ import annotations

import os
import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from wrapgen.config import LeftOut, pattern_of, role_of
from wrapgen.regular_files import text_of, whole
from wrapgen.text.patterns import ANY_DEPTH, Pattern
from wrapgen.vault import disk
from wrapgen.vault.detect.file_names import any_word, is_state_file, may_hand_over
from wrapgen.vault.detect.hand_overs import hidden_hand_overs, named_hand_overs, new_sections, told_hand_overs, touches
from wrapgen.vault.detect.proposal import TOOLS, Detected, FoundProjects, Proposal, joined, literal, task_folders
from wrapgen.vault.detect.survey import TIME, Touched
from wrapgen.vault.index import is_for_readers
from wrapgen.vault.markdown.todo_txt import is_todo_txt, looks_like_todo_txt

if TYPE_CHECKING:
    from wrapgen.vault.index import Glance

_FULL_DATE = re.compile(r"(?P<before>(?:[a-z][a-z-]*\.)*)\d{4}(?P<mark>[-_.]?)\d{2}(?P=mark)\d{2}(?!\d)")
_DAY_FIRST = re.compile(r"(?P<first>\d{2})(?P<mark>[-_.])(?P<second>\d{2})(?P=mark)\d{4}(?!\d)")
# Six digits are a day where the folder is one of daily notes.
_SIX = re.compile(r"\d{6}(?!\d)")
_DAILY = re.compile(r"daily(?:[-_ ]?notes?)?|journals?|diary|diaries|tagebuch|일기|日記|日记|diario", re.IGNORECASE)
_MONTH_AND_DAY = re.compile(r"\d{2}(?P<between>[-_.]?)\d{2}(?!\d)")
_DAY = re.compile(r"\d{2}(?!\d)")
_YEAR = re.compile(r"\d{4}")
_MONTH = re.compile(r"\d{2}")
# What is dated and no journal: articles to be published, and pieces of work that each have a file of their own.
_ARTICLES = frozenset(("_posts", "posts", "blog", "content", "articles", "article", "essays"))
_WORKS = re.compile(f"{any_word('work_file')}s?", re.IGNORECASE)
_ARTICLE = re.compile(r"^(?:layout|permalink|slug|categories|draft)\s*:", re.MULTILINE)
_FRONT = re.compile(r"---[^\S\n]*\n(.*?)\n(?:---|\.\.\.)\s*(?:\n|\Z)", re.DOTALL)
_HEAD = 4_000  # bytes in which front matter ends
_LISTED = re.compile(r"^[^\S\n]*+(?:[-*+]|\d{1,9}[.)])\s", re.MULTILINE)
# What somebody copies from, follows again and again, or has put away.
_PUT_AWAY = re.compile(rf"[\W\d_]*{any_word('put_away_folder')}[\W_]*|.*{any_word('template')}.*", re.IGNORECASE)
_TEMPLATE_FILE = re.compile(
    rf"(?:{any_word('template_file')}|.*(?:{any_word('template')}|{any_word('example')}).*)\.(?:md|markdown)",
    re.IGNORECASE,
)
_ARCHIVE_FILE = re.compile(rf"(?:.*[-_ .])?{any_word('archive_file')}[-_ .\d]*\.(?:md|markdown)", re.IGNORECASE)
_MOST_FOLDERS = 4  # below one folder; more become one glob
_MOST_FILES = 6  # in the vault's own folder


def put_away(paths: Iterable[str]) -> list[Proposal]:
    """Return templates, archives and examples: a fifth of the open boxes in people's notes are no work."""
    globs = dict(filter(None, map(_put_away_by, paths)))
    return [Proposal("ignore", glob, why) for glob, why in sorted(globs.items())]


def _put_away_by(path: str) -> tuple[str, str] | None:
    """Return what leaves a file out that is put away, and why."""
    *folders, name = path.split("/")
    at = next((at for at, folder in enumerate(folders) if _PUT_AWAY.fullmatch(folder)), None)
    if at is not None:
        return joined(literal("/".join(folders[: at + 1])), ANY_DEPTH), f"{folders[at].strip()}: left out"
    if _TEMPLATE_FILE.fullmatch(name):
        return literal(path), "a template or example: left out"
    return (literal(path), "an archive: left out") if _ARCHIVE_FILE.fullmatch(name) else None


def _is_put_away(path: str) -> bool:
    return _put_away_by(path) is not None


def daily_notes(root: Path, paths: Sequence[str]) -> list[Proposal]:
    """Return folders of notes that are named after days, those with most notes first."""
    found: dict[tuple[str, str], list[str]] = defaultdict(list)
    for path in paths:
        base, name = _dated(path)
        place = Pattern(_glob(base, name)).match(path) if name else None
        if place and place.day:
            found[base, name].append(path)
    for base, name in [*found]:
        wider = base, name.replace("DD.", "DD*.")
        if wider != (base, name) and wider in found:
            found[wider] += found.pop((base, name))
    groups = {key: notes for key, notes in found.items() if not _is_no_journal(root, key[0], notes)}
    numbers: Counter[str] = Counter()
    for (base, name), notes in groups.items():
        numbers[_glob(_above(base, name, groups), name)] += len(notes)
    ordered = sorted(numbers, key=lambda glob: (-numbers[glob], glob))
    return [Proposal("journals", glob, "notes named after days") for glob in ordered]


def _glob(base: str, name: str) -> str:
    return joined(literal(base), ANY_DEPTH if base and "/" not in name else "", name)


def _above(base: str, name: str, groups: Collection[tuple[str, str]]) -> str:
    """Return the folder highest above with notes of the same name: its pattern finds these too."""
    parts = base.split("/")
    ways = ("/".join(parts[:end]) for end in range(1, len(parts)))
    return next((way for way in ways if (way, name) in groups), base)


def _dated(path: str) -> tuple[str, str]:
    """Return a dated note's folder, but for those that only say when, and the glob of its name; else ""."""
    *folders, name = path.split("/")
    stem, dot, ending = name.rpartition(".")
    if full := _FULL_DATE.match(stem):
        mark = full["mark"]
        tail = "*" if full.end() < len(stem) else ""
        while folders and TIME.fullmatch(folders[-1]):
            folders.pop()
        return "/".join(folders), f"{literal(full['before'])}YYYY{mark}MM{mark}DD{tail}{dot}{ending}"
    if late := _DAY_FIRST.match(stem):
        mark, tail = late["mark"], "*" if late.end() < len(stem) else ""
        day_first = mark == "." or int(late["first"]) > 12
        if day_first or int(late["second"]) > 12:  # else others of its folder tell which is the month
            order = f"DD{mark}MM" if day_first else f"MM{mark}DD"
            return "/".join(folders), f"{order}{mark}YYYY{tail}{dot}{ending}"
    if _SIX.match(stem) and folders and _DAILY.fullmatch(folders[-1]):
        return "/".join(folders), f"YYMMDD{'*' if len(stem) > 6 else ''}{dot}{ending}"
    year = next((at for at, folder in enumerate(folders) if _YEAR.fullmatch(folder)), None)
    if year is None:
        return "", ""
    base, below = "/".join(folders[:year]), folders[year + 1 :]
    if partly := _MONTH_AND_DAY.match(stem):
        tail = "*" if partly.end() < len(stem) else ""
        return base, "/".join(["YYYY", *map(literal, below), f"MM{partly['between']}DD{tail}{dot}{ending}"])
    if _DAY.match(stem) and len(below) == 1 and _MONTH.fullmatch(below[0]):
        return base, f"YYYY/MM/DD{'*' if len(stem) > 2 else ''}{dot}{ending}"
    return "", ""


def _is_no_journal(root: Path, base: str, notes: Sequence[str]) -> bool:
    """Tell whether dated files are articles, dated pieces of work or measurements, by folder or by most heads."""
    folders = base.casefold().split("/")
    if _ARTICLES.intersection(folders):
        return True
    slugs = sum(not _says_only_when(path) for path in notes)
    if slugs * 2 > len(notes) and any(_WORKS.fullmatch(part) for folder in folders for part in re.split(r"\W", folder)):
        return True
    return sum(_is_article_or_data(root / path) for path in notes) * 2 > len(notes)


def _says_only_when(path: str) -> bool:
    stem = path.rpartition("/")[2].rpartition(".")[0]
    return re.sub(r"[\d\W_]", "", stem).casefold()[:3] in ("", "mon", "tue", "wed", "thu", "fri", "sat", "sun")


def _is_article_or_data(file: Path) -> bool:
    try:
        with disk.opened(file) as descriptor:
            head = disk.content(descriptor, _HEAD).decode("utf-8-sig", "replace").replace("\r\n", "\n")
    except OSError:
        return False
    front = _FRONT.match(head)
    if front is not None and _ARTICLE.search(front[1]) is not None:
        return True
    lines = [line for line in head.splitlines() if line.strip()]
    return sum(line.lstrip().startswith("|") for line in lines) * 2 >= len(lines) > 0 and not _LISTED.search(head)


def lists(paths: Iterable[str]) -> list[Proposal]:
    """Return files with open boxes, by folder."""
    tops: dict[str, set[str]] = defaultdict(set)
    endings: dict[str, set[str]] = defaultdict(set)
    for path in paths:
        folder = path.rpartition("/")[0]
        top = folder.partition("/")[0]
        tops[top].add(folder if folder else path)
        endings[top].add(path.rpartition(".")[2])
    found: list[str] = []
    for top, below in sorted(tops.items()):
        ending = ",".join(sorted(endings[top]))
        name = f"*.{{{ending}}}" if "," in ending else f"*.{ending}"
        if not top:
            found += sorted(map(literal, below)) if len(below) <= _MOST_FILES else [name]
        elif len(below) > _MOST_FOLDERS:
            of_projects = _OF_PROJECTS.fullmatch(top)
            found += [_of_project(top, name)] if of_projects and top in below else []
            found.append(joined(literal(top), "<project>" if of_projects else "", ANY_DEPTH, name))
        else:
            found += dict.fromkeys(_of_project(folder, name) for folder in sorted(below))
    return [Proposal("lists", glob, _OF_EACH if "<project>" in glob else "files with open boxes") for glob in found]


def _of_project(folder: str, name: str) -> str:
    """Return the glob of a folder's notes: right below a folder of projects each folder, and each note, is one."""
    parts = folder.split("/")
    at = next((at for at, part in enumerate(parts, 1) if _OF_PROJECTS.fullmatch(part)), len(parts) + 1)
    if at == len(parts):
        return joined(literal(folder), name.replace("*", "<project>"))
    below = ["<project>"] if at < len(parts) else []
    return joined(*map(literal, parts[:at]), *below, *map(literal, parts[at + 1 :]), name)


def todo_txt_files(root: Path) -> Iterator[Proposal]:
    """Yield files that somebody keeps in the format of todo.txt; beside the notes the name alone says so."""
    start = len(f"{root}/")
    for entry in disk.below(root, _NOT_NOTES):
        path = entry.path[start:].replace("\\", "/")
        if is_todo_txt(path) and not any(part.startswith(".") for part in path.split("/")):
            text = text_of(entry.path)
            if (path.casefold() == "todo.txt" and text.strip()) or looks_like_todo_txt(text):
                yield Proposal("lists", literal(path), "todo.txt")


_NOT_NOTES = (".git", "node_modules")  # what no notes are in, and a walk takes long
# How deep below the folder the settings of a tool are looked for: a repository may hold more than the notes.
_DEPTH = 2
_LIST = re.compile(r"(?:.*[-_ .])?(?:plan|roadmap|progress|backlog|todo|tasks)s?", re.IGNORECASE)
_NO_PROJECT = re.compile(rf"[\W\d_]*{any_word('no_project')}[\W\d_]*|\..*|\d{{4}}.*", re.IGNORECASE)
# What makes the folder itself a repository of something.
_REPOSITORY = (".git", "package.json", "pyproject.toml", "Cargo.toml", "go.mod", "CLAUDE.md", "AGENTS.md", "README.md")
# Folders that hold projects; in others the folders are parts of the one that all is about.
_HOLDERS = re.compile(
    r"[\W\d_]*(?:projects?|apps|packages|services|clients?|repos|products|work)[\W\d_]*", re.IGNORECASE
)
# Folders in which each note is about a project.
_OF_PROJECTS = re.compile(rf"[\W\d_]*{any_word('projects_folder')}[\W\d_]*", re.IGNORECASE)
_OF_EACH = "notes of projects, with open boxes"
_MOST = 12


def detect(glance: Glance, touched: Mapping[str, Touched] | None = None, *, anew: bool = False) -> Detected:
    """Find out how the notes of a folder are kept, as far as its configuration does not read them yet.

    Args:
        touched: what the last commits say of each file; None to ask git.
        anew: whether a file that `[sources] lists` names may be proposed as a hand-over.
    """
    root, config = glance.root, glance.config
    touched = touches(root) if touched is None else touched
    notes = glance.surveyed or glance.survey()
    said = [read(root, inside) for inside in _folders(root) for name, read in TOOLS if (root / inside / name).exists()]
    asked = [one for settings in said for one in settings.proposals]
    talks = [Pattern(glob).match for glob in config.sources.transcripts]
    others = (one.path for one in glance.listing.others if not any(match(one.path) is not None for match in talks))
    rest = _Rest([path for path in others if "\\" not in path])
    boxed = {path for path in rest.paths if path in notes.boxes}
    listed = [one.path for one in glance.listing.found if anew and literal(one.path) in config.sources.lists]
    proposals = rest.take(one for one in asked if one.key == "ignore")
    proposals += rest.take(put_away(path for path in rest.paths if path in boxed))
    current = [path for path in (*rest.paths, *listed) if not _is_put_away(path)]
    proposals += rest.take(named_hand_overs(current, notes.document, touched, config.names), listed)
    proposals += rest.take(one for one in asked if one.key == "journals")
    proposals += rest.take(daily_notes(root, rest.paths))
    proposals += rest.take(task_folders(root, rest.paths))
    current = [path for path in (*rest.paths, *listed) if not (_is_put_away(path) or is_for_readers(path))]
    proposals += rest.take(told_hand_overs(current, notes.document, touched, config.names), listed)
    partly = [one.path for one in glance.listing.found if not role_of(one.path, config.sources).whole]
    proposals += new_sections(partly, notes.document, touched, config)
    read = {one.path for one in glance.listing.found}
    proposals += (one for one in hidden_hand_overs(root, touched, config.names) if one.glob not in read)
    proposals += rest.take(lists(path for path in rest.paths if path in boxed))
    left_out, ignoring = LeftOut(config), [Pattern(one.glob).match for one in proposals if one.key == "ignore"]
    texts = (one for one in todo_txt_files(root) if one.glob not in read and not left_out.takes(one.glob))
    noted = [one.path for one in (*glance.listing.found, *glance.listing.others) if not left_out.takes(one.path)]
    kept = [path for path in noted if not any(match(path) for match in ignoring)]
    told = [pattern_of(one.glob).match for one in proposals if "<project>" in one.glob]
    named = (place.project for match in told for path in kept if (place := match(path)))
    known = (*glance.listing.projects, *config.projects, *filter(None, named))
    return Detected(
        (*proposals, *texts),
        next((one.task_filter for one in said if _is_used(root, boxed, one.task_filter)), ""),
        next((one.states for one in said if one.states), {}),
        projects=FoundProjects({}) if config.project else _projects(root, kept, known),
    )


def _is_used(root: Path, paths: Iterable[str], task_filter: str) -> bool:
    """Tell whether a file with open boxes holds the filter: one that was set and forgotten would hide every task."""
    if not task_filter:
        return False
    tag = task_filter.encode()
    for path in paths:
        with suppress(OSError):
            if tag in whole(root / path):
                return True
    return False


class _Rest:
    def __init__(self, paths: list[str]) -> None:
        self.paths = paths

    def take(self, proposals: Iterable[Proposal], also: Collection[str] = ()) -> list[Proposal]:
        """Return the proposals that account for some of the files, or of `also`; the files are taken away."""
        good: list[Proposal] = []
        taken: set[str] = set()
        for one in proposals:
            match = pattern_of(one.glob).match
            fits = [path for path in (*self.paths, *also) if (place := match(path)) and not place.impossible]
            # Two sections of one file are two proposals.
            if (set(fits) - taken or "#" in one.glob) and fits and one.glob not in {former.glob for former in good}:
                good.append(one)
                taken.update(fits)
        self.paths = [path for path in self.paths if path not in taken]
        return good


def _folders(root: Path) -> Iterator[str]:
    todo = [("", 0)]
    while todo:
        folder, depth = todo.pop(0)
        yield folder
        if depth == _DEPTH:
            continue
        try:
            with os.scandir(root / folder) as entries:
                names = sorted(entry.name for entry in entries if entry.is_dir(follow_symlinks=False))
        except OSError:
            continue
        todo += [(f"{folder}/{name}" if folder else name, depth + 1) for name in names if not name.startswith(".")]


def _projects(root: Path, paths: Iterable[str], known: Iterable[str]) -> FoundProjects:
    """Look for folders with a list, progress or plan file of their own that no known project is.

    A repository, or a folder with such a file right in it, is one project itself where there is no other.
    """
    names = {name.casefold() for name in known if name}
    found: dict[str, str] = {}
    for path in sorted(paths):
        folder, _, name = path.rpartition("/")
        stem = name.rpartition(".")[0]
        above, _, title = folder.rpartition("/")
        stands = not above or _HOLDERS.fullmatch(above)
        if not folder or not stands or _NO_PROJECT.fullmatch(title) or title.casefold() in names:
            continue
        if may_hand_over(path) or _LIST.fullmatch(stem):
            found.setdefault(title, folder)
    if len(found) + len(names) > 1:
        return FoundProjects(dict(list(found.items())[:_MOST]))
    if names:
        return FoundProjects({})
    listed = any("/" not in path and is_state_file(path) for path in paths)
    if listed or any(os.path.lexists(root / one) for one in _REPOSITORY):
        return FoundProjects({}, root.resolve().name)
    return FoundProjects({}, next(iter(found), ""))
