"""What stores hold of world trees stays readable."""

import json

import msgspec
import pytest

from tests.actors.worldtree.frozen import SAMPLES, stored


@pytest.mark.parametrize("tag", sorted(stored()))
def test_a_frozen_sample_is_still_read_as_what_it_meant(tag: str) -> None:
    frozen = json.loads((SAMPLES / f"{tag}.json").read_text())
    value = msgspec.msgpack.decode(bytes.fromhex(frozen["payload"]), type=stored()[tag])
    assert json.loads(json.dumps(msgspec.to_builtins(value))) == frozen["value"]
