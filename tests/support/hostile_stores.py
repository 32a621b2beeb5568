"""Stores whose every free text is hostile."""

from typing import Any

import msgspec

from events.serialization.codec import decode_event, encode, event_of
from store.log.event_store import ANY, EventStore

FREE = {
    *("name", "title", "codename", "first_name", "last_name", "occupation", "public_info"),
    *(
        "context",
        "goals",
        "secret",
        "story",
        "text",
        "overview",
        "raw",
        "detail",
        "error",
        "minds",
        "source",
    ),
}
REASONED = ("Scored", "ScoreAbstained", "EvaluationFailed", "EpisodeFailed")


def poisoned(value: Any, poison: str, key: str = "", of: str = "") -> Any:
    """Plain data whose free texts are hostile: the same one, the same way each time."""
    if isinstance(value, dict):
        tag = value.get("type", of)
        # Scores name their dimensions by an id.
        kept = {"name"} if "low" in value else set()
        return {
            name: inner if name in kept else poisoned(inner, poison, name, tag)
            for name, inner in value.items()
        }
    if isinstance(value, list):
        return [poisoned(inner, poison, key, of) for inner in value]
    named = key in FREE or (key, of) == ("characters", "EpisodeStarted")
    if not isinstance(value, str) or not (named or (key == "reason" and of in REASONED)):
        return value
    return value + poison


def hostile_copy(source: EventStore, target: EventStore, poison: str) -> None:
    """All events of a store, appended to another with hostile texts."""
    for envelope in source.read_all(0):
        event: Any = event_of(envelope)
        plain = poisoned(msgspec.msgpack.decode(encode(event)), poison)
        if envelope.tag == "CatalogImported":
            plain["catalog"]["name"] = event.catalog.name  # its stream is called by it
        payload = msgspec.msgpack.encode(plain)
        hostile = decode_event(envelope.tag, type(event).SCHEMA, payload)
        target.append(envelope.stream, ANY, [hostile], correlation=envelope.correlation)
