"""Column types that take whatever an event may carry, on both databases.

An event that is in the log cannot be refused any more, so a projection must find a place for
every value: PostgreSQL stores no NUL in text and no key above about 2,700 bytes in an index, and
neither database stores an integer above 64 bits.
"""

from typing import Any

import msgspec
from sqlalchemy import BigInteger, Dialect, String, Text, TypeDecorator
from sqlalchemy.types import TypeEngine

KEY_LENGTH = 200
LARGEST = 2**62
"""Integers are kept between plus and minus this."""

_names = msgspec.json.Decoder(tuple[str, ...])
_numbers = msgspec.json.Decoder(tuple[int, ...])


def clean(text: str) -> str:
    """The text with NUL shown as the replacement character."""
    return text.replace("\0", "\ufffd") if "\0" in text else text


class CleanText(TypeDecorator[str]):
    """Any text."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:
        """The text as both databases can store it."""
        return None if value is None else clean(value)


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
        return None if value is None else clean(value)[:KEY_LENGTH]


class Whole(TypeDecorator[int]):
    """An integer; beyond ``LARGEST`` it is that."""

    impl = BigInteger
    cache_ok = True

    def process_bind_param(self, value: int | None, dialect: Dialect) -> int | None:
        """The integer as both databases can store it."""
        return None if value is None else max(-LARGEST, min(LARGEST, value))


class Names(TypeDecorator[tuple[str, ...]]):
    """Some words, in order, as a JSON list."""

    impl = Text
    cache_ok = True

    def process_bind_param(
        self,
        value: tuple[str, ...] | None,
        dialect: Dialect,
    ) -> str | None:
        """The JSON text."""
        return None if value is None else msgspec.json.encode(value).decode()

    def process_result_value(self, value: Any, dialect: Dialect) -> tuple[str, ...]:
        """The words again; nothing stored is no words."""
        return _names.decode(value) if value else ()


class Numbers(TypeDecorator[tuple[int, ...]]):
    """Some integers, in order, as a JSON list."""

    impl = Text
    cache_ok = True

    def process_bind_param(
        self,
        value: tuple[int, ...] | None,
        dialect: Dialect,
    ) -> str | None:
        """The JSON text."""
        return None if value is None else msgspec.json.encode(value).decode()

    def process_result_value(self, value: Any, dialect: Dialect) -> tuple[int, ...]:
        """The integers again; nothing stored is none."""
        return _numbers.decode(value) if value else ()
