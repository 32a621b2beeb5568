"""What pages are to know after each frame: made by the Python reducer, held to by both.

``python -m tests.gateway.live.golden`` writes the file anew.
"""

from pathlib import Path
from typing import Any

import msgspec

from events.base import Event
from events.episode import (
    EpisodeEnded,
    EpisodePaused,
    EpisodeStarted,
    SeatTaken,
)
from gateway.client.page_state import PageState, reduce
from gateway.live.viewer_stream import ViewerStream
from gateway.services.viewers.event_frames import scene_of
from gateway.services.viewers.frames import SeatState, ServerFrame, Standing, TypingNow
from tests.support.builders import mind, numbered, opened, started, taken

FILE = Path(__file__).parent / "page_states.json"
AT = 1_700_000_000_000_000
_frames = msgspec.json.Decoder(ServerFrame)


def _first() -> EpisodeStarted:
    return started(minds=(mind(), mind("people", "person")))


def _history() -> list[Event]:
    seated = SeatTaken(seat=1, participant="p-abcdefgh", mind=mind("people", "person"))
    return [
        _first(),
        opened(1, [0]),
        taken(1, 0, "Good morning."),
        opened(2, [1]),
        seated,
        taken(2, 1, "And to you <b>too</b>."),
        opened(3, [0]),
        EpisodePaused(by="rae"),
        EpisodeEnded(reason="stopped", turn=2, detail="enough"),
    ]


def frames(viewer: Any) -> list[Any]:
    """What such a viewer is sent, with a cut in the middle."""
    first = _first()
    track = ViewerStream("e1", first, viewer, scene_of(first, viewer))
    history = numbered(_history())
    for one in history[:3]:
        track.tell(one, AT + one.number)
    found: list[Any] = [track.welcome(0, 20.0)]
    known = found[0].version
    if viewer == 1:
        found += [track.asked_now(AT), SeatState(mine=False, free=True, may_take=True)]
    for one in history[3:6]:
        data = track.tell(one, AT + one.number)
        if data is not None:
            found.append(data)
        if viewer == 1:
            found.append(track.asked_now(AT))
    found += [TypingNow(seat=0), Standing(waits="the database is away"), Standing()]
    # Cut, and what was said meanwhile twice.
    for one in history[6:]:
        track.tell(one, AT + one.number)
    found.append(track.welcome(known + 1, 20.0))
    return [_frames.decode(one if isinstance(one, bytes) else encoded(one)) for one in found]


def encoded(frame: Any) -> bytes:
    return msgspec.json.encode(frame)


def made() -> bytes:
    """The file."""
    cases = []
    for viewer in ("narrator", 1):
        state, states = PageState(), []
        for frame in frames(viewer):
            state = reduce(state, frame)
            states.append(msgspec.Raw(encoded(state)))
        told = [msgspec.Raw(encoded(frame)) for frame in frames(viewer)]
        cases.append({"viewer": str(viewer), "frames": told, "states": states})
    # A line a case.
    return b"[\n" + b",\n".join(msgspec.json.encode(case) for case in cases) + b"\n]\n"


if __name__ == "__main__":
    FILE.write_bytes(made())
