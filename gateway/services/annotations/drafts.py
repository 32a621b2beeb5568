"""What an annotator has typed and not handed in, kept as they type."""

from collections.abc import Mapping

import msgspec

from events.annotation import DraftKept, SeatAnswer
from events.serialization.codec import event_of
from events.wire.subjects import draft_stream
from store.log.event_store import ANY, EventStore


class AnnotationDraft(msgspec.Struct, frozen=True, kw_only=True):
    """Unfinished answers to one item."""

    answers: Mapping[tuple[int, str], SeatAnswer] = {}
    """By seat and dimension."""
    check: float | None = None
    """What stands at the attention check."""
    seconds: float = 0.0
    """How long the item was looked at."""


def keep(store: EventStore, study: str, annotator: str, draft: DraftKept) -> None:
    """Keep what changed. Blocking, as is all here."""
    store.append(draft_stream(study, annotator), ANY, [draft])


def draft_of(
    store: EventStore, study: str, annotator: str, item: int, *, after: int = 0
) -> AnnotationDraft:
    """What was kept of an item behind a position of the log; empty where nothing was."""
    draft = AnnotationDraft()
    for envelope in store.read(draft_stream(study, annotator)):
        if envelope.position <= after:
            continue
        event = event_of(envelope)
        if isinstance(event, DraftKept) and event.item == item:
            changed = {(one.seat, one.dimension): one for one in event.answers}
            draft = AnnotationDraft(
                answers={**draft.answers, **changed},
                check=draft.check if event.check is None else event.check,
                seconds=max(draft.seconds, event.seconds),
            )
    return draft
