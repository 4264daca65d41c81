"""What is shipped, built once in a session of tests: the sdist, the wheel made from it, and a fresh environment."""

from __future__ import annotations

import os
import subprocess
import sys
import venv
from typing import TYPE_CHECKING

import pytest

from tests.support import CHECKOUT

if TYPE_CHECKING:
    from pathlib import Path


def run(*command: str | Path, cwd: Path, env: dict[str, str] | None = None) -> str:
    """Run a command that must succeed; what it prints."""
    done = subprocess.run(command, cwd=cwd, env=env, capture_output=True, text=True, check=False, encoding="utf-8")
    assert done.returncode == 0, f"{command}: {done.stdout}\n{done.stderr}"
    return done.stdout


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built from the sdist and not from the checkout."""
    out = tmp_path_factory.mktemp("dist")
    run(sys.executable, "-m", "build", "--outdir", out, CHECKOUT, cwd=out)
    return next(out.glob("*.whl"))


@pytest.fixture(scope="session")
def bin_folder(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The programs of a fresh environment that holds the wheel and nothing else of ours."""
    folder = tmp_path_factory.mktemp("fresh")
    venv.create(folder)  # without a pip of its own, which takes as long as all the rest
    programs = folder / ("Scripts" if os.name == "nt" else "bin")
    pip = [sys.executable, "-m", "pip", "--python", programs / "python", "--quiet", "--disable-pip-version-check"]
    run(*pip, "install", "--no-compile", wheel, cwd=folder)  # what is never run need not be compiled
    return programs
