"""How ``run`` and ``watch`` display the seats that are waited for: below progress bars, or line by
line."""

import asyncio
import time
from collections.abc import Callable, Sequence
from typing import Final

from actors.runs.execution.work import Work
from actors.text.amounts import many
from gateway.cli.terminal.output import console, escape, note
from gateway.services.runs.awaited_seats import AwaitedSeat, awaited_seats, has_remote_seats
from gateway.settings import Settings
from store.log.event_store import EventStore

LOOK_S: Final = 1.0
"""How often it is looked which seats wait, in seconds."""
QUICK_US: Final = 1_500_000
"""A seat that answers sooner is not spoken of, in microseconds."""
LINES: Final = 5
"""Seats that are named below the bars."""
HOW: Final = (
    "[dim]`troupe play EPISODE`, in another terminal, takes a seat; a program connects as "
    "`troupe nats` says (docs/how-to/remote-seats.md)[/]"
)


class SeatsAwaited:
    """The seats outside that some work waits for at present."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        """In words, for people."""

    async def watch(self, settings: Settings, store: EventStore, work: Work) -> None:
        """Keep ``lines`` up to date, for ever; where standard error is no terminal also print each
        seat that waits for the first time. Returns at once where all seats are played here."""
        runs = [work.run] if work.run else None
        episodes = frozenset(work.playing)
        if not await asyncio.to_thread(has_remote_seats, store, work.run, episodes):
            return
        tell = None if console(stderr=True).is_terminal else _teller()
        while True:
            found = await asyncio.to_thread(awaited_seats, store, runs, space=settings.space)
            late = time.time_ns() // 1000 - QUICK_US
            waiting = [one for one in found if one.since <= late and one.episode in episodes]
            self.lines = seat_lines(waiting)
            if tell is not None:
                tell(waiting)
            await asyncio.sleep(LOOK_S)


def seat_line(seat: AwaitedSeat) -> str:
    """A seat that is waited for, and where."""
    place = f"in seat {seat.seat + 1}"
    if seat.free:
        who = f"{seat.episode} waits for somebody to take seat {seat.seat + 1} ({seat.mind})"
    elif seat.participant:
        who = f"{seat.episode} waits for {seat.participant} {place}"
    else:
        who = f"{seat.episode} waits for {seat.mind} {place}: {seat.subject}"
    return f"[yellow]{escape(who)}[/]"


def seat_lines(waiting: Sequence[AwaitedSeat]) -> list[str]:
    """Those that have waited longest, how many more there are, and how they are reached."""
    if not waiting:
        return []
    lines = [seat_line(seat) for seat in waiting[:LINES]]
    if (more := len(waiting) - LINES) > 0:
        lines.append(f"[yellow]and {many(more, 'more seat')}[/]")
    return [*lines, HOW]


def _teller() -> Callable[[Sequence[AwaitedSeat]], None]:
    """Prints each seat once."""
    told: set[tuple[str, int]] = set()

    def tell(waiting: Sequence[AwaitedSeat]) -> None:
        for seat in waiting:
            if (seat.episode, seat.seat) in told:
                continue
            if not told:
                note(HOW)
            told.add((seat.episode, seat.seat))
            note(seat_line(seat))

    return tell
