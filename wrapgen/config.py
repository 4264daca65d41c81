"""`wrapgen.toml` and the user's own file: every key, its type, its default and one line that says what it does.

The structs below are the single source: they decode the files, refuse what is unknown, and print the commented
`wrapgen.toml` that `wrap init` writes.
"""

from __future__ import annotations

import re
import tomllib
from pathlib import Path, PurePosixPath
from typing import Annotated, Any, Literal, TypeVar

import msgspec
from msgspec import Meta

from wrapgen.errors import ConfigError
from wrapgen.patterns import Pattern

VAULT_FILE = "wrapgen.toml"

NEXT_NAMES = (
    "next", "next session", "next session priorities", "next session tasks", "next session goals", "next step",
    "next steps", "next action", "next actions", "what's next", "follow-up", "follow-ups", "action items",
    "to do next", "for next session", "tomorrow",
    "다음", "다음 세션", "다음 단계", "다음 작업", "다음 할 일", "다음에 할 일", "후속 작업", "남은 작업", "내일 할 일",
    "下一步", "下一步行动", "下次", "后续", "后续工作", "待办", "明日计划",
    "次回", "次のステップ", "残タスク",
)  # fmt: skip
DONE_NAMES = (
    "done", "completed", "what was done", "shipped", "finished",
    "완료", "완료된 작업", "한 일", "오늘 한 일",
    "已完成", "今日完成", "完成",
    "完了", "やったこと",
)  # fmt: skip
SESSION_NAMES = ("session", "세션", "会话", "會話", "セッション")


class Sources(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Where the four durable sources are."""

    journals: Annotated[
        tuple[str, ...],
        Meta(description="Journals: globs with YYYY, MM and DD where the date stands; ** is any number of folders."),
    ] = ("journals/**/YYYY-MM-DD*.md",)
    active_todos: Annotated[
        tuple[str, ...], Meta(description="Lists of active tasks, with <project> and <task> where the names stand.")
    ] = ("projects/<project>/actives/<task>/todos.md",)
    project_todos: Annotated[tuple[str, ...], Meta(description="Project lists.")] = ("projects/<project>/todos.md",)
    progress: Annotated[tuple[str, ...], Meta(description="Progress files.")] = ("projects/<project>/PROGRESS.md",)


class Sections(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Names of headings; compared without emoji, numbering, brackets, dates, case and closing colon."""

    next: Annotated[tuple[str, ...], Meta(description="Headings whose lists are open work.")] = NEXT_NAMES
    done: Annotated[tuple[str, ...], Meta(description="Headings whose lists are finished work.")] = DONE_NAMES
    session: Annotated[tuple[str, ...], Meta(description="First word of a heading that opens a session block.")] = (
        SESSION_NAMES
    )


class FollowUps(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How follow-ups that were only said are found."""

    min_confidence: Annotated[
        float, Meta(ge=0, le=1, description="Below this a follow-up is not offered, only counted.")
    ] = 0.5
    cues: Annotated[
        dict[str, tuple[str, ...]],
        Meta(description='Further phrases that put work off, by language: { en = ["circle back to"] }.'),
    ] = {}


Name = Annotated[str, Meta(pattern=r"\S")]  # a name of blanks would be found everywhere


class Project(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A project's other names and working folders: `[projects.web]`."""

    paths: Annotated[
        tuple[str, ...], Meta(description="Working folders (and their git worktrees); ~ is expanded.")
    ] = ()
    aliases: Annotated[tuple[Name, ...], Meta(description="Other names that mean this project.")] = ()


class Config(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Everything `wrapgen.toml` can say."""

    output: Annotated[
        str, Meta(min_length=1, description="The dashboard, relative to the vault; rebuilt on every run.")
    ] = "ACTIVE-STATUS.md"
    cap: Annotated[int, Meta(ge=1, le=1000, description="How many priorities are shown.")] = 15
    lookback_days: Annotated[
        int, Meta(ge=0, le=100_000, description="Days back from the newest journal; older open items count as expired.")
    ] = 30
    due_soon_days: Annotated[
        int, Meta(ge=0, le=100_000, description="Due within so many days ranks before priority.")
    ] = 3
    dedup_threshold: Annotated[
        float, Meta(ge=50, le=100, description="Likeness (percent) from which two items may be one.")
    ] = 85.0
    resolve_threshold: Annotated[
        float, Meta(ge=50, le=100, description="Likeness (percent) from which a done item resolves an open one.")
    ] = 95.0
    lock: Annotated[
        Literal["kernel", "shared"], Meta(description="kernel; shared for folders on a network file system.")
    ] = "kernel"
    lock_timeout: Annotated[float, Meta(ge=0, description="Seconds to wait for the lock; fractions are allowed.")] = (
        10.0
    )
    dates: Annotated[
        Literal["mtime", "git"], Meta(description="What dates a tick: the file's mtime, or the line's commit.")
    ] = "mtime"
    link_style: Annotated[
        Literal["markdown", "obsidian"], Meta(description="How the dashboard links to sources: markdown, or wikilinks.")
    ] = "markdown"
    max_file_bytes: Annotated[
        int, Meta(ge=1, description="Files larger than this are listed as unreadable instead of read.")
    ] = 5_000_000
    follow: Annotated[
        tuple[str, ...], Meta(description="Folders or files of the vault whose links may lead out of it.")
    ] = ()
    sources: Sources = Sources()
    sections: Sections = Sections()
    followups: FollowUps = FollowUps()
    projects: dict[str, Project] = {}


class UserConfig(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The user's own file, `wrapgen/config.toml` in the user's configuration folder."""

    default_vault: Annotated[
        str, Meta(description="The vault that is used outside of every vault; empty for none.")
    ] = ""
    trusted_vaults: Annotated[
        tuple[str, ...], Meta(description="Vaults that hooks may act for; written by wrap init.")
    ] = ()


T = TypeVar("T", Config, UserConfig)


def load(path: Path, kind: type[T]) -> T:
    """Read a configuration file.

    Args:
        path: the file; a missing one gives every default.
        kind: `Config` for a vault, `UserConfig` for the user's own file.

    Raises:
        ConfigError: the file cannot be read, is not TOML, holds an unknown key or a value that is not allowed.
    """
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except FileNotFoundError:
        return kind()
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"cannot be read ({error})", where=str(path), next_step="Nothing was written.") from error
    try:
        data = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        line = re.search(r"at line (\d+)", str(error))
        where = f"{path}:{line[1]}" if line else str(path)
        raise ConfigError(
            f"is not valid TOML: {error}", where=where, next_step="Mend the line and run again."
        ) from None
    _refuse_unknown(data, kind, (), text, path)
    try:
        config = msgspec.convert(data, kind)
    except msgspec.ValidationError as error:
        raise _not_allowed(error, data, text, path, kind) from None
    if isinstance(config, Config):
        _check_paths(config, text, path)
    return config


def _refuse_unknown(data: dict[str, Any], kind: type, keys: tuple[str, ...], text: str, path: Path) -> None:
    known = {field.encode_name: field.type for field in msgspec.structs.fields(kind)}
    for name, value in data.items():
        place = (*keys, name)
        if name not in known:
            from difflib import get_close_matches

            near = get_close_matches(name, known, n=1, cutoff=0)
            raise ConfigError(
                f"unknown key `{'.'.join(place)}`; the nearest known key is `{'.'.join((*keys, near[0]))}`",
                where=f"{path}:{_line_of(text, place)}",
                next_step=f"Known here: {', '.join(known)}.",
            )
        if not isinstance(value, dict):
            continue
        if isinstance(known[name], type) and issubclass(known[name], msgspec.Struct):
            _refuse_unknown(value, known[name], place, text, path)
        elif name == "projects" and not keys:
            for project, table in value.items():
                if isinstance(table, dict):
                    _refuse_unknown(table, Project, (*place, project), text, path)


def _not_allowed(
    error: msgspec.ValidationError, data: dict[str, Any], text: str, path: Path, kind: type[T]
) -> ConfigError:
    what, _, trail = str(error).partition(" - at `$")
    steps = re.findall(r"\.([^.\[`]+)|\[(\.\.\.)\]", trail)
    keys: list[str] = []
    level: Any = data
    for named, anonymous in steps:
        name = named
        if anonymous and isinstance(level, dict):  # the decoder does not say which project: the first that fails
            name = next((key for key, table in level.items() if _fails(table)), "")
        if not name:
            break
        keys.append(name)
        level = level.get(name) if isinstance(level, dict) else None
    return ConfigError(
        f"`{'.'.join(keys)}`: {what[:1].lower()}{what[1:]}",
        where=f"{path}:{_line_of(text, tuple(keys))}",
        next_step=_allowed(keys, kind),
    )


def _fails(table: object) -> bool:
    try:
        msgspec.convert(table, Project)
    except msgspec.ValidationError:
        return True
    return False


def _allowed(keys: list[str], kind: type[T]) -> str:
    from wrapgen.config_keys import describe

    for key in describe(kind):
        if key.name == ".".join(keys):
            return f"Allowed: {key.allowed}. {key.description}"
    return "See the commented keys that `wrap init` writes."


# Folders that are not notes: the program's own, and git's.
_OWN_FOLDERS = (".agents", ".git", ".wrapgen")


def _check_paths(config: Config, text: str, path: Path) -> None:
    """A vault's own file may make wrapgen neither reach beside the vault nor write over notes."""
    named: list[tuple[tuple[str, ...], str]] = [
        (("sources", name), glob) for name in Sources.__struct_fields__ for glob in getattr(config.sources, name)
    ]
    for keys, value in [*named, (("output",), config.output)]:
        if trouble := _path_trouble(value) or (_output_trouble(config) if keys == ("output",) else None):
            raise ConfigError(
                f"`{'.'.join(keys)}`: `{value}` {trouble[0]}",
                where=f"{path}:{_line_of(text, keys)}",
                next_step=trouble[1],
            )


def _path_trouble(value: str) -> tuple[str, str] | None:
    """Why a path or pattern cannot be used, and what to do instead."""
    pure = PurePosixPath(value.replace("\\", "/"))
    if pure.is_absolute() or ".." in pure.parts or re.match(r"^[A-Za-z]:", value):
        return "leads out of the vault", "Give a path relative to the vault, without `..`."
    if not value.isprintable():
        return "holds control characters", "Give a path of printable characters."
    if not pure.parts:
        return "names no file", "Give a path relative to the vault."
    return None


def _output_trouble(config: Config) -> tuple[str, str] | None:
    """Why the dashboard cannot stand there: it would be written over notes, or over what the program needs."""
    output = PurePosixPath(config.output.replace("\\", "/"))
    if output.parts[0] in _OWN_FOLDERS or output == PurePosixPath(VAULT_FILE):
        return "is not free for the dashboard", 'Choose another name, such as "ACTIVE-STATUS.md".'
    if is_source(str(output), config.sources):
        return "is read as a source, and a rebuild would overwrite it", "Choose a name that no source pattern fits."
    return None


def is_source(path: str, sources: Sources) -> bool:
    """Whether a path is one of the notes that are read.

    Args:
        path: relative to the vault, with forward slashes.
        sources: the configured patterns.
    """
    globs = (glob for name in Sources.__struct_fields__ for glob in getattr(sources, name))
    return any(Pattern(glob).match(path) is not None for glob in globs)


def _line_of(text: str, keys: tuple[str, ...]) -> int:
    """1-based line where a key is set; 1 when the file spells it in an unusual way (TOML decoders keep no lines)."""
    table: tuple[str, ...] = ()
    best = 1
    for number, line in enumerate(text.splitlines(), 1):
        if header := re.match(r"\s*\[([^\[\]]+)\]\s*(#.*)?$", line):
            table = tuple(part.strip().strip("\"'") for part in header[1].split("."))
            if table == keys:
                best = number
        elif assignment := re.match(r"\s*([\w.\"'-]+)\s*=", line):
            name = tuple(part.strip("\"'") for part in assignment[1].split("."))
            if table + name == keys[: len(table + name)] and len(table + name) > 0:
                best = number
                if table + name == keys:
                    return number
    return best


def user_config_path() -> Path:
    """Where the user's own file is, whether it exists or not."""
    import platformdirs

    return Path(platformdirs.user_config_dir("wrapgen", appauthor=False)) / "config.toml"
