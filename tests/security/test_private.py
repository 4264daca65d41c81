"""What holds words of conversations is its owner's alone, whatever new files usually are, and git ignores it."""

import stat
import sys

import pytest

from tests.clones import cloned, started
from tests.followups import talks
from tests.security.place import Place, umask
from tests.support import TODAY
from wrapgen.workflows.said_file import SAID_FILE

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="modes are POSIX")


@pytest.mark.slow
@pytest.mark.parametrize("mask", [0o000, 0o022, 0o077])
def test_modes(tmp_path, mask):
    with umask(mask):
        place = Place(tmp_path)
        key = place.waiting()
        assert place.child("orphans", "--ask").code == 0
        assert place.route(talks.answer(key, "journal")).code == 0
        assert place.child("--no-prompt").code == 0
        for folder in (".wrapgen", ".agents"):
            assert place.vault.path(folder).is_dir()
            for path in (place.vault.path(folder), *place.vault.path(folder).rglob("*")):
                wanted = 0o700 if path.is_dir() else 0o600
                holds_words = {"state", "cache"} & set(path.parts) and path.name != ".gitignore"
                if path.is_dir() or holds_words:
                    assert stat.S_IMODE(path.stat().st_mode) & ~wanted == 0, path


@pytest.mark.slow
def test_nothing_that_the_program_makes_can_be_committed_but_what_clones_share(tmp_path):
    place = Place(tmp_path)
    first = started(place.vault)
    for clone in (first, cloned(first, "cloned")):
        place.vault.root = clone.root
        key = place.waiting()
        assert place.route(talks.answer(key, "journal")).code == 0
        assert place.child("page").code == 0
        assert place.child("add", "Mend the roof", "-p", "web").code == 0
        seen = clone.git("status", "--porcelain", "--untracked-files=all").splitlines()
        assert [line[3:] for line in seen if ".wrapgen" in line or ".agents" in line] == [SAID_FILE]
        clone.commit(TODAY)
