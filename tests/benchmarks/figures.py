"""The numbers in a row of the table, each with whether more or less of it is better."""

import re
from collections import Counter
from collections.abc import Iterable

import msgspec

from tests.benchmarks.table import Row

_NUMBER = re.compile(r"(?<![\w.,-])(\d[\d,]*(?:\.\d+)?) ?(.*)", re.DOTALL)
_LESS = re.compile(r"(?:ns|µs|ms|s|min|B|kB|KiB|MiB|GiB|MB)(?: |$)")
"""Durations and sizes."""
_RATE = re.compile(r"[^,;]*?/s(?: |$)")
_BESIDE = re.compile(r"(\d[\d,]*(?:\.\d+)?) × \(([≥≤])")
"""How a goal names what was reached beside a peer: ``6.63 × (≥ 10 ×)``."""


class Figure(msgspec.Struct, frozen=True):
    """One number of a row."""

    name: str
    """What it is of: the row, under the row above it where it is indented, and the unit where the
    row has several."""
    value: float
    more_is_better: bool


def figures_of(rows: Iterable[Row]) -> dict[str, Figure]:
    """The figures that can be compared, by name. Left out is what says no direction, such as a
    share of the processor, and what is zero, of which there is no ratio."""
    found: dict[str, Figure] = {}
    times: Counter[str] = Counter()
    above = ""
    for row in rows:
        name = row.what.strip()
        if row.what.startswith(" ") and above:
            name = f"{above}: {name}"
        else:
            above = name
        times[name] += 1
        if times[name] > 1:
            name += f" ({times[name]})"
        for figure in _figures(name, row):
            found[figure.name] = figure
    return found


def _figures(name: str, row: Row) -> Iterable[Figure]:
    parts = [part for part in map(_NUMBER.search, re.split(r"[,;] ", row.figure)) if part]
    for number, part in enumerate(parts):
        value, unit = float(part[1].replace(",", "")), part[2].strip()
        more = _more_is_better(unit, row.goal if not number else "")
        if more is not None and value > 0:
            of = name if not number else f"{name} [{unit}]"
            yield Figure(of, value, more)
    if (beside := _BESIDE.match(row.goal)) and float(beside[1].replace(",", "")) > 0:
        yield Figure(f"{name} [beside]", float(beside[1].replace(",", "")), beside[2] == "≥")


def _more_is_better(unit: str, goal: str) -> bool | None:
    if _LESS.match(unit):
        return False
    if _RATE.match(unit):
        return True
    if "≥" in goal or goal.startswith("at least"):
        return True
    if "≤" in goal or goal.startswith("<="):
        return False
    return None
