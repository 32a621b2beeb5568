"""How a report writes numbers, times and words."""

import json
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any

from markupsafe import Markup

from actors.episodes.rules.failed_actions import reason_words
from evaluators.scores.dimensions import label
from events.untrusted.safe_text import harmless

_MINUS = "−"
DEEPEST = 0.34
"""Of the highest cell's shade; ink has to be legible on it."""


def figure(value: float | None, digits: int = 1) -> str:
    """A number with so many digits after the point; a dash where there is none."""
    if value is None:
        return "—"
    text = f"{value:.{digits}f}"
    if not text.strip("-0."):
        text = text.lstrip("-")
    if digits == 0 and value != round(value):
        text = f"{value:.3g}"
    return text.replace("-", _MINUS)


def p_value(value: float | None) -> str:
    """The p of a test, to three digits; very small ones by what they are under."""
    if value is None:
        return "—"
    return "< 0.001" if value < 0.001 else f"{value:.3f}"


def percent(value: float | None) -> str:
    """A share as a percentage."""
    return "—" if value is None else f"{value:.0%}".replace("-", _MINUS)


def whole(value: int) -> str:
    """A count, with a thin space at the thousands."""
    return f"{value:,}".replace(",", "\u202f")


def usd(value: float) -> str:
    """Money; small sums keep two digits that say something."""
    if value == 0 or value >= 1:
        return f"${value:,.2f}"
    return f"${value:.4f}" if value >= 0.0001 else "under $0.0001"


def when(microseconds: int) -> str:
    """A time, to the minute, in UTC."""
    return (
        datetime.fromtimestamp(microseconds / 1e6, UTC).strftime("%d %B %Y, %H:%M UTC").lstrip("0")
    )


def words(value: str) -> str:
    """A name as people write it: ``round_robin`` is "round robin"."""
    return value.replace("_", " ")


def visible(value: Any) -> Any:
    """What a template puts out, with control characters made visible; for Jinja's ``finalize``."""
    if isinstance(value, Markup):
        return Markup(harmless(value))  # noqa: S704 - stays what it was
    return harmless(value) if isinstance(value, str) else value


def numbers(rows: Iterable[Iterable[float | None]]) -> str:
    """Rows of values for a script, in JSON, to four digits after the point."""
    return json.dumps(
        [[None if v is None else round(v, 4) for v in row] for row in rows], separators=(",", ":")
    )


def shade(value: float | None, low: float, high: float) -> float:
    """How deep a cell is shaded, by where its value is between the ends of its table."""
    if value is None or low == high:
        return 0.0
    return DEEPEST * (value - low) / (high - low)


FILTERS: dict[str, Any] = {
    "figure": figure,
    "p_value": p_value,
    "percent": percent,
    "whole": whole,
    "usd": usd,
    "when": when,
    "words": words,
    "reason": reason_words,
    "label": label,
    "numbers": numbers,
}
