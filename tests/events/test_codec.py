"""Bytes and back, and old bytes too."""

import json
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from actors.episodes.delivery.wire import wire_of
from actors.social.actions import Action
from events.base import Envelope, Event
from events.episode import EpisodeEnded
from events.serialization import upcast
from events.serialization.codec import (
    UnreadableEvent,
    decode_command,
    decode_event,
    decode_job,
    encode,
    event_of,
    reader_of,
    to_json,
)
from events.serialization.registry import EVENTS
from events.wire.messages import Look, Observation, PlayEpisode, TakeAction
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
    monkeypatch.setattr(EpisodeEnded, "SCHEMA", 3)
    upcast.upcaster("EpisodeEnded", 1)(lambda fields: {**fields, "reason": fields["why"]})
    upcast.upcaster("EpisodeEnded", 2)(lambda fields: {**fields, "turn": fields["turn"] + 1})
    old = {"type": "EpisodeEnded", "turn": 0, "why": "left"}
    event = decode_event("EpisodeEnded", 1, msgspec.msgpack.encode(old))
    assert event == EpisodeEnded(turn=1, reason="left")


def test_a_missing_step_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(EpisodeEnded, "SCHEMA", 2)
    with pytest.raises(UnreadableEvent, match="no upcaster from schema 1 to 2"):
        decode_event("EpisodeEnded", 1, encode(EXAMPLES["EpisodeEnded"]))


def test_an_event_of_a_newer_version_is_refused() -> None:
    with pytest.raises(UnreadableEvent, match="knows schemas up to 2"):
        decode_event("TurnOpened", 3, encode(EXAMPLES["TurnOpened"]))
    with pytest.raises(UnreadableEvent, match="unknown"):
        decode_event("TurnClosed", 1, b"\x80")


def test_garbage_is_refused() -> None:
    with pytest.raises(UnreadableEvent):
        decode_event("TurnOpened", 2, b"\xc1\x00")


def test_messages_tell_their_kind_by_tag() -> None:
    act = TakeAction(seat=1, turn=2, action=Action(kind="leave"))
    taken = decode_command(encode(act))
    assert isinstance(taken, TakeAction)
    assert wire_of("social").action(taken.action) == act.action
    assert decode_command(encode(Look(seat=0))) == Look(seat=0)
    job = PlayEpisode(run="r", episode="e")
    assert decode_job(encode(job)) == job
    shown = Observation(episode="e", seat=0, turn=1, news=())
    assert wire_of("social").decode_seat_message(encode(shown)) == shown
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
        schema=2,
        recorded_at=1,
        correlation="r1",
        causation="",
        payload=msgspec.Raw(encode(event)),
    )
    assert event_of(envelope) == event
    shown = json.loads(to_json(envelope))
    assert shown["event"]["action"]["text"] == "Psst."
    assert shown["version"] == 3


FIRST_TOGETHER = """
import sys, threading
from events.serialization import codec
from tests.events.examples import EXAMPLES
sys.setswitchinterval(1e-6)
stored = [(tag, event.SCHEMA, codec.encode(event)) for tag, event in EXAMPLES.items()]
together = threading.Barrier(6)
def read():
    together.wait()
    for one in stored:
        codec.decode_event(*one)
threads = [threading.Thread(target=read) for _ in range(6)]
for thread in threads: thread.start()
for thread in threads: thread.join()
"""


@pytest.mark.long
@pytest.mark.parametrize("_", range(6))
def test_threads_that_read_their_first_events_at_the_same_moment_do_not_end_the_process(_: int):
    ended = subprocess.run(
        [sys.executable, "-c", FIRST_TOGETHER], cwd=Path(__file__).parents[2], capture_output=True
    )
    assert ended.returncode == 0, ended.stderr[-2000:]


def _enveloped(tag: str, schema: int, payload: bytes) -> Envelope:
    return Envelope(
        event_id="0" * 32,
        stream="agent-e1.0",
        version=0,
        position=1,
        tag=tag,
        schema=schema,
        recorded_at=1,
        correlation="",
        causation="",
        payload=msgspec.Raw(payload),
    )


@pytest.mark.parametrize("tags", [("ModelAsked", "ModelAnswered"), ("ModelAsked", "ActionTaken")])
def test_a_reader_of_some_kinds_reads_as_the_one_of_all(tags: tuple[str, ...]) -> None:
    read = reader_of(tags)
    for tag in (*tags, "EpisodeEnded"):
        envelope = _enveloped(tag, EXAMPLES[tag].SCHEMA, encode(EXAMPLES[tag]))
        assert read(envelope) == event_of(envelope) == EXAMPLES[tag]
    newer = _enveloped(tags[0], 99, encode(EXAMPLES[tags[0]]))
    for broken in (newer, _enveloped(tags[0], EXAMPLES[tags[0]].SCHEMA, b"\xc1")):
        with pytest.raises(UnreadableEvent) as here:
            read(broken)
        with pytest.raises(UnreadableEvent) as there:
            event_of(broken)
        assert str(here.value) == str(there.value)
