"""`wrap match`: would these two items be merged, and why not."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import msgspec

from wrapgen.commands.documents import read_bytes
from wrapgen.commands.help import examples
from wrapgen.config import Config
from wrapgen.errors import NoVaultError, WrapgenError
from wrapgen.pipeline.matching import Side, Verdict, compare
from wrapgen.vault.markdown.marks import read_item

if TYPE_CHECKING:
    from wrapgen.commands.app import App

MATCH_SCHEMA = "wrapgen.match/1"


class _Half(msgspec.Struct):
    text: str
    path: str | None = None
    line: int | None = None


class _Pair(msgspec.Struct):
    id: int | str
    a: _Half
    b: _Half


@click.command(
    "match",
    epilog=examples(
        'wrap match "Run step 5" "Run step 3"',
        "wrap match --pairs pairs.jsonl --json",
    ),
)
@click.argument("texts", nargs=-1, metavar="[A B]")
@click.option("--pairs", type=click.Path(path_type=Path), metavar="FILE", help='JSON lines {"id", "a": {"text"}, "b"}.')
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
@click.pass_obj
def command(app: App, *, texts: tuple[str, ...], pairs: Path | None, as_json: bool) -> None:
    """Say whether two items would be merged, and which rule refuses."""
    if (len(texts) == 2) == (pairs is not None):
        raise click.UsageError("Give two texts, or --pairs FILE.")
    rows = _read(pairs) if pairs else [_Pair(0, _Half(texts[0]), _Half(texts[1]))]
    threshold = _threshold(app)
    verdicts = [(pair, compare(_side(pair.a), _side(pair.b), threshold=threshold)) for pair in rows]
    if as_json:
        app.print_json({"schema": MATCH_SCHEMA, "pairs": [_record(pair, verdict) for pair, verdict in verdicts]})
        return
    for pair, verdict in verdicts:
        said = "match" if verdict.match else f"no match: {verdict.refused}"
        app.say(f"{f'{pair.id}: ' if pairs else ''}{verdict.score:.1f} % alike, {said}")


def _record(pair: _Pair, verdict: Verdict) -> dict[str, Any]:
    return {"id": pair.id, "score": round(verdict.score, 1), "match": verdict.match, "refused": verdict.refused}


def _side(half: _Half) -> Side:
    """The item's words alone, as the parser would hand them on."""
    entry = read_item(half.text, line=half.line or 1, section=-1)
    return Side(entry.text if entry else half.text, half.path, half.line)


def _threshold(app: App) -> float:
    try:
        return app.config.dedup_threshold
    except NoVaultError:
        return Config().dedup_threshold


def _read(path: Path) -> list[_Pair]:
    pairs: list[_Pair] = []
    for number, line in enumerate(read_bytes(str(path)).split(b"\n"), 1):
        if not line.strip():
            continue
        try:
            pairs.append(msgspec.json.decode(line, type=_Pair))
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            raise WrapgenError(
                f"is not a pair ({error})",
                where=f"{path}:{number}",
                next_step='Write one JSON object a line: {"id": 1, "a": {"text": "..."}, "b": {"text": "..."}}.',
            ) from error
    return pairs
