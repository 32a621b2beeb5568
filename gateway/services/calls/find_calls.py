"""Which calls there are, and what each was asked. All of it blocks: not on an event loop."""

from collections.abc import Iterator
from itertools import islice

from gateway.errors import BadArgument
from gateway.services.calls import judge_and_memory_calls
from gateway.services.calls.model_call import ModelCall
from gateway.services.calls.seat_calls import SeatCalls, SeatedMinds, SeatTurn
from store.log.event_store import EventStore
from store.read_model.episode_history import read_history


def turn_calls(
    store: EventStore, episode: str, turn: int, seat: int | None = None
) -> tuple[ModelCall, ...]:
    """The calls of a turn, of all seats or of one, in the order in which they were made. Takes the
    episode's id in full. Raises ``UnknownId``, ``BrokenFork``."""
    calls = SeatCalls(store, read_history(store, episode))
    return tuple(SeatedMinds(store, calls).told(calls.turns(turn, seat)))


def judge_calls(store: EventStore, evaluation: str) -> tuple[ModelCall, ...]:
    """The calls of one evaluation (id in full)."""
    return judge_and_memory_calls.told(judge_and_memory_calls.of_evaluation(store, evaluation))


def episode_calls(
    store: EventStore,
    episode: str,
    *,
    seat: int | None = None,
    turn: int | None = None,
    after: int = 0,
    most: int | None = None,
) -> Iterator[ModelCall]:
    """All calls made for an episode (id in full): those of its seats turn by turn, then of
    memories, judges and interviews; of one seat or of one turn alone, where it is given.

    ``after``: so many are left out at the beginning, and ``most`` are given at most; what is left
    out is not built. Raises ``UnknownId``, ``BrokenFork``, and ``BadArgument`` for a seat or a turn
    that there is not.
    """
    history = read_history(store, episode)
    calls = SeatCalls(store, history)
    if seat is not None and not 0 <= seat < calls.seats:
        why = f"is none of episode {episode}, which has seats 1 to {calls.seats}"
        raise BadArgument("seat", str(seat + 1), why)
    if turn is not None and turn not in calls.opened:
        raise BadArgument("turn", str(turn), f"is none of episode {episode}: {calls.in_words}")
    turns = list[SeatTurn]()
    begin, end = after, None if most is None else after + most
    passed = skipped = 0
    for one in calls.turns(turn, seat):
        if passed + len(one.calls) <= begin:
            skipped += len(one.calls)
        elif end is None or passed < end:
            turns.append(one)
        passed += len(one.calls)

    def rest() -> Iterator[ModelCall]:
        nonlocal skipped
        yield from SeatedMinds(store, calls).told(turns)
        if turn is not None:
            return
        asked = (
            *judge_and_memory_calls.of_memories(store, episode, history),
            *(judge_and_memory_calls.of_evaluations(store, episode) if seat is None else ()),
            *judge_and_memory_calls.of_interviews(store, episode),
        )
        for one in asked:
            if seat in (None, one.owner.seat):
                yield from judge_and_memory_calls.told(one)

    return islice(rest(), begin - skipped, None if end is None else end - skipped)
