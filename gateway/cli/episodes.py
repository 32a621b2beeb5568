"""``troupe show``, ``watch``, ``replay``."""

from typing import Annotated

import typer
from msgspec.structs import replace

from gateway.cli.output import print_json, print_tables
from gateway.cli.support import (
    EpisodeId,
    Json,
    PopulationOf,
    RunChainOrEpisode,
    TableFormatOption,
    Viewer,
    open_session,
)
from gateway.run_tables import RunTable

app = typer.Typer()


@app.command()
def show(
    what: RunChainOrEpisode,
    viewer: Viewer = "narrator",
    population: PopulationOf = None,
    form: TableFormatOption = "text",
    table: Annotated[
        RunTable, typer.Option("--table", help="Which of a run's tables --format prints.")
    ] = "scores",
    json: Json = False,
) -> None:
    """Show a run's tables, a chain's episodes, or a transcript.

    A run: its episodes, each judge's scores, model calls, and what went wrong. A chain: its
    episodes in order. An episode: who plays, what happened, and how each judge scored it.
    """
    from gateway.cli.plain_lists import chain_table, episode_scores_table
    from gateway.errors import BadArgument
    from gateway.lookup import run_chain_or_episode

    # What takes its time is loaded only where it is needed: the statistics of a run, what
    # counts tokens and draws curves of a chain.
    with open_session() as (settings, store):
        meant = run_chain_or_episode(store, what)
        if population is not None and meant.kind != "run":
            why = f"is of the tables of a run; {meant.id} is one {meant.kind}"
            raise BadArgument("--population", population, why)
        if meant.kind == "run":
            from gateway.cli.tables import MOST_EPISODES, print_run
            from gateway.read_models import run_details
            from gateway.run_tables import run_tables
            from gateway.standing import standing_of

            most = None if json or form != "text" else MOST_EPISODES
            run = run_details(store, meant.id, listed=most, population=population)
            if form != "text":
                print_tables(run_tables(run, table, as_one=form == "csv"), form)
                return
            run = replace(run, standing=standing_of(settings, store, run.run))
            print_json(run) if json else print_run(run)
        elif meant.kind == "chain":
            from gateway.chains import chain_details
            from gateway.cli.chains import print_chain

            chain = chain_details(store, meant.id)
            if form != "text":
                print_tables([chain_table(chain)], form)
            else:
                print_json(chain) if json else print_chain(chain)
        else:
            from gateway.cli.transcripts import print_episode
            from gateway.episode_views import episode_details

            episode = episode_details(store, meant.id, viewer)
            if form != "text":
                print_tables([episode_scores_table(episode.scores)], form)
            else:
                print_json(episode) if json else print_episode(episode)


@app.command()
def watch(what: RunChainOrEpisode, viewer: Viewer = "narrator", json: Json = False) -> None:
    """Follow a run, a chain or an episode while it is played.

    Whichever process plays it. A run: how far it is, its pace, time left and money so far, who
    waits for what, and each episode as it ends; until it is over (exit code 0) or waits (3: paused,
    130: stopped). An episode: what happened so far, then each action as it is stored, until it
    ends, or its run waits. A chain: its episodes, one after the other. With --json: a line an
    episode or action, and for a run one every ten seconds.
    """
    from gateway.cli.watching import watch_chain, watch_episode
    from gateway.cli.watching_runs import watch_run
    from gateway.lookup import run_chain_or_episode

    with open_session() as (settings, store):
        meant = run_chain_or_episode(store, what)
        if meant.kind == "run":
            watch_run(settings, store, meant.id, as_json=json)
        elif meant.kind == "chain":
            watch_chain(settings, store, meant.id, viewer, as_json=json)
        else:
            watch_episode(settings, store, meant.id, viewer, as_json=json)


@app.command()
def replay(
    episode_id: EpisodeId,
    at: Annotated[
        int | None,
        typer.Option("--at", metavar="N", help="As it was after event N; default: the last."),
    ] = None,
    viewer: Viewer = "narrator",
    json: Json = False,
) -> None:
    """Show an episode as it was after an event.

    The transcript as that viewer could see it then; for the narrator the events and the state,
    too. Stored events are folded again: nothing is played, no model is called.
    """
    from gateway.cli.transcripts import print_replay
    from gateway.episode_views import replay_details

    with open_session() as (_, store):
        shown = replay_details(store, episode_id, at, viewer)
    print_json(shown) if json else print_replay(shown)
