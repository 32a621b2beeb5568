"""What models in seats were first asked, turn by turn, and what was done: for trainers.

A question is built again by the code that asked it, and counts only where its fingerprint is the
stored one.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Final, NamedTuple

from actors.episodes.mind import Scene
from actors.episodes.port.game import AnyGame
from actors.episodes.port.prompts import PromptWriter
from actors.episodes.port.sight import Notice
from actors.episodes.rules.decide import INITIAL, evolve
from actors.minds.model import question_for
from actors.models.port import ModelRequest, Msg, request_hash
from actors.models.response_formats.formats import in_every_form
from actors.models.response_formats.schemas import Schema
from events.environments import Action, Question
from events.episode import ActionTaken
from events.minds import MindSpec, ModelSpec
from events.wire.subjects import split_stream
from gateway.services.calls.seat_calls import UNBUILT, SeatCalls, SeatedMinds, SeatTurn, in_turns
from store.log.event_store import EventStore
from store.read_model.episode_history import Numbered, read_history

Key = tuple[int, int, int]
"""A turn, a seat and a question."""

NO_ANSWER: Final = "the mind gave no answer"
OF_A_RESEARCHER: Final = "a researcher put it there"
NO_MODEL: Final = "no model was asked for it (rehearsal, person, program, or a mind that plans)"
NO_PROMPT: Final = "what was asked cannot be built again as it was"


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


class _Taken(NamedTuple):
    """An action, and who sat there."""

    number: int
    episode: str
    """Where it was taken: of a fork's shared past the parent."""
    event: ActionTaken[Action]
    mind: MindSpec


def first_questions(
    store: EventStore, episode: str
) -> tuple[Sequence[FirstQuestion], Counter[tuple[int, str]]]:
    """Those of an episode (id in full) in the order of the actions; and by seat and reason how many
    actions have none. Raises ``UnknownId``, ``BrokenFork``."""
    history = read_history(store, episode)
    taken = _taken(history)
    calls = SeatCalls(store, history)
    asked: dict[Key, FirstQuestion] = {}
    with suppress(*UNBUILT):  # Of turns after that nobody can tell what was asked.
        asked.update(_asked(store, calls, taken))
    missing: Counter[tuple[int, str]] = Counter()
    for key, one in taken.items():
        if key not in asked:
            missing[one.event.seat, _why_not(one)] += 1
    return [asked[key] for key in taken if key in asked], missing


def _taken(history: Sequence[Numbered]) -> dict[Key, _Taken]:
    found: dict[Key, _Taken] = {}
    state = INITIAL
    for numbered in history:
        event = numbered.event
        if isinstance(event, ActionTaken):
            found[event.turn, event.seat, event.question] = _Taken(
                numbered.number,
                split_stream(numbered.envelope.stream)[1],
                event,
                state.minds[event.seat],
            )
        state = evolve(state, event)
    return found


def _why_not(one: _Taken) -> str:
    if one.event.failure is not None:
        return NO_ANSWER
    if one.event.by:
        return OF_A_RESEARCHER
    return NO_PROMPT if one.mind.kind == "model" else NO_MODEL


def _asked(
    store: EventStore, calls: SeatCalls, taken: dict[Key, _Taken]
) -> Iterator[tuple[Key, FirstQuestion]]:
    """What was first asked, for actions that models chose. Raises one of ``UNBUILT``."""
    by_turn = in_turns(calls.turns())
    writers: dict[int, PromptWriter[Question, Notice]] = {}
    for turn in SeatedMinds(store, calls).walked(by_turn) if by_turn else ():
        for one in turn.wanted:
            for scene in turn.scenes[one.seat]:
                key = (scene.turn, one.seat, scene.question_id)
                action = taken.get(key)
                if action is None or action.episode != one.owner.episode:
                    continue
                spec = action.mind.model
                if action.mind.kind != "model" or spec is None:
                    continue
                if action.event.failure is not None or action.event.by:
                    continue
                # One a background, as in play: what was written once is not written again.
                writer = writers.setdefault(
                    id(scene.background), turn.game.prompts.writer(scene.background)
                )
                found = _first(turn.game, writer, scene, spec, one)
                if found is not None:
                    messages, fingerprint = found
                    yield (
                        key,
                        FirstQuestion(
                            scene=scene,
                            game=turn.game,
                            messages=messages,
                            request_hash=fingerprint,
                            model=spec.name,
                            number=action.number,
                            action=action.event.action,
                        ),
                    )


def _first(
    game: AnyGame,
    writer: PromptWriter[Question, Notice],
    scene: Scene,
    spec: ModelSpec,
    one: SeatTurn,
) -> tuple[tuple[Msg, ...], str] | None:
    """The first question's messages, and its stored fingerprint."""
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
    return None


def _in_forms(request: ModelRequest, schema: Schema | None) -> Iterator[ModelRequest]:
    return iter((request,)) if schema is None else in_every_form(request, schema)
