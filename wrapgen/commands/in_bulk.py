"""A rebuild that reads what changed, takes summaries of all else from the cache, and settles most items in bulk."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from hashlib import blake2b
from typing import TYPE_CHECKING

import msgspec

from wrapgen.commands.memory import Memory
from wrapgen.commands.rebuild import counted
from wrapgen.commands.summarising import packed_summary
from wrapgen.model import Trouble
from wrapgen.pipeline import alike, bulk
from wrapgen.pipeline.projects import Projects
from wrapgen.pipeline.summary import Summary, pick, tagged
from wrapgen.vault.cache import CacheFile, program_key
from wrapgen.vault.index import in_order
from wrapgen.vault.stamps import Stamp

if TYPE_CHECKING:
    from collections.abc import Mapping
    from collections.abc import Set as AbstractSet

    from wrapgen.commands.app import App
    from wrapgen.ledger import Run
    from wrapgen.pipeline.summary import Entries
    from wrapgen.vault.index import Glance
    from wrapgen.vault.walk import Found

_FILE = "summaries"


class Kept(msgspec.Struct, array_like=True, gc=False):
    """A file that was summarised.

    Attributes:
        stamp: by what its content is known.
        troubles: what was wrong with it.
        summary: what it holds.
    """

    stamp: Stamp
    troubles: tuple[str, ...]
    summary: Summary


class InBulk:
    """One rebuild.

    Args:
        app: the vault.
        glance: its files, listed.
        zone: what local time hangs on: ticks are dated by it.

    Attributes:
        whole: whether every file was read that could be, after `run`.
    """

    def __init__(self, app: App, glance: Glance, zone: object) -> None:
        self._app = app
        self._glance = glance
        self._projects = Projects.known(glance.listing.projects, app.config.projects)
        self._found = {one.path: one for one in glance.listing.found}
        depends = msgspec.msgpack.encode((program_key(), app.config, glance.listing.projects, zone))
        key = blake2b(depends, digest_size=20).hexdigest()
        self._file = CacheFile(app.root, _FILE, dict[str, Kept], key, app.note)
        self.whole = True

    def run(self) -> Run:
        """Run the pipeline, as far as the page needs it.

        Raises:
            LedgerError: the ledger does not balance; nothing may be published.
            WrapgenError: a state file is there but cannot be read.
        """
        config, today = self._app.config, self._app.day
        known = self._file.load() or {}
        kept, errors = self._summarised(known)
        summaries = {path: one.summary for path, one in kept.items()}
        self._compare(known, summaries)
        memory = Memory.read(self._app.root)
        decisions = memory.decisions()
        plan = bulk.plan(summaries, config, today, decisions)
        entries = self._entries(plan.needed, summaries)
        run = bulk.run_in_bulk(
            plan,
            summaries,
            entries,
            config=config,
            projects=self._projects,
            today=today,
            decisions=decisions,
            troubles=self._troubles(kept, errors, memory),
        )
        if self._glance.manner.remember:
            for path, held in entries.items():
                summaries[path].held = held
            self._file.save({path: one for path, one in kept.items() if self._glance.is_settled(self._found[path])})
        return replace(run, follow_ups=counted(self._app, memory))

    def _summarised(self, known: Mapping[str, Kept]) -> tuple[dict[str, Kept], list[Trouble]]:
        """Every file that can be read, in their order; and why others cannot be."""
        listed = self._glance.listing.found
        changed = [one for one in listed if one.path not in known or known[one.path].stamp != one.stamp]
        then = partial(packed_summary, self._app.config, self._projects)
        decode = msgspec.msgpack.Decoder(Summary).decode
        fresh: dict[str, Kept] = {}
        errors: list[Trouble] = []
        for parsed in self._glance.parse(changed, then):
            one = parsed.found
            if parsed.packed is not None:
                fresh[one.path] = Kept(one.stamp, parsed.troubles, decode(parsed.made))
                continue
            errors += [Trouble(one.path, why) for why in parsed.troubles]
            self.whole = self.whole and one.stamp.size > self._app.config.max_file_bytes
        unread = {error.path for error in errors}
        return {one.path: fresh.get(one.path) or known[one.path] for one in listed if one.path not in unread}, errors

    def _compare(self, known: Mapping[str, Kept], summaries: Mapping[str, Summary]) -> None:
        """Find out what the entries that are new are like."""
        cutoff = self._app.config.evidence_threshold  # the least of all
        changed = [
            path for path, summary in summaries.items() if path not in known or known[path].summary is not summary
        ]
        if len(changed) * _MANY > len(summaries):
            found = alike.find_all(summaries, cutoff)
        else:
            new = {
                path: _new_places(known[path].summary if path in known else None, summaries[path]) for path in changed
            }
            found = alike.find_new(summaries, new, cutoff)
        for path, places in found.items():
            summaries[path].alike = sorted(places.union(summaries[path].alike))

    def _entries(self, needed: Mapping[str, AbstractSet[int]], summaries: Mapping[str, Summary]) -> dict[str, Entries]:
        """The entries that the stages are asked about, in full."""
        entries: dict[str, Entries] = {}
        lacking: list[Found] = []
        for path, places in needed.items():
            held = summaries[path].held
            if places <= set(held.places):
                entries[path] = held.only(places)
            else:
                lacking.append(self._found[path])
        for parsed in self._glance.parse(lacking):
            source = parsed.source()
            if source is not None:
                path = source.path
                entries[path] = pick(tagged(source, self._app.config, self._projects), needed[path])
        return entries

    def _troubles(self, kept: Mapping[str, Kept], errors: list[Trouble], memory: Memory) -> tuple[Trouble, ...]:
        found = [*self._glance.listing.troubles, *errors]
        found += [Trouble(path, why) for path, one in kept.items() for why in one.troubles]
        return (*in_order(found), *memory.troubles)


# When one file in so many is new, comparing all entries with each other is faster than each new one with all.
_MANY = 20


def _new_places(former: Summary | None, summary: Summary) -> list[int]:
    """The entries that a file did not have before; what an old one is like is known, and taken over."""
    if former is None:
        return list(range(len(summary.texts)))
    known: dict[tuple[str, str | None, bool], bool] = {}
    liked = set(former.alike)
    for place, entry in enumerate(_entries(former)):
        known[entry] = known.get(entry, False) or place in liked
    new: list[int] = []
    for place, entry in enumerate(_entries(summary)):
        if entry not in known:
            new.append(place)
        elif known[entry]:
            summary.alike.append(place)
    return new


def _entries(summary: Summary) -> list[tuple[str, str | None, bool]]:
    opened = [place < summary.items for place in range(len(summary.texts))]
    return list(zip(summary.texts, summary.projects, opened, strict=True))
