"""What Prometheus is told about appends."""

import pytest
from prometheus_client import REGISTRY

from store.conformance.base import some
from store.errors import Conflict
from store.log import NEW
from tests.store.backends import each_store, open_again, store_url  # noqa: F401


def appends(store, outcome):
    labels = {"backend": store.backend, "outcome": outcome}
    return REGISTRY.get_sample_value("troupe_store_append_duration_seconds_count", labels) or 0


def test_appends_are_counted_by_outcome(each_store):
    stored, refused = appends(each_store, "stored"), appends(each_store, "conflict")
    conflicts = REGISTRY.get_sample_value("troupe_store_conflicts_total")
    each_store.append("episode-a", NEW, some(3))
    each_store.append("episode-b", NEW, some(1))
    with pytest.raises(Conflict):
        each_store.append("episode-a", NEW, some(1))
    assert appends(each_store, "stored") == stored + 2
    assert appends(each_store, "conflict") == refused + 1
    assert REGISTRY.get_sample_value("troupe_store_conflicts_total") == conflicts + 1
    assert REGISTRY.get_sample_value("troupe_store_head_position") == 4
