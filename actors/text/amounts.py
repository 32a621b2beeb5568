"""Formats counts of things for people, such as ``1 town`` or ``2,000 towns``."""

from collections.abc import Mapping


def many(count: int, what: str) -> str:
    """``1 town``, ``2,000 towns``. ``what`` is in the singular, and its plural adds an *s*."""
    return f"{count:,} {what}{'s' * (count != 1)}"


def sizes(counts: Mapping[str, int]) -> str:
    """How many there are of each kind, given in the plural as a catalog's fields are: ``2
    characters, 1 task``. Of what there is nothing, nothing is said, unless there is nothing at
    all."""
    return ", ".join(
        many(count, kinds.removesuffix("s").replace("_", " "))
        for kinds, count in counts.items()
        if count or not any(counts.values())
    )
