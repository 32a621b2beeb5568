"""From what an annotator hands in to an evaluation by a judge of kind ``person``."""

from collections.abc import Mapping, Sequence
from typing import Final

from actors.annotation.answers import AnswerFault
from actors.annotation.rules import AnnotationRefused, HandIn, check_may_hand_in
from actors.annotation.state import Study
from evaluators.judges.judged_episode import JudgedEpisode
from evaluators.plugin import Rubric
from evaluators.registry import rubric_named
from events.annotation import AnnotationItem, AnnotationPlanned, SeatAnswer
from events.base import Event, replace
from events.evaluation import (
    Dimension,
    EvaluationEnded,
    EvaluationStarted,
    JudgeSpec,
    ScoreAbstained,
    Scored,
)
from events.serialization.codec import event_of
from events.serialization.fingerprints import evaluation_id, judge_hash
from events.wire.subjects import stream_name
from gateway.services.annotations.annotation_repository import AnnotationStudies
from store.errors import Conflict
from store.log.event_store import NEW, EventStore
from store.read_model import queries
from store.read_model.episode_history import read_history

LONGEST_WORD: Final = 40
"""Letters of a word that is an answer."""


def judge_of(plan: AnnotationPlanned, annotator: str) -> JudgeSpec:
    rubric = rubric_named(plan.rubric)
    asked = {dimension.name for dimension in plan.dimensions}
    # What follows from others follows only where all of the rubric is asked for.
    whole = {one.name for one in rubric.dimensions} <= asked | {
        one.name for one in rubric.worked_out
    }
    return JudgeSpec(
        name=annotator,
        kind="person",
        dimensions=(*plan.dimensions, *(rubric.worked_out if whole else ())),
        rubric=plan.rubric,
    )


def hand_in(
    store: EventStore, study: str, command: HandIn, episode: JudgedEpisode | None = None
) -> Study:
    """Take an annotated item: its scores become an evaluation, and the study goes on.

    Repeated with the same answers it changes nothing more; with others, their evaluation takes the
    place of the one before. Raises ``AnnotationRefused``, ``UnknownId``. Blocking.
    """
    studies = AnnotationStudies(store)
    found = studies.load(study).state
    check_may_hand_in(found, command)
    plan, item = found.plan, found.plan.items[command.item]
    judged = episode or JudgedEpisode(read_history(store, item.episode))
    _check_quotes(judged, command.answers)
    _check_words(rubric_named(plan.rubric), command.answers)
    if not item.known:
        evaluation = _evaluation(store, plan, item, command, found, judged)
        command = replace(command, evaluation=evaluation)
        before = found.annotators[command.annotator].done.get(command.item)
        if before is not None and before.evaluation == evaluation:
            return found
    return studies.do(study, command)


def _evaluation(
    store: EventStore,
    plan: AnnotationPlanned,
    item: AnnotationItem,
    command: HandIn,
    study: Study,
    judged: JudgedEpisode,
) -> str:
    """Store the evaluation; its id, which is that of the one before where nothing differs."""
    judge = judge_of(plan, command.annotator)
    done = study.annotators[command.annotator].done.get(command.item)
    before = done.evaluation if done else ""
    scores = _scores(plan, judge, command.answers)
    row = queries.episode(store, item.episode)
    # Two items can be seats of one episode: each is an evaluation of its own.
    after = before or (f"seat {item.seat}" if item.seat is not None else "")
    while True:
        id_ = evaluation_id(item.episode, judge, after)
        events: list[Event] = [
            EvaluationStarted(
                episode=item.episode,
                upto=len(judged.events) - 1,
                judge=judge,
                judge_hash=judge_hash(judge),
                run=row.run,
                again_of=before,
            ),
            *scores,
            EvaluationEnded(
                scored=sum(isinstance(one, Scored) for one in scores),
                failed=0,
                abstained=sum(isinstance(one, ScoreAbstained) for one in scores),
                supersedes=before,
            ),
        ]
        if before and _said(store, before) == scores:
            return before
        try:
            store.append(stream_name("evaluation", id_), NEW, events, correlation=row.run)
        except Conflict:
            # It was stored, and the study was not told: the process ended in between.
            if _said(store, id_) == scores:
                return id_
            before = after = id_
            continue
        return id_


def _said(store: EventStore, evaluation: str) -> list[Event]:
    events = [event_of(one) for one in store.read(stream_name("evaluation", evaluation))]
    return [event for event in events if isinstance(event, Scored | ScoreAbstained)]


def _scores(
    plan: AnnotationPlanned, judge: JudgeSpec, answers: Sequence[SeatAnswer]
) -> list[Event]:
    found: list[Event] = [_score(answer) for answer in answers]
    rubric = rubric_named(plan.rubric)
    worked_out = judge.dimensions[len(plan.dimensions) :]
    for seat in dict.fromkeys(answer.seat for answer in answers):
        values = {
            one.dimension: one.value
            for one in answers
            if one.seat == seat and one.value is not None
        }
        found += [_worked_out(rubric, one, seat, values) for one in worked_out]
    return found


def _score(answer: SeatAnswer) -> Scored | ScoreAbstained:
    if answer.value is None:
        return ScoreAbstained(
            seat=answer.seat, dimension=answer.dimension, reason=answer.reason.strip()
        )
    return Scored(
        seat=answer.seat,
        dimension=answer.dimension,
        value=answer.value,
        reason=answer.reason.strip(),
        evidence=answer.evidence,
        quotes=answer.quotes,
    )


def _worked_out(
    rubric: Rubric, dimension: Dimension, seat: int, values: Mapping[str, float]
) -> Scored | ScoreAbstained:
    value = rubric.work_out(dimension, values) if rubric.work_out else None
    if value is None:
        why = "it is worked out of the others, of which one was not given"
        return ScoreAbstained(seat=seat, dimension=dimension.name, reason=why)
    why = "worked out of the others"
    return Scored(seat=seat, dimension=dimension.name, value=value, reason=why)


def _check_quotes(episode: JudgedEpisode, answers: Sequence[SeatAnswer]) -> None:
    """Raises ``AnnotationRefused`` where a quote does not stand in the event it is said to be
    from."""
    lines = {
        entry.number: _plain(f"{entry.line} {entry.text}") for entry in episode.account.entries
    }
    found = [
        AnswerFault(
            seat=one.seat,
            dimension=one.dimension,
            why="a quote does not stand in the transcript; pick it there again",
        )
        for one in answers
        if any(
            not any(_plain(quote) in lines.get(at, "") for at in one.evidence)
            for quote in one.quotes
        )
        or any(at not in lines for at in one.evidence)
    ]
    if found:
        raise AnnotationRefused("faulty", f"{len(found)} answers have to be mended", found)


def _check_words(rubric: Rubric, answers: Sequence[SeatAnswer]) -> None:
    """Raises ``AnnotationRefused`` where more than a word is given, or none is."""
    found = [
        AnswerFault(
            seat=one.seat,
            dimension=one.dimension,
            why=f"give one word, of at most {LONGEST_WORD} letters and without spaces",
        )
        for one in answers
        if one.dimension in rubric.words
        and (one.value != 1 or len(one.reason.split()) != 1 or len(one.reason) > LONGEST_WORD)
    ]
    if found:
        raise AnnotationRefused("faulty", f"{len(found)} answers have to be mended", found)


def _plain(text: str) -> str:
    return " ".join(text.split())
