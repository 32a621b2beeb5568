"""From a plan file to a run in the store."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from importlib.metadata import version
from pathlib import Path

import msgspec

from actors.episodes.registry import environment_named
from actors.runs.execution.work import Work
from actors.runs.plan.listed_tasks import entries_of, with_list_read
from actors.runs.plan.plan_file import PlanFile, parse_plan, read_plan_file
from actors.runs.plan.plan_run import plan_run
from actors.runs.state import load_run, run_stream
from actors.toml_file import BadFile, read_source
from evaluators.judges.judge_file import NoJudgeFile, UnknownJudge, judge_among, judge_named
from evaluators.registry import UnfitJudge, check_fit
from events.environments import Catalog
from events.evaluation import JudgeSpec
from events.ids import RUN, new_id
from events.run import Budget, EpisodesRetried, RetriedEpisode, RunPlanned, RunResumed
from gateway.errors import did_you_mean
from gateway.services.catalogs.read_catalog import load, starter_name
from gateway.services.runs.confirm_destinations import NotAgreed
from gateway.services.runs.plan_text import with_settings
from store.log.event_store import NEW, EventStore
from store.read_model import queries


class Prepared(msgspec.Struct, frozen=True):
    """A plan that is ready to run, under the id it will have."""

    run: str
    planned: RunPlanned
    catalog: Catalog


def prepare(store: EventStore, path: Path) -> Prepared:
    """Everything the plan at ``path`` means, checked against the store. Plans nothing yet.

    Raises ``BadFile``: the field, and what would be right.
    """
    plan = read_plan_file(path)
    judge = partial(_judge_beside, path)
    return _prepared(store, plan, read_source(path), path, judge, new_id(RUN), path.parent)


def prepare_text(
    store: EventStore, text: str, judges: Mapping[str, JudgeSpec], run: str
) -> Prepared:
    """The same for a plan that came as text, for a run of this id. It reads no file: its judges are
    built-in ones, or among ``judges`` by the name it gives them, and a list of scenarios is in it.

    Raises ``BadFile``.
    """
    return prepare_words(store, text, judge_among(judges), run)


def prepare_words(
    store: EventStore,
    text: str,
    judge: Callable[[str], JudgeSpec],
    run: str,
    beside: Path | None = None,
) -> Prepared:
    """The same with whatever judges ``judge`` finds, and with a list of scenarios in a file that is
    ``beside`` it, if that is a folder. Raises ``BadFile``."""
    path = Path("plan")
    return _prepared(store, parse_plan(text, path), text, path, judge, run, beside)


def _prepared(
    store: EventStore,
    read: PlanFile,
    source: str,
    path: Path,
    judge: Callable[[str], JudgeSpec],
    run: str,
    beside: Path | None,
) -> Prepared:
    read, source = _with_list(read, source, path, beside)
    plan = _with_known_minds(store, read, path)
    catalog = catalog_of(store, plan, path)
    planned = plan_run(
        run,
        plan,
        catalog,
        _judges(plan, path, judge),
        source=source,
        path=str(path),
        software=version("troupe-server"),
    )
    _check_fit(planned, path)
    return Prepared(run, planned, catalog)


def record_run(store: EventStore, prepared: Prepared, *, detached: bool = False) -> str:
    """Begin a prepared run, or leave it to a server; its id."""
    stream = run_stream(prepared.run)
    planned = msgspec.structs.replace(prepared.planned, detached=detached)
    store.append(stream, NEW, [planned], correlation=prepared.run)
    return prepared.run


def begin_run(store: EventStore, prepared: Prepared) -> Work:
    """Begin a prepared run; what is to be done for it."""
    record_run(store, prepared)
    return work_of(store, prepared.run)


def work_of(store: EventStore, run: str) -> Work:
    """What is to be done for a run (its id in full)."""
    state = load_run(store, run)
    assert state is not None, "the caller looked the run up, or recorded it"
    return Work.of(run, state)


def resume_run(
    store: EventStore,
    run: str,
    *,
    usd: float | None = None,
    tokens: int | None = None,
    detached: bool = False,
    retried: Sequence[RetriedEpisode] = (),
    agreed: bool = False,
) -> None:
    """Mark a run as going on again, with another budget where one is given, and with episodes that
    are played in the place of others.

    ``agreed``: somebody has agreed to what is sent where for it. Raises ``NotAgreed`` for a run
    that came in a file and awaits that.
    """
    state = load_run(store, run)
    assert state is not None, "the caller looked the run up"
    if state.awaits_consent and not agreed:
        raise NotAgreed(f"run {run}", asked=False)
    budget = None
    if usd is not None or tokens is not None:
        budget = Budget(
            usd=state.budget.usd if usd is None else usd,
            tokens=state.budget.tokens if tokens is None else tokens,
        )
    moves = state.status != "running" or detached != state.detached or state.awaits_consent
    if budget or retried or moves:
        # Together: a run with more to play that is over, or that no server hears of, would stay so.
        again = [EpisodesRetried(episodes=tuple(retried))] if retried else []
        events = [*again, RunResumed(budget=budget, detached=detached)]
        store.append(run_stream(run), state.version, events, correlation=run)


def _with_list(
    plan: PlanFile, source: str, path: Path, beside: Path | None
) -> tuple[PlanFile, str]:
    """The plan and its text with the lines of its list of scenarios, where they name a file: what
    is recorded means the same wherever it is planned again."""
    tasks = with_list_read(plan.tasks, beside, path)
    if tasks is plan.tasks:
        return plan, source
    lines = msgspec.to_builtins(entries_of(tasks))
    text = with_settings(source, {("tasks", "list"): lines})
    return msgspec.structs.replace(plan, tasks=tasks), text


def _with_known_minds(store: EventStore, plan: PlanFile, path: Path) -> PlanFile:
    """The plan with recorded episodes by their whole ids. What only the store and the rehearsal
    know is checked here: that tempers and recorded episodes exist."""
    minds = dict(plan.minds)
    tempers = environment_named(plan.environment).tempers
    for name, mind in plan.minds.items():
        if mind.kind == "rehearsal" and mind.temper not in tempers:
            known = f"choose one of {', '.join(tempers)}"
            why = f"there is no temper {mind.temper!r}{did_you_mean(mind.temper, tempers)}"
            field = f"minds.{name}.temper"
            raise BadFile(path, field, f"{why}; {known}" if mind.temper else known)
        if mind.kind == "recorded":
            try:
                found = queries.find_episode(store, mind.episode)
            except LookupError as error:
                raise BadFile(path, f"minds.{name}.episode", str(error)) from error
            minds[name] = msgspec.structs.replace(mind, episode=found)
    return msgspec.structs.replace(plan, minds=minds)


def catalog_of(store: EventStore, plan: PlanFile, path: Path) -> Catalog:
    """The catalog that a plan names, or its environment's own. Raises ``BadFile``."""
    name = plan.catalog or starter_name(plan.environment)
    if not name:
        why = f"name one; the environment {plan.environment!r} comes with none"
        raise BadFile(path, "catalog", why)
    try:
        return load(store, name)
    except LookupError as error:
        rows = queries.catalogs(store)
        known = ", ".join(row.name for row in rows if row.environment == plan.environment)
        there = f"there is {known}, and" if known else f"there is none of {plan.environment!r} yet;"
        more = "`troupe catalog import DIR` brings one in"
        raise BadFile(path, "catalog", f"{error}; {there} {more}") from error


def _judge_beside(path: Path, name: str) -> JudgeSpec:
    return judge_named(name, beside=path.parent)


def _judges(plan: PlanFile, path: Path, named: Callable[[str], JudgeSpec]) -> list[JudgeSpec]:
    judges: list[JudgeSpec] = []
    for name in plan.judges.use:
        try:
            judge = named(name)
        except (UnknownJudge, NoJudgeFile) as error:
            raise BadFile(path, "judges.use", str(error)) from error
        except BadFile as error:
            why = f"{error.why} ({path} names this judge)"
            raise BadFile(error.path, error.where, why) from error
        if any(judge.name == other.name for other in judges):
            raise BadFile(
                path, "judges.use", f"two judges are called {judge.name!r}; name one anew"
            )
        judges.append(judge)
    return judges


def _check_fit(planned: RunPlanned, path: Path) -> None:
    """Raises ``BadFile`` where a judge's rubric is for another environment."""
    for judge in planned.plan.judges:
        try:
            check_fit(judge, planned.plan.environment)
        except UnfitJudge as error:
            raise BadFile(path, "judges.use", str(error)) from error
