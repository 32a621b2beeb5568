"""``troupe pause``, ``step``, ``go-on``: an episode under way waits for a researcher."""

from typing import TYPE_CHECKING, Any

import typer

from events.harmless import one_line
from gateway.cli.output import escape, note, print_json, print_next, say
from gateway.cli.support import EpisodeId, Json, open_session

if TYPE_CHECKING:
    from gateway.directing import Standing

app = typer.Typer()


@app.command()
def pause(episode_id: EpisodeId, json: Json = False) -> None:
    """Have an episode under way wait for you.

    Whichever process plays it. What its minds answer from now on is only proposed: nobody notices
    it, and no turn is opened. `troupe step` takes it and goes on by a turn, `troupe go-on` for
    good; until then an action can be edited, and a narrator can speak, on its stage page
    (docs/how-to/people.md). It stays paused when its process ends.
    """
    from events.messages import PauseEpisode
    from gateway.directing import by

    _direct(episode_id, PauseEpisode(by=by()), json=json)


@app.command()
def step(episode_id: EpisodeId, json: Json = False) -> None:
    """Have a paused episode go on by one turn.

    Takes what its minds have proposed, or answer next, until the next turn is open; then it waits
    again.
    """
    from events.messages import StepEpisode
    from gateway.directing import by

    _direct(episode_id, StepEpisode(by=by()), json=json)


@app.command("go-on")
def go_on(episode_id: EpisodeId, json: Json = False) -> None:
    """Have a paused episode go on.

    Takes what its minds have proposed; nothing is proposed any more from then on.
    """
    from events.messages import GoOn
    from gateway.directing import by

    _direct(episode_id, GoOn(by=by()), json=json)


def _direct(given: str, command: Any, *, json: bool) -> None:
    from events.messages import Accepted, Refused
    from gateway.directing import direct, standing_now
    from gateway.sitting import SeatRefused
    from store import queries

    with open_session() as (settings, store):
        episode = queries.find_episode(store, given)
        reply = direct(settings, store, episode, command)
        if isinstance(reply, Refused):
            raise SeatRefused(episode, reply.reason)
        assert isinstance(reply, Accepted), "nobody was looked at"
        now = standing_now(store, episode)
    if json:
        print_json({"episode": episode, "before": reply.before, "standing": now})
        return
    if reply.before:
        note("[dim]It was so already.[/]")
    _say(episode, now)


def _say(episode: str, now: "Standing") -> None:
    who = f"Episode [bold]{escape(episode)}[/]"
    if now.ended:
        say(f"{who} is over ({escape(now.ended)}).")
        print_next([(f"troupe show {episode}", "what there is of it")])
        return
    seats = " and ".join(str(seat + 1) for seat in now.waiting)
    waits = f", waiting for seat {seats}" if seats else ""
    say(f"{who} {'is paused' if now.paused else 'goes on'} in turn {now.turn}{waits}.")
    for line in now.proposed:
        say(f"  proposed: {escape(one_line(line))}")
    if now.paused:
        print_next(
            [
                (f"troupe step {episode}", "goes on by one turn"),
                (f"troupe go-on {episode}", "goes on"),
            ]
        )
