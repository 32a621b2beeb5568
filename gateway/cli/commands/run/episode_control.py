"""``troupe pause``, ``step``, ``unpause``: an episode under way waits for a researcher."""

from events.untrusted.safe_text import one_line
from events.wire.messages import Accepted, GoOn, PauseEpisode, Refused, StepEpisode
from gateway.cli.options import EpisodeId, Json, open_session
from gateway.cli.terminal.output import (
    escape,
    note,
    print_next,
    print_result,
    say,
)
from gateway.services.episodes.direct_episode import EpisodeControlState, by, direct, standing_now
from gateway.services.episodes.seat_client import SeatRefused
from store.read_model import queries


def pause(episode_id: EpisodeId, json: Json = False) -> None:
    """Pause an episode.

    Works whichever process plays it. While the episode is paused, answers of its minds are only
    proposals: no seat sees them, and no turn is opened. `troupe step` accepts them and advances by
    one turn; `troupe unpause` accepts them and continues. Meanwhile actions can be edited and a
    narrator can speak on the stage page (docs/how-to/people.md). The episode stays paused when its
    process ends.
    """
    _direct(episode_id, PauseEpisode(by=by()), json=json)


def step(episode_id: EpisodeId, json: Json = False) -> None:
    """Advance a paused episode by one turn.

    Accepts the proposals of its minds, or their next answers, until the next turn is open; then
    the episode is paused again.
    """
    _direct(episode_id, StepEpisode(by=by()), json=json)


def unpause(episode_id: EpisodeId, json: Json = False) -> None:
    """Continue a paused episode.

    Accepts the proposals of its minds; later answers take effect at once.
    """
    _direct(episode_id, GoOn(by=by()), json=json)


def _direct(given: str, command: PauseEpisode | StepEpisode | GoOn, *, json: bool) -> None:
    with open_session() as (settings, store):
        episode = queries.find_episode(store, given)
        reply = direct(settings, store, episode, command)
        if isinstance(reply, Refused):
            raise SeatRefused(episode, reply.reason)
        assert isinstance(reply, Accepted), "nobody was looked at"
        now = standing_now(store, episode)
    if print_result({"episode": episode, "before": reply.before, "standing": now}, json=json):
        return
    if reply.before:
        note("[dim]It was so already.[/]")
    _say(episode, now)


def _say(episode: str, now: EpisodeControlState) -> None:
    who = f"Episode [bold]{escape(episode)}[/]"
    if now.ended:
        say(f"{who} is over ({escape(now.ended)}).")
        print_next([(f"troupe show {episode}", "show what was played")])
        return
    seats = " and ".join(str(seat + 1) for seat in now.waiting)
    waits = f", waiting for seat {seats}" if seats else ""
    say(f"{who} {'is paused' if now.paused else 'goes on'} in turn {now.turn}{waits}.")
    for line in now.proposed:
        say(f"  proposed: {escape(one_line(line))}")
    if now.paused:
        print_next(
            [
                (f"troupe step {episode}", "advance it by one turn"),
                (f"troupe unpause {episode}", "continue it"),
            ]
        )
