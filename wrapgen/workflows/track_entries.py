"""Dead ends and decisions recorded on purpose or by a reader, and forgetting what is kept of conversations."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path

from msgspec import structs

from wrapgen.errors import WrapgenError
from wrapgen.model import Decision
from wrapgen.redact import redact
from wrapgen.text.display import one_line, shorten
from wrapgen.text.words import fold_key
from wrapgen.tracks.drawn import LIMIT, MOST_BLOCKERS
from wrapgen.tracks.hot import COLD_FILE
from wrapgen.tracks.log import HOT_FILE, LOG_FILE, Log, context_folder
from wrapgen.tracks.log_merge import told
from wrapgen.tracks.record import (
    NAME_LIMIT,
    QUOTE_LIMIT,
    REASON_LIMIT,
    Drawn,
    Progress,
    SnapshotRecord,
    StateRecord,
    Tombstone,
    WithdrawnRecord,
)
from wrapgen.tracks.signals import cut
from wrapgen.tracks.user_lines import MOVED_FILE
from wrapgen.vault import disk
from wrapgen.vault.git import branch_of
from wrapgen.vault.held import inside
from wrapgen.workflows.app import App
from wrapgen.workflows.track_files import tracks_of


@dataclass(frozen=True, slots=True)
class ToldEntry:
    """The result of recording."""

    new: tuple[str, ...]  # ids of the tombstones that the log did not hold
    known: tuple[str, ...]  # ids of those already there; new wording replaces the old


def tell(
    app: App,
    project: Path,
    session: str,
    tombstones: Sequence[Tombstone],
    decisions: Sequence[Decision],
    transcript: Path | None = None,
    state: StateRecord | None = None,
) -> ToldEntry:
    """Write dead ends and decisions to the tracks of a project, made when missing; repeats are stored once.

    Signatures, and goal, blockers and progress unless a reader gives them, stay as of the last snapshot. Secrets are
    removed; a name, a reason or a quote that is too long is cut at a word boundary.

    Args:
        session: the host's id of the conversation, "" when it is not known.
        tombstones: one without a day gets today's.
        state: how the session stands, by a reader; shown at once when the last snapshot was of the same session.
    """
    clean = [one for one in (_clean(one, app.day) for one in tombstones) if one.name]
    decided = [replace(one, text=redact(one.text)[0]) for one in decisions if one.text.strip()]
    if not clean and not decided and state is None:
        return ToldEntry((), ())
    with tracks_of(app, project) as tracks:
        known = tracks.known
        before = set(known.tombstones)
        records = told(redact(session)[0], clean, decided, known)
        drawn = tracks.drawn
        if state is not None:
            state = _joined(_clean_state(state), known.states.get(state.session))
            known.take(state)
            records.append(state)
            if known.last is None or known.last.session == state.session:
                drawn = _with_state(drawn, state)
        tracks.log.append(records)
        tracks.publish(drawn, known.last or first_snapshot(app, project, session, transcript))
    ids = list(dict.fromkeys(known.ids[fold_key(one.name)] for one in clean))
    return ToldEntry(tuple(one for one in ids if one not in before), tuple(one for one in ids if one in before))


def confirm(app: App, project: Path, wanted: str, reason: str | None) -> Tombstone:
    """Vouch for a dead end that a rule asked about (`T03`); from now on it warns."""
    known = Log(context_folder(project) / LOG_FILE, project).contents()
    one = known.tombstones.get(wanted.upper())
    if one is None:
        asked = ", ".join(f"{other.id} {other.name}" for other in known.standing if other.asked)
        raise WrapgenError(
            f"no dead end {wanted}",
            where=str(context_folder(project)),
            next_step=f"Asked about: {asked}."
            if asked
            else "`wrap track query --kind dead-end WORDS` finds its number.",
        )
    sure = structs.replace(one, by="said", reason=one.reason if reason is None else reason)
    tell(app, project, one.session, [sure], [])
    return sure


def _joined(new: StateRecord, former: StateRecord | None) -> StateRecord:
    """What a reader says of a later piece of a conversation; of what it leaves out, the former words stay."""
    if former is None:
        return new
    return structs.replace(
        new,
        goal=new.goal or former.goal,
        progress=new.progress or former.progress,
        blockers=former.blockers if new.blockers is None else new.blockers,
    )


def _with_state(drawn: Drawn, state: StateRecord) -> Drawn:
    return replace(
        drawn,
        goal=state.goal or drawn.goal,
        progress=state.progress or drawn.progress,
        blockers=drawn.blockers if state.blockers is None else state.blockers[:MOST_BLOCKERS],
    )


def _clean_state(state: StateRecord) -> StateRecord:
    """Without secrets, each text on one line and no longer than it is shown."""

    def short(text: str) -> str:
        return shorten(redact(one_line(text))[0], LIMIT - 1)

    return structs.replace(
        state,
        session=redact(state.session)[0],
        goal=short(state.goal),
        progress=tuple(Progress(short(one.name), short(one.state), short(one.note)) for one in state.progress),
        blockers=None if state.blockers is None else tuple(map(short, state.blockers)),
    )


def first_snapshot(app: App, project: Path, session: str, transcript: Path | None) -> SnapshotRecord:
    """A hot track with nothing extracted from a conversation yet."""
    at = app.now.isoformat(timespec="seconds")
    return SnapshotRecord(at, redact(session)[0], str(transcript or ""), branch=branch_of(project))


def _clean(one: Tombstone, today: date) -> Tombstone:
    def stored(text: str, limit: int) -> str:
        return cut(redact(one_line(text))[0], limit)

    story = tuple(structs.replace(part, text=stored(part.text, QUOTE_LIMIT)) for part in one.story)
    name, reason = stored(one.name, NAME_LIMIT), stored(one.reason, REASON_LIMIT)
    return structs.replace(one, name=name, reason=reason, day=one.day or today, story=story)


_MADE = (HOT_FILE, COLD_FILE, LOG_FILE)
_KEPT = {
    HOT_FILE: "what the next context starts with after a compaction",
    COLD_FILE: "everything that was said, to read",
    LOG_FILE: "everything that was said, tried and decided: what `wrap track query` searches",
    MOVED_FILE: "what you added by hand and had no room in HOT_TRACK.md",
}


@dataclass(frozen=True, slots=True)
class KeptFile:
    """A file in `.claude/context`, with its size in bytes and what it holds."""

    path: Path
    size: int
    what: str


def kept_files(project: Path) -> list[KeptFile]:
    """What is kept of a project's conversations."""
    found = []
    for name, what in _KEPT.items():
        path = context_folder(project) / name
        with suppress(OSError):
            found.append(KeptFile(path, path.stat().st_size, what))
    return found


def withdraw(app: App, project: Path, ids: Sequence[str]) -> list[Tombstone]:
    """Take dead ends back for good; both files are written anew."""
    with tracks_of(app, project) as tracks:
        known = tracks.known
        wanted = list(dict.fromkeys(one.upper() for one in ids))
        if unknown := [one for one in wanted if one not in known.tombstones]:
            raise WrapgenError(
                f"no dead end {', '.join(unknown)}",
                where=str(tracks.folder),
                next_step="`wrap track query --kind dead-end WORDS` finds it.",
            )
        records = [WithdrawnRecord(one, by="said") for one in wanted]
        tracks.log.append(records)
        for record in records:
            known.take(record)
        tracks.publish(tracks.drawn, known.last or first_snapshot(app, project, "", None))
        return [known.tombstones[one] for one in wanted]


def forget_all(app: App, project: Path) -> list[Path]:
    """Delete what was made from conversations; what people added to it goes to a file of its own first."""
    removed = []
    with tracks_of(app, project) as tracks:
        tracks.keep_added()
        for name in _MADE:
            path = inside(tracks.folder / name, project)
            try:
                path.unlink()
            except FileNotFoundError:
                continue
            except OSError as error:
                raise disk.cannot("cannot be deleted", path, error) from error
            removed.append(path)
    return removed
