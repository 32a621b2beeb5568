"""A process is killed while a person is asked something: their seat and their time are kept."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from actors.social.actions import Action
from events.base import Envelope
from events.episode import ActionTaken, SeatReleased
from events.serialization.codec import event_of
from events.wire.messages import Accepted, Command, Refused, Reply, TakeAction, TakeSeat
from gateway.services.episodes.direct_episode import direct
from gateway.services.episodes.seat_client import state_of
from gateway.settings import read_settings
from store.log.event_store import EventStore
from store.read_model import queries
from tests.faults.process import Troupe
from tests.support.servers.nats_server import until
from tests.support.store_checks import check_store, whole_log

DEADLINE_S = 12
PLAN = f"""
seed = 3
[tasks]
limit = 1
[minds.guest]
kind = "person"
[minds.wily]
kind = "rehearsal"
temper = "wily"
[seats]
pairings = [["guest", "wily"]]
[people]
deadline_s = {DEADLINE_S}
late = "takeover"
substitute = "wily"
[social]
turn_cap = 8
"""
ANN = "p-ann"


class Ann:
    """A person who sits in the first seat of an episode."""

    def __init__(self, troupe: Troupe, store: EventStore, episode: str) -> None:
        self.settings = read_settings(troupe.environment)
        self.store, self.episode = store, episode

    async def send(self, command: Command) -> Reply:
        """Sent again until whoever plays it answers."""
        while True:
            reply = await asyncio.to_thread(
                direct, self.settings, self.store, self.episode, command
            )
            if not isinstance(reply, Refused) or reply.code not in ("not_playing", "try_again"):
                return reply
            await asyncio.sleep(0.1)

    def says(self, turn: int, text: str) -> TakeAction[Any]:
        action = Action(kind="speak", text=text)
        return TakeAction(seat=0, turn=turn, action=action, participant=ANN)

    def asked_in(self, turn: int) -> bool:
        state = state_of(self.store, self.episode)
        return state.turn == turn and state.waiting == (0,)


@pytest.mark.long
async def test_a_person_keeps_seat_and_time_where_the_process_that_asks_them_is_killed(
    tmp_path: Path,
):
    (tmp_path / "plan.toml").write_text(PLAN)
    troupe = Troupe(tmp_path)
    store = troupe.open()
    process = await troupe.start("run", str(tmp_path / "plan.toml"))
    await process.while_running(lambda: begun(store))
    (row,) = queries.episodes(store)
    ann = Ann(troupe, store, row.id)
    await until(lambda: ann.asked_in(1))
    assert isinstance(await ann.send(TakeSeat(seat=0, participant=ANN)), Accepted)
    assert isinstance(await ann.send(ann.says(1, "Good day.")), Accepted)
    await process.kill_when(lambda: ann.asked_in(3))
    assert state_of(store, row.id).participants[0] == ANN

    process = await troupe.start("resume", row.run)
    again = await ann.send(ann.says(1, "In other words."))
    assert isinstance(again, Accepted)
    assert again.before
    # In time or late, by how busy this machine is: never both.
    await ann.send(ann.says(3, "Where were we?"))
    assert await process.ended() == 0, process.said()
    check_store(store, row.run)
    log = [one for one in whole_log(store) if one.stream == f"episode-{row.id}"]
    said = [event.action.text for event in map(event_of, log) if by_seat(event, 0)]
    assert said.count("Good day.") == 1
    assert "In other words." not in said
    (released,) = [one for one in log if one.tag == SeatReleased.__name__]
    opened = last_before(log, released, "TurnOpened")
    assert released.recorded_at - opened.recorded_at >= DEADLINE_S * 1_000_000
    assert "Where were we?" in said or opened.version < released.version
    store.close()


def begun(store: EventStore) -> bool:
    return any(row.started_at is not None for row in queries.episodes(store))


def by_seat(event: Any, seat: int) -> bool:
    return isinstance(event, ActionTaken) and event.seat == seat


def last_before(log: list[Envelope], end: Envelope, tag: str) -> Envelope:
    return [one for one in log if one.tag == tag and one.version < end.version][-1]
