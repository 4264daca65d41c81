"""The vault as it is served: its page, made to act and to load itself again, and its notes."""

import json
import re
import subprocess
import sys
import time
from base64 import b64encode
from collections.abc import Sequence
from contextlib import suppress
from hashlib import blake2b, sha256
from html import escape, unescape
from threading import Lock

import msgspec
from msgspec.structs import replace

from wrapgen.config import VAULT_FILE
from wrapgen.errors import WrapgenError
from wrapgen.serving.gate import Action, ActionCall, VerdictAction, call_of
from wrapgen.vault.disk import LARGEST_FILE, read
from wrapgen.vault.run_history import FILE as HISTORY
from wrapgen.workflows.app import App

_LONGEST = 60  # seconds that a command may take: another run may hold the lock
_LEAST = 0.5  # seconds between two looks at the vault
_SHARE = 3  # or so many times what a look takes, so that a large vault does not keep a core busy


class ActionResult(msgspec.Struct, frozen=True):
    """What came of an action."""

    ok: bool = False
    said: str = ""  # what went wrong
    undo: str | None = None  # the receipt that takes it back


class VaultShelf:
    """A vault's page and notes; called from several threads."""

    def __init__(self, app: App, options: Sequence[str] = ()) -> None:
        self._app, self._root = app, app.root
        self._options = options
        self._looking, self._acting = Lock(), Lock()
        self._version, self._next_look = "", 0.0

    def version(self) -> str:
        """The same text as long as the page would show the same."""
        with self._looking:
            begun = time.monotonic()
            if begun >= self._next_look:
                self._version = self._look()
                now = time.monotonic()
                self._next_look = now + max(_LEAST, _SHARE * (now - begun))
            return self._version

    def page(self) -> str:
        from wrapgen.workflows.rebuild import page_of

        app = replace(self._app, vault=self._root)
        try:
            return page_of(app, app.root)[1].decode("utf-8")
        except Exception as error:
            app.warn(str(error) or type(error).__name__)
            raise

    def source(self, path: str) -> bytes | None:
        """The text of a note; None when no source of the page is there."""
        found = next((one for one in self._quiet().glance().listing.found if one.path == path), None)
        try:
            return read(found.file, LARGEST_FILE).text.encode("utf-8", "replace") if found else None
        except OSError as error:
            self._app.note(f"{path}: {error.strerror or error}")
            return None

    def act(self, action: Action) -> ActionResult:
        """Carry out what somebody clicked, as the command of that name does: under the lock, with a receipt."""
        with self._acting:
            done = self._judge(action) if isinstance(action, VerdictAction) else self._run(call_of(action))
            with self._looking:
                self._next_look = 0.0
            return done

    def _run(self, call: ActionCall) -> ActionResult:
        # -P: do not import from the working folder, which may be anyone's checkout.
        words = [sys.executable, "-P", "-m", "wrapgen", *self._options, *call.words]
        try:
            ran = subprocess.run(words, input=call.given.encode(), capture_output=True, timeout=_LONGEST, check=False)
        except subprocess.TimeoutExpired:
            return ActionResult(said=f"`wrap {call.words[0]}` takes more than {_LONGEST} seconds; it was ended")
        trouble = ran.stderr.decode("utf-8", "replace").replace("wrap: ", "").strip()
        try:
            document = json.loads(ran.stdout)
        except ValueError:
            return ActionResult(said=trouble)
        failed = [*document.get("failed", ()), *(one["reason"] for one in document.get("refused", ()))]
        kept = [f"kept, because it was changed since: {line}" for line in document.get("kept", ())]
        undo = None if call.words[0] == "undo" else document.get("receipt")
        return ActionResult(ok=ran.returncode == 0, said="; ".join(failed + kept) or trouble, undo=undo)

    def _judge(self, action: VerdictAction) -> ActionResult:
        from wrapgen.model import TriageVerdict
        from wrapgen.triage.claims import ItemClaim, Triaged
        from wrapgen.workflows.apply_triage import apply_verdicts

        claim = ItemClaim(action.item, TriageVerdict(action.verdict), other=action.other or "")
        try:
            proved, made = apply_verdicts(self._quiet(), Triaged(items=[claim]), by="person")
        except WrapgenError as error:
            return ActionResult(said=str(error))
        said = "; ".join([*(one.why for one in proved.refused), *made.failed])
        return ActionResult(ok=not said, said=said, undo=None if said else made.receipt.id)

    def _quiet(self) -> App:
        return replace(self._app, vault=self._root, quiet=True)

    def _look(self) -> str:
        from wrapgen.workflows.last_run import inputs_of

        app, seen = self._quiet(), list[object]()
        try:
            seen.append(inputs_of(app, app.glance()))
        except (WrapgenError, OSError) as error:
            seen.append(str(error))
        for file in (VAULT_FILE, HISTORY):
            with suppress(OSError):
                status = (self._root / file).stat()
                seen += (status.st_mtime_ns, status.st_size)
        return blake2b(repr(seen).encode("utf-8", "replace"), digest_size=12).hexdigest()


_META = re.compile(r'<meta http-equiv="Content-Security-Policy" content="([^"]*)">')
POLICY = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
"""The Content-Security-Policy of everything that is not a page."""
_VERSION = "@version"  # where the script has that of the page


def live(page: str, version: str, script: str) -> tuple[str, str]:
    """A page made to act, and to load itself again when the vault changes; with its Content-Security-Policy."""
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
