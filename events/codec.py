"""Bytes and back: msgpack stored and on the wire, JSON outside."""

from typing import Any, cast

import msgspec

from events.base import Envelope, Event
from events.messages import Command, EpisodeOver, Job, Observation, Reply, WorkerReport
from events.registry import EVENTS, AnyEvent
from events.upcast import lift

_encoder = msgspec.msgpack.Encoder()
_events = msgspec.msgpack.Decoder(AnyEvent)
_envelopes = msgspec.msgpack.Decoder(Envelope)
_commands: msgspec.msgpack.Decoder[Command] = msgspec.msgpack.Decoder(Command)
_replies: msgspec.msgpack.Decoder[Reply] = msgspec.msgpack.Decoder(Reply)
_jobs: msgspec.msgpack.Decoder[Job] = msgspec.msgpack.Decoder(Job)
_shown: msgspec.msgpack.Decoder[Observation | EpisodeOver] = msgspec.msgpack.Decoder(
    Observation | EpisodeOver
)

encode = _encoder.encode
"""Any struct of this package as msgpack bytes."""

decode_command = _commands.decode
decode_reply = _replies.decode
decode_job = _jobs.decode
decode_shown = _shown.decode
decode_report = msgspec.msgpack.Decoder(WorkerReport).decode
decode_envelope = _envelopes.decode


class UnreadableEvent(ValueError):
    """Stored bytes that are not an event this version of Troupe knows."""

    def __init__(self, tag: str, schema: int, why: str) -> None:
        super().__init__(f"cannot read a stored {tag} of schema {schema}: {why}")
        self.tag, self.schema = tag, schema


def decode_event(tag: str, schema: int, payload: bytes | msgspec.Raw) -> Event:
    """A stored event, lifted to today's shape. Raises ``UnreadableEvent``."""
    kind = EVENTS.get(tag)
    if kind is None:
        raise UnreadableEvent(tag, schema, "the tag is unknown; was it written by a newer version?")
    try:
        if schema == kind.SCHEMA:
            return cast(Event, _events.decode(payload))
        if schema > kind.SCHEMA:
            raise UnreadableEvent(tag, schema, f"this version knows schemas up to {kind.SCHEMA}")
        fields = lift(tag, schema, kind.SCHEMA, msgspec.msgpack.decode(payload))
        return msgspec.convert({**fields, "type": tag}, kind)
    except (msgspec.MsgspecError, LookupError) as error:
        raise UnreadableEvent(tag, schema, str(error)) from error


def event_of(envelope: Envelope) -> Event:
    """The event inside an envelope."""
    return decode_event(envelope.tag, envelope.schema, envelope.payload)


def to_json(value: Any, *, indent: int = 0) -> str:
    """Any struct as JSON text; an envelope's payload is shown as its event."""
    text = msgspec.json.encode(_plain(value), order="sorted" if indent else None)
    return (msgspec.json.format(text, indent=indent) if indent else text).decode()


def envelope_to_json(envelope: Envelope) -> dict[str, Any]:
    """An envelope as plain data, the event written out under ``event``."""
    plain: dict[str, Any] = msgspec.structs.asdict(envelope)
    del plain["payload"]
    plain["event"] = msgspec.msgpack.decode(envelope.payload)
    return plain


def _plain(value: Any) -> Any:
    if isinstance(value, Envelope):
        return envelope_to_json(value)
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    return value
