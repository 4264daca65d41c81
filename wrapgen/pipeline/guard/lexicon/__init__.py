"""Words of each language as the guard needs them, written as text blocks that anybody can add to."""


def words(block: str) -> frozenset[str]:
    """Read words divided by white space."""
    return frozenset(block.split())


def opposites(block: str) -> tuple[tuple[str, str], ...]:
    """Read pairs written `one/other`, divided by white space."""
    return tuple((one, other) for one, _, other in (pair.partition("/") for pair in block.split()))


def groups(block: str) -> tuple[tuple[str, ...], ...]:
    """Read groups of words, one a line."""
    return tuple(tuple(line.split()) for line in block.strip().splitlines())


def heads(block: str) -> dict[str, str]:
    """Read entries `word: other other`, divided by semicolons, into a table from every other word to the first."""
    entries = (entry.split(":") for entry in block.replace("\n", " ").split(";") if entry.strip())
    return {other: head.strip() for head, others in entries for other in others.split()}
