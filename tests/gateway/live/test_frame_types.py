"""The types that JavaScript checks itself by name the fields that are really sent."""

import importlib
import re
from pathlib import Path

import msgspec
import pytest

ROOT = Path(__file__).parents[3]
INTERFACE = re.compile(r"^export interface (\w+)[^{]*\{\n(.*?)^\}", re.MULTILINE | re.DOTALL)
FIELD = re.compile(r"^  (\w+)(\??): (.+);$", re.MULTILINE)
FRAMES = "gateway/static/client/frames.d.ts"
OF = {
    FRAMES: ("gateway.services.viewers.frames", "actors.episodes.port.words"),
    "gateway/static/stage/thoughts.d.ts": ("events.thoughts", "gateway.services.episodes.thoughts"),
    "actors/social/stage/views.d.ts": ("actors.social.views",),
    "actors/worldtree/stage/views.d.ts": (
        *("actors.worldtree.views", "actors.worldtree.setup", "actors.worldtree.trees.tree"),
    ),
    "actors/sandbox/stage/views.d.ts": (
        *("actors.sandbox.views", "actors.sandbox.catalog_items", "actors.sandbox.setup"),
        *("actors.sandbox.map.town_map",),
    ),
}
"""Each file, and where the structs are that it speaks of."""


def struct_of(name: str, modules: tuple[str, ...]) -> type[msgspec.Struct]:
    for module in modules:
        found: type[msgspec.Struct] | None = getattr(importlib.import_module(module), name, None)
        if found is not None:
            return found
    raise LookupError(name)


@pytest.mark.parametrize("file", OF)
def test_fields_are_those_of_the_structs(file: str) -> None:
    interfaces = INTERFACE.findall((ROOT / file).read_text(encoding="utf-8"))
    assert interfaces
    for name, body in interfaces:
        if name == "Action":
            continue  # any of several
        struct = struct_of(name, OF[file])
        config = struct.__struct_config__
        tag: dict[str, tuple[bool, str | None]] = (
            {"type": (False, f'"{config.tag}"')} if config.tag else {}
        )
        known: dict[str, tuple[bool, str | None]] = {
            one.encode_name: (not one.required, None) for one in msgspec.structs.fields(struct)
        }
        declared = {
            field: (bool(optional), kind if field == "type" else None)
            for field, optional, kind in FIELD.findall(body)
        }
        assert declared.items() <= (known | tag).items(), name
        if file == FRAMES:
            assert declared.keys() == (known | tag).keys(), name
