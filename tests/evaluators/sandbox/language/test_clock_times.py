"""Times of day and days, as people say them."""

from datetime import date

import pytest

from evaluators.sandbox.language.clock_times import hours_in, names_day


@pytest.mark.parametrize(
    ("text", "hours"),
    [
        ("at 19:00", {19}),
        ("2023-02-14 19:00", {19}),
        ("19h30", {19}),
        ("at 7 pm", {19}),
        ("7PM sharp", {19}),
        ("7:30 p.m. on Tuesday", {19}),
        ("5.30pm", {17}),
        ("from 7 to 10 pm", {7, 19, 22}),
        ("7 o'clock tonight", {19}),
        ("7 o’clock", {7, 19}),
        ("seven in the evening", {19}),
        ("seven-thirty", {7, 19}),
        ("around seven.", {7, 19}),
        ("at 7 tomorrow", {7, 19}),
        ("8 in the morning", {8}),
        ("10 a.m.", {10}),
        ("12 pm", {12}),
        ("12 am", {0}),
        ("half past six", {6, 18}),
        ("a quarter to seven in the evening", {18}),
        ("at noon", {12}),
        ("before midnight", {0}),
        ("09:15", {9}),
        ("at one point, or at one of the tables", set()),
        ("I have 3 cats and 40 books", set()),
        ("room 12 at the college", set()),
        ("at 99", set()),
        ("on 25:00", set()),
        ("", set()),
    ],
)
def test_hours_are_found_in_many_spellings(text: str, hours: set[int]) -> None:
    assert hours_in(text) == hours


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("on February 14th", True),
        ("Feb. 14", True),
        ("14 Feb", True),
        ("the 14th of February", True),
        ("on 2/14", True),
        ("2023-02-14 19:00", True),
        ("tomorrow evening", True),
        ("on Tuesday", True),
        ("on Valentine’s Day", True),
        ("this evening", False),
        ("14 people", False),
        ("February 24", False),
    ],
)
def test_days_are_found_by_date_weekday_feast_and_from_today(text: str, named: bool) -> None:
    assert names_day(text, date(2023, 2, 14), date(2023, 2, 13)) is named


def test_today_is_told_from_tomorrow() -> None:
    day = date(2023, 2, 13)
    assert names_day("this evening", day, day)
    assert not names_day("tomorrow", day, day)
