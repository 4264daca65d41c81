"""What must hold after a run that met a fault, and after the next one."""

import errno
import os
import re
import stat
from dataclasses import dataclass
from pathlib import Path

from pathspec import GitIgnoreSpec

from tests.faults.inject import KILL, Manner
from wrapgen.vault import run_history
from wrapgen.vault.cache import CACHE_FOLDER
from wrapgen.vault.state import STATE_FOLDER
from wrapgen.workflows.memory import Memory
from wrapgen.workflows.said_file import SAID_FILE

PAGE = "ACTIVE-STATUS.md"
PROGRAM = (".wrapgen", ".agents")
# What the message must say to do.
STEPS = {
    errno.ENOSPC: "Free some space", errno.EIO: "Check the disk", errno.EACCES: "permissions",
    errno.EROFS: "read-only", errno.EMFILE: "ulimit -n", errno.EFBIG: "ulimit -f",
}  # fmt: skip
_RECEIPT = re.compile(r"\d{8}T\d{6}-[0-9a-f]{6}|\"(elapsed_ms|generated_at)\": [^\n]*")


@dataclass(frozen=True)
class Ran:
    """What a run answered; None for its code when it was killed."""

    code: int | None
    out: str = ""
    err: str = ""

    @property
    def news(self):
        """What it printed, without what differs from run to run."""
        return _RECEIPT.sub("", self.out)


@dataclass(frozen=True)
class State:
    """What stands in a vault.

    Attributes:
        notes: the person's files, and whatever else lies beside them; not the dashboard.
        home: the user's own file, outside of the vault.
        left: what a run left half-written.
        history: what is known of each day, and the lines that cannot be read.
        memory: what waits, is skipped, decided and in a receipt that is not undone, and how many lines cannot be read.
        open: private words that others could read, or git take up.
    """

    notes: dict[str, bytes]
    home: dict[str, bytes]
    page: bytes | None
    left: tuple[str, ...]
    history: tuple[object, ...]
    memory: tuple[object, ...]
    open: tuple[str, ...]

    @classmethod
    def of(cls, root, home):
        files = {path.relative_to(root).as_posix(): path for path in sorted(root.rglob("*")) if path.is_file()}
        left = tuple(path for path in files if _is_left(path))
        mine = {
            path: file.read_bytes()
            for path, file in files.items()
            if not path.startswith(PROGRAM) and file.name not in (PAGE, ".gitignore") and path not in left
        }
        page = files[PAGE].read_bytes() if PAGE in files else None
        own = {path.relative_to(home).as_posix(): path.read_bytes() for path in home.rglob("*") if path.is_file()}
        return cls(
            mine,
            {path: data for path, data in own.items() if not _is_left(path)},
            page,
            left,
            _history(root),
            _memory(root),
            tuple(_open(root, files)),
        )

    def holds(self, text):
        """How many lines of the notes hold the words."""
        return sum(text.encode() in line for data in self.notes.values() for line in data.splitlines())

    def waits(self, text):
        return text in self.memory[0]


def _is_left(path):
    return path.endswith((".wrapgen-tmp", ".wrapgen-swap"))


def _history(root):
    """Not what was new on a day: who is killed before it is known what it is compared with counts it once more."""
    known = tuple((one.day, one.open, one.fates, one.made, one.kept) for one in run_history.days(root))
    lines = (root / run_history.FILE).read_bytes().splitlines() if known else []
    return known, sum(not line.endswith(b"}") for line in lines)


def _memory(root):
    memory = Memory.read(root)
    return (
        tuple(sorted(one.orphan.text for one in memory.pending.values())),
        tuple(sorted({skip.orphan.text for skip in memory.skips})),
        memory.decisions(),
        tuple(sorted(line.text for receipt in memory.receipts for line in receipt.lines if receipt.step != "undone")),
        len(memory.troubles),
    )


def _open(root, files):
    private = [path for path in files if path.startswith((STATE_FOLDER, run_history.FILE)) and _is_private(path)]
    for path in private:
        if stat.S_IMODE(files[path].stat().st_mode) & 0o077:
            yield f"{path} can be read by others"
    yield from _committable(root, files)


def _committable(root, files):
    """What git would take up of the program's own: nothing but what clones share."""
    spelt = sorted((path for path in files if Path(path).name == ".gitignore"), key=lambda path: path.count("/"))
    rules = [(path.removesuffix(".gitignore"), GitIgnoreSpec.from_lines(files[path].read_text().splitlines()))
             for path in spelt]  # fmt: skip
    for path in files:
        if path.split("/", 1)[0] not in PROGRAM or path.endswith(".gitignore"):
            continue
        said = [spec.check_file(path.removeprefix(top)).include for top, spec in rules if path.startswith(top)]
        ignored = next((one for one in reversed(said) if one is not None), False)
        if not ignored and path != SAID_FILE:
            yield f"{path} can be committed by git"
        if ignored and path == SAID_FILE:
            yield f"{path} cannot be committed by git"


def _is_private(path):
    return not path.endswith(".gitignore")


@dataclass(frozen=True)
class Clean:
    """A point's run without any fault: the state before, after it, and after the next run."""

    before: State
    after: State
    final: State
    ran: Ran


@dataclass(frozen=True)
class Outcome:
    """What came of one fault.

    Attributes:
        fault: what was injected.
        told: call, path and kind.
    """

    fault: object
    told: tuple[str, str, str]
    ran: Ran
    then: State
    ran_again: Ran
    after: State

    @property
    def about(self):
        what = errno.errorcode.get(self.fault.error, "killed")
        return f"{what} {self.fault.manner} at call {self.fault.at}, {self.told[0]} {self.told[1]}"


def states(clean, one):
    """Which states the files are in, of those that differ: `old`, `new`, or both."""
    found = set()
    for path in clean.before.notes.keys() | clean.after.notes.keys():
        old, new = clean.before.notes.get(path), clean.after.notes.get(path)
        if old != new:
            found.add("new" if one.then.notes.get(path) == new else "old")
    if clean.before.page != clean.after.page:
        found.add("old" if one.then.page == clean.before.page else "new")
    if clean.before.home != clean.after.home:
        found.add("old" if one.then.home == clean.before.home else "new")
    if clean.before.memory != clean.after.memory:
        found.add("old" if one.then.memory == clean.before.memory else "new")
    return found


def troubles(point, clean, one):
    """What is wrong after a fault, a line each; nothing when all is as it must be."""
    found = [*_files(clean, one), *_words(point, one), *_answer(clean, one), *_next_run(point, clean, one)]
    return [f"{point.name}: {one.about}: {what}" for what in found]


def _files(clean, one):
    for path in _known(clean, one, one.then):
        data = one.then.notes.get(path)
        if data not in (clean.before.notes.get(path), clean.after.notes.get(path)):
            yield f"{path} is neither old nor new: {data!r}"
    if one.then.home not in (clean.before.home, clean.after.home):
        yield f"the user's own file is neither old nor new: {one.then.home}"
    page = one.then.page
    if page is not None and page not in (clean.before.page, clean.after.page) and not _is_whole(page):
        yield "the dashboard is torn"
    told = one.ran.code == clean.ran.code or one.fault.error == KILL  # one that gives up half-way tells of the half
    if told and not _looked(one) and one.then.history[0] not in (clean.before.history[0], clean.after.history[0]):
        yield f"the history is neither old nor new: {one.then.history}"
    if one.then.history[-1] > clean.after.history[-1] and not _may_tear(one.fault):
        yield "a line of the history is torn"
    if one.then.memory[-1] > clean.after.memory[-1] and not _may_tear(one.fault):
        yield "a line of the state cannot be read"
    yield from one.then.open


def _known(clean, one, state):
    """The files to judge: whoever cannot see that there are notes may begin a first one."""
    known = clean.before.notes.keys() | clean.after.notes.keys()
    return known if _looked(one) else known | state.notes.keys()


def _settled(point, clean):
    """The files that the next run leaves as they are, and which it makes so when they were not."""
    if not point.repeats:
        return clean.before.notes.keys() | clean.after.notes.keys() | clean.final.notes.keys()
    return {path for path, data in clean.after.notes.items() if clean.final.notes.get(path) == data}


def _may_tear(fault):
    """Whether half a line of the state may stay: after a kill, and where the disk takes no more calls at all."""
    return fault.error == KILL or (fault.error == errno.EIO and fault.manner is Manner.ON)


def _is_whole(page):
    return page.startswith(b"---\n") and re.fullmatch(rb"\| pending follow-ups \| \| \d+ \|", page.splitlines()[-1])


def _words(point, one):
    for task in point.tasks:
        stands = one.then.holds(task)
        if stands > 1:
            yield f"{task!r} stands {stands} times"
        if not stands and not any(task in part for part in (one.then.memory[0], *one.then.memory[1:4:2])):
            yield f"{task!r} is lost"


def _answer(clean, one):
    """The exit code and the message of the run that met the fault."""
    if one.fault.error == KILL:
        return
    if f"/{CACHE_FOLDER}/" in f"{one.told[1]}/" and one.fault.manner is Manner.ONCE:
        if (one.ran.code, one.ran.news) != (clean.ran.code, clean.ran.news):
            yield f"trouble with the cache changes the answer: {one.ran}"
        return
    if one.ran.code == clean.ran.code:
        if not _looked(one) and (one.then.notes, one.then.memory) != (
            clean.after.notes,
            clean.after.memory,
        ):
            yield f"exit code 0, but not everything is done: {one.ran}"
        if not _looked(one) and one.then.history != clean.after.history and "but not its history" not in one.ran.err:
            yield f"nothing says that the history is not written: {one.ran}"
        return
    yield from _message(clean, one)


def _message(clean, one):
    err = one.ran.err
    if not err.startswith("wrap: ") or "defect" in err or "Traceback" in err:
        yield f"no clear message: {err!r}"
        return
    if one.ran.code != 1 and not _looked(one):
        yield f"exit code {one.ran.code}: {err!r}"
    if _looked(one) and (os.strerror(one.fault.error) not in err or "/world/" not in err):
        return  # what is asked for was not found, as what holds it could not be read; or it lies outside of the vault
    if os.strerror(one.fault.error) not in err:
        yield f"the message does not say what happened: {err!r}"
    if STEPS[one.fault.error] not in err:
        yield f"the message does not say what to do: {err!r}"
    if "/world/" not in err:
        yield f"the message does not say where: {err!r}"
    for path in re.findall(r"(\S+): cannot be written; the existing file is unchanged", err):
        if path.endswith(PAGE) and one.then.page != clean.before.page:
            yield f"the message says that the page is untouched, but it is not: {err!r}"
        for name, data in one.then.notes.items():
            if path.endswith(name) and data != clean.before.notes.get(name):
                yield f"the message says that {name} is untouched, but it is not: {err!r}"


def _looked(one):
    """Whether it was a call that looks only: what cannot be read is not there, for this run."""
    return one.told[2] in ("read", "list")


def _next_run(point, clean, one):
    """The run that follows, without any fault, finishes the work or finds it done."""
    if one.ran_again.code not in point.codes:
        yield f"the next run ends with {one.ran_again}"
    for path in _settled(point, clean) & _known(clean, one, one.after):
        if one.after.notes.get(path) != clean.final.notes.get(path):
            yield f"after the next run {path} is {one.after.notes.get(path)!r}, not {clean.final.notes.get(path)!r}"
    if one.after.home != clean.final.home:
        yield f"after the next run the user's own file is {one.after.home}"
    if _looked(one):
        wanted, found = clean.final.memory[:2], one.after.memory[:2]
    elif _may_tear(one.fault):
        wanted, found = clean.final.memory[:-1], one.after.memory[:-1]
    else:
        wanted, found = clean.final.memory, one.after.memory
    if wanted != found:
        yield f"after the next run the memory is {found}, not {wanted}"
    if one.after.history[0] != clean.final.history[0]:
        yield f"after the next run the history is {one.after.history}, not {clean.final.history}"
    if one.after.page != clean.final.page and one.after.memory[-1] == clean.final.memory[-1]:
        yield "after the next run the dashboard differs"
    # What could not be removed, or not be seen, stays until the file beside it is written the next time.
    for path in one.after.left if one.told[0] != "remove" and not _looked(one) else ():
        yield f"after the next run there is still {path}"
    yield from one.after.open
