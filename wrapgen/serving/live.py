"""A page that loads itself again when the vault changes, and what the browser may do with it. PURE."""

from __future__ import annotations

import re
from base64 import b64encode
from dataclasses import dataclass
from hashlib import sha256
from html import escape, unescape

_POLICY = re.compile(r'<meta http-equiv="Content-Security-Policy" content="([^"]*)">')
_NONE = "default-src 'none'; base-uri 'none'; form-action 'none'"
_FRAMES = "frame-ancestors 'none'"
# The page as it was left is scrolled to where it was, by the browser itself.
_RELOAD = 'new EventSource("?seen=%d").addEventListener("change", () => location.reload());'
_STYLE = (
    ":root{color-scheme:light dark}"
    "body{font:1rem/1.5 system-ui,sans-serif;max-width:42rem;margin:2rem auto;padding:0 1rem;overflow-wrap:anywhere}"
)


@dataclass(frozen=True, slots=True)
class Live:
    """What is sent."""

    html: str
    policy: str  # its Content-Security-Policy


POLICY = f"{_NONE}; {_FRAMES}"
"""Of everything that is not a page."""


def live(page: str, seen: int) -> Live:
    """Make a page load itself again.

    Args:
        page: as `wrap page` writes it. What it allows itself stays allowed, and nothing else but this script.
        seen: how many changes it has seen.
    """
    script = _RELOAD % seen
    said = _POLICY.search(page)
    allowed = _directives(unescape(said[1]) if said else f"{_NONE}; style-src 'unsafe-inline'; img-src data:")
    allowed["script-src"] = f"{allowed.get('script-src', '')} {_digest(script)}".strip()
    allowed |= {"connect-src": "'self'", "frame-ancestors": "'none'"}
    policy = "; ".join(f"{name} {values}" for name, values in allowed.items())
    page = page.replace(said[0], "", 1) if said else page  # two policies would allow what both do: no connection
    before, _, after = page.partition("</body>") if "</body>" in page else (page, "", "")
    return Live(f"{before}<script>{script}</script>\n</body>{after}", policy)


def _directives(policy: str) -> dict[str, str]:
    found = (one.strip().partition(" ") for one in policy.split(";"))
    return {name: values.strip() for name, _, values in found if name}


def trouble(message: str) -> str:
    """The page that explains an error.

    Args:
        message: what happened, and what to do about it.
    """
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{_NONE}; style-src {_digest(_STYLE)}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>wrapgen</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n<h1>The page cannot be rendered</h1>\n"
        f"<p>{escape(message)}</p>\n<p>wrapgen tries again as soon as the vault changes.</p>\n</body>\n</html>\n"
    )


def _digest(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"
