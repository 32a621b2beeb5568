"""From a plan file to a run in the store."""

from importlib.metadata import version
from pathlib import Path

import msgspec

from actors.minds.rehearsal import TEMPERS
from actors.runs.plan_file import PlanFile, read_plan_file
from actors.runs.planning import plan_run
from actors.runs.state import load_run, run_stream
from actors.toml_file import BadFile
from evaluators.judge_file import judge_named
from events.ids import RUN, new_id
from events.run import Budget, RunPlanned, RunResumed
from gateway.catalogs import load
from store import queries
from store.log import NEW, EventStore


class Prepared(msgspec.Struct, frozen=True):
    """A plan that is ready to run, under the id it will have."""

    run: str
    planned: RunPlanned


def prepare(store: EventStore, path: Path) -> Prepared:
    """Everything the plan at ``path`` means, checked against the store. Appends nothing.

    Raises ``BadFile`` or ``UnknownId``.
    """
    plan = read_plan_file(path)
    _check_minds(store, plan, path)
    judges = [judge_named(name, beside=path.parent) for name in plan.judges.use]
    names = [judge.name for judge in judges]
    for name in names:
        if names.count(name) > 1:
            raise BadFile(path, "judges.use", f"two judges are called {name!r}")
    run = new_id(RUN)
    planned = plan_run(
        run,
        plan,
        load(store, plan.catalog),
        judges,
        source=path.read_text(encoding="utf-8"),
        path=str(path),
        software=version("troupe-server"),
    )
    return Prepared(run, planned)


def record_run(store: EventStore, prepared: Prepared, *, detached: bool = False) -> str:
    """Begin a prepared run, or leave it to a server; its id."""
    stream = run_stream(prepared.run)
    planned = msgspec.structs.replace(prepared.planned, detached=detached)
    store.append(stream, NEW, [planned], correlation=prepared.run)
    return prepared.run


def resume_run(
    store: EventStore,
    run: str,
    *,
    usd: float | None = None,
    tokens: int | None = None,
    detached: bool = False,
) -> None:
    """Mark a run as going on again, with another budget where one is given."""
    state = load_run(store, run)
    assert state is not None, "the caller looked the run up"
    budget = None
    if usd is not None or tokens is not None:
        budget = Budget(
            usd=state.budget.usd if usd is None else usd,
            tokens=state.budget.tokens if tokens is None else tokens,
        )
    if budget or state.status == "paused" or detached != state.detached:
        event = RunResumed(budget=budget, detached=detached)
        store.append(run_stream(run), state.version, [event], correlation=run)


def _check_minds(store: EventStore, plan: PlanFile, path: Path) -> None:
    """What only the store and the rehearsal know: tempers and recorded episodes exist."""
    for name, mind in plan.minds.items():
        if mind.kind == "rehearsal" and mind.temper not in TEMPERS:
            known = ", ".join(TEMPERS)
            raise BadFile(path, f"minds.{name}.temper", f"{mind.temper!r} is none of {known}")
        if mind.kind == "recorded":
            queries.episode(store, mind.episode)
