"""What both scorers have left to do in a run."""

from collections.abc import Sequence

from actors.runs.execution.work import Work
from actors.sandbox.conversation.cases import is_case
from actors.sandbox.setup import NAME
from evaluators.sandbox.results import SCORERS, Scorer
from events.wire.messages import Evaluate
from gateway.services.results.score_run import scoring_of
from gateway.services.runs.resolve_ids import runs_meant
from store.log.event_store import EventStore
from store.read_model import queries


def town_run(store: EventStore, given: str) -> str:
    """The id of a run of towns. Raises ``UnknownId``, and ``BadArgument`` for one of another
    environment."""
    return runs_meant(store, [given], NAME)[0]


def missing_scores(store: EventStore, given: str, scorers: Sequence[Scorer]) -> Work | None:
    """The scores that the run's ended episodes do not have yet; None: they have all. One that
    failed stays: the same rules would say the same.

    Raises ``UnknownId``, ``BadArgument`` of another environment's run and where nothing has ended.
    """
    run = town_run(store, given)
    judges = [SCORERS[one] for one in scorers]
    towns = {row.id for row in queries.episodes(store, run=run) if not is_case(row.task)}
    jobs: list[Evaluate] = []
    for judge in judges:
        scoring = scoring_of(store, run, judge)
        done = {row.id for row in queries.evaluations(store, run=run) if row.status == "ended"}
        jobs += [
            job
            for job in scoring.work.scoring.values()
            if job.episode in towns and not job.again_of and job.evaluation not in done
        ]
    return Work.scoring_only(run, jobs, judges) if jobs else None
