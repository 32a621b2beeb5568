"""A day's schedule: blocks that cover the day from midnight to midnight without gaps. Pure."""

import re
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from events.base import replace
from events.thoughts import Block

DAY: Final = 1440
"""Minutes."""
SPLIT_FROM: Final = 60
"""Minutes from which on a block is split into actions when it is due."""
SHORTEST: Final = 5
"""Minutes of an action in a block that is split."""
LONGEST: Final = 15
"""The same, at most."""
SLEEPING: Final = "sleeping"

_CLOCK: Final = re.compile(
    r"\s*(\d{1,2})(?:[:.](\d{2}))?(?:[:.]\d{2})?\s*([ap])?\.?(?:m\.?)?\s*", re.I
)


class ScheduleBlock(NamedTuple):
    """An action of a block, as a model proposes it."""

    text: str
    minutes: int
    address: str = ""
    emoji: str = ""


def clock(minute: int) -> str:
    """A minute of the day as ``07:30``; 1,440 is ``24:00``."""
    return f"{minute // 60:02}:{minute % 60:02}"


def minute_of(text: str) -> int | None:
    """The minute of the day that a text names: ``7:30``, ``07:30``, ``7:30 pm``, ``24:00``; None
    where it names none."""
    found = _CLOCK.fullmatch(text)
    if found is None:
        return None
    hour, minute, half = int(found[1]), int(found[2] or 0), (found[3] or "").casefold()
    if half:
        if not 1 <= hour <= 12:
            return None
        hour = hour % 12 + (12 if half == "p" else 0)
    whole = 60 * hour + minute
    return whole if minute < 60 and whole <= DAY else None


def asleep(text: str) -> bool:
    """Whether who does this sleeps."""
    return "sleep" in text.casefold()


def day_of(wake: int, begun: Iterable[tuple[int, str]]) -> tuple[Block, ...]:
    """The whole day of who wakes at a minute and begins something at each of some others. What is
    to begin before waking begins then; what goes on is one block."""
    starts = sorted(((max(start, wake), text) for start, text in begun), key=lambda one: one[0])
    blocks = [Block(start=0, minutes=wake, text=SLEEPING)] if wake else []
    for place, (start, text) in enumerate(starts):
        if place == 0:
            start = wake
        end = starts[place + 1][0] if place + 1 < len(starts) else DAY
        if end > start:
            blocks.append(Block(start=start, minutes=end - start, text=text))
    return merged(blocks)


def merged(blocks: Iterable[Block]) -> tuple[Block, ...]:
    """Blocks of the same, one after the other, as one."""
    out: list[Block] = []
    for block in blocks:
        before = out[-1] if out else None
        if before is not None and (before.text, before.address) == (block.text, block.address):
            out[-1] = replace(before, minutes=before.minutes + block.minutes)
        else:
            out.append(block)
    return tuple(out)


def due(schedule: Sequence[Block], minute: int) -> Block:
    """What is to be done from a minute on: the rest of the block that it is in. Raises
    ``LookupError`` where the schedule does not cover it."""
    for block in schedule:
        end = block.start + block.minutes
        if block.start <= minute < end:
            return replace(block, start=minute, minutes=end - minute)
    raise LookupError(f"the schedule has nothing at {clock(minute)}")


def to_be_split(block: Block) -> bool:
    """Whether a block is split into actions before it is begun."""
    return block.minutes >= SPLIT_FROM and not asleep(block.text)


def fitted(parts: Sequence[ScheduleBlock], block: Block) -> tuple[Block, ...]:
    """Actions that fill a block exactly: each 5 to 15 minutes, the last of them less where nothing
    else is left. What is too much is cut off at the end; what is missing is given to each, and then
    to more of the last."""
    minutes = [min(max(part.minutes, SHORTEST), LONGEST) for part in parts]
    missing = block.minutes - sum(minutes)
    for place, given in enumerate(minutes):
        more = min(max(missing, 0), LONGEST - given)
        minutes[place] += more
        missing -= more
    chosen = list(parts)
    while missing > 0:
        chosen.append(parts[-1])
        minutes.append(min(missing, LONGEST))
        missing -= LONGEST
    out: list[Block] = []
    start, end = block.start, block.start + block.minutes
    for part, length in zip(chosen, minutes, strict=True):
        if start >= end:
            break
        length = min(length, end - start)
        if 0 < end - start - length < SHORTEST:
            length = end - start
        out.append(
            Block(
                start=start,
                minutes=length,
                text=part.text,
                address=part.address or block.address,
                emoji=part.emoji or block.emoji,
            )
        )
        start += length
    return tuple(out)


def overlaid(schedule: Sequence[Block], new: Sequence[Block]) -> tuple[Block, ...]:
    """A schedule in which new blocks, one after the other, stand in the place of what was there."""
    if not new:
        return tuple(schedule)
    start, end = new[0].start, new[-1].start + new[-1].minutes
    before = [
        replace(block, minutes=min(block.minutes, start - block.start))
        for block in schedule
        if block.start < start
    ]
    after = [
        replace(block, start=max(block.start, end), minutes=stop - max(block.start, end))
        for block in schedule
        if (stop := block.start + block.minutes) > end
    ]
    return (*before, *new, *after)


def bend_until(schedule: Sequence[Block], minute: int) -> int:
    """Until when a schedule bends that was interrupted until ``minute``: the end of what would be
    done at the next full hour's eve. What comes after is kept."""
    if minute >= DAY:
        return DAY
    eve = min((minute // 60 + 1) * 60, DAY) - 1
    rest = due(schedule, eve)
    return rest.start + rest.minutes if rest.minutes < SPLIT_FROM else eve + 1


def bent(schedule: Sequence[Block], talk: Block) -> tuple[Block, ...]:
    """A schedule around a talk: what it interrupted and what was to follow within the hour is done
    after it, each for less; what would be left less than 5 minutes is dropped."""
    end = talk.start + talk.minutes
    if end >= DAY:
        return overlaid(schedule, (replace(talk, minutes=DAY - talk.start),))
    stop = bend_until(schedule, end)
    room = stop - end
    left = [
        (block, min(block.start + block.minutes, stop) - max(block.start, talk.start))
        for block in schedule
        if block.start < stop and block.start + block.minutes > talk.start
    ]
    while len(left) > 1 and room / sum(minutes for _, minutes in left) * min(
        minutes for _, minutes in left
    ) < min(SHORTEST, room / 2):
        left.remove(min(left, key=lambda one: one[1]))
    total = sum(minutes for _, minutes in left)
    rest: list[Block] = []
    start = past = 0
    for block, minutes in left:
        past += minutes
        upto = round(room * past / total) if total else 0
        if upto > start:
            rest.append(replace(block, start=end + start, minutes=upto - start))
            start = upto
    return overlaid(schedule, (talk, *rest))
