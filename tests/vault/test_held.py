"""A folder that is swapped for a link while a file in it is written: nothing is written outside."""

import os
import shutil
import subprocess
import sys
from contextlib import suppress

import pytest

from tests.support import CHECKOUT, child_environment, wrap
from wrapgen.errors import PublishError
from wrapgen.vault import held as module
from wrapgen.vault.disk import make_private_folder, publish
from wrapgen.vault.held import held
from wrapgen.vault.rewrite import discard, rewrite
from wrapgen.vault.state import append_lines

pytestmark = pytest.mark.skipif(not module._HOLDS, reason="this system has no calls relative to a folder")

OLD, OURS = b"# web\n\n- [ ] old\n", b"- [ ] ours\n"


@pytest.fixture
def place(tmp_path):
    """A vault with a note in a folder, and a folder outside that holds a file of the same name."""
    for folder in ("vault/projects/web", "outside"):
        (tmp_path / folder).mkdir(parents=True)
        (tmp_path / folder / "todos.md").write_bytes(OLD)
    return tmp_path


def swap_for_link(place):
    """What the attacker does: the folder goes aside, a link to the one outside takes its name."""
    web = place / "vault/projects/web"
    web.rename(place / "vault/projects/aside")
    web.symlink_to(place / "outside")


def untouched(place):
    outside = place / "outside"
    return [(path.name, path.read_bytes()) for path in outside.iterdir()] == [("todos.md", OLD)]


WRITES = {
    "rewrite": lambda file, root: rewrite(file, lambda data: (data or b"") + OURS, root=root),
    "a new file": lambda file, root: rewrite(file.with_name("new.md"), lambda _: OURS, root=root),
    "a new folder": lambda file, root: rewrite(file.parent / "tasks" / "new.md", lambda _: OURS, root=root),
    "discard": lambda file, root: discard(file, OLD, root=root),
    "publish": lambda file, root: publish(file, OURS, root=root),
    "append": lambda file, root: append_lines(file, OURS, root=root),
    "a private folder": lambda file, root: make_private_folder(file.parent / "own", root),
}


@pytest.mark.parametrize("how", WRITES)
def test_swapped_before_it_is_opened(place, monkeypatch, how):
    """Just after the path was looked at, and found to lead nowhere else."""
    real = module.inside
    swapped = []

    def swapping(file, root):
        target = real(file, root)
        if not swapped:
            swap_for_link(place)
            swapped.append(True)
        return target

    for name in ("wrapgen.vault.held", "wrapgen.vault.disk"):
        monkeypatch.setattr(f"{name}.inside", swapping)
    file = place / "vault/projects/web/todos.md"
    with pytest.raises(PublishError, match=r"was replaced by a link while wrapgen ran|outside the vault"):
        WRITES[how](file, place / "vault")
    assert untouched(place)
    assert (place / "vault/projects/aside/todos.md").read_bytes() == OLD


@pytest.mark.parametrize("call", ["open", "rename", "fsync"])
@pytest.mark.parametrize("how", ["rewrite", "discard", "publish"])
def test_swapped_at_any_call_after_it(place, monkeypatch, call, how):
    """What was held is written: it is the folder that was in the vault, whatever its name is now."""
    real = getattr(os, call)
    for nth in range(40):
        made = [0]

        def swapping(*args, made=made, nth=nth, **named):
            made[0] += 1
            if made[0] == nth + 1:
                monkeypatch.setattr(os, call, real)
                swap_for_link(place)
            return real(*args, **named)

        monkeypatch.setattr(os, call, swapping)
        with suppress(PublishError):
            WRITES[how](place / "vault/projects/web/todos.md", place / "vault")
        monkeypatch.setattr(os, call, real)
        assert untouched(place), f"at call {nth} of os.{call}"
        if made[0] <= nth:
            return
        (place / "vault/projects/web").unlink()
        (place / "vault/projects/aside").rename(place / "vault/projects/web")
        (place / "vault/projects/web/todos.md").write_bytes(OLD)
    raise AssertionError("it never came to its end")


def test_a_file_that_is_swapped_for_a_link_is_not_followed(place):
    file = place / "vault/projects/web/todos.md"
    with held(file, place / "vault") as note:
        file.unlink()
        file.symlink_to(place / "outside/todos.md")
        with pytest.raises(OSError, match=r"symbolic link|symlink"), note.opened(os.O_RDWR):
            pass


# Exchanged in one step, the name always leads somewhere: to the folder, or out of the vault.
ATTACKER = """
import ctypes, os, sys
web, link = (os.path.join(sys.argv[1], name) for name in ("web", "link"))
os.symlink(sys.argv[2], link)
call = ctypes.CDLL(None).renameat2
print("ready", flush=True)
while os.getppid() == int(sys.argv[3]):
    call(-100, web.encode(), -100, link.encode(), 2)
"""


@pytest.mark.slow
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the exchange is a service of Linux")
def test_an_attacker_who_swaps_it_all_the_time(vault, tmp_path):
    """Of as many runs a former version wrote outside in five."""
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "todos.md").write_bytes(OLD)
    built = vault({"projects/web/todos.md": OLD.decode()})
    command = [sys.executable, "-c", ATTACKER, str(built.path("projects")), str(outside), str(os.getpid())]
    with subprocess.Popen(command, stdout=subprocess.PIPE, cwd=CHECKOUT, env=child_environment()) as attacker:
        try:
            assert attacker.stdout.readline() == b"ready\n"
            for number in range(40):
                wrap("add", f"Paint fence {number}", "-p", "web", vault=built)
        finally:
            attacker.kill()
    assert sorted(path.name for path in outside.iterdir()) == ["todos.md"]
    assert (outside / "todos.md").read_bytes() == OLD
    shutil.rmtree(built.root)
