"""Text in the dashboard's place that the program did not write: kept beside it before a rebuild replaces it."""

import os
import re
from contextlib import suppress
from dataclasses import dataclass
from itertools import count
from pathlib import PurePosixPath

from wrapgen.config import KEPT_OUTPUT, VAULT_FILE, Config
from wrapgen.dashboard.render import DASHBOARD, USER_TEMPLATES
from wrapgen.errors import PublishError, WrapgenError
from wrapgen.regular_files import whole
from wrapgen.vault import disk, state
from wrapgen.vault.files import publish
from wrapgen.vault.git import Git
from wrapgen.vault.held import inside
from wrapgen.vault.run_history import FILE as HISTORY
from wrapgen.workflows.app import App

# The front matter of the built-in template, also where git left both sides of it.
_OURS = re.compile(rb"---\r?\n(?:<<<<<<< [^\n]*\n)?date: \d{4}-\d{2}-\d{2}\r?\ncollected: \d+\r?\n")
_DEFAULT = Config().output
_GIT_SECONDS = 5.0
_PUBLISHED_FILE = "published.json"  # no `.jsonl`: no page depends on it
_PUBLISHED = 20  # pages; one that comes back (another branch, a restored backup) is known, too


@dataclass(frozen=True, slots=True)
class Published:
    """The pages that were published last."""

    output: str = ""  # where; nothing while none is known, as in a fresh clone and from older versions
    digests: tuple[str, ...] = ()  # of each, the oldest first


def keep_foreign_output(app: App, page: bytes) -> None:
    """Copy what stands in the dashboard's place to `NAME.before-wrapgen.md` and say so; the lock is held."""
    last = _published(app)
    stands = _standing(app)
    if stands.strip() and stands != page and _digest(stands) not in last.digests:
        begins_ours = _OURS.match(stands) is not None
        looks_ours = begins_ours or _has_own_template(app, last)
        if not looks_ours or not (_is_in_git(app) or (begins_ours and not last.digests)):
            _keep(app, stands, refuse=not looks_ours)
    now = Published(app.config.output, tuple(dict.fromkeys((*last.digests, _digest(page))))[-_PUBLISHED:])
    if now != last:
        # Before the page itself: a run that is killed between the two must not take its own page for somebody's.
        with suppress(WrapgenError, OSError):
            state.save(app.root, _PUBLISHED_FILE, [now])


def _keep(app: App, data: bytes, *, refuse: bool) -> None:
    """Copy text that is not the program's, or refuse; no other copy is replaced."""
    if refuse and app.config.output != _DEFAULT and _git_status(app):
        raise PublishError(
            "is in git and was not written by wrapgen, so it is not replaced",
            where=str(app.root / app.config.output),
            next_step=f"Name another file as `output` in {VAULT_FILE}, or remove this one.",
        )
    name = PurePosixPath(app.config.output)
    for number in count(1):
        copy = name.with_name(f"{name.stem}{KEPT_OUTPUT}{f'-{number}' if number > 1 else ''}{name.suffix}")
        file = app.root / copy
        if os.path.lexists(file):
            with suppress(OSError):
                if whole(file) == data:
                    return
            continue
        publish(file, data, root=app.root)
        app.warn(f"{app.config.output} was not written by wrapgen as it stood; its former content is in {copy}")
        return


def _standing(app: App) -> bytes:
    try:
        return whole(inside(app.root / app.config.output, app.root))
    except OSError:
        return b""


def _published(app: App) -> Published:
    with suppress(WrapgenError):
        for record in state.load(app.root, _PUBLISHED_FILE, Published).records:
            return record
    return Published()


def _digest(page: bytes) -> str:
    """The same however an editor, git or another system ends the lines and spaces the words."""
    return disk.digest(b" ".join(page.split()))


def _is_in_git(app: App) -> bool:
    """Whether git keeps just what stands there, as after a pull, or made it of what it keeps, as in a conflict."""
    return _git_status(app) == {b"H"} or b"M" in _git_status(app)


def _git_status(app: App) -> set[bytes]:
    """Git's letters for the file: `H` where it keeps one, with `C` where it was changed since, `M` in a conflict."""
    named = f":(literal){app.config.output}"
    said = Git(app.root, timeout=_GIT_SECONDS).ask("ls-files", "-z", "-t", "-c", "-m", "--", named)
    return {row[:1] for row in (said or b"").split(b"\0") if row}


def _has_own_template(app: App, last: Published) -> bool:
    """Whether a template of the vault's own has made the dashboard before; its page looks like nothing known."""
    own = app.root / USER_TEMPLATES / DASHBOARD
    before = last.output == app.config.output if last.output else os.path.lexists(app.root / HISTORY)
    return before and os.path.lexists(own)
