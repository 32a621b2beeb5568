"""Reporting how far a long task has come."""

from collections.abc import Callable

ReportProgress = Callable[[int, int], None]
"""Called with how much is done, and of how much, in a unit that the task names."""


def no_report(_done: int, _total: int) -> None:
    """For callers that do not want to know."""
