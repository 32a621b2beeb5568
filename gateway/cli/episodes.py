"""``troupe show``, ``watch``, ``replay``, ``fork``, ``lineage``."""

from typing import Annotated

import typer

from gateway.cli.support import Json, open_desk, print_json

app = typer.Typer()

EpisodeId = Annotated[str, typer.Argument(help="An episode's id; its first letters are enough.")]
Viewer = Annotated[
    str, typer.Option("--as", metavar="SEAT|narrator", help="Whose eyes: 1, 2, … or narrator.")
]


@app.command()
def show(
    what: Annotated[str, typer.Argument(metavar="RUN|EPISODE", help="A run or an episode.")],
    viewer: Viewer = "narrator",
    json: Json = False,
) -> None:
    """A run's table of scores and episodes, or an episode's transcript with its scores."""
    from events.ids import RUN
    from gateway.cli.tables import print_run
    from gateway.cli.transcripts import print_episode
    from gateway.shown import episode_shown, run_shown

    with open_desk() as (_, store):
        if what.startswith(RUN):
            run = run_shown(store, what)
            print_json(run) if json else print_run(run)
        else:
            episode = episode_shown(store, what, viewer)
            print_json(episode) if json else print_episode(episode)


@app.command()
def watch(episode_id: EpisodeId, viewer: Viewer = "narrator") -> None:
    """Follow an episode while it is played: what happened so far, then each new event."""
    from gateway.cli.transcripts import watch_episode

    with open_desk() as (_, store):
        watch_episode(store, episode_id, viewer)


@app.command()
def replay(
    episode_id: EpisodeId,
    at: Annotated[
        int | None, typer.Option("--at", metavar="N", help="After event N; default: the last.")
    ] = None,
    viewer: Viewer = "narrator",
    json: Json = False,
) -> None:
    """The state and the transcript as they were after an event, as one viewer could see them.

    Nothing is played again: the stored events are folded. No model is called.
    """
    from gateway.cli.transcripts import print_replay
    from gateway.shown import replay_shown

    with open_desk() as (_, store):
        shown = replay_shown(store, episode_id, at, viewer)
    print_json(shown) if json else print_replay(shown)


@app.command()
def fork(
    episode_id: EpisodeId,
    at: Annotated[int, typer.Option("--at", metavar="N", help="The last event that is shared.")],
    seat: Annotated[
        list[str] | None,
        typer.Option(
            "--seat",
            metavar="N=MODEL",
            help="Another mind for seat N (from 1): rehearsal:TEMPER or a model's name. "
            "May be given more than once.",
        ),
    ] = None,
    json: Json = False,
) -> None:
    """What if? A new episode with the past of this one up to event N, going on from there.

    The past is shared, not copied; the parent stays as it is. `troupe replay` shows the numbers.
    """
    from gateway.cli.running import fork_shown

    with open_desk() as (settings, store):
        fork_shown(settings, store, episode_id, at, seat or [], as_json=json)


@app.command()
def lineage(episode_id: EpisodeId, json: Json = False) -> None:
    """The tree of forks an episode belongs to."""
    from gateway.cli.transcripts import print_lineage
    from store import queries
    from store.history import lineage as lineage_of

    with open_desk() as (_, store):
        found = queries.episode(store, episode_id)
        tree = lineage_of(store, found.id)
    if json:
        print_json(tree)
    else:
        print_lineage(tree, found.id)
