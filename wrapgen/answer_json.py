"""Answers of judges and readers as JSON: what cannot be read is refused, and the rest of it counts. PURE."""

from collections.abc import Callable
from typing import Any, TypeVar

import msgspec

from wrapgen.errors import AnswersError
from wrapgen.jsonl import NOT_JSON

T = TypeVar("T")


def decode_answer(data: bytes, what: str, schema: str, *, where: str, form: str) -> dict[str, Any]:
    """Parse somebody's answer, `what` in messages; its schema may be left out.

    Raises:
        AnswersError: it is not JSON, no object, or of another schema.
    """
    try:
        document = msgspec.json.decode(data)
    except NOT_JSON as error:
        raise AnswersError(f"the {what} not JSON ({error})", where=where, next_step=form) from error
    if not isinstance(document, dict) or document.get("schema", schema) != schema:
        raise AnswersError(f"not of schema {schema}", where=where, next_step=form)
    return document


def convert_each(listed: object, name: str, kind: type[T], refuse: Callable[[str, str], None]) -> list[T]:
    """Return the entries of a list as records; those that are none are refused by `name` and position."""
    if listed is not None and not isinstance(listed, list):
        refuse(name, "a list is needed")
    found: list[T] = []
    for number, one in enumerate(listed if isinstance(listed, list) else (), 1):
        try:
            found.append(msgspec.convert(one, kind))
        except (msgspec.ValidationError, RecursionError) as error:
            refuse(f"{name} {number}", str(error))
    return found
