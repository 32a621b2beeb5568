"""Checks that the forks in a file have the past that they claim to have."""

from collections.abc import Iterator
from pathlib import Path

from events.base import Event
from events.episode import EpisodeForked
from events.serialization.codec import UnreadableEvent, event_of
from events.untrusted.safe_text import shortened
from events.wire.subjects import stream_name
from store.jsonl.read_file import ReadFile, RefusedFile
from store.log.event_store import NEW, EventStore


def check_forks(store: EventStore, path: Path, file: ReadFile) -> None:
    """Every fork's past must be in the file or in the store, and end somewhere.

    Raises ``RefusedFile``.
    """
    pasts = _Pasts(store, file)
    for index, envelope in enumerate(file.envelopes):
        if envelope.tag == EpisodeForked.__name__:
            fork = event_of(envelope)
            assert isinstance(fork, EpisodeForked)
            why = pasts.fault(envelope.stream, envelope.version, fork)
            if why:
                raise RefusedFile(path, file.line_of(index), why)


class _Pasts:
    """The episodes in the file and in the store, by the names of their streams."""

    def __init__(self, store: EventStore, file: ReadFile) -> None:
        self._store = store
        self._firsts: dict[str, Event | None] = {}
        self._lasts: dict[str, int] = {}
        for envelope in file.envelopes:
            if envelope.stream.startswith("episode-"):
                if envelope.version == 0:
                    self._firsts[envelope.stream] = event_of(envelope)
                self._lasts[envelope.stream] = envelope.version

    def fault(self, stream: str, version: int, fork: EpisodeForked) -> str:
        """Why an episode cannot be forked so; empty where it can."""
        if version:
            return "an episode is a fork from its first event on, or not at all"
        parent, named = stream_name("episode", fork.parent), shortened(fork.parent)
        first = self._first(parent)
        if first is None:
            return f"the episode {named!r} it was forked from is neither in the file nor here"
        last = self._first_number(first) + max(
            self._lasts.get(parent, NEW), self._store.version(parent)
        )
        if not 0 <= fork.at <= last:
            return (
                f"it was forked from event {fork.at} of the episode {named!r}, whose numbers go "
                f"from 0 to {last}"
            )
        if stream in self._ancestors(parent):
            return f"the episode {named!r} it was forked from is itself a fork of it"
        return ""

    def _ancestors(self, stream: str) -> Iterator[str]:
        """The stream, that of its parent, and so on; each once."""
        seen: set[str] = set()
        while stream not in seen:
            seen.add(stream)
            yield stream
            first = self._first(stream)
            if not isinstance(first, EpisodeForked):
                return
            stream = stream_name("episode", first.parent)

    def _first(self, stream: str) -> Event | None:
        if stream not in self._firsts:
            stored = self._store.read(stream, 0, 0)
            try:
                self._firsts[stream] = event_of(stored[0]) if stored else None
            except UnreadableEvent:
                self._firsts[stream] = None
        return self._firsts[stream]

    @staticmethod
    def _first_number(first: Event) -> int:
        return first.at + 1 if isinstance(first, EpisodeForked) else 0
