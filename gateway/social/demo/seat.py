"""The part of the demo that is left to a browser: a stage to watch, and a seat that waits."""

from pathlib import Path
from typing import Final, NamedTuple

from gateway.cli.terminal.output import console, note, say
from gateway.http.authentication import Access
from gateway.process.page_links import base_of
from gateway.services.access.token_repository import new_principal
from gateway.services.runs.plan_run import prepare, record_run
from gateway.settings import Settings
from store.log.event_store import EventStore
from store.read_model.records import EpisodeRow

PLAN: Final = Path(__file__).with_name("seat.toml")
MIND: Final = "you"
WEEK_S: Final = 7 * 86_400.0
"""For how long the links sign in, in seconds."""


class Seat(NamedTuple):
    """A seat that waits."""

    run: str
    episode: str
    number: int
    """From 1."""


def prepare_seat(store: EventStore) -> Seat:
    """Leave an episode to a server in which a seat is kept for a person."""
    note("[dim]7  An episode with a seat for you, for `troupe serve` to begin[/]")
    prepared = prepare(store, PLAN)
    (episode,) = prepared.planned.episodes
    record_run(store, prepared, detached=True)
    return Seat(prepared.run, episode.id, episode.minds.index(MIND) + 1)


def print_links(settings: Settings, store: EventStore, watched: EpisodeRow, seat: Seat) -> None:
    """The one command that serves them, a link to the stage of a finished episode, and one to the
    seat."""
    operator = new_principal("operator", expires_s=WEEK_S)
    access, base = Access(settings, store), base_of(settings)
    stage = access.link(operator, to=f"/episodes/{watched.id}")
    place = access.link(operator, to=f"/seat/{seat.episode}/{seat.number}")
    say("\n[bold]In a browser[/]: start `troupe serve`, then open these; they keep to one browser")
    for what, link in (("an episode that is over", stage), ("a seat that waits for you", place)):
        say(f"[bold cyan]· {what}[/]")
        # Never broken: it is there to be clicked.
        console().print(f"{base}{link}", soft_wrap=True, markup=False, highlight=False)
