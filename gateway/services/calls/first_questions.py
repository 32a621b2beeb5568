"""What models in seats were first asked, turn by turn, and what was done: for trainers.

A question is built again by the code that asked it, and counts only where its fingerprint is the
stored one.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Final, NamedTuple

from actors.episodes.mind import Scene
from actors.episodes.port.game import AnyGame
from actors.episodes.port.prompts import PromptWriter
from actors.episodes.port.sight import Notice
from actors.minds.model import question_for
from actors.models.port import ModelRequest, Msg, request_hash
from actors.models.response_formats.formats import in_every_form
from actors.models.response_formats.schemas import Schema
from events.base import Event
from events.environments import Action, Question
from events.episode import ActionTaken
from events.minds import ModelSpec
from events.privacy.encryption import ERASED
from events.wire.subjects import split_stream
from gateway.services.calls.seat_calls import UNBUILT, SeatCalls, SeatedMinds, SeatTurn, in_turns
from store.log.event_store import EventStore
from store.read_model.episode_history import Numbered, read_history

Key = tuple[int, int, int]
"""A turn, a seat and a question."""

NO_ANSWER: Final = "the mind gave no answer"
OF_A_RESEARCHER: Final = "a researcher put it there"
NO_MODEL: Final = (
    "no model was asked for it (rehearsal, person, program, a mind that plans, or an answer that "
    "was given with an earlier one)"
)
NO_PROMPT: Final = "what was asked cannot be built again as it was"
ERASED_SINCE: Final = "words in what was asked, or in the action, were erased"


class FirstQuestion(NamedTuple):
    """What a model was first asked for an action that was taken, requests to mend left out."""

    scene: Scene
    game: AnyGame
    messages: tuple[Msg, ...]
    """As they were sent: of the system, and of the user."""
    request_hash: str
    """The stored fingerprint of the question."""
    model: str
    """The model's name, as it was asked for."""
    number: int
    """The event number of the action."""
    action: Action

    def without(self, notices: int) -> tuple[Msg, ...]:
        """What would have been asked without the oldest so many things that the seat noticed."""
        scene = self.scene
        writer = self.game.prompts.writer(scene.background)
        prompt = writer.prompt(scene.question, scene.seen[notices:], scene.turn)
        return (Msg("system", prompt.system), Msg("user", prompt.user))


def first_questions(
    store: EventStore, episode: str, *, after: int = -1
) -> tuple[Sequence[FirstQuestion], Counter[tuple[int, str]]]:
    """Those of an episode (id in full), for what was done behind event ``after``, in the order of
    the actions; and by seat and reason how many actions have none. Raises ``UnknownId``,
    ``BrokenFork``."""
    history = read_history(store, episode)
    taken = {
        (event.turn, event.seat, event.question): numbered
        for numbered in history
        if isinstance(event := numbered.event, ActionTaken) and numbered.number > after
    }
    asked: dict[Key, FirstQuestion] = {}
    lost: dict[Key, str] = {}
    with suppress(*UNBUILT):  # Of turns after that nobody can tell what was asked.
        for key, question in _asked(store, SeatCalls(store, history), taken):
            if isinstance(question, str):
                lost[key] = question
            else:
                asked[key] = question
    missing: Counter[tuple[int, str]] = Counter()
    for key, numbered in taken.items():
        if key not in asked:
            missing[key[1], _why_not(numbered.event, lost.get(key, NO_MODEL))] += 1
    return [asked[key] for key in taken if key in asked], missing


def _why_not(event: Event, otherwise: str) -> str:
    assert isinstance(event, ActionTaken), "it was chosen so"
    if event.failure is not None:
        return NO_ANSWER
    if event.by:
        return OF_A_RESEARCHER
    return otherwise


def _asked(
    store: EventStore, calls: SeatCalls, taken: Mapping[Key, Numbered]
) -> Iterator[tuple[Key, FirstQuestion | str]]:
    """What was first asked, for actions that models chose; a text: why that cannot be told. Raises
    one of ``UNBUILT``."""
    by_turn = in_turns(calls.turns())
    writers: dict[int, PromptWriter[Question, Notice]] = {}
    for turn in SeatedMinds(store, calls).walked(by_turn) if by_turn else ():
        for one in turn.wanted:
            for scene in turn.scenes[one.seat]:
                key = (scene.turn, one.seat, scene.question_id)
                mind = turn.acted.get((one.seat, scene.question_id))
                action = taken.get(key)
                if action is None or mind is None or mind.kind != "model" or mind.model is None:
                    continue
                event, episode = action.event, split_stream(action.envelope.stream)[1]
                assert isinstance(event, ActionTaken), "it was chosen so"
                if event.failure is not None or event.by or episode != one.owner.episode:
                    continue
                # One a background, as in play: what was written once is not written again.
                place = id(scene.background)
                if place not in writers:
                    writers[place] = turn.game.prompts.writer(scene.background)
                found = _first(turn.game, writers[place], scene, mind.model, one)
                if isinstance(found, str):
                    yield key, found
                    continue
                messages, fingerprint = found
                yield (
                    key,
                    FirstQuestion(
                        scene=scene,
                        game=turn.game,
                        messages=messages,
                        request_hash=fingerprint,
                        model=mind.model.name,
                        number=action.number,
                        action=event.action,
                    ),
                )


def _first(
    game: AnyGame,
    writer: PromptWriter[Question, Notice],
    scene: Scene,
    spec: ModelSpec,
    one: SeatTurn,
) -> tuple[tuple[Msg, ...], str] | str:
    """The first question's messages, and its stored fingerprint; a text: why there are none."""
    question = question_for(game, writer, scene, spec)
    stored = {
        call.asked.request_hash
        for call in one.calls
        if call.asked.attempt == question.first and not call.asked.parameters.get("continues")
    }
    for request in _in_forms(question.request(spec), question.json_schema):
        fingerprint = request_hash(spec, request)
        if fingerprint in stored:
            return request.messages, fingerprint
    erased = any(ERASED in message.content for message in question.messages)
    return ERASED_SINCE if erased else NO_PROMPT


def _in_forms(request: ModelRequest, schema: Schema | None) -> Iterator[ModelRequest]:
    return iter((request,)) if schema is None else in_every_form(request, schema)
