"""Bytes and back, and old bytes too."""

import json
from pathlib import Path

import msgspec
import pytest

from events import upcast
from events.base import Envelope, Event
from events.codec import (
    UnreadableEvent,
    decode_command,
    decode_event,
    decode_job,
    decode_shown,
    encode,
    event_of,
    to_json,
)
from events.episode import Action, ActionTaken
from events.messages import Look, Observation, PlayEpisode, TakeAction
from events.registry import EVENTS
from tests.events.examples import EXAMPLES
from tests.events.freeze import SAMPLES


def test_there_is_an_example_of_every_event() -> None:
    assert set(EXAMPLES) == set(EVENTS)


@pytest.mark.parametrize("tag", sorted(EVENTS))
def test_an_event_survives_encoding(tag: str) -> None:
    event = EXAMPLES[tag]
    assert decode_event(tag, event.SCHEMA, encode(event)) == event


@pytest.mark.parametrize("sample", sorted(SAMPLES.glob("*.json")), ids=lambda path: path.stem)
def test_a_frozen_sample_is_still_read_as_what_it_meant(sample: Path) -> None:
    tag, _, schema = sample.stem.rpartition("-")
    frozen = json.loads(sample.read_text())
    event = decode_event(tag, int(schema), bytes.fromhex(frozen["payload"]))
    if int(schema) == EVENTS[tag].SCHEMA:
        plain = json.loads(json.dumps(msgspec.to_builtins(event)))
        assert plain == frozen["event"]


@pytest.mark.parametrize("tag", sorted(EVENTS))
def test_every_schema_of_an_event_has_a_frozen_sample(tag: str) -> None:
    frozen = {path.stem for path in SAMPLES.glob(f"{tag}-*.json")}
    assert frozen == {f"{tag}-{schema}" for schema in range(1, EVENTS[tag].SCHEMA + 1)}


def test_an_old_shape_is_lifted_step_by_step(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(upcast, "UPCASTERS", {})
    monkeypatch.setattr(ActionTaken, "SCHEMA", 3)
    upcast.upcaster("ActionTaken", 1)(lambda fields: {**fields, "seat": fields["who"]})
    upcast.upcaster("ActionTaken", 2)(lambda fields: {**fields, "turn": fields["turn"] + 1})
    old = {"type": "ActionTaken", "turn": 0, "who": 2, "action": {"kind": "none"}}
    event = decode_event("ActionTaken", 1, msgspec.msgpack.encode(old))
    assert event == ActionTaken(turn=1, seat=2, action=Action(kind="none"))


def test_a_missing_step_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ActionTaken, "SCHEMA", 2)
    with pytest.raises(UnreadableEvent, match="no upcaster from schema 1 to 2"):
        decode_event("ActionTaken", 1, encode(EXAMPLES["ActionTaken"]))


def test_an_event_of_a_newer_version_is_refused() -> None:
    with pytest.raises(UnreadableEvent, match="knows schemas up to 1"):
        decode_event("TurnOpened", 2, encode(EXAMPLES["TurnOpened"]))
    with pytest.raises(UnreadableEvent, match="unknown"):
        decode_event("TurnClosed", 1, b"\x80")


def test_garbage_is_refused() -> None:
    with pytest.raises(UnreadableEvent):
        decode_event("TurnOpened", 1, b"\xc1\x00")


def test_messages_tell_their_kind_by_tag() -> None:
    act = TakeAction(seat=1, turn=2, action=Action(kind="leave"))
    assert decode_command(encode(act)) == act
    assert decode_command(encode(Look(seat=0))) == Look(seat=0)
    job = PlayEpisode(run="r", episode="e")
    assert decode_job(encode(job)) == job
    shown = Observation(episode="e", seat=0, turn=1, news=())
    assert decode_shown(encode(shown)) == shown
    with pytest.raises(msgspec.ValidationError):
        decode_command(encode(job))


def test_an_envelope_carries_its_event_and_shows_it_as_json() -> None:
    event: Event = EXAMPLES["ActionTaken"]
    envelope = Envelope(
        event_id="0" * 32,
        stream="episode-e1",
        version=3,
        position=9,
        tag="ActionTaken",
        schema=1,
        recorded_at=1,
        correlation="r1",
        causation="",
        payload=msgspec.Raw(encode(event)),
    )
    assert event_of(envelope) == event
    shown = json.loads(to_json(envelope))
    assert shown["event"]["action"]["text"] == "Psst."
    assert shown["version"] == 3
