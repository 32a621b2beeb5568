"""A catalog written as a folder of TOML and read back is the same, whatever is in it and whatever
its environment."""

import tomllib
from enum import Enum
from functools import cache
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from actors.episodes.catalogs.item_kinds import catalog_type, kinds_of
from actors.episodes.catalogs.reader import read_files
from actors.episodes.catalogs.writer import catalog_files, value_text
from actors.episodes.registry import environments
from actors.toml_lines import lines_of

WORDS = st.text(max_size=12) | st.text("\n\r\t\"'\\ #=[]{}\x00\x1b\x7f\u2028é😀", max_size=8)
NUMBERS = st.integers(-(2**63), 2**63 - 1)
EXAMPLES = settings(
    max_examples=15, deadline=None, suppress_health_check=[HealthCheck.too_slow], database=None
)


DEEPEST = 1
"""Of what is so deep within others only the fields that must be given are, so that types that hold
themselves come to an end."""


@cache
def values(kind: Any, depth: int = 0) -> st.SearchStrategy[Any]:
    """Anything that a type lets through; the deeper within others, the fewer of it."""
    if kind is str:
        return WORDS
    if kind is bool:
        return st.booleans()
    if kind is int:
        return NUMBERS
    if kind is float:
        return st.floats(-1e9, 1e9)
    if get_origin(kind) is Annotated:
        of, meta = get_args(kind)
        return within(of, meta, depth)
    if isinstance(kind, type) and issubclass(kind, Enum):
        return st.sampled_from(kind)
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
        fields = {
            one.name: values(one.type, depth)
            for one in msgspec.structs.fields(kind)
            if depth < DEEPEST or one.required
        }
        return st.builds(kind, **fields)
    if get_origin(kind) is Literal:
        return st.sampled_from(get_args(kind))
    if kind is NoneType:
        return st.none()
    if get_origin(kind) in (UnionType, Union):
        return st.one_of(*[values(one, depth) for one in get_args(kind)])
    if get_origin(kind) is dict:
        keys, held = get_args(kind)
        return st.dictionaries(values(keys, depth), values(held, depth), max_size=2)
    assert get_origin(kind) is tuple, kind
    if get_args(kind)[1:] == (...,):
        return many(get_args(kind)[0], 0, 3, depth)
    return st.tuples(*[values(one, depth) for one in get_args(kind)])


def many(kind: Any, least: int, most: int, depth: int) -> st.SearchStrategy[Any]:
    """Several of a type."""
    most = max(least, most if depth == 0 else 1)
    return st.lists(values(kind, depth + 1), min_size=least, max_size=most).map(tuple)


def within(kind: Any, meta: msgspec.Meta, depth: int) -> st.SearchStrategy[Any]:
    """Anything of a type within its limits."""
    if kind is str and meta.pattern:
        return st.from_regex(meta.pattern, fullmatch=True)
    if kind is str:
        return st.text(min_size=meta.min_length or 0, max_size=min(meta.max_length or 12, 12))
    if kind is int:
        return st.integers(meta.ge, meta.le)
    return many(get_args(kind)[0], meta.min_length or 0, meta.max_length or 3, depth)


def items(kind: Any) -> st.SearchStrategy[Any]:
    """Some of a kind, each with an id of its own."""
    named = st.lists(values(kind).filter(lambda one: one.id), max_size=3, unique_by=lambda o: o.id)
    return named.map(tuple)


@pytest.mark.parametrize("environment", environments(), ids=lambda one: one.name)
def test_a_catalog_that_is_written_is_read_as_it_was(environment: Any) -> None:
    shape = catalog_type(environment)
    parts = {kind.field: items(kind.item) for kind in kinds_of(shape).values()}

    @EXAMPLES
    @given(st.builds(shape, name=WORDS, **parts))
    def same(catalog: Any) -> None:
        draft = read_files(catalog_files(environment, catalog))
        assert (draft.errors, draft.catalog) == ([], catalog)

    same()


@pytest.mark.parametrize("environment", environments(), ids=lambda one: one.name)
def test_what_comes_with_an_environment_is_written_and_read_as_it_was(environment: Any) -> None:
    starter = environment.starter()
    assert read_files(catalog_files(environment, starter)).catalog == starter


PLAIN = st.recursive(
    WORDS | NUMBERS | st.booleans() | st.floats(allow_nan=False),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(WORDS, inner, max_size=3),
    max_leaves=8,
)


def places(value: Any, place: tuple[str | int, ...] = ()) -> set[tuple[str | int, ...]]:
    """Every place in a value."""
    found = {place}
    pairs = value.items() if isinstance(value, dict) else ()
    for key, one in enumerate(value) if isinstance(value, list) else pairs:
        found |= places(one, (*place, key))
    return found


@settings(parent=EXAMPLES, max_examples=50)
@given(st.dictionaries(WORDS, PLAIN, max_size=4))
def test_every_place_in_a_toml_file_has_the_line_on_which_it_begins(table: dict[str, Any]) -> None:
    text = "# first\n\n"
    begun = {}
    for key, value in table.items():
        begun[key] = text.count("\n") + 1
        text += f"{value_text(key, inline=True)} = {value_text(value)}  # = [[\n"
    assert tomllib.loads(text) == table
    lines = lines_of(text)
    assert set(lines) == places(table) - {()}
    assert {key: lines[key,] for key in table} == begun
    assert all(lines[place[:-1]] <= line for place, line in lines.items() if place[1:])
