"""Episodes that a model played, judged, and the files for trainers that are written of them."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.benchmarks.stub import stub_server
from tests.gateway.command import Desk
from tests.support.runs import model_minds, plan

JUDGES = '["rehearsal-strict", "attribution-rehearsal"]'


@pytest.fixture(scope="session")
def asked_data(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder on which a model played itself six times, judged for goals and attributions; one
    episode has a judged fork of each of two events."""
    with pytest.MonkeyPatch.context() as patch, stub_server() as stub, stub_server(seed=1) as other:
        desk = Desk(tmp_path_factory.mktemp("asked"), patch)
        minds = model_minds(stub.url) + model_minds(other.url).replace("minds.stub", "minds.other")
        text = plan(
            minds,
            tasks=3,
            repeats=2,
            pairings='[["stub", "stub"]]',
            judges=JUDGES,
            rules="turn_cap = 6",
        )
        desk.does("run", desk.file("plan.toml", text))
        run = desk.does("runs", "--json").json[0]["id"]
        first = desk.does("show", run, "--json").json["episodes"][0]["id"]
        for at, seat in ((3, 2), (4, 1)):
            desk.does(
                *("fork", first, "--at", f"{at}", "--seat", f"{seat}=other"),
                *("--judge", "rehearsal-strict"),
            )
        yield desk.data_dir


@pytest.fixture
def asked(desk: Desk, asked_data: Path) -> Desk:
    desk.copy_of(asked_data)
    return desk


@pytest.fixture
def asked_run(asked: Desk) -> str:
    return asked.does("runs", "--json").json[0]["id"]


def exported(desk: Desk, run: str, form: str, *options: str) -> tuple[list[Any], Any]:
    """The lines and the card."""
    out = desk.folder / "out.jsonl"
    desk.does("export", run, "--format", form, "--out", str(out), *options)
    lines = [json.loads(line) for line in out.read_text().splitlines()]
    return lines, json.loads((desk.folder / "out.card.json").read_text())
