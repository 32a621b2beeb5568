"""What a plan means, in the terminal: ``troupe run PLAN.toml --dry-run``."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from evaluators.tables.plain_tables import Cell, PlainColumn, PlainTable
from gateway.cli.terminal.output import (
    TableFormat,
    capitalized,
    escape,
    print_pairs,
    print_plain,
    print_result,
    say,
    while_working,
)
from gateway.services.runs.forecast_run import estimated

if TYPE_CHECKING:
    from actors.runs.forecast.estimates import Estimate, Range
    from actors.runs.forecast.forecast import Forecast
    from events.run import Plan
    from gateway.services.runs.plan_run import Prepared


def forecast_of(prepared: "Prepared") -> "Forecast":
    """What a plan means, worked out while it is said that it is: of hundreds of tasks, and for
    the prices of models, that takes seconds."""
    with while_working("working out what it asks of its models"):
        return estimated(prepared)


def print_forecast(plan: "Plan", expected: "Forecast", *, json: bool, form: TableFormat) -> None:
    """What a plan means before anything is spent, in the form that was asked for."""
    estimates = expected.estimates
    if print_result(expected, json=json, form=form, tables=lambda: [estimates_table(estimates)]):
        return
    judged = bool(expected.evaluations)
    say(f"[bold]Plan {escape(plan.name)}[/] means")
    print_pairs(
        (
            *_expected_episodes(expected),
            *_expected_people(plan, expected),
            ("evaluations", f"{expected.evaluations:,}" if judged else "none: nothing is judged"),
            ("questions to models", _at_most(expected.play_calls)),
            *_expected_notes(expected),
            ("model calls to judge", f"at least {expected.judge_calls:,}" if judged else "none"),
        ),
        indent=2,
    )
    if expected.estimates:
        _print_estimates(expected)
        budget = plan.budget.usd
        if budget and expected.usd is not None and expected.usd[0] > budget:
            say(
                f"[yellow]The budget of {_dollars(budget)} USD is below the least that is "
                "expected: the run will pause.[/]"
            )
    say("Nothing was played or stored.")


def estimates_table(estimates: "Sequence[Estimate]") -> PlainTable:
    """What a plan will ask of its models."""
    kinds = {
        "mind": "plays",
        "plans": "plans and reflects",
        "memory": "remembers",
        "judge": "judges",
    }
    numbers = (
        ("calls", "calls"),
        ("input_tokens", "input tokens"),
        ("output_tokens", "output tokens"),
    )
    return PlainTable(
        "estimates",
        "What the plan will ask of its models",
        (
            PlainColumn("who", only_people=True, heading="who (model)"),
            PlainColumn("name", only_csv=True),
            PlainColumn("kind", only_csv=True),
            PlainColumn("model", only_csv=True),
            *(
                column
                for name, heading in (*numbers, ("usd", "USD"))
                for column in (
                    PlainColumn(name, "number", heading=heading, only_people=True),
                    PlainColumn(f"{name}_least", "number", only_csv=True),
                    PlainColumn(f"{name}_most", "number", only_csv=True),
                )
            ),
        ),
        tuple(
            (
                f"{one.name} {kinds[one.kind]} ({one.model})",
                one.name,
                one.kind,
                one.model,
                *(cell for name, _ in numbers for cell in _ends(getattr(one, name))),
                "?" if one.usd is None else _range_text(*map(_dollars, one.usd)),
                *(one.usd or (None, None)),
            )
            for one in estimates
        ),
        note="from half of the turns with short answers to every turn with answers as long as they "
        "may be, asked for again as often as they may be; what a provider's cache saves is not in "
        "it",
    )


def _print_estimates(expected: "Forecast") -> None:
    table = estimates_table(expected.estimates)
    print_plain(table)
    usd = expected.usd
    spent = (
        "not known: a price is missing"
        if usd is None
        else f"{_range_text(*map(_dollars, usd))} USD"
    )
    print_pairs((("to be spent", spent),), indent=2)
    say(f"[dim]{capitalized(table.note)}.[/]")


def _at_most(calls: int | None) -> str:
    if calls is None:
        return "as many as it takes"
    return f"at most {calls:,}" if calls else "none"


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


def _expected_people(plan: "Plan", expected: "Forecast") -> Iterator[tuple[str, str]]:
    if not expected.people_seats:
        return
    people = plan.people
    yield "seats for people", f"{expected.people_seats:,}, each free until somebody takes it"
    if not people.deadline_s:
        yield "time for a turn", "as long as it takes"
        return
    follows = {
        "nothing": "then nothing is done in their place",
        "takeover": f"then {people.substitute.name if people.substitute else 'the mind before'}"
        " takes the seat",
        "end": "then the episode ends",
    }
    yield "time for a turn", f"{people.deadline_s:,g} s, {follows[people.late]}"


def _expected_notes(expected: "Forecast") -> Iterator[tuple[str, str]]:
    if expected.chains:
        yield "model calls to remember", f"at least {expected.note_calls:,}"


def _dollars(value: float) -> str:
    """Money; cents where they matter."""
    return f"{value:,.2f}" if value < 10 else f"{value:,.0f}"


def _range_text(low: str, high: str) -> str:
    """From one to the other, or the one where they are alike."""
    return low if low == high else f"{low}–{high}"


def _ends(of: "Range") -> tuple[Cell, ...]:
    return _range_text(_rounded(of.low), _rounded(of.high)), of.low, of.high


def _rounded(number: int) -> str:
    for size, letter in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if number >= 10 * size:
            return f"{number / size:,.0f}{letter}"
        if number >= size and letter != "k":
            return f"{number / size:.1f}{letter}"
    return f"{number:,}"
