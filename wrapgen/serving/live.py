"""The page as it is served: the script that acts, and what the browser may do with it. PURE."""

from __future__ import annotations

import re
from base64 import b64encode
from hashlib import sha256
from html import escape, unescape

_META = re.compile(r'<meta http-equiv="Content-Security-Policy" content="([^"]*)">')
POLICY = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
"""The Content-Security-Policy of everything that is not a page."""
_VERSION = "@version"  # where the script has that of the page


def live(page: str, version: str, script: str) -> tuple[str, str]:
    """Make a page act, and load itself again when the vault has another version.

    Returns:
        the page, and its Content-Security-Policy.
    """
    script = script.replace(_VERSION, version)
    said = _META.search(page)
    policy = unescape(said[1]) if said else f"{POLICY}; style-src 'unsafe-inline'; img-src data:"
    allowed = {name: values for name, _, values in (one.strip().partition(" ") for one in policy.split(";")) if name}
    digest = f"'sha256-{b64encode(sha256(script.encode()).digest()).decode()}'"
    allowed["script-src"] = f"{allowed.get('script-src', '')} {digest}".strip()
    allowed |= {"connect-src": "'self'", "frame-ancestors": "'none'"}
    page = page.replace(said[0], "", 1) if said else page  # two policies would allow what both do: no connection
    before, _, after = page.partition("</body>") if "</body>" in page else (page, "", "")
    html = f"{before}<script>{script}</script>\n</body>{after}"
    return html, "; ".join(f"{name} {values}" for name, values in allowed.items())


def trouble(message: str) -> str:
    """The page that says what happened, and what to do about it."""
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>wrapgen</title>\n'
        '<meta name="color-scheme" content="light dark">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n</head>\n<body>\n'
        f"<h1>The page cannot be rendered</h1>\n<p>{escape(message)}</p>\n"
        "<p>wrapgen tries again as soon as the vault changes.</p>\n</body>\n</html>\n"
    )
