"""Summaries of files, made by whichever process parses them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from wrapgen.pipeline.summary import summarise
from wrapgen.vault.index import source_of

if TYPE_CHECKING:
    from wrapgen.config import Config
    from wrapgen.model import Document
    from wrapgen.pipeline.projects import Projects
    from wrapgen.vault.walk import Found


def packed_summary(config: Config, projects: Projects, found: Found, document: Document) -> bytes:
    """Summarise a parsed file.

    Args:
        config: the vault's configuration.
        projects: the known projects.
        found: the file.
        document: what it holds.

    Returns:
        the summary, packed.
    """
    return msgspec.msgpack.encode(summarise(source_of(found, document), config, projects))
