"""Ranges of positions, kept compactly: 16 bytes a range, whatever its length."""

import zlib
from array import array
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate
from struct import iter_unpack
from typing import Final

from events.archive import PositionsTakenOut

Range = tuple[int, int]
"""First and last position."""
_PART: Final = 32_768
"""Ranges in one event: some tens of KiB compressed, half a MiB at worst."""
_MOST_BYTES: Final = 16 * _PART
"""Of one part, decompressed."""


class Ranges:
    """Ranges of positions in order, none touching the next."""

    def __init__(self) -> None:
        self._firsts, self._lasts = array("q"), array("q")
        self.count = 0
        """Positions in all of them."""

    def __len__(self) -> int:
        return len(self._firsts)

    def __iter__(self) -> Iterator[Range]:
        return zip(self._firsts, self._lasts, strict=True)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Ranges):
            return NotImplemented
        return self._firsts == other._firsts and self._lasts == other._lasts

    __hash__ = None  # type: ignore[assignment]

    def add(self, first: int, last: int) -> None:
        """Append a range behind all others. Raises ``ValueError`` where it is not."""
        if first > last or (self._lasts and first <= self._lasts[-1]):
            raise ValueError(f"positions {first} to {last} are out of order")
        self.count += last - first + 1
        if self._lasts and first == self._lasts[-1] + 1:
            self._lasts[-1] = last
        else:
            self._firsts.append(first)
            self._lasts.append(last)

    @property
    def first(self) -> int:
        """The first position; 0: there is none."""
        return self._firsts[0] if self._firsts else 0

    @property
    def last(self) -> int:
        """The last position; 0: there is none."""
        return self._lasts[-1] if self._lasts else 0

    def batches(self, most: int) -> Iterator[list[Range]]:
        """All positions in order, so many (at the most) together; long ranges are cut."""
        batch: list[Range] = []
        room = most
        for begin, last in self:
            first = begin
            while first <= last:
                end = min(last, first + room - 1)
                batch.append((first, end))
                room -= end - first + 1
                first = end + 1
                if not room:
                    yield batch
                    batch, room = [], most
        if batch:
            yield batch

    def parts(self) -> list[PositionsTakenOut]:
        """The ranges as events, of which there is at least one."""
        import numpy as np  # takes its time, and reading needs it not

        ends = array("q", bytes(16 * len(self)))
        ends[::2], ends[1::2] = self._firsts, self._lasts
        found = []
        for part, begin in enumerate(range(0, max(len(ends), 1), 2 * _PART)):
            some = np.array(ends[begin : begin + 2 * _PART], dtype="<i8")
            packed = zlib.compress(np.diff(some, prepend=0).astype("<i8").tobytes())
            found.append(PositionsTakenOut(part=part, ranges=packed))
        return found


def of_positions(positions: Iterable[int]) -> Ranges:
    """The ranges of positions that come in order, each once."""
    ranges = Ranges()
    for position in positions:
        ranges.add(position, position)
    return ranges


def of_sorted(positions: "array[int]") -> Ranges:
    """The same, many times faster, of an array that it puts in order."""
    import numpy as np

    ranges = Ranges()
    if not positions:
        return ranges
    ordered = np.frombuffer(positions, dtype=np.int64)
    ordered.sort()
    ends = np.flatnonzero(np.diff(ordered) != 1)
    ranges._firsts = array("q", ordered[np.concatenate(([0], ends + 1))].tobytes())
    ranges._lasts = array("q", ordered[np.concatenate((ends, [len(ordered) - 1]))].tobytes())
    ranges.count = len(ordered)
    return ranges


def of_parts(parts: Sequence[PositionsTakenOut]) -> Ranges:
    """The ranges that some events carry. Raises ``ValueError`` where they make no sense."""
    ranges = Ranges()
    for number, part in enumerate(parts):
        if part.part != number:
            raise ValueError(f"part {number} of the positions is missing")
        unpacking = zlib.decompressobj()
        try:
            data = unpacking.decompress(part.ranges, _MOST_BYTES)
        except zlib.error as error:
            raise ValueError(f"part {number} of the positions is damaged: {error}") from error
        if not unpacking.eof or len(data) % 16:
            raise ValueError(f"part {number} of the positions is damaged")
        ends = list(accumulate(number for (number,) in iter_unpack("<q", data)))
        for first, last in zip(ends[::2], ends[1::2], strict=True):
            ranges.add(first, last)
    return ranges


def without(some: Ranges, others: Ranges) -> Iterator[Range]:
    """The parts of some ranges that are in none of the others."""
    taken = iter([*others, (1 << 62, 1 << 62)])
    begin, end = next(taken)
    for first, last in some:
        while end < first:
            begin, end = next(taken)
        while begin <= last:
            if first < begin:
                yield first, begin - 1
            first = end + 1
            if first > last:
                break
            begin, end = next(taken)
        if first <= last:
            yield first, last


def union(many: Iterable[Ranges]) -> Ranges:
    """All positions of some ranges, of which no two hold the same. Raises ``ValueError`` where two
    do."""
    merged = Ranges()
    for first, last in sorted(one for ranges in many for one in ranges):
        merged.add(first, last)
    return merged
