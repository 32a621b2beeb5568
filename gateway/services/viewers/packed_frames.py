"""What was told, small: a long episode travels whole, and most of each frame follows from the one
before it.

``static/stage/packing.js`` makes the frames of it again. Left out are what a frame's place says
(its type, its version, the event's number), what entries and notices repeat of their frame, and a
line whose parts are there. Times and turns are differences.
"""

from collections.abc import Mapping
from typing import Any

import msgspec

from gateway.services.viewers.viewer_frames import ViewerFrames


def packed(told: ViewerFrames) -> dict[str, object]:
    """As plain fields."""
    plain: dict[str, Any] = msgspec.to_builtins(told, enc_hook=str)
    at = turn = 0
    for place, frame in enumerate(plain["happened"]):
        version = frame.pop("version")
        own = {"number": frame.get("number", version), "turn": frame["turn"]}
        del frame["type"]
        if frame.get("number") == place:
            del frame["number"]
        for one in (*frame.get("entries", ()), *frame.get("notices", ())):
            _without(one, own)
        for entry in frame.get("entries", ()):
            if entry.get("text") or (entry.get("who") and (entry.get("verb") or "failed" in entry)):
                del entry["line"]
        frame["at"], at = frame["at"] - at, frame["at"]
        frame["turn"], turn = frame["turn"] - turn, frame["turn"]
        for name in ("at", "turn"):
            if not frame[name]:
                del frame[name]
    return plain


def _without(one: object, own: Mapping[str, int]) -> None:
    """Without what is as in the frame."""
    if isinstance(one, dict):
        for name, value in own.items():
            if one.get(name) == value:
                del one[name]
