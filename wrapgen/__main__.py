"""Entry point: `wrap`, `wrapgen`, `python -m wrapgen`."""

import gc
import sys

_GARBAGE = 200_000  # objects


def main() -> None:
    """Run the program and exit."""
    if sys.argv[1:] == ["--version"]:
        # Scripts ask every tool for its version: answered before the command line's library is loaded.
        from wrapgen import __version__

        sys.stdout.write(f"wrap {__version__}\n")
        return
    # Thousands of records that live to the end: looking for garbage among them again and again finds none.
    gc.set_threshold(_GARBAGE)
    from wrapgen.cli import run

    sys.exit(run(sys.argv[1:]))


if __name__ == "__main__":
    main()
