"""`lock = "shared"`: one writer at a time among hosts that share nothing but the folder, and no wrong clearing."""

import json
import os
import shlex
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support import THOROUGH, child_environment, journal, next_list, wrap
from tests.vault import hosts
from wrapgen.vault.lock import LOCK_FILE
from wrapgen.vault.shared_lock import Life, owners

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="SIGKILL, fork")
elsewhere = pytest.mark.skipif(bool(hosts.why_none()), reason=f"no other hosts here: {hosts.why_none()}")

GOOD = journal("2026-04-23", next_list("Fix the login"))
IMPATIENT = 'lock = "shared"\nlock_timeout = 0.3\n'
HERE = socket.gethostname()
CLAIMS = f"{LOCK_FILE}.filelock/claims"


@pytest.fixture
def shared(vault):
    return vault(GOOD, config=IMPATIENT)


@pytest.fixture
def hold(shared):
    """Holds the lock on a host; whoever is left is killed in the end."""
    children = []

    def start(host=None):
        children.append(hosts.hold(host, shared.root))
        return children[-1]

    yield start
    for child in children:
        hosts.kill(child)


@pytest.fixture
def orphaned(shared, hold):
    """Leaves the lock of a holder who was killed."""

    def leave(host=None):
        hosts.kill(hold(host))
        return shared

    return leave


def claims(built):
    return sorted(built.path(CLAIMS).iterdir()) if built.path(CLAIMS).is_dir() else []


def rewrite(built, change):
    """Change the record of a holder, whose two claims are links to one file: magic, token, pid, host, start."""
    file = claims(built)[0]
    file.write_text("\n".join(change(file.read_text().split("\n"))))


def doctor(built, *words):
    return wrap("doctor", *words, "--json", vault=built)


def of_lock(result):
    (finding,) = [one for one in result.json["findings"] if one["check"] == "lock"]
    return finding


def test_a_vault_that_had_the_other_lock_before(vault):
    built = vault(GOOD)
    assert wrap("regen", vault=built).code == 0
    assert built.path(LOCK_FILE).exists()
    built.write("wrapgen.toml", IMPATIENT)
    assert wrap("regen", vault=built).code == 0
    built.write("wrapgen.toml", "")
    assert wrap("regen", vault=built).code == 0


@pytest.mark.slow
@elsewhere
def test_hosts_exclude_each_other_whatever_their_clocks_say(vault):
    built = vault(config='lock = "shared"\nlock_timeout = 120\n')
    built.path("number").write_text("0")
    driver = Path(__file__).with_name("shared_driver.py")
    skews = {"north": 0, "south": 600, "east": -600, None: 90_000}
    children = [hosts.start(host, driver, built.root, "15", str(skew)) for host, skew in skews.items()]
    results = [child.communicate(timeout=120) for child in children]
    assert [(out, err) for out, err in results] == [("0\n", "")] * 4
    assert built.path("number").read_text() == "60"
    assert claims(built) == []


@pytest.mark.slow
@elsewhere
def test_a_holder_killed_on_another_host_keeps_the_others_out(orphaned):
    built = orphaned("north")
    result = wrap("regen", vault=built)
    assert result.code == 4
    assert "process 1 on north since 20" in result.err
    assert "wrap doctor --fix" in result.err
    assert claims(built) != []


@pytest.mark.slow
@elsewhere
def test_nobody_can_know_of_another_host(orphaned):
    built = orphaned("north")
    before = claims(built)
    for words in ((), ("--fix",), ("--fix", "--host", "south")):
        result = doctor(built, *words)
        assert result.code == 3
        assert "process 1 on north" in of_lock(result)["what"]
        assert "another host" in of_lock(result)["what"]
        assert "wrap doctor --fix --host north" in of_lock(result)["mend"]
        assert claims(built) == before
    result = doctor(built, "--fix", "--host", "north")
    assert (result.code, of_lock(result)["what"]) == (0, "free")
    assert result.json["mended"] == ["cleared the lock of process 1 on north"]
    assert wrap("regen", vault=built).code == 0


@pytest.mark.slow
@elsewhere
def test_the_host_itself_knows(shared, hold):
    """A process of the same host and the same table of processes."""
    child = hosts.start("north", "-c", _KILL_AND_MEND, shared.root)
    out, err = child.communicate(timeout=120)
    assert (out.splitlines()[-1:], err) == (["0"], "")
    assert claims(shared) == []


_KILL_AND_MEND = """
import sys
from pathlib import Path
from tests.vault import hosts
from wrapgen.cli import run
root = Path(sys.argv[1])
child = hosts.hold(None, root)
hosts.kill(child)
print(run(["--vault", str(root), "doctor", "--fix"]))
"""


@pytest.mark.slow
@elsewhere
def test_another_container_on_the_same_host_is_elsewhere(orphaned):
    built = orphaned(HERE)
    result = doctor(built, "--fix")
    assert result.code == 3
    assert "another container" in of_lock(result)["what"]
    assert claims(built) != []


@pytest.mark.slow
def test_a_killed_holder_of_this_host_is_cleared(orphaned):
    built = orphaned()
    assert wrap("regen", vault=built).code == 4
    result = doctor(built)
    assert result.code == 3
    assert "is gone" in of_lock(result)["what"]
    assert of_lock(result)["mend"] == "wrap doctor --fix"
    assert claims(built) != []
    assert doctor(built, "--fix").json["mended"] != []
    again = doctor(built, "--fix")
    assert (again.code, again.json["mended"]) == (0, [])
    assert wrap("regen", vault=built).code == 0


@pytest.mark.slow
def test_a_holder_that_lives_is_never_cleared(shared, hold):
    child = hold()
    before = claims(shared)
    for words in (("--fix",), ("--fix", "--host", HERE)):
        result = doctor(shared, *words)
        assert result.code == 3
        assert "which is running" in of_lock(result)["what"]
        assert claims(shared) == before
    child.stdin.write("\n")
    child.communicate()
    assert doctor(shared).code == 0


@pytest.mark.slow
def test_a_holder_that_lets_go_while_it_is_watched(vault):
    built = vault(GOOD, config='lock = "shared"\nlock_timeout = 60\n')
    child = hosts.hold(None, built.root)
    watching = hosts.start(None, "-m", "wrapgen", "--vault", built.root, "doctor")
    with pytest.raises(subprocess.TimeoutExpired):
        watching.wait(1.5)
    child.communicate("\n")
    out, err = watching.communicate(timeout=120)
    assert (watching.returncode, err) == (0, "")
    assert "free" in out


@pytest.mark.slow
def test_no_age_makes_a_lock_void(shared, hold):
    child = hold()
    before = claims(shared)
    files = (*before, shared.path(LOCK_FILE), shared.path(f"{LOCK_FILE}.holder"))
    written = [file.stat().st_mtime for file in files]
    for minutes in (-60 * 24, -10, 10, 60 * 24):
        for file, moment in zip(files, written, strict=True):
            os.utime(file, (moment + 60 * minutes,) * 2)
        assert wrap("regen", vault=shared).code == 4, minutes
        assert doctor(shared, "--fix").code == 3, minutes
        assert claims(shared) == before, minutes
    hosts.kill(child)
    assert doctor(shared, "--fix").code == 0


@pytest.mark.slow
def test_a_process_number_that_was_given_again_is_not_taken_for_the_holder(orphaned):
    built = orphaned()
    rewrite(built, lambda lines: [*lines[:2], str(os.getpid()), *lines[3:]])
    assert [owner.life for owner in owners(built.path(LOCK_FILE))] == [Life.GONE]
    assert doctor(built, "--fix").code == 0


@pytest.mark.slow
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux tells one start from the next")
def test_a_host_that_was_started_again_may_be_another_of_its_name(orphaned):
    built = orphaned()
    rewrite(built, lambda lines: [*lines[:4], str(int(lines[4]) ^ (1 << 70)), lines[5]])
    result = doctor(built, "--fix")
    assert result.code == 3
    assert "before this host was last started" in of_lock(result)["what"]
    assert f"--host {shlex.quote(HERE)}" in of_lock(result)["mend"]
    assert doctor(built, "--fix", "--host", HERE).code == 0


@pytest.mark.slow
def test_the_lock_of_a_single_thing_is_cleared_too(shared):
    child = hosts.start(None, "-c", _HOLD_A_SNAPSHOT, shared.root)
    assert child.stdout.readline() == "held\n"
    hosts.kill(child)
    assert of_lock(doctor(shared))["where"] == ".wrapgen/locks/stage-TASK-1.lock"
    assert doctor(shared, "--fix").code == 0
    again = hosts.start(None, "-c", _HOLD_A_SNAPSHOT, shared.root)
    assert again.communicate("\n", timeout=60) == ("held\n", "")


_HOLD_A_SNAPSHOT = """
import sys
from pathlib import Path
from wrapgen.config import Config, load
from wrapgen.stage.store import Snapshots
root = Path(sys.argv[1])
with Snapshots(root, load(root / "wrapgen.toml", Config)).locked("TASK-1"):
    print("held", flush=True)
    sys.stdin.readline()
"""


@pytest.mark.slow
def test_a_claim_that_cannot_be_read_is_left_to_a_person(shared):
    assert wrap("regen", vault=shared).code == 0
    file = shared.write(f"{CLAIMS}/held-v1-{'0' * 32}.claim", "")
    assert wrap("regen", vault=shared).code == 1
    result = doctor(shared, "--fix")
    assert result.code == 3
    assert of_lock(result)["where"] == str(file)
    assert file.exists()


@pytest.mark.slow
def test_doctors_never_clear_the_lock_of_somebody_who_came_later(vault):
    built = vault(config='lock = "shared"\n')
    driver = Path(__file__).with_name("shared_torture.py")
    done = subprocess.run(
        [sys.executable, str(driver), str(built.root), "4" if THOROUGH else "1.5"],
        capture_output=True,
        text=True,
        env=child_environment(),
        check=True,
        timeout=300,
    )
    result = json.loads(done.stdout)
    assert (result["overlap"], result["errors"], done.stderr) == (0, [], "")
    assert min(result["held"], result["kills"], result["cleared"]) >= 3, result
    assert wrap("regen", vault=built).code == 0
