"""How fast and how small the skeleton is: `python tests/benchmarks/skeleton.py [folder]`.

Outlines every Python source below a folder (default: the standard library's top level) forty times over in one
session, and compares with tree-sitter alone on the final versions: the ratio is what finding and writing signatures
costs. Prints megabytes, time, memory and the ratio; the whole fold of a 50 MB transcript may take 5 s and 150 MB.
"""

import resource
import sys
import sysconfig
import time
from pathlib import Path

import tree_sitter_python
from tree_sitter import Language, Parser

from wrapgen.tracks.record import FileState, turn_record
from wrapgen.tracks.skeleton import final
from wrapgen.tracks.skeleton.final import interfaces

REWRITES = 40


def main(folder: Path) -> None:
    files = tuple(
        FileState(str(path), path.read_text(encoding="utf-8", errors="replace"), turn=number)
        for number in range(REWRITES)
        for path in sorted(folder.glob("*.py"))
    )
    size = sum(len(file.text) for file in files) // REWRITES
    final.PATIENCE = 3600
    begin = time.process_time()
    found = interfaces((turn_record("", number, "assistant", "") for number in range(REWRITES)), files)
    ours = time.process_time() - begin
    lines = sum(len(one.lines) for one in found)
    parser = Parser(Language(tree_sitter_python.language()))
    begin = time.process_time()
    for file in files[: len(files) // REWRITES]:
        parser.parse(file.text.encode())
    alone = time.process_time() - begin
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"{len(files) // REWRITES} files, {size / 1e6:.1f} MB, {lines} lines, each file written {REWRITES} times")
    print(f"skeleton {ours:.2f} s ({size / 1e6 / ours:.1f} MB/s), tree-sitter alone {alone:.2f} s, {memory:.0f} MB")
    print(f"ratio {ours / alone:.1f}")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(sysconfig.get_path("stdlib")))
