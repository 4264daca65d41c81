"""Every hostile input of the list gets what the list says; `python -m tests.security` prints it."""

import sys

import pytest

from tests.security import CASES
from tests.security.place import Place

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="links, pipes and such names need POSIX")


@pytest.mark.sampled(18)
@pytest.mark.parametrize("one", CASES, ids=lambda one: f"{one.sort}: {one.name}")
def test_hostile_input(one, tmp_path):
    assert one.run(Place(tmp_path))
