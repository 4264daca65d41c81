"""What each event costs the session, in multiples of a bare Python that does nothing.

python tests/benchmarks/hooks.py [FILES] [--at-once N] [--checkout FOLDER]      (1000, 20, this one)

Makes a vault of that size, its dashboard rebuilt, and a session of some turns, and runs whole processes, by turns: a
bare Python, the status line, each event with nothing to do, each event with its work. Prints medians, by the clock and
of the processor; a busy machine changes the latter less. What a hook hands to a process of its own is not counted: the
host does not wait for it.

Then N of each event at once, freely and while another process holds the vault's locks (its own and that of the
sub-agents' store): until the last one has ended, in multiples of N bare Pythons at once. What they hand over competes
with them, as it would.
"""

import argparse
import json
import os
import resource
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager, nullcontext
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(CHECKOUT))

from tests.benchmarks.scale import make_vault  # noqa: E402

ROUNDS = 15
CROWDS = 3
AT_ONCE = ("Stop", "SessionEnd", "SessionStart", "SubagentStart", "SubagentStop")
LIMITS = {
    "--version": "3 times", "statusline": "2.5 times", "nothing": "6 times", "SessionStart": "3 times",
    "SessionEnd": "300 ms",
}  # fmt: skip


def environment(home, checkout):
    hidden = ("WRAPGEN_VAULT", "WRAPGEN_DISABLE", "WRAPGEN_HOOK", "PYTHONDONTWRITEBYTECODE", "CODEX_HOME")
    kept = {name: value for name, value in os.environ.items() if name not in hidden}
    folders = {"HOME": home, "XDG_CONFIG_HOME": home / "config", "CLAUDE_CONFIG_DIR": home / "claude"}
    return {**kept, **{name: str(path) for name, path in folders.items()}, "PYTHONPATH": str(checkout)}


def transcript(file, session, turns):
    file.parent.mkdir(parents=True, exist_ok=True)
    with file.open("w") as lines:
        for number in range(turns):
            for role, text in (("user", f"Please mend part {number}."), ("assistant", f"Part {number} is mended.")):
                message = {"role": role, "content": [{"type": "text", "text": text}], "id": f"{role}{number}"}
                line = {"type": role, "uuid": f"{role}{number}", "parentUuid": None, "sessionId": session}
                line |= {"timestamp": "2026-11-20T10:00:00.000Z", "cwd": str(file.parent), "message": message}
                lines.write(json.dumps(line) + "\n")


def events(root, file, code):
    """Name, words of the command line, what stdin says; a session's id of its own each time."""
    common = {"transcript_path": str(file), "cwd": str(code)}
    work = {
        "SessionStart": {"source": "startup"},
        "SessionStart, compact": {"source": "compact"},
        "Stop": {"last_assistant_message": "Part 1 is mended."},
        "SessionEnd": {"reason": "other"},
        "PreCompact": {"trigger": "manual"},
        "PostCompact": {"compact_summary": "Part 1 was mended. " * 200},
        "SubagentStart": {"agent_id": "a1", "agent_type": "worker"},
        "SubagentStop": {"agent_id": "a1", "agent_type": "worker", "last_assistant_message": "Done."},
        "PostToolUse": {"tool_name": "Write", "tool_input": {"file_path": "a.py"}, "tool_use_id": "t"},
    }
    idle = {
        "nothing: Stop again": ("Stop", {"stop_hook_active": True}),
        "nothing: another tool": ("PostToolUse", {"tool_name": "Read"}),
        "nothing: UserPromptSubmit": ("UserPromptSubmit", {"prompt": "Go on."}),
        "nothing: no vault": ("SessionStart", {"cwd": "/", "source": "startup"}),
        "nothing: an unrelated folder": ("SessionStart", {"cwd": str(root.parent), "source": "startup"}),
        "nothing: a vault not trusted": ("SessionEnd", {"cwd": str(root.parent / "foreign")}),
    }
    yield from ((name, name.partition(",")[0], common | fields, root) for name, fields in work.items())
    yield from ((name, event, common | fields, None) for name, (event, fields) in idle.items())


def cost(command, document, where):
    """Milliseconds by the clock and of the processor, and what was printed."""
    start, before = time.perf_counter(), resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, input=document, env=where, capture_output=True, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert done.returncode in (0, 2), done.stderr
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return (time.perf_counter() - start) * 1000, used * 1000, done.stdout + done.stderr


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", type=int, nargs="?", default=1000)
    parser.add_argument("--at-once", type=int, default=20)
    parser.add_argument("--checkout", type=Path, default=CHECKOUT, help="another one of wrapgen, to compare with")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="wrapgen-hooks-", ignore_cleanup_errors=True) as folder:
        base = Path(folder)
        root, code, home = base / "vault", base / "vault" / "code", base / "home"
        make_vault(root, options.files, 10)
        for made in (code, home / "config" / "wrapgen", base / "foreign"):
            made.mkdir(parents=True)
        (base / "foreign" / "wrapgen.toml").touch()
        where = environment(home, options.checkout)
        wrap = [Path(sys.executable).with_name("wrap")]  # what hosts are told to call
        subprocess.run([*wrap, "--vault", root, "--quiet", "--no-prompt"], env=where, check=True)
        file = home / "claude" / "projects" / "code" / "session.jsonl"
        transcript(file, "session", 50)
        own = home / "config" / "wrapgen" / "config.toml"
        listed = f"trusted_vaults = [{json.dumps(str(root))}]\n"
        own.write_text(f"default_vault = {json.dumps(str(root))}\n{listed}")
        runs = {
            "bare Python": ([sys.executable, "-c", "pass"], {}, where),
            "--version": ([*wrap, "--version"], {}, where),
            "statusline": ([*wrap, "statusline"], {"workspace": {"current_dir": str(code)}}, where),
        }
        for name, event, fields, vault in events(root, file, code):
            here = where | ({"WRAPGEN_VAULT": str(vault)} if vault else {})
            if name == "nothing: no vault":
                here["XDG_CONFIG_HOME"] = str(base)
            runs[name] = ([*wrap, "hook", event], fields, here)
        times = {name: [] for name in runs}
        for turn in range(ROUNDS + 1):
            for name, (command, document, here) in runs.items():
                common = {"session_id": f"s{turn}", "prompt_id": f"{name}{turn}"}
                taken = cost(command, json.dumps({**common, **document}).encode(), here)
                if turn:  # the first one compiles the program and warms the disk
                    times[name].append(taken)
                else:
                    print(f"{name:30s} {len(taken[2]):6d} bytes printed")
        report(times)
        crowds(runs, root, options.at_once)


def crowds(runs, root, number):
    """Milliseconds until the last of many has ended, for each event, free and locked."""
    print(f"\n{number} at once, until the last one has ended (median of {CROWDS})")
    print(f"{'':30s} {'free':>9s} {'times bare':>11s} {'locked':>9s} {'times bare':>11s}")
    chosen = [name for name in runs if name in ("bare Python", *AT_ONCE)]
    times = {(name, locked): [] for name in chosen for locked in (False, True)}
    for turn in range(CROWDS):
        for locked in (False, True):
            for name in chosen:
                with held(root) if locked else nullcontext():
                    times[name, locked].append(crowd(*runs[name], f"{turn}{locked}{name}", number))
                wait_for_quiet(root)
    bare = {locked: statistics.median(times["bare Python", locked]) for locked in (False, True)}
    for name in chosen:
        free, locked = (statistics.median(times[name, one]) for one in (False, True))
        print(f"{name:30s} {free:6.0f} ms {free / bare[False]:11.1f} {locked:6.0f} ms {locked / bare[True]:11.1f}")


def crowd(command, document, where, mark, number):
    """Start many at once, each of a session of its own."""

    def one(at):
        event = {"session_id": f"{mark}{at}", "prompt_id": f"{mark}{at}", **document}
        if "agent_id" in event:
            event["agent_id"] = f"{mark}{at}"
        cost(command, json.dumps(event).encode(), where)
        return time.perf_counter()

    start = time.perf_counter()
    with ThreadPoolExecutor(number) as pool:
        return (max(pool.map(one, range(number))) - start) * 1000


@contextmanager
def held(root):
    """Hold the vault's lock, and that of the store of sub-agents."""
    from wrapgen.workflows.app import App

    store = root / ".wrapgen" / "state" / "agents.db"
    with App(vault=root).locked(), closing(sqlite3.connect(store, isolation_level=None)) as connection:
        connection.execute("BEGIN EXCLUSIVE")
        yield


def wait_for_quiet(root):
    """Wait until what was handed over is done, so that it does not disturb the next ones."""
    requests = root / ".wrapgen" / "state" / "hooks" / "requests"
    deadline = time.monotonic() + 120
    while any(requests.glob("*.json")) and time.monotonic() < deadline:
        time.sleep(0.1)


def report(times):
    middle = {name: [statistics.median(each[at] for each in one) for at in (0, 1)] for name, one in times.items()}
    print(f"{'':30s} {'clock':>8s} {'processor':>10s} {'times bare':>11s}  at most")
    for name, (clock, processor) in middle.items():
        times_bare = processor / middle["bare Python"][1]
        limit = LIMITS.get(name) or (LIMITS["nothing"] if name.startswith("nothing") else "")
        print(f"{name:30s} {clock:5.0f} ms {processor:7.0f} ms {times_bare:11.1f}  {limit}")


if __name__ == "__main__":
    main()
