"""What `run` says of the seats that it waits for."""

from gateway.cli.terminal.awaited_seats import LINES, seat_lines
from gateway.services.runs.awaited_seats import AwaitedSeat


def seat(number: int) -> AwaitedSeat:
    return AwaitedSeat(
        run="r1",
        episode=f"e{number}",
        seat=0,
        mind="[mine]",
        subject=f"troupe.main.seat.e{number}.0",
        since=number,
    )


def test_nothing_is_said_where_nobody_is_waited_for() -> None:
    assert seat_lines([]) == []


def test_a_seat_is_said_as_people_count_and_where_it_is_asked() -> None:
    line, how = seat_lines([seat(3)])
    assert r"e3 waits for \[mine] in seat 1: troupe.main.seat.e3.0" in line
    assert "troupe nats" in how


def test_of_many_the_first_are_named_and_the_others_counted() -> None:
    *named, more, _ = seat_lines([seat(number) for number in range(LINES + 2)])
    assert len(named) == LINES
    assert "and 2 more seats" in more
