"""Notes and conversations that grow without end are read to their end: a hang is a failure.

How time grows is printed by `tests/benchmarks/hostile.py`; here the families are large enough that anything that takes
the square of their size does not come back.
"""

import pytest

from tests.security import families
from tests.security.place import Place
from tests.support import FATES

SIZE = 40_000
MANY = 30_000


@pytest.mark.slow
@pytest.mark.parametrize("part", range(4))
def test_notes(tmp_path, part):
    place = Place(tmp_path)
    for number, name in enumerate([*families.NOTES, *families.WHOLE][part::4]):
        place.vault.write(f"journals/2026-03-{number + 1:02}.md", families.note(name, SIZE))
    assert place.child("regen").code == 0
    audit = place.child("audit", "--json").json
    assert audit["collected"] == sum(audit[fate] for fate in FATES)


@pytest.mark.slow
def test_conversations(tmp_path):
    place = Place(tmp_path)
    files = []
    for number, name in enumerate(families.TALKS):
        files.append(tmp_path / f"{number}.json")
        files[-1].write_text(families.talk(name, SIZE), encoding="utf-8")
    words = [word for file in files for word in ("--transcript", file)]
    assert place.child("orphans", "--dry-run", *words).code == 0


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["- a\n", "- [ ] a\n", "- [x] a\n- a\n"])
def test_tiny_items_without_end(tmp_path, kind):
    place = Place(tmp_path)
    place.vault.write("journals/2026-04-23.md", "## Next\n" + kind * (MANY // kind.count("\n")))
    result = place.child("--quiet", "regen")
    assert result.code == 0, result.err


@pytest.mark.slow
def test_a_line_of_five_megabytes(tmp_path):
    place = Place(tmp_path)
    words = "fix the login " * (4_990_000 // 28)
    place.vault.write("journals/2026-04-23.md", f"## Next\n- {words}\n- {words}again\n")
    texts = {len(item["text"]) for item in place.child("audit", "--json").json["items"]}
    assert max(texts) > 2_000_000
    assert place.child("regen").code == 0
    assert max(map(len, place.vault.page.splitlines())) < 1_000


@pytest.mark.slow
def test_ten_thousand_levels(tmp_path):
    place = Place(tmp_path)
    deep = "".join(f"{'  ' * level}- [ ] a\n" for level in range(600))
    for number, text in enumerate((deep, "- " * 10_000 + "a\n", "> " * 10_000 + "- a\n", "[" * 10_000, "(" * 10_000)):
        place.vault.write(f"journals/2026-04-{number + 1:02}.md", f"## Next\n{text}\n- last\n")
    audit = place.child("audit", "--json").json
    assert sum(item["text"] == "last" for item in audit["items"]) >= 4
    assert {one["error"] for one in audit["unreadable"]} == {"nested too deeply"}
