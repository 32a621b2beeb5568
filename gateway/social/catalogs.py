"""``troupe catalog sample`` and ``troupe catalog export``."""

from pathlib import Path
from typing import Annotated

import typer

from gateway.cli.output import escape, note, print_json, print_next, print_plain_json, say
from gateway.cli.support import Json, open_session


def add_commands(app: typer.Typer) -> None:
    """Beside the other commands for catalogs."""
    from gateway.cli.catalogs import catalog

    del app
    catalog.command("sample")(sample_catalog)
    catalog.command("export")(export_catalog)


def export_catalog(
    name: Annotated[str, typer.Argument(metavar="CATALOG", help="Its name.")],
    out: Annotated[
        Path, typer.Option("--out", "-o", metavar="DIR", help="The folder to write into.")
    ],
    json: Json = False,
) -> None:
    """Write a catalog to files that SOTOPIA reads.

    Without them it does not know who is meant in exported episodes. Says what the files have no
    room for.
    """
    from gateway.importing import export_catalog

    with open_session() as (_, store):
        written = export_catalog(store, "sotopia", name, out)
    if json:
        print_json(written)
        return
    for text in written.notes:
        note(f"[dim]note: {escape(text)}[/]")
    where = escape(", ".join(written.paths))
    say(f"Catalog [bold]{escape(written.catalog)}[/] written to {where}")


def sample_catalog(
    source: Annotated[
        str, typer.Argument(metavar="CATALOG", help="Where scenarios and characters are from.")
    ],
    name: Annotated[str, typer.Option(metavar="NAME", help="How the new catalog is called.")],
    pairs: Annotated[
        int, typer.Option(metavar="N", min=1, help="Pairs of characters a scenario.")
    ] = 5,
    seed: Annotated[int, typer.Option(metavar="N", help="Another seed, another draw.")] = 0,
    json: Json = False,
) -> None:
    """Cast scenarios anew: a catalog of sampled tasks.

    For each scenario, pairs are drawn whose relationship, ages and occupations it allows (SOTOPIA,
    section 2.1). The same catalog, seed and number give the same tasks.
    """
    from gateway.social.sampling import sample

    with open_session() as (_, store):
        found = sample(store, source, pairs=pairs, seed=seed, name=name)
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
