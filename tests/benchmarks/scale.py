"""How long commands take, in multiples of a Python that does nothing and of one that walks and stats the same tree.

python tests/benchmarks/scale.py [FILES ...] [--items N]      (90 1000 3000 10000; 30000 on request; 10 items a file)

Makes a vault of each size (journals with two sessions, task lists, project lists; English, Korean and Chinese words)
and runs whole processes, by turns, so that a busy moment of the machine does not fall on one of them alone. Prints
medians of five: cold, nothing changed, one file changed, a list where nothing has changed, an item that is not found,
one that is added; ripgrep beside them where it is installed. Multiples are of processor time; what they may be at most
holds for 90 files (of Python) and for 10,000 (of the walk).
"""

import argparse
import random
import shutil
import sys
import tempfile
import time
from datetime import date, timedelta
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
from tests.benchmarks.whole_processes import Times, table, taken

ENGLISH = """
    fix login bug add retry upload queue deploy staging migrate users table write docs review rotate keys flaky cache
    index export parser billing webhook metrics alert schema backup restore throttle session token locale search report
"""
KOREAN = "배포 스크립트 정리 로그인 오류 수정 테스트 보강 문서 작성 캐시 만료 검토 결제 알림 색인 백업 복구"
CHINESE = "修复 登录 错误 增加 重试 上传 队列 部署 迁移 用户 文档 审查 轮换 密钥 缓存 索引"
PROSE = "What was tried, what *worked* and which `flag` it took; nothing here is a task. " * 6
LAST = date(2026, 11, 20)
ROUNDS = 5
# What the multiples may be at most: of Python with 90 files, of the walk with 10,000.
SMALL, LARGE = 90, 10_000
LIMITS = {
    SMALL: {"Python": {"nothing changed": 8, "list": 8, "list --json": 8}, "walk": {}},
    LARGE: {
        "Python": {},
        "walk": {"cold": 60, "nothing changed": 3, "one file changed": 8, "list": 5, "not found": 5, "added": 15},
    },
}
MEMORY_LIMIT = 150  # MB, with 10,000 files
WALK = """
import os, sys
for folder, _, names in os.walk(sys.argv[1]):
    for name in names:
        os.stat(os.path.join(folder, name))
"""


def words(rng):
    kind, number = rng.random(), rng.randint(1, 9999)
    if kind < 0.75:
        return f"{' '.join(rng.choices(ENGLISH.split(), k=rng.randint(4, 11)))} {number}"
    if kind < 0.9:
        return f"{' '.join(rng.choices(KOREAN.split(), k=rng.randint(3, 8)))} {number}"
    return f"{''.join(rng.choices(CHINESE.split(), k=rng.randint(4, 9)))}{number}"


def journal(rng, day, projects, said, items):
    lines = [f"# {day}", ""]
    for hour in (9, 10):
        lines += [f"## Session: {rng.choice(projects)} work ({hour}:00)", "", "### Done", ""]
        lines += [f"- {rng.choice(said) if said and rng.random() < 0.5 else words(rng)}" for _ in range(items // 2)]
        fresh = [words(rng) for _ in range(items // 2)]
        said += fresh
        lines += ["", "### Next", "", *(f"- {'[ ] ' if rng.random() < 0.5 else ''}{text}" for text in fresh)]
        lines += ["", PROSE, "", "```", "- [ ] an example, not a task", "```", ""]
    return lines


def make_vault(root, files, items):
    """Journals are three files in ten, task lists five; the rest are the lists of projects, two each."""
    rng = random.Random(1)
    journals, tasks = files * 3 // 10, files // 2
    projects = [f"project{number:05d}" for number in range(max(1, (files - journals - tasks) // 2))]
    said = []

    def write(path, lines):
        file = root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("\n".join(lines) + "\n", encoding="utf-8")

    write("wrapgen.toml", [])
    for number in range(journals):
        day = LAST - timedelta(days=number % 900)
        more = f"-{number // 900}" if number >= 900 else ""
        write(f"journals/{day:%Y/%m}/{day}{more}.md", journal(rng, day, projects, said, items))
    for number in range(tasks):
        texts = [rng.choice(said) if rng.random() < 0.2 else words(rng) for _ in range(items)]
        lines = [f"# Task {number}", "", *(f"- [{rng.choice(' x')}] {text}" for text in texts)]
        write(f"projects/{rng.choice(projects)}/actives/task{number:05d}/todos.md", lines)
    for name in projects:
        opened = [f"- [ ] {words(rng)}" for _ in range(items + items // 2)]
        lines = [
            f"# {name}",
            "",
            "## Next Session",
            "",
            *opened[: items // 2],
            "",
            "## Backlog",
            "",
            *opened[items // 2 :],
        ]
        write(f"projects/{name}/todos.md", lines)
        lines = [f"# {name}", "", "## Next Session", "", *(f"- {words(rng)}" for _ in range(items // 4))]
        write(f"projects/{name}/PROGRESS.md", lines)


def measure(root):
    """What each kind of run takes."""
    wrap = (sys.executable, "-m", "wrapgen", "--vault", str(root), "--today", str(LAST))
    regen, project = (*wrap, "regen"), next((root / "projects").iterdir()).name
    times = Times()
    take = times.take

    newest = root / f"journals/{LAST:%Y/%m}/{LAST}.md"
    for number in range(ROUNDS):
        take("Python", sys.executable, "-c", "pass")
        take("walk", sys.executable, "-c", WALK, str(root))
        if searcher := shutil.which("rg"):
            take("ripgrep", searcher, "--count", r"- \[ \]", str(root))
        shutil.rmtree(root / ".wrapgen", ignore_errors=True)
        (root / "ACTIVE-STATUS.md").unlink(missing_ok=True)
        take("cold", *regen)
        take("nothing changed", *regen)
        text = newest.read_text(encoding="utf-8")
        newest.write_text(
            text.replace("### Next\n\n", f"### Next\n\n- Paint the fence in colour {number}\n", 1), "utf-8"
        )
        time.sleep(0.1)  # a file that is read within the clock's grain of its change is read once more
        take("one file changed", *regen)
        taken(*regen)
        take("list", *wrap, "list")
        take("list --json", *wrap, "list", "--json")
        take("not found", *wrap, "done", "no such item", codes=(0, 1, 2))
        take("added", *wrap, "add", "-p", project, f"Feed the neighbours' cat {number} times")
    return times.medians()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", type=int, default=[90, 1_000, 3_000, 10_000])
    parser.add_argument("--items", type=int, default=10)
    options = parser.parse_args()
    for files in options.files:
        with tempfile.TemporaryDirectory(prefix="wrapgen-scale-") as folder:
            root = Path(folder) / "vault"
            make_vault(root, files, options.items)
            taken(
                sys.executable, "-m", "wrapgen", "--vault", str(root), "regen"
            )  # compiles the program, warms the disk
            medians = measure(root)
        print(f"\n{files} files, {options.items} items a file")
        print(*table(medians, LIMITS.get(files, {unit: {} for unit in LIMITS[LARGE]}), files), sep="\n")
        if files == LARGE:
            print(f"memory at most {MEMORY_LIMIT} MB, with one file changed")


if __name__ == "__main__":
    main()
