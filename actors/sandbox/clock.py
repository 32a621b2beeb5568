"""A town's clock: steps as dates and times of day."""

from datetime import datetime, timedelta
from functools import lru_cache
from typing import Final, NamedTuple

from actors.sandbox.setup import Settings

_DAY: Final = timedelta(days=1)


class Clock(NamedTuple):
    """Step 0 is at ``start``; each has ``step_s`` seconds."""

    start: datetime
    step_s: int

    def moment(self, step: int) -> datetime:
        """The date and time of a step."""
        return self.start + timedelta(seconds=step * self.step_s)

    def day(self, step: int) -> int:
        """0 the first day, then 1, 2, …"""
        return (self.moment(step).date() - self.start.date()).days

    def next_day(self, step: int) -> int:
        """The first step of the day after a step's."""
        now = self.moment(step)
        midnight = now.replace(hour=0, minute=0, second=0) + _DAY
        return -(-int((midnight - self.start).total_seconds()) // self.step_s)

    def begins_day(self, step: int) -> bool:
        """Whether it is the first step of a day that is not the first."""
        return step > 0 and self.day(step) != self.day(step - 1)

    def steps(self, minutes: float) -> int:
        """The steps that so many minutes take, at least one."""
        return max(1, -int(-minutes * 60 // self.step_s))


def in_calendar(start: datetime, seconds: float) -> bool:
    """Whether all that lasts so long, and the day after it, have a date: none is after 9999."""
    try:
        return start + timedelta(seconds=seconds) + _DAY > start
    except OverflowError:
        return False


@lru_cache(maxsize=64)
def clock_from(start: str, step_s: int) -> Clock:
    """One whose step 0 is at a date and time in ISO 8601. Raises ``ValueError`` for no such."""
    return Clock(datetime.fromisoformat(start), step_s)


def clock_of(settings: Settings) -> Clock:
    """A town's. Raises ``ValueError`` where its start is no date and time."""
    return clock_from(settings.start, settings.step_s)
