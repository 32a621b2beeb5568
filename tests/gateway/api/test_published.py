"""Clients that were written against an earlier document still understand this one."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from gateway.api.openapi import document

PUBLISHED = Path(__file__).with_name("published_openapi.json")
"""Paths and components without their descriptions, as they were published."""
PROSE = ("description", "summary")
ALTERNATIVES = ("anyOf", "oneOf")
"""Their order means nothing, and environments add to them."""


def changed(published: Any, now: Any, at: str = "") -> Iterator[str]:
    """Where something is missing, or is something else."""
    if isinstance(published, dict) and isinstance(now, dict):
        for key, value in published.items():
            if key in PROSE:
                continue
            if key not in now:
                yield f"{at}/{key} is missing"
            elif key in ALTERNATIVES:
                yield from lost(value, now[key], f"{at}/{key}")
            else:
                yield from changed(value, now[key], f"{at}/{key}")
    elif isinstance(published, list) and isinstance(now, list) and len(published) <= len(now):
        for number, (one, other) in enumerate(zip(published, now, strict=False)):
            yield from changed(one, other, f"{at}/{number}")
    elif published != now:
        yield f"{at} is {now!r}, not {published!r}"


def lost(published: list[Any], now: list[Any], at: str) -> Iterator[str]:
    """Alternatives that none of those now there is the same as, at whatever place."""
    for one in published:
        if not any(not list(changed(one, other)) for other in now):
            yield f"{at} has no {one!r}"


def test_all_that_was_published_is_there_and_the_same():
    now = json.loads(document())
    shown = {"paths": now["paths"], "schemas": now["components"]["schemas"]}
    assert list(changed(json.loads(PUBLISHED.read_text()), shown)) == []


def test_a_change_is_found():
    now = {"a": {"type": "string"}, "b": [1, 2, 3]}
    assert list(changed({"a": {"type": "integer"}, "b": [1, 2], "c": 1}, now)) == [
        "/a/type is 'string', not 'integer'",
        "/c is missing",
    ]


def test_an_alternative_may_change_its_place_and_not_be_lost():
    now = {"anyOf": [{"$ref": "#/New"}, {"type": "null"}, {"$ref": "#/A"}]}
    assert list(changed({"anyOf": [{"$ref": "#/A"}, {"type": "null"}]}, now)) == []
    assert list(changed({"anyOf": [{"$ref": "#/A"}, {"$ref": "#/B"}]}, now)) == [
        "/anyOf has no {'$ref': '#/B'}"
    ]
    assert list(changed({"anyOf": [{"type": "string"}]}, now)) == [
        "/anyOf has no {'type': 'string'}"
    ]
