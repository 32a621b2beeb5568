"""What was derived from a value is kept for that very value, and for no equal one."""

from events.serialization.identity_key import cached_by_identity


def test_each_value_is_worked_on_once_and_an_equal_one_again():
    seen: list[list[int]] = []

    @cached_by_identity(2)
    def total(values: list[int]) -> int:
        seen.append(values)
        return sum(values)

    one, equal = [1, 2], [1, 2]
    assert [total(one), total(one), total(equal), total(equal)] == [3, 3, 3, 3]
    assert [id(values) for values in seen] == [id(one), id(equal)]


def test_the_value_that_was_asked_for_longest_ago_is_forgotten():
    seen: list[int] = []

    @cached_by_identity(2)
    def first(values: list[int]) -> int:
        seen.append(values[0])
        return values[0]

    one, two, three = [1], [2], [3]
    for values in (one, two, one, three, one, two):
        first(values)
    assert seen == [1, 2, 3, 2]
    first.cache_clear()  # type: ignore[attr-defined]
    first(one)
    assert seen[-1] == 1
