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
from wrapgen.redact.judges import (
    JUDGES,
    holds_secret,
    is_credential,
    is_login,
    is_password,
    is_random,
    is_real,
    is_strong,
)


@dataclass(frozen=True, slots=True)
class SecretForm:
    """One way in which secrets are written."""

    kind: str  # what is said in place of the secret
    hints: tuple[str, ...]  # one of these stands, in small letters, in every text that has one
    pattern: str  # the secret is the group that took part, or all of it where the pattern has none
    judge: Callable[[str], bool]  # whether what was found is one


def _rows(table: str) -> list[list[str]]:
    lines = Path(__file__).with_name(f"{table}.tsv").read_text("utf-8").splitlines()
    return [line.split("\t") for line in lines if not line.startswith("#")]


def _value(letters: str, least: int) -> str:
    """Return what stands behind a name; the call of a function, taken whole, is no value."""
    return rf"(?:{letters}{{{least},}}+[(\[{{]|({letters}{{{least},}}+))"


_PASSWORD = r"(?:[!#$%*+./0-9:=?@A-Z^_a-z~-]|&(?!\w{1,20}=))"
_TOKEN = r"[A-Za-z0-9._~+/=-]"
# In quotes a password may have any letter.
_QUOTED = rf"""(?:(?<=`)([^`\s]{{6,200}}+)`|(?<=["'“„«「])([^"'”“»」\s\\]{{6,200}}+)["'”“»」]|{_value(_PASSWORD, 6)})"""

# Between a name and its value, also within JSON that is quoted itself, in Markdown and in HTML.
_BLANK = r"[ \t\u00a0\u3000]"
_CLOSED = r"""(?:\\?["'`]|\*{1,3}|_{1,2}|</[a-z]{1,10}>){0,2}"""
_OPENED = r"""(?:\\?["'`“„«「]|\*{1,3}|_{1,2}|<[a-z]{1,10}>){0,2}"""
_IS = rf"{_CLOSED}\]?{_BLANK}{{0,4}}(?:(?::=|=>|==?|:|：|＝){_CLOSED}|</t[dh]>\s{{0,9}}<t[dh]>){_BLANK}{{0,4}}{_OPENED}"
# The same where only the value tells that it is one: in the next cell or line, behind a verb or a dash.
_CELL = rf"{_CLOSED}{_BLANK}{{0,40}}\|{_BLANK}{{0,40}}{_OPENED}"
_BELOW = (
    rf"{_CLOSED}{_BLANK}?[:：=]?{_CLOSED}{_BLANK}{{0,4}}\r?\n(?:[ \t>]{{0,12}}\r?\n)?[ \t>]{{0,12}}"
    rf"(?:[-*+:]{_BLANK}{{1,4}}|```\w{{0,10}}\r?\n[ \t>]{{0,12}})?{_OPENED}"
)
_VERB = (
    rf"{_CLOSED}{_BLANK}{{0,3}}(?:\b(?:is|was|ist|war|lautet|est|es|era|set to)\b|é|è|это"
    rf"|[는은가이是为為はが]|[—–→]|(?<=[ \t])-(?=[ \t])){_BLANK}{{0,3}}[:：]?{_BLANK}{{0,3}}{_OPENED}"
)
_BESIDE = rf"{_CLOSED}(?:{_BLANK}{{1,3}}\(?|(?=[“„«「])){_OPENED}"
_WHOSE = rf"(?:{_BLANK}(?:for|of|für|pour|para|de){_BLANK}[\w .@/-]{{1,30}}?|{_BLANK}?\([^()\n\d]{{1,30}}\))?"

_PASSWORD_NAMES = (
    r"(?:passw(?:or)?d|passphrase|passcode|pwd|passwort|kennwort|mot de passe|contrase(?:ñ|Ñ|n)a|senha"
    r"|palavra-passe|clave de acceso|zugangscode|wlan-schlüssel|code d['’]accès)s?|\bmdp|[_-]pass"
    r"|비밀 ?번호|비번|암호|패스워드|密码|密碼|口令|パスワード|パスフレーズ|暗証番号|[Пп]арол(?:ь|я|и)|ПАРОЛЬ"
)
_PASSWORD_HINTS = (
    "pass", "pwd", "kennwort", "contrase", "senha", "clave", "zugangscode", "wlan-", "accès", "mdp", "비밀",
    "비번", "암호", "패스워드", "密码", "密碼", "口令", "パス", "暗証番号", "парол",
)  # fmt: skip
_KEY_NAMES = (
    r"secret|(?<!csrf_)(?<!page_)(?<!next_)token|(?:api|access|account|auth|secret|private|encryption|signing|"
    r"master|service|subscription|shared|functions|application|fastly)[ _-]?(?:access)?[ _-]?key|key[_-]?secret|"
    r"secret[_-]?key|credentials?|_pat\b|\bsig(?:nature)?|[_-]auth|\bsession[_-]?key|\bbw_session|\bwif\b|"
    r"API[ -]?(?:schlüssel|키|キー|密钥|密鑰|ключ)|[тТ]окен|토큰|トークン|令牌"
)
_KEY_HINTS = (
    "secret", "token", "key", "credential", "sig", "_pat", "_auth", "-auth", "bw_session", "wif", "api-schl",
    "api schl", "키", "キー", "密钥", "密鑰", "ключ", "токен", "토큰", "トークン", "令牌",
)  # fmt: skip

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
    SecretForm("JSON web token", ("eyj",), r"(?<![\w-])eyJ[\w-]{8,}\.[\w-]{8,}[\w.+/=-]*", is_real),
    SecretForm(
        "private key", ("",),  # in base64, without the lines that say so, or with them inside
        r"(?<![\w+/=-])[A-Za-z0-9+/]{40,}+(?:(?:\s|\\[nr]|>)++[A-Za-z0-9+/]{20,}+)*+"
        r"(?:(?:(?:\s|\\[nr]|>)++)?+[A-Za-z0-9+/]{0,80}={1,2})?",
        holds_secret,
    ),
    SecretForm(
        "AWS access key", ("akia", "asia", "abia", "acca", "a3t"),
        r"(?<![A-Za-z0-9])(?:A3T[A-Z0-9]|AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}(?![A-Za-z0-9])", is_real,
    ),
    *(SecretForm(kind, tuple(hints.split("|")), pattern, JUDGES[judge])
      for kind, hints, judge, pattern in _rows("shapes")),
    SecretForm("password of an address", ("://",), r"""://[^\s/:@"'`<>\\]*:([^\s/"'`<>\\]+)@""", is_login),
    SecretForm("token of an address", ("://",), r"""://([^\s/:@"'`<>\\]{16,}+)(?::[^\s/:@"'`<>\\]*+)?@""", is_random),
    SecretForm(
        "credentials", ("authorization",),
        rf"(?i)\bauthorization{_IS}(?:[a-z-]{{3,12}}[ \t]{{1,3}})?{_value(_TOKEN, 6)}",
        is_credential,
    ),
    SecretForm(
        "credentials", ("bearer", "basic"), rf"(?i)\b(?:bearer|basic)[ \t]{{1,3}}{_value(_TOKEN, 16)}", is_random
    ),
    SecretForm(
        "secret", _KEY_HINTS,
        rf"(?i)(?:{_KEY_NAMES})(?:[\w.-]{{0,20}}{_IS}|(?:{_CELL}|{_BELOW}|{_VERB})){_value(_TOKEN, 12)}", is_random,
    ),
    SecretForm("password", _PASSWORD_HINTS, rf"(?i)(?:{_PASSWORD_NAMES}){_WHOSE}{_IS}{_QUOTED}", is_password),
    SecretForm(
        "password", _PASSWORD_HINTS,
        rf"(?i)(?:{_PASSWORD_NAMES}){_WHOSE}(?:{_CELL}|{_BELOW}|{_VERB}|{_BESIDE}){_QUOTED}", is_strong,
    ),
    SecretForm(
        "password", ("pass", "pw"),
        rf"(?i)(?:(?<![a-z])(?:pass|pw)|(?-i:(?<=[a-z])Pass))(?![a-z]){_IS}{_QUOTED}", is_strong,
    ),
    SecretForm("password", ("password>", "passwd>", "secret>", "token>"),
         r"(?i)<[\w:.-]{0,40}(?:password|passwd|secret|token)>([^<>\s]{6,512})</", is_password),
    SecretForm(
        "password", ("--",),
        r"(?i)--(?:[a-z]{1,20}-)?(?:pass(?:word|phrase)?|token|api-key|secret|auth-?key|setup-key)[ \t=]{1,3}[\"']?"
        rf"{_value(_PASSWORD, 6)}",
        is_password,
    ),
    SecretForm("password", ("sshpass",),
         r"""\bsshpass[ \t]{1,3}-p[ \t]{0,3}["']?([^\s"'`]{4,256}+)""", is_login),
    SecretForm("password", ("mysql", "mariadb"),
         r"""\b(?:mysql|mariadb)(?:dump|admin)?[ \t][^\n|;]{0,80}?(?<=[ \t])-p(?!ort)["']?([^\s"'`]{4,256}+)""",
         is_password),
    SecretForm("password", ("login",),
         r"(?i)\blogin[ \t]{1,3}\S{1,80}[ \t]{1,3}password[ \t]{1,3}(\S{4,256}+)", is_password),
)  # fmt: skip

# Runs long enough for a prefix with a secret behind it.
_LONG = late(r"[\w$.~:/+=-]{19,}", re.ASCII)


@lru_cache(maxsize=1)
def prefixes() -> dict[str, str]:
    """Return how secrets begin, longest first, and of which kind they are."""
    table = dict([*_rows("more_prefixes"), *_rows("prefixes")])
    return dict(sorted(table.items(), key=lambda one: -len(one[0])))


def prefixed(text: str) -> re.Pattern[str] | None:
    """Return a pattern for the secrets whose beginnings stand in a text; group 1 is the beginning."""
    long = " ".join(_LONG.findall(text))
    if not long:
        return None
    begun = "|".join(re.escape(prefix) for prefix in prefixes() if prefix in long)
    tail = r"[\w-]{16,}(?:[+/=~:][\w-]+|\.[\w-]{6,})*={0,2}"
    # Letters of other scripts stand right beside a key and are not part of it: hence ASCII.
    return re.compile(rf"(?:(?<![\w-])|(?<=\\[nrt]))({begun}){tail}", re.ASCII) if begun else None
