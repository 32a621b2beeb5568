"""The published JSON Schema."""

from events.registry import EVENTS
from events.schema import json_schema


def test_the_schema_names_everything_that_is_stored_or_sent() -> None:
    schema = json_schema()
    assert set(EVENTS) <= set(schema["$defs"])
    assert {"Background", "OtherSeat", "SeenAction"} <= set(schema["$defs"]), "what seats are shown"
    assert {"Observation", "TakeAction", "Look", "Evaluate", "Envelope"} <= set(schema["$defs"])


def test_tagged_structs_keep_their_discriminator() -> None:
    taken = json_schema()["$defs"]["ActionTaken"]
    assert taken["properties"]["type"] == {"enum": ["ActionTaken"]}
    assert "type" in taken["required"]
