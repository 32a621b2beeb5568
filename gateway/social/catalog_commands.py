"""``troupe catalog sample``."""

from typing import Annotated

import typer

from gateway.cli.options import Json, open_session
from gateway.cli.terminal.output import escape, note, print_next, print_plain_json, say
from gateway.social.sample_catalog import sample


def sample_catalog(
    source: Annotated[
        str, typer.Argument(metavar="CATALOG", help="The catalog of the scenarios and characters.")
    ],
    name: Annotated[str, typer.Option(metavar="NAME", help="The name of the new catalog.")],
    pairs: Annotated[
        int, typer.Option(metavar="N", min=1, help="The number of pairs for each scenario.")
    ] = 5,
    seed: Annotated[int, typer.Option(metavar="N", help="The seed of the random draw.")] = 0,
    ignore: Annotated[
        list[str] | None,
        typer.Option(
            metavar="CONSTRAINT",
            help="What no pair is held to: relationship, age or occupation. Repeatable.",
        ),
    ] = None,
    both_orders: Annotated[
        bool,
        typer.Option("--both-orders", help="Also cast each pair with its seats exchanged."),
    ] = False,
    json: Json = False,
) -> None:
    """Sample new casts for scenarios: a catalog of sampled tasks.

    For each scenario, draws pairs of characters whose relationship, ages and occupations it allows
    (SOTOPIA, section 2.1). The same catalog, seed and options give the same tasks. Scenarios with
    fewer pairs than asked for are listed.
    """
    with open_session() as (_, store):
        found = sample(
            store,
            source,
            pairs=pairs,
            seed=seed,
            name=name,
            ignore=ignore or (),
            both_orders=both_orders,
        )
    tasks, scenarios = len(found.catalog.tasks), len(found.catalog.scenarios)
    if json:
        print_plain_json(
            {
                "catalog": name,
                "tasks": tasks,
                "scenarios": scenarios,
                "outcome": found.outcome,
                "shortfalls": [str(shortfall) for shortfall in found.shortfalls],
            }
        )
        return
    for shortfall in found.shortfalls:
        note(f"[dim]note: {escape(str(shortfall))}[/]")
    sizes = f"{tasks} tasks of {scenarios} scenarios"
    say(f"Catalog [bold]{escape(name)}[/]: {sizes}; {found.outcome}.")
    print_next([(f"troupe catalog show tasks -c {name}", f'a plan plays them: catalog = "{name}"')])
