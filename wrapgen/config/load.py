"""Reading a configuration file, and saying where it is wrong."""

import os
import re
import tomllib
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import msgspec

from wrapgen.config.paths import path_troubles
from wrapgen.config.schema import GONE, READERS, STORE_ADDRESS, Config, Project, UserConfig, describe
from wrapgen.config.task_ids import PRESETS, pattern_trouble
from wrapgen.errors import ConfigError, remedy
from wrapgen.late_pattern import late
from wrapgen.regular_files import whole
from wrapgen.whereabouts import user_config_file

# Such an address usually contains a password, so it is never shown in full.
STORE_VARIABLE = "WRAPGEN_STORE"

# Up to the last @, since a password may hold one that nobody wrote as %40.
_SECRETS = late(r"(?P<before>://[^:/?#@]*:)[^ ]*(?=@)|(?P<name>[?&](?:ssl)?password=)[^&#]*", re.IGNORECASE)
_HIDDEN = "***"

_LONGEST = 1_000_000  # bytes; with every key commented it has some 10,000
_LONGEST_LINE = 10_000  # characters

T = TypeVar("T", Config, UserConfig)


def load(path: Path, kind: type[T], tell: Callable[[str], None] | None = None) -> T:
    """Read a configuration file, a missing one as all defaults; `tell` hears of keys that are gone."""
    text = _text(path)
    return kind() if text is None else load_text(text, path, kind, tell)


def load_text(text: str, path: Path, kind: type[T], tell: Callable[[str], None] | None = None) -> T:
    """Decode what a configuration file holds, or is to hold."""
    file = _File(text, path)
    tables = file.tables()
    for keys, instead in _without_gone(tables):
        if tell:
            use = f"; {instead}" if instead else ""
            tell(f"{file.place(keys)}: `{'.'.join(keys)}` is gone and changes nothing{use}; remove the line")
    _refuse_unknown(tables, kind, (), file)
    try:
        config = msgspec.convert(tables, kind)
    except msgspec.ValidationError as error:
        raise _not_allowed(error, tables, file, kind) from None
    if isinstance(config, Config):
        _refuse_contradictions(config, file)
    else:
        _refuse_unknown_reader(config, file)
    return config


class _File(NamedTuple):
    """A configuration file, for errors that name a line of it."""

    text: str
    path: Path

    def place(self, keys: tuple[str, ...]) -> str:
        return f"{self.path}:{_line_of(self.text, keys)}"

    def error(self, keys: tuple[str, ...], what: str, next_step: str) -> ConfigError:
        return ConfigError(what, where=self.place(keys), next_step=next_step)

    def tables(self) -> dict[str, Any]:
        for number, line in enumerate(self.text.split("\n"), 1):
            if len(line) > _LONGEST_LINE:  # a decoder takes quadratic time, as for a key of a million parts
                what = f"holds a line of more than {_LONGEST_LINE} characters"
                raise ConfigError(what, where=f"{self.path}:{number}", next_step="Break it into several lines.")
        try:
            return tomllib.loads(self.text)
        except (tomllib.TOMLDecodeError, RecursionError) as error:
            found = re.search(r"at line (\d+)", str(error))  # none for what is missing at the end
            where = f"{self.path}:{found[1] if found else max(1, len(self.text.splitlines()))}"
            what = f"is not valid TOML: {error}"
            raise ConfigError(what, where=where, next_step="Fix the line and run again.") from None


def _text(path: Path) -> str | None:
    try:
        data = whole(path, _LONGEST + 1)
        if len(data) > _LONGEST:
            raise ConfigError(f"is larger than {_LONGEST} bytes", where=str(path), next_step="Nothing was written.")
        return data.decode("utf-8-sig")
    except FileNotFoundError:
        return None
    except OSError as error:
        raise ConfigError(
            f"cannot be read ({error.strerror or error}); nothing was written", where=str(path), next_step=remedy(error)
        ) from error
    except UnicodeDecodeError as error:
        raise ConfigError(
            f"cannot be read ({error}); nothing was written", where=str(path), next_step="Save it as UTF-8."
        ) from error


def _without_gone(tables: dict[str, Any]) -> list[tuple[tuple[str, ...], str]]:
    """Take away the keys of earlier versions, and return each with what does its work now."""
    found: list[tuple[tuple[str, ...], str]] = []
    for keys, instead in GONE.items():
        *above, name = keys
        table = tables.get(above[0]) if above else tables
        if isinstance(table, dict) and name in table:
            value = table.pop(name)
            found += [((*keys, one), instead) for one in value] if isinstance(value, dict) else [(keys, instead)]
    return found


def _refuse_contradictions(config: Config, file: _File) -> None:
    """Refuse values that are valid by themselves, but not in combination or for their purpose."""
    for trouble in path_troubles(config):
        what = f"`{'.'.join(trouble.keys)}`: `{trouble.value}` {trouble.what}"
        raise file.error(trouble.keys, what, trouble.next_step)
    if config.pending == "store" and not config.vault.strip():
        raise file.error(
            ("pending",),
            '`pending = "store"` needs `vault`, the name under which all clones of this vault share follow-ups',
            'Add a name that no other vault of your team uses: `vault = "acme-notes"`.',
        )
    if why := pattern_trouble(config.stage.task_id_pattern):
        step = f"Give repetitions bounds such as {{1,10}}, or name a preset: {', '.join(PRESETS)}."
        raise file.error(("stage", "task_id_pattern"), f"`stage.task_id_pattern` {why}", step)


def _refuse_unknown_reader(config: UserConfig, file: _File) -> None:
    command = config.reader.command
    if isinstance(command, str) and command and command not in READERS:
        step = f'Known: {", ".join(READERS)}. For any other, give an argument list: command = ["my-model"].'
        raise file.error(("reader", "command"), f"`reader.command`: `{command}` is not a known program", step)


# Keys of the user's own file that are not allowed in a vault's, with what else is said and what to do.
_OWN = {
    ("agents", "store"): ("", "Remove it here, and set it in {} or as WRAPGEN_STORE."),
    ("reader",): ("; nothing was run", "Remove it here; configure a reader in {}."),
}


@cache
def _keys(kind: type) -> dict[str, Any]:
    """The type of each key of a table."""
    return {field.encode_name: field.type for field in msgspec.structs.fields(kind)}


def _refuse_unknown(data: dict[str, Any], kind: type, keys: tuple[str, ...], file: _File) -> None:
    known = _keys(kind)
    for name, value in data.items():
        place = (*keys, name)
        dotted = ".".join(place)
        if name not in known and place in _OWN:
            also, step = _OWN[place]
            what = f"`{dotted}` is not allowed in a vault's file, since anyone may have written it{also}"
            raise file.error(place, what, step.format(user_config_path()))
        if name not in known:
            from difflib import get_close_matches

            near = ".".join((*keys, get_close_matches(name, known, n=1, cutoff=0)[0]))
            what = f"unknown key `{dotted}`; the nearest known key is `{near}`"
            raise file.error(place, what, f"Known here: {', '.join(known)}.")
        if not isinstance(value, dict):
            continue
        if isinstance(known[name], type) and issubclass(known[name], msgspec.Struct):
            _refuse_unknown(value, known[name], place, file)
        elif name == "projects" and not keys:
            for project, table in value.items():
                if isinstance(table, dict):
                    _refuse_unknown(table, Project, (*place, project), file)


def _not_allowed(error: msgspec.ValidationError, data: dict[str, Any], file: _File, kind: type[T]) -> ConfigError:
    what, of_key, trail = re.split(r" - at (`key` in )?`\$|$", str(error), maxsplit=1)
    if of_key:
        trail = trail.rstrip("`") + "[...]"
    steps = re.findall(r"\.([^.\[`]+)|\[(\.\.\.)\]", trail)
    keys: list[str] = []
    level: Any = data
    for named, anonymous in steps:
        name = named
        if anonymous and isinstance(level, dict):  # the decoder does not say which one: the first that fails
            name = next((key for key, value in level.items() if _fails([*keys, key], value, kind)), "")
        if not name:
            break
        keys.append(name)
        level = level.get(name) if isinstance(level, dict) else None
    return file.error(tuple(keys), f"`{'.'.join(keys)}`: {what[:1].lower()}{what[1:]}", _allowed(keys, kind))


def _fails(keys: list[str], value: object, kind: type[T]) -> bool:
    for key in reversed(keys):
        value = {key: value}
    try:
        msgspec.convert(value, kind)
    except msgspec.ValidationError:
        return True
    return False


def _allowed(keys: list[str], kind: type[T]) -> str:
    for key in describe(kind):
        if f"{'.'.join(keys)}.".startswith(f"{key.name}."):
            return f"Allowed: {key.allowed}. {key.description}"
    return "docs/configuration.md says what is allowed."


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
    return Path(user_config_file())


def store_address() -> str | None:
    """The address of the team's store; None where each vault keeps a file of its own."""
    named = os.environ.get(STORE_VARIABLE)
    if named is None:
        return load(user_config_path(), UserConfig).agents.store or None
    if not re.fullmatch(STORE_ADDRESS, named):
        raise ConfigError(
            "is not the address of a PostgreSQL server",
            where=f"${STORE_VARIABLE}",
            next_step="Write it as postgresql://user@host/database, or unset it.",
        )
    return named or None


def shown_address(address: str) -> str:
    """An address without its passwords."""
    return _SECRETS.sub(lambda found: (found["before"] or found["name"]) + _HIDDEN, address)
