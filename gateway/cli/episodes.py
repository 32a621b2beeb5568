"""``troupe show``, ``watch``, ``replay``, ``fork``, ``lineage``."""

from typing import Annotated

import typer
from msgspec.structs import replace

from gateway.cli.output import note, print_json, print_next
from gateway.cli.support import (
    EpisodeId,
    Json,
    NoProbe,
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
    from gateway.standing import standing_of

    with open_session() as (settings, store):
        meant = run_chain_or_episode(store, what)
        if population is not None and meant.kind != "run":
            why = f"is of the tables of a run; {meant.id} is one {meant.kind}"
            raise BadArgument("--population", population, why)
        if meant.kind == "run":
            most = None if json else MOST_EPISODES
            run = run_details(store, meant.id, listed=most, population=population)
            run = replace(run, standing=standing_of(settings, store, run.run))
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
def watch(what: RunChainOrEpisode, viewer: Viewer = "narrator", json: Json = False) -> None:
    """Follow a run, a chain or an episode while it is played.

    Whichever process plays it. A run: how far it is, its pace, time left and money so far, who
    waits for what, and each episode as it ends; until it is over (exit code 0) or waits (3: paused,
    130: stopped). An episode: what happened so far, then each action as it is stored, until it
    ends. A chain: its episodes, one after the other. With --json: a line an episode or action, and
    for a run one every ten seconds.
    """
    from gateway.cli.watching import watch_chain, watch_episode
    from gateway.cli.watching_runs import watch_run
    from gateway.lookup import run_chain_or_episode

    with open_session() as (settings, store):
        meant = run_chain_or_episode(store, what)
        if meant.kind == "run":
            watch_run(settings, store, meant.id, as_json=json)
        elif meant.kind == "chain":
            watch_chain(store, meant.id, viewer, as_json=json)
        else:
            watch_episode(store, meant.id, viewer, as_json=json)


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


@app.command()
def fork(
    episode_id: EpisodeId,
    at: Annotated[
        int, typer.Option("--at", metavar="N", help="The last event that is shared (see replay).")
    ],
    seat: Annotated[
        list[str] | None,
        typer.Option(
            "--seat",
            metavar="N=MIND",
            help="Another mind for seat N (from 1): rehearsal:TEMPER, recorded:EPISODE, remote, "
            "a mind of the run's plan, or a model's name. May be given more than once.",
        ),
    ] = None,
    no_probe: NoProbe = False,
    json: Json = False,
) -> None:
    """Ask what if: play on from the middle, as you like.

    Makes a new episode that shares the past of this one up to event N, and plays it to its end.
    The parent stays as it is. The fork belongs to no run and spends no run's budget.
    """
    from evaluators.registry import judge_to_try
    from gateway.cli.running import play_with_progress
    from gateway.cli.transcripts import print_episode
    from gateway.forking import fork_episode, prepare_fork
    from gateway.probing import models_of_minds
    from gateway.read_models import episode_details

    with open_session() as (settings, store):
        prepared = prepare_fork(store, episode_id, at, seat or [])
        if not json:
            note(f"Fork {prepared.id} of {prepared.parent} after event {at}")
        fork_id = play_with_progress(
            settings,
            store,
            lambda: fork_episode(store, prepared),
            quiet=json,
            models=[] if no_probe else models_of_minds(prepared.minds),
        )
        shown = episode_details(store, fork_id, "narrator")
    if json:
        print_json(shown)
    else:
        print_episode(shown)
        steps = [(f"troupe lineage {fork_id}", "the tree it belongs to")]
        if judge := judge_to_try(shown.episode.environment):
            steps.append((f"troupe score {fork_id} --judge {judge}", "its scores"))
        print_next(steps)


@app.command()
def lineage(episode_id: EpisodeId, json: Json = False) -> None:
    """Draw the tree of forks an episode belongs to."""
    from gateway.cli.transcripts import print_lineage
    from store import queries
    from store.history import lineage as lineage_of

    with open_session() as (_, store):
        found = queries.episode(store, episode_id)
        tree = lineage_of(store, found.id)
    if json:
        print_json(tree)
    else:
        print_lineage(tree, found.id)
