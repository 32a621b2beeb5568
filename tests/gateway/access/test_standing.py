"""Tokens are issued, bound to devices and revoked in the store."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest

from gateway.http.authentication import Access
from gateway.http.revocations import Revocations
from gateway.services.access import token_states
from gateway.services.access.signed_tokens import BadToken, claims_of
from gateway.services.access.token_repository import (
    OtherDevice,
    Tokens,
    UnknownToken,
    new_principal,
)
from gateway.services.access.token_states import TokensUnknown
from gateway.settings import read_settings
from store.errors import StoreUnavailable
from store.log.event_store import EventStore
from store.open_store import open_store


@pytest.fixture
def store(tmp_path: Path) -> Iterator[EventStore]:
    opened = open_store(f"sqlite:///{tmp_path / 'troupe.db'}")
    yield opened
    opened.close()


@pytest.fixture
def access(store: EventStore, tmp_path: Path) -> Access:
    return another(store, tmp_path)


def another(store: EventStore, folder: Path) -> Access:
    """What another gateway on the same store and secret has."""
    return Access(read_settings({"TROUPE_DATA_DIR": str(folder)}), store, {})


def inside(link: str) -> str:
    """The token of a link."""
    return urlsplit(link).fragment


async def test_a_token_that_was_signed_but_not_issued_lets_nobody_in(access: Access):
    forged = access.signer.write(claims_of(new_principal("operator")))
    with pytest.raises(BadToken, match="not issued here"):
        await access.principal(forged)


async def test_a_link_is_no_token_for_requests(access: Access):
    with pytest.raises(BadToken, match="opened in a browser"):
        await access.principal(inside(access.link(new_principal("operator"))))


async def test_a_revoked_token_is_refused_by_every_gateway(
    access: Access, store: EventStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(token_states, "FRESH_S", 0.0)
    other = another(store, tmp_path)
    principal = new_principal("researcher", name="mara")
    token = access.token_for(principal)
    assert (await other.principal(token)).name == "mara"
    assert Tokens(store).revoke(principal.token, by="olu")
    assert not Tokens(store).revoke(principal.token), "once more changes nothing"
    for gateway in (access, other):
        with pytest.raises(BadToken, match="revoked"):
            await gateway.principal(token)
    with pytest.raises(UnknownToken):
        Tokens(store).revoke("knothing")


async def test_while_the_database_is_away_those_who_were_known_stay(
    access: Access, monkeypatch: pytest.MonkeyPatch
):
    known, unknown = new_principal("researcher"), new_principal("researcher")
    tokens_ = [access.token_for(one) for one in (known, unknown)]
    await access.principal(tokens_[0])

    def away(*_: object) -> None:
        raise StoreUnavailable("postgresql://x", "gone")

    monkeypatch.setattr(token_states, "FRESH_S", 0.0)
    monkeypatch.setattr(Tokens, "get", away)
    assert (await access.principal(tokens_[0])).token == known.token
    with pytest.raises(TokensUnknown):
        await access.principal(tokens_[1])


async def test_a_bound_link_belongs_to_the_first_device_and_lets_it_come_back(access: Access):
    principal = new_principal("participant", episode="e1", seat=0)
    link = inside(access.link(principal))
    state, session, device = await access.enter(link, "")
    assert (state.principal.seat, (await access.principal(session)).episode) == (0, "e1")
    _, again, same = await access.enter(link, device)
    assert (await access.principal(again)).name == principal.name
    assert same == device
    for other in ("", "another device's secret"):
        with pytest.raises(OtherDevice):
            await access.enter(link, other)


async def test_a_link_that_is_not_bound_works_anywhere(access: Access):
    link = inside(access.link(new_principal("annotator"), bound=False))
    for device in ("", "", "x"):
        assert (await access.enter(link, device))[0].principal.role == "annotator"


async def test_a_session_does_not_outlive_its_link_s_token(access: Access, store: EventStore):
    principal = new_principal("operator", expires_s=600)
    link = inside(access.link(principal, once=True))
    _, session, _ = await access.enter(link, "")
    assert (await access.principal(session)).expires // 10**6 == principal.expires // 10**6


def test_of_many_devices_at_once_one_wins(access: Access, store: EventStore):
    principal = new_principal("participant")
    access.link(principal)

    def attempt(number: int) -> bool:
        try:
            Tokens(store).bind(principal.token, f"device{number}")
        except OtherDevice:
            return False
        return True

    with ThreadPoolExecutor(8) as threads:
        assert sum(threads.map(attempt, range(8))) == 1


def test_tokens_are_listed_with_how_they_stand(access: Access, store: EventStore):
    used, gone, open_, late = (
        new_principal("participant", expires_s=-1 if old else 60)
        for old in (False, False, False, True)
    )
    for principal in (used, gone, open_, late):
        access.link(principal, by="mara")
    Tokens(store).bind(used.token, "d")
    Tokens(store).revoke(gone.token)
    assert [(one.id, one.state.standing()) for one in Tokens(store).all()] == [
        (used.token, "used"),
        (gone.token, "revoked"),
        (open_.token, "open"),
        (late.token, "expired"),
    ]
    assert {one.state.issued_by for one in Tokens(store).all()} == {"mara"}


def test_where_a_link_leads_stands_in_its_path_and_the_token_behind_the_hash(access: Access):
    link = access.link(new_principal("researcher"), to="/episodes/e1?at=3#event-3")
    parts = urlsplit(link)
    assert parts.path == "/enter"
    assert parse_qs(parts.query) == {"to": ["/episodes/e1?at=3#event-3"]}
    assert parts.fragment.count(".") == 2


def test_nothing_of_a_token_or_a_device_is_stored(access: Access, store: EventStore):
    principal = new_principal("participant")
    token, link = access.token_for(principal), inside(access.link(principal))
    Tokens(store).bind(principal.token, "digest")
    stored = b"".join(bytes(envelope.payload) for envelope in store.read_all())
    for text in (token, link, token.rpartition(".")[2], link.rpartition(".")[2]):
        assert text.encode() not in stored
    assert Tokens(store).load(principal.token).state.device == "digest"


def test_what_is_revoked_elsewhere_is_learned_once(access: Access, store: EventStore):
    early, late = new_principal("researcher"), new_principal("researcher")
    for principal in (early, late):
        access.token_for(principal)
    Tokens(store).revoke(early.token)
    revocations = Revocations(store)
    assert revocations.take() == [], "requests look at what was revoked before"
    access.token_for(new_principal("researcher"))
    Tokens(store).revoke(late.token)
    assert revocations.take() == [late.token]
    assert revocations.take() == []
