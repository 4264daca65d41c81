"""What is shipped: the sdist, the wheel made from it, a fresh environment, the README's first commands elsewhere."""

import os
import re
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pytest

pytestmark = pytest.mark.packaging

CHECKOUT = Path(__file__).parents[2]


def _run(*command: str | Path, cwd: Path, env: dict[str, str] | None = None) -> str:
    done = subprocess.run(command, cwd=cwd, env=env, capture_output=True, text=True, check=False, encoding="utf-8")
    assert done.returncode == 0, f"{command}: {done.stdout}\n{done.stderr}"
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built from the sdist and not from the checkout."""
    out = tmp_path_factory.mktemp("dist")
    _run(sys.executable, "-m", "build", "--outdir", out, CHECKOUT, cwd=out)
    return next(out.glob("*.whl"))


@pytest.fixture(scope="module")
def bin_folder(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The programs of a fresh environment that holds the wheel and nothing else of ours."""
    folder = tmp_path_factory.mktemp("fresh")
    venv.create(folder, with_pip=True)
    programs = folder / ("Scripts" if os.name == "nt" else "bin")
    _run(programs / "python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check", wheel, cwd=folder)
    return programs


def test_the_wheel_holds_templates_sample_vault_and_type_marker(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    assert {
        "wrapgen/py.typed",
        "wrapgen/templates/ACTIVE-STATUS.md.j2",
        "wrapgen/sample_vault/wrapgen.toml",
    } <= names
    assert not [name for name in names if name.startswith("tests/")]


def test_the_readmes_first_commands_work_from_the_wheel(bin_folder: Path, tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    env = {"PATH": f"{bin_folder}{os.pathsep}{os.environ['PATH']}", "HOME": str(home), "PYTHONWARNINGS": "error"}
    _run(bin_folder / "wrap", "init", "demo", "--demo", cwd=tmp_path, env=env)
    out = _run(bin_folder / "wrap", cwd=tmp_path / "demo", env=env)
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


def test_both_commands_are_one_program(bin_folder: Path, tmp_path: Path) -> None:
    assert _run(bin_folder / "wrap", "--version", cwd=tmp_path) == _run(
        bin_folder / "wrapgen", "--version", cwd=tmp_path
    )
