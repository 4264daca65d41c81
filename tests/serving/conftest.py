"""Fixtures: servers that end with their test."""

from __future__ import annotations

import pytest

from tests.serving.kit import NOTES, Served
from tests.support import TODAY, spawn


@pytest.fixture
def serve(vault):
    children = []

    def start(*words, files=NOTES):
        built = vault(files)
        child = spawn("--vault", built.root, "--today", TODAY, "serve", *words)
        children.append(child)
        address = child.stdout.readline().decode().split(" ")[0]
        assert address.startswith("http://"), child.stderr.read().decode()
        return Served(child, built, address)

    yield start
    for child in children:
        child.kill()
        child.communicate()


@pytest.fixture
def served(serve):
    return serve()
