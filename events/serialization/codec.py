"""Bytes and back: msgpack stored and on the wire, JSON outside."""

from collections.abc import Callable, Sequence
from functools import reduce
from operator import or_
from typing import Any, Final, NamedTuple, cast, get_args

import msgspec

from events.base import Envelope, Event
from events.environments import environment_of_tag, installed, vocabularies
from events.episode import ActionFailure
from events.privacy.encryption import is_sealed, opened, plain
from events.serialization.once import once
from events.serialization.registry import EVENTS, OWN_VALUES, readable_types
from events.serialization.struct_types import decodable
from events.serialization.upcast import lift
from events.untrusted.limits import MOST_COMMAND_BYTES, MOST_DETAIL, MOST_RAW
from events.untrusted.redacted_urls import settings_without_secrets
from events.untrusted.safe_text import shortened
from events.wire.messages import (
    Command,
    EditAction,
    Job,
    Reply,
    TakeAction,
    TakeActions,
    WorkerReport,
)

_encoder = msgspec.msgpack.Encoder()
_envelopes = msgspec.msgpack.Decoder(decodable(Envelope))
# Bare, a generic struct would be read with the roots of its values, and nothing of theirs.
_command = reduce(
    or_,
    (kind[Any] if kind in (TakeAction, EditAction) else kind for kind in get_args(Command)),
    TakeActions[Any],
)
_commands: msgspec.msgpack.Decoder[Command | TakeActions] = msgspec.msgpack.Decoder(
    decodable(_command)
)
_json_commands: msgspec.json.Decoder[Command | TakeActions] = msgspec.json.Decoder(
    decodable(_command)
)
_replies: msgspec.msgpack.Decoder[Reply] = msgspec.msgpack.Decoder(decodable(Reply))
_jobs: msgspec.msgpack.Decoder[Job] = msgspec.msgpack.Decoder(decodable(Job))

encode = _encoder.encode
"""Any struct of this package as msgpack bytes."""


def _reading(
    decode: Callable[[bytes], Command | TakeActions],
) -> Callable[[bytes], Command | TakeActions]:
    def read(data: bytes) -> Command | TakeActions:
        if len(data) > MOST_COMMAND_BYTES:
            raise msgspec.ValidationError(
                f"it has {len(data):,} bytes; a command has {MOST_COMMAND_BYTES:,} at most"
            )
        command = decode(data)
        if type(command) is TakeAction:
            if command.failure is not None:
                _check_length(command.failure)
        elif type(command) is TakeActions:
            for answer in command.answers:
                if answer.failure is not None:
                    _check_length(answer.failure)
        return command

    return read


def _check_length(failure: ActionFailure) -> None:
    for name, most in (("raw", MOST_RAW), ("detail", MOST_DETAIL)):
        if (length := len(getattr(failure, name))) > most:
            raise msgspec.ValidationError(
                f"failure.{name} has {length:,} characters; {most:,} at most"
            )


decode_command: Final = _reading(_commands.decode)
"""A command; an action is left as plain data, for whoever knows its environment. Raises
``msgspec.MsgspecError``, also where it is larger than commands may be."""
decode_reply = _replies.decode
decode_job = _jobs.decode
decode_report = msgspec.msgpack.Decoder(decodable(WorkerReport)).decode
decode_envelope = _envelopes.decode


LEFT_OUT: Final = msgspec.Raw(b"\xc0")
"""The payload (nil) of an envelope whose event is larger than a message; the store has it."""


class Form(NamedTuple):
    """How messages are written."""

    media_type: str
    """As in a message's ``Content-Type``."""
    encode: Callable[[Any], bytes]
    """Any struct."""
    decode_command: Callable[[bytes], Command | TakeActions]
    """A command; an action is left as plain data. Raises ``msgspec.MsgspecError``."""


MSGPACK: Final = Form("application/msgpack", encode, decode_command)
JSON: Final = Form(
    "application/json", msgspec.json.Encoder().encode, _reading(_json_commands.decode)
)
_JSON_BEGINS: Final = frozenset(b"{ \t\r\n")


def form_of(data: bytes, media_type: str = "") -> Form:
    """The form that a command is written in: as its header says; else, also where that names
    neither, as it begins. JSON begins with a brace, perhaps behind blanks; in msgpack these bytes
    are small numbers, and a command is a map."""
    if media_type:
        named = media_type.partition(";")[0].strip().lower()
        for form in (JSON, MSGPACK):
            if named == form.media_type:
                return form
    return JSON if data and data[0] in _JSON_BEGINS else MSGPACK


def same_value(one: bytes | msgspec.Raw, other: bytes | msgspec.Raw) -> bool:
    """Whether two msgpack texts say the same: there are several ways to write one map, and which
    of them a struct takes depends on how many fields it has. ``0`` and ``0.0`` are not the same,
    and what is no msgpack is the same as nothing but itself."""
    if bytes(one) == bytes(other):
        return True
    plain = msgspec.msgpack.decode
    try:
        return encode(plain(one)) == encode(plain(other))
    except msgspec.DecodeError:
        return False


class UnreadableEvent(ValueError):
    """Stored bytes that are not an event this version of Troupe knows."""

    def __init__(self, tag: str, schema: int, why: str) -> None:
        super().__init__(
            f"cannot read a stored {shortened(tag, 50)} of schema {schema}: {shortened(why, 1_000)}"
        )
        self.tag, self.schema = tag, schema


class NewerEvent(UnreadableEvent):
    """An event that a newer version of Troupe has stored."""


def decode_event(tag: str, schema: int, payload: bytes | msgspec.Raw) -> Event:
    """A stored event, lifted to today's shape. What belongs to an environment that is not
    installed comes as plain data. Raises ``UnreadableEvent``, of what is newer ``NewerEvent``."""
    kind = EVENTS.get(tag)
    if kind is None:
        raise NewerEvent(tag, schema, "the tag is unknown; was it written by a newer version?")
    try:
        if schema == kind.SCHEMA:
            event: Event = _events().decode(payload)
            return event
        if schema > kind.SCHEMA:
            raise NewerEvent(tag, schema, f"this version knows schemas up to {kind.SCHEMA}")
        fields = lift(tag, schema, kind.SCHEMA, msgspec.msgpack.decode(payload))
        return cast(Event, _events().decode(_encoder.encode({**fields, "type": tag})))
    except UnreadableEvent:
        raise
    except RecursionError:
        raise UnreadableEvent(tag, schema, "it is nested too deeply") from None
    except (msgspec.MsgspecError, LookupError, AttributeError, TypeError, ValueError) as error:
        if is_sealed(payload) and (clear := opened(payload)) != bytes(payload):
            return decode_event(tag, schema, clear)
        # Of what was not written here, upcasters find other things than they expect.
        foreign = _of_absent_environment(payload)
        if foreign is not None:
            return foreign
        raise UnreadableEvent(tag, schema, shortened(str(error))) from error


def make_decoder() -> None:
    """Make what reads events, which takes a tenth of a second, before the first is read."""
    _events()


def event_of(envelope: Envelope) -> Event:
    """The event inside an envelope."""
    return decode_event(envelope.tag, envelope.schema, envelope.payload)


def to_json(value: Any, *, indent: int = 0) -> str:
    """Any struct as JSON text to be read; an envelope's payload is shown as its event, and model
    servers' addresses without what is secret in them. (Exports are written elsewhere.)"""
    text = msgspec.json.encode(_plain(value), order="sorted" if indent else None)
    shown = msgspec.json.format(text, indent=indent) if indent else text
    return settings_without_secrets(shown.decode())


def envelope_to_json(envelope: Envelope) -> dict[str, Any]:
    """An envelope as plain data, the event written out under ``event``, what people said opened."""
    fields: dict[str, Any] = msgspec.structs.asdict(envelope)
    del fields["payload"]
    fields["event"] = plain(envelope.payload)
    return fields


def reader_of(tags: Sequence[str]) -> Callable[[Envelope], Event]:
    """``event_of`` for events of a few kinds. Where none of them carries anything of an
    environment, it reads them without loading what all environments say."""
    kinds = {tag: EVENTS[tag] for tag in tags}
    if any(kind in OWN_VALUES for kind in kinds.values()):
        return event_of
    schemas = {tag: kind.SCHEMA for tag, kind in kinds.items()}
    decode = msgspec.msgpack.Decoder(decodable(reduce(or_, kinds.values()))).decode

    def read(envelope: Envelope) -> Event:
        if envelope.schema == schemas.get(envelope.tag):
            try:
                return decode(envelope.payload)
            except (msgspec.MsgspecError, RecursionError):
                pass  # it may be sealed; else the other one says what is wrong with it
        return event_of(envelope)

    return read


@once
def _events() -> msgspec.msgpack.Decoder[Any]:
    return msgspec.msgpack.Decoder(decodable(reduce(or_, readable_types(vocabularies()))))


@once
def _foreign_events() -> msgspec.msgpack.Decoder[Any]:
    return msgspec.msgpack.Decoder(decodable(reduce(or_, readable_types(()))))


def _of_absent_environment(payload: bytes | msgspec.Raw) -> Event | None:
    """An event all of whose own values are of an environment that is not installed."""
    try:
        plain = msgspec.msgpack.decode(payload)
        tags = {tag for tag in _tags(plain) if environment_of_tag(tag)}
        if not tags or any(environment_of_tag(tag) in installed() for tag in tags):
            return None
        return cast(Event, _foreign_events().decode(payload))
    except msgspec.MsgspecError:
        return None


def _tags(plain: Any) -> list[str]:
    """The tags of all values in plain data."""
    if isinstance(plain, dict):
        own = [plain["type"]] if isinstance(plain.get("type"), str) else []
        return own + [tag for value in plain.values() for tag in _tags(value)]
    if isinstance(plain, list):
        return [tag for value in plain for tag in _tags(value)]
    return []


def _plain(value: Any) -> Any:
    if isinstance(value, Envelope):
        return envelope_to_json(value)
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    return value
