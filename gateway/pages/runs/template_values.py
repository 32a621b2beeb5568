"""What templates of runs are given beside their own."""

from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import quote, urlencode

from litestar import Response

from evaluators.report import formats
from gateway.http.templates import PageVisit

STEPS: Final = 10
"""Depths of shade; ``runs.css`` has a class for each."""


def heat(shade: float) -> str:
    """The class of a cell's shade."""
    return f"h{round(STEPS * shade / formats.DEEPEST)}"


def lasting(seconds: float | None) -> str:
    """A time that something took, or will take, in words."""
    if seconds is None:
        return "—"
    if seconds < 99.5:
        return f"{seconds:.1f} s" if seconds < 9.95 else f"{seconds:.0f} s"
    if seconds < 90 * 60:
        return f"{seconds / 60:.0f} min"
    hours = seconds / 3600
    return f"{hours:.1f} h" if hours < 48 else f"{hours / 24:.1f} days"


def short(value: float) -> str:
    """A large number in a few characters."""
    for size, letter in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if value >= 10 * size:
            return f"{value / size:,.0f} {letter}"
        if value >= size:
            return f"{value / size:.1f} {letter}"
    return f"{value:,.0f}"


def episodes_url(run: str, **wanted: object) -> str:
    """The list of a run's episodes, cut down to some."""
    given = {name: value for name, value in wanted.items() if value not in ("", None)}
    return f"/runs/{quote(run, safe='')}/episodes" + (f"?{urlencode(given)}" if given else "")


HELP: Final[Mapping[str, Any]] = {
    "f": formats,
    "heat": heat,
    "lasting": lasting,
    "short": short,
    "episodes_url": episodes_url,
    "urlencode": lambda **given: urlencode({k: v for k, v in given.items() if v not in ("", None)}),
}


def show(visit: PageVisit, template: str, **context: Any) -> Response[bytes]:
    """A page of this part."""
    return visit.page(template, **HELP, **context)
