"""Whoever sits down by a link can have what they wrote erased."""

import asyncio
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from events.codec import event_of
from events.episode import ActionFailure, ActionTaken
from events.sealing import ERASED, key_of, sealed
from gateway.access import erasing
from gateway.access.erasing import erase_holder
from gateway.access.issuing import new_principal, record
from gateway.access.roles import Principal
from gateway.errors import BadArgument
from gateway.live.acting import command_for
from gateway.live.frames import TakeMySeat
from store.log import ANY, EventStore
from store.lookup import UnknownId
from store.opening import open_store
from store.participant_keys import keys_are_shared
from tests.events.examples import EXAMPLES

WORDS = "I live on Mill Lane."


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[EventStore]:
    monkeypatch.delenv("TROUPE_KEYS_URL", raising=False)
    monkeypatch.setattr(erasing, "KEEP_S", 0.0)
    opened = open_store(f"sqlite:///{tmp_path / 'troupe.db'}", durable=False)
    yield opened
    opened.close()


def sits_down(store: EventStore, principal: Principal) -> None:
    episode = SimpleNamespace(id="e1", store=store)
    track = SimpleNamespace(course=SimpleNamespace(seats=2))
    client: Any = SimpleNamespace(principal=principal, episode=episode, track=track, seat=0)
    asyncio.run(command_for(client, TakeMySeat(ref=1)))


def writes(store: EventStore, principal: Principal) -> None:
    """As an episode's actor appends it."""
    example = next(one for one in EXAMPLES.values() if isinstance(one, ActionTaken))
    failure = ActionFailure(reason="unreadable", raw=WORDS)
    said = ActionTaken(turn=1, seat=0, action=example.action, failure=failure)
    key = key_of(principal.name)
    store.append("episode-e1", ANY, [said if key is None else sealed(said, key)])


def read(store: EventStore) -> str:
    event = event_of(store.read("episode-e1")[-1])
    assert isinstance(event, ActionTaken)
    assert event.failure
    return event.failure.raw


def test_what_was_written_by_a_link_is_erased(store: EventStore) -> None:
    ana = new_principal("participant", episode="e1", seat=0)
    record(store, ana)
    sits_down(store, ana)
    writes(store, ana)
    assert read(store) == WORDS
    assert WORDS.encode() not in bytes(store.read("episode-e1")[-1].payload)
    assert erase_holder(store, ana.token[:6]) == (ana, True)
    assert read(store) == ERASED
    assert erase_holder(store, ana.token) == (ana, False)
    # Should they go on, what they write is erased as it is written.
    sits_down(store, ana)
    writes(store, ana)
    assert read(store) == ERASED


def test_a_key_is_made_only_where_every_process_finds_it(
    store: EventStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(erasing, "keys_are_shared", lambda _: False)
    ana = new_principal("participant", episode="e1", seat=0)
    record(store, ana)
    sits_down(store, ana)
    assert key_of(ana.name) is None
    with pytest.raises(BadArgument, match="TROUPE_KEYS_URL"):
        erase_holder(store, ana.token)
    url = "postgresql://db/troupe"
    assert not keys_are_shared(url)
    assert keys_are_shared("sqlite:///troupe.db")
    monkeypatch.setenv("TROUPE_KEYS_URL", "postgresql://db/keys")
    assert keys_are_shared(url)


def test_only_participants_without_a_study_are_erased_by_their_link(store: EventStore) -> None:
    of_study = new_principal("participant", study="y1", episode="e1", seat=0)
    for principal, why in (
        (of_study, "troupe study erase y1"),
        (new_principal("researcher", name="bo"), "only words of participants"),
        (new_principal("participant", name="study-y1", episode="e1", seat=0), "can be erased"),
    ):
        record(store, principal)
        if not principal.study:
            sits_down(store, principal)
        assert key_of(principal.name) is None
        with pytest.raises(BadArgument, match=why):
            erase_holder(store, principal.token)
    with pytest.raises(UnknownId):
        erase_holder(store, "kx")
