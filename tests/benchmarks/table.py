"""How benchmarks print: what, the figure, what stands beside it, the goal, whether it is met."""

from typing import NamedTuple


class Row(NamedTuple):
    """One line of the table."""

    what: str
    figure: str
    beside: str = ""
    """A peer or a limit, measured in the same run."""
    goal: str = ""
    reached: bool | None = None
    """None: no goal."""

    def __str__(self) -> str:
        verdict = {True: "ok", False: "SHORT", None: ""}[self.reached]
        return f"{self.what:<46}{self.figure:>24}  {self.beside:<30} {self.goal:<22}{verdict}"
