"""Judges and what they made of episodes."""

import asyncio
import io
import tempfile
import zipfile
from pathlib import Path
from typing import Annotated, Literal

import msgspec

from actors.runs.judges import add_judge, added_judge
from evaluators.judges.judge_file import UnknownJudge, judge_named, parse_judge
from evaluators.label_sheet import BadSheet
from evaluators.registry import built_in
from events.base import Value
from events.evaluation import EvaluationStarted, JudgeSpec
from events.serialization.codec import event_of
from events.serialization.fingerprints import judge_hash
from events.wire.messages import Evaluate
from events.wire.subjects import stream_name
from gateway.api.operations import Call, File, operation
from gateway.api.paging import Page, Paged, slice_of
from gateway.api.problems import Refusal
from gateway.api.resources.runs import MOST_PLAN, Words
from gateway.errors import BadArgument
from gateway.services.calls.find_calls import judge_calls
from gateway.services.calls.model_call import ModelCall
from gateway.services.operations import queue_jobs
from gateway.services.results.score_run import scoring_of
from gateway.services.results.validate_judge import Validation, validate, write_samples
from store.id_lookup import UnknownId
from store.log.event_store import EventStore
from store.projections import tables as t
from store.read_model import list_pages, queries
from store.read_model.records import EvaluationRow, EvaluationStatus, ScoreRow

JudgeText = Annotated[str, msgspec.Meta(min_length=1, max_length=MOST_PLAN)]


class KnownJudge(Value, frozen=True, kw_only=True, omit_defaults=False):
    """A judge."""

    name: str
    """How tables call it."""
    hash: str
    """Fingerprint of its whole specification; same hash, same judge."""
    kind: str
    """``model``, ``local``, ``rehearsal``, ``rule``, ``imported`` or ``people``."""
    built_in: bool
    """It comes with Troupe."""
    evaluations: int
    """How often it has judged."""


class JudgeFound(Value, frozen=True, kw_only=True, omit_defaults=False):
    """A judge and all that makes it one."""

    hash: str
    """Its fingerprint."""
    judge: JudgeSpec
    """Rubric, dimensions, prompt, model."""


class NewJudge(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A judge of your own."""

    text: JudgeText
    """A judge file's text, TOML (docs/reference/judge.md)."""
    name: Words = "judge"
    """How tables call it, where the text does not say."""


class NewScores(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Who is to score."""

    judge: Words = ""
    """A built-in judge by name, or any by its hash, as ``POST /judges`` answers it."""
    text: Annotated[str, msgspec.Meta(max_length=MOST_PLAN)] = ""
    """Or a judge file's text, TOML."""


class Queued(Value, frozen=True, kw_only=True, omit_defaults=False):
    """What a judge has been asked for."""

    judge: KnownJudge
    """Who."""
    episodes: int
    """All that it scores, or has scored."""
    queued: int
    """Evaluations that are to be made now."""
    again: int
    """Of them, those that are made once more, because scores failed."""


class ListEvaluations(Paged, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Which evaluations."""

    run: Words = ""
    """Only of this run."""
    episode: Words = ""
    """Only of this episode."""
    judge: Words = ""
    """Only by this judge: a name, or how its hash begins."""
    status: EvaluationStatus | None = None
    """Only these."""


class EvaluationFound(Value, frozen=True, kw_only=True, omit_defaults=False):
    """One judge's reading of one episode."""

    evaluation: EvaluationRow
    """How it stands."""
    scores: tuple[ScoreRow, ...]
    """What it gave, and what is missing."""


class CheckLabels(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What people say of a judge's checkpoints."""

    labels: Annotated[str, msgspec.Meta(min_length=1, max_length=900_000)]
    """The sheet that they filled in, CSV, as ``troupe validate-judge --sample`` writes it."""
    positive: Literal["passed", "failed"] = "passed"
    """What counts as a positive."""


class DrawSheet(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is drawn."""

    run: Annotated[tuple[Words, ...], msgspec.Meta(max_length=50)] = ()
    """Of these runs; left out: of all."""
    checkpoint: Annotated[tuple[Words, ...], msgspec.Meta(max_length=50)] = ()
    """Of these checkpoints; left out: of all."""
    passed: Annotated[int, msgspec.Meta(ge=0, le=1000)] = 50
    """Of each checkpoint, so many that passed."""
    failed: Annotated[int, msgspec.Meta(ge=0, le=1000)] = 50
    """Of each checkpoint, so many that failed."""
    seed: Annotated[int, msgspec.Meta(ge=0, le=2**31 - 1)] = 0
    """Another one draws other samples."""


@operation("GET", "/judges", tag="judges", keeping="head")
def list_judges(call: Call, query: Paged) -> Page[KnownJudge]:
    """List judges: built-in ones, and all that have judged."""
    at_work = {one.hash: one for one in list_pages.judges_at_work(call.store)}
    ours = {judge_hash(spec): spec for spec in built_in().values()}
    rows = [
        KnownJudge(
            name=spec.name,
            hash=hash_,
            kind=spec.kind,
            built_in=True,
            evaluations=at_work[hash_].evaluations if hash_ in at_work else 0,
        )
        for hash_, spec in ours.items()
    ]
    rows += [
        KnownJudge(
            name=one.name, hash=hash_, kind=one.kind, built_in=False, evaluations=one.evaluations
        )
        for hash_, one in at_work.items()
        if hash_ not in ours
    ]
    return slice_of(rows, query, lambda row: row.hash)


@operation("GET", "/judges/{judge}", tag="judges", keeping="head")
def get_judge(call: Call, judge: str) -> JudgeFound:
    """A judge, by the name of a built-in one or by its hash."""
    spec = _known(call.store, judge)
    return JudgeFound(hash=judge_hash(spec), judge=spec)


@operation("POST", "/judges", tag="judges", status=201)
def add_a_judge(call: Call, body: NewJudge) -> JudgeFound:
    """Have workers know a judge of your own. The same again changes nothing."""
    spec = parse_judge(body.text, body.name)
    add_judge(call.store, spec)
    return JudgeFound(hash=judge_hash(spec), judge=spec)


@operation("POST", "/runs/{run}/scores", tag="judges", status=202)
async def score_run(call: Call, run: str, body: NewScores) -> Queued:
    """Have a run's ended episodes scored by one more judge.

    What it has scored whole stays; where scores failed it is asked again, in an evaluation beside
    the old. Asked again later, it goes on with what is missing.
    """
    return await _score(call, run, body, "r")


@operation("POST", "/episodes/{episode}/scores", tag="judges", status=202)
async def score_episode(call: Call, episode: str, body: NewScores) -> Queued:
    """Have an episode scored by one more judge."""
    return await _score(call, episode, body, "e")


async def _score(call: Call, what: str, body: NewScores, kind: str) -> Queued:
    if not what.startswith(kind):
        raise UnknownId("run" if kind == "r" else "episode", what)
    answer, jobs = await asyncio.to_thread(_to_score, call.store, what, body)
    await queue_jobs.score(call.gateway, jobs)
    return answer


def _to_score(store: EventStore, what: str, body: NewScores) -> tuple[Queued, list[Evaluate]]:
    if bool(body.judge) == bool(body.text):
        raise Refusal("invalid", "give either a judge's name or hash, or the text of one", "judge")
    spec = parse_judge(body.text, "judge") if body.text else _known(store, body.judge)
    scoring = scoring_of(store, what, spec)
    hash_ = judge_hash(spec)
    made = {
        row.id
        for row in queries.evaluations_by(store, hash_, scoring.episodes)
        if row.status == "ended"
    }
    jobs = [job for id_, job in scoring.work.scoring.items() if id_ not in made]
    known = KnownJudge(
        name=spec.name,
        hash=hash_,
        kind=spec.kind,
        built_in=spec.name in built_in() and judge_hash(built_in()[spec.name]) == hash_,
        evaluations=len(made),
    )
    answer = Queued(
        judge=known, episodes=len(scoring.episodes), queued=len(jobs), again=scoring.again
    )
    return answer, jobs


def _known(store: EventStore, given: str) -> JudgeSpec:
    """A built-in judge, one that was added, or one that has judged. Reads no file. Raises
    ``UnknownJudge``."""
    if given in built_in():
        return judge_named(given)
    for spec in built_in().values():
        if judge_hash(spec) == given:
            return spec
    if (added := added_judge(store, given)) is not None:
        return added
    for one in list_pages.judges_at_work(store, given):
        for envelope in store.read(stream_name("evaluation", one.last), 0, 0):
            if isinstance(event := event_of(envelope), EvaluationStarted):
                return event.judge
    raise UnknownJudge(given)


@operation("GET", "/evaluations", tag="judges", keeping="head")
def list_evaluations(call: Call, query: ListEvaluations) -> Page[EvaluationRow]:
    """List evaluations that stand, the oldest first."""
    if not (query.run or query.episode or query.judge):
        why = "name a run, an episode or a judge: all at once are too many"
        raise BadArgument("run", "", why)
    rows = queries.evaluations(
        call.store,
        run=query.run or None,
        episode=query.episode or None,
        judge=query.judge or None,
        status=query.status,
    )
    return slice_of(rows, query, lambda row: row.id)


@operation("GET", "/evaluations/{evaluation}", tag="judges", keeping="head")
def get_evaluation(call: Call, evaluation: str) -> EvaluationFound:
    """An evaluation with its scores."""
    row = _evaluation(call.store, evaluation)
    scores = tuple(
        score
        for score in queries.scores(call.store, episode=row.episode)
        if score.evaluation == row.id
    )
    return EvaluationFound(evaluation=row, scores=scores)


@operation("GET", "/evaluations/{evaluation}/calls", tag="judges", keeping="head")
def get_judge_calls(call: Call, evaluation: str) -> tuple[ModelCall, ...]:
    """What a judge asked its model, and the raw answers."""
    return judge_calls(call.store, _evaluation(call.store, evaluation).id)


def _evaluation(store: EventStore, given: str) -> EvaluationRow:
    rows = queries.evaluations_where(store, t.evaluations.c.id == given)
    if not rows:
        raise UnknownId("evaluation", given)
    return rows[0]


@operation("POST", "/judges/{judge}/validation", tag="judges", changes=False)
def validate_judge(call: Call, judge: str, body: CheckLabels) -> Validation:
    """Hold a judge's checkpoints against what people say: precision, recall, F1, kappa."""
    with tempfile.TemporaryDirectory(prefix="troupe-labels-") as folder:
        sheet = Path(folder) / "labels.csv"
        sheet.write_text(body.labels, encoding="utf-8", errors="replace")
        try:
            return validate(call.store, judge, sheet, body.positive)
        except BadSheet as error:
            raise BadArgument("labels", f"line {error.line}", error.why) from error


@operation("GET", "/judges/{judge}/sheet", tag="judges", media_type="application/zip")
def draw_sheet(call: Call, judge: str, query: DrawSheet) -> File:
    """A sheet for people to label, CSV, and the episodes to read beside it, as a ZIP file."""
    with tempfile.TemporaryDirectory(prefix="troupe-sheet-") as folder:
        sheet = Path(folder) / "labels.csv"
        write_samples(
            call.store,
            judge,
            sheet,
            runs=query.run,
            checkpoints=query.checkpoint,
            passed=query.passed,
            failed=query.failed,
            seed=query.seed,
        )
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
            for path in sorted(Path(folder).rglob("*")):
                if path.is_file():
                    archive.write(path, path.relative_to(folder))
        return File(packed.getvalue(), "labels.zip", "application/zip")
