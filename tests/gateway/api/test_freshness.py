"""Answers that are kept are as right as those that are made anew."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest
from litestar import Litestar
from litestar.testing import TestClient

from events.episode import EpisodeFailed, EpisodeReopened, TurnOpened
from events.run import RunArchived, RunResumed
from events.wire.subjects import stream_name
from gateway.api.operations import PREFIX
from gateway.api.resources.runs import LISTED
from gateway.api.response_cache import LEAST_OF_ONE, Answers, Made
from store.log.event_store import ANY, EventStore
from store.open_store import open_store
from store.projections import tables as t
from store.read_model import queries
from store.read_model.list_pages import RunRows
from tests.gateway.api.conftest import World
from tests.support.builders import opened


@pytest.fixture
def store(tmp_path: Path) -> Iterator[EventStore]:
    found = open_store(f"sqlite:///{tmp_path / 'troupe.db'}", durable=False)
    yield found
    found.close()


class Counting:
    """Makes answers, and counts them."""

    def __init__(self, **fields: object) -> None:
        self.made = 0
        self.fields = fields

    async def __call__(self) -> Made:
        self.made += 1
        await asyncio.sleep(0)
        return Made(b"%d" % self.made, "text/plain", "", **self.fields)  # type: ignore[arg-type]


async def test_an_answer_is_made_once_until_something_is_appended(store: EventStore) -> None:
    answers, make = Answers(store), Counting()
    await asyncio.gather(*(answers.get("a", make) for _ in range(20)))
    assert make.made == 1
    store.append(stream_name("episode", "e1"), ANY, [opened(1, (0,))])
    assert (await answers.get("a", make)).body == b"2"


async def test_what_depends_on_some_events_is_kept_while_others_happen(store: EventStore) -> None:
    answers, make = Answers(store), Counting(depends=(EpisodeFailed.__name__,))
    await answers.get("a", make)
    for turn in range(3):
        store.append(stream_name("episode", "e1"), ANY, [opened(turn, (0,))])
        assert (await answers.get("a", make)).body == b"1"
    store.append(stream_name("episode", "e1"), ANY, [EpisodeFailed(reason="x", attempts=1)])
    assert (await answers.get("a", make)).body == b"2"


async def test_a_fault_is_not_kept(store: EventStore) -> None:
    answers = Answers(store)

    async def fail() -> Made:
        raise ValueError("no")

    for _ in range(2):
        with pytest.raises(ValueError, match="no"):
            await answers.get("a", fail)
    assert (await answers.get("a", Counting())).body == b"1"


async def test_old_answers_make_room_for_new_ones(store: EventStore) -> None:
    answers, make = Answers(store, most_bytes=3 * LEAST_OF_ONE), Counting()
    for key in "abcd":
        await answers.get(key, make)
    await answers.get("d", make)
    assert make.made == 4
    await answers.get("a", make)
    assert make.made == 5


def test_what_was_changed_is_seen_by_the_next_who_reads(
    world: World, api: TestClient[Litestar]
) -> None:
    def listed() -> list[str]:
        return [row["id"] for row in api.get(f"{PREFIX}/runs").json()["items"]]

    assert world.run in listed()
    turn: TurnOpened = opened(9, (0,))
    world.gateway.store.append(stream_name("episode", "eother"), ANY, [turn])
    assert world.run in listed()
    world.gateway.store.append(stream_name("run", world.run), ANY, [RunArchived()])
    assert world.run not in listed()


def test_of_any_number_of_runs_the_last_ones_asked_for_are_kept_in_mind(world: World) -> None:
    rows = RunRows(world.gateway.store, LISTED, kept=1)
    every = rows.first([], [t.runs.c.id], 10)
    assert len(every) > 1
    assert len(rows) == 1
    assert rows.first([], [t.runs.c.id], 10) == every


def test_runs_in_mind_are_as_those_in_the_store(world: World) -> None:
    store = world.gateway.store
    rows = RunRows(store, LISTED)
    order = [t.runs.c.started_at, t.runs.c.id]
    episode = stream_name("episode", world.episode)
    assert rows.first([], order, 10) == queries.runs(store)
    for stream, event, run in (
        (stream_name("run", world.run), RunArchived(), world.run),
        (episode, EpisodeReopened(), world.run),
        (episode, EpisodeFailed(reason="x", attempts=1), ""),
        (stream_name("run", world.other), RunResumed(), world.other),
    ):
        before = rows.first([], order, 10)
        store.append(stream, ANY, [event], correlation=run)
        assert rows.first([], order, 10) == queries.runs(store)
        assert rows.first([], order, 10) != before
    assert rows.first([t.runs.c.archived], order, 10) == [queries.run(store, world.run)]
