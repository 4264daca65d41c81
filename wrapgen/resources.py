"""Files that travel with the program: templates and the sample vault.

They stand at the top of the checkout, so that people find them, and inside the package once it is installed
(`force-include` in pyproject.toml). `importlib.resources` knows only the second place.
"""

from __future__ import annotations

from pathlib import Path

from wrapgen.errors import WrapgenError


def resource(name: str) -> Path:
    """The folder of a resource.

    Args:
        name: `templates` or `sample_vault`.

    Raises:
        WrapgenError: the installation lacks it.
    """
    package = Path(__file__).resolve().parent
    for folder in (package / name, package.parent / name):
        if folder.is_dir():
            return folder
    raise WrapgenError(
        f"the installation lacks its folder `{name}`", where=str(package), next_step="Install wrapgen again."
    )
