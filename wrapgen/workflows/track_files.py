"""The tracks of a project, open for writing; dead ends and decisions recorded there, and forgetting what is kept."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from typing import Any

from msgspec import structs

from wrapgen.errors import WrapgenError
from wrapgen.model import Decision
from wrapgen.redact import redact
from wrapgen.text.display import one_line, shorten
from wrapgen.text.words import fold_key
from wrapgen.tracks.cold_file import free_name, publish_cold
from wrapgen.tracks.drawn import LIMIT, MOST_BLOCKERS
from wrapgen.tracks.hot import COLD_FILE, Hot, Material, assemble
from wrapgen.tracks.log import HOT_FILE, LOCK_FILE, LOG_FILE, Log, context_folder, make_context_folder
from wrapgen.tracks.record import (
    NAME_LIMIT,
    QUOTE_LIMIT,
    REASON_LIMIT,
    Drawn,
    LogContents,
    Progress,
    SnapshotRecord,
    StateRecord,
    Tombstone,
    TrackLabels,
    WithdrawnRecord,
    labels,
    news,
)
from wrapgen.tracks.signals import cut, same_thing
from wrapgen.tracks.user_lines import MOVED_FILE, AddedLines, added, version_named
from wrapgen.vault import disk
from wrapgen.vault.disk import publish
from wrapgen.vault.git import branch_of
from wrapgen.vault.held import inside
from wrapgen.vault.lock import LockWait, file_lock
from wrapgen.vault.rewrite import rewrite
from wrapgen.vault.state import append_lines
from wrapgen.workflows.app import App

_MOST_GRAVES = 300


@contextmanager
def tracks_of(app: App, project: Path) -> "Iterator[OpenTracks]":
    """Hold the lock of a project's tracks and read their log."""
    if not project.is_dir():
        raise WrapgenError("there is no such folder", where=str(project), next_step="Name a project with --dir.")
    config = app.config_or_defaults
    folder = make_context_folder(project)
    wait = LockWait("the tracks of this project", config.lock_timeout, "lock_timeout")
    with file_lock(folder / LOCK_FILE, wait, root=project, shared=config.is_shared):
        log = Log(folder / LOG_FILE, project)
        yield OpenTracks(app, project, folder, log, log.contents(), labels(app.language))


@dataclass(frozen=True, slots=True)
class OpenTracks:
    """The tracks of a project, while their lock is held."""

    app: App
    project: Path
    folder: Path
    log: Log
    known: LogContents  # what the log holds
    words: TrackLabels  # the labels of their language

    def publish(self, drawn: Drawn, taken: SnapshotRecord) -> tuple[Hot, Path | None]:
        """Write both files; gives the hot track, and where a COLD_TRACK.md that wrapgen did not write is kept."""
        return self._hot(drawn, taken), publish_cold(self.folder, self.log, self.known, self.words, self.app.now)

    def snapshot(self, session: str, transcript: Path | None = None) -> SnapshotRecord:
        """What is taken now, with nothing in it yet."""
        at, branch = self.app.now.isoformat(timespec="seconds"), branch_of(self.project)
        return SnapshotRecord(at=at, session=session, transcript=str(transcript or ""), branch=branch)

    @property
    def drawn(self) -> Drawn:
        """What was extracted by the last snapshot."""
        last = self.known.last
        return last.drawn if last and last.drawn else Drawn()

    def keep_added(self) -> None:
        """Move what people added to the hot track to its own file, as it is about to be deleted."""
        path = self.folder / HOT_FILE
        try:
            present = self._text(path, disk.whole(inside(path, self.project)))
        except FileNotFoundError:
            return
        except OSError as error:
            raise disk.cannot("cannot be read, so it is not deleted", path, error) from error
        if blocks := added(present, self._own_lines(present)):
            self._move(self.folder / MOVED_FILE, blocks)

    def _hot(self, drawn: Drawn, taken: SnapshotRecord) -> Hot:
        """Write the hot track for what it holds now: people's words in it may change until the last moment."""
        path = self.folder / HOT_FILE
        made: Hot | None = None

        def made_from(data: bytes | None) -> bytes:
            nonlocal made
            made = self._made("" if data is None else self._text(path, data), drawn, taken)
            return made.text.encode("utf-8", "replace")

        if not path.exists():
            publish(path, made_from(None), root=self.project, private=True)
        else:
            rewrite(path, made_from, root=self.project)
        assert made is not None
        return made

    def _text(self, path: Path, data: bytes) -> str:
        """The file that is there; one that is not UTF-8 is kept beside it too, or bytes of it would be lost."""
        try:
            return data.decode()
        except UnicodeDecodeError:
            aside = free_name(path)
            publish(aside, data, root=self.project, private=True)
            self.app.note(f"{path} is not UTF-8: the previous file is kept as {aside}")
            return data.decode("utf-8", "replace")

    def _made(self, present: str, drawn: Drawn, taken: SnapshotRecord) -> Hot:
        """The next version; logged before the file is written, or its lines would be taken for the user's."""
        known = self.known
        moved_file = self.folder / MOVED_FILE
        material = Material(
            version=known.version + 1,
            generated=f"{self.app.now:%Y-%m-%d %H:%M}",
            drawn=drawn,
            graves=_graves(known.standing),
            decisions=tuple(known.decisions.values()),
            by_hand=added(present, self._own_lines(present)),
            moved_before=moved_file.exists(),
        )
        hot = assemble(material, self.words)
        bare = max(hot.cut.signatures, hot.cut.interfaces)  # the log need not keep signatures that had no room
        cut_off = (replace(one, lines=(), bare=()) if at < bare else one for at, one in enumerate(drawn.interfaces))
        kept = replace(drawn, interfaces=tuple(cut_off))
        snapshot = structs.replace(taken, version=material.version, text=hot.own, drawn=kept)
        self.log.append([snapshot])
        known.take(snapshot)
        if hot.moved:
            self._move(moved_file, hot.moved)
        return hot

    def _own_lines(self, present: str) -> list[str]:
        named = version_named(present)
        texts = [self.known.texts[named]] if named in self.known.texts else list(self.known.texts.values())
        return [line for text in texts for line in text.splitlines()]

    def _move(self, path: Path, blocks: tuple[AddedLines, ...]) -> None:
        """Add what people wrote and does not fit to its own file, once."""
        try:
            present = disk.whole(inside(path, self.project)).decode("utf-8", "replace")
        except FileNotFoundError:
            present = ""
        except OSError as error:
            raise disk.cannot("cannot be read, so nothing is moved there", path, error) from error
        texts = ["\n".join(block.lines) for block in blocks]
        if new := [text for text in texts if text not in present]:
            append_lines(path, "".join(f"{text}\n\n" for text in new).encode("utf-8", "replace"), root=self.project)


def _graves(standing: list[Tombstone]) -> tuple[Tombstone, ...]:
    """A row for each dead end; of those that were walked into several times, for the last time."""
    found: list[Tombstone] = []
    for one in reversed(standing[-_MOST_GRAVES:]):
        if not any(same_thing(one.name, later.name) for later in found):
            found.append(one)
    return tuple(reversed(found))


def tell(
    app: App,
    project: Path,
    session: str,
    tombstones: Sequence[Tombstone],
    decisions: Sequence[Decision],
    transcript: Path | None = None,
    state: StateRecord | None = None,
) -> dict[str, bool]:
    """Write dead ends and decisions to the tracks of a project, made when missing; repeats are stored once.

    Signatures, and goal, blockers and progress unless a reader gives them, stay as of the last snapshot. Secrets are
    removed; a name, a reason or a quote that is too long is cut at a word boundary.

    Args:
        session: the host's id of the conversation, "" when it is not known.
        tombstones: one without a day gets today's.
        state: how the session stands, by a reader; shown at once when the last snapshot was of the same session.

    Returns:
        the ids of the dead ends, each with whether the log did not hold it; new wording replaces the old.
    """
    clean = [one for one in (_clean(one, app.day) for one in tombstones) if one.name]
    decided = [structs.replace(one, text=redact(one.text)[0]) for one in decisions if one.text.strip()]
    if not clean and not decided and state is None:
        return {}
    with tracks_of(app, project) as tracks:
        known = tracks.known
        before = set(known.tombstones)
        records = list(news(redact(session)[0], known, clean, decided))
        drawn = tracks.drawn
        if state is not None:
            state = _clean_state(state)
            if former := known.states.get(state.session):
                state = structs.replace(state, **_told_of(state, former))
            known.take(state)
            records.append(state)
            if known.last is None or known.last.session == state.session:
                drawn = replace(drawn, **_told_of(state, drawn))
                drawn = replace(drawn, blockers=drawn.blockers[:MOST_BLOCKERS])
        tracks.log.append(records)
        tracks.publish(drawn, known.last or tracks.snapshot(redact(session)[0], transcript))
    return {known.ids[key]: known.ids[key] not in before for key in (fold_key(one.name) for one in clean)}


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


def _told_of(new: StateRecord, former: StateRecord | Drawn) -> dict[str, Any]:
    """Goal, progress and blockers as a reader says of a later piece; of what it leaves out, the former words stay."""
    blockers = former.blockers if new.blockers is None else new.blockers
    return {"goal": new.goal or former.goal, "progress": new.progress or former.progress, "blockers": blockers}


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


def kept_files(project: Path) -> list[dict[str, Any]]:
    """What is kept of a project's conversations: `path`, size in `bytes`, and `what` each file holds."""
    found = []
    for name, what in _KEPT.items():
        path = context_folder(project) / name
        with suppress(OSError):
            found.append({"path": str(path), "bytes": path.stat().st_size, "what": what})
    return found


def withdraw(app: App, project: Path, ids: Sequence[str]) -> list[str]:
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
        tracks.publish(tracks.drawn, known.last or tracks.snapshot(""))
    return wanted


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
