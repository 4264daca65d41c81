"""Passwords and keys below the head of a table that names their column."""

from __future__ import annotations

import re
from collections.abc import Callable

from wrapgen.late_pattern import late
from wrapgen.redact.judges import is_password, is_random

# A head, the row of dashes below it, and the rows.
_TABLE = late(
    r"^([^\n|]{0,200}\|[^\n]{0,1000})\n"
    r"([ \t>]{0,12}\|?[ \t]{0,40}:?-[-: \t|]{1,1000})\r?\n((?:[^\n|]{0,200}\|[^\n]*\n?)+)",
    re.MULTILINE,
)
_NAMES = r"(?:\w{1,20} )?(?:%s)s?"
_COLUMNS = (
    ("password", is_password, re.compile(
        _NAMES % "pass(?:w(?:or)?d|phrase|code)?|pwd|pw|passwort|kennwort|mot de passe|contraseña|senha|пароль"
        "|비밀번호|비번|암호|패스워드|密码|密碼|口令|パスワード|暗証番号", re.IGNORECASE)),
    ("secret", is_random, re.compile(
        _NAMES % ("api[ _-]?key|key|token|secret"
        "|api-schlüssel|api 키|apiキー|api 密钥|токен|토큰|令牌"), re.IGNORECASE)),
)  # fmt: skip
_CELL = late(r"(?:\\.|[^|\\\n])+")
_ODD = late(r"[\s()\[\]{}<>]")  # in no password of a table, and in no key
_MARKS = " \t\r*_`\"'"


def without_columns(text: str, marked: Callable[[str, str], str]) -> tuple[str, int]:
    """Replace what stands in such columns by `marked` of kind and secret; the text, and how many there were."""
    count = 0

    def rows(table: re.Match[str]) -> str:
        nonlocal count
        named = _named(table[1])
        if not named:
            return table[0]
        lines = []
        for line in table[3].split("\n"):
            kept, more = _row(line, named, marked)
            lines.append(kept)
            count += more
        return f"{table[1]}\n{table[0][len(table[1]) + 1 : table.start(3) - table.start()]}" + "\n".join(lines)

    return _TABLE.sub(rows, text), count


def _named(head: str) -> dict[int, tuple[str, Callable[[str], bool]]]:
    """Return the columns that are named so, by their numbers."""
    cells = [cell[0].strip(_MARKS) for cell in _cells(head)]
    return {
        at: (kind, judge) for at, cell in enumerate(cells) for kind, judge, names in _COLUMNS if names.fullmatch(cell)
    }


def _cells(line: str) -> list[re.Match[str]]:
    """Return the cells of a row; what stands before its first bar, a quote's mark at most, is none."""
    found = list(_CELL.finditer(line))
    return found[1:] if found and not found[0][0].strip(" \t>") else found


def _row(
    line: str, named: dict[int, tuple[str, Callable[[str], bool]]], marked: Callable[[str, str], str]
) -> tuple[str, int]:
    count = 0
    cells = _cells(line)
    for at in sorted(named, reverse=True):
        if at >= len(cells):
            continue
        kind, judge = named[at]
        cell = cells[at]
        secret = cell[0].strip(_MARKS)
        if len(secret) >= 6 and not _ODD.search(secret) and judge(secret):
            begin = cell.start() + cell[0].index(secret)
            line = f"{line[:begin]}{marked(kind, secret)}{line[begin + len(secret) :]}"
            count += 1
    return line, count
