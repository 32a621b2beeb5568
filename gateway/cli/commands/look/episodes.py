"""``troupe show``, ``watch``, ``replay``."""

from functools import partial
from typing import Annotated

import typer
from msgspec.structs import replace

from gateway.cli.commands.look.chains import print_chain
from gateway.cli.options import (
    EpisodeId,
    Json,
    PopulationOf,
    RunChainOrEpisode,
    TableFormatOption,
    Viewer,
    open_session,
)
from gateway.cli.terminal.output import print_json, print_result
from gateway.cli.views.calls import print_calls
from gateway.cli.views.plain_lists import chain_table, episode_scores_table
from gateway.cli.views.run_tables import MOST_EPISODES, print_run
from gateway.cli.views.transcripts import print_episode, print_replay
from gateway.cli.views.watch_episode import watch_chain, watch_episode
from gateway.cli.views.watch_run import watch_run
from gateway.errors import BadArgument
from gateway.services.calls.find_calls import episode_calls
from gateway.services.episodes.episode_details import (
    episode_details,
    mark_of,
    replay_details,
)
from gateway.services.results.chain_details import chain_details
from gateway.services.runs.resolve_ids import ResolvedId, run_chain_or_episode
from gateway.services.runs.run_details import run_details
from gateway.services.runs.run_status import only_run_under_way, standing_of
from gateway.services.runs.run_tables import RunTable, run_tables


def show(
    what: RunChainOrEpisode,
    viewer: Viewer = "narrator",
    population: PopulationOf = None,
    form: TableFormatOption = "text",
    table: Annotated[
        RunTable, typer.Option("--table", help="For a run: the table to print with --format.")
    ] = "scores",
    raw: Annotated[
        bool,
        typer.Option("--raw", help="For an episode: print unreadable answers in full."),
    ] = False,
    calls: Annotated[
        bool,
        typer.Option(
            "--calls", help="For an episode: print each model call with its prompt and raw answer."
        ),
    ] = False,
    seat: Annotated[
        int | None, typer.Option("--seat", metavar="N", min=1, help="With --calls: only this seat.")
    ] = None,
    turn: Annotated[
        int | None, typer.Option("--turn", metavar="N", min=1, help="With --calls: only this turn.")
    ] = None,
    json: Json = False,
) -> None:
    """Show a run's tables, a chain's episodes, or a transcript.

    For a run: its episodes, the scores of each judge, model calls and failures. For a chain: its
    episodes in order. For an episode: the players, what happened, and the scores of each judge.

    With --calls: the requests of an episode's seats, memories, judges and interviews to models, the
    raw answers, and how each was read; with --json one call a line. They contain secrets and goals.
    """
    # What takes its time is loaded only where it is needed: the statistics of a run, what
    # counts tokens and draws curves of a chain.
    with open_session() as (settings, store):
        meant = run_chain_or_episode(store, what)
        if population is not None and meant.kind != "run":
            why = f"is of the tables of a run; {meant.id} is one {meant.kind}"
            raise BadArgument("--population", population, why)
        if raw and meant.kind != "episode":
            raise BadArgument("--raw", meant.id, f"is one {meant.kind}; only episodes have answers")
        if calls and meant.kind != "episode":
            why = f"is one {meant.kind}; `troupe export {meant.id} --format calls` writes its calls"
            raise BadArgument("--calls", meant.id, why)
        if not calls and (seat or turn):
            name, given = ("--seat", seat) if seat else ("--turn", turn)
            raise BadArgument(name, str(given), "chooses among the calls of --calls")
        if calls and (viewer != "narrator" or form != "text"):
            why = "is for who may know everything, and takes neither --as nor --format"
            raise BadArgument("--calls", meant.id, why)
        if calls:
            place = None if seat is None else seat - 1
            found = episode_calls(store, meant.id, seat=place, turn=turn)
            print_calls(found, as_json=json)
        elif meant.kind == "run":
            most = None if json or form != "text" else MOST_EPISODES
            run = run_details(store, meant.id, listed=most, population=population)
            if form == "text":
                run = replace(run, standing=standing_of(settings, store, run.run))
            tables = partial(run_tables, run, table, as_one=form == "csv")
            if not print_result(run, json=json, form=form, tables=tables):
                print_run(run)
        elif meant.kind == "chain":
            chain = chain_details(store, meant.id)
            if not print_result(chain, json=json, form=form, tables=lambda: [chain_table(chain)]):
                print_chain(chain)
        else:
            episode = episode_details(store, meant.id, viewer)
            scores = episode.scores
            if not print_result(
                episode, json=json, form=form, tables=lambda: [episode_scores_table(scores)]
            ):
                mark = mark_of(store, episode.episode) if viewer == "narrator" else ""
                print_episode(episode, raw=raw, mark=mark)


def watch(
    what: Annotated[
        str | None,
        typer.Argument(
            metavar="RUN|CHAIN|EPISODE",
            help="The id of a run, a chain or an episode, or a unique prefix of it. Default: the "
            "current run.",
        ),
    ] = None,
    viewer: Viewer = "narrator",
    json: Json = False,
) -> None:
    """Follow a run, a chain or an episode as it is played.

    Works whichever process plays it. For a run: progress, pace, time left, cost, seats that are
    waited for, and each episode as it ends, until the run is over (exit code 0), paused (3) or
    stopped (130). For an episode: what happened so far, then each action as it is stored, until it
    ends or its run pauses. For a chain: its episodes, one after the other. With --json: one line
    for each episode or action, and for a run one every ten seconds.
    """
    with open_session() as (settings, store):
        if what is None:
            meant = ResolvedId("run", only_run_under_way(settings, store))
        else:
            meant = run_chain_or_episode(store, what)
        if meant.kind == "run":
            watch_run(settings, store, meant.id, as_json=json)
        elif meant.kind == "chain":
            watch_chain(settings, store, meant.id, viewer, as_json=json)
        else:
            watch_episode(settings, store, meant.id, viewer, as_json=json)


def replay(
    episode_id: EpisodeId,
    at: Annotated[
        int | None,
        typer.Option("--at", metavar="N", help="The last event to include. Default: the latest."),
    ] = None,
    viewer: Viewer = "narrator",
    json: Json = False,
) -> None:
    """Show an episode as it was after an event.

    Shows the transcript as the viewer could see it then; for the narrator also the events and the
    state. It is computed from stored events: nothing is played, and no model is called.
    """
    with open_session() as (_, store):
        shown = replay_details(store, episode_id, at, viewer)
    print_json(shown) if json else print_replay(shown)
