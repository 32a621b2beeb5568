"""From a run to the annotation study of its case study (AntEval, section 5.4)."""

from typing import NamedTuple

from actors.tabletop.catalog_items import NAME
from actors.tabletop.setup import Session
from evaluators.report.data.run_data import histories
from evaluators.scores.score_columns import ScoreColumns, read_columns
from evaluators.scores.seat_scores import Judged
from evaluators.tabletop.cases.drawn import CaseDrawn, drawn, precisions
from evaluators.tabletop.plugin import CASE_WORD, LEARNED, RULE
from events.annotation import AnnotationPlanned
from events.base import replace
from events.episode import EpisodeStarted
from gateway.errors import BadArgument
from gateway.services.annotations.plan_annotation import planned
from gateway.services.annotations.plan_file import AnnotationFile
from gateway.services.runs.resolve_ids import runs_meant
from store.log.event_store import EventStore
from store.read_model import queries
from store.read_model.score_arrays import FAILED

READERS = 5
"""As many as in the paper."""
INSTRUCTIONS = """
Read the session, what the non-player character knew, and what each player said in the end that they
had learned. Then give one word that says best why the players learned so little: of the players, of
the non-player character, or of how they talked. Any word will do; there is no list.
"""


class CaseStudy(NamedTuple):
    """A case study before it is stored."""

    plan: AnnotationPlanned
    cases: tuple[CaseDrawn, ...]
    """The sessions that were drawn."""
    judge: str
    """By whose scores."""
    low: int
    """The sessions that could have been drawn."""
    scored: int
    """The sessions that have a p."""


def case_study(
    store: EventStore,
    run: str,
    *,
    below: float,
    take: int,
    seed: int,
    readers: int = READERS,
    judge: str = "",
) -> CaseStudy:
    """The study of a run (its id, or how it begins). ``judge``: by name, whose p counts; empty: the
    only one there is. Raises ``UnknownId``, and ``BadArgument`` for a run of another environment, a
    judge that has not scored it, or where no session is below. Stores nothing. Blocking."""
    (run,) = runs_meant(store, [run], NAME)
    columns = read_columns(store, run)
    columns = columns.where(columns.dimension.among(LEARNED.name))
    if not len(columns) and not _exchanges(store, run):
        raise BadArgument("run", run, "has no session of the kind exchange")
    by = _judge_of(columns, run, judge)
    p = precisions(columns.of(by.hash))
    low = sum(value < below for value in p.values())
    if not low:
        if not p:
            raise BadArgument("run", run, _without_p(columns.of(by.hash), by.name))
        least = f"the least is {min(p.values()):.2f}"
        raise BadArgument("--below", f"{below:g}", f"of {len(p)} sessions none is below; {least}")
    cases = tuple(drawn(p, below, take, seed))
    file = AnnotationFile(
        name=f"Cases of {run}",
        episodes=tuple(case.episode for case in cases),
        rubric=CASE_WORD,
        annotators=readers,
        instructions=INSTRUCTIONS,
        seed=seed,
    )
    return CaseStudy(replace(planned(store, file), run=run), cases, by.name, low, len(p))


def _exchanges(store: EventStore, run: str) -> bool:
    """Whether there was something to learn in a session that began."""
    return any(
        isinstance(event, EpisodeStarted)
        and isinstance(event.setup, Session)
        and event.setup.kind == "exchange"
        for _, history in histories(store, queries.episodes(store, run=run))
        for event in history
    )


def _without_p(columns: ScoreColumns, judge: str) -> str:
    failed = sum(status == FAILED for status in columns.status.tolist())
    return f"has no session with a p: {failed:,} of {len(columns):,} scores by {judge} failed"


def _judge_of(columns: ScoreColumns, run: str, name: str) -> Judged:
    known = {judge.name: judge for judge in columns.judges if len(columns.of(judge.hash))}
    if not known:
        score = f"`troupe score {run} --judge {RULE}`"
        why = f"no judge has scored what its players learned; {score} does"
        raise BadArgument("run", run, why)
    if name and name not in known:
        why = f"it has not scored what players of run {run} learned; {', '.join(known)} did"
        raise BadArgument("judge", name, why)
    if not name and len(known) > 1:
        why = f"several judges have scored it; name one with --judge: {', '.join(known)}"
        raise BadArgument("run", run, why)
    return known[name] if name else next(iter(known.values()))
