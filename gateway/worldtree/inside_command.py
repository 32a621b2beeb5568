"""``troupe worldtree inside``."""

from pathlib import Path
from typing import Annotated, Literal

import typer

from actors.worldtree.catalog_items import Catalog
from actors.worldtree.tasks import samples_of
from evaluators.tables.plain_tables import PlainTable
from evaluators.worldtree.internals.analysis import CACHE, Choices, gather, look
from evaluators.worldtree.internals.attention import read_keywords
from evaluators.worldtree.internals.errors import ensure_installed
from evaluators.worldtree.internals.model_loader import Source
from evaluators.worldtree.internals.tables import tables
from evaluators.worldtree.internals.text_samples import material_of
from evaluators.worldtree.internals.write_page import write
from gateway.cli.options import Json, open_session
from gateway.cli.terminal.output import (
    escape,
    note,
    print_next,
    print_places,
    print_plain,
    print_plain_json,
    say,
    while_working,
)
from gateway.cli.terminal.progress_bar import bar
from gateway.errors import BadArgument
from gateway.services.catalogs.read_catalog import load

SHOWN = ("clusters", "importance-pairs", "attended-by-aspect")
"""Tables that are printed; the others are files alone."""


def inside(
    catalog: Annotated[str, typer.Argument(metavar="CATALOG", help="The catalog of the samples.")],
    model: Annotated[
        str,
        typer.Option(
            "--model",
            metavar="PATH",
            help="The folder of a model, or the name of one that transformers has downloaded.",
        ),
    ],
    out: Annotated[
        Path, typer.Option("--out", "-o", metavar="DIR", help="The folder to write into.")
    ],
    language: Annotated[
        Literal["zh", "en"] | None,
        typer.Option("--language", help="Only samples in this language. Default: both."),
    ] = None,
    keywords: Annotated[
        Path | None,
        typer.Option(
            "--keywords", metavar="FILE.csv", help="Annotators' keywords: columns sample, keyword."
        ),
    ] = None,
    layer: Annotated[
        int, typer.Option("--layer", metavar="N", help="The block whose weights are analysed.")
    ] = -1,
    module: Annotated[
        str,
        typer.Option(
            "--module", metavar="NAME", help="The full name of the layer, instead of --layer."
        ),
    ] = "",
    norm: Annotated[
        Literal["last", "all"],
        typer.Option("--norm", help="|h| of the last token, or the norm over all tokens."),
    ] = "last",
    top: Annotated[
        float,
        typer.Option("--top", metavar="SHARE", help="The share of blocks that count as important."),
    ] = 0.05,
    block: Annotated[
        int,
        typer.Option(
            "--block", metavar="N", min=1, help="The number of rows and columns of a block."
        ),
    ] = 256,
    seed: Annotated[
        int | None,
        typer.Option(
            "--seed",
            metavar="N",
            min=0,
            max=2**32 - 1,
            help="Start t-SNE from random positions with this seed. Default: principal components.",
        ),
    ] = None,
    batch: Annotated[
        int, typer.Option("--batch", metavar="N", min=1, help="The number of samples in a batch.")
    ] = 8,
    dtype: Annotated[
        Literal["auto", "float32", "bfloat16", "float16"],
        typer.Option("--dtype", help="The data type. Default: that of the stored weights."),
    ] = "auto",
    device: Annotated[
        str, typer.Option("--device", metavar="NAME", help="The device: cpu, cuda, cuda:1, mps, …")
    ] = "cpu",
    download: Annotated[
        bool, typer.Option("--download", help="Download the model if it is not on this machine.")
    ] = False,
    json: Json = False,
) -> None:
    """Analyse how a model represents abilities.

    Runs the model on the question and the right answer of each sample with one ability. Plots the
    last hidden states, the weights that are important for each aspect, and the words with the most
    attention. Results are cached in the folder, so that a stopped analysis continues, and other
    figures of the same model need no second pass. `make inside` installs the requirements.
    """
    if not 0 < top <= 1:
        raise BadArgument("--top", str(top), "is a share: more than 0, and at most 1")
    ensure_installed()
    with open_session() as (_, store):
        samples = samples_of(load(store, catalog, Catalog))
    material = material_of(samples, language)
    marked = read_keywords(keywords, material.texts) if keywords else {}
    source = Source(model, download, dtype, device)
    choices = Choices(
        layer=layer,
        module=module,
        norm=norm,
        top=top,
        block=block,
        seed=seed,
        batch=batch,
    )
    with bar("Reading", quiet=json) as progress:
        gathered = gather(material, source, choices, out / CACHE, progress)
    with while_working("Drawing"):
        looked = look(gathered, marked)
        page = write(looked, catalog, out)
    shown = [table for table in tables(looked) if table.name in SHOWN]
    if json:
        print_plain_json(
            {
                "page": str(page),
                "samples": len(looked.texts),
                "weights": looked.layer.name,
                "notes": list(looked.notes),
                **{_key(table.name): _rows(table) for table in shown},
            }
        )
        return
    for text in looked.notes:
        note(f"[dim]note: {escape(text)}[/]")
    say(f"{len(looked.texts)} samples, weights of [bold]{escape(looked.layer.name)}[/]:\n")
    for table in shown:
        print_plain(table)
        say()
    say(
        "[dim]Purity: the share of a sample's ten nearest that are of its kind. Both, only a, only "
        "b: how many blocks of weights are important for these aspects.[/]"
    )
    print_places([("page", page)])
    print_next(
        [(f"troupe worldtree report RUN --inside {out}", "include these figures in the report")]
    )


def _rows(table: PlainTable) -> list[dict[str, object]]:
    names = [_key(column.name) for column in table.columns]
    return [dict(zip(names, row, strict=True)) for row in table.rows]


def _key(name: str) -> str:
    return name.replace("-", "_").replace(" ", "_")
