"""The rules of a chain: what comes next, what is refused, and that doing a thing twice is doing it
once."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actors.lifelong.rules import (
    Advance,
    Begin,
    ChainCommand,
    ChainState,
    MemoryState,
    decide,
    dump_state,
    evolve,
    evolve_memory,
    load_state,
)
from actors.runtime.errors import CommandRefused
from events.base import Event, replace
from events.chain import ChainAdvanced, ChainEnded, ChainFailed
from events.memory import MemoryFailed, MemoryOpened, MemoryRecalled, MemorySpec, MemoryWritten
from tests.actors.lifelong.chains import chain_of

BEGIN = Begin(started=chain_of(3).begun)


def advance(index: int, outcome: str = "ended") -> Advance:
    return Advance(index=index, episode=f"e{index}", outcome=outcome)


def state_after(*commands: ChainCommand) -> tuple[list[Event], ChainState]:
    """The events and the state that some commands lead to."""
    state, history = ChainState(), []
    for command in commands:
        for event in decide(state, command):
            history.append(event)
            state = evolve(state, event)
    return history, state


def test_a_chain_goes_from_episode_to_episode_and_ends_with_the_last():
    history, state = state_after(BEGIN, advance(0), advance(1, "failed"), advance(2))
    assert history == [
        BEGIN.started,
        ChainAdvanced(index=0, episode="e0", outcome="ended"),
        ChainAdvanced(index=1, episode="e1", outcome="failed"),
        ChainAdvanced(index=2, episode="e2", outcome="ended"),
        ChainEnded(ended=2, failed=1),
    ]
    assert (state.next, state.over) == (3, True)


def test_no_episode_is_over_before_the_one_before_it():
    _, state = state_after(BEGIN, advance(0))
    with pytest.raises(CommandRefused, match="episode 2 cannot be over before episode 1"):
        decide(state, advance(2))


def test_nothing_is_over_in_a_chain_that_has_not_begun():
    with pytest.raises(CommandRefused, match="has not begun"):
        decide(ChainState(), advance(0))


@pytest.mark.parametrize(
    ("changed", "why"),
    [({"episodes": ()}, "at least one episode"), ({"minds": ()}, "0 minds .* 2 characters")],
)
def test_a_chain_that_cannot_be_played_does_not_begin(changed: dict[str, object], why: str):
    with pytest.raises(CommandRefused, match=why):
        decide(ChainState(), Begin(started=replace(BEGIN.started, **changed)))


def test_a_chain_that_was_given_up_stays_so():
    _, state = state_after(BEGIN, advance(0))
    state = evolve(state, ChainFailed(reason="a bug", attempts=5))
    assert decide(state, advance(1)) == ()
    assert decide(state, BEGIN) == ()


def test_an_event_of_something_else_is_not_taken_for_one_of_a_chain():
    with pytest.raises(TypeError, match="MemoryFailed is not an event of a chain"):
        evolve(ChainState(), MemoryFailed(reason="a bug", attempts=5))


@given(st.integers(1, 12), st.lists(st.integers(-1, 11), max_size=60))
def test_commands_that_come_again_or_late_change_nothing(length: int, indices: list[int]):
    """Whatever order jobs come in, the stream tells of each episode once, in order."""
    begin = Begin(started=chain_of(length).begun)
    state, history = ChainState(), []
    for index in [*indices, *range(-1, length)]:
        command = begin if index < 0 else advance(index)
        try:
            events = decide(state, command)
        except CommandRefused:
            continue
        for event in events:
            history.append(event)
            state = evolve(state, event)
        assert decide(state, command) == ()
    assert [e.index for e in history if isinstance(e, ChainAdvanced)] == list(range(length))
    assert history[0] == begin.started
    assert history[-1] == ChainEnded(ended=length, failed=0)
    assert len(history) == length + 2


def test_the_state_of_a_long_chain_is_no_larger_than_that_of_a_short_one():
    _, short = state_after(Begin(started=chain_of(3).begun), advance(0))
    _, long = state_after(
        Begin(started=chain_of(1000).begun), *(advance(index) for index in range(999))
    )
    assert len(dump_state(long)) <= len(dump_state(short)) + 8
    assert load_state(dump_state(long)) == long


def test_a_memory_knows_how_far_it_is_even_where_something_was_given_up():
    state = MemoryState()
    opened = MemoryOpened(
        chain="h1", seat=0, character="ada", memory=MemorySpec(name="m", module="none")
    )
    recalled = MemoryRecalled(index=0, episode="e0", recalled=(), tokens=0, limit=9)
    for event, after in (
        (opened, (True, -1, -1)),
        (recalled, (True, 0, -1)),
        (MemoryWritten(index=0, episode="e0", tokens=0), (True, 0, 0)),
        (MemoryFailed(index=1, during="recall", reason="a bug", attempts=5), (True, 1, 0)),
        (MemoryFailed(index=1, during="remember", reason="a bug", attempts=5), (True, 1, 1)),
        (replace(recalled, index=2), (True, 2, 1)),
    ):
        state = evolve_memory(state, event)
        assert (state.opened, state.recalled, state.written) == after
