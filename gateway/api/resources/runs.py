"""Runs: listed, planned, begun, looked at, stopped and resumed."""

from typing import Annotated, Any, Final, Literal

import msgspec
import sqlalchemy as sa

from actors.runs.forecast.forecast import Forecast
from actors.runs.state import load_run
from evaluators.judges.judge_file import parse_judge
from evaluators.statistics.populations import Population
from events.archive import StreamsBroughtBack, StreamsTakenOut
from events.base import Value
from events.episode import EpisodeEnded, EpisodeFailed, EpisodeReopened
from events.evaluation import JudgeSpec
from events.ids import RUN
from events.run import (
    EpisodesRetried,
    Plan,
    RunArchived,
    RunEnded,
    RunPaused,
    RunPlanned,
    RunRestored,
    RunResumed,
)
from events.untrusted.limits import MOST_ID
from gateway.api.operations import Call, operation
from gateway.api.paging import Order, Page, Paged, behind, fingerprint, in_order, page_of, read
from gateway.api.problems import Refusal
from gateway.api.request_handler import answers_of
from gateway.process.lease_holders import HeldElsewhere, check_free_for_server
from gateway.services.runs.confirm_destinations import Destination, destinations_of_run
from gateway.services.runs.forecast_run import estimated
from gateway.services.runs.plan_run import Prepared, prepare_text, record_run, resume_run
from gateway.services.runs.retry_episodes import retrying_of
from gateway.services.runs.run_details import Counts, RunDetails, run_details
from gateway.services.runs.run_marks import marked, run_marks
from gateway.services.runs.run_status import Listed, Standing, standing_of, standings
from gateway.services.runs.stop import Outcome, hide_runs, stop_run
from gateway.services.runs.watch_run import Moment, RunWatch
from store.errors import Conflict
from store.projections import tables as t
from store.read_model import list_pages, queries
from store.read_model.records import EpisodeRow, EvaluationRow, RunStatus

MOST_PLAN = 1_000_000
"""Characters of a plan, or of a judge."""
Text = Annotated[str, msgspec.Meta(max_length=MOST_PLAN)]
Words = Annotated[str, msgspec.Meta(max_length=MOST_ID)]
LISTED: Final = tuple(
    kind.__name__
    for kind in (
        RunPlanned,
        RunPaused,
        RunResumed,
        RunEnded,
        RunArchived,
        RunRestored,
        EpisodesRetried,
        EpisodeEnded,
        EpisodeFailed,
        EpisodeReopened,
        StreamsTakenOut,
        StreamsBroughtBack,
    )
)
"""Tags of the events after which a list of runs is another one."""
RunOrder = Literal["-started", "started", "name", "-name"]


class ListRuns(Paged, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Which runs."""

    status: tuple[RunStatus, ...] = ()
    """Only these; may be repeated."""
    catalog: Words = ""
    """Only runs of this catalog."""
    text: Words = ""
    """Only those whose name or id has it, whatever its case."""
    hidden: bool = False
    """With those that lists leave out, and those that were taken out of the store."""
    sort: RunOrder = "-started"
    """By when they began or by name; ``-``: from the last to the first."""


class GetRun(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How its tables are reckoned."""

    population: Population | None = None
    """What intervals speak of; left out: what is usual for these scores."""


class PlanOfRun(Value, frozen=True, kw_only=True):
    """What a run set out to do."""

    run: str
    """Its id."""
    plan: Plan[Any]
    """All that was asked for."""
    episodes: int
    """Planned."""
    chains: int
    """Planned."""
    software: str
    """Version of Troupe that planned it."""


class NewRun(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A plan to be carried out."""

    plan: Text
    """A plan file's text, TOML."""
    judges: dict[Words, Text] = {}
    """Judge files' texts, by the names under which the plan uses them; built-in judges need
    none."""


class StartedRun(Value, frozen=True, kw_only=True, omit_defaults=False):
    """A run that was recorded; a server carries it out."""

    run: str
    """Its id."""
    name: str
    """The plan's."""
    episodes: int
    """Planned."""
    standing: Standing
    """Whether a server is there to carry it out."""


class StopRun(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How a run is to be stopped."""

    for_good: bool = False
    """End it: its episodes under way, too. It cannot be resumed."""


class Stopped(Value, frozen=True, kw_only=True):
    """What came of it."""

    id: str
    """Of what was to be stopped."""
    outcome: Outcome
    """``over``: there was nothing to stop."""


class ResumeRun(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How a run is to go on."""

    budget_usd: Annotated[float, msgspec.Meta(ge=0)] | None = None
    """A new budget in all, in US dollars; 0: no limit."""
    budget_tokens: Annotated[int, msgspec.Meta(ge=0, le=10**15)] | None = None
    """A new budget in all, in tokens; 0: no limit."""
    retry_failed: bool = False
    """Play episodes again in which actions failed: same task, minds and seed."""
    agreed: bool = False
    """Of a run that came in a file: you agree to what is sent where (``destinations``)."""


class Resumed(Value, frozen=True, kw_only=True, omit_defaults=False):
    """A run that goes on."""

    run: str
    """Its id."""
    retried: int
    """Episodes that are played again."""
    standing: Standing
    """How it stands now."""


class Hidden(Value, frozen=True, kw_only=True, omit_defaults=False):
    """Whether lists leave a run out."""

    run: str
    """Its id."""
    hidden: bool
    """As it is now."""
    changed: bool
    """It was not so before."""


class RunFailures(Value, frozen=True, kw_only=True, omit_defaults=False):
    """What went wrong in a run."""

    counts: Counts
    """Each with what it is out of."""
    episodes: tuple[EpisodeRow, ...]
    """Those that were given up, or in which an action failed; 1,000 at most."""
    evaluations: tuple[EvaluationRow, ...]
    """Those that were given up, or in which a score failed; 1,000 at most."""


MOST_FAILURES = 1000


@operation("GET", "/runs", tag="runs", keeping="head")
def list_runs(call: Call, query: ListRuns) -> Page[Listed]:
    """List runs, and how each stands now.

    A list stays as it is while runs are added: who follows ``next`` sees each run once.
    """
    by_name, down = query.sort.endswith("name"), query.sort.startswith("-")
    first = (
        Order(t.runs.c.name, str, down)
        if by_name
        else Order(sa.func.coalesce(t.runs.c.started_at, 0), int, down)
    )
    orders = (first, Order(t.runs.c.id, str, down))
    conditions: list[sa.ColumnElement[bool]] = []
    if query.status:
        conditions.append(t.runs.c.status.in_(query.status))
    if query.catalog:
        conditions.append(t.runs.c.catalog == query.catalog)
    if query.text:
        conditions.append(list_pages.contains((t.runs.c.name, t.runs.c.id), query.text))
    if not query.hidden:
        conditions.append(sa.not_(t.runs.c.archived) & (t.runs.c.taken_to == ""))
    of = fingerprint(query)
    if query.cursor:
        conditions.append(behind(orders, read(query.cursor, of, (first.kind, str))))
    rows = _rows_of(call).first(conditions, in_order(orders), query.limit + 1)
    call.volatile = any(row.status == "running" for row in rows)
    call.depends = LISTED
    page = page_of(
        rows, query.limit, of, lambda r: (r.name if by_name else r.started_at or 0, r.id)
    )
    marks = run_marks(call.store, [row.id for row in page.items])
    listed = marked(standings(call.settings, call.store, page.items), marks)
    return Page(items=tuple(listed), next=page.next)


def _rows_of(call: Call) -> list_pages.RunRows:
    """The runs of the store, as this gateway has them in mind."""
    kept = answers_of(call.gateway).beside
    rows = kept.get("runs")
    if not isinstance(rows, list_pages.RunRows):
        rows = kept["runs"] = list_pages.RunRows(call.store, LISTED)
    return rows


@operation("GET", "/runs/{run}", tag="runs", keeping="head")
def get_run(call: Call, run: str, query: GetRun) -> RunDetails:
    """A run: its tables by judge and mind, model calls, and what went wrong.

    Its episodes are a list of their own: ``GET /episodes?run=…``.
    """
    found = run_details(call.store, run, listed=0, population=query.population)
    call.volatile = found.run.status == "running"
    return msgspec.structs.replace(
        found, standing=standing_of(call.settings, call.store, found.run)
    )


@operation("GET", "/runs/{run}/plan", tag="runs", keeping="head")
def get_plan(call: Call, run: str) -> PlanOfRun:
    """What a run set out to do."""
    id_ = queries.find_run(call.store, run)
    planned = queries.plan(call.store, id_)
    return PlanOfRun(
        run=id_,
        plan=planned.plan,
        episodes=len(planned.episodes),
        chains=len(planned.chains),
        software=planned.software,
    )


@operation("GET", "/runs/{run}/standing", tag="runs")
def get_standing(call: Call, run: str) -> Standing:
    """Whether anybody carries a run out, and what it waits for."""
    return standing_of(call.settings, call.store, queries.run(call.store, run))


@operation("GET", "/runs/{run}/progress", tag="runs")
def get_progress(call: Call, run: str) -> Moment:
    """How far a run is: its pace, time left, money so far, who waits for what."""
    return RunWatch(call.settings, call.store, queries.find_run(call.store, run)).look()


@operation("GET", "/runs/{run}/failures", tag="runs", keeping="head")
def get_failures(call: Call, run: str) -> RunFailures:
    """What went wrong in a run: episodes, actions and scores."""
    id_ = queries.find_run(call.store, run)
    failed = (t.episodes.c.status == "failed") | (t.episodes.c.failed_actions > 0)
    evaluations = queries.evaluations(call.store, run=id_)
    return RunFailures(
        counts=run_details(call.store, id_, listed=0).counts,
        episodes=tuple(queries.episodes(call.store, run=id_, where=failed, most=MOST_FAILURES)),
        evaluations=tuple(row for row in evaluations if row.status == "failed" or row.failed)[
            :MOST_FAILURES
        ],
    )


@operation("GET", "/runs/{run}/destinations", tag="runs")
def get_destinations(call: Call, run: str) -> tuple[Destination, ...]:
    """Where a run would send what, for somebody to agree to before it is resumed."""
    state = load_run(call.store, queries.find_run(call.store, run))
    assert state is not None, "it was found"
    return tuple(destinations_of_run(state))


@operation("POST", "/runs", tag="runs", status=201)
def start_run(call: Call, body: NewRun) -> StartedRun:
    """Have a plan carried out by a server.

    The plan is checked as a whole first. Sent again with the same ``Idempotency-Key`` it is the
    same run.
    """
    prepared = _prepared(call, body, call.new_id(RUN))
    try:
        record_run(call.store, prepared, detached=True)
    except Conflict:
        # By an earlier try of this request, whose answer was lost.
        queries.find_run(call.store, prepared.run)
    return StartedRun(
        run=prepared.run,
        name=prepared.planned.plan.name,
        episodes=len(prepared.planned.episodes),
        standing=standing_of(call.settings, call.store, queries.run(call.store, prepared.run)),
    )


@operation("POST", "/forecasts", tag="runs", changes=False)
def forecast_run(call: Call, body: NewRun) -> Forecast:
    """Say what a plan means: episodes, calls, tokens, money. Nothing is stored."""
    return estimated(_prepared(call, body, call.new_id(RUN)))


def _prepared(call: Call, body: NewRun, run: str) -> Prepared:
    judges: dict[str, JudgeSpec] = {
        name: parse_judge(text, name) for name, text in body.judges.items()
    }
    return prepare_text(call.store, body.plan, judges, run)


@operation("POST", "/runs/{run}/stop", tag="runs")
def stop_a_run(call: Call, run: str, body: StopRun) -> Stopped:
    """Have a run stay where it is, or end it for good.

    What models are answering is recorded, nothing more is asked, and ``resume`` goes on.
    """
    id_ = queries.find_run(call.store, run)
    outcome = stop_run(call.settings, call.store, id_, for_good=body.for_good)
    return Stopped(id=id_, outcome=outcome)


@operation("POST", "/runs/{run}/resume", tag="runs")
def resume_a_run(call: Call, run: str, body: ResumeRun) -> Resumed:
    """Go on with a run that was stopped or paused, by a server.

    Only what is not done is played; an answer that was paid for is not asked for again.
    """
    id_ = queries.find_run(call.store, run)
    state = load_run(call.store, id_)
    assert state is not None, "it was found"
    anew = body.retry_failed or body.budget_usd is not None or body.budget_tokens is not None
    if state.imported:
        raise Refusal("not_possible", f"run {id_} was simulated elsewhere: nothing is left to do")
    if state.status == "ended" and not anew:
        raise Refusal("not_possible", f"run {id_} has ended: nothing is left to do")
    if state.status == "running":
        try:
            check_free_for_server(call.settings, call.store, id_)
        except HeldElsewhere as held:
            raise Refusal("not_possible", str(held)) from held
    retried = retrying_of(call.store, id_, state).episodes if body.retry_failed else ()
    resume_run(
        call.store,
        id_,
        usd=body.budget_usd,
        tokens=body.budget_tokens,
        detached=True,
        retried=retried,
        agreed=body.agreed,
    )
    return Resumed(
        run=id_,
        retried=len(retried),
        standing=standing_of(call.settings, call.store, queries.run(call.store, id_)),
    )


@operation("POST", "/runs/{run}/archive", tag="runs")
def archive_a_run(call: Call, run: str) -> Hidden:
    """Have lists leave a run out. Nothing is deleted."""
    return _hidden(call, run, undo=False)


@operation("POST", "/runs/{run}/unarchive", tag="runs")
def unarchive_a_run(call: Call, run: str) -> Hidden:
    """Have lists name a run again."""
    return _hidden(call, run, undo=True)


def _hidden(call: Call, run: str, *, undo: bool) -> Hidden:
    ((id_, changed),) = hide_runs(call.settings, call.store, [run], undo=undo).items()
    return Hidden(run=id_, hidden=not undo, changed=changed)
