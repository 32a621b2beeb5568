"""Success rates of talks, and their means over cases and tasks (STSS, section 3.2).

SR(c) = Π conditions of c, GCSR(c) = their mean. With C_t the cases of task t:
micro = Σ_t Σ_{c∈C_t} s(c) / Σ_t |C_t|; macro = the mean, over the tasks with |C_t| > 0, of the mean
over C_t.
"""

from collections.abc import Iterable, Mapping, Sequence
from math import prod
from typing import NamedTuple


def success(met: Sequence[float]) -> float:
    """SR: 1 where all conditions are met (1), else 0. Raises ``ValueError`` where there is none."""
    if not met:
        raise ValueError("a rate of no conditions")
    return float(prod(met))


def share(met: Sequence[float]) -> float:
    """GCSR: the share of the conditions that are met. Raises ``ValueError`` where there is none."""
    if not met:
        raise ValueError("a rate of no conditions")
    return sum(met) / len(met)


class Means(NamedTuple):
    """A rate over cases."""

    micro: float | None
    """The mean over cases; None: there is none."""
    macro: float | None
    """The mean over tasks of their cases' mean; None: there is none."""
    cases: int
    tasks: int
    """Tasks that have a case: those ``macro`` is over."""
    empty: int
    """Tasks that have none."""


def means(by_task: Mapping[str, Iterable[float]]) -> Means:
    """Micro and macro of the rates of cases, by task. Tasks without a case are in no mean."""
    values = {task: list(rates) for task, rates in by_task.items()}
    there = [rates for rates in values.values() if rates]
    flat = [rate for rates in there for rate in rates]
    return Means(
        micro=sum(flat) / len(flat) if flat else None,
        macro=sum(sum(rates) / len(rates) for rates in there) / len(there) if there else None,
        cases=len(flat),
        tasks=len(there),
        empty=len(values) - len(there),
    )
