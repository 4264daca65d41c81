"""Every key of `wrapgen.toml` and of the user's own file: its type, its default and one line that says what it does.

The structs are the single source: they decode the files, refuse what is unknown, and document every key (`describe`).
"""

from functools import cache, lru_cache
from typing import Annotated, Any, Literal, NamedTuple

import msgspec
from msgspec import Meta

from wrapgen.config.task_ids import DEFAULT_PATTERN
from wrapgen.resources import words_for

STORE_ADDRESS = r"\A(?:postgres(?:ql)?://[^\x00-\x20\x7f]*)?\Z"
"""An address of PostgreSQL as libpq reads it, or nothing."""

RESOLVE_THRESHOLD = 95.0
"""Likeness (percent) from which a done item resolves an open one."""

GONE: dict[tuple[str, ...], str] = {
    ("resolve_threshold",): "", ("dates",): "", ("max_file_bytes",): "",
    ("share_page",): "a dashboard with a `merge=` line in `.gitattributes` leaves out what only one clone knows",
    ("page",): "`link_style` is for the page too",
    ("hooks",): "`wrap install claude --prompts` asks for it",
    ("tracks",): "", ("followups", "min_confidence"): "",
    ("stage", "marker"): "", ("stage", "keep"): "", ("stage", "stale_days"): "",
    ("agents", "context_budget"): "", ("agents", "keep_days"): "",
    ("agents", "shrink_over"): "long answers are shortened where a contract is on",
    ("reader", "window_tokens"): "", ("reader", "timeout"): "",
}  # fmt: skip
"""Keys and tables of earlier versions, in either file, and what does their work now; they change nothing."""

Texts = tuple[str, ...]


def said(description: str, **bounds: Any) -> Meta:  # noqa: ANN401 - those of `Meta`
    """What the documentation says of a key, and what its value is held to."""
    return Meta(description=description, **bounds)


class Sources(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Where the durable sources are, and what is none."""

    journals: Annotated[
        Texts, said("Journals: globs with YYYY, MM and DD where the date stands; ** is any number of folders.")
    ] = ("journals/**/YYYY-MM-DD*.md",)
    active_todos: Annotated[Texts, said("Lists of active tasks, with <project> and <task> where the names stand.")] = (
        "projects/<project>/actives/<task>/todos.md",
    )
    project_todos: Annotated[Texts, said("Project lists.")] = ("projects/<project>/todos.md",)
    progress: Annotated[Texts, said("Progress files.")] = ("projects/<project>/PROGRESS.md",)
    hand_overs: Annotated[
        Texts,
        said(
            "Where one session tells the next what to do; of each glob, or section as path#heading, the newest counts."
        ),
    ] = ()
    lists: Annotated[
        Texts,
        said("Any other files with tasks, or sections as path#heading; also todo.txt. `wrap sources` proposes some."),
    ] = ()
    transcripts: Annotated[
        Texts, said("Conversations kept in the vault, such as `.specstory/history/*.md`; none outside it.")
    ] = ()
    ignore: Annotated[
        Texts,
        said("Files that are neither read nor counted as unread, or sections as path#heading: templates, archives."),
    ] = ()


class Sections(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Names of headings, added to the usual ones; `"!Now"` takes a usual one away.

    They are compared without emoji, numbering, brackets, dates, case and closing colon.
    """

    next: Annotated[Texts, said("More headings whose lists are open work.")] = ()
    done: Annotated[Texts, said("More headings whose lists are finished work.")] = ()
    backlog: Annotated[Texts, said("More headings whose lists are not next, also below one whose lists are.")] = ()
    waiting: Annotated[Texts, said("More headings whose lists wait for somebody or something.")] = ()
    ignore: Annotated[Texts, said("Headings whose lists are no work, in every file.")] = ()
    decisions: Annotated[Texts, said("More headings whose lists say what was decided.")] = ()
    session: Annotated[Texts, said("More first words of headings that open a session block.")] = ()


class SectionNames(NamedTuple):
    """The names of headings that are in force: the usual ones and those of `[sections]`."""

    next: Texts
    done: Texts
    backlog: Texts
    waiting: Texts
    ignore: Texts
    decisions: Texts
    session: Texts
    no_next: Texts = ()  # usual names of open work that are taken away, so that no phrase stands for them either


@lru_cache(maxsize=8)
def names_in_force(sections: Sections) -> SectionNames:
    """Add the names of `[sections]` to the usual ones, without those that it takes away."""
    names = (_added(usual, getattr(sections, name)) for name, usual in usual_names().items())
    return SectionNames(*(*names, _taken(sections.next)))


def redundant_names(sections: Sections) -> dict[str, Texts]:
    """Return the lists of `[sections]` that repeat usual names, without these: they count anyway."""
    usual = {name: {one.casefold() for one in names} for name, names in usual_names().items()}
    kept = {name: tuple(one for one in getattr(sections, name) if one.casefold() not in usual[name]) for name in usual}
    return {name: names for name, names in kept.items() if names != getattr(sections, name)}


@cache
def usual_names() -> dict[str, Texts]:
    """Return the names of headings that are known in every vault."""
    tables = {"decisions": "decision_names"}
    return {
        name: () if name == "ignore" else words_for(tables.get(name, f"{name}_names"))
        for name in Sections.__struct_fields__
    }


def _added(usual: Texts, own: Texts) -> Texts:
    gone = {name.casefold() for name in _taken(own)}
    names = (*usual, *(name for name in own if not name.startswith("!")))
    return tuple(dict.fromkeys(name for name in names if name.casefold() not in gone))


def _taken(own: Texts) -> Texts:
    return tuple(name[1:].strip() for name in own if name.startswith("!"))


class Items(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What single lines are."""

    ignore: Annotated[Texts, said('Words of lines that are never work here, with * for any others: ["Signal:*"].')] = ()


LinkStyle = Literal["markdown", "obsidian", "vscode"]
"""How sources are linked."""

Mark = Annotated[str, Meta(min_length=1, max_length=1)]
TaskState = Literal["open", "done", "cancelled", "ignored"]


class Tasks(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What the vault's own task manager says about its boxes."""

    filter: Annotated[
        str, said("Boxes without this tag are backlog, as in Obsidian Tasks; empty: all count.", pattern=r"\A\S*\Z")
    ] = ""
    states: Annotated[
        dict[Mark, TaskState], said('What other characters in a box mean: { ">" = "cancelled", "i" = "ignored" }.')
    ] = {}


# A phrase begins with a letter and is short; endings, gaps and alternatives in braces multiply the ways to fit.
_CUE = r"\A[=^]{0,2}(?=[\w{])(?=[^…~]*(?:[…~][^…~]*){0,2}\Z)(?:[^{}]*\{[^{}]*\}){0,3}[^{}]*\Z"
Cue = Annotated[str, Meta(max_length=200, pattern=_CUE)]


class FollowUps(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How follow-ups in conversations are found."""

    cues: Annotated[
        dict[str, tuple[Cue, ...]],
        said('Additional phrases that put work off, by language: { en = ["circle back to"] }.'),
    ] = {}


Name = Annotated[str, Meta(pattern=r"\S")]  # a name of blanks would be found everywhere


FolderName = Annotated[str, Meta(max_length=255, pattern=r"\A(?!\.{1,2}\Z)[^/\\\x00-\x1f\x7f]+\Z")]


class Project(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A project's other names and working folders: `[projects.web]`."""

    paths: Annotated[Texts, said("Working folders (and their git worktrees); ~ is expanded.")] = ()
    aliases: Annotated[tuple[Name, ...], said("Other names that mean this project.")] = ()


StageName = Annotated[str, Meta(pattern=r"\A[^\s/]+\Z")]  # is in a line of its own, and in commands


class Stage(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Stage snapshots: where one task stands, for the next session to resume it."""

    dir: Annotated[str, said("The folder of the snapshots, relative to the vault.", min_length=1)] = "snapshots"
    task_id_pattern: Annotated[
        str,
        said(
            'Task ids: a regular expression for the whole id, or "datarim" for that tool\'s ids.',
            min_length=1,
            max_length=200,
        ),
    ] = DEFAULT_PATTERN
    names: Annotated[
        tuple[StageName, ...],
        said("The only names of stages; by default, any plain word.", min_length=1)
    ] = (
        "init", "prd", "plan", "design", "do", "qa", "verify", "compliance", "archive", "edit", "publish", "write",
        "dream", "doctor", "optimize", "auto",
    )  # fmt: skip


class Agents(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What sub-agents return, and what they are given."""

    contract: Annotated[
        dict[str, Literal["off", "warn", "block"]],
        said('How strict to be with a type of agent: { reviewer = "block", "*" = "warn" }; "off" for others.'),
    ] = {}


class Config(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Everything `wrapgen.toml` can contain."""

    output: Annotated[str, said("The dashboard, relative to the vault; rebuilt on every run.", min_length=1)] = (
        "ACTIVE-STATUS.md"
    )
    project: Annotated[
        str, said("The project that the whole vault is about: that of every item that names no other.")
    ] = ""
    cap: Annotated[int, said("How many priorities are shown.", ge=1, le=1000)] = 15
    lookback_days: Annotated[
        int, said("Days back from the newest journal; older open items count as expired.", ge=0, le=100_000)
    ] = 30
    due_soon_days: Annotated[int, said("Items due within this many days rank before priority.", ge=0, le=100_000)] = 7
    dedup_threshold: Annotated[
        float, said("Match score (percent) from which two items may be merged.", ge=50, le=100)
    ] = 85.0
    lock: Annotated[Literal["kernel", "shared"], said("kernel; shared for folders on a network file system.")] = (
        "kernel"
    )
    lock_timeout: Annotated[float, said("Seconds to wait for the lock; fractions are allowed.", ge=0, le=3600)] = 10.0
    pending: Annotated[
        Literal["local", "store"],
        said("Where pending follow-ups are kept: in this vault, or in the team's store for all clones."),
    ] = "local"
    vault: Annotated[str, said("The vault's name in the team's store, the same in every clone.", max_length=200)] = ""
    link_style: Annotated[
        LinkStyle, said("How sources are linked: markdown, obsidian (wikilinks) or, on the HTML page, vscode.")
    ] = "markdown"
    lang: Annotated[
        Literal["", "ko", "en", "zh", "ja"],
        said("Language of text for agents; empty for the system's language, else English."),
    ] = ""
    follow: Annotated[Texts, said("Folders or files of the vault whose links may lead outside it.")] = ()
    sources: Sources = Sources()
    sections: Sections = Sections()
    items: Items = Items()
    tasks: Tasks = Tasks()
    followups: FollowUps = FollowUps()
    stage: Stage = Stage()
    agents: Agents = Agents()
    projects: dict[FolderName, Project] = {}

    @property
    def names(self) -> SectionNames:
        """Return the names of headings that are in force."""
        return names_in_force(self.sections)

    @property
    def is_shared(self) -> bool:
        """Whether the vault is in a folder that computers share, where the kernel's locks do not hold."""
        return self.lock == "shared"

    @property
    def evidence_threshold(self) -> float:
        """Likeness (percent) from which a done item says anything about an open one: resolves it, or probably."""
        return min(self.dedup_threshold, RESOLVE_THRESHOLD)


class UserAgents(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The user's own settings for sub-agents."""

    store: Annotated[
        str,
        said(
            "The team's PostgreSQL, postgresql://...; empty for one file per vault. WRAPGEN_STORE wins.",
            pattern=STORE_ADDRESS,
        ),
    ] = ""


READERS = ("claude", "codex", "gemini", "llm")
"""Programs that are known by name; any other one is an argument list."""


class UserReader(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Who reads conversations for follow-ups. Only the user's own file may name a program."""

    command: Annotated[
        str | Texts, said('claude, codex, gemini or llm; or an argument list that takes stdin; "" for none.')
    ] = ""
    per_day: Annotated[int, said("Maximum number of calls per vault and day.", ge=0, le=100_000)] = 40
    triage: Annotated[bool, said("Once a day, also judge the page, as `wrap triage` does.")] = False


class UserConfig(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The user's own file, `wrapgen/config.toml` in the user's configuration folder."""

    default_vault: Annotated[
        str, said("The default vault, used by commands where no other is found; empty for none.")
    ] = ""
    trusted_vaults: Annotated[
        Texts, said("Vaults that hooks may act on and that may read outside themselves; see `wrap trust`.")
    ] = ()
    agents: UserAgents = UserAgents()
    reader: UserReader = UserReader()


class Key(msgspec.Struct, frozen=True):
    """One documented key."""

    name: str  # dotted name, `sections.next`
    allowed: str  # what may be there, in words
    default: str  # the default as TOML
    description: str  # one line


def describe(kind: type[msgspec.Struct], prefix: str = "") -> list[Key]:
    """Every key of a configuration, in the order of the file."""
    keys: list[Key] = []
    for field in msgspec.structs.fields(kind):
        shape = msgspec.inspect.type_info(field.type)
        name = f"{prefix}{field.name}"
        if isinstance(shape, msgspec.inspect.StructType):
            keys += describe(shape.cls, f"{name}.")
        elif isinstance(shape, msgspec.inspect.DictType) and isinstance(shape.value_type, msgspec.inspect.StructType):
            keys += describe(shape.value_type.cls, f"{name}.NAME.")
        elif isinstance(shape, msgspec.inspect.Metadata):
            default = field.default_factory() if field.default is msgspec.NODEFAULT else field.default
            described = (shape.extra_json_schema or {}).get("description", "")
            keys.append(Key(name, _words(shape.type), _toml(default), described))
    return keys


def _words(kind: msgspec.inspect.Type) -> str:
    match kind:
        case msgspec.inspect.LiteralType():
            return " or ".join(f'"{value}"' for value in kind.values)
        case msgspec.inspect.IntType() | msgspec.inspect.FloatType():
            name = "a whole number" if isinstance(kind, msgspec.inspect.IntType) else "a number"
            bounds = [f"at least {kind.ge:g}"] if kind.ge is not None else []
            bounds += [f"at most {kind.le:g}"] if kind.le is not None else []
            return " ".join([name, " and ".join(bounds)]).strip()
        case msgspec.inspect.DictType(value_type=msgspec.inspect.LiteralType() as allowed):
            return f"a table of {_words(allowed)}"
        case msgspec.inspect.DictType():
            return "a table of lists of texts"
        case msgspec.inspect.VarTupleType():
            return "a list of texts"
        case msgspec.inspect.BoolType():
            return "true or false"
        case _:
            return "a text"


def _toml(value: object) -> str:
    match value:
        case bool():
            return str(value).lower()
        case tuple():
            rows, row = [], "  "
            for entry in (_toml(entry) for entry in value):
                if len(row) + len(entry) > 110:
                    rows.append(row.rstrip())
                    row = "  "
                row += f"{entry}, "
            if not rows:
                return f"[{row.strip().rstrip(',')}]"
            return "[\n" + "\n".join([*rows, row.rstrip()]) + "\n]"
        case dict():
            return "{}"
        case str():
            return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
        case _:
            return str(value)
