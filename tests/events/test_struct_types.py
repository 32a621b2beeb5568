"""Types that several threads give msgspec at once."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from gateway.error_sentences import OURS

ROOT = Path(__file__).parents[2]
RACE = """
import sys
import threading

import msgspec

from events.serialization.struct_types import decodable

sys.setswitchinterval(1e-6)
for _ in range(150):
    kind, value = int, 1
    for _ in range(8):
        kind = msgspec.defstruct("Nested", [("one", kind), ("other", str)])
        value = {"one": value, "other": "x"}
    gate = threading.Barrier(6)

    def convert():
        gate.wait()
        msgspec.convert(value, decodable(kind))

    threads = [threading.Thread(target=convert) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
"""
CONVERTS = {
    **dict.fromkeys(["msgspec.convert"], 1),
    **dict.fromkeys(["msgspec.json.Decoder", "msgspec.msgpack.Decoder"], 0),
    **dict.fromkeys([f"msgspec.{name}.decode" for name in ("json", "msgpack", "toml")], -1),
}
"""What takes a type, and as which argument; -1: as ``type``."""
WITHOUT_STRUCTS = {*("str", "int", "float", "bool", "bytes", "list", "dict", "tuple", "set")}
WITHOUT_STRUCTS |= {"Any", "msgspec", "object"}


def test_threads_that_first_meet_a_struct_at_once_convert_to_it() -> None:
    """Without ``decodable`` the process ends with a segmentation fault."""
    done = subprocess.run([sys.executable, "-c", RACE], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def unprepared(tree: ast.AST) -> Iterator[str]:
    """The types that msgspec is given as they are although they may hold structs."""
    prepared = {
        ast.unparse(target)
        for one in ast.walk(tree)
        if isinstance(one, ast.Assign | ast.AnnAssign) and is_prepared(one.value)
        for target in (one.targets if isinstance(one, ast.Assign) else [one.target])
    }
    for call in ast.walk(tree):
        if not isinstance(call, ast.Call):
            continue
        at = CONVERTS.get(ast.unparse(call.func))
        if at is None:
            continue
        named = [keyword.value for keyword in call.keywords if keyword.arg == "type"]
        found = named if at == -1 else named + call.args[at : at + 1]
        for kind in found:
            names = {one.id for one in ast.walk(kind) if isinstance(one, ast.Name)}
            if names <= WITHOUT_STRUCTS or is_prepared(kind):
                continue
            if ast.unparse(kind) not in prepared:
                yield ast.unparse(call)


def is_prepared(value: ast.AST | None) -> bool:
    return isinstance(value, ast.Call) and ast.unparse(value.func) == "decodable"


def test_every_type_with_a_struct_is_prepared() -> None:
    files = [path for name in OURS for path in (ROOT / name).rglob("*.py")]
    texts = {str(path.relative_to(ROOT)): path.read_text(encoding="utf-8") for path in files}
    found = {
        f"{path}: {call}"
        for path, text in texts.items()
        if "msgspec." in text
        for call in unprepared(ast.parse(text))
    }
    # The first prepares; the second makes a struct that no other thread knows.
    assert {one.partition(":")[0] for one in found} == {
        "events/serialization/struct_types.py",
        "evaluators/scores/episode_means.py",
    }, "\n".join(sorted(found))


@pytest.mark.parametrize(
    "given",
    [
        "msgspec.convert(x, Own)",
        "msgspec.convert(x, type=Own)",
        "msgspec.json.decode(x, type=list[Own])",
    ],
)
def test_a_type_that_is_not_is_found(given: str) -> None:
    assert list(unprepared(ast.parse(given))) == [given]
    assert not list(unprepared(ast.parse(given.replace("Own", "int"))))
