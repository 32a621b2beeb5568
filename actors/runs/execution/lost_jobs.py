"""Finds lost jobs: they were queued as far as was known, are not done, and are no longer in the
queue."""

import asyncio
from collections.abc import Iterable
from typing import Final, NamedTuple

from actors.runs.execution.queue_view import KINDS, QueueView
from actors.runs.execution.work import PROGRESS_TAGS, Work
from events.base import Envelope
from events.serialization.codec import event_of
from events.wire.messages import JobKind
from events.wire.subjects import split_stream, stream_name
from store.log.event_store import NEW, EventStore

_WHOLE: Final = "chain"
"""Kind of the streams with an ending for each of several episodes; of others the last event is
all there is to know."""


class _Missing(NamedTuple):
    versions: tuple[int, ...]
    """Of the streams that its worker would append to."""
    since: float


class LostJobs:
    """Compares what a work has in the queue with what the queue holds.

    A job counts as lost once it is missing for ``patience_s`` seconds in which its streams have
    not moved: a worker that goes on without holding its job is left in peace.
    """

    def __init__(self, store: EventStore, view: QueueView, work: Work, patience_s: float) -> None:
        self.store, self.view, self.work = store, view, work
        self.patience_s = patience_s
        self._missing: dict[str, _Missing] = {}

    async def find(self) -> dict[JobKind, list[str]]:
        """The jobs that are lost, by what they are for, as the queue was last seen."""
        missing: dict[str, _Missing] = {}
        lost: dict[JobKind, list[str]] = {}
        asked_at = self.view.asked_at
        for kind in KINDS:
            held, queued = self.view.held[kind], self.work.queued[kind]
            if held is None:
                continue
            for id_ in [one for one, at in queued.items() if at < asked_at and one not in held]:
                versions = await self.note_endings(self._streams(kind, id_))
                if not self.work.wanted(kind, id_):
                    continue  # it is done
                before = self._missing.get(id_)
                if before is None or before.versions != versions:
                    missing[id_] = _Missing(versions, asked_at)
                elif asked_at - before.since < self.patience_s:
                    missing[id_] = before
                else:
                    lost.setdefault(kind, []).append(id_)
        self._missing = missing
        return lost

    async def note_endings(self, streams: Iterable[str]) -> tuple[int, ...]:
        """Have the work take note of what has ended in some streams; their versions."""
        versions = []
        for stream in streams:
            version, found = await asyncio.to_thread(_endings, self.store, stream)
            versions.append(version)
            for envelope in found:
                self.work.note(stream, event_of(envelope))
        return tuple(versions)

    def _streams(self, kind: JobKind, id_: str) -> list[str]:
        chain = self.work.chain_of.get(id_)
        return [stream_name(kind, id_), *([stream_name("chain", chain)] if chain else ())]


def _endings(store: EventStore, stream: str) -> tuple[int, list[Envelope]]:
    version = store.version(stream)
    if version == NEW:
        return version, []
    first = 0 if split_stream(stream)[0] == _WHOLE else version
    return version, [found for found in store.read(stream, first) if found.tag in PROGRESS_TAGS]
