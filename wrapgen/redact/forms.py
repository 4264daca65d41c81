"""Where secrets stand: how they begin, what they look like, and what is written in front of them.

Every pattern is linear: what repeats is bounded, or ends before the next place at which the pattern can begin.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from wrapgen.late_pattern import late

_SOLID = late(r"[A-Za-z0-9]+")
_PIECES = late(r"[A-Z]?[a-z]+|[A-Z]+|[0-9]+")
_PIECE = 3.3  # letters; random strings have shorter pieces in the mean
_PIECE_MIXED = 2.6  # the same where signs stand between
_WORD = 20  # letters; a longer piece is no word
_SOLID_LEAST = 12  # letters without a sign between; words are joined by signs
_SOLID_LONG = 16  # from here on two numbers inside are enough
_MIXED = late(r"(?=.*[a-z])(?=.*[A-Z])(?=.*[0-9]).{16}")
_GAP = late(r"x{4}|0{8}|\*{3}|\.{3}|example|your|placeholder|redacted|change_?me|<|\$\{|\{\{", re.IGNORECASE)
_CODE = late(r"[$%<{(\[*]|[~.]{0,2}/|[A-Za-z_][\w-]*(?:(?:\.|::|->)[A-Za-z_]\w*)+\Z|.*passw(?:or)?d", re.IGNORECASE)


def is_gap(text: str) -> bool:
    """Whether it only stands where a secret would: `ghp_xxxx`, `<token>`, `YOUR_KEY`."""
    return _GAP.search(text) is not None


def is_random(text: str) -> bool:
    """Whether a machine made it."""
    if is_gap(text):
        return False
    solid = max(_SOLID.findall(text), key=len, default="")
    if len(solid) < _SOLID_LEAST:
        return _MIXED.match(text) is not None and _mean(_PIECES.findall(text)) < _PIECE_MIXED
    pieces = _PIECES.findall(solid)
    if solid.isdecimal():
        return False
    if _mean(pieces) < _PIECE or max(map(len, pieces)) > _WORD:
        return True
    return len(solid) >= _SOLID_LONG and sum(piece.isdecimal() for piece in pieces) >= 2


def is_password(text: str) -> bool:
    """Whether somebody thought it out: letters with digits or signs among them, and no piece of code."""
    if is_gap(text) or _CODE.match(text):
        return False
    letters = any(one.isalpha() for one in text)
    signs = any(one in "!@#^&*+?~$%" for one in text)
    return letters and (signs or any(one.isdecimal() for one in text))


def _mean(pieces: list[str]) -> float:
    return sum(map(len, pieces)) / len(pieces)


@dataclass(frozen=True, slots=True)
class SecretForm:
    """One way in which secrets are written."""

    kind: str  # what is said in place of the secret
    hints: tuple[str, ...]  # one of these stands, in small letters, in every text that has one
    pattern: str  # the secret is its group, or all of it where it has none
    judge: Callable[[str], bool]  # whether what was found is one


def _is_real(text: str) -> bool:
    return not is_gap(text)


_DEFAULTS = ("pass", "password", "passwd", "pwd", "pw", "secret", "user", "username", "postgres", "root")


def _is_login(text: str) -> bool:
    """The password of an address; a port and what stands in every example are none."""
    port = text.isdecimal() and len(text) < 6
    return _is_real(text) and text.lower() not in _DEFAULTS and not text.startswith("$") and not port


_CLASSES = tuple(map(re.compile, (r"[a-z]", r"[A-Z]", r"[0-9]", r"[!@#$%^&*+?~]")))


def _is_strong(text: str) -> bool:
    """Whether what a sentence calls a password is one: "the password is base64-encoded" names none."""
    return is_password(text) and "-" not in text and sum(one.search(text) is not None for one in _CLASSES) > 2


def _is_credential(text: str) -> bool:
    return is_random(text) or (len(text) >= 8 and is_password(text))


_JUDGES = {"random": is_random, "real": _is_real}  # by their names in `shapes.tsv`


def _rows(table: str) -> list[list[str]]:
    lines = Path(__file__).with_name(f"{table}.tsv").read_text("utf-8").splitlines()
    return [line.split("\t") for line in lines if not line.startswith("#")]


def _value(letters: str, least: int) -> str:
    """What stands behind a name; the call of a function, taken whole, is no value."""
    return rf"(?:{letters}{{{least},}}+[(\[{{]|({letters}{{{least},}}+))"


# Between a name and its value, also within JSON that is quoted itself.
_IS = r"""(?:\\?["'`])?\]?[ \t]{0,4}(?::=|=>|==?|:|：)[ \t]{0,4}(?:\\?["'`])?"""
_PASSWORD = r"[!#$%*+./0-9:=?@A-Z^_a-z~-]"
_TOKEN = r"[A-Za-z0-9._~+/=-]"
FORMS = (
    SecretForm(
        "private key", ("private key", "putty-user-key-file"),
        # To its end, but not past another one's beginning; where that was cut off, as far as the lines look like a key.
        r"(?s)(?:-{0,5} ?BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)? ?-{4,5}|PuTTY-User-Key-File-\d:)"
        r"(?>[^-\[`]*+(?:-{1,3}(?!User-Key-File-\d)[^-\[`]++)*?-{4,5} ?END [A-Z0-9 ]{0,60}-{4,5}"
        r"|(?:(?:\s|\\[nr])++(?:(?:Proc-Type|DEK-Info|Version|Comment|Encryption|(?:Public|Private)-Lines): [^\n]{0,99}"
        r"|[A-Za-z0-9+/=]{16,}+))++(?:(?:\s|\\[nr])++[A-Za-z0-9+/=]+\Z)?|\s*+[A-Za-z0-9+/=]++\Z)",
        bool,
    ),
    SecretForm("JSON web token", ("eyj",), r"(?<![\w-])eyJ[\w-]{8,}\.[\w-]{8,}[\w.+/=-]*", _is_real),
    SecretForm(
        "AWS access key", ("akia", "asia", "abia", "acca", "a3t"),
        r"(?<![A-Za-z0-9])(?:A3T[A-Z0-9]|AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}(?![A-Za-z0-9])", _is_real,
    ),
    *(SecretForm(kind, (hint,), pattern, _JUDGES[judge]) for kind, hint, judge, pattern in _rows("shapes")),
    SecretForm("password of an address", ("://",), r"""://[^\s/:@"'`<>\\]*:([^\s/"'`<>\\]+)@""", _is_login),
    SecretForm("token of an address", ("://",), r"""://([^\s/:@"'`<>\\]{16,}+)(?::[^\s/:@"'`<>\\]*+)?@""", is_random),
    SecretForm(
        "credentials", ("authorization",),
        rf"(?i)\bauthorization{_IS}(?:[a-z-]{{3,12}}[ \t]{{1,3}})?{_value(_TOKEN, 6)}",
        _is_credential,
    ),
    SecretForm(
        "credentials", ("bearer", "basic"), rf"(?i)\b(?:bearer|basic)[ \t]{{1,3}}{_value(_TOKEN, 16)}", is_random
    ),
    SecretForm(
        "secret", ("secret", "token", "key", "credential", "sig", "_auth", "-auth"),
        r"(?i)(?:secret|(?<!csrf_)(?<!page_)(?<!next_)token|(?:api|access|account|auth|secret|private|encryption|signing|"
        r"master|service|subscription|shared)[_-]?(?:access)?[_-]?key|key[_-]?secret|secret[_-]?key|credentials?|"
        rf"\bsig(?:nature)?|[_-]auth|\bsession[_-]?key)[\w.-]{{0,20}}{_IS}{_value(_TOKEN, 12)}",
        is_random,
    ),
    SecretForm(
        "password", ("pass", "pwd", "비밀번호", "密码", "パスワード"),
        rf"(?i)(?:passw(?:or)?d|passphrase|[_-]pass|pwd|비밀번호|密码|パスワード){_IS}"
        rf"{_value(_PASSWORD, 6)}",
        is_password,
    ),
    SecretForm("password", ("password>", "passwd>", "secret>", "token>"),
         r"(?i)<[\w:.-]{0,40}(?:password|passwd|secret|token)>([^<>\s]{6,512})</", is_password),
    SecretForm(
        "password", ("--pass", "--token", "--api-key", "--secret"),
        rf"(?i)--(?:[a-z]{{1,20}}-)?(?:pass(?:word)?|token|api-key|secret)[ \t=]{{1,3}}[\"']?{_value(_PASSWORD, 6)}",
        is_password,
    ),
    SecretForm("password", ("curl",),
         r"""(?<!\w)(?:-u|--user)[ =]{0,3}["']?[\w.@+-]{1,80}:([^\s"'`]{4,256}+)""", is_password),
    SecretForm("password", ("sshpass",),
         r"""\bsshpass[ \t]{1,3}-p[ \t]{0,3}["']?([^\s"'`]{4,256}+)""", _is_login),
    SecretForm("password", ("mysql", "mariadb"),
         r"""\b(?:mysql|mariadb)(?:dump|admin)?[ \t][^\n|;]{0,80}?(?<=[ \t])-p(?!ort)["']?([^\s"'`]{4,256}+)""",
         is_password),
    SecretForm("password", ("password is", "passphrase is", "passwd is", "pwd is"),
         r"""(?i)(?:password|passphrase|passwd|pwd) is[ \t]{1,3}["'`]?([^\s"'`]{8,256}+)""", _is_strong),
    SecretForm("password", ("login",),
         r"(?i)\blogin[ \t]{1,3}\S{1,80}[ \t]{1,3}password[ \t]{1,3}(\S{4,256}+)", is_password),
)  # fmt: skip

# Runs long enough for a prefix with a secret behind it.
_LONG = late(r"[\w$.~:/+=-]{19,}", re.ASCII)


@lru_cache(maxsize=1)
def prefixes() -> dict[str, str]:
    """How secrets begin, longest first, and of which kind they are."""
    table = dict([*_rows("more_prefixes"), *_rows("prefixes")])
    return dict(sorted(table.items(), key=lambda one: -len(one[0])))


def prefixed(text: str) -> re.Pattern[str] | None:
    """A pattern for the secrets whose beginnings stand in a text; group 1 is the beginning."""
    long = " ".join(_LONG.findall(text))
    if not long:
        return None
    begun = "|".join(re.escape(prefix) for prefix in prefixes() if prefix in long)
    tail = r"[\w-]{16,}(?:[+/=~:][\w-]+|\.[\w-]{6,})*={0,2}"
    # Letters of other scripts stand right beside a key and are not part of it: hence ASCII.
    return re.compile(rf"(?:(?<![\w-])|(?<=\\[nrt]))({begun}){tail}", re.ASCII) if begun else None
