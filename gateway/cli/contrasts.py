"""``troupe contrast``: the tests that papers print, as tables in the terminal."""

from typing import TYPE_CHECKING, Annotated

import typer

from evaluators.questions import QUESTIONS, Part
from gateway.cli.comparing import p_text
from gateway.cli.output import Column, escape, heading, is_wide, print_json, print_table, say
from gateway.cli.support import Json, RunId, open_session

if TYPE_CHECKING:
    from evaluators.contrasts import Contrast, Side
    from evaluators.families import Family, Tested
    from evaluators.populations import Population

app = typer.Typer()


@app.command()
def contrast(
    run_id: RunId,
    between: Annotated[
        list[str] | None,
        typer.Option(
            "--between",
            "-b",
            metavar="QUESTION",
            help=f"Only this: {', '.join(QUESTIONS)}; may be repeated.",
        ),
    ] = None,
    judge: Annotated[
        list[str] | None,
        typer.Option("--judge", "-j", metavar="JUDGE", help="Only by this judge; may be repeated."),
    ] = None,
    dimension: Annotated[
        list[str] | None,
        typer.Option(
            "--dimension",
            "-d",
            metavar="NAME",
            help="Only this, or all; may be repeated. Default: those the environment shows first.",
        ),
    ] = None,
    part: Annotated[
        Part, typer.Option("--part", help="Only these scenarios of chains (minds, memories).")
    ] = "all",
    json: Json = False,
) -> None:
    """Test minds, memories, hard scenarios and slopes of a run against each other.

    Mean ± standard deviation of both sides, their difference with a 95 % interval, p, Holm's p
    over all tests of the question, Cohen's d and n (docs/statistics.md).
    """
    from gateway.cli.tables import no_finding
    from gateway.contrasts import run_contrasts

    with open_session() as (_, store):
        shown = run_contrasts(
            store,
            run_id,
            judges=judge or (),
            dimensions=dimension or (),
            between=between or (),
            part=part,
        )
    if json:
        print_json(shown)
        return
    if not shown.families:
        say("Nothing to test here: it takes scores of two minds, two memories, or a hard part.")
    for family in shown.families:
        print_family(family)
    if shown.rehearsal_minds or shown.rehearsal_judges:
        say(f"\n[yellow]{escape(no_finding(shown.rehearsal_minds, shown.rehearsal_judges))}[/]")


def print_family(family: "Family") -> None:
    """All tests of one question by one judge."""
    heading(family.title, _note(family.population))
    numbers = ("A", "B", "A−B", "p", "p Holm", "d", "n")
    print_table(
        ("", "A − B", *(Column(name, "number") for name in numbers)),
        [_row(test, family.population) for test in family.tests],
    )
    for why, tests in _untested(family).items():
        say(f"[dim]no test of {escape('; '.join(tests))}: {escape(why)}[/]")
    if any(test.contrast.difference.few for test in family.tests):
        say(f"[dim](n): the interval rests on few {family.population}[/]")


def _note(population: "Population") -> str:
    of = "the chains' means" if population == "chains" else "scores"
    return (
        f"A, B: mean ± standard deviation of {of}; t tests over {population}, with 95 % intervals; "
        "n: pairs, or both sides where they are not paired (w, Welch's test)"
    )


def _row(test: "Tested", population: "Population") -> tuple[object, ...]:
    from evaluators.registry import abbreviation

    found = test.contrast
    return (
        abbreviation(test.dimension),
        _named(test),
        _side(found.a, population),
        _side(found.b, population),
        _difference(found),
        "–" if found.p is None else p_text(found.p).removeprefix("p "),
        "–" if found.p_holm is None else p_text(found.p_holm).removeprefix("p "),
        "–" if found.effect is None else f"{found.effect:.2f}",
        f"{found.n}{'' if found.test == 'paired t' else ' w'}",
    )


def _named(test: "Tested") -> str:
    of = f"{test.of}: " if test.of else ""
    return f"{of}{test.contrast.a.label} − {test.contrast.b.label}"


def _side(side: "Side", population: "Population") -> str:
    if side.mean.value is None:
        return "–"
    sd = side.unit_sd if population == "chains" else side.mean.sd
    digits = 2 if abs(side.mean.value) >= 0.1 or not side.mean.value else 3
    return f"{side.mean.value:.{digits}f}" + ("" if sd is None else f" ±{sd:.{digits}f}")


def _difference(found: "Contrast") -> str:
    change = found.difference
    if change.value is None:
        return "–"
    digits = 2 if abs(change.value) >= 0.1 or not change.value else 3
    text = f"{change.value:+.{digits}f}"
    if change.low is None or change.high is None:
        return text
    few = f" ({change.clusters})" if change.few else ""
    between = " " if is_wide() else "\n"
    return f"{text}{between}[{change.low:.{digits}f}, {change.high:.{digits}f}]{few}"


def _untested(family: "Family") -> dict[str, list[str]]:
    """Why some tests could not be made, and which."""
    found: dict[str, list[str]] = {}
    for test in family.tests:
        if test.contrast.difference.why:
            found.setdefault(test.contrast.difference.why, []).append(
                f"{_named(test)} ({test.dimension})"
            )
    return found
