"""What the tracks cost: `python tests/benchmarks/tracks.py [megabytes] [turns]`.

Folds in a transcript of the given size (default 50 MB: tool results, files written and edited, a conversation in three
languages with dead ends) in a fresh process, beside `json.loads` of the same lines; then searches a log of so many
turns (default 100,000) for words that are in at most one of a hundred. Spec 6: 5 s, 150 MB, 1.5 s.
"""

from __future__ import annotations

import json
import random
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from wrapgen.cli import run
from wrapgen.tracks.cold_file import search
from wrapgen.tracks.log import Log
from wrapgen.tracks.record import TurnRecord

VOCABULARY = (
    "the cache of the session table is read before the lock and then written again when a worker needs it "
    "deploy pipeline retries token index shard queue backoff payload schema 缓存 连接 数据库 超时 배포 캐시 연결 테스트"
)
WORDS = VOCABULARY.split()
DEAD_END = (
    ("user", "maybe {0} helps with the slow start, let's try it"),
    ("assistant", "I changed the loader to use {0}."),
    ("user", "still failing: {0} runs out of connections"),
    ("assistant", "Let's drop {0} and switch to something else."),
)


def prose(rng: random.Random, words: int) -> str:
    """Some words."""
    return " ".join(rng.choices(WORDS, k=words))


def source(rng: random.Random, functions: int) -> str:
    """A module of Python."""
    return "\n\n".join(
        f"def {rng.choice(WORDS[:29])}_{number}(value: int, other: str = 'x') -> str:\n"
        f'    """{prose(rng, 8)}"""\n    return str(value) + other  # {prose(rng, 6)}'
        for number in range(functions)
    )


def lines_of_session(rng: random.Random, size: int):
    """Lines of a transcript, until they have so many bytes."""
    number, written = 0, 0
    texts: dict[str, str] = {}
    while written < size:
        number += 1
        for record in _records(rng, number, texts):
            line = json.dumps(record, ensure_ascii=False)
            written += len(line.encode("utf-8")) + 1
            yield line


def _records(rng: random.Random, number: int, texts: dict[str, str]):
    base = {
        "uuid": f"u-{number}", "parentUuid": f"u-{number - 1}", "sessionId": "bench", "cwd": "/home/dev/shop",
        "timestamp": f"2026-04-{number // 4000 % 28 + 1:02d}T{number // 200 % 24:02d}:{number % 60:02d}:00Z",
        "isSidechain": False, "gitBranch": "main",
    }  # fmt: skip
    if number % 40 < 4:
        role, text = DEAD_END[number % 40]
        content = [{"type": "text", "text": text.format(f"approach{number // 40}") + " " + prose(rng, 20)}]
        yield base | {"type": role, "message": {"id": f"m-{number}", "role": role, "content": content}}
        return
    name = f"/home/dev/shop/{rng.choice(WORDS[:29])}_{rng.randrange(60)}.py"
    if number % 8 == 5 or (name not in texts and number % 8 == 6):
        texts[name] = source(rng, 40)
        tool, arguments = "Write", {"file_path": name, "content": texts[name]}
        result = {"type": "create", "filePath": name, "content": texts[name], "structuredPatch": []}
    elif number % 8 == 6:
        old = texts[name].split("\n\n")[3]
        arguments = {"file_path": name, "old_string": old, "new_string": f"{old}\n    # {prose(rng, 5)}"}
        tool, result = "Edit", {"filePath": name, "originalFile": texts[name], "structuredPatch": []}
        texts[name] = texts[name].replace(old, arguments["new_string"], 1)
    else:
        tool, arguments = "Bash", {"command": f"grep -rn {prose(rng, 2)} ."}
        result = {"stdout": source(rng, 30), "stderr": "", "interrupted": False}
    call = {"type": "tool_use", "id": f"t-{number}", "name": tool, "input": arguments}
    yield base | {"type": "assistant", "message": {"id": f"m-{number}", "role": "assistant", "content": [call]}}
    answer = {"type": "tool_result", "tool_use_id": f"t-{number}", "content": str(result.get("stdout", "ok"))}
    said = {"type": "user", "uuid": f"r-{number}", "message": {"role": "user", "content": [answer]}}
    yield base | said | {"toolUseResult": result}


def fold(folder: Path, transcript: Path) -> None:
    """What PreCompact does."""
    run(["--quiet", "track", "snapshot", "--transcript", str(transcript), "--dir", str(folder)])


def load(_: Path, transcript: Path) -> None:
    """What cannot be avoided."""
    with transcript.open(encoding="utf-8") as file:
        for line in file:
            json.loads(line)


def measure(what: str, folder: Path, transcript: Path) -> tuple[float, float]:
    """Seconds of the processor and megabytes (peak) of a run in a fresh process."""
    words = [sys.executable, __file__, what, str(folder), str(transcript)]
    seconds, megabytes = subprocess.run(words, capture_output=True, text=True, check=True).stdout.split()
    return float(seconds), float(megabytes)


def search_log(folder: Path, turns: int) -> None:
    """Search a log of so many turns."""
    rng = random.Random(8)
    log = Log(folder / "cold.jsonl", folder)
    rare = {"zebra": "zebra", "배포": "배포를", "缓存": "清理缓存了"}
    plain = [word for word in WORDS if word.isascii()]
    log.append(
        TurnRecord(
            f"k{number}", "d", f"s{number // 500}", number % 500, "user", at="2026-04-24T09:00:00Z",
            text=" ".join([*rng.choices(plain, k=40), rng.choice(list(rare.values())) if number % 100 == 0 else ""]),
        )
        for number in range(turns)
    )  # fmt: skip
    print(f"log of {turns} turns")
    for words in (*rare, "zebra queue", "배포 lock"):
        times = []
        for _ in range(3):
            begin = time.perf_counter()
            hits = search(log, words, None, 10)
            times.append(time.perf_counter() - begin)
        print(f"  {words}: {1000 * statistics.median(times):.1f} ms, {len(hits)} hits")


def main(arguments: list[str]) -> None:
    """Run the benchmark, or (as its own child) one of its halves."""
    if arguments and arguments[0] in {"fold", "load"}:
        begin = time.process_time()  # of this process alone: what else the machine does is not counted
        (fold if arguments[0] == "fold" else load)(Path(arguments[1]), Path(arguments[2]))
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1024 if sys.platform != "darwin" else 1 << 20)
        print(time.process_time() - begin, peak)
        return
    size, turns = float(arguments[0] if arguments else 50), int(arguments[1] if len(arguments) > 1 else 100_000)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        transcript = folder / "session.jsonl"
        with transcript.open("w", encoding="utf-8") as file:
            file.writelines(f"{line}\n" for line in lines_of_session(random.Random(8), int(size * 1_000_000)))
        plain, _ = measure("load", folder, transcript)
        for time_of in ("first", "second"):
            seconds, megabytes = measure("fold", folder, transcript)
            ratio = seconds / plain
            print(f"{size:g} MB, {time_of} snapshot: {seconds:.2f} s, {megabytes:.0f} MB, {ratio:.1f} x json.loads")
        search_log(folder, turns)


if __name__ == "__main__":
    main(sys.argv[1:])
