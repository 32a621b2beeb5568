"""What Prometheus is told about appends."""

import pytest
from prometheus_client import REGISTRY

from store.conformance.base import some
from store.errors import Conflict
from store.log.event_store import NEW


def appends(store, outcome):
    labels = {"backend": store.backend, "outcome": outcome}
    return REGISTRY.get_sample_value("troupe_store_append_duration_seconds_count", labels) or 0


def test_appends_are_counted_by_outcome(store):
    stored, refused = appends(store, "stored"), appends(store, "conflict")
    conflicts = REGISTRY.get_sample_value("troupe_store_conflicts_total")
    store.append("episode-a", NEW, some(3))
    store.append("episode-b", NEW, some(1))
    with pytest.raises(Conflict):
        store.append("episode-a", NEW, some(1))
    assert appends(store, "stored") == stored + 2
    assert appends(store, "conflict") == refused + 1
    assert REGISTRY.get_sample_value("troupe_store_conflicts_total") == conflicts + 1
    assert REGISTRY.get_sample_value("troupe_store_head_position") == 4
