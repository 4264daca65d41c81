"""The page as it is served: it asks whether it is old, and what the browser may do with it. PURE."""

from __future__ import annotations

import json
import re
from base64 import b64encode
from hashlib import sha256
from html import escape, unescape

_META = re.compile(r'<meta http-equiv="Content-Security-Policy" content="([^"]*)">')
POLICY = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
"""The Content-Security-Policy of everything that is not a page."""
# A page that nobody looks at asks nothing. The browser scrolls a reloaded page to where it was.
_POLL = """
const ask = async () => {
  if (!document.hidden) {
    try {
      const answer = await fetch("?version");
      if (answer.ok && (await answer.text()) !== %s) return location.reload();
    } catch { /* the server has ended, or starts again */ }
  }
  setTimeout(ask, 1000);
};
setTimeout(ask, 1000);
"""


def live(page: str, version: str) -> tuple[str, str]:
    """Make a page load itself again when the vault has another version.

    Args:
        page: as `wrap page` writes it. What it allows itself stays allowed, and nothing else but this script.
        version: of the vault that it shows.

    Returns:
        the page, and its Content-Security-Policy.
    """
    script = _POLL % json.dumps(version)
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
