"""The vault as the pipeline sees it: every source parsed, every trouble named."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from wrapgen.model import Contents, Source, Trouble
from wrapgen.vault import files, history, walk
from wrapgen.vault.markdown.parse import parse

if TYPE_CHECKING:
    from pathlib import Path

    from wrapgen.config import Config


def read_vault(root: Path, config: Config) -> Contents:
    """Read and parse every source of a vault.

    Args:
        root: the vault.
        config: its configuration.

    Returns:
        the contents; a file that cannot be read is among the troubles, and everything else is still read.
    """
    listing = walk.list_sources(root, config)
    sources: list[Source] = []
    troubles = list(listing.troubles)
    for found in listing.found:
        try:
            text = files.read(found.file, config.max_file_bytes)
        except OSError as error:
            troubles.append(Trouble(found.path, error.strerror or str(error)))
            continue
        document = parse(text.text)
        troubles += [Trouble(found.path, why) for why in (text.trouble, document.trouble) if why]
        place = found.place
        sources.append(
            Source(found.path, found.kind, document, place.day, place.project, place.task, changed=text.changed)
        )
    if config.dates == "git":
        sources = [replace(source, line_days=history.line_days(root, source.path)) for source in sources]
    return Contents(tuple(sources), listing.projects, tuple(sorted(troubles, key=lambda t: (t.path, t.error))))
