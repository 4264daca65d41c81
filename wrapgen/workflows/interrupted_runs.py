"""Runs that died between planning their lines and closing their receipt: what they wrote is found in the files."""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial

from wrapgen.config import Sections
from wrapgen.errors import PublishError
from wrapgen.notes import Document
from wrapgen.redact import redact
from wrapgen.session.memory import Change, Line, Receipt, Step, done_line, open_line
from wrapgen.vault.markdown.parse import parse
from wrapgen.vault.markdown.take_out import occurrences
from wrapgen.vault.rewrite import rewrite
from wrapgen.workflows.app import App
from wrapgen.workflows.vault_session import VaultSession


def parse_bytes(data: bytes | None) -> Document:
    """A file's document, whatever its bytes are."""
    return parse((data or b"").decode("utf-8-sig", "replace"))


def recover(session: VaultSession, *, strict: bool = False) -> None:
    """Close the receipts of interrupted runs: lines found in files are done, the others were never written.

    The caller holds the lock. A receipt whose note cannot be checked now (an editor has it open for writing) is
    reported on stderr and left to the next run.
    """
    app, memory = session.app, session.memory
    for receipt in [one for one in memory.receipts if one.step is Step.PLANNED]:
        paths = {line.path for line in receipt.lines}
        try:
            # Cleans up what the run left beside the file, and reads it while nobody writes to it.
            stands = {path: rewrite(app.root / path, lambda _: None, root=app.root).data for path in paths}
        except PublishError as error:
            if strict:
                raise
            app.warn(f"{error} An interrupted run was writing there; the next run finishes it.")
            continue
        if receipt.command == "move":
            stands |= _finish_move(app, receipt, stands)
        lines = tuple(found for line in receipt.lines if (found := _as_it_stands(app, line, stands[line.path])))
        kept = {line.path for line in lines}
        changes = tuple(
            change for change in receipt.changes if change.path in kept or _stands(change, stands.get(change.path))
        )
        memory.skip(receipt.skips)
        memory.settle([line.id for line in lines] + [skip.orphan.id for skip in receipt.skips])
        memory.close(replace(receipt, lines=lines, changes=changes))


def _finish_move(app: App, receipt: Receipt, stands: Mapping[str, bytes | None]) -> dict[str, bytes | None]:
    """Take out what a run has written at its new place, but not taken out any more."""
    written = [one for one in receipt.changes if not one.before and _holds(stands.get(one.path), one.after)]
    arrived = {line.path for line in receipt.lines if line.route is not None} & {one.path for one in written}
    found: dict[str, bytes | None] = {}
    left = [line for line in receipt.lines if line.route is None]
    for change in [one for one in receipt.changes if one.before and arrived]:
        if not _stands(change, stands.get(change.path)):
            out = partial(swapped, change.before, change.after, change.offset)
            found[change.path] = rewrite(app.root / change.path, out, root=app.root).data
            stands = {**stands, **found}
    for line in left if arrived else ():
        data = stands.get(line.path)
        if any(one.text.endswith(line.text) and not one.done for one in parse_bytes(data).entries):
            app.warn(
                f"an interrupted move left `{line.text}` in {line.path} as well as in {', '.join(sorted(arrived))}."
            )
    return found


def _holds(data: bytes | None, words: bytes) -> bool:
    return data is not None and bool(occurrences(data, words, 0))


def swapped(old: bytes, new: bytes, near: int, data: bytes | None) -> bytes | None:
    """A file with some lines in the place of others, the nearest if those occur more than once; None for neither."""
    for start in occurrences(data or b"", old, near)[:1]:
        return (data or b"")[:start] + new + (data or b"")[start + len(old) :]
    return None


def _stands(change: Change, data: bytes | None) -> bool:
    if not change.before or data is None:
        return False
    return bool(occurrences(data, change.after, 0)) and not occurrences(data, change.before, 0)


def _as_it_stands(app: App, line: Line, data: bytes | None) -> Line | None:
    """A planned line with its number and spelling in the file; None when it was not written."""
    number = place_in(parse_bytes(data), line, app.config.sections)
    if number is None or data is None:
        return None
    lines = data.decode("utf-8-sig", "replace").replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return replace(line, number=number, line=redact(lines[number - 1])[0])


def place_in(document: Document, line: Line, sections: Sections) -> int | None:
    """Where a line that was written is in its file, open or done by now."""
    if line.route is not None:
        found = open_line(line.text, line.project, line.route, document, sections)
        if found is not None:
            return found
    return done_line(line.text, line.project, document, sections)
