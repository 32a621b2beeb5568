"""What was stored of world trees stays readable: ``stored.jsonl`` holds a line of every kind, as it
was when it was first stored. A field that is added gets a default; no line is ever changed."""

from pathlib import Path
from typing import Any

import msgspec
import pytest

from actors.worldtree.environment import WORLDTREE

STORED = Path(__file__).with_name("stored.jsonl").read_text(encoding="utf-8").splitlines()
WORDS = WORLDTREE.vocabulary
KINDS: dict[str, type[msgspec.Struct]] = {
    str(kind.__struct_config__.tag): kind
    for kinds in (WORDS.setups, WORDS.settings, WORDS.questions, WORDS.actions, WORDS.changes)
    for kind in (*kinds, *WORDS.catalogs)
}


def holds(now: Any, then: Any) -> bool:
    """Whether all that was said then is said now."""
    if isinstance(then, dict):
        return all(name in now and holds(now[name], value) for name, value in then.items())
    if isinstance(then, list):
        return len(now) == len(then) and all(map(holds, now, then))
    return bool(now == then)


@pytest.mark.parametrize("line", STORED)
def test_what_was_stored_is_read_as_it_was(line: str) -> None:
    then = msgspec.json.decode(line)
    value = msgspec.convert(then, KINDS[then["type"]])
    assert holds(msgspec.to_builtins(value), then)


def test_every_kind_that_is_stored_has_a_line() -> None:
    assert {msgspec.json.decode(line)["type"] for line in STORED} == KINDS.keys()
