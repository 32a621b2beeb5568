"""JSON Schema of everything that is stored or sent."""

from typing import Any

import msgspec

from events.base import Envelope
from events.messages import Command, EpisodeOver, Job, Observation, Reply, WorkerReport
from events.registry import EVENTS


def json_schema() -> dict[str, Any]:
    """One JSON Schema document: ``$defs`` has every event, message and value by name."""
    sent = [
        *Command.__args__,
        *Reply.__args__,
        *Job.__args__,
        Observation,
        EpisodeOver,
        WorkerReport,
    ]
    types = [*EVENTS.values(), *sent]
    refs, components = msgspec.json.schema_components(types, ref_template="#/$defs/{name}")
    by_name = {kind.__name__: ref for kind, ref in zip(types, refs, strict=True)}
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
            "event": {"oneOf": [by_name[tag] for tag in sorted(EVENTS)]},
        },
    }
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Troupe: events, commands, observations and jobs",
        "$defs": {**components, "Envelope": envelope},
        "oneOf": [{"$ref": "#/$defs/Envelope"}, *by_name.values()],
    }
