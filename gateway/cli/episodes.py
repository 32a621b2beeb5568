"""``troupe show``, ``watch``, ``replay``."""

from typing import Annotated

import typer

from gateway.cli.output import print_json
from gateway.cli.support import (
    EpisodeId,
    Json,
    PopulationOf,
    RunChainOrEpisode,
    Viewer,
    open_session,
)

app = typer.Typer()


@app.command()
def show(
    what: RunChainOrEpisode,
    viewer: Viewer = "narrator",
    population: PopulationOf = None,
    json: Json = False,
) -> None:
    """Show a run's tables, a chain's episodes, or a transcript.

    A run: its episodes, each judge's scores, model calls, and what went wrong. A chain: its
    episodes in order. An episode: who plays, what happened, and how each judge scored it.
    """
    from gateway.cli.tables import MOST_EPISODES, print_run
    from gateway.cli.transcripts import print_episode
    from gateway.errors import BadArgument
    from gateway.lookup import run_chain_or_episode
    from gateway.read_models import episode_details, run_details

    with open_session() as (_, store):
        meant = run_chain_or_episode(store, what)
        if population is not None and meant.kind != "run":
            why = f"is of the tables of a run; {meant.id} is one {meant.kind}"
            raise BadArgument("--population", population, why)
        if meant.kind == "run":
            most = None if json else MOST_EPISODES
            run = run_details(store, meant.id, listed=most, population=population)
            print_json(run) if json else print_run(run)
        elif meant.kind == "chain":
            # Only here: what counts tokens and draws curves takes its time to load.
            from gateway.chains import chain_details
            from gateway.cli.chains import print_chain

            chain = chain_details(store, meant.id)
            print_json(chain) if json else print_chain(chain)
        else:
            episode = episode_details(store, meant.id, viewer)
            print_json(episode) if json else print_episode(episode)


@app.command()
def watch(episode_id: EpisodeId, viewer: Viewer = "narrator", json: Json = False) -> None:
    """Follow an episode while it is played.

    First what happened so far, then each action as it is stored, whichever process plays it; ends
    with the episode. With --json: one line an action, then one with the ending.
    """
    from gateway.cli.watching import watch_episode

    with open_session() as (_, store):
        watch_episode(store, episode_id, viewer, as_json=json)


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
    from gateway.read_models import replay_details

    with open_session() as (_, store):
        shown = replay_details(store, episode_id, at, viewer)
    print_json(shown) if json else print_replay(shown)
