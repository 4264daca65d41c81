"""The `skills:` of an agent's own file: one name put in or removed, every other byte stays. PURE.

Front matter is YAML, but people's comments and quotes in it must survive, so the one key is read by its line. What is
written in any other way than the usual three is left alone.
"""

import re

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
