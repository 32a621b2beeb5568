"""``troupe memory-scenarios …``: scenarios that need facts of earlier episodes."""

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import groupby
from typing import Annotated

import typer

from actors.social.hard_scenarios.generator import Funnel
from actors.text.amounts import many
from gateway.cli.commands.run.runs import carry_out
from gateway.cli.lazy_commands import keep_former_names
from gateway.cli.options import ChainOrRun, Json, NoProbe, TableFormatOption, Yes, open_session
from gateway.cli.terminal.consent_prompt import agree
from gateway.cli.terminal.output import (
    console,
    escape,
    heading,
    note,
    print_next,
    print_plain,
    print_result,
    say,
)
from gateway.models.probe_models import models_of
from gateway.services.results.no_findings import no_finding
from gateway.services.runs.confirm_destinations import destinations_of_models
from gateway.social.continue_chains import prepare_continuation, record_continuation
from gateway.social.fact_tables import facts_table, scenarios_table, shares_table
from gateway.social.facts_used import FactRow, FactShare, FactsRecalled, facts_recalled
from gateway.social.memory_scenarios import HardMade, listed, make

app = typer.Typer(
    no_args_is_help=True,
    help="Build scenarios that need memory; measure its use. Their goals depend on facts of "
    "earlier episodes: generate scenarios from the past of a chain, and continue it with them.",
)

LONGEST = 160
"""Characters of a quote in the terminal; `--json` has all of it."""


@app.command()
def generate(
    what: ChainOrRun,
    facts: Annotated[
        int,
        typer.Option(
            "--facts", metavar="K", min=1, help="The number of facts that each scenario needs."
        ),
    ] = 2,
    scenarios: Annotated[
        int,
        typer.Option(
            "--scenarios", metavar="N", min=1, help="The number of scenarios for each chain."
        ),
    ] = 2,
    model: Annotated[
        str,
        typer.Option(
            "--model",
            metavar="NAME",
            help="The model that finds the facts: a mind of the run, or a model of a provider. "
            "Default: built-in rules.",
        ),
    ] = "",
    written: Annotated[
        bool, typer.Option("--written", help="Also have this model write the scenarios.")
    ] = False,
    max_tokens: Annotated[
        int,
        typer.Option(
            "--max-tokens", metavar="N", min=1, help="The maximum length of the model's answers."
        ),
    ] = 2000,
    catalog: Annotated[
        str, typer.Option("--catalog", metavar="NAME", help="The name of the new catalog.")
    ] = "hard",
    yes: Yes = False,
    no_probe: NoProbe = False,
    json: Json = False,
) -> None:
    """Generate scenarios from what was said in a chain.

    Built-in rules or a model find offers, promises, preferences, secrets and other facts in the
    episodes of the chain. The goal of each scenario needs K of these facts. A scenario that reveals
    a fact, or needs one that its seat never heard, is rejected. The result is a catalog for plans.
    """
    import asyncio

    with open_session() as (_, store):
        made = asyncio.run(
            make(
                store,
                what,
                facts=facts,
                scenarios=scenarios,
                catalog=catalog,
                model=model,
                written=written,
                max_tokens=max_tokens,
                probing=not no_probe,
                agree=partial(agree, yes=yes),
            )
        )
    if not print_result(made, json=json):
        _print_made(made)


@app.command()
def play(
    what: ChainOrRun,
    catalog: Annotated[
        str, typer.Option("--catalog", metavar="NAME", help="The catalog of the scenarios.")
    ] = "hard",
    yes: Yes = False,
    no_probe: NoProbe = False,
    json: Json = False,
) -> None:
    """Continue chains with their generated scenarios.

    Creates a new run that continues each chain with the same minds and memories, in the scenarios
    that were generated from it. Nothing is replayed. The run uses the judges of the original run,
    and the judge `facts`.
    """
    with open_session() as (settings, store):
        prepared = prepare_continuation(store, what, catalog)
        if prepared.unknown:
            asked = destinations_of_models(prepared.models, len(prepared.planned.episodes))
            agree(f"what {what} goes on with", asked, yes=yes)
        carry_out(
            settings,
            store,
            prepared.run,
            lambda: record_continuation(store, prepared),
            prepared.planned.plan,
            models=[] if no_probe else models_of(prepared.planned),
            as_json=json,
        )


@app.command("list")
def list_hard(
    catalog: Annotated[
        str | None,
        typer.Option("--catalog", "-c", metavar="NAME", help="Only this catalog. Default: all."),
    ] = None,
    form: TableFormatOption = "text",
    json: Json = False,
) -> None:
    """List the scenarios that need facts of earlier episodes."""
    with open_session() as (_, store):
        found = listed(store, catalog)
    if print_result(found, json=json, form=form, tables=lambda: [scenarios_table(found)]):
        return
    if found:
        print_plain(scenarios_table(found))
    else:
        say("No scenario here needs facts of earlier episodes.")


@app.command("recall")
def recall(
    what: ChainOrRun,
    form: TableFormatOption = "text",
    json: Json = False,
) -> None:
    """Show which seats used which facts.

    A seat used a fact if it mentions the fact before another seat does. A fact *came up* if the
    seat saw it in an earlier episode of the chain; facts that never came up cannot be used.
    """
    with open_session() as (_, store):
        found = facts_recalled(store, what)
    if print_result(
        found,
        json=json,
        form=form,
        tables=lambda: [shares_table(found.shares), facts_table(found.rows)],
    ):
        return
    if found.rows:
        _print_used(found)
    else:
        of = escape(found.run or what)
        say(f"No episode of {of} that was played needs facts of earlier ones.")
        print_next([("troupe memory-scenarios list", "list the scenarios that do")])


keep_former_names(app, {"use": "recall"})


def print_shares(shares: Sequence[FactShare]) -> None:
    """How minds used the facts they needed, by memory."""
    print_plain(shares_table(shares))


def _print_made(made: HardMade) -> None:
    for chain in made.chains:
        for why in (*chain.rejected, *chain.refused):
            note(f"[dim]note: {escape(why)}[/]")
        heading(f"Chain {chain.chain}", "\n".join(_funnel(chain.funnel)))
        for scenario in chain.scenarios:
            say(f"  [bold]{escape(scenario.id)}[/] {escape(scenario.codename)}")
            for fact in scenario.needs:
                seats = ", ".join(str(seat + 1) for seat in fact.seats)
                text = escape(_short(fact.text))
                say(f"[dim]seat {seats}, {fact.kind}:[/] {text}", indent=4)
    made_of = f"{made.scenarios} new scenarios; {made.outcome}."
    say(f"\nCatalog [bold]{escape(made.catalog)}[/]: {made_of}")
    say("\nA plan with these lines plays the first chain anew, with whatever minds, and then them:")
    for line in made.plan.splitlines():
        console().print(escape(line), soft_wrap=True)
    print_next(
        [
            (
                f"troupe memory-scenarios play {made.given} --catalog {made.catalog}",
                "continue the chains with these scenarios",
            ),
            (
                f"troupe memory-scenarios list -c {made.catalog}",
                "list the scenarios and their facts",
            ),
        ]
    )


def _funnel(funnel: Funnel) -> Iterator[str]:
    """Why so much that was said gave so many scenarios, line by line."""
    yield f"{many(funnel.found, 'fact')} found in {funnel.looked_at:,} {funnel.unit}; of the rest"
    for lost in funnel.passed_over:
        if lost.count:
            yield f"  {lost.count:,} {lost.why}"
    for seat in funnel.seats:
        parts = (
            (seat.used, "asked for"),
            (seat.shown_anyway, "shown to it anyway"),
            (seat.never_came_up, "not seen by it whole"),
            (seat.left, "left over"),
        )
        shares = ", ".join(f"{count} {what}" for count, what in parts if count)
        yield f"seat {seat.seat + 1} was told {seat.told}" + (f": {shares}" if shares else "")
    asked = f"{many(funnel.made, 'scenario')} of the {funnel.asked} asked for with --scenarios"
    more = f"; --scenarios {funnel.most} would use what is left" * (funnel.most > funnel.asked)
    yield asked + more


def _print_used(found: FactsRecalled) -> None:
    heading(f"Facts used in run {found.run}" if found.run else "Facts used")
    print_shares(found.shares)
    heading("Fact by fact")
    for (episode, seat), facts in groupby(found.rows, key=lambda row: (row.episode, row.seat)):
        rows = list(facts)
        played = f"{rows[0].mind}, {rows[0].memory}" if rows[0].memory else rows[0].mind
        say(
            f"{escape(episode)}  {escape(rows[0].scenario)} [dim](index {rows[0].index})[/], "
            f"seat {seat + 1} {escape(rows[0].character)} [dim]({escape(played)})[/]",
            indent=2,
        )
        for row in rows:
            fact = f"[dim]{row.fact.kind}:[/] {escape(_short(row.fact.text))}"
            say(f"{_outcome(row)} {fact}", indent=4)
            for number, quote in zip(row.evidence, row.quotes, strict=False):
                say(f"[dim]#{number}[/] {escape(_short(quote))}", indent=6)
    if found.rehearsal_minds:
        say(f"\n[yellow]{escape(no_finding(found.rehearsal_minds, ()))}[/]")


def _outcome(row: FactRow) -> str:
    outcome = "[green]used[/]" if row.used else "[yellow]not used[/]"
    if not row.came_up:
        outcome += ", never came up"
    if row.told_by is not None:
        outcome += f", seat {row.told_by + 1} said it first"
    return outcome + ";"


def _short(text: str) -> str:
    return text if len(text) <= LONGEST else f"{text[:LONGEST].rpartition(' ')[0]} …"
