"""Entry point: `wrap`, `wrapgen`, `python -m wrapgen`."""

from __future__ import annotations

import atexit
import gc
import sys

from wrapgen import __version__, streams

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

_GARBAGE = 1_000_000  # objects


def main() -> None:
    """Run the program and exit."""
    streams.open_missing()
    # What is loaded, and thousands of records, live to the end: collecting garbage among them is wasted time.
    gc.set_threshold(_GARBAGE)
    atexit.register(gc.freeze)  # else all of it is looked through once more at the end, a sixth of a short run
    if sys.argv[1:] == ["--version"]:
        sys.exit(_version())
    if early := _early(sys.argv[1:2], sys.argv[2:]):
        sys.exit(early(sys.argv[2:]))
    from wrapgen.cli import run

    sys.exit(run(sys.argv[1:]))


def _version() -> int:
    try:
        sys.stdout.write(f"wrap {__version__}\n")
        sys.stdout.flush()
    except BrokenPipeError:  # whoever reads has seen enough
        streams.drop(sys.stdout)
    except OSError as error:
        from wrapgen.errors import remedy

        streams.drop(sys.stdout)
        sys.stderr.write(f"wrap: {error.strerror}. {remedy(error)}\n")
        return 1
    return 0


def _early(name: list[str], words: list[str]) -> Callable[[list[str]], int] | None:
    """The entry point for hosts at every event of a session: it must not load the command line's library."""
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
