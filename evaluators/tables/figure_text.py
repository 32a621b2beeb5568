"""How tables tell estimated figures, tests and differences."""

from typing import TYPE_CHECKING, Final

from evaluators.registry import abbreviation
from evaluators.tables.plain_tables import DisplayValue, Figure

if TYPE_CHECKING:
    from evaluators.statistics.estimates import Estimate

NO_INTERVAL: Final = "\u00a0" * len(" ±0.00")
"""Keeps a mean without an interval under those that have one."""


def figure_of(found: "Estimate", form: str = ".2f", beside: str = "") -> Figure:
    """An estimate as a cell: ``5.00 ±1.20``, or ``9.10 [7.40, 10.00]`` where its interval was cut
    at an end of its scale."""
    if found.value is None:
        text = "–"
    elif found.low is None or found.high is None:
        text = f"{found.value:{form}}{NO_INTERVAL}"
    elif found.reach is None:
        text = f"{found.value:{form}} [{found.low:{form}}, {found.high:{form}}]"
    else:
        text = f"{found.value:{form}} ±{found.reach:{form}}"
    n = found.clusters if found.value is not None else None
    return figure_cell(found, text + beside, n)


def figure_cell(found: "Estimate", text: str, n: int | None) -> Figure:
    """An estimate as a cell with the words of ``text``. ``n``: what its interval rests on."""
    return Figure(value=found.value, low=found.low, high=found.high, n=n, text=text)


def measured_cell(found: "Estimate | None") -> Figure | None:
    """A correlation or a kappa as a cell, its interval and its p below it."""
    if found is None:
        return None
    return figure_cell(found, interval_text(found), found.clusters or None)


def interval_text(found: "Estimate") -> str:
    """A value, its interval and its p, one below the other."""
    if found.value is None:
        return "–"
    p = "" if found.p is None else f"\n{p_text(found.p)}"
    if found.low is None or found.high is None:
        return f"{found.value:.2f}{p}"
    return f"{found.value:.2f}\n[{found.low:.2f}, {found.high:.2f}]{p}"


def difference_text(change: "Estimate", digits: int = 2) -> str:
    """A difference with its sign, and its interval below it."""
    if change.value is None:
        return "–"
    text = f"{change.value:+.{digits}f}"
    if change.low is None or change.high is None:
        return text
    return f"{text}\n[{change.low:.{digits}f}, {change.high:.{digits}f}]"


def share_cell(value: float | None) -> DisplayValue | None:
    """A share as a cell: people read percent."""
    return None if value is None else DisplayValue(value, f"{value:.0%}")


def dimension_cell(name: str, beside: str = "") -> DisplayValue:
    """A dimension as a cell: people read its short name, and what is ``beside`` it."""
    return DisplayValue(name, abbreviation(name) + beside)


def p_text(value: float) -> str:
    """The p of a test: ``p 0.021``, ``p < 0.001``."""
    return "p < 0.001" if value < 0.001 else f"p {value:.3f}"


def p_alone(value: float | None) -> str:
    """A p under a heading that says it is one."""
    return "–" if value is None else p_text(value).removeprefix("p ")


def p_cell(value: float | None) -> DisplayValue | None:
    """The same as a cell."""
    return None if value is None else DisplayValue(value, p_alone(value))
