"""JSON Schema of everything that is stored or sent."""

from functools import reduce
from operator import or_
from typing import Any, get_origin

import msgspec

from events.base import Envelope
from events.environments import installed, vocabularies
from events.serialization.registry import EVENTS, readable_types
from events.wire.messages import (
    Accepted,
    EditAction,
    EpisodeOver,
    GoOn,
    Job,
    Look,
    Narrate,
    News,
    Observation,
    PauseEpisode,
    Refused,
    ReleaseSeat,
    StepEpisode,
    StopEpisode,
    TakeAction,
    TakeSeat,
    WorkerReport,
)


def json_schema() -> dict[str, Any]:
    """One JSON Schema document: ``$defs`` has every event, message and value by name, those of the
    installed environments included."""
    known = vocabularies()
    actions = [kind for one in known for kind in one.actions]
    questions = [kind for one in known for kind in one.questions]
    sent: list[Any] = [
        TakeAction[reduce(or_, actions)] if actions else TakeAction,  # type: ignore[misc]
        EditAction[reduce(or_, actions)] if actions else EditAction,  # type: ignore[misc]
        Look,
        StopEpisode,
        TakeSeat,
        ReleaseSeat,
        PauseEpisode,
        StepEpisode,
        GoOn,
        Narrate,
        Accepted,
        Refused[reduce(or_, questions)] if questions else Refused,  # type: ignore[misc]
        *Job.__args__,
        Observation[Any, Any, reduce(or_, questions)] if questions else Observation,  # type: ignore[misc]
        News,
        EpisodeOver,
        WorkerReport,
    ]
    types = [*readable_types(known), *sent]
    # What seats are shown is a plain struct of each environment: listed, not part of a union.
    shown = [
        shape
        for environment in installed().values()
        for shape in (environment.backgrounds, environment.notices)
    ]
    _, components = msgspec.json.schema_components([*types, *shown], ref_template="#/$defs/{name}")
    components = {_plain(name): _renamed(shape) for name, shape in components.items()}
    by_name = {(get_origin(kind) or kind).__name__ for kind in types}
    envelope = {
        "title": Envelope.__name__,
        "description": Envelope.__doc__,
        "type": "object",
        "properties": {
            "event_id": {"type": "string", "pattern": "^[0-9a-f]{32}$"},
            "stream": {"type": "string"},
            "version": {"type": "integer", "minimum": 0},
            "position": {"type": "integer", "minimum": 0},
            "tag": {"enum": sorted(EVENTS)},
            "schema": {"type": "integer", "minimum": 1},
            "recorded_at": {"type": "integer"},
            "correlation": {"type": "string"},
            "causation": {"type": "string"},
            "event": {"oneOf": [_ref(tag) for tag in sorted(EVENTS)]},
        },
    }
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Troupe: events, commands, observations and jobs",
        "$defs": {**components, "Envelope": envelope},
        "oneOf": [_ref("Envelope"), *map(_ref, sorted(by_name))],
    }


def _ref(name: str) -> dict[str, str]:
    return {"$ref": f"#/$defs/{name}"}


def _plain(name: str) -> str:
    """A component's name, without what a generic struct may hold."""
    return name.partition("_")[0]


def _renamed(shape: Any) -> Any:
    """A schema with its references under the plain names."""
    if isinstance(shape, list):
        return [_renamed(part) for part in shape]
    if isinstance(shape, str) and shape.startswith("#/$defs/"):
        return f"#/$defs/{_plain(shape.removeprefix('#/$defs/'))}"
    if not isinstance(shape, dict):
        return shape
    out = {key: _renamed(part) for key, part in shape.items()}
    if isinstance(title := out.get("title"), str):
        out["title"] = title.partition("[")[0]
    return out
