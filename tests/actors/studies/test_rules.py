"""What holds of a study whatever its participants do, and however many gateways decide at once."""

from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from actors.runtime.errors import CommandRefused
from actors.studies.rules import (
    Admit,
    AdmittedBefore,
    Close,
    Command,
    Drop,
    EndGroup,
    EndSession,
    Erase,
    Gather,
    NotAdmitted,
    Open,
    Pause,
    Wait,
    decide,
)
from actors.studies.state import StudyState, evolve, fold
from events.base import Event
from events.minds import MindSpec
from events.study import (
    Condition,
    Consent,
    DropOuts,
    GroupFormed,
    Lobby,
    SessionEnded,
    Study,
    StudyPlanned,
)

MIND = MindSpec(name="warm", kind="rehearsal", temper="warm")
SECOND = 1_000_000


def a_study(*conditions: Condition, **fields: object) -> Study:
    fields = {"lobby": Lobby(limit_s=60, fallback="model", mind=MIND), **fields}
    return Study(
        name="trial",
        title="Talk",
        environment="social",
        catalog="starter",
        consent=Consent(version="1", text="Do you agree?"),
        conditions=conditions or (Condition(name="pair", tasks=("a", "b"), people=2),),
        **fields,  # type: ignore[arg-type]
    )


class Log:
    """A study's stream, as several gateways write to it."""

    def __init__(self, study: Study, gateways: int = 1) -> None:
        self.events: list[Event] = [StudyPlanned(study=study, run="r1")]
        self.known = [1] * gateways
        """How much each gateway has read."""

    def do(self, command: Command, gateway: int = 0) -> None:
        """As a gateway does it: decides by what it knows, and again where others were first."""
        for _ in range(2):
            state = fold(self.events[: self.known[gateway]])
            assert state is not None
            try:
                events = decide(state, command)
            except CommandRefused:
                events = ()
            if not events and self.known[gateway] == len(self.events):
                return
            if events and self.known[gateway] == len(self.events):
                self.events.extend(events)
                self.known[gateway] = len(self.events)
                return
            self.known[gateway] = len(self.events)

    @property
    def state(self) -> StudyState:
        found = fold(self.events)
        assert found is not None
        return found


CONDITIONS = st.lists(
    st.builds(
        lambda name, people, minds, share, quota: Condition(
            name=f"c{name}",
            tasks=("a", "b", "c"),
            people=people,
            minds=(MIND,) * minds,
            share=share,
            quota=quota,
        ),
        st.integers(0, 9),
        st.integers(1, 5),
        st.integers(0, 1),
        st.sampled_from([0.5, 1.0, 2.0]),
        st.integers(0, 3),
    ),
    min_size=1,
    max_size=3,
    unique_by=lambda one: one.name,
)
SESSIONS = [f"s{number}" for number in range(12)]


@st.composite
def commands(draw: Callable[[st.SearchStrategy[object]], object]) -> list[tuple[int, str, int]]:
    step = st.tuples(
        st.integers(0, 2),
        st.sampled_from(
            ["admit", "admit", "wait", "wait", "match", "match", "drop", "over", "end", "pause"]
        ),
        st.integers(0, len(SESSIONS) - 1),
    )
    return draw(st.lists(step, max_size=80))  # type: ignore[return-value]


def carried_out(study: Study, steps: list[tuple[int, str, int]]) -> Log:
    log = Log(study, gateways=3)
    log.do(Open())
    for made, (gateway, what, number) in enumerate(steps):
        at = made * 7 * SECOND
        session = SESSIONS[number]
        playing = [group.episode for group in log.state.under_way]
        match what:
            case "admit":
                command: Command = Admit(session=session, participant=f"p-{session}", at=at)
            case "wait":
                command = Wait(session=session, at=at)
            case "match":
                here = frozenset(SESSIONS[: number + 3])
                command = Gather(at=at, present=here, episode=f"e{made}", code=f"code{made}")
            case "drop":
                command = Drop(session=session, reason="left", at=at)
            case "over" if playing:
                command = EndGroup(episode=playing[number % len(playing)], ending="left", at=at)
            case "end":
                command = EndSession(
                    session=session, outcome="completed", at=at, code=f"code{made}"
                )
            case _:
                command = Pause() if number == 0 else Open()
        log.do(command, gateway)
    return log


@settings(max_examples=60, deadline=None)
@given(CONDITIONS, st.integers(0, 6), commands())
def test_no_quota_is_exceeded_and_nobody_is_in_two_groups(
    conditions: list[Condition], participants: int, steps: list[tuple[int, str, int]]
) -> None:
    log = carried_out(a_study(*conditions, participants=participants), steps)
    members: list[str] = []
    for length in range(1, len(log.events) + 1):
        state = fold(log.events[:length])
        assert state is not None
        for condition in conditions:
            groups = [one for one in state.groups.values() if one.condition == condition.name]
            if condition.quota:
                assert sum(group.counts for group in groups) <= condition.quota
                assert state.taken(condition) <= condition.quota * condition.people
    for event in log.events:
        if isinstance(event, GroupFormed):
            assert len(event.members) + sum(one.kind != "person" for one in event.minds) == len(
                event.minds
            )
            assert event.fallback == (
                len(event.members) < log.state.study.condition(event.condition).people
            )
            members += [member.session for member in event.members]
    assert len(members) == len(set(members))


@settings(max_examples=60, deadline=None)
@given(CONDITIONS, st.sampled_from(["model", "pay"]), commands())
def test_every_session_comes_to_an_end(
    conditions: list[Condition], fallback: str, steps: list[tuple[int, str, int]]
) -> None:
    lobby = Lobby(limit_s=60, fallback=fallback, mind=MIND)  # type: ignore[arg-type]
    log = carried_out(a_study(*conditions, lobby=lobby), steps)
    at = 10**12
    # From any point on: whoever is before the lobby goes idle, time runs out, episodes end.
    for number in range(200):
        at += 100 * SECOND
        for session, place in log.state.places.items():
            if place.where == "before":
                log.do(EndSession(session=session, outcome="idle", at=at))
            elif place.where == "after":
                log.do(EndSession(session=session, outcome="completed", at=at, code="c"))
        for group in log.state.under_way:
            log.do(EndGroup(episode=group.episode, ending="stopped", at=at))
        present = frozenset(SESSIONS[::2])
        log.do(Gather(at=at, present=present, episode=f"x{number}", code="c"))
        if all(place.where == "ended" for place in log.state.places.values()):
            break
    assert {place.where for place in log.state.places.values()} <= {"ended"}
    ended = [event.session for event in log.events if isinstance(event, SessionEnded)]
    assert len(ended) == len(set(ended))


@settings(max_examples=40, deadline=None)
@given(CONDITIONS, commands())
def test_the_state_grows_event_by_event_into_what_is_read(
    conditions: list[Condition], steps: list[tuple[int, str, int]]
) -> None:
    log = carried_out(a_study(*conditions), steps)
    state = None
    for event in log.events:
        state = evolve(state, event)
    assert state == log.state


def come(log: Log, *sessions: str, at: int = 0) -> None:
    for session in sessions:
        log.do(Admit(session=session, participant=f"p-{session}", who=f"w-{session}", at=at))
        log.do(Wait(session=session, at=at))


def opened(*conditions: Condition, **fields: object) -> Log:
    log = Log(a_study(*conditions, **fields))
    log.do(Open())
    return log


def test_two_who_are_there_play_together_and_the_one_who_is_away_waits() -> None:
    log = opened()
    come(log, "s1", "s2", "s3")
    log.do(Gather(at=1, present=frozenset({"s1", "s3"}), episode="e1"))
    (group,) = log.state.groups.values()
    assert {member.session for member in group.members} == {"s1", "s3"}
    assert log.state.places["s2"].where == "waiting"


def test_conditions_are_filled_in_step_with_their_shares() -> None:
    twice = Condition(name="model", tasks=("a",), people=1, minds=(MIND,), share=2.0)
    once = Condition(name="pair", tasks=("a",), people=2)
    log = opened(twice, once)
    come(log, *(f"s{number}" for number in range(40)))
    drawn = [place.condition for place in log.state.places.values()]
    # Groups: 2 of one to 1 of the other; the other's have two people each.
    assert drawn.count("model") == pytest.approx(20, abs=1)


def test_who_waited_too_long_is_given_a_model_and_the_quota_stays_open() -> None:
    log = opened(Condition(name="pair", tasks=("a",), people=2, quota=1))
    come(log, "s1")
    log.do(Gather(at=59 * SECOND, present=frozenset({"s1"}), episode="e1"))
    assert not log.state.groups
    log.do(Gather(at=60 * SECOND, present=frozenset({"s1"}), episode="e1"))
    (group,) = log.state.groups.values()
    assert group.fallback
    assert sorted(mind.kind for mind in group.minds) == ["person", "rehearsal"]
    assert log.state.room(log.state.study.conditions[0]) == 2


def test_who_waited_too_long_is_thanked_and_paid() -> None:
    log = opened(lobby=Lobby(limit_s=60, fallback="pay"))
    come(log, "s1")
    log.do(Gather(at=60 * SECOND, present=frozenset({"s1"}), episode="e1", code="K7"))
    place = log.state.places["s1"]
    assert (place.outcome, place.code) == ("nobody_came", "K7")


def test_a_group_somebody_left_leaves_room_for_another() -> None:
    log = opened(Condition(name="pair", tasks=("a",), people=2, quota=1), drop_outs=DropOuts())
    come(log, "s1", "s2")
    log.do(Gather(at=1, present=frozenset({"s1", "s2"}), episode="e1"))
    with pytest.raises(NotAdmitted):
        decide(log.state, Admit(session="s3", participant="p-s3", at=2))
    log.do(Drop(session="s1", reason="left", at=3))
    log.do(EndGroup(episode="e1", ending="stopped", at=4))
    assert log.state.places["s1"].outcome == "dropped"
    assert log.state.places["s2"].where == "after"
    come(log, "s3", "s4")
    assert log.state.places["s3"].where == "waiting"


def test_nobody_comes_in_twice() -> None:
    log = opened()
    come(log, "s1")
    with pytest.raises(AdmittedBefore) as refused:
        decide(log.state, Admit(session="s9", participant="p-9", who="w-s1", at=2))
    assert refused.value.session == "s1"


def test_a_closed_study_sends_away_who_waits_and_lets_who_plays_go_on() -> None:
    log = opened()
    come(log, "s1", "s2", "s3")
    log.do(Gather(at=1, present=frozenset({"s1", "s2"}), episode="e1"))
    log.do(Close(at=2))
    where = {session: place.where for session, place in log.state.places.items()}
    assert where == {"s1": "playing", "s2": "playing", "s3": "ended"}
    with pytest.raises(CommandRefused):
        decide(log.state, Open())


def test_each_task_is_played_as_often_as_the_others() -> None:
    log = opened(Condition(name="one", tasks=("a", "b", "c"), people=1, minds=(MIND,)))
    for number in range(6):
        come(log, f"s{number}")
        log.do(Gather(at=1, present=frozenset({f"s{number}"}), episode=f"e{number}"))
    played = [group.task for group in log.state.groups.values()]
    assert sorted(played) == ["a", "a", "b", "b", "c", "c"]


def test_only_a_participant_of_the_study_is_erased_and_only_once() -> None:
    log = opened()
    come(log, "s1")
    with pytest.raises(CommandRefused):
        decide(log.state, Erase(participant="p-nobody"))
    log.do(Erase(participant="p-s1", by="ada"))
    assert decide(log.state, Erase(participant="p-s1")) == ()
    assert log.state.erased == {"p-s1"}
