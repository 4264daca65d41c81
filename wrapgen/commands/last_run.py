"""`wrap regen` where nothing changed since the last time: the answer is known without reading a note."""

from __future__ import annotations

import os
import stat
import time
from contextlib import nullcontext
from hashlib import blake2b
from typing import TYPE_CHECKING

import msgspec

from wrapgen.resources import resource
from wrapgen.vault import headline
from wrapgen.vault.cache import CacheFile, program_key
from wrapgen.vault.disk import below, inside, whole

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from wrapgen.commands.app import App
    from wrapgen.vault.index import Glance

_FILE = "last-run"
_STATE = ".wrapgen/state"
_TEMPLATES = ".wrapgen/templates"


class LastRun(msgspec.Struct, frozen=True, array_like=True):
    """A rebuild that was done.

    Attributes:
        inputs: digest of everything that the dashboard depends on.
        page: digest of the dashboard.
        line: the balanced last line that was printed.
    """

    inputs: bytes
    page: bytes
    line: str


class Answer(msgspec.Struct, frozen=True):
    """What `wrap regen` prints.

    Attributes:
        changed: whether the dashboard is another now, or, without publishing, would be.
        line: the balanced last line.
    """

    changed: bool
    line: str


def regenerate(app: App, *, check: bool) -> Answer:
    """Rebuild the dashboard, or see that it is as a rebuild would leave it.

    Args:
        app: the vault.
        check: write nothing, not even to the cache.

    Raises:
        LockHeldError: another run holds the lock.
        PublishError: the dashboard cannot be written; the former one is untouched.
    """
    with nullcontext() if check else app.locked():
        glance = app.glance()
        inputs = _inputs(app, glance)
        file = CacheFile(app.root, _FILE, LastRun, program_key(), app.note)
        last = file.load()
        if last is not None and last.inputs == inputs:
            stands = _page(app) == last.page
            if check or (stands and headline.confirm(str(app.root))):
                return Answer(not stands, last.line)
        return _run(app, glance, inputs, None if check else file)


def _run(app: App, glance: Glance, inputs: bytes, file: CacheFile[LastRun] | None) -> Answer:
    from wrapgen.commands.in_bulk import InBulk
    from wrapgen.commands.rebuild import collect, looked_at, publish_run
    from wrapgen.dashboard.balance import audit_line

    if app.config.dates == "git":
        whole = False  # commit dates change without any file
        run = collect(app, glance.read()).run
    else:
        rebuild = InBulk(app, glance, _zone())
        run = rebuild.run()
        whole = rebuild.whole  # what could not be read may be readable the next time
    rebuilt = publish_run(app, run) if file else looked_at(app, run)
    line = audit_line(run)
    page = _page(app)
    if file and page and whole and rebuilt.recorded and all(map(glance.is_settled, glance.listing.found)):
        file.save(LastRun(inputs, page, line))
    return Answer(rebuilt.changed, line)


def _zone() -> object:
    """What the local day of a file's last change hangs on."""
    return (time.tzname, time.timezone, time.altzone, os.environ.get("TZ", ""))


def _inputs(app: App, glance: Glance) -> bytes:
    digest = blake2b(glance.fingerprint, digest_size=20)
    digest.update(msgspec.msgpack.encode((app.config, app.day, _zone())))
    for folder, ending in ((_STATE, ".jsonl"), (_TEMPLATES, "")):
        for part in _contents(inside(app.root / folder, app.root), ending):
            digest.update(part)
    for part in _contents(resource("templates"), ""):
        digest.update(part)
    return digest.digest()


def _contents(folder: Path, ending: str) -> Iterator[bytes]:
    """Paths and bytes of the files below a folder, each with its length, in an order that does not change."""
    for entry in below(folder):
        if entry.name.endswith(ending) and not entry.is_dir(follow_symlinks=False):
            try:
                data = whole(entry.path)
            except OSError as error:
                data = f"error {error.errno}".encode()
            yield msgspec.msgpack.encode((entry.path.encode("utf-8", "surrogateescape"), data))


def _page(app: App) -> bytes:
    """Digest of the dashboard; nothing where it is no plain file, so that publishing says why."""
    path = app.root / app.config.output
    try:
        if not stat.S_ISREG(path.lstat().st_mode):
            return b""
        return blake2b(path.read_bytes(), digest_size=20).digest()
    except OSError:
        return b""
