"""`wrap match`: would these two items be merged, and why not."""

from pathlib import Path

import click
import msgspec

from wrapgen.config import KEYS, Config
from wrapgen.dashboard.document import fields
from wrapgen.errors import WrapgenError
from wrapgen.jsonl import NOT_JSON
from wrapgen.notes import Document, Entry, Kind, Source
from wrapgen.pipeline.matching import Side, Verdict, compare
from wrapgen.pipeline.places import PLACE, different_lists, two_due_days
from wrapgen.terminal.verb import verb
from wrapgen.text.patterns import Pattern
from wrapgen.vault.markdown.marks.item import read_item
from wrapgen.workflows.app import App
from wrapgen.workflows.given_files import read_bytes


class _Half(msgspec.Struct):
    text: str
    path: str | None = None
    line: int | None = None


class _Pair(msgspec.Struct):
    id: int | str
    a: _Half
    b: _Half


@verb("match", 'wrap match "Run step 5" "Run step 3"', "wrap match --pairs pairs.jsonl --json", json=True)
@click.argument("texts", nargs=-1, metavar="[A B]")
@click.option("--pairs", type=click.Path(path_type=Path), metavar="FILE", help='JSON lines {"id", "a": {"text"}, "b"}.')
def command(app: App, *, texts: tuple[str, ...], pairs: Path | None) -> None:
    """Say whether two texts are one item, and why: when two were merged, or were not."""
    if (len(texts) == 2) == (pairs is not None):
        raise click.UsageError("Give two texts, or --pairs FILE.")
    rows = _read(pairs) if pairs else [_Pair(0, _Half(texts[0]), _Half(texts[1]))]
    config = app.config_or_defaults
    verdicts = [(pair, _verdict(pair, config)) for pair in rows]
    records = [{"id": pair.id, **fields(found, "score match refused")} for pair, found in verdicts]
    app.answer({"schema": "wrapgen.match/1", "pairs": [one | {"score": round(one["score"], 1)} for one in records]})
    for pair, verdict in verdicts:
        said = "match" if verdict.match else f"no match: {verdict.refused}"
        app.say(f"{f'{pair.id}: ' if pairs else ''}{verdict.score:.1f} % match, {said}")


def _verdict(pair: _Pair, config: Config) -> Verdict:
    """Compare a pair: by its words alone when they are too unlike, else by its places first."""
    found = compare(_side(pair.a), _side(pair.b), threshold=config.dedup_threshold)
    if found.score < config.dedup_threshold:
        return found
    place = _place(pair.a, pair.b, config)
    return Verdict(found.score, match=False, refused=place) if place else found


def _side(half: _Half) -> Side:
    entry = _entry(half)
    return Side(entry.text if entry else half.text, half.path, half.line)


def _entry(half: _Half) -> Entry | None:
    return read_item(half.text, line=half.line or 1, section=-1)


def _place(a: _Half, b: _Half, config: Config) -> str | None:
    """What the paths and due dates say; a file of which the vault says nothing is no list."""
    one, other = _entry(a), _entry(b)
    if one and other and (days := two_due_days(one.due, other.due)):
        return days
    lists = [_source(half.path, config) if half.path else None for half in (a, b)]
    if None not in lists:
        return different_lists(*(source.own_list for source in lists if source)) or _one_file(a, b, lists[0])
    return None


def _one_file(a: _Half, b: _Half, source: Source | None) -> str | None:
    """Two lines of one list were written as two; which session block of a journal a line is in, nobody says."""
    if a.path != b.path or a.line == b.line or source is None or source.kind is Kind.JOURNAL_NEXT:
        return None
    return f"{PLACE}one file: lines {a.line} / {b.line}"


def _source(path: str, config: Config) -> Source | None:
    for kind in Kind:
        for glob in getattr(config.sources, KEYS[kind]):
            if place := Pattern(glob).match(path):
                return Source(path, kind, Document(), place.day, place.project, place.task)
    return None


def _read(path: Path) -> list[_Pair]:
    pairs: list[_Pair] = []
    for number, line in enumerate(read_bytes(str(path)).split(b"\n"), 1):
        if not line.strip():
            continue
        try:
            pairs.append(msgspec.json.decode(line, type=_Pair))
        except NOT_JSON as error:
            raise WrapgenError(
                f"is not a pair ({error})",
                where=f"{path}:{number}",
                next_step='Write one JSON object a line: {"id": 1, "a": {"text": "..."}, "b": {"text": "..."}}.',
            ) from error
    return pairs
