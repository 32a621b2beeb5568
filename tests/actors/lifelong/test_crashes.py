"""A process that ends after any append: another goes on, and what comes out is the same."""

import asyncio
from collections import Counter
from pathlib import Path

import pytest
from pykka import ActorRegistry

from events.agent import ModelAnswered, ModelAsked
from events.base import Event, replace
from store.log.event_store import EventStore
from store.open_store import open_store
from tests.actors.lifelong.chains import Chain, Chains, chain_of, model_mind
from tests.actors.lifelong.stopping import StoppingStore
from tests.support.builders import mind
from tests.support.servers.nats_server import Connect
from tests.support.servers.stub_llm import StubServer

History = dict[str, list[Event]]


def new_store(folder: Path, name: str) -> EventStore:
    """A store of its own for one life and what comes after it."""
    return open_store(f"sqlite:///{folder}/{name}.db", durable=False)


async def undisturbed(store: EventStore, connect: Connect, chain: Chain) -> History:
    """What a chain comes to when nothing happens to its process."""
    async with Chains(store, await connect()) as chains:
        await chains.play(chain)
    return chain.history(store)


async def cut_off(store: EventStore, connect: Connect, chain: Chain, appends: int) -> bool:
    """Play a chain in a process that ends after so many appends; whether it came to that."""
    bus = await connect()
    stopping = StoppingStore(store, appends)
    chains = Chains(stopping, bus, grace_s=0.0)
    playing = asyncio.ensure_future(chains.play(chain))
    stopped = asyncio.ensure_future(stopping.stopped.wait())
    await asyncio.wait({playing, stopped}, return_when=asyncio.FIRST_COMPLETED)
    came_to_it = stopping.stopped.is_set()
    # It says and hears nothing any more.
    await bus.close()
    playing.cancel()
    stopped.cancel()
    await chains.host.stop(0.0)
    for under_way in chains.lifelong.playing.values():
        under_way.task.cancel()
    # Most of the calls under way wait for an append for ever.
    await chains.caller.close(grace_s=0.0)
    await stopping.settled()
    # Those that wait for an append for ever: a process that ends takes its actors with it.
    for left in ActorRegistry.get_all():
        ActorRegistry.unregister(left)
    return came_to_it


def without_calls(history: History) -> History:
    """Events without questions, which are asked again where no answer was stored, and without
    what a clock says."""
    return {
        stream: [
            replace(event, latency_s=0.0) if isinstance(event, ModelAnswered) else event
            for event in events
            if not isinstance(event, ModelAsked)
        ]
        for stream, events in history.items()
    }


def calls(history: History, kind: type[ModelAsked] | type[ModelAnswered]) -> Counter[object]:
    """How often each question was put, or answered, by stream, turn and attempt."""
    return Counter(
        (stream, event.turn, event.attempt)
        for stream, events in history.items()
        for event in events
        if isinstance(event, kind)
    )


@pytest.mark.parametrize("memory", ["summary", pytest.param("full", marks=pytest.mark.long)])
async def test_a_chain_cut_off_after_any_append_comes_to_the_same(
    tmp_path: Path, connect: Connect, memory: str
):
    chain = chain_of(2, turn_cap=2, memory=memory)
    store = new_store(tmp_path, "undisturbed")
    expected = await undisturbed(store, connect, chain)
    appends = 0
    while True:
        store = new_store(tmp_path, f"cut{appends}")
        cut = await cut_off(store, connect, chain, appends)
        assert (await undisturbed(store, connect, chain)) == expected, f"cut after {appends}"
        store.close()
        if not cut:
            break
        appends += 1
    assert appends > 15, "it was cut off at every step of two episodes"


async def test_what_a_model_has_answered_is_never_asked_again(tmp_path: Path, connect: Connect):
    async with StubServer() as stub:
        chain = chain_of(2, turn_cap=2, minds=(model_mind(stub.url), mind("near")))
        store = new_store(tmp_path, "undisturbed")
        expected = without_calls(await undisturbed(store, connect, chain))
        assert calls(expected, ModelAnswered), "models play and remember"
        appends = 0
        while True:
            store = new_store(tmp_path, f"cut{appends}")
            cut = await cut_off(store, connect, chain, appends)
            await stub.caught_up()
            stored = chain.history(store)
            before, answered = calls(stored, ModelAsked), calls(stored, ModelAnswered)
            requests = stub.stats.requests
            history = await undisturbed(store, connect, chain)
            asked_since = calls(history, ModelAsked) - before
            assert not asked_since.keys() & answered.keys(), f"cut after {appends}"
            assert stub.stats.requests - requests == asked_since.total()
            assert without_calls(history) == expected, f"cut after {appends}"
            store.close()
            if not cut:
                break
            appends += 1
    assert appends > 20, "it was cut off at every step of two episodes"
