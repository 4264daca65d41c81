"""How long a thousand follow-ups take until the question stands on the screen: `python tests/benchmarks/prompt.py`.

Prints the best of five, beside the start of a bare Python in the same run; the goal is half a second.
"""

import subprocess
import sys
import time

from tests.session.test_prompt import TITLE, Terminal
from tests.terminal import ESC

ONE = {"text": "긴 작업을 나누어 하나씩 정리하고 보고서를 쓰기", "project": "web"}
TIMES = 5


def bare() -> float:
    started = time.perf_counter()
    subprocess.run([sys.executable, "-c", "pass"], check=True)
    return time.perf_counter() - started


def asked() -> float:
    with Terminal({"orphans": [ONE], "projects": ["web"], "copies": 1000}, lines=40) as terminal:
        terminal.see("asking")
        started = time.perf_counter()
        terminal.see(TITLE, "1000 follow-ups", "leave all pending")
        seconds = time.perf_counter() - started
        terminal.press(ESC)
        terminal.finish()
    return seconds


if __name__ == "__main__":
    pause, question = (min(one() for _ in range(TIMES)) for one in (bare, asked))
    print(f"a thousand follow-ups asked about after {question * 1000:.0f} ms = {question / pause:.1f} x bare Python")
