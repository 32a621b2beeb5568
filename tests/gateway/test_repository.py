"""Event-sourced things without an actor: loaded, found, and changed whoever else changes them."""

from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing

import pytest

from events.access import TokenUsed
from events.base import Event
from gateway.services.repository import Repository
from store.conformance.base import Open
from store.id_lookup import AmbiguousId, UnknownId
from store.log.event_store import EventStore
from tests.store.backends import open_again, store_url

__all__ = ["open_again", "store_url"]

MOST = 2


class Names(Repository[tuple[str, ...]]):
    """Lists of names, one more with each event."""

    kind = "names"
    name = "list"
    folded = 0
    """Events so far."""

    def fold(
        self, id_: str, events: Iterable[Event], state: tuple[str, ...] | None
    ) -> tuple[str, ...] | None:
        for event in events:
            assert isinstance(event, TokenUsed)
            self.folded += 1
            state = (*(state or ()), event.device)
        return state

    def run_of(self, state: tuple[str, ...]) -> str:
        return f"r{state[0]}"


class KeptNames(Names):
    most_kept = MOST


def named(*names: str) -> Sequence[Event]:
    return [TokenUsed(device=name) for name in names]


@pytest.fixture
def store(open_again: Open) -> Iterator[EventStore]:
    with closing(open_again(durable=False)) as opened:
        yield opened


def test_what_is_added_and_changed_is_loaded(store: EventStore) -> None:
    names = Names(store)
    names.add("n1", named("ana"))
    names.add("n2", named("olu", "mei"))
    changed = names.change("n1", lambda state: named(f"not {state[0]}"))
    assert (changed.state, changed.events) == (("ana", "not ana"), named("not ana"))
    loaded = Names(store).load("n1")
    assert (loaded.id, loaded.state, loaded.version) == ("n1", ("ana", "not ana"), 1)
    envelopes = store.read("names-n1")
    assert loaded.at == envelopes[-1].recorded_at
    assert {one.correlation for one in envelopes} == {"rana"}
    assert [one.state for one in names.all()] == [("ana", "not ana"), ("olu", "mei")]


def test_adding_once_more_changes_nothing(store: EventStore) -> None:
    names = KeptNames(store)
    names.add("n1", named("ana"))
    names.add("n1", named("olu"))
    assert names.load("n1").state == ("ana",)


def test_where_nothing_is_decided_nothing_is_appended(store: EventStore) -> None:
    names = Names(store)
    names.add("n1", named("ana"))
    assert names.change("n1", lambda _: ()) == (("ana",), ())
    assert store.version("names-n1") == 0


def test_what_is_refused_changes_nothing(store: EventStore) -> None:
    def refuse(_: tuple[str, ...]) -> Sequence[Event]:
        raise ValueError

    names = Names(store)
    names.add("n1", named("ana"))
    with pytest.raises(ValueError):
        names.change("n1", refuse)
    assert store.version("names-n1") == 0


@pytest.mark.parametrize("names_of", [Names, KeptNames])
def test_who_comes_second_decides_again(store: EventStore, names_of: type[Names]) -> None:
    first, second, seen = names_of(store), names_of(store), []
    first.add("n1", named("ana"))

    def decide(state: tuple[str, ...]) -> Sequence[Event]:
        seen.append(state)
        if len(seen) == 1:
            first.change("n1", lambda _: named("olu"))
        return named("mei")

    assert second.change("n1", decide).state == ("ana", "olu", "mei")
    assert seen == [("ana",), ("ana", "olu")]
    assert first.load("n1").state == second.load("n1").state == ("ana", "olu", "mei")


def test_of_many_who_change_at_once_all_take_effect_one_after_the_other(store: EventStore) -> None:
    names = KeptNames(store)
    names.add("n1", named("0"))

    def add(_: int) -> None:
        names.change("n1", lambda state: named(str(len(state))))

    with ThreadPoolExecutor(4) as threads:
        list(threads.map(add, range(12)))
    assert names.load("n1").state == tuple(map(str, range(13)))


@pytest.mark.parametrize("id_", ["n2", "", "n 1", "../n1", "n1.0", "n\0", "é" * 500])
def test_an_id_of_nothing_is_said_to_be_unknown(store: EventStore, id_: str) -> None:
    names = Names(store)
    names.add("n1", named("ana"))
    assert names.get(id_) is None
    for use in (names.load, names.find, lambda it: names.change(it, lambda _: named("olu"))):
        with pytest.raises(UnknownId, match="there is no list"):
            use(id_)


def test_an_id_is_found_by_how_it_begins(store: EventStore) -> None:
    names = Names(store)
    for id_ in ("n1", "n12", "m3"):
        names.add(id_, named("ana"))
    assert names.ids() == ["n1", "n12", "m3"]
    assert [names.find(given) for given in ("m", "n1", "n12")] == ["m3", "n1", "n12"]
    with pytest.raises(AmbiguousId, match="2 lists begin with 'n'"):
        names.find("n")


def test_what_is_kept_is_read_on_from(store: EventStore) -> None:
    names = KeptNames(store)
    names.add("n1", named(*map(str, range(50))))
    Names(store).change("n1", lambda _: named("more"))
    before = names.folded
    assert len(names.load("n1").state) == len(names.load("n1").state) == 51
    assert names.folded == before + 1
    # Those that were used least lately are read as a whole.
    for id_ in ("n2", "n3"):
        names.add(id_, named("ana"))
    before = names.folded
    assert len(names.load("n1").state) == 51
    assert names.folded == before + 51
