"""Tell secrets from honest words: what a machine made, what somebody thought out, what only stands for one."""

from __future__ import annotations

import base64
import binascii
import re

from wrapgen.late_pattern import late

_SOLID = late(r"[A-Za-z0-9]+")
_PIECES = late(r"[A-Z]?[a-z]+|[A-Z]+|[0-9]+")
_PIECE = 3.3  # letters; random strings have shorter pieces in the mean
_PIECE_MIXED = 2.6  # the same where signs stand between
_PIECE_SHORT = 2.2  # the same of a password without signs
_WORD = 20  # letters; a longer piece is no word
_SOLID_LEAST = 12  # letters without a sign between; words are joined by signs
_SOLID_LONG = 16  # from here on two numbers inside are enough
_MIXED = late(r"(?=.*[a-z])(?=.*[A-Z])(?=.*[0-9]).{16}")
_GAP = late(r"x{4}|0{8}|\*{3}|\.{3}|example|your|placeholder|redacted|change_?me|<|\$\{|\{\{", re.IGNORECASE)
_CODE = late(
    r"[$%<{(\[*]|[~.]{0,2}/|\w{2,12}://|[A-Za-z_][\w-]*(?:(?:\.|::|->)[A-Za-z_]\w*)+\Z|.*passw(?:or)?d", re.IGNORECASE
)
_MAIL = late(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+\Z|(?:root|admin|user|git|ubuntu|me)@")
_SIGNS = "!@#^&*+?~$%"
_CLASSES = tuple(map(re.compile, (r"[a-z]", r"[A-Z]", r"[0-9]", r"[!@#$%^&*+?~]")))
_STRONG_LEAST = 8


def is_gap(text: str) -> bool:
    """Tell whether it only stands where a secret would: `ghp_xxxx`, `<token>`, `YOUR_KEY`."""
    return _GAP.search(text) is not None


def is_real(text: str) -> bool:
    """Tell whether it stands for itself."""
    return not is_gap(text)


def is_random(text: str) -> bool:
    """Tell whether a machine made it."""
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
    """Tell whether somebody thought it out: letters with digits or signs among them, and no piece of code."""
    if is_gap(text) or _CODE.match(text):
        return False
    letters = any(one.isalpha() for one in text)
    signs = any(one in _SIGNS for one in text.rstrip("*_:"))  # which end what is bold
    return letters and (signs or any(one.isdecimal() for one in text))


def is_strong(text: str) -> bool:
    """Tell whether what a sentence calls a password is one: "the password is base64-encoded" names none."""
    if len(text) < _STRONG_LEAST or not is_password(text) or "-" in text or _MAIL.match(text):
        return False
    if sum(one.search(text) is not None for one in _CLASSES) < 3:
        return False
    return any(one in _SIGNS for one in text.rstrip("*_:")) or (
        _SOLID.fullmatch(text) is not None and _mean(_PIECES.findall(text)) < _PIECE_SHORT
    )


def is_credential(text: str) -> bool:
    """Tell whether it is what stands behind `Authorization`."""
    return is_random(text) or (len(text) >= 8 and is_password(text))


_DEFAULTS = ("pass", "password", "passwd", "pwd", "pw", "secret", "user", "username", "postgres", "root")


def is_login(text: str) -> bool:
    """Tell whether it is the password of an address; a port and what stands in every example are none."""
    port = text.isdecimal() and len(text) < 6
    return is_real(text) and text.lower() not in _DEFAULTS and not text.startswith("$") and not port


_NO_SEED = frozenset({"the", "and", "for", "from", "with", "are", "not", "into", "has", "its", "was", "but"})


def is_seed(text: str) -> bool:
    """Tell whether words in a row are those of a wallet: none of them only joins others."""
    return _NO_SEED.isdisjoint(text.replace(",", " ").split())


_BLANKS = late(r"\\[nr]|[\s>]+")
_MOST = 8_192  # letters of a block that are looked into
_OPENSSH, _PEM = b"openssh-key-v1\0", b"PRIVATE KEY-----"
_ENCRYPTED = (bytes.fromhex("2a864886f70d01050d"), bytes.fromhex("2a864886f70d010c01"))  # PBES2, PKCS #12's


def holds_secret(text: str) -> bool:
    """Tell whether a block of base64 holds a private key, or text with a secret in it."""
    solid = _BLANKS.sub("", text)[:_MOST].rstrip("=")
    try:
        data = base64.b64decode(solid[: len(solid) // 4 * 4], validate=True)
    except binascii.Error:
        return False
    if data.startswith(_OPENSSH) or _PEM in data or _is_private_der(data):
        return True
    if not data.isascii() or any(byte < 32 and byte not in b"\t\n\r" for byte in data):
        return False
    from wrapgen.redact import redact  # which looks into blocks by this

    return redact(data.decode("ascii"))[1] > 0


def _is_private_der(data: bytes) -> bool:
    """Tell whether it is a sequence that begins with the version of a private key, or with how one is encrypted.

    A certificate and a public key begin with another sequence, or with a number that is no version.
    """
    if data[:1] != b"\x30" or len(data) < 32:
        return False
    body = 2 + (data[1] & 0x7F if data[1] & 0x80 else 0)
    first = data[body : body + 3]
    return first in (b"\x02\x01\x00", b"\x02\x01\x01", b"\x02\x01\x03") or any(
        data[body : body + 1] == b"\x30" and one in data[body : body + 20] for one in _ENCRYPTED
    )


def _mean(pieces: list[str]) -> float:
    return sum(map(len, pieces)) / len(pieces) if pieces else 0.0


# By their names in `shapes.tsv`.
JUDGES = {
    "random": is_random, "real": is_real, "password": is_password, "strong": is_strong, "login": is_login,
    "seed": is_seed,
}  # fmt: skip
