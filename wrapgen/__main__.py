"""Entry point: `wrap`, `wrapgen`, `python -m wrapgen`."""

import gc
import sys
from collections.abc import Callable

_GARBAGE = 1_000_000  # objects


def main() -> None:
    """Run the program and exit."""
    if sys.argv[1:] == ["--version"]:
        # Scripts ask every tool for its version: answered before the command line's library is loaded.
        from wrapgen import __version__

        sys.stdout.write(f"wrap {__version__}\n")
        return
    if early := _early(sys.argv[1:2], sys.argv[2:]):
        sys.exit(early(sys.argv[2:]))
    # Thousands of records that live to the end: looking for garbage among them again and again finds none.
    gc.set_threshold(_GARBAGE)
    from wrapgen.cli import run

    sys.exit(run(sys.argv[1:]))


def _early(name: list[str], words: list[str]) -> Callable[[list[str]], int] | None:
    """What a host calls at every event of a session: it must not wait for the command line's library."""
    if {"-h", "--help"} & set(words):
        return None
    if name == ["hook"]:
        from wrapgen.hooks.entry import main as early
    elif name == ["statusline"]:
        from wrapgen.hooks.statusline import main as early
    else:
        return None
    return early


if __name__ == "__main__":
    main()
