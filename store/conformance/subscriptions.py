"""Subscriptions."""

import threading
from collections.abc import Callable
from itertools import islice

from events.base import Envelope
from events.run import RunPaused
from store.conformance.base import Suite, some
from store.log.event_store import NEW, EventStore, Subscription

_LONG_S = 60.0
"""Longer than anything here takes; reached only when a test is about to fail."""


class Following(Suite):
    """A subscription has every event once, in order: first the stored ones, then each new one."""

    def test_it_begins_with_what_is_stored(self, store: EventStore) -> None:
        stored = store.append("episode-a", NEW, some(2500)).envelopes
        assert list(islice(store.subscribe(), 2500)) == list(stored)
        assert next(store.subscribe(after=1200)) == stored[1200]

    def test_it_goes_on_with_what_is_stored_later(self, store: EventStore) -> None:
        store.append("episode-a", NEW, some(2))
        subscription = store.subscribe()
        assert len(take(subscription, 2)) == 2
        later = store.append("episode-a", 1, some(3)).envelopes
        assert take(subscription, 3) == list(later)

    def test_it_wakes_for_events_of_another_process(
        self, store: EventStore, other: EventStore
    ) -> None:
        subscription = store.subscribe()
        stored = other.append("episode-a", NEW, some(3)).envelopes
        assert take(subscription, 3) == list(stored)

    def test_it_has_only_the_tags_asked_for(self, store: EventStore) -> None:
        subscription = store.subscribe(tags=["RunPaused"])
        store.append("episode-a", NEW, some(3000))
        assert subscription.take(timeout=0) == []
        store.append("run-r", NEW, [RunPaused(reason="stopped")])
        assert [e.position for e in take(subscription, 1)] == [3001]

    def test_it_does_not_look_again_at_tags_it_was_not_asked_for(self, store: EventStore) -> None:
        store.append("episode-a", NEW, some(100))
        subscription = store.subscribe(tags=["RunPaused"])
        assert subscription.take(timeout=0) == []
        assert subscription.position == 100

    def test_without_news_it_is_empty_handed_when_the_time_is_over(self, store: EventStore) -> None:
        store.append("episode-a", NEW, some(1))
        assert store.subscribe(after=1).take(timeout=0.01) == []

    def test_taking_and_iterating_lose_nothing_between_them(self, store: EventStore) -> None:
        store.append("episode-a", NEW, some(10))
        subscription = store.subscribe()
        assert next(subscription).position == 1
        assert [e.position for e in subscription.take(timeout=0)] == [*range(2, 11)]

    def test_closing_it_ends_a_wait_in_another_thread(self, store: EventStore) -> None:
        subscription = store.subscribe()
        assert _outcome_of_waiting(subscription, subscription.close) == []

    def test_closing_the_store_ends_a_wait_in_another_thread(self, store: EventStore) -> None:
        assert _outcome_of_waiting(store.subscribe(), store.close) == []


def take(subscription: Subscription, count: int) -> list[Envelope]:
    """The next ``count`` events, or fewer when no more come."""
    taken: list[Envelope] = []
    while len(taken) < count:
        batch = subscription.take(timeout=_LONG_S)
        if not batch:
            break
        taken += batch
    return taken


def _outcome_of_waiting(
    subscription: Subscription, end: Callable[[], None]
) -> list[Envelope] | None:
    """What a thread that iterates has seen after ``end()``; None when it goes on waiting."""
    seen: list[Envelope] = []
    thread = threading.Thread(target=lambda: seen.extend(subscription), daemon=True)
    thread.start()
    end()
    thread.join(_LONG_S)
    return None if thread.is_alive() else seen
