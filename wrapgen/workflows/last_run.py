"""`wrap regen` and `wrap list` when nothing changed since last time: the answer is known without reading a note."""

from __future__ import annotations

import stat
from contextlib import nullcontext
from hashlib import blake2b
from typing import TYPE_CHECKING

import msgspec

from wrapgen.regular_files import whole
from wrapgen.resources import resource
from wrapgen.vault import headline
from wrapgen.vault.cache import program_key, time_zone
from wrapgen.vault.disk import below
from wrapgen.vault.entry_index import EntryIndex, Kept
from wrapgen.vault.git import head_of
from wrapgen.vault.held import inside
from wrapgen.workflows.git_setup import is_committed
from wrapgen.workflows.said_file import SAID_FILE

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from wrapgen.ledger import Run, RunGist
    from wrapgen.vault.index import Glance
    from wrapgen.workflows.app import App
    from wrapgen.workflows.vault_session import VaultSession

_FILE = "last-run"
_STATE = ".wrapgen/state"
_TEMPLATES = ".wrapgen/templates"
_NEVER_SHOWN = ("listed.jsonl", "published.jsonl")  # state on which the page does not depend


FORM = "6"  # of `LastRun`
_NOTHING = msgspec.Raw(msgspec.msgpack.encode(None))


class LastRun(msgspec.Struct, frozen=True, array_like=True):
    """A rebuild that was done."""

    inputs: bytes = b""  # digest of everything that the dashboard depends on
    page: bytes = b""  # digest of the dashboard
    line: str = ""  # the balanced last line that was printed
    standing: msgspec.Raw = _NOTHING  # what it found open, packed: the next rebuild is compared with it
    gist: bytes = b""  # what a list of the shown items needs, packed


def last_run(index: EntryIndex) -> Kept[LastRun]:
    """Where the last rebuild is remembered."""
    return Kept(index, _FILE, LastRun, FORM)


def regenerate(app: App, *, check: bool) -> tuple[bool, str]:
    """Rebuild the dashboard, or find that it is up to date; whether it changed or would, and its balanced last line."""
    with nullcontext() if check else app.locked():
        glance = app.glance()
        inputs = inputs_of(app, glance)
        file = last_run(glance.index)
        last = file.load()
        if last is not None and last.inputs == inputs:
            stands = _page(app) == last.page
            if check or (stands and headline.confirm(str(app.root))):
                return not stands, last.line
        return _run(app, glance, inputs, None if check else file)


def gist_of(app: App, glance: Glance) -> RunGist | None:
    """What a list of the shown items needs of the last rebuild; None where something has changed since."""
    last = last_run(glance.index).load()
    if last is None or not last.gist or last.inputs != inputs_of(app, glance):
        return None
    from wrapgen.ledger import RunGist

    return msgspec.msgpack.decode(last.gist, type=RunGist)


def is_current(app: App, glance: Glance) -> bool:
    """Tell whether the dashboard is as the last rebuild left it, and nothing has changed since."""
    last = last_run(glance.index).load()
    return last is not None and last.page == _page(app) and last.inputs == inputs_of(app, glance)


def _run(app: App, glance: Glance, inputs: bytes, file: Kept[LastRun] | None) -> tuple[bool, str]:
    from wrapgen.dashboard.balance import audit_line
    from wrapgen.workflows.rebuild import looked_at, publish_run
    from wrapgen.workflows.vault_session import VaultSession

    session = VaultSession.look(app, glance)
    rebuilt = publish_run(session) if file else looked_at(session)
    line = audit_line(rebuilt.run)
    page = _page(app)
    settled = all(map(glance.is_settled, (*glance.listing.found, *glance.listing.others)))
    # What could not be read may be readable the next time, and git may answer about days.
    if file and page and session.is_final and rebuilt.recorded and settled:
        gist = msgspec.msgpack.encode(_gist(session, rebuilt.run))
        file.save(msgspec.structs.replace(file.load() or LastRun(), inputs=inputs, page=page, line=line, gist=gist))
        glance.index.finish()
    return rebuilt.changed, line


def _gist(session: VaultSession, run: Run) -> RunGist:
    from wrapgen.workflows.listed import safe_words

    gist = run.as_gist()
    items = [one.item for one in gist.shown]
    return msgspec.structs.replace(
        gist,
        safe_words={one.id: safe_words(one) for one in items},
        snoozed={one.id: day for one in items if (day := session.hidden.get(one.id))},
        has_lists=bool(session.said.lists),
    )


def inputs_of(app: App, glance: Glance) -> bytes:
    """A digest of everything that the page depends on."""
    digest = blake2b(glance.fingerprint, digest_size=20)
    digest.update(
        msgspec.msgpack.encode((program_key(), app.config, app.day, time_zone(), is_committed(app.root, app.config)))
    )
    digest.update(head_of(app.root) or b"")
    digest.update(_said(app.root))
    for folder, ending in ((_STATE, ".jsonl"), (_TEMPLATES, "")):
        for part in _contents(inside(app.root / folder, app.root), ending):
            digest.update(part)
    for part in _contents(resource("templates"), ""):
        digest.update(part)
    return digest.digest()


def _contents(folder: Path, ending: str) -> Iterator[bytes]:
    """Paths and bytes of the files below a folder, each with its length, in an order that does not change."""
    for entry in below(folder):
        if entry.name.endswith(ending) and entry.name not in _NEVER_SHOWN and not entry.is_dir(follow_symlinks=False):
            try:
                data = whole(entry.path)
            except OSError as error:
                data = f"error {error.errno}".encode()
            yield msgspec.msgpack.encode((entry.path.encode("utf-8", "surrogateescape"), data))


def _said(root: Path) -> bytes:
    try:
        return blake2b(whole(root / SAID_FILE), digest_size=20).digest()
    except OSError as error:
        return b"" if isinstance(error, FileNotFoundError) else f"error {error.errno}".encode()


def _page(app: App) -> bytes:
    path = app.root / app.config.output
    try:
        if not stat.S_ISREG(path.lstat().st_mode):
            return b""
        return blake2b(whole(path), digest_size=20).digest()
    except OSError:
        return b""
