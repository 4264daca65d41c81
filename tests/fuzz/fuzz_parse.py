"""Feeds mutated notes to everything that reads notes, guided by which code they reach.

python -m tests.fuzz.fuzz_parse [CORPUS] [libFuzzer options, such as -max_total_time=60]

Needs atheris, which has wheels for Linux alone; without it this says so and ends well. Starts from the notes of
`tests/cases`; CORPUS is a folder that keeps what reached new code. A crash is left in a file, which `python -m
tests.fuzz.fuzz_parse FILE` tries once more.
"""

import sys
import tempfile
from pathlib import Path

try:
    import atheris
except ImportError as error:
    print(f"not fuzzed: atheris cannot be imported here ({error})")
    sys.exit(0)

with atheris.instrument_imports(include=["wrapgen"]):
    from tests.fuzz.rounds import corpus, round_of

LONGEST = 4_000  # bytes


def main() -> None:
    with tempfile.TemporaryDirectory(prefix="wrapgen-corpus-") as folder:
        for number, data in enumerate(corpus()):
            (Path(folder) / f"case-{number:03}").write_bytes(data)
        files = [word for word in sys.argv[1:] if Path(word).is_file()]
        options = [] if files else [folder, f"-max_len={LONGEST}", "-timeout=20"]
        # libFuzzer writes what it finds into the first folder that it is given.
        atheris.Setup([sys.argv[0], *sys.argv[1:], *options], round_of)
        atheris.Fuzz()


if __name__ == "__main__":
    main()
