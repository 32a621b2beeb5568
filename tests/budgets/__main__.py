"""`make budgets`: what workloads take, beside what they may.

    python -m tests.budgets [NAME ...] [--update] [--functions]

Exits with 1 when a figure is out of its bounds (docs/how-to/operations.md).
"""

import argparse
import sys

from tests.budgets.counting import Figure
from tests.budgets.table import BUDGETS, PYTHON, Budgets, faults, rounded
from tests.budgets.workloads import NAMES, measured

SHOWN = 60


def main() -> int:
    """Measure the figures asked for."""
    parser = argparse.ArgumentParser(prog="make budgets", description=__doc__)
    parser.add_argument(
        "names", nargs="*", metavar="NAME", help=f"of {', '.join(NAMES)}; none: all"
    )
    parser.add_argument("--update", action="store_true", help="make what is found the budgets")
    parser.add_argument("--functions", action="store_true", help="show what figures are made of")
    asked = parser.parse_args()
    if unknown := [name for name in asked.names if name not in NAMES]:
        parser.error(f"there is no figure {unknown[0]!r}; figures are {', '.join(NAMES)}")
    budgets = Budgets.read()
    if budgets.python != PYTHON:
        print(f"The budgets are those of Python {budgets.python}; this is {PYTHON}.")
        if asked.update and asked.names:
            parser.error("budgets of another Python are updated all at once")
    wrong = 0
    print(f"{'':24}  {'figure':>10}  {'budget':>10}  {'share':>6}")
    for name, found in measured(asked.names or NAMES):
        budget = budgets.figures.get(name)
        share = f"{found.value / budget:6.1%}" if budget else "   new"
        print(
            f"{name:24}{rounded(found.value):>10}  {rounded(budget or 0):>10}  {share}", flush=True
        )
        if asked.functions:
            _show(found)
        if asked.update:
            budgets.record(name, found)
        elif why := faults(name, found, budget):
            wrong += 1
            print(f"\n{why}\n", flush=True)
    if asked.update:
        budgets.write()
        print(f"written: {BUDGETS}")
    return min(wrong, 1)


def _show(found: Figure) -> None:
    for part, value in list(found.parts.items())[:SHOWN]:
        print(f"  {rounded(value):>10}  {part}")


if __name__ == "__main__":
    sys.exit(main())
