"""Checks plain data against a type and lists everything that is wrong with it, one phrase for each
fault.

``msgspec.convert`` reports only the first fault, and accepts unknown fields.
"""

import datetime
from collections.abc import Iterable, Iterator, Mapping
from enum import Enum
from functools import cache
from types import NoneType, UnionType
from typing import (
    Annotated,
    Any,
    Final,
    Literal,
    NamedTuple,
    TypeGuard,
    Union,
    get_args,
    get_origin,
)

import msgspec

from actors.toml_lines import Place
from events.serialization.struct_types import decodable

_LIKE_ENOUGH: Final = 60
"""Of 100; less alike is not worth suggesting."""
_WORDS: Final[dict[object, tuple[str, str]]] = {
    str: ("text", "texts"),
    int: ("a whole number", "whole numbers"),
    float: ("a number", "numbers"),
    bool: ("true or false", "true or false"),
    bytes: ("text in base64", "texts in base64"),
    datetime.datetime: ("a date and time", "dates and times"),
    datetime.date: ("a date", "dates"),
    datetime.time: ("a time of day", "times of day"),
    NoneType: ("nothing", "nothing"),
    Any: ("anything", "anything"),
}
"""A type, and several of it."""
_NUMBERS: Final = range(-(2**63), 2**63)
"""Whole numbers that can be stored."""


class Fault(NamedTuple):
    """Something wrong."""

    place: Place
    why: str


class UnknownField(Fault):
    """A field that there is not: the last step of its place."""


def suggestion(given: str, known: Iterable[str]) -> str:
    """``; did you mean 'x'?`` for the nearest of some names, or nothing where none is near."""
    from rapidfuzz import fuzz, process  # takes its time to load

    # Of several that are near the one that is most alike as a whole: teams and not not_teams.
    near = max(
        process.extract(given, list(known), score_cutoff=_LIKE_ENOUGH),
        key=lambda one: fuzz.ratio(given, one[0]),
        default=None,
    )
    return f"; did you mean {near[0]!r}?" if near else ""


def faults(value: object, kind: object, place: Place = ()) -> Iterator[Fault]:
    """Everything that keeps a value of a TOML or JSON file from being a ``kind``."""
    inner = _part_for(value, _plain(kind))
    if _is_struct(inner) and isinstance(value, dict):
        yield from _struct_faults(value, inner, place)
    elif (elements := _elements(value, inner)) is not None:
        most = _most(kind)
        if most is not None and len(elements) > most:
            yield Fault(place, f"has {len(elements):,} entries; at most {most:,} are taken")
            return
        for number, (element, of) in enumerate(elements):
            yield from faults(element, of, (*place, number))
    elif get_origin(inner) is dict and isinstance(value, dict):
        for key, element in value.items():
            yield from faults(element, get_args(inner)[1], (*place, key))
    elif not _fits(value, kind):
        yield Fault(place, _why(value, kind, inner))


def in_words(kind: object, *, several: bool = False) -> str:
    """A type as a person would say it: ``text``, ``2 whole numbers``, ``high or low``."""
    inner = _plain(kind)
    if inner in _WORDS:
        return _range(kind) or _WORDS[inner][several]
    if values := _values(inner):
        return ("any of " if several else "") + _either([str(value) for value in values])
    origin, parts = get_origin(inner), get_args(inner)
    if origin in (list, tuple, set, frozenset):
        if origin is tuple and parts[-1] is not ...:
            count = len(parts)
            words = in_words(parts[0], several=True) if len(set(parts)) == 1 else "values"
            return f"lists of {count} {words}" if several else f"a list of {count} {words}"
        return f"{'lists' if several else 'a list'} of {in_words(parts[0], several=True)}"
    if origin in (Union, UnionType):
        return _either([in_words(part, several=several) for part in parts if part is not NoneType])
    names = f" of {_either(list(fields_of(inner)), 'and')}" if _is_struct(inner) else ""
    return f"{'tables' if several else 'a table'}{names}"


@cache
def fields_of(kind: type[msgspec.Struct]) -> Mapping[str, msgspec.structs.FieldInfo]:
    """A struct's fields by the names that files call them."""
    return {field.encode_name: field for field in msgspec.structs.fields(kind)}


def _struct_faults(
    value: Mapping[str, object], kind: type[msgspec.Struct], place: Place
) -> Iterator[Fault]:
    fields, config = fields_of(kind), kind.__struct_config__
    for key in value:
        if key not in fields and key != config.tag_field:
            known = f", but {', '.join(fields)}" if len(fields) <= 6 else ""
            hint = suggestion(key, fields) or known
            yield UnknownField((*place, key), f"there is no field {key!r} here{hint}")
    for name, field in fields.items():
        if name in value:
            yield from faults(value[name], field.type, (*place, name))
        elif field.required:
            yield Fault(place, f"the field {name!r} is missing; it is {in_words(field.type)}")


def _elements(value: object, kind: object) -> list[tuple[object, object]] | None:
    """The elements of a list with the type of each; None where it is to be judged as a whole."""
    origin, parts = get_origin(kind), get_args(kind)
    if not isinstance(value, list) or origin not in (list, tuple):
        return None
    if origin is list or parts[-1] is ...:
        return [(element, parts[0]) for element in value]
    return list(zip(value, parts, strict=True)) if len(value) == len(parts) else None


def _part_for(value: object, kind: object) -> object:
    """Of several types the only one that a table, or a list, can be."""
    if get_origin(kind) not in (Union, UnionType):
        return kind
    fitting = [
        part
        for part in map(_plain, get_args(kind))
        if (isinstance(value, dict) and (_is_struct(part) or get_origin(part) is dict))
        or (isinstance(value, list) and get_origin(part) in (list, tuple))
    ]
    return fitting[0] if len(fitting) == 1 else kind


def _fits(value: object, kind: object) -> bool:
    if isinstance(value, int) and value not in _NUMBERS:
        return False
    try:
        msgspec.convert(value, decodable(kind))
    except (msgspec.ValidationError, RecursionError):
        return False
    return True


def _why(value: object, kind: object, inner: object) -> str:
    if (values := _values(inner)) and isinstance(value, str):
        near = suggestion(value, [one for one in values if isinstance(one, str)])
        return f"must be {in_words(kind)}, not {value[:30]!r}{near}"
    if isinstance(value, int) and value not in _NUMBERS and not _range(kind):
        return "the number is too large to be kept"
    return f"must be {in_words(kind)}, not {_shown(value)}"


def _shown(value: object) -> str:
    """A value that was given, in a few words."""
    match value:
        case str():
            short = value if len(value) <= 30 else f"{value[:29]}…"
            return f"the text {short!r}"
        case bool():
            return str(value).lower()
        case int() | float():
            return f"{value}"
        case list():
            return f"a list of {len(value)}"
        case dict():
            return "a table"
    return f"{value}"


def _plain(kind: object) -> object:
    """A type without what annotates it, and without None beside it."""
    if get_origin(kind) is Annotated:
        return _plain(get_args(kind)[0])
    return kind if _only(kind) is kind else _plain(_only(kind))


def _only(kind: object) -> object:
    """A type without None beside it."""
    if get_origin(kind) in (Union, UnionType):
        others = [part for part in get_args(kind) if part not in (NoneType, msgspec.UnsetType)]
        if len(others) == 1:
            return others[0]
    return kind


def _most(kind: object) -> int | None:
    """How many entries an annotation lets through; None: it says nothing."""
    notes = getattr(_only(kind), "__metadata__", ())
    return next((one.max_length for one in notes if isinstance(one, msgspec.Meta)), None)


def _is_struct(kind: object) -> TypeGuard[type[msgspec.Struct]]:
    return isinstance(kind, type) and issubclass(kind, msgspec.Struct)


def _values(kind: object) -> tuple[object, ...]:
    """The values that a type lists."""
    if get_origin(kind) is Literal:
        return get_args(kind)
    if isinstance(kind, type) and issubclass(kind, Enum):
        return tuple(one.value for one in kind)
    return ()


def _either(words: list[str], last_by: str = "or") -> str:
    *most, last = words
    return f"{', '.join(most)} {last_by} {last}" if most else last


def _range(kind: object) -> str:
    """The numbers or texts that an annotation lets through, as its ``words`` say or by its limits;
    empty: it says nothing."""
    if _only(kind) is not kind:
        return _range(_only(kind))
    if get_origin(kind) is not Annotated:
        return ""
    inner, *notes = get_args(kind)
    for note in notes:
        if isinstance(note, msgspec.Meta) and note.extra and "words" in note.extra:
            return str(note.extra["words"])
    limits = [limit for note in notes if isinstance(note, msgspec.Meta) for limit in _limits(note)]
    return " ".join([_WORDS[_plain(inner)][0], " and ".join(limits)]).strip()


def _limits(note: msgspec.Meta) -> Iterator[str]:
    if note.ge is not None and note.le is not None:
        yield f"from {note.ge:,} to {note.le:,}"
        return
    for word, limit, unit in (
        ("at least", note.ge, ""),
        ("more than", note.gt, ""),
        ("at most", note.le, ""),
        ("less than", note.lt, ""),
        ("at least", note.min_length, " characters"),
        ("at most", note.max_length, " characters"),
    ):
        if limit is not None:
            yield f"{word} {limit:,}{unit}"
