"""Detects answers that only copy the placeholders of the requested format."""

import re
from collections.abc import Collection

from actors.models.answers.structured import simple

_BOUNDARY = re.compile(r"""[\n:;()"<>{}\[\].|%#]""")


def phrases_in(template: str) -> frozenset[str]:
    """What stands in a template's source between its marks, as ``structured.simple`` writes it."""
    return frozenset(filter(None, map(simple, _BOUNDARY.split(template))))


def is_copied(text: str, phrases: Collection[str] = frozenset()) -> bool:
    """Whether a text says nothing of its own: it has no letter, or is one of the ``phrases`` of its
    form and no more."""
    return not any(map(str.isalpha, text)) or (bool(phrases) and simple(text) in phrases)
