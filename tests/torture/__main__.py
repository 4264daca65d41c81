"""The long form: `python -m tests.torture [--runs 1000] [--processes 50] [--seconds N] [--seed S] [--keep FOLDER]`.

Prints the certificate; exits 1 when it does not hold.
"""

import argparse
import signal
import sys
import tempfile
from pathlib import Path

from tests.torture.torture import Settings, torture


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.torture", description="Many at once, killed at any moment.")
    default = Settings()
    parser.add_argument("--runs", type=int, default=default.runs, help="at least so many runs (default: %(default)s)")
    parser.add_argument("--processes", type=int, default=default.processes, help="at once (default: %(default)s)")
    parser.add_argument("--seconds", type=float, default=default.seconds, help="begin nothing new after so long")
    parser.add_argument("--seed", type=int, default=default.seed, help="of the plan (default: %(default)s)")
    parser.add_argument(
        "--keep", type=Path, metavar="FOLDER", help="work here, in an empty folder, and leave all there"
    )
    given = parser.parse_args()
    if not hasattr(signal, "SIGKILL"):
        parser.error("this system has no SIGKILL")
    settings = Settings(given.runs, given.processes, given.seconds, given.seed)
    with tempfile.TemporaryDirectory() as temporary:
        folder = given.keep or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        certificate = torture(folder, settings)
    print(certificate)
    return 0 if certificate.holds else 1


if __name__ == "__main__":
    sys.exit(main())
