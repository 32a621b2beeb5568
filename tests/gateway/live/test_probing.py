"""What a participant finds out by trying, who sends what the page would not: nothing."""

import time
from pathlib import Path
from typing import Any

import pytest

from actors.episodes.delivery.delays import all_shown_at, shown_by
from events.episode import EpisodeStarted, PeopleRules, SeatReleased, SeatTaken
from gateway.live.conversation import SocketRefusal
from gateway.live.routes import holder
from gateway.services.access.signed_tokens import BadToken
from gateway.services.access.token_states import TokensUnknown
from gateway.services.viewers.frames import AskedNow, Done, NotDone, SeatState, Welcome
from store.log.event_store import EventStore
from tests.gateway.live.served import Served, principal
from tests.gateway.served import client, gateway_over
from tests.support.builders import mind, numbered, opened, started, taken
from tests.support.managed_episodes import Company
from tests.support.servers.nats_server import until

PERSON = mind("people", "person")


def delayed(seconds: float) -> EpisodeStarted:
    """A mind that speaks, and a person who is shown it so much later."""
    return started(minds=(mind(), PERSON), people=PeopleRules(reply_delay_s=seconds))


def test_of_a_history_participants_know_what_was_due_by_then() -> None:
    events = [delayed(60.0), opened(1, [0]), taken(1, 0, "At once."), opened(2, [1])]
    history = numbered(events)
    last = history[-1].envelope.recorded_at
    assert [one.number for one in shown_by(history, last + 1_000_000)] == [0, 1]
    assert shown_by(history, last + 61_000_000) == history
    assert all_shown_at(history) >= history[2].envelope.recorded_at + 60_000_000
    plain = numbered([started(), *events[1:]])
    assert shown_by(plain, 0) == plain
    assert all_shown_at(plain) == plain[-1].envelope.recorded_at


async def test_a_question_that_is_not_shown_yet_was_not_asked(served: Served) -> None:
    sat = SeatTaken(seat=1, participant="p-abcdefgh", mind=PERSON)
    await served.begin("e1", [delayed(3_600.0), sat, opened(1, [0])])
    me = await served.watch("sit")
    await until(lambda: me.of(Welcome))
    await served.tell("e1", [taken(1, 0, "At once."), opened(2, [1])])
    for ref in (1, 2):
        await me.send({"type": "Act", "ref": ref, "turn": ref + 1, "text": "Is it my turn?"})
    await until(lambda: len(me.of(NotDone)) == 2)
    early, never = sorted(me.of(NotDone), key=lambda one: one.ref)
    assert early.code == never.code == "not_asked"
    assert early.reason.replace("turn 2", "turn 3") == never.reason


async def test_a_refusal_says_nothing_of_who_sits_where_or_is_asked(served: Served) -> None:
    async with Company(served.store, served.bus) as company:
        playing = company.begin(started(minds=(mind(), PERSON)), "e1")
        await until(lambda: playing.events)
        me = await served.watch("sit")
        for ref, wish in enumerate(("TakeMySeat", "LeaveMySeat")):
            await me.send({"type": wish, "ref": ref})
            await until(lambda ref=ref: len(me.of(Done)) > ref)  # type: ignore[misc]
        await until(lambda: me.of(AskedNow) and me.happened[-1].turn >= 2)
        await me.send({"type": "Act", "ref": 2, "turn": 2, "text": "I am still here."})
        await until(lambda: me.of(NotDone))
        (refused,) = me.of(NotDone)
        assert (refused.code, refused.reason) == (
            "not_yours",
            "you do not sit in that seat, or no longer",
        )


async def test_who_was_replaced_in_a_study_does_not_come_back(served: Served) -> None:
    served.people["again"] = principal("participant", seat=1, name="p-late", study="s1")
    await served.begin(
        "e1",
        [
            started(minds=(mind(), PERSON)),
            SeatTaken(seat=1, participant="p-late", mind=PERSON, by="study"),
            SeatReleased(seat=1, participant="p-late", mind=mind(), reason="late"),
        ],
    )
    me = await served.watch("again")
    await until(lambda: me.of(SeatState))
    assert me.of(SeatState)[-1] == SeatState(mine=False)
    await me.send({"type": "TakeMySeat", "ref": 1})
    await until(lambda: me.of(NotDone))
    assert me.of(NotDone)[0].code == "forbidden"


async def test_a_token_of_which_nothing_is_known_is_not_refused_for_good() -> None:
    class Away:
        async def principal(self, token: str) -> Any:
            raise BadToken(token) if token == "bad" else TokensUnknown()

    for token, code in (("bad", 4001), ("good", 1013)):
        with pytest.raises(SocketRefusal) as refusal:
            await holder(Away(), token)  # type: ignore[arg-type]
        assert refusal.value.close == code


def test_over_rest_a_participant_reads_what_they_were_shown(
    store: EventStore, tmp_path: Path
) -> None:
    gateway = gateway_over(store, tmp_path / "data")
    store.append("episode-e1", -1, [delayed(3_600.0), opened(1, [0]), taken(1, 0, "At once.")])
    assert store.read("episode-e1")[0].recorded_at < time.time_ns()
    path = "/api/v1/episodes/e1/transcript"
    answering = client(gateway)
    with answering as anybody:
        assert anybody.get(path).status_code == 401
    for role, seat, told in (("participant", 1, False), ("spectator", None, False)):
        with client(gateway, role, episode="e1", seat=seat) as one:  # type: ignore[arg-type]
            assert ("At once." in one.get(path).text) is told
    with client(gateway, "researcher") as rae:
        assert "At once." in rae.get(path).text
