"""Identifiers."""

from events.ids import derived_id, derived_number, new_event_id, new_id


def test_event_ids_sort_by_age_and_differ() -> None:
    ids = [new_event_id() for _ in range(1000)]
    assert ids == sorted(ids)
    assert len(set(ids)) == 1000
    assert all(len(id_) == 32 for id_ in ids)


def test_a_derived_id_depends_on_every_part_and_on_their_borders() -> None:
    assert derived_id("e", "a", "b") == derived_id("e", "a", "b")
    assert derived_id("e", "a", "b") != derived_id("e", "ab")
    assert derived_id("e", "a", "b") != derived_id("e", "b", "a")


def test_new_ids_begin_with_their_kind() -> None:
    assert new_id("r").startswith("r")
    assert new_id("r") != new_id("r")


def test_derived_numbers_are_seeds() -> None:
    numbers = {derived_number("7", str(n)) for n in range(1000)}
    assert len(numbers) > 990
    assert all(0 <= number < 2**31 for number in numbers)
