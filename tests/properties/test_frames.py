"""What goes over the socket: no byte of it to a seat or a spectator holds what they may not see;
it has no gap, no duplicate, and is the same on every gateway, whatever happens meanwhile."""

from collections.abc import Sequence
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from actors.episodes.port.sight import Viewer
from actors.episodes.rules.decide import Start
from actors.runtime.bus.follow_stream import InOrder
from events.base import Event, replace
from events.episode import EpisodeStarted
from gateway.client.page_state import PageState, reduce
from gateway.live.protocol import on_the_wire
from gateway.live.viewer_connection import ConnectionLimits, ViewerConnection
from gateway.live.viewer_stream import ViewerStream, encoded
from gateway.services.access.roles import Principal
from gateway.services.viewers.event_frames import scene_of
from gateway.services.viewers.frames import ServerFrame
from store.log.forked_history import Numbered
from tests.properties.episodes import Played, episodes, marker
from tests.properties.test_every_environment import (
    ENVIRONMENTS,
    INITIAL,
    Line,
    beginning,
    catalog_of,
    play_on,
    stored,
)
from tests.properties.test_visibility import (
    ACQUAINTED,
    known_from_the_start,
    markers_in,
    may_be_noticed,
)
from tests.support.builders import episode, numbered, started

AT = 1_700_000_000_000_000
_frames = msgspec.json.Decoder(ServerFrame)


def track_of(first: EpisodeStarted, viewer: Viewer) -> ViewerStream:
    return ViewerStream("e1", first, viewer, scene_of(first, viewer))


def told(track: ViewerStream, history: Sequence[Event]) -> ViewerStream:
    for one in numbered(history):
        track.tell(one, AT + one.number)
    return track


def all_bytes(track: ViewerStream) -> bytes:
    """Everything that may be sent to who looks so."""
    found = encoded(track.welcome(0, 20.0)) + b"".join(track.frames)
    if isinstance(track.viewer, int):
        found += track.asked_now(AT)
    return found


@settings(deadline=None)
@given(episodes())
def test_no_byte_to_a_seat_or_a_spectator_holds_what_they_may_not_see(played: Played) -> None:
    first = played.started
    seats = range(len(first.setup.cast))
    tracks = {viewer: track_of(first, viewer) for viewer in (*seats, "spectator")}
    public = {marker("context", 0), *(marker(of, seat) for seat in seats for of in ACQUAINTED)}
    for length, one in enumerate(numbered(played.history), start=1):
        history, state = played.history[:length], played.states[length]
        for viewer, track in tracks.items():
            track.tell(one, AT)
            seat = viewer if isinstance(viewer, int) else None
            known = public if seat is None else known_from_the_start(first, seat)
            shown = markers_in(all_bytes(track).decode())
            assert shown == known | may_be_noticed(history, state, seat)


@ENVIRONMENTS
@given(data=st.data())
def test_no_mind_id_or_number_is_in_any_byte_to_who_does_not_know_everything(
    environment: Any, data: st.DataObject
) -> None:
    task = data.draw(st.sampled_from(catalog_of(environment.name)[1]))
    drawn = beginning(environment, task.id, data.draw(st.integers(0, 2**62)))
    named = {name: f"«{name}»" for name in ("run", "task", "catalog", "scenario", "title")}
    line = Line(replace(drawn, **named), [], [INITIAL])
    line.do(Start(started=line.started))
    play_on(data.draw, environment, line, data.draw(st.integers(0, 20)))
    for viewer in (*range(len(line.started.minds)), "spectator"):
        track = told(track_of(line.started, viewer), line.history)
        found = all_bytes(track)
        for name in ("mind ", *named):
            assert f"«{name}".encode() not in found
        for version, data_ in enumerate(track.frames, start=1):
            frame = _frames.decode(data_)
            assert (frame.version, frame.number, frame.tag, frame.seats) == (
                version,
                None,
                "",
                None,
            )
            assert all(entry.number == version for entry in frame.entries)
            assert all(one.get("number", version) == version for one in frame.notices)


@ENVIRONMENTS
@given(data=st.data())
def test_what_is_told_follows_from_what_is_stored_alone(
    environment: Any, data: st.DataObject
) -> None:
    task = data.draw(st.sampled_from(catalog_of(environment.name)[1]))
    line = Line(beginning(environment, task.id, data.draw(st.integers(0, 99))), [], [INITIAL])
    line.do(Start(started=line.started))
    play_on(data.draw, environment, line, data.draw(st.integers(0, 15)))
    again = [stored(event) for event in line.history]
    for viewer in (*range(len(line.started.minds)), "spectator", "narrator"):
        here = told(track_of(line.started, viewer), line.history)
        elsewhere = told(track_of(again[0], viewer), again)
        assert here.frames == elsewhere.frames
        if viewer == "narrator":
            assert len(here.frames) == len(line.history)


# ------------------------------------------------------------ cuts, losses, several gateways


class Socket:
    """A wire that may have no room, and what came over it."""

    def __init__(self) -> None:
        self.has_room = True
        self.came: list[Any] = []

    def write(self, frame: bytes) -> None:
        length, start = frame[1] & 127, 2
        if length > 125:
            start = 4 if length == 126 else 10
        self.came.append(_frames.decode(frame[start:]))

    def leave(self, code: int, last: bytes = b"") -> None:
        raise AssertionError(f"it is closed with {code}")


class Gateway:
    """What of a gateway matters: it hears some events, some twice, and reads the rest."""

    id = "e1"
    limits = ConnectionLimits()

    def __init__(self, first: EpisodeStarted) -> None:
        self.track = track_of(first, "spectator")
        self.order = InOrder()

    def now(self) -> float:
        return 0.0

    def clock(self) -> int:
        return AT

    def take(self, some: Sequence[Numbered]) -> None:
        self.order.take(one.envelope for one in some)
        known = {one.envelope.version: one for one in some}
        for envelope in self.order.ready():
            one = known.get(envelope.version) or Numbered(
                envelope.version, envelope, events_by_id[envelope.event_id]
            )
            data = self.track.tell(one, AT + one.number)
            for client in tuple(self.track.clients) if data else ():
                client.happened(on_the_wire(data or b""))


events_by_id: dict[str, Event] = {}


class Person:
    """A client that comes back, here or there, with what it knows."""

    def __init__(self) -> None:
        self.state = PageState()
        self.socket, self.client = Socket(), None
        self.read = 0

    def connect(self, gateway: Gateway) -> None:
        self.cut()
        self.socket, self.read = Socket(), 0
        who = Principal(token="t", role="spectator", name="s", expires=AT * 2, episode="e1")
        version = self.state.version
        client = ViewerConnection(gateway, gateway.track, self.socket, who, version)  # type: ignore[arg-type]
        welcome = gateway.track.welcome(version, 20.0)
        client.cursor = welcome.version
        self.socket.write(on_the_wire(encoded(welcome)))
        gateway.track.clients.add(client)
        client.pump()
        self.client = client

    def cut(self) -> None:
        if self.client is not None:
            self.client.track.clients.discard(self.client)
            self.client.gone, self.client = True, None

    def look(self, most: int) -> None:
        """Read some of what came."""
        for frame in self.socket.came[self.read : self.read + most]:
            self.state = reduce(self.state, frame)
            self.read += 1

    def stall(self, *, stalled: bool) -> None:
        self.socket.has_room = not stalled
        if self.client is not None and not stalled:
            self.client.pump()


@settings(deadline=None, max_examples=40)
@given(data=st.data())
def test_whatever_is_cut_lost_or_doubled_nothing_is_missed_or_told_twice(
    data: st.DataObject,
) -> None:
    lines = [(turn % 2, f"Line {turn}.") for turn in range(data.draw(st.integers(1, 40)))]
    history = numbered(episode(started(), lines))
    events_by_id.update({one.envelope.event_id: one.event for one in history})
    gateways = [Gateway(history[0].event), Gateway(history[0].event)]
    people = [Person(), Person()]
    happened = 1
    steps = ["append", "hear", "hear twice", "read", "hop", "connect", "cut", "look", "stall", "go"]
    for step in data.draw(st.lists(st.sampled_from(steps), min_size=20, max_size=80)):
        gateway, person = (data.draw(st.sampled_from(some)) for some in (gateways, people))
        match step:
            case "append":
                happened = min(len(history), happened + data.draw(st.integers(1, 12)))
            case "hear" | "hear twice":
                place = data.draw(st.integers(0, happened - 1))
                gateway.take(history[place : place + 1] * (1 + (step == "hear twice")))
            case "read":
                gateway.take(history[gateway.order.version + 1 : happened])
            case "hop":
                person.look(10_000)
                person.connect(gateway)
            case "connect":
                person.connect(gateway)
            case "cut":
                person.cut()
            case "look":
                person.look(data.draw(st.integers(1, 5)))
            case "stall" | "go":
                person.stall(stalled=step == "stall")
    whole = told(track_of(history[0].event, "spectator"), [one.event for one in history])
    for gateway in gateways:
        gateway.take(history[gateway.order.version + 1 :])
        assert gateway.track.frames == whole.frames
    for person in people:
        person.look(10_000)
        person.connect(gateways[0])
        person.look(10_000)
        # The reducer raises where something is missing; what came twice would be there twice.
        assert [encoded(one) for one in person.state.happened] == whole.frames


@given(st.integers(0, 700), st.integers(0, 700))
def test_whoever_comes_back_gets_a_slice(count: int, start: int) -> None:
    track = track_of(started(), "spectator")
    for number in range(count):
        track._keep(b"%d" % number * 300)
    found, place = [], start
    while place < count:
        joined, how_many = track.batch(place)
        assert how_many > 0
        found += joined.split(b",")
        place += how_many
    assert found == track.frames[start:]


@pytest.mark.parametrize("viewer", ["narrator", "spectator", 0, 1])
def test_in_a_long_episode_an_event_costs_what_it_does_in_a_short_one(viewer: Viewer) -> None:
    """No frame holds more than what happened in it."""
    lines = [(turn % 2, "The same line.") for turn in range(300)]
    track = told(track_of(started(), viewer), episode(started(), lines, end=None))
    early, late = track.frames[20:40], track.frames[-20:]
    assert sum(map(len, late)) <= sum(map(len, early)) + 20 * 16
