"""People in seats, by the client for Python: what they do counts once, over any connection."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from httpx import ASGITransport, AsyncClient

from actors.social.setup import EpisodeRules
from events.episode import ActionTaken, EpisodeStarted, PeopleRules, SeatReleased, SeatTaken
from events.serialization.codec import encode
from events.wire import subjects
from events.wire.messages import TakeSeat
from gateway.api.operations import PREFIX
from gateway.client.socket import NotDoneError, Stage, SyncStage
from gateway.http.app import make_app
from gateway.services.access.token_repository import Tokens
from gateway.services.participants import erase_words
from gateway.services.participants.erase_words import require_none_in_clear
from gateway.services.participants.link_participants import erase_holder
from gateway.services.viewers.frames import Act, TypingNow
from tests.gateway.live.served import Served, principal
from tests.gateway.served import gateway_over, signed_in
from tests.support.builders import mind, started
from tests.support.managed_episodes import Company, Playing
from tests.support.servers.nats_server import until

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


WORDS = "Zebras quarrel beside my grandmother's well"


@pytest.mark.parametrize("door", ["rest", "nats"])
async def test_whom_somebody_else_seats_writes_nothing_in_clear_and_is_erased(
    served: Served,
    company: Company,
    tmp_path: Path,
    door: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(erase_words, "KEEP_S", 0.0)
    ana = served.people["sit"]
    Tokens(served.store).issue(ana)
    playing = await begun(company)
    if door == "rest":
        gateway = gateway_over(served.store, tmp_path, served.bus)
        gateway.live = served.live
        _, headers = signed_in(gateway, "operator", name="rae")
        transport = ASGITransport(make_app(gateway))  # type: ignore[arg-type]
        async with AsyncClient(transport=transport, base_url="http://t", headers=headers) as rest:
            path = f"{PREFIX}/episodes/e1/seats/2/take"
            seated = await rest.post(path, json={"participant": ana.name})
            assert seated.status_code == 200, seated.text
            other = await rest.post(path, json={"participant": "study-foo"})
            assert other.status_code == 422, other.text
    else:
        # A program says nothing of seals, before there is a key.
        subject = subjects.command(served.bus.space, "episode", "e1")
        command = encode(TakeSeat(seat=1, participant=ana.name, by="rae"))
        await served.bus.nats.request(subject, command, timeout=5)
    async with stage(served, "sit") as me:
        await me.until(lambda state: state.mine)
        while await me.next_question():
            await me.act(text=WORDS)
    said = [one for one in await playing.ended() if isinstance(one, ActionTaken) and one.seat == 1]
    assert {one.action.text for one in said} == {WORDS}
    sat = [one for one in await playing.ended() if isinstance(one, SeatTaken)]
    assert [one.sealed for one in sat] == [door == "rest"]
    stored = [bytes(one.payload) for one in served.store.read("episode-e1")]
    assert not [one for one in stored if b"Zebras quarrel" in one]
    assert erase_holder(served.store, ana.token) == (ana, "erased")
    require_none_in_clear(served.store, "e1", ana.name)


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
        with pytest.raises(NotDoneError, match="was answered before, with something else"):
            await other.wish(Act(ref=0, turn=turn, text="Something else."))
        with pytest.raises(NotDoneError, match="not asked that in turn 99"):
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
        with pytest.raises(NotDoneError, match="time was up in turn"):
            await me.wish(Act(ref=0, turn=turn, text="Here I am."))


async def test_a_missed_turn_is_told_to_who_missed_it_live_and_when_they_come_again(
    served: Served, company: Company
) -> None:
    people = PeopleRules(deadline_s=0.3, late="nothing")
    rules = EpisodeRules(turn_cap=40, stale_turns=0, seed=1)
    company.begin(started(minds=(mind(), PERSON), rules=rules, people=people), "e1")
    await until(lambda: company.store.version("episode-e1") >= 0)
    async with stage(served, "sit") as me:
        await me.until(lambda state: state.may_take)
        assert me.state.missed == 0
        await me.take_seat()
        await me.until(lambda state: state.missed == 2)
        assert me.state.mine
        async with stage(served, "sit") as again, stage(served, "watch") as other:
            await again.until(lambda state: state.missed >= 2)
            await other.until(lambda state: state.version > 0)
            assert other.state.missed == 0, "it is nobody else's business"

        async def answer() -> None:
            # Time may be up while it is on its way.
            while me.state.missed:
                asked = await me.next_question()
                with contextlib.suppress(NotDoneError):
                    await me.act(text=f"In time, in turn {asked.turn}.")

        await answer()


async def test_a_person_takes_over_from_a_mind_and_hands_back(
    served: Served, company: Company
) -> None:
    served.people["first"] = principal("participant", seat=0, name="p-zzzzzzzz", token="t2")
    playing = await begun(company)
    async with stage(served, "first") as me:
        await me.until(lambda state: state.may_take)
        await me.take_seat()
        await me.until(lambda state: state.mine)
        with pytest.raises(NotDoneError) as refused:
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
        with pytest.raises(NotDoneError) as refused:
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
        with pytest.raises(NotDoneError) as refused:
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
