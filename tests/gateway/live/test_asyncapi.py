"""The socket's document is one by AsyncAPI's own JSON Schema, and what is sent is as it says.

``asyncapi-3.0.0.schema.json.gz`` is ``schemas/3.0.0-without-$id.json`` of the npm package
``@asyncapi/specs`` 6.11.1 (Apache-2.0, the AsyncAPI Initiative), compressed and otherwise as it is.
"""

import copy
import gzip
import json
from functools import cache
from pathlib import Path
from typing import Any

from jsonschema import Draft7Validator

from gateway.services.viewers.asyncapi import asyncapi
from tests.gateway.live.golden import encoded, frames

SCHEMA = Path(__file__).parent / "asyncapi-3.0.0.schema.json.gz"


@cache
def official() -> Draft7Validator:
    return Draft7Validator(json.loads(gzip.decompress(SCHEMA.read_bytes())))


def test_it_is_valid() -> None:
    assert list(official().iter_errors(asyncapi())) == []
    assert list(official().iter_errors(asyncapi("troupe.example", secure=True))) == []


def test_the_validator_would_notice() -> None:
    spoiled: dict[str, Any] = copy.deepcopy(asyncapi())
    spoiled["operations"]["hearHello"]["action"] = "listen"
    assert not official().is_valid(spoiled)


def test_what_is_sent_is_as_the_document_says() -> None:
    document = asyncapi()
    for viewer in ("narrator", "spectator", 1):
        for frame in frames(viewer):
            plain = json.loads(encoded(frame))
            own = {"$ref": f"#/components/schemas/{plain['type']}", **document}
            assert list(Draft7Validator(own).iter_errors(plain)) == []
