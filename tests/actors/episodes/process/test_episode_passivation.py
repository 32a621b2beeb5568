"""Whether an episode may leave memory, and what its manager is told."""

from math import inf
from time import monotonic
from typing import Any

import pytest

from actors.episodes.delivery.deadline_alarm import DeadlineAlarm
from actors.episodes.process.episode_passivation import EpisodePassivation
from actors.episodes.process.passivation import Passivation
from actors.episodes.rules.people import PERSON
from actors.episodes.rules.state import INITIAL, EpisodeState, evolve
from actors.runtime.errors import OwnershipLost
from events.episode import EpisodeEnded, EpisodePaused
from events.wire.messages import TakeAction
from tests.support.builders import act, mind, opened, started, taken
from tests.support.managed_episodes import Company

FAR, NEAR = mind("far", kind="remote"), mind("near")


class ManagerOfOne:
    """As much of a manager as the passivation of an episode needs."""

    def __init__(self, after_s: float = 60.0) -> None:
        self.passivation = Passivation(after_s=after_s)
        self.told: list[Any] = []
        self.answer = True

    def passivate(self, episode: str, version: int, due: int | None) -> bool:
        self.told.append((episode, version, due))
        return self.answer

    def goes_on(self, episode: str) -> bool:
        self.told.append(episode)
        return self.answer

    def waits_for_people(self, episode: str, waits: bool) -> None:
        self.told.append(waits)


def state_of(*minds: Any, more: Any = ()) -> EpisodeState:
    """The first seat is asked."""
    state = INITIAL
    for event in (started(minds=minds), opened(1, (0,)), *more):
        state = evolve(state, event)
    return state


@pytest.fixture
def manager():
    return ManagerOfOne()


@pytest.fixture
def alarm():
    return DeadlineAlarm(None)  # type: ignore[arg-type]


def passivation_of(manager: ManagerOfOne, silent_s: float = inf, **more: Any) -> EpisodePassivation:
    passivation = EpisodePassivation(manager, "e1", **more)  # type: ignore[arg-type]
    passivation._silent_since = monotonic() - silent_s
    return passivation


def test_it_leaves_once_those_outside_have_been_silent(manager, alarm):
    asked = state_of(FAR, NEAR)
    assert not passivation_of(manager, 59.0).leave(asked, 1, alarm)
    assert manager.told == []
    assert passivation_of(manager, 61.0).leave(asked, 1, alarm)
    assert manager.told == [("e1", 1, None)]


def test_what_is_heard_ends_the_silence(manager, alarm):
    passivation = passivation_of(manager)
    passivation.heard = True
    assert not passivation.leave(state_of(FAR, NEAR), 1, alarm)
    assert not passivation.leave(state_of(FAR, NEAR), 1, alarm)
    manager.passivation.after_s = 0.0
    assert passivation.leave(state_of(FAR, NEAR), 1, alarm)


def test_it_stays_while_a_mind_of_this_process_is_asked_or_nobody_is(manager, alarm):
    over = state_of(FAR, NEAR, more=(EpisodeEnded(reason="stopped", turn=1),))
    for state in (state_of(NEAR, FAR), over, INITIAL):
        assert not passivation_of(manager).leave(state, 1, alarm)


def test_one_that_a_researcher_paused_leaves_though_nobody_is_asked(manager, alarm):
    paused = state_of(FAR, NEAR, more=(EpisodePaused(by="r"), taken(1, 0, "Hello.")))
    assert passivation_of(manager).leave(paused, 3, alarm)


def test_it_stays_where_its_manager_says_so(manager, alarm):
    manager.answer = False
    assert not passivation_of(manager).leave(state_of(FAR, NEAR), 1, alarm)


def test_one_that_was_out_of_memory_leaves_again_without_a_word(manager, alarm):
    assert passivation_of(manager, passivated_at=1).leave(state_of(FAR, NEAR), 1, alarm)
    assert manager.told == []


def test_it_wakes_where_it_is_still_this_processs(manager):
    passivation = passivation_of(manager, passivated_at=1)
    assert passivation.wake()
    assert passivation.passivated_at is None
    manager.answer = False
    assert not passivation.wake()


def test_its_manager_is_told_when_it_begins_and_ceases_to_wait_for_people(manager):
    passivation = passivation_of(manager)
    waits, asked = state_of(PERSON, NEAR), state_of(NEAR, PERSON)
    for state in (asked, waits, waits, asked):
        passivation.note_waiting(state)
    assert manager.told == [True, False]
    passivation.note_waiting(asked, anyway=True)
    assert manager.told == [True, False, False]
    passivation.note_waiting(state_of(PERSON, NEAR, more=(EpisodeEnded(reason="left", turn=1),)))
    assert manager.told == [True, False, False]


async def test_one_that_wakes_steps_down_where_another_process_has_written(store, bus, monkeypatch):
    async with Company(store, bus) as company:
        first = started(minds=(FAR, FAR))
        store.append("episode-e1", -1, [first, opened(1, (0,))])
        company.social.passivation.add("e1", 1, "social")
        append = store.append_then

        def beaten(stream: str, expected: int, *more: Any, **named: Any) -> None:
            if expected == 1:
                store.append(stream, 1, [taken(1, 0, "Taken elsewhere."), opened(2, (1,))])
            append(stream, expected, *more, **named)

        monkeypatch.setattr(store, "append_then", beaten)
        answer = TakeAction(seat=0, turn=1, action=act("speak", "Too late."))
        with pytest.raises(OwnershipLost):
            await company.host.ask("episode", "e1", answer)
        assert store.version("episode-e1") == 3
        assert company.social.seats.tables == {}
