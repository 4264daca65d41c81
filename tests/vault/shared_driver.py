"""Takes the shared lock again and again: `shared_driver.py ROOT TIMES SKEW`.

While it holds the lock it counts in a file without any other protection, and holds a kernel lock that must be free:
the two would show if somebody else held the lock too. Its clock is wrong by SKEW seconds.
"""

import fcntl
import os
import sys
import time
from pathlib import Path

root, times, skew = Path(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3])
true_time = time.time
time.time = lambda: true_time() + skew

from wrapgen.config import Config, load  # noqa: E402
from wrapgen.vault.lock import vault_lock  # noqa: E402

config = load(root / "wrapgen.toml", Config)
overlaps = 0
for _ in range(times):
    with vault_lock(root, config):
        witness = os.open(root / "witness", os.O_RDWR | os.O_CREAT)
        try:
            fcntl.flock(witness, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            overlaps += 1
        number = int((root / "number").read_text())
        time.sleep(0.002)
        (root / "number").write_text(str(number + 1))
        os.close(witness)
print(overlaps)
