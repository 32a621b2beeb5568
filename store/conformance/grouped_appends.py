"""Appends from a loop, many in one transaction."""

import asyncio

import pytest

from events.ids import new_event_id
from store.conformance.base import Open, Suite, happened, some
from store.errors import Conflict, StoreClosed
from store.log.event_store import ANY, NEW, Appended, EventStore


class Grouping(Suite):
    """``append_soon``: each append has its own outcome, whatever it shared a transaction with."""

    def test_all_of_many_at_once_are_stored(self, store: EventStore) -> None:
        async def many() -> list[Appended]:
            return await asyncio.gather(
                *(store.append_soon(f"episode-{n}", NEW, some(2)) for n in range(500))
            )

        outcomes = asyncio.run(many())
        assert [o.stream for o in outcomes] == [f"episode-{n}" for n in range(500)]
        assert sorted(e.position for o in outcomes for e in o.envelopes) == [*range(1, 1001)]
        assert store.read_all(limit=2000) == sorted(
            (e for o in outcomes for e in o.envelopes), key=lambda e: e.position
        )

    def test_a_loser_does_not_spoil_its_neighbours(self, store: EventStore) -> None:
        store.append("episode-7", NEW, some(1))

        async def many() -> list[Appended | BaseException]:
            appends = (store.append_soon(f"episode-{n}", NEW, some(1)) for n in range(20))
            return await asyncio.gather(*appends, return_exceptions=True)

        outcomes = asyncio.run(many())
        assert isinstance(outcomes.pop(7), Conflict)
        assert all(isinstance(outcome, Appended) for outcome in outcomes)
        assert store.head() == 20

    def test_a_loser_to_another_process_does_not_spoil_its_neighbours(
        self, store: EventStore, other: EventStore
    ) -> None:
        for n in range(20):
            store.append(f"episode-{n}", NEW, some(1))
        other.append("episode-7", 0, some(1))

        async def many() -> list[Appended | BaseException]:
            appends = (store.append_soon(f"episode-{n}", 0, some(1)) for n in range(20))
            return await asyncio.gather(*appends, return_exceptions=True)

        outcomes = asyncio.run(many())
        loser = outcomes.pop(7)
        assert isinstance(loser, Conflict)
        assert loser.actual == 1
        assert all(isinstance(outcome, Appended) for outcome in outcomes)
        assert [e.position for e in store.read_all()] == [*range(1, 41)]

    def test_appends_to_one_stream_keep_their_order(self, store: EventStore) -> None:
        async def many() -> None:
            await asyncio.gather(
                *(store.append_soon("episode-a", n - 1, [happened(n)]) for n in range(200))
            )

        asyncio.run(many())
        assert [e.version for e in store.read("episode-a")] == [*range(200)]

    def test_what_follows_a_refused_append_is_refused_too(self, store: EventStore) -> None:
        store.append("episode-a", NEW, some(1))

        async def chain() -> list[Appended | BaseException]:
            appends = (store.append_soon("episode-a", n, [happened(n)]) for n in (5, 6, 0, 1))
            return await asyncio.gather(*appends, return_exceptions=True)

        kinds = [type(outcome) for outcome in asyncio.run(chain())]
        assert kinds == [Conflict, Conflict, Appended, Appended]

    def test_the_same_append_twice_in_a_group_is_stored_once(self, store: EventStore) -> None:
        ids = [new_event_id()]

        async def twice() -> tuple[Appended, Appended, Appended]:
            return await asyncio.gather(
                store.append_soon("episode-a", NEW, some(1), event_ids=ids),
                store.append_soon("episode-b", NEW, some(1)),
                store.append_soon("episode-a", NEW, some(1), event_ids=ids),
            )

        first, _, second = asyncio.run(twice())
        assert first == second
        assert store.head() == 2

    def test_an_append_nobody_waits_for_is_stored_all_the_same(self, store: EventStore) -> None:
        async def cancelled() -> None:
            appends = [store.append_soon(f"episode-{n}", NEW, some(1)) for n in range(3)]
            appends[1].cancel()
            await asyncio.gather(*appends, return_exceptions=True)

        asyncio.run(cancelled())
        assert store.append("episode-z", ANY, some(1)).last_position == 4

    def test_an_append_without_a_future_says_what_became_of_it_on_the_loop(
        self, store: EventStore
    ) -> None:
        store.append("episode-taken", NEW, some(1))

        async def told() -> list[Appended | Exception]:
            outcomes: list[Appended | Exception] = []
            done = asyncio.Event()

            def tell(outcome: Appended | Exception) -> None:
                assert asyncio.get_running_loop() is loop
                outcomes.append(outcome)
                if len(outcomes) == 3:
                    done.set()
                raise RuntimeError("whoever is told fails, and the others are told all the same")

            loop = asyncio.get_running_loop()
            for stream in ("episode-a", "episode-taken", "episode-b"):
                store.append_then(stream, NEW, some(2), tell, correlation="r1")
            assert not outcomes
            await asyncio.wait_for(done.wait(), 10)
            return outcomes

        first, refused, last = asyncio.run(told())
        assert isinstance(first, Appended)
        assert isinstance(last, Appended)
        assert isinstance(refused, Conflict)
        assert (first.stream, last.stream) == ("episode-a", "episode-b")
        assert list(first.envelopes) == store.read("episode-a")
        assert {envelope.correlation for envelope in first.envelopes} == {"r1"}

    def test_closing_stores_what_was_handed_in(self, store: EventStore, open_again: Open) -> None:
        async def leave() -> None:
            for n in range(300):
                store.append_soon(f"episode-{n}", NEW, some(1))
            store.close()
            with pytest.raises(StoreClosed):
                store.append_soon("episode-late", NEW, some(1))

        asyncio.run(leave())
        again = open_again()
        assert again.head() == 300
        again.close()
