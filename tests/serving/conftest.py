"""Fixtures: servers that end with their test."""

from __future__ import annotations

from contextlib import contextmanager

import pytest

from tests.serving.kit import NOTES, Served
from tests.support import TODAY, Vault, spawn


@contextmanager
def serving(built):
    children = []

    def start(*words, files=NOTES):
        vault = built(files)
        child = spawn("--vault", vault.root, "--today", TODAY, "serve", *words)
        children.append(child)
        address = child.stdout.readline().decode().split(" ")[0]
        assert address.startswith("http://"), child.stderr.read().decode()
        return Served(child, vault, address)

    try:
        yield start
    finally:
        for child in children:
            child.kill()
            child.communicate()


@pytest.fixture
def serve(vault):
    with serving(vault) as start:
        yield start


@pytest.fixture(scope="module")
def looked_at(tmp_path_factory, newcomer):
    """One server for all tests of a module that change nothing there; they run in the xdist group `looked at`."""

    def built(files):
        vault = Vault(tmp_path_factory.mktemp("looked_at") / "vault")
        for path, text in files.items():
            vault.write(path, text)
        return vault

    newcomer.comes()
    with serving(built) as start:
        yield start()


@pytest.fixture
def served(serve):
    return serve()
