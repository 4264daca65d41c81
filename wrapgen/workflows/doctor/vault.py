"""Is there a vault, is its configuration valid, is it trusted, is everything read, can its page be rendered."""

import os
import shlex
from collections.abc import Iterator
from pathlib import Path

from wrapgen.config import KEYS, VAULT_FILE, Config, Sources, UserConfig, load, user_config_path
from wrapgen.dashboard.balance import not_read
from wrapgen.dashboard.render import USER_TEMPLATES
from wrapgen.model import Fate
from wrapgen.text.display import count
from wrapgen.text.patterns import Pattern
from wrapgen.vault.near_names import near_names
from wrapgen.workflows.doctor.finding import Finding, Visit, note, ok, warning, wrong
from wrapgen.workflows.rebuild import page

_NAMED = 20


def vault(visit: Visit) -> Iterator[Finding]:
    """The vault; where there is none, the error says so."""
    yield ok(f"found at {visit.app.root}")


def own_file(_: Visit) -> Iterator[Finding]:
    """The user's configuration, and whether what it names still exists."""
    path, gone = user_config_path(), list[str]()
    own = load(path, UserConfig, gone.append)
    yield from map(warning, gone)
    default = own.default_vault
    if default and not _is_vault(default):
        mend = f"wrap init --default {shlex.quote(default)}"
        yield wrong(f"`default_vault` is {default}, which is not a vault", str(path), mend)
    for one in own.trusted_vaults:
        if not _is_vault(one):
            mend = f"wrap trust --remove {shlex.quote(one)}"
            yield warning(f"{one} is trusted but no longer a vault", str(path), mend)


def _is_vault(folder: str) -> bool:
    return (Path(folder).expanduser() / VAULT_FILE).is_file()


def configuration(visit: Visit) -> Iterator[Finding]:
    """The vault's configuration; a broken one raises the error that names its line."""
    gone = list[str]()
    load(visit.app.root / VAULT_FILE, Config, gone.append)
    yield from map(warning, gone)
    yield ok("valid", VAULT_FILE)


def trust(visit: Visit) -> Iterator[Finding]:
    """Whether hooks may act on the vault, and what it contains besides notes."""
    from wrapgen.vault.layout import is_trusted
    from wrapgen.workflows.user_config import reach

    if is_trusted(visit.app.root):
        yield ok("hooks act on this vault")
        return
    yield warning("hooks ignore this vault until it is trusted", mend="wrap trust")
    for line in reach(visit.app.root):
        yield note(f"before you trust it: it {line}")


def sources(visit: Visit) -> Iterator[Finding]:
    """Open boxes that no source reads, patterns of the user that no file fits, and files that nearly fit one."""
    glance = visit.app.glance()
    sentence, _, command = not_read(glance.unread_boxes).rpartition(": ")
    if sentence:
        yield warning(sentence, mend=command)
    for trouble in glance.unread_troubles[:_NAMED]:
        yield warning(f"nobody knows what is open in it: {trouble.error}", trouble.path)
    usual = Sources()
    for kind, key in KEYS.items():
        paths = [one.path for one in glance.listing.found if one.kind is kind]
        for glob in getattr(visit.app.config.sources, key):
            if glob not in getattr(usual, key) and not any(map(Pattern(glob).match, paths)):
                yield warning(f"`{glob}` of `sources.{key}` fits no file", mend="wrap sources")
    for copy in glance.listing.copies[:_NAMED]:
        mend = f"bring what differs into {copy.original}, then delete the copy"
        yield warning(f"a conflict copy of {copy.original}, not read", copy.path, mend)
    near = near_names(visit.app.root, visit.app.config, glance.listing.copies)
    for one in near[:_NAMED]:
        yield warning("not read, though nearly named like a source", one.path, f"rename it if you mean {one.meant}")
    if more := near[_NAMED:]:
        yield warning(f"{count(len(more), 'more file')} nearly named like a source", mend="wrap sources --json")


def templates(visit: Visit) -> Iterator[Finding]:
    """Whether the dashboard can be rendered; a template that cannot raises the error that names its line."""
    page(visit.session, visit.run)
    own = os.path.lexists(visit.app.root / USER_TEMPLATES)
    yield ok("the vault's own templates render" if own else "the built-in template renders")


def waiting(visit: Visit) -> Iterator[Finding]:
    """Pending follow-ups and expired items."""
    if visit.app.config.pending == "store":
        from wrapgen.workflows.team_queue import team_address

        team_address(visit.app)
    if pending := len(visit.session.memory.pending):
        yield note(f"{count(pending, 'follow-up')} pending", mend="wrap route")
    if expired := len(visit.run.of(Fate.EXPIRED)):
        yield note(f"{count(expired, 'item')} expired", mend="wrap list --expired")
