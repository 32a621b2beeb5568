"""What an episode's history says of a question, and which action an answer to it means."""

import json

from actors.episodes.delivery.delays import shown_by
from actors.episodes.port.game import AnyGame
from actors.models.errors import Unreadable
from events.base import Value
from events.environments import Action, Question
from events.episode import ActionTaken, EpisodeStarted, TurnOpened
from events.untrusted.safe_text import shortened
from store.log.event_store import EventStore
from store.read_model.episode_history import read_history


class NotPossible(Exception):
    """A wish that leads to no command."""

    def __init__(self, code: str, reason: str) -> None:
        reason = shortened(reason, 1_000)
        super().__init__(reason)
        self.code, self.reason = code, reason


class Recorded(Value, frozen=True, kw_only=True):
    """What is stored of a question that was asked."""

    started: EpisodeStarted | None = None
    """None: the episode has not begun."""
    question: Question | None = None
    """The environment's own; None: it was never asked."""
    taken: ActionTaken | None = None
    """The answer that counts."""


def recorded(
    store: EventStore, episode: str, seat: int, turn: int, question: int, shown: int | None = None
) -> Recorded:
    """What the history says of it. ``shown``: a question that participants were not shown by then
    (microseconds since 1970-01-01 UTC) is as good as not asked. Blocking, and costs the whole
    history."""
    started, found, taken = None, None, None
    history = read_history(store, episode)
    known = len(history if shown is None else shown_by(history, shown))
    for place, numbered in enumerate(history):
        match numbered.event:
            case EpisodeStarted() as event:
                started = event
            case TurnOpened(asked=asked) as opened if opened.turn == turn and place < known:
                for one in asked:
                    if (one.seat, one.id) == (seat, question):
                        found = one.question
            case ActionTaken() as event:
                if (event.turn, event.seat, event.question) == (turn, seat, question):
                    taken = event
    return Recorded(started=started, question=found, taken=taken)


def action_of(
    game: AnyGame, question: Question, background: object, answer: object, text: str
) -> Action:
    """The action that an answer by the question's schema means, or, where that is None, the text
    that a person types. Raises ``NotPossible``."""
    try:
        if answer is None:
            return game.people.typed(question, background, text)
        written = answer if isinstance(answer, str) else json.dumps(answer, ensure_ascii=False)
        return game.prompts.read(question, background, written, "person")
    except (Unreadable, ValueError, RecursionError) as error:
        why = shortened(str(error), 500) or "the answer cannot be read"
        raise NotPossible("bad_action", why) from None
