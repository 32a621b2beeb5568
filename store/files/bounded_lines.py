"""Reading a file line by line, however long its lines are."""

from collections.abc import Iterator
from typing import IO, AnyStr

from store.errors import StoreError


class LineTooLong(StoreError, ValueError):
    """A line that is longer than lines may be; the rest of it was not read."""

    def __init__(self, line: int, most: int) -> None:
        super().__init__(f"line {line} is longer than {most:,}, the most that is read of one")
        self.line, self.most = line, most


def bounded_lines(file: IO[AnyStr], most: int) -> Iterator[AnyStr]:
    """The lines of an open file, each with ``most`` bytes (of text: characters) at most. Raises
    ``LineTooLong``."""
    number = 0
    while line := file.readline(most + 1):
        number += 1
        if len(line) > most:
            raise LineTooLong(number, most)
        yield line
