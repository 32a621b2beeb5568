"""What all commands share: the session they work in, and options that mean the same everywhere."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

import typer

from gateway.settings import Settings, checked, read_settings

if TYPE_CHECKING:
    from store.log import EventStore

Json = Annotated[bool, typer.Option("--json", help="Print JSON for programs instead.")]
Viewer = Annotated[
    str,
    typer.Option(
        "--as", metavar="SEAT|narrator|spectator", help="Whose eyes: a seat (from 1), or who else."
    ),
]
RunId = Annotated[str, typer.Argument(metavar="RUN", help="A run's id, or how it begins.")]
EpisodeId = Annotated[
    str, typer.Argument(metavar="EPISODE", help="An episode's id, or how it begins.")
]
RunOrEpisode = Annotated[
    str, typer.Argument(metavar="RUN|EPISODE", help="The id of either, or how it begins.")
]
RunChainOrEpisode = Annotated[
    str, typer.Argument(metavar="RUN|CHAIN|EPISODE", help="The id of one, or how it begins.")
]


NoProbe = Annotated[
    bool,
    typer.Option(
        "--no-probe", help="Begin without asking each model one tiny request, to see if it answers."
    ),
]


@contextmanager
def open_session() -> "Iterator[tuple[Settings, EventStore]]":
    """The settings and the opened store, closed again at the end."""
    from store.opening import open_store

    settings = checked(read_settings())
    store = open_store(settings.database_url, most_queued=settings.tuning.append_queue)
    try:
        yield settings, store
    finally:
        store.close()
