"""What all commands share: the session they work in, and options that mean the same everywhere."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from evaluators.statistics.populations import Population
from gateway.cli.terminal.output import TableFormat, note
from gateway.settings import Settings, checked, opened, read_settings

if TYPE_CHECKING:
    from store.log.event_store import EventStore


T = TypeVar("T")


def _one_form(context: typer.Context, value: T) -> T:
    """Refuses two forms of one output, whichever option comes first."""
    context.meta.setdefault("forms", set()).update({value} - {"text", False, None})
    if len(context.meta["forms"]) > 1:
        raise typer.BadParameter("--json is another form than CSV or LaTeX: give one of the two.")
    return value


Json = Annotated[
    bool, typer.Option("--json", help="Print JSON instead of text.", callback=_one_form)
]
TableFormatOption = Annotated[
    TableFormat,
    typer.Option(
        "--format",
        "-f",
        help="Print tables as text, as CSV with exact values, or as LaTeX.",
        callback=_one_form,
    ),
]
Yes = Annotated[bool, typer.Option("--yes", help="Do not ask for confirmation.")]
Viewer = Annotated[
    str,
    typer.Option(
        "--as",
        metavar="SEAT|narrator|spectator",
        help="Show only what this viewer may see: a seat (from 1), the narrator (everything), or a "
        "spectator.",
    ),
]
RunId = Annotated[
    str, typer.Argument(metavar="RUN", help="The id of a run, or a unique prefix of it.")
]
RunIds = Annotated[
    list[str],
    typer.Argument(metavar="RUN…", help="The ids of one or more runs, or unique prefixes of them."),
]
EpisodeId = Annotated[
    str, typer.Argument(metavar="EPISODE", help="The id of an episode, or a unique prefix of it.")
]
ChainId = Annotated[
    str, typer.Argument(metavar="CHAIN", help="The id of a chain, or a unique prefix of it.")
]
RunOrEpisode = Annotated[
    str,
    typer.Argument(
        metavar="RUN|EPISODE", help="The id of a run or an episode, or a unique prefix of it."
    ),
]
ChainOrRun = Annotated[
    str,
    typer.Argument(
        metavar="CHAIN|RUN", help="The id of a chain or a run, or a unique prefix of it."
    ),
]
RunChainOrEpisode = Annotated[
    str,
    typer.Argument(
        metavar="RUN|CHAIN|EPISODE",
        help="The id of a run, a chain or an episode, or a unique prefix of it.",
    ),
]
Judges = Annotated[
    list[str] | None,
    typer.Option("--judge", "-j", metavar="JUDGE", help="Only scores by this judge. Repeatable."),
]
Dimensions = Annotated[
    list[str] | None,
    typer.Option("--dimension", "-d", metavar="NAME", help="Only this dimension. Repeatable."),
]
People = Annotated[
    Path | None,
    typer.Option(
        "--people",
        metavar="FILE.csv",
        help="A human baseline to draw beside the curves of chains (docs/explanation/chains.md).",
    ),
]
Unclean = Annotated[bool, typer.Option("--all", help="Include episodes with failed actions.")]
PopulationOf = Annotated[
    Population | None,
    typer.Option(
        "--population",
        help="The population that intervals generalize to: similar scenarios (default), new "
        "episodes of the same scenarios, or similar chains (default for chains).",
    ),
]
BudgetUsd = Annotated[
    float,
    typer.Option(
        "--budget-usd", metavar="USD", min=0, help="Pause the run at this cost; 0: no limit."
    ),
]
BaseUrl = Annotated[
    str,
    typer.Option("--base-url", metavar="URL", help="The model server. Default: the provider's."),
]
ApiKeyEnv = Annotated[
    str,
    typer.Option(
        "--api-key-env", metavar="NAME", help="The environment variable that holds the API key."
    ),
]
Detach = Annotated[
    bool, typer.Option("--detach", help="Leave the run to `troupe serve` and return at once.")
]
NoProbe = Annotated[
    bool,
    typer.Option(
        "--no-probe", help="Do not check first, by one tiny request, that each model answers."
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
