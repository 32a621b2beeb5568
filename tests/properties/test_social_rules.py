"""Replay is exact, whatever happens in an episode."""

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from actors.episodes.rules.decide import (
    INITIAL,
    Continue,
    EpisodeState,
    Fork,
    Reopen,
    decide,
    evolve,
    follow,
)
from actors.runtime.errors import CommandRefused
from actors.social.actions import Action
from actors.social.catalog_items import Scenario
from actors.social.setup import EpisodeRules
from events.base import Event
from events.episode import ActionTaken, EpisodeFailed, EpisodeForked, TurnOpened
from events.serialization.codec import decode_event, encode
from events.wire.messages import TakeAction
from tests.properties.episodes import Played, character, episodes, mind, play_on
from tests.support.builders import social_start

quick = settings(deadline=None)


def fold(history: list[Event]) -> EpisodeState:
    state = INITIAL
    for event in history:
        state = evolve(state, event)
    return state


@quick
@given(episodes())
def test_the_fold_of_any_prefix_is_the_state_as_it_was_then(played: Played):
    for length, state in enumerate(played.states):
        stored = [decode_event(type(e).__name__, e.SCHEMA, encode(e)) for e in played.history]
        assert fold(stored[:length]) == state


@quick
@given(episodes())
def test_a_batch_leaves_a_turn_open_or_the_episode_ended(played: Played):
    assert follow(played.state) == ()
    assert bool(played.state.waiting) != (played.state.ended is not None)
    assert decide(played.state, Continue()) == ()


@quick
@given(episodes())
def test_turns_are_numbered_without_holes_and_ask_only_who_is_present(played: Played):
    opened = [event for event in played.history if isinstance(event, TurnOpened)]
    assert [turn.turn for turn in opened] == list(range(1, len(opened) + 1))
    assert len(opened) <= played.started.setup.rules.turn_cap
    gone: set[int] = set()
    for event in played.history:
        if isinstance(event, TurnOpened):
            assert event.seats
            assert not gone & set(event.seats)
        if isinstance(event, ActionTaken) and event.action.kind == "leave":
            gone.add(event.seat)


@quick
@given(episodes(), st.data())
def test_an_episode_goes_on_after_a_fork_at_any_event(played: Played, data: st.DataObject):
    parent = list(played.history)
    minds = tuple(mind(90 + seat) for seat in range(len(played.started.setup.cast)))
    for at, state in enumerate(played.states[1:]):
        fork = Played()
        fork.history, fork.states = parent[: at + 1], played.states[: at + 2]
        if state.ended is not None:
            with pytest.raises(CommandRefused, match=f"it can be forked at is {at - 1}$"):
                fork.do(Fork(parent="e1", minds=minds))
            continue
        assert fork.do(Fork(parent="e1", minds=minds)) == (
            EpisodeForked(parent="e1", at=at, minds=minds),
        )
        fork.do(Continue())
        assert fork.state.minds == minds
        assert bool(fork.state.waiting) != (fork.state.ended is not None)
        assert fork.state.last_seen == (-1,) * len(minds)
        play_on(data.draw, fork, 2)
        assert fold(fork.history) == fork.state
        # A fork of the fork, right at its fork event.
        again = decide(fork.states[at + 2], Fork(parent="e2", minds=minds))
        assert again == (EpisodeForked(parent="e2", at=at + 1, minds=minds),)
    assert played.history == parent


@quick
@given(episodes())
def test_what_was_cut_off_between_two_events_is_mended_as_it_would_have_gone(played: Played):
    for number, event in enumerate(played.history[1:], start=1):
        before = played.states[number]
        if follow(before):
            assert decide(before, Continue()) == (event,)


@quick
@given(episodes())
def test_an_action_delivered_again_changes_nothing(played: Played):
    for event in played.history:
        if isinstance(event, ActionTaken):
            again = TakeAction(seat=event.seat, turn=event.turn, action=Action(kind="none"))
            assert decide(played.state, again) == ()


@quick
@given(
    episodes(),
    st.integers(-2, 12),
    st.integers(-2, 7),
    st.sampled_from(["speak", "none", "leave"]),
)
def test_only_who_is_asked_may_act(played: Played, turn: int, seat: int, kind: str):
    state = played.state
    command = TakeAction(seat=seat, turn=turn, action=Action(kind=kind, text="hm"))
    if seat in state.waiting and turn == state.turn:
        assert decide(state, command)[0].turn == turn
    elif seat in range(len(state.acted)) and 0 < turn <= state.acted[seat]:
        assert decide(state, command) == ()
    else:
        with pytest.raises(CommandRefused):
            decide(state, command)


@quick
@given(episodes())
def test_what_was_given_up_and_reopened_goes_on_as_if_nothing_had_been(played: Played):
    for state in played.states:
        if state.ended is not None:
            continue
        given_up = evolve(state, EpisodeFailed(reason="a bug", attempts=5))
        (reopened,) = decide(given_up, Reopen())
        again = evolve(given_up, reopened)
        assert msgspec.structs.replace(again, number=state.number) == state


@quick
@given(episodes())
def test_only_what_was_given_up_can_be_reopened(played: Played):
    for state in played.states:
        with pytest.raises(CommandRefused, match="was not given up"):
            decide(state, Reopen())


def test_a_state_does_not_grow_with_the_turns():
    state = evolve(
        INITIAL,
        social_start(
            run="",
            task="t",
            catalog="c",
            scenario=Scenario(id="s", context="A room.", goals=("talk", "listen")),
            cast=(character(0), character(1)),
            minds=(mind(0), mind(1)),
            rules=EpisodeRules(turn_cap=3000),
        ),
    )
    state = evolve(state, decide(state, Continue())[0])
    sizes = {}
    while state.ended is None:
        (seat,) = state.waiting
        action = Action(kind="speak", text="x" * 100)
        for event in decide(state, TakeAction(seat=seat, turn=state.turn, action=action)):
            state = evolve(state, event)
        sizes[state.turn] = len(encode(state))
    assert state.turn == 3000
    # Larger numbers take a byte or two more; nothing else may.
    assert sizes[2999] - sizes[10] < 32
