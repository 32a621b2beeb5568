"""``troupe stop``."""

from typing import Annotated

import typer

from gateway.cli.options import Json, RunChainOrEpisode, open_session
from gateway.cli.terminal.output import print_next, print_plain_json, say
from gateway.errors import BadArgument
from gateway.services.runs.resolve_ids import run_chain_or_episode
from gateway.services.runs.run_status import standing_of
from gateway.services.runs.stop import stop_begun, stop_chain, stop_run
from gateway.settings import Settings
from store.log.event_store import EventStore
from store.read_model import queries


def stop(
    what: RunChainOrEpisode,
    end: Annotated[
        bool,
        typer.Option(
            "--end", help="End the run and its current episodes for good; it cannot be resumed."
        ),
    ] = False,
    json: Json = False,
) -> None:
    """Stop a run, a chain or an episode.

    Works whichever process plays it. A run stops as after Ctrl-C: pending model answers are still
    recorded, nothing new is requested, and `troupe resume RUN` continues it. With --end the run is
    over: current episodes end as `stopped`, the others never begin, and nothing more is scored. An
    episode ends as `stopped`, and its run continues. A chain ends with its current episode, and its
    run continues.
    """
    with open_session() as (settings, store):
        meant = run_chain_or_episode(store, what)
        if end and meant.kind != "run":
            why = f"only a run stays where it is otherwise; this {meant.kind} ends in any case"
            raise BadArgument("--end", meant.id, why)
        if meant.kind == "run":
            outcome = stop_run(settings, store, meant.id, for_good=end)
        elif meant.kind == "chain":
            outcome = stop_chain(settings, store, meant.id)
        else:
            outcome = stop_begun(settings, store, meant.id)
        if json:
            print_plain_json({meant.kind: meant.id, "outcome": outcome})
        elif meant.kind == "run":
            _say_run(settings, store, meant.id, stopped=outcome == "stopped")
        elif outcome == "over":
            say(f"The {meant.kind} {meant.id} was over: there was nothing to stop.")
        else:
            say(f"The {meant.kind} {meant.id} is stopped.")
            print_next([(f"troupe show {meant.id}", "show what was played")])


def _say_run(settings: Settings, store: EventStore, run: str, *, stopped: bool) -> None:
    row = queries.run(store, run)
    stands = standing_of(settings, store, row)
    if row.status == "ended":
        how = "is ended" if stopped else "had ended: there was nothing to stop"
        done = f"{row.episodes_ended} of {row.episodes_planned} episodes"
        say(f"Run [bold]{run}[/] {how}; {done} have ended.")
        return
    if not stopped:
        say(f"Run [bold]{run}[/] waits already: {stands.sentence}.")
        return
    say(
        f"Run [bold]{run}[/] is stopped, with {row.episodes_ended} of {row.episodes_planned} ended."
    )
    print_next(
        [
            (f"troupe resume {run}", "continue it"),
            (f"troupe stop {run} --end", "end it for good"),
        ]
    )
