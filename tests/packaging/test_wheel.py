"""What is shipped: the sdist, the wheel made from it, a fresh environment, the README's first commands elsewhere."""

import os
import re
import zipfile
from pathlib import Path

import pytest

from tests.installed import run
from tests.manual import PAGE

pytestmark = [pytest.mark.packaging, pytest.mark.xdist_group("wheel")]  # built once, not by each worker


def test_the_wheel_holds_templates_sample_vault_and_type_marker(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    assert {
        "wrapgen/py.typed",
        "wrapgen/templates/ACTIVE-STATUS.md.j2",
        *(f"wrapgen/templates/page.{ending}" for ending in ("css", "html.j2", "js")),
        "wrapgen/sample_vault/wrapgen.toml",
    } <= names
    assert not [name for name in names if name.startswith("tests/")]


def test_man_finds_the_manual_page(wheel: Path) -> None:
    [page] = (name for name in zipfile.ZipFile(wheel).namelist() if name.endswith(".data/data/share/man/man1/wrap.1"))
    assert zipfile.ZipFile(wheel).read(page) == PAGE.read_bytes()


def test_the_readmes_first_commands_work_from_the_wheel(bin_folder: Path, tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    env = {"PATH": f"{bin_folder}{os.pathsep}{os.environ['PATH']}", "HOME": str(home), "PYTHONWARNINGS": "error"}
    run(bin_folder / "wrap", "demo", "demo", cwd=tmp_path, env=env)
    out = run(bin_folder / "wrap", cwd=tmp_path / "demo", env=env)
    last = out.splitlines()[-1]
    numbers = [
        int(number) for number in re.findall(r"(?:collected|shown|resolved|duplicate|overflow|expired) (\d+)", last)
    ]
    assert numbers[0] == sum(numbers[1:])
    assert numbers[0] > 0
    page = (tmp_path / "demo" / "ACTIVE-STATUS.md").read_text(encoding="utf-8")
    priorities = page.partition("## Priorities")[2].partition("\n## ")[0]
    lines = [line for line in priorities.splitlines() if line.startswith("- ")]
    assert 0 < len(lines) <= 15
    for line in lines:
        link = re.search(r"\[source\]\(([^)#]+)#L(\d+)\)", line)
        assert link, line
        source = (tmp_path / "demo" / link[1]).read_text(encoding="utf-8").splitlines()
        assert len(source) >= int(link[2])
    run(bin_folder / "wrap", "page", "--out", tmp_path / "page.html", cwd=tmp_path / "demo", env=env)
    assert last in (tmp_path / "page.html").read_text(encoding="utf-8")


def test_both_commands_are_one_program(bin_folder: Path, tmp_path: Path) -> None:
    assert run(bin_folder / "wrap", "--version", cwd=tmp_path) == run(bin_folder / "wrapgen", "--version", cwd=tmp_path)
