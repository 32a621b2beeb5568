"""What becomes of an episode that is over."""

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from actors.lifelong.memory.modules import BUILT_IN
from actors.lifelong.memory.prompt_entries import entry
from actors.lifelong.memory.recall import retelling
from actors.lifelong.memory.remember_episode import remember, writer_of
from actors.models.caller import Backoff, ModelCaller
from actors.models.recording.call_log import CallLog
from actors.models.recording.stream_calls import StreamCalls
from actors.models.registry import Models
from actors.models.tokens import count
from events.base import replace
from events.episode import EpisodeFailed
from events.memory import MemorySpec, MemoryWritten
from events.minds import MindSpec, ModelSpec
from events.wire.subjects import stream_name
from store.log.event_store import NEW, EventStore
from store.open_store import open_store
from tests.actors.lifelong.memory.memories import HAGGLE
from tests.support.builders import episode, mind, started
from tests.support.servers.stub_llm import StubServer, StubSettings

SILENT = StreamCalls(
    CallLog,
    lambda _: pytest.fail("nobody is to be asked"),
    lambda _: pytest.fail("nobody is about to be asked"),
)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[EventStore]:
    store = open_store(f"sqlite:///{tmp_path}/troupe.db")
    store.append(stream_name("episode", "e1"), NEW, episode(started(), HAGGLE, "turn_cap"))
    failed = EpisodeFailed(reason="its chain was given up", attempts=3)
    store.append(stream_name("episode", "e2"), NEW, [failed])
    yield store
    store.close()


@pytest.fixture
async def caller() -> AsyncIterator[ModelCaller]:
    caller = ModelCaller(Models(), Backoff(first_s=0.01, longest_s=0.02))
    yield caller
    await caller.close()


async def remembered(
    store: EventStore, caller: ModelCaller, memory: str, id_: str = "e1", seat: int = 0
) -> MemoryWritten:
    """What a rehearsal mind keeps of an episode."""
    return await remember(
        store,
        BUILT_IN[memory],
        mind(),
        seat=seat,
        index=4,
        episode=id_,
        caller=caller,
        calls=SILENT,
    )


async def test_notes_are_kept_with_what_they_take_in_a_prompt(
    store: EventStore, caller: ModelCaller
):
    written = await remembered(store, caller, "summary")
    assert written.note is not None
    assert (written.index, written.episode, written.writer) == (4, "e1", "rehearsal")
    assert written.tokens >= count(written.note.overview) + count(written.note.knowledge)
    assert written == await remembered(store, caller, "summary")


async def test_full_memory_keeps_the_episodes_length_and_no_words(
    store: EventStore, caller: ModelCaller
):
    written = await remembered(store, caller, "full")
    assert (written.note, written.words, written.writer) == (None, 0, "")
    assert written.tokens >= count(entry(4, retelling(store, "e1", 0)).strip()) > 100


async def test_each_seat_remembers_its_own_side(store: EventStore, caller: ModelCaller):
    notes = [(await remembered(store, caller, "summary", seat=seat)).note for seat in (0, 1)]
    assert [note is not None and "Sell the oven" in note.overview for note in notes] == [
        True,
        False,
    ]


@pytest.mark.parametrize("memory", ["none", "full", "summary", "retrieval"])
@pytest.mark.parametrize("id_", ["e2", "e3"])
async def test_nothing_is_kept_of_an_episode_that_never_began(
    store: EventStore, caller: ModelCaller, memory: str, id_: str
):
    written = await remembered(store, caller, memory, id_)
    assert written == MemoryWritten(index=4, episode=id_, tokens=0)


async def test_who_keeps_nothing_keeps_nothing(store: EventStore, caller: ModelCaller):
    assert await remembered(store, caller, "none") == MemoryWritten(index=4, episode="e1", tokens=0)


async def test_a_note_that_a_model_refuses_to_write_leaves_an_event_that_says_so(
    store: EventStore, caller: ModelCaller
):
    recorded: list[object] = []

    async def keep(events: object, **_: object) -> int:
        recorded.append(events)
        return len(recorded)

    async def claim(_: object) -> None:
        """Nobody else writes here."""

    async with StubServer(StubSettings(status=400)) as stub:
        model = ModelSpec(name="m", adapter="direct", base_url=stub.url, retries=0)
        written = await remember(
            store,
            BUILT_IN["summary"],
            MindSpec(name="m", kind="model", model=model),
            seat=0,
            index=0,
            episode="e1",
            caller=caller,
            calls=StreamCalls(CallLog, keep, claim),  # type: ignore[arg-type]
        )
    assert written == MemoryWritten(
        index=0, episode="e1", tokens=0, writer="m", attempts=1, within_bounds=False
    )
    assert len(recorded) == 2


def test_the_memorys_model_writes_before_the_minds_and_rules_where_there_is_neither():
    own, memorys = ModelSpec(name="own"), ModelSpec(name="memorys")
    player = MindSpec(name="p", kind="model", model=own)
    plain = BUILT_IN["summary"]
    with_model: MemorySpec = replace(plain, model=memorys)
    assert writer_of(plain, player) is own
    assert writer_of(with_model, player) is memorys
    assert writer_of(with_model, mind()) is memorys
    assert writer_of(plain, mind()) is None
    assert writer_of(plain, MindSpec(name="far", kind="remote")) is None
