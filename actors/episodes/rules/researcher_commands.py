"""Commands of researchers to an episode: pause it, advance it by a turn, or let a narrator
speak."""

from actors.episodes.registry import game_of
from actors.episodes.rules.answers import check_begun, check_going_on, check_seat, proposals_taken
from actors.episodes.rules.state import EpisodeState, Evolve
from actors.runtime.errors import CommandRefused
from events.base import Event
from events.episode import EpisodeContinued, EpisodePaused, EpisodeStepped, WorldChanged
from events.wire.messages import GoOn, Narrate, PauseEpisode, StepEpisode


def pause(state: EpisodeState, command: PauseEpisode) -> tuple[Event, ...]:
    """A paused episode stays so; one that is stepping stops where it is. Raises
    ``CommandRefused``."""
    check_begun(state)
    check_going_on(state)
    return () if state.people.held else (EpisodePaused(by=command.by),)


def step(state: EpisodeState, command: StepEpisode, evolve: Evolve) -> tuple[Event, ...]:
    """One that has not come to the end of a step makes no second one. Raises
    ``CommandRefused``."""
    check_begun(state)
    check_going_on(state)
    if not state.people.paused:
        raise CommandRefused("the episode is not paused, so it cannot be stepped", "not_paused")
    if state.people.stepping:
        return ()
    stepped = EpisodeStepped(by=command.by)
    return (stepped, *proposals_taken(evolve(state, stepped), evolve))


def go_on(state: EpisodeState, command: GoOn, evolve: Evolve) -> tuple[Event, ...]:
    """Raises ``CommandRefused``."""
    check_begun(state)
    check_going_on(state)
    if not state.people.paused:
        return ()
    continued = EpisodeContinued(by=command.by)
    return (continued, *proposals_taken(evolve(state, continued), evolve))


def narrate(state: EpisodeState, command: Narrate) -> tuple[Event, ...]:
    """What a narrator says changes no question that is open. Raises ``CommandRefused``."""
    check_begun(state)
    check_going_on(state)
    for seat in command.seats:
        check_seat(state, seat)
    if not command.text.strip():
        raise CommandRefused("a narrator who says nothing tells nothing")
    assert state.started is not None, "it has begun"
    game = game_of(state.started)
    change = game.recording.narration(command.text, tuple(sorted(set(command.seats))))
    if change is None:
        raise CommandRefused(
            f"environment {game.environment!r} has no words for a narrator", "no_narrator"
        )
    return (WorldChanged(change=change, by=command.by),)
