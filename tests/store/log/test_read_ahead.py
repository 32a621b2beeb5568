"""Items are made one ahead of what is done with them, and no further."""

from collections.abc import Iterator
from contextlib import closing
from threading import Event, get_ident

import pytest

from store.log.read_ahead import ahead


def test_items_come_in_order_made_by_another_thread() -> None:
    threads = set()

    def made() -> Iterator[int]:
        for number in range(5):
            threads.add(get_ident())
            yield number

    assert list(ahead(made())) == [0, 1, 2, 3, 4]
    assert get_ident() not in threads


def test_the_next_is_made_while_one_is_worked_on() -> None:
    second = Event()

    def made() -> Iterator[int]:
        yield 1
        second.set()
        yield 2

    with closing(ahead(made())) as items:
        assert next(items) == 1
        assert second.wait(10)


def test_once_closed_nothing_more_is_made() -> None:
    made = []

    def numbers() -> Iterator[int]:
        for number in range(100):
            made.append(number)
            yield number

    with closing(ahead(numbers())) as items:
        next(items)
    assert made == [0, 1]


def test_what_making_raises_comes_where_the_item_would() -> None:
    def made() -> Iterator[int]:
        yield 1
        raise ValueError("no second")

    items = ahead(made())
    assert next(items) == 1
    with pytest.raises(ValueError, match="no second"):
        next(items)
