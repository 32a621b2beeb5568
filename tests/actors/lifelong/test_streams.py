"""Streams of chains and memories, read from either end."""

import itertools
from pathlib import Path

import pytest

from actors.lifelong.streams import PAGE, newest_first, oldest_first
from events.chain import ChainAdvanced
from store.log.event_store import NEW
from tests.support.managed_episodes import open_at


@pytest.mark.parametrize("length", [0, 1, PAGE, PAGE + 1, 2 * PAGE + 50])
def test_a_stream_is_read_whole_and_in_order_from_either_end(tmp_path: Path, length: int):
    store = open_at(tmp_path)
    events = [ChainAdvanced(index=n, episode=f"e{n}", outcome="ended") for n in range(length)]
    if events:
        store.append("chain-h1", NEW, events)
    versions = [envelope.version for envelope in oldest_first(store, "chain-h1")]
    assert versions == list(range(length))
    assert [envelope.version for envelope in newest_first(store, "chain-h1")] == versions[::-1]


def test_no_more_of_a_stream_is_read_than_is_asked_for(tmp_path: Path, monkeypatch):
    store = open_at(tmp_path)
    events = [ChainAdvanced(index=n, episode=f"e{n}", outcome="ended") for n in range(5 * PAGE)]
    store.append("chain-h1", NEW, events)
    read, pages = store.read, []
    monkeypatch.setattr(store, "read", lambda *asked: pages.append(asked) or read(*asked))
    for order in (oldest_first, newest_first):
        assert len(list(itertools.islice(order(store, "chain-h1"), PAGE))) == PAGE
    assert len(pages) == 2
