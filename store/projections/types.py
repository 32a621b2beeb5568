"""Column types that store whatever an event may carry, on both databases.

An event that is in the log cannot be refused any more, so a projection must be able to store
every value: PostgreSQL stores no NUL in text and no key above about 2,700 bytes in an index, and
neither database stores an integer above 64 bits.
"""

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import msgspec
from sqlalchemy import BigInteger, Dialect, String, Text, TypeDecorator
from sqlalchemy.types import TypeEngine

KEY_LENGTH = 200
"""Characters."""
LARGEST = 2**62
"""Integers are kept between plus and minus this."""

Stored = TypeVar("Stored", bound=tuple[Any, ...] | dict[str, Any])


def clean(text: str) -> str:
    """The text with U+FFFD in the place of each NUL."""
    return text.replace("\0", "\ufffd") if "\0" in text else text


def as_text(value: str | None) -> str | None:
    """Any text as both databases can store it."""
    return None if value is None else clean(value)


def as_key(value: str | None) -> str | None:
    """A key as both databases can index it."""
    return None if value is None else clean(value)[:KEY_LENGTH]


def as_whole(value: int | None) -> int | None:
    """An integer as both databases can store it."""
    if value is None or -LARGEST <= value <= LARGEST:
        return value
    return LARGEST if value > 0 else -LARGEST


def as_list(value: tuple[Any, ...] | dict[str, Any] | None) -> str | None:
    """Words or numbers, in order, as a JSON list; values by name as an object."""
    return None if value is None else msgspec.json.encode(value).decode()


class CleanText(TypeDecorator[str]):
    impl = Text
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:
        """The text as both databases can store it."""
        return as_text(value)


class Key(TypeDecorator[str]):
    """An identifier or a name that is looked up; beyond ``KEY_LENGTH`` characters it is cut.

    Compared byte by byte on both databases, so that a prefix is a range of the index.
    """

    impl = String(KEY_LENGTH)
    cache_ok = True

    def load_dialect_impl(self, dialect: Dialect) -> TypeEngine[str]:
        """The type as the database knows it."""
        collation = "C" if dialect.name == "postgresql" else None
        return dialect.type_descriptor(String(KEY_LENGTH, collation=collation))

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:
        """The key as both databases can index it."""
        return as_key(value)


class Whole(TypeDecorator[int]):
    """An integer; beyond ``LARGEST`` it is that."""

    impl = BigInteger
    cache_ok = True

    def process_bind_param(self, value: int | None, dialect: Dialect) -> int | None:
        """The integer as both databases can store it."""
        return as_whole(value)


class _JsonText(TypeDecorator[Stored]):
    """Values that are stored as JSON."""

    impl = Text
    cache_ok = True
    decode: Callable[[str], Stored]
    empty: str
    """What is read where nothing is stored."""

    def process_bind_param(self, value: Stored | None, dialect: Dialect) -> str | None:
        """The JSON text."""
        return as_list(value)

    def process_result_value(self, value: str | None, dialect: Dialect) -> Stored:
        return self.decode(value or self.empty)


class Names(_JsonText[tuple[str, ...]]):
    """A tuple of strings, stored as a JSON list."""

    cache_ok = True
    decode = msgspec.json.Decoder(tuple[str, ...]).decode
    empty = "[]"


class Numbers(_JsonText[tuple[int, ...]]):
    """A tuple of integers, stored as a JSON list."""

    cache_ok = True
    decode = msgspec.json.Decoder(tuple[int, ...]).decode
    empty = "[]"


class Summary(_JsonText[dict[str, Any]]):
    """A few values by name, as a JSON object."""

    cache_ok = True
    decode = msgspec.json.Decoder(dict[str, Any]).decode
    empty = "{}"


Values = Sequence[Any]
"""One column of many rows."""
Convert = Callable[[Values], Values]
"""From the values that projections give to those that are stored."""


def _texts(values: Values) -> Values:
    if any("\0" in value for value in values if value is not None):
        return [*map(as_text, values)]
    return values


def _keys(values: Values) -> Values:
    there = [value for value in values if value is not None]
    if there and (len(max(there, key=len)) > KEY_LENGTH or any("\0" in key for key in there)):
        return [*map(as_key, values)]
    return values


def _wholes(values: Values) -> Values:
    there = [value for value in values if value is not None]
    if there and not -LARGEST <= min(there) <= max(there) <= LARGEST:
        return [*map(as_whole, values)]
    return values


def _lists(values: Values) -> Values:
    return [*map(as_list, values)]


_CONVERTERS: dict[type[TypeEngine[Any]], Convert] = {
    CleanText: _texts,
    Key: _keys,
    Whole: _wholes,
    Names: _lists,
    Numbers: _lists,
    Summary: _lists,
}


def converter(type_: TypeEngine[Any]) -> Convert:
    """Converts a whole column of values as the type's ``process_bind_param`` converts each.

    In a quarter of the time: it looks first whether any value needs converting, and hardly ever
    does one.
    """
    return _CONVERTERS.get(type(type_), tuple)
