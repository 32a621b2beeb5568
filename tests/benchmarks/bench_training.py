"""Files for trainers: lines of supervised fine-tuning, beside what `json.dumps` takes for them.

python -m tests.benchmarks.bench_training
"""

import json
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path

import msgspec

from evaluators.social.training_files.lines import TrainerAction, example
from gateway.process.logs import set_up_logs
from gateway.services.files.run_formats import ExportChoices
from gateway.services.runs.resolve_ids import ResolvedId
from gateway.social.training_files.actions import actions_of
from gateway.social.training_files.export import write_sft
from store.log.event_store import EventStore
from store.open_store import open_store
from store.read_model import queries
from tests.benchmarks.bench_scores import use_of
from tests.benchmarks.stub import stub_server
from tests.benchmarks.table import Row
from tests.support.runs import model_minds, plan

TASKS, REPEATS, TURNS = 26, 4, 20
CHOSEN = ("goal=0",)
"""All seats."""
ANY_LENGTH = ("prompt_tokens=0",)
"""No tokens are counted, which tiktoken does."""
LEAST = 0.3


def play(folder: Path) -> tuple[EventStore, str]:
    """A run of a model, scored; the model is a stub."""
    with stub_server() as stub:
        path = folder / "plan.toml"
        rules = f"turn_cap = {TURNS}"
        judges = '["rehearsal-strict"]'
        text = plan(model_minds(stub.url), tasks=TASKS, repeats=REPEATS, judges=judges, rules=rules)
        path.write_text(text)
        use_of(["run", str(path)], {"TROUPE_DATA_DIR": str(folder)})
    (database,) = folder.glob("*.db")
    store = open_store(f"sqlite:///{database}")
    (run,) = queries.runs(store)
    return store, run.id


def export(store: EventStore, run: str, out: Path, options: Sequence[str]) -> None:
    """A whole export, as the command makes it."""
    choices = ExportChoices(options=options)
    write_sft(store, [ResolvedId("run", run)], out, choices, told=lambda _: None)


def best_of(times: int, does: Callable[[], object]) -> float:
    """The least seconds of CPU that it takes: what is measured is short, and others may wait."""
    seconds = []
    for _ in range(times):
        began = time.process_time()
        does()
        seconds.append(time.process_time() - began)
    return min(seconds)


def written(actions: list[TrainerAction], path: Path) -> None:
    """The lines of actions into a file."""
    encoder = msgspec.json.Encoder()
    with path.open("wb") as file:
        for action in actions:
            file.write(encoder.encode(example(action, "plain")) + b"\n")


def dumped(lines: list[object], path: Path) -> None:
    """The same lines, by `json.dumps`."""
    with path.open("w") as file:
        for line in lines:
            file.write(json.dumps(line) + "\n")


def rows() -> Iterator[Row]:
    """The benchmark's rows."""
    with tempfile.TemporaryDirectory(prefix="troupe-bench-") as name:
        folder = Path(name)
        store, run = play(folder)
        try:
            out = folder / "sft.jsonl"
            counted, whole = (
                best_of(3, partial(export, store, run, out, (*CHOSEN, *more)))
                for more in ((), ANY_LENGTH)
            )
            lines = [json.loads(line) for line in out.read_text().splitlines()]
            seats = frozenset(range(9))
            actions = [
                action
                for row in queries.episodes(store, run=run)
                for action in actions_of(store, row.id, seats, 0).actions
            ]
            made = best_of(5, lambda: written(actions, out))
            plain = best_of(5, lambda: dumped(lines, out))
        finally:
            store.close()
    count = len(lines)
    assert count == len(actions) > 0
    yield Row(
        f"{count:,} training lines made and written",
        f"{count / made:,.0f} lines/s of CPU",
        f"{count / plain:,.0f}, json.dumps of them",
        f"≥ {LEAST} × its lines/s",
        plain / made >= LEAST,
    )
    yield Row(
        "  with prompts built again from the store",
        f"{count / whole:,.0f} lines/s of CPU",
        f"{plain / whole:.2f} × json.dumps",
    )
    yield Row(
        "  and counted in tokens",
        f"{count / counted:,.0f} lines/s of CPU",
        f"{plain / counted:.2f} × json.dumps",
    )


if __name__ == "__main__":
    set_up_logs("warning")
    for row in rows():
        print(row)
