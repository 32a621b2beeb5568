"""How far two judges agree, as tables in the terminal."""

from collections.abc import Iterator

from evaluators.agreement.judge_agreement import Comparison
from evaluators.registry import abbreviation
from evaluators.statistics.populations import POPULATIONS
from evaluators.tables.agreement_tables import agreement_tables
from gateway.cli.terminal.output import escape, heading, print_plain, say
from gateway.cli.views.run_tables import say_no_finding


def print_agreement(runs: str, comparison: Comparison) -> None:
    """How far two judges agree: a table of scales, a table of checkpoints. ``runs``: their ids."""
    a, b = comparison.judge_a.label, comparison.judge_b.label
    heading(f"Run {runs}: judge A {a}, judge B {b}", what_it_is_over(comparison))
    for table in agreement_tables(comparison):
        print_plain(table)
    for text in remarks(comparison):
        say(f"[dim]{escape(text)}[/]")
    for text in comparison.flat:
        say(f"\n[yellow]{escape(text)}[/]")
    say_no_finding(judges=comparison.rehearsal, local_judges=comparison.local)


def remarks(comparison: Comparison) -> Iterator[str]:
    """What is to be said below the tables: what is missing, and why."""
    rows = [
        (f"{abbreviation(row.dimension)}{', all' if row is not clean else ''}", row)
        for clean in comparison.dimensions
        for row in (clean, clean.over_all)
        if row is not None
    ]
    missing = any(row.missing_a or row.missing_b for _, row in rows)
    yield "missing: judge A's, judge B's / asked" if missing else "no score is missing"
    estimates = [
        (name, estimate)
        for name, row in rows
        for estimate in ((row.pearson, row.spearman) if row.kappa is None else (row.kappa,))
    ]
    if few := [one.clusters for _, one in estimates if one.few]:
        yield f"the intervals rest on few {comparison.population}, {min(few)} at the least"
    whys: dict[str, dict[str, None]] = {}
    for name, estimate in estimates:
        if estimate.why:
            whys.setdefault(estimate.why, {})[name] = None
    yield from (f"{', '.join(names)}: {why}" for why, names in whys.items())
    for judge, names in (("A", comparison.only_a), ("B", comparison.only_b)):
        if names:
            yield f"Only judge {judge} was asked for {', '.join(names)}."


def what_it_is_over(comparison: Comparison) -> str:
    said = f"95 % intervals {POPULATIONS[comparison.population]}"
    if comparison.clean < comparison.episodes:
        said += (
            f"\nover the {comparison.clean:,} of {comparison.episodes:,} episodes in which no "
            "action failed; below each dimension, over all"
        )
    return said
