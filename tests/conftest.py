"""Fixtures. No test can touch the home folder: see `test_home.py`, which says so."""

from __future__ import annotations

import gc
import importlib
import itertools
import os
import re
import shutil
import signal
import sys
import tempfile
from collections import Counter
from contextlib import suppress
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings
from xdist.scheduler.loadgroup import LoadGroupScheduling

from tests import compiled, support
from tests.installed import bin_folder, wheel
from tests.postgres import server, tables, team
from wrapgen.whereabouts import nearest_vault
from wrapgen.workflows import user_config

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

    from xdist.remote import Producer

# What a shell begins in the background ignores Ctrl-C, and so would every program that a test begins and ends by it.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# Only here: each module that a session's fixture is imported into has one of its own, so a server of its own.
__all__ = [
    "bin_folder", "compiled_once", "home", "no_vault_above", "server", "tables", "team", "tmp_path", "vault", "wheel",
]  # fmt: skip

HOME_VARIABLES = (
    "HOME", "USERPROFILE", "APPDATA", "LOCALAPPDATA",
    "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "XDG_RUNTIME_DIR",
    "CLAUDE_CONFIG_DIR",
)  # fmt: skip
UNSET_VARIABLES = (
    "WRAPGEN_VAULT", "WRAPGEN_STORE", "NO_COLOR", "FORCE_COLOR", "GIT_DIR", "GIT_WORK_TREE", "EDITOR", "VISUAL",
    "COLUMNS", "LINES",
)  # fmt: skip

FOLDERS = itertools.count()

# Half of a run's start is rewriting the assertions of all tests; where an environment forbids to keep what comes of it,
# each worker does it again each time.
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)


def into_memory() -> None:
    """Put the tests' folders there where it is possible and nobody named a place: disks take long to remove files."""
    folder = support.MEMORY
    if os.name != "posix" or "TMPDIR" in os.environ or not os.access(folder, os.W_OK):
        return
    place = os.statvfs(folder)
    if place.f_bavail * place.f_frsize > 2_000_000_000 and not place.f_flag & os.ST_NOEXEC:
        os.environ["TMPDIR"] = tempfile.tempdir = folder


into_memory()

# A change is judged by the same examples today and tomorrow, however busy the machine is. New ones are looked for by
# `WRAPGEN_TESTS=thorough` and by tests/fuzz.
settings.register_profile(
    "wrapgen",
    derandomize=not support.THOROUGH,
    deadline=None,
    max_examples=support.examples(100),
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("wrapgen")


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int | None:
    """No worker for a few tests that are named, as it takes longer to start than they do; else one for each core."""
    named = config.invocation_params.args
    return 0 if any(".py" in str(word) for word in named) else None


def pytest_configure() -> None:
    """Nothing of the hundred thousands of objects that collection makes is garbage."""
    gc.disable()


def pytest_collection_finish() -> None:
    gc.set_threshold(10_000, 20, 20)
    gc.enable()


def pytest_sessionstart(session: pytest.Session) -> None:
    """Each worker begins elsewhere to import the tests, and finds the others' already rewritten when it gets there."""
    worker = getattr(session.config, "workerinput", None)
    if worker is None or session.config.args != list(session.config.getini("testpaths")):
        return
    files = sorted((support.CHECKOUT / "tests").rglob("test_*.py"))
    first = len(files) * int(worker["workerid"].removeprefix("gw")) // worker["workercount"]
    for file in (*files[first:], *files[:first]):
        with suppress(Exception, pytest.skip.Exception):  # reported when it is collected
            importlib.import_module(".".join(file.relative_to(support.CHECKOUT).with_suffix("").parts))


def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> LoadGroupScheduling:
    """The quick run goes file by file: telling a worker about each of thousands of tests takes as long as some."""
    return (ByFile if "not slow" in config.option.markexpr else LoadGroupScheduling)(config, log)


class ByFile(LoadGroupScheduling):
    """Tests of a group together, else those of a file."""

    def _split_scope(self, nodeid: str) -> str:
        return super()._split_scope(nodeid).partition("::")[0]


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Of a test that is marked `sampled(n)` the first case stays, and each nth after it; the others are slow.

    Tests of a group (one server, one browser) begin first: a worker must not be left alone with them at the end.
    """
    items.sort(key=lambda item: item.get_closest_marker("xdist_group") is None)
    met: Counter[str] = Counter()
    for item in items:
        sampled = item.get_closest_marker("sampled")
        if sampled is None:
            continue
        name = item.nodeid.partition("[")[0]
        if met[name] % sampled.args[0]:
            item.add_marker(pytest.mark.slow)
        met[name] += 1


@pytest.fixture(scope="session", autouse=True)
def no_vault_above(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Whoever asks for the vault of a test's folder must not be given one that lies above it."""
    above = nearest_vault(str(tmp_path_factory.getbasetemp()))
    if above is not None:
        pytest.exit(f"the folder of the tests lies in a vault, {above}: name another with --basetemp or TMPDIR")


@pytest.fixture(scope="session", autouse=True)
def compiled_once() -> Iterator[None]:
    with compiled.compiled_once():
        yield


@pytest.fixture
def tmp_path(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> Iterator[Path]:
    """A folder of the test's own, which stays when it fails.

    Pytest's looks through those of all tests before for a number that is free. What each worker removes at once need
    not be removed by one process when all have ended.
    """
    name = re.sub(r"\W", "_", request.node.name)[:30]
    folder = tmp_path_factory.mktemp(f"{name}{next(FOLDERS)}", numbered=False)
    failed = request.session.testsfailed
    yield folder
    if request.session.testsfailed == failed:
        shutil.rmtree(folder, ignore_errors=True)


class Person:
    """Whose home tests run in, one after another, until one of them leaves something there: then another's."""

    def __init__(self, folders: pytest.TempPathFactory) -> None:
        self.folders = folders
        self.base: Path | None = None
        self.made: list[tuple[object, ...]] = []

    def comes(self) -> Path:
        """An empty home folder, and as the current one an empty folder outside of every vault."""
        if self.base is None:
            self.base = self.folders.mktemp(f"newcomer{next(FOLDERS)}", numbered=False)
            for folder in self._rooms:
                folder.mkdir()
            self.made = self._state()
        home, elsewhere = self._rooms
        variables = dict.fromkeys(HOME_VARIABLES, str(home)) | {
            "GIT_CONFIG_GLOBAL": str(home / ".gitconfig"),
            "GIT_CONFIG_SYSTEM": str(home / ".gitconfig-system"),
        }
        os.environ.update({name: value for name, value in variables.items() if os.environ.get(name) != value})
        for variable in UNSET_VARIABLES:
            os.environ.pop(variable, None)
        os.chdir(elsewhere)
        return home

    def goes(self, *, keep: bool) -> None:
        """Whoever left something does not come again."""
        if self.base is None or self._left_nothing():
            return
        os.chdir(self.folders.getbasetemp())  # fixtures of a whole module come before the next one
        if not keep:
            shutil.rmtree(self.base, ignore_errors=True)
        self.base = None

    @property
    def _rooms(self) -> tuple[Path, Path]:
        assert self.base is not None
        return self.base / "home", self.base / "elsewhere"

    def _left_nothing(self) -> bool:
        try:
            return self._state() == self.made
        except OSError:
            return False

    def _state(self) -> list[tuple[object, ...]]:
        found = [(list(folder.iterdir()), folder.lstat()) for folder in self._rooms]
        return [(names, status.st_ino, status.st_mode) for names, status in found]


@pytest.fixture(scope="session")
def newcomer(tmp_path_factory: pytest.TempPathFactory) -> Person:
    return Person(tmp_path_factory)


@pytest.fixture(autouse=True)
def home(newcomer: Person, request: pytest.FixtureRequest) -> Iterator[Path]:
    """An empty home folder, and an empty working folder outside of every vault."""
    failed = request.session.testsfailed
    yield newcomer.comes()
    newcomer.goes(keep=request.session.testsfailed != failed)


@pytest.fixture
def vault(tmp_path: Path) -> Callable[..., support.Vault]:
    """Builds a vault: `vault({"journals/2026/04/2026-04-23.md": "..."}, config="cap = 3")`.

    `changed` says which day a file was last changed, by its path; otherwise it is the day that tests stand for.
    `trusted` is for what reads outside the vault: `paths` and `follow`.
    """

    def build(
        files: Mapping[str, str | bytes] | None = None,
        config: str = "",
        changed: Mapping[str, str] | None = None,
        name: str = "vault",
        *,
        trusted: bool = False,
    ) -> support.Vault:
        built = support.Vault(tmp_path / name)
        if trusted:
            user_config.trust(built.root)
        built.write("wrapgen.toml", config)
        for path, text in (files or {}).items():
            built.write(path, text, (changed or {}).get(path, support.TODAY))
        return built

    return build
