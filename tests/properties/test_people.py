"""What must hold of any environment where people take seats and researchers direct: replay is exact
at every prefix, nothing is done twice, nothing is recorded of who does not sit there, nobody's eyes
see who sits where or what is only proposed."""

from collections import Counter
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actors.episodes.rules.decide import (
    INITIAL,
    Continue,
    Fork,
    Late,
    Start,
    decide,
    evolve,
    follow,
)
from actors.runtime.errors import CommandRefused
from events.base import replace
from events.episode import (
    ActionProposed,
    ActionTaken,
    EpisodeContinued,
    EpisodePaused,
    EpisodeStepped,
    PeopleRules,
    SeatReleased,
    SeatTaken,
    TurnOpened,
    WorldChanged,
)
from events.minds import MindSpec
from events.serialization.codec import encode
from events.wire.messages import (
    EditAction,
    GoOn,
    Narrate,
    PauseEpisode,
    ReleaseSeat,
    StepEpisode,
    TakeAction,
    TakeSeat,
)
from tests.properties.test_every_environment import (
    ENVIRONMENTS,
    Line,
    a_mind,
    answer,
    beginning,
    catalog_of,
    stored,
    viewers,
)

OFFSTAGE = (
    ActionProposed,
    EpisodeContinued,
    EpisodePaused,
    EpisodeStepped,
    SeatReleased,
    SeatTaken,
)
SUBSTITUTE = MindSpec(name="«mind substitute»", kind="rehearsal")
PEOPLE = ("p-ann", "p-bob")


def directed(environment: Any, moves: int = 18) -> st.SearchStrategy[Line]:
    """Episodes in which minds, two people, clocks and a researcher do things in any order."""

    @st.composite
    def line(draw: st.DrawFn) -> Line:
        task = draw(st.sampled_from(catalog_of(environment.name)[1]))
        people = PeopleRules(
            late=draw(st.sampled_from(["nothing", "takeover", "end"])),
            substitute=draw(st.sampled_from([None, SUBSTITUTE])),
        )
        seed = draw(st.integers(0, 2**62))
        started = replace(beginning(environment, task.id, seed), people=people)
        played = Line(started, [], [INITIAL])
        played.do(Start(started=started))
        for _ in range(draw(st.integers(0, moves))):
            if played.state.ended is not None:
                break
            with suppress(CommandRefused):
                played.do(_anything(draw, environment, played))
        return played

    return line()


def _anything(draw: st.DrawFn, environment: Any, line: Line) -> Any:
    state, seats = line.state, len(line.started.minds)
    seat, who = draw(st.integers(0, seats - 1)), draw(st.sampled_from(PEOPLE))
    asked = [one for one in state.unanswered if one.seat == seat]
    command = draw(st.sampled_from(["answer"] * 6 + ["people"] * 3 + ["researcher"] * 3))
    if command == "answer" and state.waiting:
        seat = draw(st.sampled_from(state.waiting))
        asked = [one for one in state.open if one.seat == seat]
        sits_there = state.participants[seat]
        return TakeAction(
            seat=seat,
            turn=state.turn,
            question=asked[0].id,
            action=answer(environment, line, a_mind(draw, environment, line), seat, 0),
            participant=draw(st.sampled_from([sits_there, sits_there, "", *PEOPLE])),
        )
    if command == "people":
        return draw(
            st.sampled_from(
                [
                    TakeSeat(seat=seat, participant=who),
                    ReleaseSeat(seat=seat, participant=who),
                    ReleaseSeat(seat=seat, participant=who, mind=SUBSTITUTE),
                    Late(seat=seat, turn=state.turn, participant=state.participants[seat]),
                ]
            )
        )
    choices: list[Any] = [PauseEpisode(), StepEpisode(), GoOn(), Narrate(text="«told»", by="r")]
    if asked:
        action = line.game.rules.nothing(asked[0].question)
        choices.append(EditAction(seat=seat, turn=state.turn, action=action, by="researcher"))
    return draw(st.sampled_from(choices))


@ENVIRONMENTS
@given(data=st.data())
def test_the_fold_of_any_prefix_is_the_state_as_it_was_then(environment, data):
    line = data.draw(directed(environment))
    state = INITIAL
    for event, live in zip(line.history, line.states[1:], strict=True):
        state = evolve(state, stored(event))
        assert state == live


@ENVIRONMENTS
@given(data=st.data())
def test_every_question_is_answered_once_and_by_whoever_sits_there(environment, data):
    line = data.draw(directed(environment))
    asked: Counter[tuple[int, int, int]] = Counter()
    answered: Counter[tuple[int, int, int]] = Counter()
    for number, event in enumerate(line.history):
        match event:
            case TurnOpened(turn=turn):
                asked.update((turn, one.seat, one.id) for one in event.asked)
            case ActionTaken():
                answered[event.turn, event.seat, event.question] += 1
            case SeatTaken(seat=seat, participant=who):
                assert line.states[number].participants[seat] == ""
                assert line.states[number + 1].participants[seat] == who
            case SeatReleased(seat=seat, participant=who):
                assert line.states[number].participants[seat] == who
    assert not answered - asked
    assert max(answered.values(), default=0) <= 1


@ENVIRONMENTS
@given(data=st.data())
def test_nobody_acts_in_a_seat_that_is_not_theirs(environment, data):
    line = data.draw(directed(environment))
    state = line.state
    mind = a_mind(data.draw, environment, line)
    for seat in state.waiting:
        action = answer(environment, line, mind, seat, 0)
        there = state.participants[seat]
        for who in {"", "p-else", *PEOPLE} - {there}:
            late = TakeAction(seat=seat, turn=state.turn, action=action, participant=who)
            with pytest.raises(CommandRefused) as refused:
                decide(state, late)
            assert refused.value.code == "not_yours"


@ENVIRONMENTS
@given(data=st.data())
def test_while_an_episode_waits_nothing_is_taken_that_no_researcher_wants(environment, data):
    line = data.draw(directed(environment))
    for number, event in enumerate(line.history):
        before = line.states[number]
        if before.people.held:
            assert not isinstance(event, TurnOpened)
            assert not (isinstance(event, ActionTaken) and not event.by)
        if isinstance(event, ActionProposed):
            assert before.people.held


@ENVIRONMENTS
@given(data=st.data())
def test_what_was_proposed_is_taken_when_it_goes_on(environment, data):
    line = data.draw(directed(environment))
    if not line.state.paused or line.state.ended is not None:
        return  # one that was given up meanwhile does not go on
    proposed = line.state.proposed
    events = line.do(GoOn())
    taken = [event for event in events if isinstance(event, ActionTaken)]
    assert [(one.seat, one.question, one.action) for one in taken] == [
        (one.seat, one.question, one.action) for one in proposed
    ]
    state = line.state
    assert (state.paused, state.proposed) == (False, ())
    assert bool(state.waiting) != (state.ended is not None)
    assert follow(state) == ()


@ENVIRONMENTS
@given(data=st.data())
def test_nobody_notices_who_sits_where_and_what_is_only_proposed(environment, data):
    line = data.draw(directed(environment))
    for viewer in viewers(line):
        eyes = line.game.sight.reducer(line.started, viewer)
        for number, event in enumerate(line.history):
            assert not eyes.apply(number, event) or not isinstance(event, OFFSTAGE)
        view = line.game.sight.view(line.history, viewer)
        told = encode(view) + encode(line.game.words.account(view))
        assert b"p-ann" not in told
        assert b"p-bob" not in told
        assert b"\xc2\xabmind" not in told


@ENVIRONMENTS
@given(data=st.data())
def test_a_fork_at_any_event_waits_for_nobody_to_go_on(environment, data):
    line = data.draw(directed(environment))
    at = data.draw(st.integers(0, len(line.history) - 1))
    state = line.states[at + 1]
    if state.ended is not None:
        return
    minds = state.minds_without_people
    assert all(mind.kind != "person" for mind in minds)
    fork = Line(line.started, line.history[: at + 1], line.states[: at + 2])
    fork.do(Fork(parent="e1", minds=minds))
    fork.do(Continue())
    state = fork.state
    assert (state.paused, state.proposed, set(state.participants)) == (False, (), {""})
    assert bool(state.waiting) != (state.ended is not None)


@ENVIRONMENTS
@given(data=st.data())
def test_the_same_again_changes_nothing(environment, data):
    line = data.draw(directed(environment))
    if line.state.ended is not None:
        return
    seat = data.draw(st.integers(0, len(line.started.minds) - 1))
    who = line.state.participants[seat] or "p-new"
    line.do(TakeSeat(seat=seat, participant=who))
    assert line.do(TakeSeat(seat=seat, participant=who)) == ()
    line.do(ReleaseSeat(seat=seat, participant=who))
    assert line.do(ReleaseSeat(seat=seat, participant=who)) == ()
    line.do(PauseEpisode())
    assert line.do(PauseEpisode()) == ()
    line.do(GoOn())
    if line.state.ended is None:
        assert line.do(GoOn()) == ()


@ENVIRONMENTS
@given(data=st.data())
def test_a_narrator_is_heard_by_those_named_and_changes_no_question(environment, data):
    line = data.draw(directed(environment))
    before = line.state
    if before.ended is not None:
        return
    seat = data.draw(st.integers(0, len(line.started.minds) - 1))
    command = Narrate(text="«thunder»", seats=(seat,), by="researcher")
    if line.game.recording.narration("«thunder»", (seat,)) is None:
        with pytest.raises(CommandRefused) as refused:
            line.do(command)
        assert refused.value.code == "no_narrator"
        return
    (told,) = line.do(command)
    assert isinstance(told, WorldChanged)
    assert line.state.open == before.open
    for viewer in viewers(line):
        account = line.game.words.account(line.game.sight.view(line.history, viewer))
        words = [entry for entry in account.entries if "«thunder»" in entry.line]
        if viewer in (seat, "narrator", "judge"):
            (entry,) = words
            assert entry.seat is None
        else:
            assert not words
