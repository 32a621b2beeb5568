"""Schedules: whole days without holes, whatever is done to them."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from actors.minds.generative.schedule import (
    DAY,
    ScheduleBlock,
    bent,
    clock,
    day_of,
    due,
    fitted,
    minute_of,
    overlaid,
    to_be_split,
)
from events.thoughts import Block


def whole(schedule: tuple[Block, ...]) -> bool:
    """Whether it covers the day without holes."""
    at = 0
    for block in schedule:
        if block.start != at or block.minutes < 1:
            return False
        at += block.minutes
    return at == DAY


@pytest.mark.parametrize(
    ("text", "minute"),
    [
        *(("7:30", 450), ("07:30", 450), ("7:30 am", 450), ("7 p.m.", 1140), ("12:00 am", 0)),
        *(("12 pm", 720), ("24:00", 1440), ("19.15", 1155), ("07:30:00", 450), ("noon", None)),
        *(("25:00", None), ("7:75", None), ("13 pm", None), ("", None), ("24:30", None)),
    ],
)
def test_times_of_day_are_read_as_people_write_them(text: str, minute: int | None):
    assert minute_of(text) == minute


def test_a_day_sleeps_until_waking_and_goes_on_with_the_last_to_midnight():
    schedule = day_of(
        420, [(360, "waking up"), (480, "working"), (540, "working"), (1320, "sleeping")]
    )
    assert [(clock(one.start), one.text) for one in schedule] == [
        ("00:00", "sleeping"),
        ("07:00", "waking up"),
        ("08:00", "working"),
        ("22:00", "sleeping"),
    ]
    assert whole(schedule)


def test_only_long_blocks_that_are_no_sleep_are_split():
    assert to_be_split(Block(start=0, minutes=60, text="working"))
    assert not to_be_split(Block(start=0, minutes=59, text="working"))
    assert not to_be_split(Block(start=0, minutes=400, text="Sleeping in"))


def test_actions_fill_their_block_with_5_to_15_minutes_each():
    block = Block(start=600, minutes=60, text="cooking")
    parts = [ScheduleBlock("washing", 2), ScheduleBlock("cutting", 15), ScheduleBlock("frying", 40)]
    found = fitted(parts, block)
    assert [(one.text, one.minutes) for one in found] == [
        ("washing", 15),
        ("cutting", 15),
        ("frying", 15),
        ("frying", 15),
    ]
    many = fitted([ScheduleBlock(str(number), 10) for number in range(9)], block)
    assert [one.minutes for one in many] == [10] * 6


def test_what_a_talk_interrupted_is_done_after_it_for_less():
    hour = tuple(Block(start=600 + 15 * n, minutes=15, text=f"part {n}") for n in range(4))
    schedule = (
        Block(start=0, minutes=600, text="sleeping"),
        *hour,
        Block(start=660, minutes=780, text="working"),
    )
    talk = Block(start=605, minutes=10, text="conversing about the fair")
    found = bent(schedule, talk)
    assert whole(found)
    assert [(clock(one.start), one.text) for one in found[1:]] == [
        ("10:00", "part 0"),
        ("10:05", "conversing about the fair"),
        ("10:15", "part 0"),
        ("10:23", "part 1"),
        ("10:35", "part 2"),
        ("10:48", "part 3"),
        ("11:00", "working"),
    ]
    assert due(found, 605).text == talk.text


@st.composite
def schedules(draw: st.DrawFn) -> tuple[Block, ...]:
    wake = draw(st.integers(0, DAY - 1))
    begun = draw(
        st.lists(
            st.tuples(st.integers(0, DAY), st.sampled_from(["working", "eating", "sleeping"])),
            min_size=1,
            max_size=12,
        )
    )
    schedule = day_of(wake, begun)
    for _ in range(draw(st.integers(0, 3))):
        block = due(schedule, draw(st.integers(0, DAY - 1)))
        parts = draw(st.lists(st.integers(1, 90), min_size=1, max_size=8))
        if to_be_split(block):
            found = fitted(
                [ScheduleBlock(f"part {n}", minutes) for n, minutes in enumerate(parts)], block
            )
            assert all(one.minutes <= 19 for one in found)
            schedule = overlaid(schedule, found)
    return schedule


@settings(max_examples=150, deadline=None)
@given(schedule=schedules(), start=st.integers(0, DAY - 1), minutes=st.integers(1, 300))
def test_a_day_stays_whole_whatever_is_split_and_whenever_a_talk_comes(
    schedule: tuple[Block, ...], start: int, minutes: int
):
    assert whole(schedule)
    talk = Block(start=start, minutes=min(minutes, DAY - start), text="conversing")
    found = bent(schedule, talk)
    assert whole(found)
    assert due(found, start).text.startswith("conversing")
    assert due(found, start + talk.minutes - 1).text.startswith("conversing")
