"""Imports the whole program: what is forked from a process that imported this begins at once."""

import pkgutil
from importlib import import_module

import wrapgen

for _module in pkgutil.walk_packages(wrapgen.__path__, "wrapgen."):
    if not _module.name.endswith("__main__") and not _module.name.startswith("wrapgen.mcp"):
        import_module(_module.name)
