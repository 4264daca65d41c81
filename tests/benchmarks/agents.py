"""How long a new agent waits for its context, in multiples of a bare Python that does nothing.

python tests/benchmarks/agents.py [--agents N] [--entries N]      (100,000 and 1,000,000)

Makes a store of that size (200 projects, 5,000 sessions; one of them holds a twentieth of everything) and runs whole
processes, by turns: a bare Python, `wrap agent context` in an ordinary session and in the large one. Prints medians, by
the clock and of the processor; a busy machine changes the latter less.
"""

import argparse
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(CHECKOUT))

from tests.support import child_environment  # noqa: E402
from wrapgen.agents import sql  # noqa: E402
from wrapgen.agents.databases import SqliteStore  # noqa: E402

PROJECTS, SESSIONS, ROUNDS = 200, 5_000, 15
KINDS = ("note", "decision", "blocker", "handoff", "agent_summary", "note", "note")
TYPES = ("worker", "reviewer", "planner", "tester")
LIMIT = 150  # ms
FIRST = datetime(2026, 4, 1, tzinfo=UTC)


def session_of(number):
    """One session in twenty rows is the large one."""
    return "s0" if number % 20 == 0 else f"s{number % SESSIONS}"


def moment(number):
    return (FIRST + timedelta(seconds=number)).strftime("%Y-%m-%d %H:%M:%S")


def agent_row(number):
    return {
        "id": f"a{number}", "session_id": session_of(number), "agent_name": TYPES[number % 4],
        "agent_type": TYPES[number % 4], "parent_agent_id": f"p{number % 3}", "status": "completed",
        "started_at": moment(number), "completed_at": moment(number + 60), "input_tokens": 1, "output_tokens": 1,
        "context_summary": f"Result of agent {number}: the parser reads lists, tests pass.",
    }  # fmt: skip


def entry_row(number):
    tagged = number % 10 == 0
    return {
        "id": number + 1, "session_id": session_of(number), "agent_id": f"a{number // 10}" if number % 2 else None,
        "entry_type": KINDS[number % 7], "content": f"Entry {number}: keep the old format until the next version.",
        "tags": f'["{TYPES[number % 4]}"]' if tagged else None, "tag": TYPES[number % 4] if tagged else None,
        "created_at": moment(number), "entry_id": number + 1,
    }  # fmt: skip


def make_store(root, agents, entries):
    (root / "wrapgen.toml").touch()
    database = SqliteStore(root)
    database.rows("PRAGMA synchronous = OFF", {})
    now = moment(0)
    with database.writing():
        for number in range(PROJECTS):
            row = {"id": f"p{number}", "name": f"p{number}", "path": f"/p{number}", "created_at": now}
            database.rows(sql.ADD["projects"], row)
        for number in range(SESSIONS):
            row = {"id": f"s{number}", "project_id": f"p{number % PROJECTS}", "started_at": now, "ended_at": None}
            database.rows(sql.ADD["sessions"], {**row, "status": "active"})
        database.many(sql.PUT_AGENT, map(agent_row, range(agents)))
        database.many(sql.ADD["context_entries"].replace(" RETURNING id", ""), map(entry_row, range(entries)))
        database.many(sql.ADD_TAG, (row for row in map(entry_row, range(entries)) if row["tag"]))
        for number in range(1_000):
            row = {"id": None, "project_id": "p1", "title": f"Task {number}", "description": None, "tags": None}
            row |= {"status": "pending", "assigned_to": f"worker{number % 100}", "created_at": now, "updated_at": now}
            database.rows(sql.ADD["tasks"], row)
    database.close()


def milliseconds(command):
    """Milliseconds by the clock and of the processor, and what was printed."""
    start, before = time.perf_counter(), resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, env=child_environment(), capture_output=True, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return (time.perf_counter() - start) * 1000, used * 1000, done.stdout.decode()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--keep", type=Path, metavar="DIR", help="make the store here, or use the one that is here")
    parser.add_argument("--agents", type=int, default=100_000)
    parser.add_argument("--entries", type=int, default=1_000_000)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="wrapgen-agents-") as folder:
        root = options.keep or Path(folder)
        start = time.perf_counter()
        if not (root / "wrapgen.toml").exists():
            root.mkdir(exist_ok=True)
            make_store(root, options.agents, options.entries)
        size = sum(path.stat().st_size for path in root.rglob("*.db")) / 1e6
        print(f"{options.agents} agents, {options.entries} entries: {size:.0f} MB, {time.perf_counter() - start:.0f} s")
        asked = [sys.executable, "-m", "wrapgen", "--vault", str(root), "agent", "context", "--type", "worker"]
        commands = {
            "bare Python": [sys.executable, "-c", "pass"],
            "wrap --help": [sys.executable, "-m", "wrapgen", "--help"],
            "context": [*asked, "--session", "s201", "--name", "worker1", "--parent", "p1"],
            "context, large session": [*asked, "--session", "s0", "--name", "worker1", "--parent", "p0"],
            "context, no such session": [*asked, "--session", "s-1", "--name", "worker1"],
        }
        times = {name: [] for name in commands}
        for name, command in commands.items():
            milliseconds(command)  # compiles the program, warms the disk
            print(f"{name}: {len(milliseconds(command)[2])} characters")
        for _ in range(ROUNDS):
            for name, command in commands.items():
                times[name].append(milliseconds(command)[:2])
        middle = {name: [statistics.median(one) for one in zip(*taken, strict=True)] for name, taken in times.items()}
        print(f"{'':26s} {'clock':>8s} {'processor':>10s} {'times bare':>11s}   (at most {LIMIT} ms)")
        for name, (clock, processor) in middle.items():
            times_bare = processor / middle["bare Python"][1]
            print(f"{name:26s} {clock:5.0f} ms {processor:7.0f} ms {times_bare:11.1f}")


if __name__ == "__main__":
    main()
