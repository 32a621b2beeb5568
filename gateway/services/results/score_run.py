"""What is to be scored by a judge: what it has not scored yet, and what failed."""

from collections import defaultdict
from collections.abc import Sequence

import msgspec

from actors.runs.execution.work import Work, evaluation_job
from actors.runs.judges import add_judge
from evaluators.registry import UnfitJudge, check_fit
from events.evaluation import JudgeSpec
from events.serialization.fingerprints import evaluation_id, judge_hash
from events.wire.messages import Evaluate
from gateway.errors import BadArgument
from gateway.services.runs.resolve_ids import ResolvedId, run_or_episode
from store.log.event_store import EventStore
from store.read_model import queries
from store.read_model.records import EpisodeRow, EvaluationRow


class Scoring(msgspec.Struct, frozen=True, kw_only=True):
    """Work for a judge."""

    work: Work
    episodes: tuple[str, ...]
    """All that it scores, or has scored."""
    again: int
    """Of them, those that it is asked about once more, because scores failed."""
    is_done: bool
    """Whether it has scored all of them."""


def scoring_of(store: EventStore, what: str, judge: JudgeSpec) -> Scoring:
    """Scoring a run's ended episodes, or one episode. What the judge has scored whole stays; where
    scores failed it is asked again, in an evaluation beside the old.

    A judge that has something left to do is added to those that workers know.

    Raises ``BadArgument`` where nothing has ended, or the judge's rubric is for another
    environment; ``RunTakenOut`` of an episode that stayed when its run was archived.
    """
    meant = run_or_episode(store, what)
    if meant.kind == "run":
        run = meant.id
        rows = queries.episodes(store, run=run)
    else:
        rows = [queries.episode(store, meant.id)]
        run = rows[0].run
        queries.require_here(store, run, f"episode {meant.id}")
    return _scoring(store, judge, rows, run, meant)


def scoring_of_forks(store: EventStore, forks: Sequence[str], judge: JudgeSpec) -> Scoring:
    """The same for forks, which belong to no run (ids in full)."""
    rows = [queries.episode(store, fork) for fork in forks]
    return _scoring(store, judge, rows, "", ResolvedId("episode", ", ".join(forks)))


def _scoring(
    store: EventStore, judge: JudgeSpec, rows: Sequence[EpisodeRow], run: str, meant: ResolvedId
) -> Scoring:
    ended = [row for row in rows if row.status == "ended"]
    if not ended:
        why = "nothing of it has ended, so nothing can be scored"
        raise BadArgument(meant.kind, meant.id, why)
    check_fit_of(judge, ended)
    done = set[str]()
    made = defaultdict[str, list[EvaluationRow]](list)
    for row in queries.evaluations_by(store, judge_hash(judge), [row.id for row in ended]):
        made[row.episode].append(row)
        if row.status == "ended":
            done.add(row.id)
    jobs = [_job(row.id, judge, run, made[row.id]) for row in ended]
    is_done = done.issuperset(job.evaluation for job in jobs)
    if not is_done:
        add_judge(store, judge)
    return Scoring(
        work=Work.scoring_only(run, jobs, [judge]),
        episodes=tuple(row.id for row in ended),
        again=sum(bool(job.again_of) for job in jobs),
        is_done=is_done,
    )


def _job(episode: str, judge: JudgeSpec, run: str, made: Sequence[EvaluationRow]) -> Evaluate:
    """The job that scores an episode, after the evaluations that were made, the oldest first."""
    first = evaluation_job(episode, judge, run)
    standing = next((row for row in made if not row.superseded_by), None)
    if standing is None:
        return first
    last = made[-1]
    change = msgspec.structs.replace
    if last is not standing and last.status == "running":
        return change(first, evaluation=last.id, again_of=standing.id)
    if standing.status == "failed" or standing.failed:
        another = evaluation_id(episode, judge, last.id)
        return change(first, evaluation=another, again_of=standing.id)
    return change(first, evaluation=standing.id)


def check_fit_of(judge: JudgeSpec, rows: Sequence[EpisodeRow]) -> None:
    """Raises ``BadArgument`` where the judge's rubric is for another environment."""
    for environment in {row.environment for row in rows if row.environment}:
        try:
            check_fit(judge, environment)
        except UnfitJudge as error:
            raise BadArgument("--judge", judge.name, str(error)) from error
