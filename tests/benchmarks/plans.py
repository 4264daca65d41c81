"""How long a repository of plans takes, in multiples of a bare Python that reads its Markdown and finds the boxes.

python tests/benchmarks/plans.py [PLANS ...] [--steps N]      (600; 2400 on request; 37 steps a plan)

Plans repeat themselves: each takes its steps from the same thirty, over other files, commands and numbers, in three to
seven phases, labelled ("3.1", "**AC4**"), a tenth of them ticked. Runs whole processes, by turns, so that a busy moment
of the machine does not fall on one of them alone. Prints medians of five, what each takes a plan, and its memory.
"""

import argparse
import random
import shutil
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
from tests.benchmarks.whole_processes import Times, table, taken

STEPS = """
Write the failing test for {name} in {file}
Run `{command}` and make sure that it fails
Implement {name} in {file}
Run `{command}` and make sure that it passes
Commit the change to {file}
Add {name} to the exports of {file}
Update the documentation of {name}
Read {file} and note what calls {name}
Extract the shared part of {file} into its own module
Check the types with `{command}`
Remove the old code path from {file}
Write an integration test that covers {name} from end to end
Handle the empty case in {name}
Handle a timeout of {number} seconds in {name}
Add a log line to {name} with the request id
Measure {name} with {number} rows
Review {file} with the team
Make {name} idempotent
Move the constants of {file} to the settings
Validate the input of {name} and answer with status {number}
Add a migration for the table behind {name}
Run the migration on staging with `{command}`
Rename the fields in {file} as agreed
Add the feature flag for {name}
Deploy phase {phase} to staging
Watch the error rate for {number} minutes
Turn the feature flag for {name} on for {number} percent of the users
Run the full regression suite
Update the changelog
Close the tickets of phase {phase}
""".strip().splitlines()
ROOMS = """
    uploader parser scheduler exporter importer resolver renderer session queue cache index search billing
"""
VERBS = """
    retry batch lock token limit filter merge sort page audit route score
"""
COMMANDS = ("pytest -q tests/{0}/test_{1}.py", "npm test -- {0}/{1}", "cargo test {0}::{1}", "go test ./{0}/{1}")
ROUNDS = 5
# What the multiples may be at most, with 600 plans.
LIMITS = {"cold": 50, "one plan changed": 9, "unchanged": 3, "audit": 8, "list": 7, "page": 8}
MEMORY_LIMIT = 300  # MB, with 600 plans
READ = r"""
import pathlib, re, sys
box = re.compile(r"^\s*[-*+] \[ \]", re.M)
found = sum(len(box.findall(path.read_text("utf-8"))) for path in pathlib.Path(sys.argv[1]).rglob("*.md"))
"""


def make_vault(root, plans, steps):
    rng = random.Random(2)
    (root / "plans").mkdir(parents=True)
    (root / "wrapgen.toml").write_text('[sources]\nlists = ["plans/*.md"]\n', encoding="utf-8")
    for number in range(plans):
        lines = plan(rng, number, steps)
        (root / f"plans/plan-{number:05d}.md").write_text("\n".join(lines) + "\n", encoding="utf-8")


def plan(rng, number, steps):
    room = rng.choice(ROOMS.split())
    lines = [f"# Plan {number}: {rng.choice(VERBS.split())} for the {room}", ""]
    phases = rng.randint(3, 7)
    for phase in range(1, phases + 1):
        lines += [f"## Phase {phase}: {rng.choice(VERBS.split())} the {rng.choice(ROOMS.split())}", ""]
        for step in range(1, steps // phases + (phase <= steps % phases) + 1):
            text = rng.choice(STEPS).format(
                name=f"`{rng.choice(VERBS.split())}_{rng.choice(ROOMS.split())}`",
                file=f"src/{room}/{rng.choice(VERBS.split())}_{number % 97}.py",
                command=rng.choice(COMMANDS).format(room, rng.choice(VERBS.split())),
                number=rng.randint(2, 500),
                phase=phase,
            )
            label = rng.choice((f"{phase}.{step} ", f"**AC{step}** ", f"Step {step}: ", ""))
            lines.append(f"- [{'x' if rng.random() < 0.1 else ' '}] {label}{text}")
        lines.append("")
    return lines


def measure(root):
    """What each kind of run takes."""
    times = Times()
    take = times.take

    wrap = (sys.executable, "-m", "wrapgen", "--vault", str(root), "--today", "2026-11-20")
    changed = root / "plans/plan-00000.md"
    for number in range(ROUNDS):
        take("reading", sys.executable, "-c", READ, str(root))
        shutil.rmtree(root / ".wrapgen", ignore_errors=True)
        (root / "ACTIVE-STATUS.md").unlink(missing_ok=True)
        take("cold", *wrap, "regen")
        take("unchanged", *wrap, "regen")
        text = changed.read_text(encoding="utf-8")
        changed.write_text(text.replace("- [ ] ", f"- [ ] Paint the fence in colour {number}\n- [ ] ", 1), "utf-8")
        time.sleep(0.1)  # a file that is read within the clock's grain of its change is read once more
        take("one plan changed", *wrap, "regen")
        taken(*wrap, "regen")
        take("list", *wrap, "list")
        take("audit", *wrap, "audit", "--json")
        take("page", *wrap, "page", "--out", str(root / "page.html"))
        take("wrap", *wrap, "--no-prompt")
    return times.medians()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("plans", nargs="*", type=int, default=[600])
    parser.add_argument("--steps", type=int, default=37)
    options = parser.parse_args()
    for plans in options.plans:
        with tempfile.TemporaryDirectory(prefix="wrapgen-plans-") as folder:
            root = Path(folder) / "vault"
            make_vault(root, plans, options.steps)
            taken(sys.executable, "-m", "wrapgen", "--vault", str(root), "regen")  # compiles the program
            medians = measure(root)
        print(f"\n{plans} plans of {options.steps} steps; what is at most holds for 600")
        print(*table(medians, {"reading": LIMITS}, plans), sep="\n")
        print(f"memory at most {MEMORY_LIMIT} MB")


if __name__ == "__main__":
    main()
