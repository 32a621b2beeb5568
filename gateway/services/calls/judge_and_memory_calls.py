"""The calls of judges, of memories and of interviews, with their prompts."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import suppress
from typing import NamedTuple

from actors.interviews.ask_character import question_for
from actors.interviews.character_knowledge import account_of
from actors.interviews.interview import Interview, interviews_of
from actors.lifelong.memory.remember_episode import remember
from actors.models.answers.ask import ask
from actors.models.errors import ModelUnavailable
from actors.models.replay import NotStored, Replay, StoredCall, stored_calls
from evaluators.judges.earlier_episodes import past_of
from evaluators.judges.make_judge import judge_for
from events.episode import EpisodeStarted
from events.evaluation import EvaluationStarted
from events.interview import InterviewBegan
from events.memory import MemoryOpened
from events.serialization.codec import event_of
from events.wire.subjects import interview_stream, memory_stream, stream_name
from gateway.services.calls.model_call import ModelCall, Owner, call_of
from gateway.services.calls.seat_calls import UNBUILT
from store.log.event_store import EventStore
from store.read_model import queries
from store.read_model.episode_history import Numbered, read_history

Again = Callable[[Replay], Awaitable[object]]
"""Asks once more."""


class RecordedRequest(NamedTuple):
    """What an owner asked, and how it asks once more."""

    owner: Owner
    calls: Sequence[StoredCall]
    again: Again


def told(asked: RecordedRequest) -> tuple[ModelCall, ...]:
    """The calls with their prompts. Blocking: not on an event loop."""
    replay, why = Replay(), ""
    replay.begin(asked.calls)
    try:
        asyncio.run(_once(asked.again, replay))
    except UNBUILT as error:
        why = f"what was asked cannot be built again: {error}"
    return tuple(
        call_of(asked.owner, call, replay.rebuilt.get(call.key), why) for call in asked.calls
    )


async def _once(again: Again, replay: Replay) -> None:
    with suppress(NotStored, ModelUnavailable):  # It got no further then, either.
        await again(replay)


def of_evaluation(store: EventStore, evaluation: str) -> RecordedRequest:
    """What a judge asked for one evaluation (id in full)."""
    envelopes = store.read(stream_name("evaluation", evaluation))
    started = next(
        (one for one in map(event_of, envelopes[:1]) if isinstance(one, EvaluationStarted)), None
    )

    async def again(replay: Replay) -> None:
        assert started is not None, "calls come behind the beginning"
        whole = await asyncio.to_thread(read_history, store, started.episode)
        history = [numbered for numbered in whole if numbered.number <= started.upto]
        past = await asyncio.to_thread(past_of, store, history)
        await judge_for(started.judge, replay).evaluate(history, replay, past)

    owner = Owner(
        stream_name("evaluation", evaluation),
        "judge",
        started.episode if started else "",
        evaluation=evaluation,
        judge=started.judge.name if started else "",
    )
    return RecordedRequest(owner, stored_calls(envelopes), again)


def of_memories(
    store: EventStore, episode: str, history: Sequence[Numbered]
) -> Iterator[RecordedRequest]:
    """What the memories of an episode's seats asked to write their notes on it."""
    started = next((n.event for n in history if isinstance(n.event, EpisodeStarted)), None)
    own = history[0].envelope.stream == stream_name("episode", episode)
    if started is not None and started.chain and own:
        for seat in range(len(started.minds)):
            asked = _of_memory(store, episode, started, seat)
            if asked.calls:
                yield asked


def _of_memory(
    store: EventStore, episode: str, started: EpisodeStarted, seat: int
) -> RecordedRequest:
    stream, index = memory_stream(started.chain, seat), started.index
    envelopes = store.read(stream)
    calls = [call for call in stored_calls(envelopes) if call.asked.turn == index]

    async def again(replay: Replay) -> None:
        opened = next(one for one in map(event_of, envelopes) if isinstance(one, MemoryOpened))
        await remember(
            store,
            opened.memory,
            started.minds[seat],
            seat=seat,
            index=index,
            episode=episode,
            caller=replay,
            calls=replay,
        )

    return RecordedRequest(Owner(stream, "memory", episode, seat), calls, again)


def of_evaluations(store: EventStore, episode: str) -> Iterator[RecordedRequest]:
    """What judges asked who read an episode; of evaluations that were made again, too."""
    for row in queries.evaluations(store, episode=episode):
        asked = of_evaluation(store, row.id)
        if asked.calls:
            yield asked


def of_interviews(store: EventStore, episode: str) -> Iterator[RecordedRequest]:
    """What was asked in interviews with an episode's characters."""
    for interview in interviews_of(store, episode):
        assert interview.begun is not None, "interviews_of gives no other"
        asked = _of_interview(store, interview, interview.begun)
        if asked.calls:
            yield asked


def _of_interview(
    store: EventStore, interview: Interview, begun: InterviewBegan
) -> RecordedRequest:
    stream = interview_stream(interview.episode, interview.number)

    async def again(replay: Replay) -> None:
        account = await asyncio.to_thread(account_of, store, begun)
        for place, one in enumerate(interview.exchanges):
            before = interview.exchanges[:place]
            question = question_for(account, begun.seat, before, one.question)
            with suppress(NotStored, ModelUnavailable):
                assert begun.mind.model is not None, "it made calls"
                await ask(
                    question, turn=one.number, model=begun.mind.model, caller=replay, calls=replay
                )

    owner = Owner(stream, "interview", interview.episode, begun.seat)
    return RecordedRequest(owner, stored_calls(store.read(stream)), again)
