"""``troupe sotopia generate``."""

import shlex
from typing import Annotated

import typer

from actors.social.generation.template_scenarios import MARKUP_SCALE
from actors.social.sources.entries import VIGNETTES
from actors.text.amounts import many
from gateway.cli.options import Json, NoProbe, open_session
from gateway.cli.terminal.output import escape, note, print_json, print_next, print_pairs, say
from gateway.cli.terminal.progress_bar import bar
from gateway.social.sotopia.generate_items import (
    GenerationForecast,
    GenerationOrder,
    ItemsGenerated,
    Kind,
    forecast,
    generate,
)

NOTHING = "none"
"""What ``--base`` says where items are added to nothing."""


def generate_items(
    kind: Annotated[
        Kind,
        typer.Argument(metavar="KIND", help="characters, relationships or scenarios."),
    ],
    count: Annotated[
        int,
        typer.Option(
            "--n",
            metavar="N",
            min=1,
            help="How many there shall be of this source and seed. More of them begin with the "
            "same ones.",
        ),
    ],
    model: Annotated[
        str,
        typer.Option(
            "--model",
            metavar="NAME|FILE.toml",
            help="The model that writes: its name, or a file with a model's settings as a judge "
            "file has them. Scenarios from CraigslistBargains and MutualFriends need none.",
        ),
    ] = "",
    source: Annotated[
        str,
        typer.Option(
            "--source",
            metavar="vignettes|FILE",
            help="What scenarios are made from: Troupe's vignettes, or a file: vignettes (.toml), "
            "Social Chemistry (.tsv), NormBank (.csv), Social IQa, CraigslistBargains or "
            "MutualFriends (.jsonl).",
        ),
    ] = VIGNETTES,
    seed: Annotated[
        int, typer.Option("--seed", metavar="N", help="Of everything that is drawn.")
    ] = 0,
    catalog: Annotated[
        str,
        typer.Option("--catalog", metavar="NAME", help="The name of the catalog they are for."),
    ] = "generated",
    base: Annotated[
        str,
        typer.Option(
            "--base",
            metavar="CATALOG|none",
            help="The catalog they are added to, whose characters are related and cast.",
        ),
    ] = "starter",
    markup_scale: Annotated[
        float,
        typer.Option(
            "--markup-scale",
            metavar="X",
            min=0.0,
            max=100.0,
            help="The mean markup on a seller's target price, which is exponential.",
        ),
    ] = MARKUP_SCALE,
    dry_run: Annotated[
        bool,
        typer.Option("--dry-run", help="Print what it would ask and cost; ask and store nothing."),
    ] = False,
    no_probe: NoProbe = False,
    json: Json = False,
) -> None:
    """Have a model write characters, relationships or scenarios.

    Characters are drawn from lists and get a secret and texts; relationships get a story that is
    checked from both sides; scenarios are made from vignettes, or from templates that are filled
    with the records of a data set. Each waits for `troupe sotopia review`. The same again goes on
    where it was stopped, and asks nothing that was answered.
    """
    import asyncio

    order = GenerationOrder(
        kind=kind,
        count=count,
        catalog=catalog,
        base="" if base == NOTHING else base,
        source=source,
        seed=seed,
        markup_scale=markup_scale,
    )
    with open_session() as (_, store):
        if dry_run:
            _print_forecast(forecast(store, order, model), json=json)
            return
        try:
            with bar(f"writing {kind}", quiet=json) as report:
                made = asyncio.run(
                    generate(store, order, model, probing=not no_probe, report=report)
                )
        except KeyboardInterrupt:
            note("What was answered is stored: the same command goes on.")
            raise
    if json:
        print_json(made)
        return
    _print_made(made)


def _print_forecast(found: GenerationForecast, *, json: bool) -> None:
    if json:
        print_json(found)
        return
    say(f"[bold]{many(found.items, found.kind.removesuffix('s'))}[/] would be written")
    dollars = "not known: the model file can say prices"
    if found.usd is not None:
        low, high = (f"{one:,.2f}" for one in found.usd)
        dollars = low if low == high else f"{low} to {high}"
    ranges = (
        ("calls", found.calls),
        ("input tokens", found.input_tokens),
        ("output tokens", found.output_tokens),
    )
    rows = [(name, f"{one.low:,} to {one.high:,}") for name, one in ranges]
    if not found.model:
        rows, dollars = [], "0.00"
    print_pairs(
        (
            ("model", escape(found.model) or "none"),
            ("there already", f"{found.known:,}"),
            *rows,
            ("USD", dollars),
        ),
        indent=2,
    )
    say("Nothing was asked or stored.")


def _print_made(made: ItemsGenerated) -> None:
    by = f" by {escape(made.model)}" if made.model else ""
    what = many(made.generated, made.kind.removesuffix("s"))
    before = f"; {made.known:,} were there before" if made.known else ""
    say(f"[bold]{what}[/] written{by}{before}; {many(made.waiting, 'item')} to review")
    for why in made.left_out:
        note(escape(f"left out: {why}"))
    if made.waiting:
        quoted = shlex.quote(made.catalog)
        print_next([(f"troupe sotopia review {quoted}", "accept, edit or drop them, one by one")])
