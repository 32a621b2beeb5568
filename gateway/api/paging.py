"""Pagination of lists: cursors that stay valid while rows are added."""

import base64
import binascii
from collections.abc import Callable, Sequence
from typing import Annotated, Any, Final, Generic, TypeVar

import msgspec
import sqlalchemy as sa

from events.base import Value
from events.ids import digest_of
from events.serialization.struct_types import decodable
from gateway.errors import BadArgument

T = TypeVar("T")

MOST: Final = 1000
"""Rows of one page."""
Limit = Annotated[int, msgspec.Meta(ge=1, le=MOST)]
Cursor = Annotated[str, msgspec.Meta(max_length=2_000)]
SortKey = str | int | float | None
"""What a row has in a column of a list's order."""


class Page(Value, Generic[T], frozen=True, kw_only=True, omit_defaults=False):
    """Some rows of a list."""

    items: tuple[T, ...]
    """In the order asked for."""
    next: str | None = None
    """``cursor`` of the page that follows; null: this is the last."""


class Paged(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Which part of a list is wanted."""

    limit: Limit = 100
    """Rows of a page, 1 to 1000."""
    cursor: Cursor = ""
    """``next`` of the page before; empty: from the first row on."""


class _Place(msgspec.Struct, frozen=True, array_like=True):
    """Where a page begins."""

    of: str
    """Fingerprint of the list: what was filtered and sorted by."""
    after: tuple[SortKey, ...]
    """What the last row had in the columns of the order."""


_places = msgspec.msgpack.Decoder(decodable(_Place))


def fingerprint(query: Paged, *more: str) -> str:
    """What makes a list another one: all that was asked for but the page."""
    asked = msgspec.structs.replace(query, limit=1, cursor="")
    return digest_of(msgspec.msgpack.encode((type(query).__name__, asked, more)))[:12]


def written(of: str, after: Sequence[SortKey]) -> str:
    """A cursor behind a row."""
    data = msgspec.msgpack.encode(_Place(of, tuple(after)))
    checked = bytes.fromhex(digest_of(data)[:12]) + data
    return base64.urlsafe_b64encode(checked).decode().rstrip("=")


def read(cursor: str, of: str, kinds: Sequence[type]) -> tuple[Any, ...]:
    """What the row had behind which a page begins: a value of each of the ``kinds``, or None.
    Raises ``BadArgument`` for what is no cursor, or that of another list."""
    try:
        data = base64.b64decode(cursor + "=" * (-len(cursor) % 4), altchars=b"-_", validate=True)
        if digest_of(data[6:])[:12] != data[:6].hex():
            raise ValueError
        place = _places.decode(data[6:])
    except (binascii.Error, ValueError) as error:
        why = "is no cursor of this API; take it from `next` of the page before"
        raise BadArgument("cursor", cursor, why) from error
    fits = len(place.after) == len(kinds) and all(
        value is None or isinstance(value, kind)
        for value, kind in zip(place.after, kinds, strict=True)
    )
    if place.of != of or not fits:
        why = "is of a list that was filtered or sorted otherwise; begin again without a cursor"
        raise BadArgument("cursor", cursor, why)
    return place.after


class Order(msgspec.Struct, frozen=True):
    """A column that a list is in the order of."""

    column: sa.ColumnElement[Any]
    kind: type
    """Of its values in Python."""
    down: bool = False
    """From the greatest to the least."""


def behind(orders: Sequence[Order], after: Sequence[object]) -> sa.ColumnElement[bool]:
    """Condition: a row comes behind one that had ``after`` in the columns of the order. None of
    them is ever NULL."""
    found: list[sa.ColumnElement[bool]] = []
    same: list[sa.ColumnElement[bool]] = []
    for order, value in zip(orders, after, strict=True):
        further = order.column < value if order.down else order.column > value
        found.append(sa.and_(*same, further))
        same.append(order.column == value)
    return sa.or_(*found)


def in_order(orders: Sequence[Order]) -> list[sa.ColumnElement[Any]]:
    """What a query is ordered by."""
    return [order.column.desc() if order.down else order.column.asc() for order in orders]


def page_of(
    rows: Sequence[T], limit: int, of: str, key: Callable[[T], Sequence[SortKey]]
) -> Page[T]:
    """A page of rows of which one more than ``limit`` was asked for."""
    items = tuple(rows[:limit])
    return Page(items=items, next=written(of, key(items[-1])) if len(rows) > limit else None)


def slice_of(rows: Sequence[T], query: Paged, key: Callable[[T], str]) -> Page[T]:
    """A page of a list that is there as a whole, each row of which ``key`` names for ever. A row
    that has gone meanwhile is not missed: the page begins where it would stand, by its name's
    place among those of the rows, or anew."""
    of = fingerprint(query)
    first = 0
    if query.cursor:
        (name, place) = read(query.cursor, of, (str, int))
        there = next((at for at, row in enumerate(rows) if key(row) == name), None)
        first = min(int(place), len(rows)) if there is None else there + 1
    items = tuple(rows[first : first + query.limit])
    last = first + len(items)
    more = last < len(rows)
    return Page(items=items, next=written(of, (key(items[-1]), last)) if more else None)
