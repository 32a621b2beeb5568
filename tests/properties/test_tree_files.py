"""Whatever stands in a file of trees, it is read, or what is wrong is named with its place; and
what is read is written as it was."""

import json
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import astuple

from actors.worldtree.formats.fields import FieldReader
from actors.worldtree.formats.files import FoundTrees, read_path
from actors.worldtree.formats.tree_reader import read_tree
from actors.worldtree.formats.tree_writer import tree_text, written
from actors.worldtree.setup_faults import tree_fault
from actors.worldtree.trees.askable_lines import askable
from actors.worldtree.trees.balance import balance
from actors.worldtree.trees.chance_level import chance
from actors.worldtree.trees.defects import KINDS
from events.serialization.codec import encode
from tests.actors.worldtree.plain import ending, node, option, tree
from tests.fuzz.spoiling import step_of_tree

quick = settings(deadline=None, max_examples=40)

anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=6,
)


def found_in(data: bytes) -> FoundTrees:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "x-en.json"
        path.write_bytes(data)
        return read_path(path)


def check(found: FoundTrees) -> None:
    """What is read can be stored, walked and asked; what is not read is named."""
    assert found.trees or found.samples or found.defects
    for defect in found.defects:
        assert (defect.file, defect.kind in KINDS, bool(defect.text)) == ("x-en.json", True, True)
        assert len(str(defect)) < 1_000
        str(defect).encode()
    for one in found.trees:
        encode(one)
        assert tree_fault(one) is None
        for votes in (1, 3):
            assert abs(sum(astuple(chance(one, votes))) - 1) < 1e-9
        assert all(edge.abilities for node in one.nodes for edge in node.edges if askable(edge))
    balance(found.trees)


@quick
@given(st.binary(max_size=60) | anything.map(json.dumps).map(str.encode))
def test_any_file_is_read_or_what_is_wrong_is_named(data: bytes) -> None:
    check(found_in(data))


@quick
@given(st.lists(st.integers(0, 2**32), min_size=1, max_size=8), st.booleans())
def test_a_spoiled_tree_is_read_or_what_is_wrong_is_named(steps: list[int], merged: bool) -> None:
    value: Any = [{"data_id": 1, "en_data": tree(), "cn_data": tree()}] if merged else tree()
    for step in steps:
        value = step_of_tree(value, Random(step))
    check(found_in(json.dumps(value).encode()))


@st.composite
def published(draw: Callable[[Any], Any]) -> dict[str, Any]:
    """Trees of any shape whose texts, labels and questions are anything that is published."""
    texts = st.text(st.characters(codec="utf-8"), max_size=12)
    pieces = st.sampled_from(
        (
            ["#question# How?"],
            ["How?"],
            ["#question#How?", "skill "],
            ["#question#How? #skill#x"],
            [],
        )
    )
    labels = st.lists(
        st.sampled_from(("Adaptability", "adaptive", "self-reflection ", "fencing")), max_size=2
    )
    count = draw(st.integers(1, 6))
    nodes = []
    for number in range(count):
        later = list(range(number + 1, count))
        targets = draw(st.lists(st.sampled_from(later), max_size=3)) if later else []
        options = []
        for to in targets:
            one = option(to, draw(texts), skill=draw(labels))
            one["confusion"][0].update(question=draw(pieces), skill=draw(labels))
            one["confusion"] = one["confusion"][draw(st.integers(0, 4)) :]
            other = {"type": "ending confusion", "content": [{"role": "state", "content": "1"}]}
            one["confusion"] += [deepcopy(other)] * draw(st.integers(0, 2))
            one["social state"] = draw(st.sampled_from(([1, 0, -1], [], ["1"], None)))
            options.append(one)
        made = node(number, *options) if options else ending(number, draw(st.integers(0, 2)))
        made["dialog"] = draw(
            st.lists(
                st.fixed_dictionaries({"role": texts, "content": texts})
                | st.fixed_dictionaries({"profile": st.fixed_dictionaries({"name": texts})}),
                max_size=2,
            )
        )
        nodes.append(made)
    return tree(*nodes, title=draw(texts), pair=draw(st.sampled_from(("", "lamps"))))


@quick
@given(published())
def test_what_is_read_is_written_as_it_was(value: dict[str, Any]) -> None:
    first = read_tree(value, FieldReader("x-en.json"), "x-en")
    assert first is not None
    again = read_tree(json.loads(tree_text(first)), FieldReader("y.json"), "y")
    assert again == first
    assert written(again) == written(first)
