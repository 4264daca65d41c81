"""How fast and how small the transcript reader is: `python tests/benchmarks/transcript.py [megabytes]`.

Writes a transcript of the given size (default 100 MB: progress lines, tool results, and a conversation between them)
into a temporary folder, then reads it twice in processes of their own: with wrapgen's reader, and with `json.loads` on
every line. Prints time, resident memory and the ratio; at most 3 s, 80 MB and a ratio of 3 are asked.
"""

import json
import random
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from wrapgen.session.readers import open_transcript

WORDS = [
    "fetch",
    "parse",
    "retry",
    "upload",
    "token",
    "queue",
    "worker",
    "cache",
    "index",
    "schema",
    "branch",
    "commit",
]


def write_transcript(path: Path, size: int, seed: int = 7) -> None:
    """A Claude Code transcript of about `size` bytes, the same for the same seed: 99 % progress and tool lines."""
    dice = random.Random(seed)
    envelope = {
        "parentUuid": "00000000-0000-4000-8000-000000000000",
        "isSidechain": False,
        "userType": "external",
        "cwd": "/home/dev/shop",
        "sessionId": "5f1c2d3e-0000-4000-8000-00000000beef",
        "version": "2.1.40",
        "gitBranch": "main",
    }
    written = number = 0
    with path.open("w", encoding="utf-8", newline="\n") as file:
        while written < size:
            record = envelope | _body(dice, number)
            record |= {
                "uuid": f"u-{number}",
                "timestamp": f"2026-03-02T10:{number // 60 % 60:02}:{number % 60:02}.000Z",
            }
            line = json.dumps(record, ensure_ascii=False, separators=(",", ":")) + "\n"
            file.write(line)
            written += len(line)
            number += 1


def _body(dice: random.Random, number: int) -> dict[str, object]:
    def prose(words: int) -> str:
        return " ".join(dice.choices(WORDS, k=words))

    def source(rows: int) -> str:
        return "\n".join(
            f'{row:>5}\t{"    " * (row % 3)}{dice.choice(WORDS)}("{dice.choice(WORDS)}", {row})' for row in range(rows)
        )

    if number % 60 == 0:
        return {"type": "user", "message": {"role": "user", "content": f"please {prose(12)}"}}
    if number % 60 == 1:
        text = f"Done with {prose(30)}.\n\n## Next steps\n\n- {prose(6)}\n- {prose(6)}\n"
        return _reply(number, {"type": "text", "text": text})
    if number % 3 == 0:
        return _reply(
            number, {"type": "tool_use", "id": f"t-{number}", "name": "Bash", "input": {"command": prose(20)}}
        )
    if number % 3 == 1:
        text = source(60)
        result = {"type": "tool_result", "tool_use_id": f"t-{number}", "content": text}
        patch = {"oldStart": number, "oldLines": 6, "newStart": number, "newLines": 7, "lines": text.split("\n")[:20]}
        details = {"filePath": "/home/dev/shop/app.py", "structuredPatch": [patch], "userModified": False}
        return {"type": "user", "message": {"role": "user", "content": [result]}, "toolUseResult": details}
    nested = {"type": "assistant", "message": {"content": [{"type": "text", "text": source(20)}]}}
    return {"type": "progress", "data": {"type": "agent_progress", "message": nested}, "toolUseID": f"t-{number}"}


def _reply(number: int, block: dict[str, object]) -> dict[str, object]:
    usage = {
        "input_tokens": number,
        "cache_read_input_tokens": 40 * number,
        "output_tokens": 7,
        "service_tier": "standard",
    }
    message = {"id": f"m-{number}", "type": "message", "role": "assistant", "content": [block], "usage": usage}
    return {"message": message, "requestId": f"r-{number}", "type": "assistant"}


def read_all(path: Path) -> int:
    """Number of turns, read by wrapgen."""
    return sum(1 for _ in open_transcript(path))


def load_all(path: Path) -> int:
    """Number of turns, found by parsing every line."""
    with path.open(encoding="utf-8") as file:
        return sum(1 for line in file if json.loads(line)["type"] in {"user", "assistant"})


def measure(what: str, path: Path) -> tuple[float, float, int]:
    """Seconds, megabytes resident (peak), and count of a run in a fresh process."""
    run = subprocess.run([sys.executable, __file__, what, str(path)], capture_output=True, text=True, check=True)
    seconds, megabytes, count = run.stdout.split()
    return float(seconds), float(megabytes), int(count)


def main(arguments: list[str]) -> None:
    """Run the benchmark, or (as its own child) one of its two halves."""
    if arguments and arguments[0] in {"read", "load"}:
        begin = time.perf_counter()
        count = (read_all if arguments[0] == "read" else load_all)(Path(arguments[1]))
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1 if sys.platform == "darwin" else 1024)
        print(time.perf_counter() - begin, peak / (1024 if sys.platform == "darwin" else 1), count)
        return
    size = float(arguments[0] if arguments else 100)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "session.jsonl"
        write_transcript(path, int(size * 1_000_000))
        seconds, megabytes, turns = measure("read", path)
        plain, plain_megabytes, _ = measure("load", path)
    print(f"{size:g} MB, {turns} turns: wrapgen {seconds:.2f} s, {megabytes:.0f} MB resident")
    print(f"json.loads on every line: {plain:.2f} s, {plain_megabytes:.0f} MB resident; ratio {plain / seconds:.1f}")


if __name__ == "__main__":
    main(sys.argv[1:])
