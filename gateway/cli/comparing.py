"""How far two judges agree, as tables in the terminal."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from gateway.cli.output import Column, escape, heading, is_wide, print_table, say
from gateway.cli.tables import no_finding

if TYPE_CHECKING:
    from evaluators.agreement import Agreement, Comparison
    from evaluators.estimates import Estimate


class _Row(NamedTuple):
    """One dimension: what each judge gave, and how far they agree."""

    name: str
    of: "Agreement"
    figures: Sequence[float | str | None]
    estimates: "Sequence[Estimate]"


def print_agreement(runs: str, comparison: "Comparison") -> None:
    """How far two judges agree: a table of scales, a table of checkpoints. ``runs``: their ids."""
    a, b = comparison.judge_a.label, comparison.judge_b.label
    heading(f"Run {runs}: judge A {a}, judge B {b}", _what_it_is_over(comparison))
    rows = [
        (name, row)
        for clean in comparison.dimensions
        for name, row in ((_named(clean), clean), (f"{_named(clean)}, all", clean.over_all))
        if row is not None
    ]
    _print_rows(
        ("n", "mean A", "mean B", "|A−B|", "Pearson", "Spearman"),
        [
            _Row(
                name,
                row,
                (row.mean_a, row.mean_b, row.mean_absolute_difference),
                (row.pearson, row.spearman),
            )
            for name, row in rows
            if row.kappa is None
        ],
    )
    _print_rows(
        ("n", "passed A", "passed B", "agree", "kappa"),
        [
            _Row(
                name,
                row,
                (_share(row.mean_a), _share(row.mean_b), _share(row.agreed)),
                (row.kappa,),
            )
            for name, row in rows
            if row.kappa is not None
        ],
    )
    for judge, names in (("A", comparison.only_a), ("B", comparison.only_b)):
        if names:
            listed = ", ".join(names)
            say(f"[dim]{escape(f'Only judge {judge} was asked for {listed}.')}[/]")
    if comparison.rehearsal:
        say(f"\n[yellow]{escape(no_finding((), comparison.rehearsal))}[/]")


def _what_it_is_over(comparison: "Comparison") -> str:
    from evaluators.populations import POPULATIONS

    said = f"95 % intervals {POPULATIONS[comparison.population]}"
    if comparison.clean < comparison.episodes:
        said += (
            f"\nover the {comparison.clean:,} of {comparison.episodes:,} episodes in which no "
            "action failed; below each dimension, over all"
        )
    return said


def _print_rows(columns: Sequence[str], rows: Sequence[_Row]) -> None:
    """A table, and below it why estimates are missing."""
    if not rows:
        return
    missing = any(row.of.missing_a or row.of.missing_b for row in rows)
    if missing:
        columns = (*columns, "missing")
    print_table(
        (Column("", "id"), *(Column(name, "number") for name in columns)),
        [
            (
                row.name,
                row.of.pairs,
                *row.figures,
                *map(interval_text, row.estimates),
                *[f"{row.of.missing_a}, {row.of.missing_b}/{row.of.asked}"] * missing,
            )
            for row in rows
        ],
    )
    said = "missing: judge A's, judge B's / asked" if missing else "no score is missing"
    say(f"[dim]{said}[/]")
    if fewest := [e.clusters for row in rows for e in row.estimates if e.few]:
        say(f"[dim](n): the interval rests on few clusters, {min(fewest)} at the least[/]")
    for row in rows:
        for why in dict.fromkeys(estimate.why for estimate in row.estimates):
            if why:
                say(f"[dim]{escape(f'{row.name}: {why}')}[/]")


def _named(row: "Agreement") -> str:
    from evaluators.registry import abbreviation

    return abbreviation(row.dimension)


def _share(value: float | None) -> str | None:
    return None if value is None else f"{value:.0%}"


def interval_text(estimate: "Estimate") -> str:
    """A value with its interval; under each other where the terminal is narrow."""
    if estimate.value is None:
        return "–"
    if estimate.low is None or estimate.high is None:
        return f"{estimate.value:.2f}"
    between = " " if is_wide() else "\n"
    few = f" ({estimate.clusters})" if estimate.few else ""
    p = "" if estimate.p is None else f"{between}{p_text(estimate.p)}"
    return f"{estimate.value:.2f}{between}[{estimate.low:.2f}, {estimate.high:.2f}]{few}{p}"


def p_text(value: float) -> str:
    """The p of a test: ``p 0.021``, ``p < 0.001``."""
    return "p < 0.001" if value < 0.001 else f"p {value:.3f}"
