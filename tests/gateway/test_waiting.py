"""Which seats wait for a remote program."""

from collections.abc import Sequence

from actors.episodes.rules.decide import INITIAL, Fork, decide, evolve
from events.base import Event, replace
from events.episode import ActionTaken, EpisodeEnded, SeatReleased, SeatTaken
from events.run import RunPaused
from gateway.services.runs.awaited_seats import AwaitedSeat, awaited_seats
from store.log.event_store import ANY, NEW, EventStore
from store.read_model.episode_history import read_history
from tests.store.conftest import open_again, store, store_url
from tests.support.builders import act, mind, opened, started
from tests.support.runs import REMOTE_MINDS, plan, record

__all__ = ["open_again", "store", "store_url"]

FAR, NEAR = mind("far", kind="remote"), mind("near")


def taken(turn: int, seat: int) -> ActionTaken:
    return ActionTaken(turn=turn, seat=seat, action=act("speak", "Well."))


def stored(store: EventStore, episode: str, events: Sequence[Event], run: str = "") -> None:
    store.append(f"episode-{episode}", NEW, events, correlation=run)


def waiting(store: EventStore, *runs: str) -> list[tuple[str, int, str]]:
    found = awaited_seats(store, runs or None, space="lab")
    return [(one.episode, one.seat, one.mind) for one in found]


def test_a_seat_waits_from_when_it_is_asked_until_it_has_answered_everything(store):
    both = started(minds=(FAR, FAR))
    stored(store, "e1", [both])
    assert waiting(store) == []
    envelope = store.append("episode-e1", ANY, [opened(1, (0, 1))]).envelopes[0]
    assert awaited_seats(store, space="lab") == [
        AwaitedSeat(
            run="",
            episode="e1",
            seat=seat,
            mind="far",
            subject=f"troupe.lab.seat.e1.{seat}",
            since=envelope.recorded_at,
        )
        for seat in (0, 1)
    ]
    store.append("episode-e1", ANY, [taken(1, 0)])
    assert waiting(store) == [("e1", 1, "far")]
    store.append("episode-e1", ANY, [taken(1, 1), opened(2, (0,))])
    assert waiting(store) == [("e1", 0, "far")]
    store.append("episode-e1", ANY, [EpisodeEnded(reason="stopped", turn=2)])
    assert waiting(store) == []


def test_only_programs_elsewhere_are_waited_for(store):
    stored(store, "e1", [started(minds=(FAR, NEAR)), opened(1, (1,))])
    stored(store, "e2", [started(minds=(NEAR, NEAR)), opened(1, (0, 1))])
    stored(store, "e3", [started(minds=(NEAR, FAR)), opened(1, (0, 1))])
    assert waiting(store) == [("e3", 1, "far")]


def test_a_person_is_waited_for_from_when_they_take_a_seat_until_they_leave(store):
    person = mind("person", kind="person")
    stored(store, "e1", [started(minds=(NEAR, NEAR)), opened(1, (0,))])
    stored(store, "e2", [started(minds=(person, NEAR)), opened(1, (0,))])
    assert [one.free for one in awaited_seats(store, space="lab")] == [True]
    taken_by = SeatTaken(seat=0, participant="p-ann", mind=person)
    for episode in ("e1", "e2"):
        store.append(f"episode-{episode}", ANY, [taken_by])
    found = awaited_seats(store, space="lab")
    assert [(one.episode, one.kind, one.participant, one.free) for one in found] == [
        ("e1", "person", "p-ann", False),
        ("e2", "person", "p-ann", False),
    ]
    store.append("episode-e1", ANY, [SeatReleased(seat=0, participant="p-ann", mind=NEAR)])
    assert waiting(store) == [("e2", 0, "person")]


def test_a_fork_waits_in_the_turn_that_its_parent_opened(store):
    stored(
        store, "e1", [started(minds=(NEAR, NEAR)), opened(1, (0,)), taken(1, 0), opened(2, (1,))]
    )
    state = INITIAL
    for numbered in read_history(store, "e1"):
        state = evolve(state, numbered.event)
    events = decide(state, Fork(parent="e1", minds=(NEAR, replace(FAR, name="other"))))
    stored(store, "f1", events)
    assert waiting(store) == [("f1", 1, "other")]
    store.append("episode-f1", ANY, [taken(2, 1), opened(3, (0,))])
    assert waiting(store) == []


def test_those_of_some_runs_can_be_asked_for_and_a_paused_run_waits_for_nobody(store, tmp_path):
    runs = [
        record(store, tmp_path, plan(REMOTE_MINDS, tasks=1, pairings='[["far", "far"]]'))
        for _ in "ab"
    ]
    for number, run in enumerate(runs):
        beginning = replace(started(minds=(FAR, FAR)), run=run)
        stored(store, f"e{number}", [beginning, opened(1, (0,))], run)
    assert waiting(store) == [("e0", 0, "far"), ("e1", 0, "far")]
    assert waiting(store, runs[1]) == [("e1", 0, "far")]
    store.append(f"run-{runs[1]}", ANY, [RunPaused(reason="stopped")])
    assert waiting(store) == [("e0", 0, "far")]
