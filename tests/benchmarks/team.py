"""What 200 agents wait for their store: a team's PostgreSQL, killed and started again, beside a file of SQLite.

python tests/benchmarks/team.py [--agents N] [--processes N] [--vaults N] [--cycles N] [--pause SECONDS]

Starts a server of Debian's package. Real processes act for some agents each (20 for 10 each by default), in a few
vaults, each of which stands for a computer; an agent starts (a write and a context), records a decision (a write) and
stops (a write), each with a store opened anew, as by a hook, and pauses between them. What Python and psycopg take to
be loaded is not in the figures. What a hook leaves to a background process is left to a thread here. Then everything
that was done is counted on the server: what is lost, or there twice.
At last it is measured how long one waits for a server that is away, in each way in which it can be.
"""

import argparse
import heapq
import json
import random
import resource
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import nullcontext, suppress
from datetime import UTC, datetime
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(CHECKOUT))

from tests.postgres import MISSING, PROGRAMS, Server, silent  # noqa: E402
from tests.support import child_environment  # noqa: E402
from wrapgen.agents.events import AgentEvent  # noqa: E402
from wrapgen.agents.moments import EventSetting, on_start, on_stop  # noqa: E402
from wrapgen.agents.operations import AddEntry, WorkFolder  # noqa: E402
from wrapgen.agents.postgres import open_postgres  # noqa: E402
from wrapgen.agents.sqlite import open_sqlite  # noqa: E402
from wrapgen.agents.store import Store  # noqa: E402
from wrapgen.agents.team import TeamStore  # noqa: E402
from wrapgen.agents.timeouts import OF_A_HOOK  # noqa: E402
from wrapgen.config import Agents  # noqa: E402
from wrapgen.errors import UnavailableError  # noqa: E402

PLACE = WorkFolder("web", "web", "/code/web")
STEPS = ("start and context", "record", "stop")
LIMIT = 150  # ms
ROUNDS_AWAY = 20


def act(setting, step, agent, session):
    event = {"session_id": session, "agent_id": agent, "agent_type": "worker"}
    text = f"[COMPRESSED] agent_type: worker\nChanged files: a.py\nResult: {agent} found out what was asked"
    match step:
        case "start and context":
            return on_start(AgentEvent.of(event), setting).behind
        case "record":
            with setting.open_store() as store:
                entry = AddEntry(session=session, kind="decision", text=f"decision of {agent}", place=PLACE,
                                 agent=agent, tags=("worker",), now=setting.now)  # fmt: skip
                store.do(entry)
                return store.behind
        case _:
            return on_stop(AgentEvent.of(event | {"last_assistant_message": text}), setting).behind


def work(root, address, first, agents, cycles, pause):
    """Act for some agents; one line for each step: which, and how many milliseconds it took."""
    chance = random.Random(first)
    if address:
        import psycopg  # noqa: F401 - loaded before the first figure is taken
    due = [(chance.random() * pause, number, 0) for number in range(first, first + agents)]
    heapq.heapify(due)
    sys.stdin.readline()
    begin = time.monotonic()
    while due:
        when, number, done = heapq.heappop(due)
        time.sleep(max(0.0, begin + when - time.monotonic()))
        cycle, step = divmod(done, len(STEPS))
        setting = EventSetting(lambda: opened(root, address), Agents(), PLACE, datetime.now(UTC))
        start = time.perf_counter()
        behind = act(setting, STEPS[step], f"a{number}-{cycle}", f"s{number // 10}")
        print(json.dumps([STEPS[step], (time.perf_counter() - start) * 1000]), flush=True)
        if behind:
            threading.Thread(target=send, args=(root, address)).start()
        if done + 1 < cycles * len(STEPS):
            heapq.heappush(due, (time.monotonic() - begin + pause * chance.uniform(0.5, 1.5), number, done + 1))


def send(root, address):
    """What the background run of a vault does; only one of them at a time."""
    with suppress(UnavailableError), TeamStore(root, address) as store:
        store.server()


def opened(root, address):
    return TeamStore(root, address, timeouts=OF_A_HOOK) if address else Store(open_sqlite(root))


def run(options, folder, address, midway=lambda: None):
    """All processes at work; gives the times by step, and the seconds that it took."""
    each = options.agents // options.processes
    children = []
    for number in range(options.processes):
        root = folder / f"vault{number % (options.vaults if address else 1)}"
        root.mkdir(parents=True, exist_ok=True)
        words = [root, address, number * each, each, options.cycles, options.pause]
        command = [sys.executable, __file__, "--work", *map(str, words)]
        children.append(
            subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=child_environment())
        )
    start = time.perf_counter()
    for child in children:
        child.stdin.write(b"\n")
        child.stdin.flush()
    lines = [child.stdout.readline() for child in children]
    midway()
    rest = [child.stdout.read() for child in children]
    assert {child.wait() for child in children} == {0}
    times = {step: [] for step in STEPS}
    for line in b"".join([*lines, *rest]).splitlines():
        step, taken = json.loads(line)
        times[step].append(taken)
    return times, time.perf_counter() - start


def show(title, times, seconds):
    events = sum(map(len, times.values()))
    print(f"\n{title}: {events} events in {seconds:.0f} s")
    print(f"{'ms':20s} {'p50':>7s} {'p95':>7s} {'p99':>7s} {'max':>7s}")
    for step, taken in times.items():
        cuts = statistics.quantiles(taken, n=100, method="inclusive")
        print(f"{step:20s} {cuts[49]:7.0f} {cuts[94]:7.0f} {cuts[98]:7.0f} {max(taken):7.0f}")


def settle(folder, address):
    """Send on what still waits, as `wrap doctor --fix` does; gives how many did, and the seconds."""
    waited, start = 0, time.perf_counter()
    for root in folder.iterdir():
        with TeamStore(root, address) as store:
            waited += store.outbox.waiting()
            store.server()
    return waited, time.perf_counter() - start


def count(address, options):
    """What is lost, and what is there more than once."""
    wanted = {f"a{number}-{cycle}" for number in range(options.agents) for cycle in range(options.cycles)}
    with Store(open_postgres(address)) as store:
        rows = store.database.rows
        for name, statement in (
            ("agents that stopped", "SELECT id FROM agents WHERE status = 'completed'"),
            ("their answers", "SELECT agent_id FROM outputs"),
            ("decisions", "SELECT agent_id FROM context_entries WHERE entry_type = 'decision'"),
        ):
            found = [row[0] for row in rows(statement, {})]
            lost, twice = len(wanted - set(found)), len(found) - len(set(found))
            print(f"  {name}: {len(found)} of {len(wanted)}, lost {lost}, twice {twice}")


def restart(server, seconds):
    """Kill the server, leave it down for a while, and start it again."""
    time.sleep(seconds)
    server.stop()
    time.sleep(seconds)
    server.start()


def away():
    """How long a server is waited for that is away."""
    ways = {
        "refuses": lambda: nullcontext("postgresql://ann@127.0.0.1:1/x"),
        "has no route": lambda: nullcontext("postgresql://ann@192.0.2.1/x"),
        "takes it and is silent": silent,
        "drops packets": lambda: silent(full=True),
    }
    print(f"\na server that is away, ms (at most {LIMIT}, and what a busy machine adds):")
    for name, manner in ways.items():
        with manner() as address:
            taken = [given_up(address) for _ in range(ROUNDS_AWAY)]
        print(f"  {name:24s} p50 {statistics.median(taken):5.0f}   max {max(taken):5.0f}")


def given_up(address):
    start = time.perf_counter()
    try:
        open_postgres(address, OF_A_HOOK)
    except UnavailableError:
        return (time.perf_counter() - start) * 1000
    raise AssertionError("nobody should answer there")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--agents", type=int, default=200)
    parser.add_argument("--processes", type=int, default=20)
    parser.add_argument("--vaults", type=int, default=4)
    parser.add_argument("--cycles", type=int, default=2, help="how often each agent starts, records and stops")
    parser.add_argument("--pause", type=float, default=5.0, help="seconds between two steps of an agent, on average")
    options = parser.parse_args()
    if PROGRAMS is None:
        sys.exit(MISSING)
    server = Server(fsync="on")
    try:
        load = Path("/proc/loadavg").read_text().split()[0]
        print(
            f"{options.agents} agents in {options.processes} processes, {options.vaults} vaults, a step every", end=" "
        )
        print(f"{options.pause:g} s; load before: {load}")
        runs = {
            "PostgreSQL": lambda: None,
            "PostgreSQL, killed and started again": lambda: restart(server, options.pause),
        }
        for title, midway in runs.items():
            with tempfile.TemporaryDirectory(prefix="wrapgen-team-") as folder:
                address = server.new_database()
                open_postgres(address).close()
                show(title, *run(options, Path(folder), address, midway))
                waited, seconds = settle(Path(folder), address)
                print(f"  waited at the end: {waited}, sent on in {seconds:.1f} s")
                count(address, options)
        with tempfile.TemporaryDirectory(prefix="wrapgen-team-") as folder:
            show("SQLite, one vault", *run(options, Path(folder), ""))
        away()
    finally:
        server.remove()
    print(f"\nmemory of the largest process: {resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024:.0f} MB")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--work"]:
        work(Path(sys.argv[2]), sys.argv[3], *map(int, sys.argv[4:7]), float(sys.argv[7]))
    else:
        main()
