"""The published JSON Schema."""

from typing import get_args

from actors.social.actions import LONGEST_TEXT
from events.serialization.registry import EVENTS
from events.serialization.schema import json_schema
from events.wire.messages import RefusalCode


def test_the_schema_names_everything_that_is_stored_or_sent() -> None:
    schema = json_schema()
    assert set(EVENTS) <= set(schema["$defs"])
    assert {"Background", "OtherSeat", "SeenAction"} <= set(schema["$defs"]), "what seats are shown"
    assert {"Observation", "TakeAction", "Look", "Evaluate", "Envelope"} <= set(schema["$defs"])


def test_what_a_program_in_a_seat_has_to_know_is_in_the_schema() -> None:
    shapes = json_schema()["$defs"]
    assert shapes["Action"]["properties"]["text"]["maxLength"] == LONGEST_TEXT
    assert set(shapes["Refused"]["properties"]["code"]["enum"]) == set(get_args(RefusalCode))
    assert shapes["Refused"]["properties"]["questions"]["items"] == {"$ref": "#/$defs/Posed"}
    assert shapes["Accepted"]["properties"]["before"]["type"] == "boolean"
    assert shapes["Observation"]["properties"]["mind"]["type"] == "string"


def test_tagged_structs_keep_their_discriminator() -> None:
    taken = json_schema()["$defs"]["ActionTaken"]
    assert taken["properties"]["type"] == {"enum": ["ActionTaken"]}
    assert "type" in taken["required"]
