"""What is wrong with files: every bad row is named before anything is kept."""

from typing import NamedTuple

from events.untrusted.safe_text import shortened

SHOWN = 20
"""Bad rows that an error lists; the rest it counts."""


class BadRow(NamedTuple):
    """What is wrong with a row of a file."""

    file: str
    line: int
    """From 1; 0 where the whole file is meant."""
    field: str
    """Empty where the whole row is meant."""
    reason: str

    def __str__(self) -> str:
        place = f"{self.file}, line {self.line}" if self.line else self.file
        return f"{place}, {self.field}: {self.reason}" if self.field else f"{place}: {self.reason}"


class FileRefused(ValueError):
    """Files that were not imported, for some of their rows are bad. Nothing of them was kept."""

    what = "the file"

    def __init__(self, rows: tuple[BadRow, ...], count: int) -> None:
        """``rows``: the first bad rows; ``count``: how many there are in all."""
        rest = f"; and {count - len(rows)} more" if count > len(rows) else ""
        listed = "; ".join(map(str, rows))
        number = "1 bad row" if count == 1 else f"{count} bad rows"
        super().__init__(
            f"{self.what} was not imported, it has {number}: {shortened(listed, 1_500)}{rest}"
        )
        self.rows, self.count = rows, count


class Faults:
    """Collects the bad rows of one import."""

    def __init__(self) -> None:
        self.rows: list[BadRow] = []
        self.count = 0
        self.files: set[str] = set()
        """Names of the files that have bad rows."""

    @property
    def full(self) -> bool:
        """Whether another bad row would only be counted."""
        return len(self.rows) >= SHOWN

    def add(self, file: str, line: int, field: str, reason: str) -> None:
        """One more bad row."""
        self.count += 1
        self.files.add(file)
        if not self.full:
            self.rows.append(BadRow(file, line, field, shortened(reason)))

    def refuse(self, error: type[FileRefused]) -> None:
        """Raises ``error`` with all that was collected, if anything was."""
        if self.count:
            raise error(tuple(self.rows), self.count)
