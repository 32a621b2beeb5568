"""What all commands share: the session they work in, and options that mean the same everywhere."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from evaluators.statistics.populations import Population
from gateway.cli.terminal.output import note
from gateway.settings import Settings, checked, opened, read_settings

if TYPE_CHECKING:
    from store.log.event_store import EventStore

TableFormat = Literal["text", "csv", "latex"]


def _one_form(context: typer.Context, value: Any) -> Any:
    """Refuses two forms of one output, whichever option comes first."""
    context.meta.setdefault("forms", set()).update({value} - {"text", False, None})
    if len(context.meta["forms"]) > 1:
        raise typer.BadParameter("--json is another form than CSV or LaTeX: give one of the two.")
    return value


Json = Annotated[
    bool, typer.Option("--json", help="Print JSON for programs instead.", callback=_one_form)
]
TableFormatOption = Annotated[
    TableFormat,
    typer.Option(
        "--format",
        "-f",
        help="Tables as text, as CSV with exact values, or as LaTeX.",
        callback=_one_form,
    ),
]
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
People = Annotated[
    Path | None,
    typer.Option(
        "--people",
        metavar="FILE.csv",
        help="A human baseline to draw beside the curves of chains (docs/explanation/chains.md).",
    ),
]
Unclean = Annotated[
    bool, typer.Option("--all", help="Take episodes in which an action failed, too.")
]
PopulationOf = Annotated[
    Population | None,
    typer.Option(
        "--population",
        help="What intervals speak of: scenarios like these (the default), these very scenarios "
        "played again (episodes), or chains like these (the default for chains).",
    ),
]


NoProbe = Annotated[
    bool,
    typer.Option(
        "--no-probe", help="Begin without asking each model one tiny request, to see if it answers."
    ),
]


def confirm(question: str) -> None:
    """Ask before an irreversible action; ends the command unless the answer is yes."""
    try:
        typer.confirm(question, abort=True)
    except typer.Abort as error:
        if isinstance(error.__context__, EOFError):
            note("\ntroupe: there is no one to answer: give --yes to do it without being asked")
            raise typer.Exit(1) from None
        raise


@contextmanager
def open_session() -> "Iterator[tuple[Settings, EventStore]]":
    """The settings and the opened store, closed again at the end."""
    settings = checked(read_settings())
    with opened(settings) as store:
        yield settings, store
