"""Whoever sits down by a link can have what they wrote erased."""

import asyncio
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from actors.episodes.rules.people import PERSON
from events.episode import ActionFailure, ActionTaken, EpisodeStarted, SeatTaken
from events.privacy.encryption import ERASED, key_of, sealed
from events.serialization.codec import event_of
from gateway.errors import BadArgument
from gateway.live.client_commands import command_for
from gateway.services.access.roles import Principal
from gateway.services.access.token_repository import Tokens, new_principal
from gateway.services.access.token_scopes import scope_of
from gateway.services.episodes.recorded_actions import NotPossible
from gateway.services.participants import erase_words
from gateway.services.participants.link_participants import erase_holder, make_key_of
from gateway.services.viewers.frames import TakeMySeat
from store.errors import KeysUnavailable, NoKey
from store.id_lookup import UnknownId
from store.log.event_store import ANY, EventStore
from store.open_store import open_store
from store.participants.participant_keys import keys_of
from tests.events.examples import EXAMPLES

WORDS = "I live on Mill Lane."


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[EventStore]:
    monkeypatch.delenv("TROUPE_KEYS_URL", raising=False)
    monkeypatch.setattr(erase_words, "KEEP_S", 0.0)
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
    Tokens(store).issue(ana)
    sits_down(store, ana)
    writes(store, ana)
    assert read(store) == WORDS
    assert WORDS.encode() not in bytes(store.read("episode-e1")[-1].payload)
    assert erase_holder(store, ana.token[:6]) == (ana, "erased")
    assert read(store) == ERASED
    assert erase_holder(store, ana.token) == (ana, "erased_before")
    # Should they go on, what they write is erased as it is written.
    sits_down(store, ana)
    writes(store, ana)
    assert read(store) == ERASED


def test_who_never_sat_down_has_nothing_to_erase_and_who_did_has_a_key(
    store: EventStore, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    ana = new_principal("participant", episode="e1", seat=0)
    Tokens(store).issue(ana)
    example = next(one for one in EXAMPLES.values() if isinstance(one, EpisodeStarted))
    store.append("episode-e1", ANY, [example])
    assert erase_holder(store, ana.token) == (ana, "nothing_written")
    sat = SeatTaken(seat=0, participant=ana.name, mind=PERSON, sealed=True)
    store.append("episode-e1", ANY, [sat])
    with pytest.raises(NoKey, match=r"nothing was erased.*TROUPE_KEYS_URL"):
        erase_holder(store, ana.token)
    # Nor where the database of keys does not answer.
    monkeypatch.setenv("TROUPE_KEYS_URL", "postgresql://nobody@127.0.0.1:1/keys")
    with pytest.raises(KeysUnavailable, match="TROUPE_KEYS_URL"):
        erase_holder(store, ana.token)


def test_nobody_sits_down_where_processes_would_not_find_the_key(
    store: EventStore, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    ana = new_principal("participant", episode="e1", seat=0)
    Tokens(store).issue(ana)
    sits_down(store, ana)
    monkeypatch.setenv("TROUPE_KEYS_URL", f"sqlite:///{tmp_path / 'other.db'}")
    bo = new_principal("participant", episode="e1", seat=0)
    with pytest.raises(NotPossible, match="cannot be let in"):
        sits_down(store, bo)
    assert keys_of(store.url).of(bo.name) is None


def test_only_participants_without_a_study_are_erased_by_their_link(store: EventStore) -> None:
    of_study = new_principal("participant", study="y1", episode="e1", seat=0)
    for principal, why in (
        (of_study, "troupe study erase y1"),
        (new_principal("researcher", name="bo"), "only words of participants"),
    ):
        Tokens(store).issue(principal)
        if not principal.study:
            sits_down(store, principal)
        assert key_of(principal.name) is None
        with pytest.raises(BadArgument, match=why):
            erase_holder(store, principal.token)
    with pytest.raises(UnknownId):
        erase_holder(store, "k9")


def test_no_link_is_issued_and_nobody_sits_down_under_a_name_that_studies_use(
    store: EventStore,
) -> None:
    foo = new_principal("participant", name="study-foo", episode="e1", seat=0)
    with pytest.raises(BadArgument, match="choose another name"):
        scope_of(store, "participant", "e1", 1, "", foo.name)
    with pytest.raises(BadArgument, match="choose another name"):
        make_key_of(store, foo.name)
    # Issued by an earlier version.
    Tokens(store).issue(foo)
    with pytest.raises(NotPossible, match="choose another name"):
        sits_down(store, foo)
    with pytest.raises(BadArgument, match="can be erased"):
        erase_holder(store, foo.token)
