"""People in seats, by the client for Python: what they do counts once, over any connection."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest
import pytest_asyncio

from actors.social.setup import EpisodeRules
from events.episode import ActionTaken, EpisodeStarted, PeopleRules, SeatReleased, SeatTaken
from gateway.client.socket import NotDone, Stage, SyncStage
from gateway.live.frames import Act, TypingNow
from tests.builders import mind, started
from tests.gateway.live.served import Served, principal
from tests.managed import Company, Playing
from tests.nats import until

PERSON = mind("people", "person")


@pytest_asyncio.fixture
async def company(served: Served) -> AsyncIterator[Company]:
    """Plays what the gateway serves."""
    async with Company(served.store, served.bus) as one:
        yield one


def stage(served: Served, token: str, episode: str = "e1") -> Stage:
    return Stage(episode, url=served.url, token=token)


def alone(**people: Any) -> EpisodeStarted:
    """A mind that speaks at once, and a seat for a person."""
    rules = EpisodeRules(turn_cap=4, seed=1)
    return started(minds=(mind(), PERSON), rules=rules, people=PeopleRules(**people))


async def begun(company: Company, **people: Any) -> Playing:
    """An episode that is under way."""
    playing = company.begin(alone(**people), "e1")
    await until(lambda: company.store.version("episode-e1") >= 0)
    return playing


async def test_a_person_takes_the_seat_and_plays_to_the_end(
    served: Served, company: Company
) -> None:
    playing = await begun(company)
    async with stage(served, "sit") as me:
        await me.until(lambda state: state.may_take)
        await me.take_seat()
        await me.until(lambda state: state.mine)
        while asked := await me.next_question():
            await me.act(text=f"This is turn {asked.turn} of mine.")
        assert me.state.ended == "turn_cap"
        texts = [entry.text for entry in me.state.entries]
    events = await playing.ended()
    assert [one.participant for one in events if isinstance(one, SeatTaken)] == ["p-abcdefgh"]
    assert [one.action.text for one in events if isinstance(one, ActionTaken)] == texts


async def test_two_tabs_and_a_retry_count_once_and_a_late_answer_is_refused_with_the_reason(
    served: Served, company: Company
) -> None:
    await begun(company)
    async with stage(served, "sit") as one, stage(served, "sit") as other:
        await one.until(lambda state: state.may_take)
        await one.take_seat()
        await one.until(lambda state: state.mine and state.asked)
        await other.until(lambda state: state.mine and state.asked)
        turn = one.state.asked.turn
        first = await one.act(text="Mine.")
        again = await other.wish(Act(ref=0, turn=turn, text="Mine."))
        assert (first.before, again.before) == (False, True)
        with pytest.raises(NotDone, match="was answered before, with something else"):
            await other.wish(Act(ref=0, turn=turn, text="Something else."))
        with pytest.raises(NotDone, match="not asked that in turn 99"):
            await other.wish(Act(ref=0, turn=99, text="Too early."))


async def test_who_is_late_is_told_so(served: Served, company: Company) -> None:
    await begun(company, deadline_s=0.2, late="nothing")
    async with stage(served, "sit") as me:
        await me.until(lambda state: state.may_take)
        await me.take_seat()
        await me.until(lambda state: state.mine and state.asked)
        turn = me.state.asked.turn
        assert me.state.asked.until is not None
        await me.until(lambda state: not state.asked or state.asked.turn != turn)
        with pytest.raises(NotDone, match="time was up in turn"):
            await me.wish(Act(ref=0, turn=turn, text="Here I am."))


async def test_a_person_takes_over_from_a_mind_and_hands_back(
    served: Served, company: Company
) -> None:
    served.people["first"] = principal("participant", seat=0, name="p-zzzzzzzz", token="t2")
    playing = await begun(company)
    async with stage(served, "first") as me:
        await me.until(lambda state: state.may_take)
        await me.take_seat()
        await me.until(lambda state: state.mine)
        with pytest.raises(NotDone) as refused:
            await me.take_seat(1)
        assert refused.value.code == "forbidden"
        await me.leave_seat()
        await me.until(lambda state: not state.mine)
    events = [one for one in playing.events if isinstance(one, SeatTaken | SeatReleased)]
    assert [one.mind.name for one in events] == ["person", "warm"]


async def test_an_answer_that_cannot_be_read_is_refused_and_asked_for_again(
    served: Served, company: Company
) -> None:
    await begun(company)
    async with stage(served, "sit") as me:
        await me.until(lambda state: state.may_take)
        await me.take_seat()
        await me.until(lambda state: state.mine and state.asked)
        with pytest.raises(NotDone) as refused:
            await me.act({"kind": "sing", "text": "La."})
        assert refused.value.code == "bad_action"
        assert me.state.asked
        await me.act({"kind": "speak", "text": "Hello."})


async def test_that_somebody_writes_is_told_to_the_others_and_never_stored(
    served: Served, company: Company
) -> None:
    playing = await begun(company)
    watcher = await served.watch("all")
    async with stage(served, "sit") as me:
        await me.until(lambda state: state.may_take)
        await me.take_seat()
        await me.until(lambda state: state.mine and state.asked)
        before = len(playing.events)
        await me.typing()
        await until(lambda: watcher.of(TypingNow))
        assert watcher.of(TypingNow) == [TypingNow(seat=1)]
        assert len(playing.events) == before


async def test_a_researcher_pauses_steps_and_stops_and_nobody_else_does(
    served: Served, company: Company
) -> None:
    await begun(company)
    async with stage(served, "all") as rae, stage(served, "sit") as me:
        await me.until(lambda state: state.may_take)
        with pytest.raises(NotDone) as refused:
            await me.direct("pause")
        assert refused.value.code == "forbidden"
        await rae.direct("pause")
        await rae.until(lambda state: state.paused)
        await me.until(lambda state: state.waits)
        await rae.direct("go_on")
        await rae.until(lambda state: not state.paused)
        await rae.direct("stop", text="enough")
        assert (await rae.until(lambda state: state.ended)).detail == "enough"
        assert (await me.until(lambda state: state.ended)).detail == ""


async def test_without_a_loop_of_ones_own_it_is_the_same(served: Served, company: Company) -> None:
    await begun(company)

    def play() -> str:
        with SyncStage("e1", url=served.url, token="sit") as me:
            while not me.state.may_take:
                next(me)
            me.take_seat()
            while me.next_question():
                me.act(text="Good day.")
            return me.state.ended

    assert await asyncio.to_thread(play) == "turn_cap"
