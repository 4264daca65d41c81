"""What a look at somebody's notes proposes for `wrapgen.toml`, and what the settings of other tools say.

Where daily notes are (date formats of other tools as globs), what is a template, what is a task and how it is done.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from wrapgen.regular_files import json_of, object_of, text_of
from wrapgen.text.patterns import Pattern, written
from wrapgen.vault.markdown.note import is_closed, is_task_note, properties

if TYPE_CHECKING:
    from wrapgen.vault.detect.hand_overs import NextName

Key = Literal["journals", "hand_overs", "lists", "ignore"]


@dataclass(frozen=True, slots=True)
class Proposal:
    """One glob."""

    key: Key  # of `[sources]`
    glob: str  # as it would stand there
    why: str  # what these files are, and who says so


class FoundProjects(NamedTuple):
    """The projects that are proposed: several folders, or one name for all."""

    folders: dict[str, str]  # by name, the folder relative to the vault
    own: str = ""


class Detected(NamedTuple):
    """What was found, or what the settings of one tool say."""

    proposals: tuple[Proposal, ...] = ()  # globs that find something that is not read yet, or leave something out
    task_filter: str = ""  # what a line must hold to be a task; "" for nothing
    # what the characters in boxes mean: `open`, `done`, `cancelled` or `ignored`; never written to
    states: dict[str, str] = {}  # noqa: RUF012
    next_names: tuple[NextName, ...] = ()  # headings that are to count as *Next* names
    projects: FoundProjects = FoundProjects({})  # those that are to be known

    @property
    def is_empty(self) -> bool:
        """Tell whether there is nothing to write."""
        return not (self.proposals or self.next_names or self.projects.folders or self.projects.own)


def literal(path: str) -> str:
    """Return a path as a glob that fits it: what would mean something else is any character."""
    return re.sub(r"[\[\]{}<>*!#]", "?", path)


def joined(*parts: str) -> str:
    """Return folders and a name as one path; empty parts are left out."""
    return "/".join(part.strip("/") for part in parts if part.strip("/"))


class DateSyntax(NamedTuple):
    """How one library writes dates."""

    means: dict[str, str]  # its tokens as date parts of a glob; what else it prints is `*`
    tokens: re.Pattern[str]  # finds a quoted literal, which is the group `literal`, or the longest token


MOMENT = DateSyntax(
    {
        "YYYY": "YYYY", "Y": "YYYY", "y": "YYYY", "yyyy": "YYYY", "YY": "YY", "MMMM": "MMMM", "MMM": "MMM", "MM": "MM",
        "M": "M", "DD": "DD", "D": "D", "Do": "Do", "dddd": "dddd", "ddd": "ddd",
    },
    re.compile(
        r"\[(?P<literal>[^\[\]]*)\]|YYYYYY|YYYY|YY|Y|yyyy|y|MMMM|MMM|MM|Mo|M|DDDD|DDDo|DDD|DD|Do|D|dddd|ddd|dd|do|d"
        r"|gggg|gg|GGGG|GG|ww|wo|w|WW|Wo|W|Qo|Q|HH|H|hh|h|kk|k|mm|m|ss|s|A|a|X|x|e|E|LLLL|LLL|LL|L|llll|lll|ll|l|ZZ|Z"
    ),
)  # fmt: skip
JODA = DateSyntax(
    {
        "yyyy": "YYYY", "YYYY": "YYYY", "yy": "YY", "MMMM": "MMMM", "MMM": "MMM", "MM": "MM", "M": "M", "dd": "DD",
        "d": "D", "do": "Do", "EEEE": "dddd", "EEE": "ddd", "E": "ddd",
    },
    re.compile(r"'(?P<literal>[^']*)'|yyyy|YYYY|yy|MMMM|MMM|MM|M|do|dd|d|EEEE|EEE|E|ww|w|xxxx|HH|mm|ss|a"),
)  # fmt: skip
# One on which no two parts of a date are written alike.
_SAMPLE = date(2031, 10, 28)


def glob_of(said: str, language: DateSyntax) -> str | None:
    """Return a date format as a glob without the file's ending; None when that cannot say the whole day."""
    glob, example, end = "", "", 0
    for token in language.tokens.finditer(said):
        plain = said[end : token.start()] + (token["literal"] or "")
        part = "" if token["literal"] is not None else language.means.get(token[0], "*")
        glob += literal(plain) + part
        example += plain + written(part, _SAMPLE)
        end = token.end()
    glob = re.sub(r"\*+", "*", glob + literal(said[end:])).strip("/")
    return glob if _tells_day(glob, (example + said[end:]).strip("/")) else None


def last_part(glob: str) -> str:
    """Return the part of a glob that suffices, as people move notes: its last name, when that holds a whole date."""
    name = glob.rpartition("/")[2]
    return name if _tells_day(name, Pattern(name.replace("?", "-")).filled(_SAMPLE)) else glob


def _tells_day(glob: str, path: str) -> bool:
    """Tell whether a glob reads the sample's day in its path."""
    place = Pattern(glob).match(path)
    return place is not None and place.day == _SAMPLE


_OBSIDIAN = ".obsidian"
_DAILY = "YYYY-MM-DD"
_TYPES = {
    "TODO": "open", "IN_PROGRESS": "open", "ON_HOLD": "open", "DONE": "done", "CANCELLED": "cancelled",
    "NON_TASK": "ignored",
}  # fmt: skip
_LOGSEQ = "logseq/config.edn"
_LOGSEQ_FORMAT = "yyyy_MM_dd"
_LOGSEQ_JOURNALS = "journals"
_LOGSEQ_OWN = ("logseq/bak", "logseq/version-files")
_COMMENT = re.compile(r'("(?:[^"\\]|\\.)*+"?)|;[^\n]*')


def _obsidian_settings(root: Path, inside: str) -> Detected:
    """Read the settings of an Obsidian vault `inside` the folder that becomes one of ours; "" for itself."""
    own = root / inside / _OBSIDIAN
    tasks = object_of(own / "plugins/obsidian-tasks-plugin/data.json") if _enabled(own, "obsidian-tasks-plugin") else {}
    daily = tuple(_daily(own, inside))
    return Detected(
        (*daily, *_templates(root, own, inside)), _text(tasks, "globalFilter"), _states(tasks.get("statusSettings"))
    )


def _daily(own: Path, inside: str) -> Iterator[Proposal]:
    said, why = _daily_settings(own)
    glob = _daily_glob(said, inside) if why else None
    if glob is None:
        return
    yield Proposal("journals", glob, why)
    if template := _template(said):
        yield Proposal("ignore", joined(literal(inside), literal(template)), "a template")


def _daily_settings(own: Path) -> tuple[dict[str, Any], str]:
    """Return what is said of daily notes, and by whom: by periodic notes where they are on, else the core plugin."""
    periodic = _periodic(own)
    if periodic:
        return periodic, "Obsidian's periodic notes"
    return (object_of(own / "daily-notes.json"), "Obsidian's daily notes") if _core_is_on(own) else ({}, "")


def _daily_glob(said: dict[str, Any], inside: str) -> str | None:
    written = _text(said, "format") or _DAILY
    folder = _text(said, "folder").strip("/")
    glob = glob_of(written, MOMENT)
    if glob is None:
        return None
    # Notes are sorted into years and months later: a name that says the whole date may stand anywhere below.
    name = last_part(glob)
    below = joined(literal(inside), literal(folder))
    way = "**" if below else ""
    return f"{joined(below, way, name) if name != glob or way else name}.md"


def _template(said: dict[str, Any]) -> str:
    named = _text(said, "template") or _text(said, "templatePath")
    return f"{named.removesuffix('.md')}.md" if named else ""


class DailyTemplate(NamedTuple):
    """What Obsidian makes a daily note from."""

    path: str  # the template, relative to the vault
    dates: str  # moment's format of a `{{date}}` without one
    times: str
    templater: bool  # whether the plugin that runs code in templates is on


def daily_template(root: Path, note: str) -> DailyTemplate | None:
    """Return the template that Obsidian or its Templater would make a new daily note from; None where there is none."""
    for above in PurePosixPath(note).parents:
        inside = "" if str(above) == "." else str(above)
        own = root / inside / _OBSIDIAN
        if not own.is_dir():
            continue
        said, why = _daily_settings(own)
        glob = _daily_glob(said, inside) if why else None
        templater = _enabled(own, "templater-obsidian")
        named = _template(said) if glob and Pattern(glob).match(note) else ""
        if not named and templater:
            named = _folder_template(own, PurePosixPath(note).relative_to(above).parent)
        if not named:
            return None
        usual = object_of(own / "templates.json")
        dates = _text(said, "format") if _periodic(own) else _text(usual, "dateFormat")
        times = _text(usual, "timeFormat") or "HH:mm"
        return DailyTemplate(joined(inside, named), dates or _DAILY, times, templater)
    return None


def _folder_template(own: Path, folder: PurePosixPath) -> str:
    """Return the template that Templater gives to new notes of a folder, or of the nearest one above; "" for none."""
    said = object_of(own / "plugins/templater-obsidian/data.json")
    if said.get("trigger_on_file_creation") is not True or said.get("enable_folder_templates") is False:
        return ""
    rows = said.get("folder_templates")
    listed = [one for one in rows if isinstance(one, dict)] if isinstance(rows, list) else []
    by_folder = {_text(one, "folder").strip("/") or ".": _template(one) for one in listed}
    return next((by_folder[str(one)] for one in (folder, *folder.parents) if by_folder.get(str(one))), "")


def _periodic(own: Path) -> dict[str, Any]:
    """Return the settings of periodic notes for days, stable or beta; nothing when the plugin is off."""
    if not _enabled(own, "periodic-notes"):
        return {}
    said = object_of(own / "plugins/periodic-notes/data.json")
    sets = said.get("calendarSets")
    active = [one for one in (sets if isinstance(sets, list) else []) if isinstance(one, dict)]
    days = [said.get("daily")]
    days += [one.get("day") for one in active if one.get("id") == said.get("activeCalendarSet")]
    return next((one for one in days if isinstance(one, dict) and one.get("enabled") is True), {})


def _core_is_on(own: Path) -> bool:
    said = json_of(own / "core-plugins.json")
    if isinstance(said, list):
        return "daily-notes" in said
    if isinstance(said, dict):
        return said.get("daily-notes") is not False
    return (own / "daily-notes.json").is_file()


def _enabled(own: Path, plugin: str) -> bool:
    """Tell whether a plugin is switched on: its folder stays when it is not."""
    said = json_of(own / "community-plugins.json")
    return plugin in said if isinstance(said, list) else (own / "plugins" / plugin).is_dir()


def _templates(root: Path, own: Path, inside: str) -> Iterator[Proposal]:
    named = [
        _text(object_of(own / "templates.json"), "folder"),
        _text(object_of(own / "plugins/templater-obsidian/data.json"), "templates_folder"),
    ]
    for folder in dict.fromkeys(one.strip("/") for one in named):
        # An absolute path of somebody's computer leads nowhere here; an empty one would be the whole vault.
        if folder and ".." not in folder.split("/") and (root / inside / folder).is_dir():
            yield Proposal("ignore", joined(literal(inside), literal(folder), "**"), "templates, as Obsidian says")


def _states(said: object) -> dict[str, str]:
    """Return what the characters in boxes mean, of those that mean something else than by themselves."""
    states: dict[str, str] = {}
    if not isinstance(said, dict):
        return states
    for key in ("coreStatuses", "customStatuses"):
        rows = said.get(key)
        for row in rows if isinstance(rows, list) else []:
            symbol, kind = (row.get("symbol"), row.get("type")) if isinstance(row, dict) else (None, None)
            if isinstance(symbol, str) and len(symbol) == 1 and isinstance(kind, str) and kind in _TYPES:
                states.setdefault(symbol, _TYPES[kind])
    usual = {" ": "open", "x": "done", "X": "done", "-": "cancelled"}
    return {symbol: state for symbol, state in states.items() if usual.get(symbol, "open") != state}


def _text(said: dict[str, Any], key: str) -> str:
    value = said.get(key)
    return value.strip() if isinstance(value, str) and value.isprintable() else ""


def _logseq_settings(root: Path, inside: str) -> Detected:
    """Read the settings of a graph of Logseq's; as `_obsidian_settings`."""
    if not (root / inside / _LOGSEQ).is_file():
        return Detected()
    text = text_of(root / inside / _LOGSEQ)
    # Most keys stand there commented out.
    said = _COMMENT.sub(lambda found: found[1] or "", text)
    folder = _said(said, ":journals-directory") or _LOGSEQ_JOURNALS
    glob = glob_of(_said(said, ":journal/file-name-format") or _LOGSEQ_FORMAT, JODA)
    journals = [Proposal("journals", joined(literal(inside), literal(folder), f"{glob}.md"), "Logseq's journals")]
    copies = [
        Proposal("ignore", joined(literal(inside), one, "**"), "Logseq's own copies")
        for one in _LOGSEQ_OWN
        if (root / inside / one).is_dir()
    ]
    return Detected((*(journals if glob else ()), *copies))


def is_in_graph(root: Path, path: str) -> bool:
    """Tell whether a file is a page of Logseq, where `- [ ]` shows no box."""
    return any((root / folder / _LOGSEQ).is_file() for folder in PurePosixPath(path).parents)


def _said(said: str, key: str) -> str:
    found = re.search(rf'{re.escape(key)}\s+"((?:[^"\\]|\\.)*)"', said)
    return found[1] if found and found[1].isprintable() else ""


_BACKLOG = ("config.yml", "config.yaml", "backlog.config.yml")
_TASK_NOTES = ".obsidian/plugins/tasknotes/data.json"
_LARGEST = 1 << 20  # bytes
# So many notes of a folder that are tasks say that they all are; so many that are none, that they are not.
_FEWEST, _MOST_OTHERS = 5, 20
_HEAD = 4_000  # bytes in which front matter ends


def done_status(root: Path, path: str) -> str:
    """Return the status that the own program of a task's note gives to what is done; "" where none says so."""
    for folder in PurePosixPath(path).parents:
        if statuses := _statuses_beside(root / folder):
            return statuses[-1]
    listed = object_of(root / _TASK_NOTES).get("customStatuses")
    done = [one for one in listed if _completes(one)] if isinstance(listed, list) else []
    usual = [one for one in done if is_closed(one["value"])]
    return str((usual or done)[0]["value"]) if done else ""


def _statuses_beside(folder: Path) -> tuple[str, ...]:
    """Return the statuses that Backlog.md gives to the tasks of a folder, in its order; nothing elsewhere."""
    for place in (folder, folder.parent):
        for name in _BACKLOG:
            if statuses := properties(text_of(place / name, _LARGEST)).get("statuses"):
                return statuses
    return ()


def _completes(status: object) -> bool:
    return isinstance(status, dict) and status.get("isCompleted") is True and isinstance(status.get("value"), str)


def task_folders(root: Path, paths: Iterable[str]) -> Iterator[Proposal]:
    """Yield the folders that hold tasks, each as one glob."""
    folder = object_of(root / _TASK_NOTES).get("tasksFolder")
    if isinstance(folder, str) and (folder := folder.strip("/")):
        yield Proposal("lists", joined(literal(folder), "**/*.md"), "tasks of TaskNotes")
    notes: defaultdict[str, list[str]] = defaultdict(list)
    for path in paths:
        notes[path.rpartition("/")[0]].append(path)
    for folder, within in notes.items():
        of_backlog = bool(folder) and _statuses_beside(root / folder) and folder.endswith(("/tasks", "/completed"))
        if of_backlog or _are_tasks(root, within):
            why = "tasks of Backlog.md" if of_backlog else "notes that are tasks"
            yield Proposal("lists", joined(literal(folder), "*.md"), why)


def _are_tasks(root: Path, paths: list[str]) -> bool:
    tasks = 0
    for seen, path in enumerate(paths if len(paths) >= _FEWEST else (), 1):
        tasks += is_task_note(text_of(root / path, _HEAD))
        if tasks >= _FEWEST:
            return True
        if seen - tasks >= _MOST_OTHERS:
            return False
    return False


TOOLS = ((_OBSIDIAN, _obsidian_settings), (_LOGSEQ, _logseq_settings))
"""By the file or folder that a tool keeps its settings in: what reads them there, below a folder of the vault."""
