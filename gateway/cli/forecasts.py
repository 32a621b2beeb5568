"""What a plan means, in the terminal: ``troupe run PLAN.toml --dry-run``."""

import asyncio
from collections.abc import Iterator
from typing import TYPE_CHECKING

from gateway.cli.output import Column, escape, print_pairs, print_table, say

if TYPE_CHECKING:
    from actors.runs.estimates import Estimate, Range
    from actors.runs.forecast import Forecast
    from events.run import Plan
    from gateway.plans import Prepared

_KINDS = {"mind": "plays", "memory": "remembers", "judge": "judges"}


def estimated(prepared: "Prepared") -> "Forecast":
    """What a plan means, with what it will ask of its models."""
    from actors.runs.estimating import Estimating
    from actors.runs.forecast import forecast, with_estimates
    from evaluators.estimating import tally_judges

    async def looked_into() -> "Forecast":
        estimating = Estimating(prepared.planned, prepared.catalog)
        tally = await estimating.tally()
        tally_judges(tally, estimating)
        return await with_estimates(forecast(prepared.planned), tally)

    return asyncio.run(looked_into())


def print_forecast(plan: "Plan", expected: "Forecast") -> None:
    """What a plan means before anything is spent."""
    say(f"[bold]Plan {escape(plan.name)}[/] means")
    print_pairs(
        (
            *_expected_episodes(expected),
            ("evaluations", f"{expected.evaluations:,}"),
            ("model calls to play", _at_most(expected.play_calls)),
            *_expected_notes(expected),
            ("model calls to judge", f"at least {expected.judge_calls:,}"),
        ),
        indent=2,
    )
    if expected.estimates:
        _print_estimates(expected)
        budget = plan.budget.usd
        if budget and expected.usd is not None and expected.usd[0] > budget:
            say(
                f"[yellow]The budget of {_dollars(budget)} $ is below the least that is expected: "
                "the run will pause.[/]"
            )
    say("Nothing was played or stored.")


def _print_estimates(expected: "Forecast") -> None:
    columns = (
        "who (model)",
        Column("calls", "number"),
        Column("tokens in", "number"),
        Column("out", "number"),
        Column("USD", "number"),
    )
    print_table(columns, map(_row, expected.estimates))
    spent = "not known: a price is missing" if expected.usd is None else f"{_usd(expected.usd)} $"
    print_pairs((("to be spent", spent),), indent=2)
    say(
        "[dim]From half of the turns with short answers to every turn with answers as long as they "
        "may be; answers that are asked for again, and what a provider's cache saves, are not "
        "in it.[/]"
    )


def _row(estimate: "Estimate") -> tuple[str, ...]:
    return (
        f"{estimate.name} {_KINDS[estimate.kind]} ({estimate.model})",
        _range(estimate.calls),
        _range(estimate.input_tokens),
        _range(estimate.output_tokens),
        "?" if estimate.usd is None else _usd(estimate.usd),
    )


def _range(of: "Range") -> str:
    low, high = _count(of.low), _count(of.high)
    return low if low == high else f"{low}–{high}"


def _count(number: int) -> str:
    for size, letter in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if number >= 10 * size:
            return f"{number / size:,.0f}{letter}"
        if number >= size and letter != "k":
            return f"{number / size:.1f}{letter}"
    return f"{number:,}"


def _usd(of: tuple[float, float]) -> str:
    low, high = map(_dollars, of)
    return low if low == high else f"{low}–{high}"


def _dollars(value: float) -> str:
    return f"{value:,.2f}" if value < 10 else f"{value:,.0f}"


def _at_most(calls: int | None) -> str:
    return "as many as it takes" if calls is None else f"at most {calls:,}"


def _expected_episodes(expected: "Forecast") -> Iterator[tuple[str, str]]:
    if not expected.chains:
        yield "episodes", f"{expected.episodes:,} of {expected.tasks:,} tasks"
        return
    yield "chains", f"{expected.chains:,} of {expected.chain_length:,} episodes"
    yield "episodes", f"{expected.episodes:,} in {expected.tasks:,} scenarios"
    low, high = expected.chain_scenarios
    many = f"{low:,}" if low == high else f"{low:,} to {high:,}"
    episodes = f"{expected.chain_length - expected.chain_hard:,} episodes of a cast"
    then = f", then {expected.chain_hard:,} hard ones" if expected.chain_hard else ""
    yield "different scenarios", f"{many} in the {episodes}{then}"


def _expected_notes(expected: "Forecast") -> Iterator[tuple[str, str]]:
    if expected.chains:
        yield "model calls to remember", f"at least {expected.note_calls:,}"
