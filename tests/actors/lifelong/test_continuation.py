"""A chain that goes on from another has that one's episodes and memories behind it, at no cost."""

from pathlib import Path

import pytest

from actors.lifelong.continuation import beginnings, chain_so_far
from actors.lifelong.memory.recall import memory_text
from events.chain import ChainAdvanced, ChainStarted
from events.memory import (
    MemoryOpened,
    MemoryRecalled,
    MemorySpec,
    MemoryWritten,
    Note,
)
from events.minds import MindSpec
from store.log.event_store import NEW, EventStore
from tests.support.managed_episodes import open_at

SUMMARY = MemorySpec(name="summary", module="summary")
STARTED = ChainStarted(
    run="r1",
    catalog="starter",
    characters=("ada", "ben"),
    minds=(MindSpec(name="m", kind="rehearsal"),) * 2,
    memory=SUMMARY,
    episodes=("e0", "e1", "e2"),
    scenarios=("s0", "s1", "s2"),
)


def note(index: int, seat: int) -> MemoryWritten:
    """What a model wrote, for money."""
    return MemoryWritten(
        index=index,
        episode=f"e{index}",
        note=Note(overview=f"Note {index} of seat {seat}."),
        words=5,
        tokens=10,
        writer="openai/m",
        attempts=2,
        cost_usd=0.5,
        input_tokens=900,
        output_tokens=90,
    )


@pytest.fixture
def store(tmp_path: Path) -> EventStore:
    """A chain whose third episode is under way."""
    opened = open_at(tmp_path)
    advanced = [ChainAdvanced(index=i, episode=f"e{i}", outcome="ended") for i in range(2)]
    opened.append("chain-h1", NEW, [STARTED, *advanced])
    for seat, character in enumerate(STARTED.characters):
        events = [
            MemoryOpened(chain="h1", seat=seat, character=character, memory=SUMMARY, run="r1")
        ]
        for index in range(3):
            recalled = tuple(range(index))
            events.append(
                MemoryRecalled(
                    index=index, episode=f"e{index}", recalled=recalled, tokens=9, limit=99
                )
            )
            if index < 2:
                events.append(note(index, seat))
        opened.append(f"memory-h1.{seat}", NEW, events)
    return opened


def go_on(store: EventStore) -> dict[str, tuple]:
    found = dict(
        beginnings(
            store,
            "h1",
            chain_so_far(store, "h1"),
            new="h2",
            run="r2",
            catalog="hard",
            episodes=["x2"],
            scenarios=["hard"],
        )
    )
    for stream, events in found.items():
        store.append(stream, NEW, events)
    return found


def test_of_a_chain_that_never_began_nothing_is_known(store: EventStore):
    assert chain_so_far(store, "hnothing") is None


def test_it_begins_after_the_episodes_that_are_over_and_remembered(store: EventStore):
    started, *advanced = go_on(store)["chain-h2"]
    assert (started.run, started.catalog, started.memory) == ("r2", "hard", SUMMARY)
    assert started.episodes == ("e0", "e1", "x2")
    assert started.scenarios == ("s0", "s1", "hard")
    assert [(one.index, one.episode) for one in advanced] == [(0, "e0"), (1, "e1")]


@pytest.mark.parametrize("seat", [0, 1])
def test_each_seat_remembers_its_own_notes_and_they_cost_nothing_again(
    store: EventStore, seat: int
):
    opened, *rest = go_on(store)[f"memory-h2.{seat}"]
    assert (opened.chain, opened.seat, opened.run) == ("h2", seat, "r2")
    assert [(type(one).__name__, one.index) for one in rest] == [
        ("MemoryRecalled", 0),
        ("MemoryWritten", 0),
        ("MemoryRecalled", 1),
        ("MemoryWritten", 1),
    ]
    for one in rest:
        if isinstance(one, MemoryWritten):
            assert one.note == note(one.index, seat).note
            assert (one.cost_usd, one.input_tokens, one.output_tokens, one.attempts) == (
                None,
                0,
                0,
                0,
            )
    assert f"Note 0 of seat {seat}." in memory_text(store, "h2", seat, 1)


def test_the_chain_it_goes_on_from_stays_as_it_is(store: EventStore):
    streams = ("chain-h1", "memory-h1.0", "memory-h1.1")
    before = [store.version(stream) for stream in streams]
    go_on(store)
    assert [store.version(stream) for stream in streams] == before
