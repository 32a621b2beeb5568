"""Money, times and counts of events, as whole numbers whose sums are exact and stay in 64 bits."""

import math

PICO = 10**12
"""Trillionths in one: a token may cost well below a millionth of a dollar."""
_DEAREST_CALL_USD = 10_000.0
"""A price beyond this is not believed and counts as unknown."""
_MOST = 2**40
"""Counts of one event are cut to this, so that sums stay inside 64 bits whatever is in the log."""


def pico_usd(usd: float | None) -> int | None:
    """Dollars in trillionths; None where the price is unknown or cannot be believed."""
    if usd is None or not 0 <= usd <= _DEAREST_CALL_USD:
        return None
    return round(usd * PICO)


def microseconds(seconds: float) -> int:
    """Seconds in millionths; 0 where they are no number."""
    return count(round(seconds * 1e6)) if math.isfinite(seconds) else 0


def count(number: int) -> int:
    """A count that may be added up: between 0 and ``_MOST``."""
    if 0 <= number <= _MOST:
        return number
    return _MOST if number > 0 else 0
