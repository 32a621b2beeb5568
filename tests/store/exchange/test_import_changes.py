"""Whatever is changed in an export, it is refused and the store stays as it is, or what was taken
in is sound and can be read."""

import json
from pathlib import Path
from random import Random
from typing import Any

import hypothesis.strategies as st
from hypothesis import HealthCheck, given, settings

from store.jsonl.export_import import RefusedFile, export_run, import_file
from store.open_store import open_store
from store.read_model import queries
from store.verification import verify
from tests.fuzz.spoiling import spoiled
from tests.fuzz.stored import file_of, step_of_lines
from tests.fuzz.stores import fingerprint
from tests.store.histories import whole_run


def _lines(folder: Path) -> list[dict[str, Any]]:
    elsewhere = open_store(f"sqlite:///{folder}/elsewhere.db", durable=False)
    whole_run(elsewhere)
    export_run(elsewhere, "r1", folder / "r1.jsonl")
    elsewhere.close()
    return [json.loads(line) for line in (folder / "r1.jsonl").read_bytes().splitlines()[:-1]]


def _of_case(lines: list[dict[str, Any]], case: int) -> list[dict[str, Any]]:
    """The same under ids of the case's own, so that one store takes in many."""
    text = json.dumps(lines)
    for kind in ("r1", "e1", "e2", "e3", "v1", "v2", "v3"):
        for before, after in (('"', '"'), ("-", '"'), ("-", "."), ('"', 'f"'), ('"', 'ff"')):
            text = text.replace(f"{before}{kind}{after}", f"{before}{kind}x{case}{after}")
        for fork in ("f", "ff"):
            text = text.replace(f'-{kind}{fork}"', f'-{kind}x{case}{fork}"')
    found: list[dict[str, Any]] = json.loads(text)
    for place, line in enumerate(found):
        if "event_id" in line:
            line["event_id"] = f"{case:08x}{place:04x}{'0' * 20}"
    return found


@settings(
    max_examples=settings().max_examples // 2,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(steps=st.lists(st.integers(0, 2**32 - 1), min_size=1, max_size=3))
def test_an_export_that_was_changed_is_refused_or_sound(store, tmp_path: Path, steps: list[int]):
    whole = tmp_path / "lines.json"
    if not whole.exists():
        whole.write_text(json.dumps(_lines(tmp_path)))
    case = Random(str((steps, store.head()))).getrandbits(32)
    lines = spoiled(_of_case(json.loads(whole.read_text()), case), steps, step_of_lines)
    file = tmp_path / "changed.jsonl"
    file.write_bytes(file_of(lines))
    before = fingerprint(store)
    try:
        import_file(store, file)
    except RefusedFile:
        assert fingerprint(store) == before
        return
    assert verify(store).sound
    queries.runs(store)
    queries.episodes(store)
    queries.scores(store)
    queries.calls(store)
