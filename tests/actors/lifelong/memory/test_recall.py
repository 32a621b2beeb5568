"""What a seat is reminded of, put together again from the store."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from actors.lifelong.memory.module import Kept, kept_of
from actors.lifelong.memory.modules import BUILT_IN
from actors.lifelong.memory.recall import cue_of, memory_text, retelling, seen_episode
from events.base import Event
from events.episode import EpisodeFailed
from events.memory import MemoryOpened, MemoryRecalled, MemoryWritten, Note
from events.wire import subjects
from events.wire.subjects import stream_name
from store.log.event_store import NEW, EventStore
from store.open_store import open_store
from tests.actors.lifelong.memory.memories import HAGGLE
from tests.support.builders import episode, scenario, started


@pytest.fixture
def store(tmp_path: Path) -> Iterator[EventStore]:
    store = open_store(f"sqlite:///{tmp_path}/troupe.db")
    yield store
    store.close()


def written(index: int, note: Note | None = None) -> MemoryWritten:
    return MemoryWritten(index=index, episode=f"e{index}", note=note, tokens=9)


def remembered(store: EventStore, module: str, *events: Event, seat: int = 0) -> None:
    """The stream of a seat's memory."""
    opened = MemoryOpened(chain="h1", seat=seat, character="ada", memory=BUILT_IN[module])
    store.append(subjects.memory_stream("h1", seat), NEW, [opened, *events])


def recalled(index: int, *indices: int) -> MemoryRecalled:
    return MemoryRecalled(
        index=index, episode=f"e{index}", recalled=indices, tokens=9 * len(indices), limit=100
    )


def played(store: EventStore, index: int, end: str = "turn_cap") -> None:
    """An episode of the chain, over."""
    events = episode(started(scenario=scenario(context=f"Occasion {index}.")), HAGGLE, end)  # type: ignore[arg-type]
    store.append(stream_name("episode", f"e{index}"), NEW, events)


def test_notes_that_were_recalled_are_told_and_no_others(store: EventStore):
    remembered(
        store,
        "summary",
        recalled(0),
        written(0, Note(overview="First.")),
        recalled(1, 0),
        written(1, Note(overview="Second.")),
        recalled(2, 1),
        written(2, Note(overview="Third.")),
    )
    assert memory_text(store, "h1", 0, 0) == ""
    assert memory_text(store, "h1", 0, 1) == "Episode 1\nWhat happened: First."
    assert memory_text(store, "h1", 0, 2) == "Episode 2\nWhat happened: Second."


def test_what_is_written_later_does_not_change_what_was_recalled(store: EventStore):
    remembered(store, "summary", written(0, Note(overview="First.")), recalled(1, 0))
    before = memory_text(store, "h1", 0, 1)
    store.append(subjects.memory_stream("h1", 0), 2, [written(1), recalled(2, 0)])
    assert before == memory_text(store, "h1", 0, 1) != ""


def test_full_memory_is_told_from_the_episodes_as_the_seat_saw_them(store: EventStore):
    played(store, 0)
    played(store, 1)
    remembered(store, "full", written(0), written(1), recalled(2, 0, 1))
    text = memory_text(store, "h1", 0, 2)
    assert text.index("Occasion 0.") < text.index("Occasion 1.")
    assert "Your goal: Sell the oven for 300 dollars." in text
    assert 'Turn 2. Ben Okafor said: "I could give you 180 dollars for it."' in text
    for hidden in ("Buy the oven", "cousin's bakery", "fired for drinking"):
        assert hidden not in text


def test_a_seat_that_was_reminded_of_nothing_has_no_words(store: EventStore):
    assert memory_text(store, "h1", 0, 3) == ""
    remembered(store, "summary", written(0, Note(overview="First.")), recalled(1, 0))
    assert memory_text(store, "h1", 0, 3) == ""
    assert memory_text(store, "h1", 1, 1) == ""


def test_an_episode_that_never_began_was_not_seen(store: EventStore):
    failed = EpisodeFailed(reason="its chain was given up", attempts=3)
    store.append(stream_name("episode", "e0"), NEW, [failed])
    assert seen_episode(store, "e0", 0) is None
    assert retelling(store, "e0", 0) == ""
    assert retelling(store, "e1", 0) == ""


def test_an_episode_that_failed_was_seen_as_far_as_it_went(store: EventStore):
    events = [*episode(started(), HAGGLE[:2], None), EpisodeFailed(reason="x", attempts=3)]
    store.append(stream_name("episode", "e0"), NEW, events)
    text = retelling(store, "e0", 1)
    assert "I could give you 180 dollars" in text
    assert text.endswith("The episode ended after turn 2: it failed and was given up.")


def test_a_cue_holds_what_the_seat_knows_before_the_episode():
    cue = cue_of(started(), "e1", 1)
    context = started().setup.scenario.context
    assert cue == f"{context} Buy the oven for 200 dollars. Ada Reyes"


def test_what_is_kept_is_what_was_written():
    note = Note(overview="First.")
    event = MemoryWritten(index=3, episode="e3", note=note, words=1, tokens=7, writer="m")
    assert kept_of(event) == Kept(index=3, episode="e3", note=note, words=1, tokens=7)
