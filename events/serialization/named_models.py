"""Which models an event or another value names, found by its type.

No event lists what it names: whatever holds a ``ModelSpec``, however deeply, is looked through. So
the next event that names a model is looked through, too.
"""

from collections.abc import Iterable, Iterator
from typing import Any, get_origin

from msgspec import inspect

from events.environments import vocabularies
from events.minds import MindSpec, ModelSpec
from events.serialization.once import once
from events.serialization.registry import readable_types


def named_models(value: Any) -> frozenset[ModelSpec]:
    """All models that a value of this package names, or several."""
    return frozenset(_named(value))


def names_models(tag: str) -> bool:
    """Whether events of a tag can name models."""
    return tag in _tags()


def holders(kinds: Iterable[Any]) -> frozenset[type]:
    """The structs that hold a ``ModelSpec``, however deeply, among some types and in them."""
    within: dict[type, set[type]] = {}
    """By struct: those directly in it."""

    def structs(info: Any) -> Iterator[type]:
        if isinstance(info, inspect.StructType):
            kind = get_origin(info.cls) or info.cls
            if kind not in within:
                within[kind] = set()
                within[kind].update(*(structs(field.type) for field in info.fields))
            yield kind
        elif isinstance(info, inspect.Type):
            # A union, a tuple, a mapping: whatever has types within it.
            for name in info.__struct_fields__:
                inner = getattr(info, name)
                for one in inner if isinstance(inner, tuple) else (inner,):
                    yield from structs(one)

    for info in inspect.multi_type_info(kinds):
        set(structs(info))
    held: set[type] = {ModelSpec}
    while more := {kind for kind, inside in within.items() if inside & held} - held:
        held |= more
    return frozenset(held)


@once
def _holders() -> frozenset[type]:
    return holders(readable_types(vocabularies()))


@once
def _tags() -> frozenset[str]:
    return frozenset(kind.__name__ for kind in _holders())


def _named(value: Any) -> Iterator[ModelSpec]:
    if isinstance(value, ModelSpec):
        yield value
    elif type(value) in _holders():
        if isinstance(value, MindSpec) and value.embedding_model is not None:
            yield value.embedding_model
        for name in value.__struct_fields__:
            yield from _named(getattr(value, name))
    elif isinstance(value, tuple | list | frozenset | set):
        for one in value:
            yield from _named(one)
    elif isinstance(value, dict):
        yield from _named(list(value.values()))
