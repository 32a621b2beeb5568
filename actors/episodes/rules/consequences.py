"""What happens when no question is open: changes of the world, the next turn, or the end."""

from actors.episodes.port.rules import Ask, End, Foregone
from actors.episodes.registry import environment_of, game_with
from actors.episodes.rules.failed_actions import failure_words
from actors.episodes.rules.state import EpisodeState, Evolve, evolve
from events.base import Event
from events.environments import Vocabulary
from events.episode import (
    ActionTaken,
    Asked,
    EpisodeEnded,
    EpisodeFailed,
    TurnOpened,
    WorldChanged,
)
from events.untrusted.safe_text import shortened

MOST_CHANGES = 1000
"""Changes of a world between two turns; an environment that has more never comes to an end."""


class BrokenRules(RuntimeError):
    """An environment that does what none may do; the episode cannot go on."""

    def __init__(self, environment: str, why: str) -> None:
        super().__init__(f"environment {shortened(environment)!r} {shortened(why, 1_000)}")
        self.environment, self.why = environment, why


class NotInVocabulary(BrokenRules):
    """A value that would be stored and could not be read again."""

    def __init__(self, environment: str, value: object, part: str) -> None:
        name = type(value).__name__
        super().__init__(environment, f"uses {name}, which is not in its vocabulary's {part}")


def follow(state: EpisodeState, evolve: Evolve = evolve) -> tuple[Event, ...]:
    """What must follow: changes of the world, then the next turn or the end. Nothing while a turn
    is open, the episode waits, or all is over. An episode one of whose seats fails again and again
    is given up, for what is left of it would be as much of a failure, and would be paid for; so is
    one that ends without an answer of anybody."""
    people = state.people
    if state.started is None or state.ended is not None or state.unanswered:
        return ()
    if people.paused and people.held:
        return ()
    most = state.started.give_up_after if state.last_failure is not None else 0
    if most and (times := max(state.failing)) >= most:
        seat = state.failing.index(times) + 1
        return (_given_up(state, f"seat {seat} gave no answer {times} times in a row"),)
    started = state.started
    game = game_with(started.environment, type(started.setup))
    environment = environment_of(started)
    vocabulary = environment.vocabulary
    events: list[Event] = []
    while True:
        match game.rules.next_step(state.world):
            case Ask(asked=asked):
                _check_asked(game.environment, asked, len(state.minds))
                for one in asked:
                    if type(one.question) not in vocabulary.questions:
                        raise NotInVocabulary(game.environment, one.question, "questions")
                    nothing = game.rules.nothing(one.question)
                    if type(nothing) not in vocabulary.actions:
                        raise NotInVocabulary(game.environment, nothing, "actions")
                return (*events, TurnOpened(turn=state.turn + 1, asked=asked))
            case Foregone() as turn:
                for happening in _foregone(turn, game.environment, vocabulary, state):
                    state = evolve(state, happening)
                    events.append(happening)
                if state.people.held:
                    return tuple(events)
            case End(reason=reason, summary=summary):
                if reason not in environment.endings:
                    raise BrokenRules(game.environment, f"knows no ending {reason!r}")
                if state.last_failure is not None and not state.answered:
                    return (*events, _given_up(state, "no seat gave an answer at all"))
                return (*events, EpisodeEnded(reason=reason, turn=state.turn, summary=summary))
            case change:
                if type(change) not in vocabulary.changes:
                    raise NotInVocabulary(game.environment, change, "changes")
                changed = WorldChanged(change=change)
                state = evolve(state, changed)
                events.append(changed)
        if len(events) > MOST_CHANGES:
            raise BrokenRules(game.environment, f"changes its world {MOST_CHANGES} times a turn")


def _foregone(
    turn: Foregone, environment: str, vocabulary: Vocabulary, state: EpisodeState
) -> tuple[Event, ...]:
    """A turn with the answer that is known."""
    asked, action = turn.asked, turn.action
    _check_asked(environment, (asked,), len(state.minds))
    if type(asked.question) not in vocabulary.questions:
        raise NotInVocabulary(environment, asked.question, "questions")
    if type(action) not in vocabulary.actions:
        raise NotInVocabulary(environment, action, "actions")
    number = state.turn + 1
    return (
        TurnOpened(turn=number, asked=(asked,)),
        ActionTaken(turn=number, seat=asked.seat, question=asked.id, action=action),
    )


def _check_asked(environment: str, asked: tuple[Asked, ...], seats: int) -> None:
    match asked:
        case (one,) if 0 <= one.seat < seats:
            return
        case ():
            raise BrokenRules(environment, "opens a turn that asks nobody")
    seen: set[tuple[int, int]] = set()
    for one in asked:
        if not 0 <= one.seat < seats:
            raise BrokenRules(environment, f"asks seat {one.seat}; seats are 0 to {seats - 1}")
        if (one.seat, one.id) in seen:
            why = f"asks seat {one.seat} two questions with id {one.id} in one turn"
            raise BrokenRules(environment, why)
        seen.add((one.seat, one.id))


def _given_up(state: EpisodeState, why: str) -> EpisodeFailed:
    assert state.last_failure is not None, "some action failed"
    reason = f"{why} ({failure_words(state.last_failure)})"
    return EpisodeFailed(reason=reason, attempts=max(state.failing))
