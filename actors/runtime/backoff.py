"""Waiting times before a retry."""


def backoff(failures: int, *, first: float, longest: float) -> float:
    """Seconds to wait after so many failures in a row, at least one: ``first``, doubled with every
    further failure, and never more than ``longest``."""
    return float(min(longest, first * 2.0 ** min(failures - 1, 60)))
