"""The tracks of a project, open for writing: under their lock, with their log read, and both files made from it."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from msgspec import structs

from wrapgen.errors import WrapgenError
from wrapgen.tracks.cold_file import free_name, publish_cold
from wrapgen.tracks.hot import Hot, Material, assemble
from wrapgen.tracks.labels import TrackLabels, labels
from wrapgen.tracks.log import HOT_FILE, LOCK_FILE, LOG_FILE, Log, LogContents, make_context_folder
from wrapgen.tracks.record import Drawn, Interface, SnapshotRecord, Tombstone
from wrapgen.tracks.signals import same_thing
from wrapgen.tracks.user_lines import MOVED_FILE, AddedLines, added, version_named
from wrapgen.vault import disk
from wrapgen.vault.files import publish
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
        kept = replace(drawn, interfaces=_with_room(drawn, hot))
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


def _with_room(drawn: Drawn, hot: Hot) -> tuple[Interface, ...]:
    """The files with the signatures that had room; the log need not keep the others."""
    bare = max(hot.cut.signatures, hot.cut.interfaces)
    return tuple(replace(one, lines=(), bare=()) if at < bare else one for at, one in enumerate(drawn.interfaces))


def _graves(standing: list[Tombstone]) -> tuple[Tombstone, ...]:
    """A row for each dead end; of those that were walked into several times, for the last time."""
    found: list[Tombstone] = []
    for one in reversed(standing[-_MOST_GRAVES:]):
        if not any(same_thing(one.name, later.name) for later in found):
            found.append(one)
    return tuple(reversed(found))
