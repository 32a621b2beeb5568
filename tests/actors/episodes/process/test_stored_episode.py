"""What an episode's actor has to know is read from the store."""

import pytest

from actors.episodes.encrypted_words import Seals
from actors.episodes.process.stored_episode import StoredEpisode
from actors.episodes.rules.state import INITIAL, evolve
from events.base import Event
from events.episode import EpisodeEnded, EpisodeForked
from store.log.event_store import NEW, EventStore
from tests.support.builders import opened, started, taken

PLAYED = (started(run="r1"), opened(1, (0,)), taken(1, 0, "Hello."), opened(2, (1,)))


def read(store: EventStore, episode: str = "e1", recollect=lambda _: ("a", "b")) -> StoredEpisode:
    return StoredEpisode.read(store, episode, Seals(episode), recollect)


def write(store: EventStore, *events: Event, episode: str = "e1") -> list[str]:
    """The ids of events that are appended."""
    appended = store.append(f"episode-{episode}", NEW, events)
    return [envelope.event_id for envelope in appended.envelopes]


def test_one_that_has_not_begun_is_as_at_first(store):
    found = read(store)
    assert (found.version, found.state, found.memories, found.run) == (NEW, INITIAL, (), "")


def test_its_state_is_that_after_all_events(store):
    ids = write(store, *PLAYED)
    found = read(store)
    state = INITIAL
    for event in PLAYED:
        state = evolve(state, event)
    assert (found.version, found.state, found.run) == (3, state, "r1")
    assert found.opening == ids[-1]
    assert found.odd is None
    assert found.memories == ("a", "b")
    assert [line.text for line in found.noticing.unseen[1]] == ["Hello."]


def test_of_one_that_is_over_nothing_is_remembered(store):
    write(store, *PLAYED, EpisodeEnded(reason="left", turn=2))
    assert read(store).memories == ()


def test_a_fork_goes_on_from_its_parents_events(store):
    write(store, *PLAYED)
    minds = PLAYED[0].minds
    write(store, EpisodeForked(parent="e1", at=3, minds=minds, run="r2"), episode="e2")
    found = read(store, "e2")
    assert (found.version, found.state.number, found.state.turn, found.run) == (0, 4, 2, "r2")
    assert [(past.episode, past.turn, past.open) for past in found.pasts] == [("e1", 2, {1: 0})]


@pytest.mark.parametrize("end", [(), (EpisodeEnded(reason="stopped", turn=1),)])
def test_of_one_that_does_not_follow_from_the_rules_its_end_is_known(store, end):
    write(store, started(), opened(1, (0,)), taken(1, 7, "From nowhere."), *end)
    found = read(store)
    assert found.odd is not None
    assert found.version == found.state.number == 2 + len(end)
    assert found.state.ended == ("stopped" if end else None)
    assert found.state.unanswered == ()
    assert found.memories == ()
