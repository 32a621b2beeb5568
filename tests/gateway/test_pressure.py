"""What piles up keeps a process from taking more jobs, for as long as it is piled up; and whoever
watches it can see that."""

import asyncio
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from prometheus_client import REGISTRY

from actors.models.caller import ModelCaller
from actors.models.port import ModelRequest, Msg
from actors.models.registry import Models
from actors.runs.execution.coordinator import Work, carry_out
from actors.runtime.bus.errors import BusDown
from actors.runtime.bus.nats_bus import Bus
from actors.runtime.embedded_nats.server import EmbeddedNats
from events.base import replace
from events.minds import ModelSpec
from events.serialization.codec import decode_reply, encode
from events.wire.messages import Look, Refused
from events.wire.subjects import command
from gateway.process.load_limit import LoadLimit
from gateway.process.process_limits import Tuning
from gateway.process.worker_node import MIB, WorkerNode
from store.conformance.base import some
from store.errors import StoreOverloaded
from store.log.event_store import NEW, Appended, EventStore
from store.open_store import open_store
from tests.support.managed_episodes import Company
from tests.support.runs import plan, record, settings_of, state_of
from tests.support.servers.nats_server import Connect, until
from tests.support.servers.stub_llm import StubServer, StubSettings

NARROW = Tuning(append_queue=1000, nats_pending_mib=1, model_queue=3)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[EventStore]:
    store = open_store(f"sqlite:///{tmp_path}/troupe.db", most_queued=NARROW.append_queue)
    yield store
    store.close()


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Somebody else writes to the database of the folder, so that appends wait."""
    with closing(sqlite3.connect(folder / "troupe.db", isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        yield


def pile_up(store: EventStore, events: int) -> list[asyncio.Future[Appended]]:
    """Hand in appends of one event each."""
    return [
        store.append_soon(f"agent-{number}.0", NEW, some(1))
        for number in range(1000, 1000 + events)
    ]


def figure(name: str, **labels: str) -> float:
    """One of ``/metrics``; 0 where there is none yet."""
    return REGISTRY.get_sample_value(name, labels) or 0.0


def held_back() -> set[str]:
    """What jobs are held back by, as ``/metrics`` says."""
    names = ("append_queue", "nats_pending", "model_queue")
    return {name for name in names if figure("troupe_jobs_held_back", by=name)}


async def test_with_a_full_append_queue_no_jobs_are_taken_until_it_has_been_stored(
    tmp_path: Path, nats_server: EmbeddedNats, space: str, store: EventStore
) -> None:
    run = record(store, tmp_path, plan(tasks=4))
    settings = replace(settings_of(tmp_path, store, nats_server, space), tuning=NARROW)
    async with WorkerNode(settings, store) as bench:
        with locked(tmp_path):
            appends = pile_up(store, 200)
            assert figure("troupe_backlog", of="append_queue") >= 200
            assert figure("troupe_backlog_enough", of="append_queue") == 200
            assert held_back() == {"append_queue"}
            await bench.work(8)
            work = Work.of(run, state_of(store, run))
            going = asyncio.ensure_future(
                carry_out(store, bench.jobs, work, stop=asyncio.Event(), on_progress=lambda _: None)
            )
            async with asyncio.timeout(60):
                while len(await bench.jobs.held("episode") or ()) < 8:
                    await asyncio.sleep(0.01)
            assert bench.jobs.report().episodes == 0, "all wait in the queue"
        await asyncio.wait_for(asyncio.gather(*appends), 60.0)
        assert held_back() == set()
        assert (await asyncio.wait_for(going, 60.0)).done


async def test_more_events_than_may_wait_are_refused_and_counted_and_those_before_are_stored(
    tmp_path: Path, store: EventStore
) -> None:
    limit, refused = figure("troupe_store_append_queue_limit"), "troupe_store_appends_refused_total"
    before = figure(refused)
    assert limit >= NARROW.append_queue
    with locked(tmp_path):
        appends = pile_up(store, NARROW.append_queue)
        with pytest.raises(StoreOverloaded, match="1000 events wait to be stored and 1000 may"):
            store.append_soon("agent-late.0", NEW, some(1))
    assert figure(refused) == before + 1
    await asyncio.wait_for(asyncio.gather(*appends), 60.0)
    assert store.head() == NARROW.append_queue
    await store.append_soon("agent-late.0", NEW, some(1))


async def test_with_much_to_send_and_no_nats_jobs_are_held_back_and_then_messages_refused(
    own_nats_server: EmbeddedNats, connect: Connect, store: EventStore
) -> None:
    bus = await connect(server=own_nats_server, max_pending_bytes=NARROW.nats_pending_mib * MIB)
    pressure = LoadLimit(store, bus, ModelCaller(Models()), NARROW)
    await asyncio.to_thread(own_nats_server.stop)
    await until(lambda: not bus.connected)
    refused = figure("troupe_nats_messages_refused_total")
    half = b"x" * (MIB // 2)
    assert pressure() == ""
    bus.publish("troupe.somewhere", half)
    assert (pressure(), held_back()) == ("nats_pending", {"nats_pending"})
    assert figure("troupe_nats_pending_bytes") >= len(half)
    assert figure("troupe_nats_pending_limit_bytes") >= MIB
    with pytest.raises(BusDown, match="it is away and"):
        bus.publish("troupe.somewhere", half)
    assert figure("troupe_nats_messages_refused_total") == refused + 1
    await asyncio.to_thread(own_nats_server.start)
    await until(lambda: pressure() == "")
    assert held_back() == set()


async def test_with_many_requests_waiting_for_a_model_jobs_are_held_back(
    bus: Bus, store: EventStore
) -> None:
    caller = ModelCaller(Models())
    pressure = LoadLimit(store, bus, caller, NARROW)
    question = ModelRequest(messages=(Msg("user", "well?"),), temperature=0.0, max_tokens=10)
    async with StubServer(StubSettings(latency_s=0.2)) as stub:
        spec = ModelSpec(name="openai/stub", adapter="direct", base_url=stub.url, max_concurrency=1)
        asked = [
            asyncio.ensure_future(caller.call(spec, question, purpose="act"))
            for _ in range(NARROW.model_queue + 1)
        ]
        await until(lambda: pressure() == "model_queue")
        assert held_back() == {"model_queue"}
        assert figure("troupe_llm_queued_requests", model="openai/stub") == NARROW.model_queue
        await asyncio.wait_for(asyncio.gather(*asked), 60.0)
    assert (pressure(), held_back()) == ("", set())
    await caller.close()


async def test_a_full_inbox_refuses_outsiders_with_a_sentence_and_the_episode_goes_on(
    tmp_path: Path, bus: Bus, connect: Connect, store: EventStore
) -> None:
    limit, labels = 10, {"class": "EpisodeActor"}
    outsider = await connect()
    refused = figure("troupe_actor_messages_refused_total", **labels)
    async with Company(store, bus) as company:
        company.host.inbox_limit = limit
        with locked(tmp_path):
            playing = company.begin()
            await until(lambda: store.waiting)
            wishes = [
                asyncio.ensure_future(
                    outsider.nats.request(
                        command(bus.space, "episode", playing.id), encode(Look(seat=0)), 60
                    )
                )
                for _ in range(2 * limit)
            ]
            await until(lambda: sum(wish.done() for wish in wishes) >= limit)
            told = [decode_reply(wish.result().data) for wish in wishes if wish.done()]
            assert figure("troupe_actor_mailbox_longest", **labels) == limit
            assert figure("troupe_actor_mailbox_limit", **labels) == limit
        assert {type(one) for one in told} == {Refused}
        assert {
            "10 messages waiting already; send it again later" in one.reason for one in told
        } == {True}
        counted = figure("troupe_actor_messages_refused_total", **labels) - refused
        assert counted == len(told) == limit
        await asyncio.wait_for(asyncio.gather(*wishes), 60.0)
        events = await playing.ended()
    assert type(events[-1]).__name__ == "EpisodeEnded"
