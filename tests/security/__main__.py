"""`python -m tests.security`: every hostile input and what it got, as a table made by the tests' own cases."""

import os
import shutil
import sys
import tempfile
from pathlib import Path

from tests.conftest import HOME_VARIABLES, UNSET_VARIABLES
from tests.security import CASES
from tests.security.place import Place


def main() -> int:
    root = Path(tempfile.mkdtemp(prefix="wrapgen-hostile-"))
    home = root / "home"
    home.mkdir()
    os.environ.update(dict.fromkeys(HOME_VARIABLES, str(home)))
    for name in UNSET_VARIABLES:
        os.environ.pop(name, None)
    failed = 0
    sort = ""
    for number, one in enumerate(CASES):
        if one.sort != sort:
            sort = one.sort
            print(f"\n## {sort}\n\n| Input | What it got |\n| --- | --- |")
        try:
            got = one.run(Place(root / str(number)))
        except AssertionError as error:
            failed += 1
            got = f"**FAILED** {error}"
        print(f"| {one.name} | {' '.join(got.split())[:300].replace('|', chr(92) + '|')} |", flush=True)
    shutil.rmtree(root, ignore_errors=True)
    print(f"\n{len(CASES)} inputs, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
