"""What a plan means, in the terminal: ``troupe run PLAN.toml --dry-run``."""

import asyncio
from collections.abc import Iterator
from typing import TYPE_CHECKING

from gateway.cli.output import escape, print_pairs, print_plain, say
from gateway.cli.plain_lists import dollars, estimates_table, range_text

if TYPE_CHECKING:
    from actors.runs.forecast import Forecast
    from events.run import Plan
    from gateway.plans import Prepared


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
                f"[yellow]The budget of {dollars(budget)} $ is below the least that is expected: "
                "the run will pause.[/]"
            )
    say("Nothing was played or stored.")


def _print_estimates(expected: "Forecast") -> None:
    table = estimates_table(expected.estimates)
    print_plain(table)
    usd = expected.usd
    spent = (
        "not known: a price is missing" if usd is None else f"{range_text(*map(dollars, usd))} $"
    )
    print_pairs((("to be spent", spent),), indent=2)
    say(f"[dim]{table.note[0].upper()}{table.note[1:]}.[/]")


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
