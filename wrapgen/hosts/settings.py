"""Our entries in a host's settings, and a skill in an agent's own file: everything else stays as it was written. PURE.

Front matter is YAML, but people's comments and quotes in it must survive, so its one key is read by its line. What is
written in any other way than the usual three is left alone.
"""

import re
import shlex
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, cast

from wrapgen.hosts import jsontext
from wrapgen.hosts.host import Host, is_own
from wrapgen.hosts.jsontext import JsonTextError, Node, line_of

_EMPTY = "{}\n"
HOOKS, STATUS_LINE, ENV = "hooks", "statusLine", "env"
TASK_LIST = "CLAUDE_CODE_ENABLE_TODO_TOOLS"  # gives newer models of Claude Code (from 2.1.233 on) their to-do list
_VERSION = "version"


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is to be in a host's settings."""

    host: Host  # the host
    program: tuple[str, ...]  # the words that start wrapgen
    # names of events that are put in on request, None for those that are there already
    events: tuple[str, ...] | None = None
    status_line: bool | None = None  # whether the host shows wrapgen's line, None to leave that as it is
    task_list: bool | None = None  # whether the host's model is given its to-do list, None to leave that as it is


@dataclass(frozen=True, slots=True)
class HookEntry:
    """An entry of ours."""

    event: str  # the event, as the host says it
    handler: dict[str, Any]  # what is there
    line: int  # where, counted from 1


def merge(text: str, wanted: Wanted) -> str:
    """Put our entries into settings, in the place of those of older versions; raises `JsonTextError`."""
    host = wanted.host
    present = {one.event for one in entries(text, host)} if text.strip() else set()
    text = text if text.strip() else _EMPTY
    if host.version is not None and root_of(text, host).at(_VERSION) is None:
        text = jsontext.put(text, root_of(text, host), host.version, _VERSION)
    groups = {
        event.name: host.group(event, wanted.program)
        for event in host.events
        if not event.on_request or event.name in (present if wanted.events is None else wanted.events)
    }
    for name in present - groups.keys():
        text = _without(text, host, name)
    for name, group in groups.items():
        if not _stands(text, host, name, group):
            text = _with(_without(text, host, name, shells=[(HOOKS,), (HOOKS, name)]), host, name, group)
    return _with_task_list(_with_status_line(text, wanted), wanted)


def _with_task_list(text: str, wanted: Wanted) -> str:
    if wanted.task_list is None:
        return text
    root = root_of(text, wanted.host)
    env = _expected(text, root.at(ENV), dict, ENV, "a table") if wanted.task_list else None
    if not wanted.task_list:
        return _without_task_list(text, wanted.host, "")
    if env is None:
        return jsontext.put(text, root, {TASK_LIST: "1"}, ENV)
    return text if TASK_LIST in env.value else jsontext.put(text, env, "1", TASK_LIST)


def _without_task_list(text: str, host: Host, former: str | None) -> str:
    """Take the variable out that came with an installation; where nothing is known of one, it is the user's own."""
    if former is None:
        return text
    before = root_of(former, host).at(ENV) if former and former.strip() else None
    env = root_of(text, host).at(ENV)
    number = env.index(TASK_LIST) if env is not None else None
    if env is None or number is None or env.children[number].value != "1" or (before and TASK_LIST in before.keys):
        return text
    return _without_empty(jsontext.take(text, env, number), host, (ENV,), [(ENV,)] if before else [])


def _stands(text: str, host: Host, event: str, group: dict[str, Any]) -> bool:
    groups = _event(_hooks(root_of(text, host), text), event, text)
    if groups is None:
        return False
    ours = [one for one in groups.value if is_own(one) or any(map(is_own, _handlers(one)))]
    return ours == [group]


def _with(text: str, host: Host, event: str, group: dict[str, Any]) -> str:
    root = root_of(text, host)
    hooks = _hooks(root, text)
    if hooks is None:
        return jsontext.put(text, root, {event: [group]}, HOOKS)
    groups = _event(hooks, event, text)
    return jsontext.put(text, hooks, [group], event) if groups is None else jsontext.put(text, groups, group)


def _with_status_line(text: str, wanted: Wanted) -> str:
    root = root_of(text, wanted.host)
    line = root.at(STATUS_LINE)
    ours = line is not None and is_own(line.value)
    if not (ours or wanted.status_line) or (line is not None and not ours):
        return text
    number = root.index(STATUS_LINE)
    if wanted.status_line is False and number is not None:
        return jsontext.take(text, root, number)
    value = {"type": "command", "command": shlex.join([*wanted.program, "statusline"])}
    if line is None:
        return jsontext.put(text, root, value, STATUS_LINE)
    return text if line.value == value else jsontext.swap(text, line, value)


def foreign_status_line(text: str, host: Host) -> bool:
    """Whether the host shows the line of another program."""
    line = root_of(text, host).at(STATUS_LINE) if text.strip() else None
    return line is not None and not is_own(line.value)


def without(text: str, host: Host, former: str | None) -> str:
    """Take all our entries out, and what is left empty that was not so in `former`; raises `JsonTextError`."""
    # What held nothing but entries of an older wrapgen is nothing that stood there by itself.
    others = without(former, host, None) if former and former.strip() else None
    shells = list(_shells(others, host))
    ours = dict.fromkeys(one.event for one in entries(text, host))
    for name in ours:
        text = _without(text, host, name, shells)
    if ours and host.version is not None:
        text = _without_version(text, host, former, others)
    root = root_of(text, host)
    number = root.index(STATUS_LINE)
    if number is not None and is_own(root.children[number].value):
        text = jsontext.take(text, root, number)
    return _without_task_list(text, host, former)


def _without_version(text: str, host: Host, former: str | None, others: str | None) -> str:
    """Take the version out that came with our entries, unless it was there before or others' new entries need it."""
    root = root_of(text, host)
    number, hooks, old = root.index(_VERSION), root.at(HOOKS), root_of(others, host).at(HOOKS) if others else None
    if number is None or (former and former.strip() and root_of(former, host).at(_VERSION) is not None):
        return text
    needed = (hooks.value if hooks else None) != (old.value if old else None)
    return text if needed else jsontext.take(text, root, number)


def _shells(former: str | None, host: Host) -> Iterator[tuple[str, ...]]:
    """The tables and lists of hooks that settings have, whether there is something in them or not."""
    if former is None or not former.strip():
        return
    hooks = root_of(former, host).at(HOOKS)
    if hooks is not None:
        yield (HOOKS,)
        yield from ((HOOKS, name) for name in hooks.keys)


def _without(text: str, host: Host, event: str, shells: Iterable[tuple[str, ...]] = ()) -> str:
    """Take our entries of one event out; groups, lists and tables that they leave empty go too, but for `shells`."""
    while True:
        groups = _event(_hooks(root_of(text, host), text), event, text)
        place = next(_own_places(groups), None)
        if groups is None or place is None:
            break
        number, at = place
        handlers = groups.children[number].at(HOOKS)
        alone = handlers is None or len(handlers.children) == 1
        text = jsontext.take(text, groups, number) if alone else jsontext.take(text, cast("Node", handlers), at)
    return _without_empty(text, host, (HOOKS, event), set(shells))


def _without_empty(text: str, host: Host, keys: tuple[str, ...], kept: Iterable[tuple[str, ...]]) -> str:
    """Take a table or list out that is left empty, and the one that it stands in likewise, but for those in `kept`."""
    for depth in range(len(keys) - 1, -1, -1):
        table: Node | None = root_of(text, host)
        for key in keys[:depth]:
            table = table.at(key) if table else None
        number = table.index(keys[depth]) if table else None
        if table and number is not None and table.children[number].value in ([], {}) and keys[: depth + 1] not in kept:
            text = jsontext.take(text, table, number)
    return text


def _own_places(groups: Node | None) -> Iterator[tuple[int, int]]:
    """Where our entries are: the number of the group, and theirs in it; 0 for one that is in no group."""
    for number, group in enumerate(groups.children if groups else ()):
        handlers = group.at(HOOKS)
        if is_own(group.value):
            yield number, 0
        for at, handler in enumerate(handlers.children if handlers else ()):
            if is_own(handler.value):
                yield number, at


def entries(text: str, host: Host) -> list[HookEntry]:
    """Our entries, in the order of the text; raises `JsonTextError` where that cannot be understood."""
    hooks = _hooks(root_of(text, host), text)
    found: list[HookEntry] = []
    for name in dict.fromkeys(hooks.keys if hooks else ()):
        groups = _event(hooks, name, text) if _is_event(hooks, name) else None
        for number, at in _own_places(groups):
            assert groups is not None
            handlers = groups.children[number].at(HOOKS)
            handler = groups.children[number] if handlers is None else handlers.children[at]
            found.append(HookEntry(name, handler.value, line_of(text, handler.start)))
    return found


def _is_event(hooks: Node | None, name: str) -> bool:
    """Whether a key names an event: hosts keep other things beside them, such as Gemini's `disabled`."""
    found = hooks.at(name) if hooks else None
    return found is not None and isinstance(found.value, list) and any(isinstance(one, dict) for one in found.value)


def _handlers(group: object) -> list[Any]:
    handlers = group.get(HOOKS) if isinstance(group, dict) else None
    return handlers if isinstance(handlers, list) else []


def root_of(text: str, host: Host) -> Node:
    """The table that settings are; raises `JsonTextError`."""
    root = jsontext.parse(text, comments=host.comments)
    if not isinstance(root.value, dict):
        raise JsonTextError(f"holds {_kind(root.value)} where settings should be a table", line_of(text, root.start))
    return root


def _hooks(root: Node, text: str) -> Node | None:
    return _expected(text, root.at(HOOKS), dict, HOOKS, "a table of events")


def _event(hooks: Node | None, event: str, text: str) -> Node | None:
    return _expected(text, hooks.at(event) if hooks else None, list, f"{HOOKS}.{event}", "a list")


def _expected(text: str, node: Node | None, kind: type, name: str, what: str) -> Node | None:
    if node is not None and not isinstance(node.value, kind):
        raise JsonTextError(f"`{name}` is {_kind(node.value)} where the host expects {what}", line_of(text, node.start))
    return node


def _kind(value: object) -> str:
    kinds = {dict: "a table", list: "a list", str: "a text", bool: "true or false", type(None): "null"}
    return kinds.get(type(value), "a number")


_FRONT = re.compile(r"\A---[ \t]*\r?\n(.*?)^---[ \t]*\r?$", re.DOTALL | re.MULTILINE)
_KEY = re.compile(r"^skills:[ \t]*+((?:[^ \t\r\n]++|[ \t]++(?![\r\n]))*+)[ \t]*+(\r?\n)", re.MULTILINE)
_ITEM = re.compile(r"[ \t]*+-[ \t][^\r\n]*+\r?\n")
_FLOW = re.compile(r"\[([^\[\]#\"']*)\]\Z")
_PLAIN = re.compile(r"[\w-]+(?:[ \t]*,[ \t]*[\w-]+)*\Z")


def with_skill(text: str, skill: str) -> str | None:
    """The file with a skill added to an agent's; None when its front matter cannot be understood."""
    front = _FRONT.match(text)
    if front is None:
        return None
    key = _KEY.search(text, front.start(1), front.end(1))
    if key is None:
        newline = "\r\n" if "\r\n" in front[0] else "\n"
        return f"{text[: front.end(1)]}skills:{newline}  - {skill}{newline}{text[front.end(1) :]}"
    value, end = key[1], key.end()
    if skill in _names(text, key, front.end(1)):
        return text
    if not value:
        items = _items(text, end, front.end(1))
        if not items:
            return None
        last = items[-1]
        dash = last[0].index("-")
        return f"{text[: last.end()]}{last[0][:dash]}- {skill}{key[2]}{text[last.end() :]}"
    if flow := _FLOW.match(value):
        inner = f"{flow[1].rstrip()}, {skill}" if flow[1].strip() else skill
        value = f"[{inner}]"
    elif _PLAIN.match(value):
        value = f"{value}, {skill}"
    else:
        return None
    return text[: key.start(1)] + value + text[key.end(1) :]


def without_skill(text: str, skill: str) -> str:
    """Take a skill out that was put in; a file that cannot be understood stays as it is."""
    front = _FRONT.match(text)
    key = _KEY.search(text, front.start(1), front.end(1)) if front else None
    if front is None or key is None:
        return text
    if not key[1]:
        items = _items(text, key.end(), front.end(1))
        for item in items:
            if item[0].strip(" \t\r\n-") == skill:
                begin = item.start() if len(items) > 1 else key.start()
                return text[:begin] + text[item.end() :]
        return text
    alone = rf"(?<=\[){re.escape(skill)}(?=\])"
    value = re.sub(rf"{alone}|,[ \t]*{re.escape(skill)}(?![\w-])", "", key[1], count=1)
    return text[: key.start(1)] + value + text[key.end(1) :]


def _names(text: str, key: re.Match[str], end: int) -> list[str]:
    if key[1]:
        return [one.strip(" \t\"'") for one in key[1].strip("[]").split(",")]
    return [one[0].strip(" \t\r\n-\"'") for one in _items(text, key.end(), end)]


def _items(text: str, start: int, end: int) -> list[re.Match[str]]:
    found = []
    while start < end and (item := _ITEM.match(text, start, end)):
        found.append(item)
        start = item.end()
    return found
