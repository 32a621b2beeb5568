"""The socket as an AsyncAPI 3 document, made of the structs that are really sent."""

from typing import Final, get_args

import msgspec

from actors.runtime.jobs.worker_reports import software
from gateway.services.viewers.frames import CLOSED, PROTOCOL, ClientFrame, ServerFrame

_REF: Final = "#/components/schemas/{name}"
_REPLIES: Final = {
    "Hello": ("Welcome", "NotDone"),
    "Act": ("Done", "NotDone"),
    "TakeMySeat": ("Done", "NotDone"),
    "LeaveMySeat": ("Done", "NotDone"),
    "Direct": ("Done", "NotDone"),
}
"""What answers what a client sends."""

_ABOUT: Final = """\
Episodes as they happen: who watches is told what they may see, who sits in a seat plays it.

Every frame is a JSON text whose `type` names its schema. A field that has a default may be left
out, by either side.

1. Open the socket at `/ws` and send `Hello` with a token (or, in a browser, with the session's
   cookie), the episode's id and the last `version` known (0: none).
2. `Welcome` answers: the scene (where nothing was known) and what has happened. Where it says
   `more`, `Happenings` follow, until one does not.
3. From there on each `Happened` has the next version: 1, 2, 3, … without a hole. After a lost
   connection say `Hello` with the last one, to this gateway or another: what is missing follows.
4. A seat's viewer is told by `SeatState` whether the seat is theirs, and by `AskedNow` what it is
   asked. Sit down with `TakeMySeat`; once the seat is `mine`, answer with `Act`: by the question's
   `answer_schema`, or with a text as a person types it. `Done` or `NotDone` with the same `ref`
   answers. Send the same again where no reply came: it counts once.
5. Answer each `Ping` with `Pong`. `Leaving` says why a close is near. Who reads too slowly, or
   is silent for too long, is closed, and comes back with its version.
"""


def asyncapi(host: str = "127.0.0.1:8000", *, secure: bool = False) -> dict[str, object]:
    """The document. ``host``: where the gateway is reached; ``secure``: by TLS."""
    received, sent = get_args(ClientFrame), get_args(ServerFrame)
    frames = (*received, *sent)
    _, schemas = msgspec.json.schema_components(frames, ref_template=_REF)
    for schema in schemas.values():
        _draft_7(schema)
    return {
        "asyncapi": "3.0.0",
        "info": {
            "title": "Troupe: episodes live",
            "version": f"{PROTOCOL}.0.0",
            "description": _ABOUT + "\n" + _closings(),
            "x-software": software(),
        },
        "defaultContentType": "application/json",
        "servers": {
            "gateway": {
                "host": host,
                "protocol": "wss" if secure else "ws",
                "description": "Any gateway of the installation: they all say the same.",
            }
        },
        "channels": {
            "episode": {
                "address": "/ws",
                "description": "One episode, as one viewer sees it.",
                "messages": {
                    kind.__name__: {"$ref": f"#/components/messages/{kind.__name__}"}
                    for kind in frames
                },
                "bindings": {"ws": {"method": "GET", "bindingVersion": "0.1.0"}},
            }
        },
        "operations": {
            **{f"hear{kind.__name__}": _operation("receive", kind) for kind in received},
            **{f"say{kind.__name__}": _operation("send", kind) for kind in sent},
        },
        "components": {
            "messages": {
                kind.__name__: {
                    "name": kind.__name__,
                    "title": kind.__name__,
                    "summary": _first_line(kind),
                    "contentType": "application/json",
                    "payload": {"$ref": _REF.format(name=kind.__name__)},
                }
                for kind in frames
            },
            "schemas": schemas,
        },
        "x-close-codes": {str(code): why for code, why in CLOSED.items()},
    }


def _operation(action: str, kind: type) -> dict[str, object]:
    """What the gateway does with a frame."""
    channel = {"$ref": "#/channels/episode"}
    name = kind.__name__
    found: dict[str, object] = {
        "action": action,
        "channel": channel,
        "summary": _first_line(kind),
        "messages": [_message(name)],
    }
    if name in _REPLIES:
        found["reply"] = {"channel": channel, "messages": [*map(_message, _REPLIES[name])]}
    return found


def _message(name: str) -> dict[str, str]:
    return {"$ref": f"#/channels/episode/messages/{name}"}


def _first_line(kind: type) -> str:
    return " ".join((kind.__doc__ or "").partition("\n\n")[0].split())


def _closings() -> str:
    return "Close codes: " + "; ".join(f"{code}: {why}" for code, why in CLOSED.items()) + ".\n"


def _draft_7(schema: object) -> None:
    """AsyncAPI's schemas are of JSON Schema's draft 7: tuples of a fixed length are written
    otherwise there."""
    if isinstance(schema, dict):
        if "prefixItems" in schema:
            schema["items"] = schema.pop("prefixItems")
            schema["additionalItems"] = False
        for part in schema.values():
            _draft_7(part)
    elif isinstance(schema, list):
        for part in schema:
            _draft_7(part)
