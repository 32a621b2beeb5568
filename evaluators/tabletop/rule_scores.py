"""Scores what players have learned by the terms of the key points; no model is asked."""

from collections.abc import Iterator, Sequence
from typing import Final

from actors.tabletop.key_points import points_in
from actors.tabletop.setup import Session
from actors.tabletop.sight import AnswerSeen, MoveSeen, TableView
from evaluators.judges.judge_answer import Outcome
from evaluators.judges.judged_episode import History, JudgedEpisode
from evaluators.tabletop.information import (
    answers_of,
    losses,
    precision,
    questions_of,
    uttered_points,
)
from events.evaluation import JudgeSpec, ScoreAbstained, Scored, ScoreFailed

_NPC: Final = "the non-player character is asked nothing"
_NOT_ASKED: Final = "the player was not asked before the first turn"
_OF_LOSSES: Final = ("not_kept", "not_told", "not_asked")


def score(spec: JudgeSpec, episode: JudgedEpisode, past: Sequence[History]) -> Sequence[Outcome]:
    """Each player's share of the key points, and where the rest went; nothing of sessions of the
    kind intention. An answer that could not be read is a failed score, never 0."""
    del past
    setup = episode.started.setup
    if not isinstance(setup, Session) or setup.sheet is None:
        return ()
    return list(_scores(spec, setup, episode.view))


def _scores(spec: JudgeSpec, session: Session, view: TableView) -> Iterator[Outcome]:
    sheet = session.sheet
    assert sheet is not None, "sessions without are not scored"
    moves = [one for one in view.noticed if isinstance(one, MoveSeen)]
    told = [one for one in view.noticed if isinstance(one, AnswerSeen)]
    out = uttered_points(session, sheet, moves)
    asked, k = questions_of(session, moves), len(sheet.points)
    after, before = answers_of(told, "after"), answers_of(told, "before")
    for seat in range(len(session.characters)):
        if seat == session.players:
            for dimension in spec.dimensions:
                yield ScoreAbstained(seat=seat, dimension=dimension.name, reason=_NPC)
            continue
        first = before.get(seat)
        if first is None:
            yield ScoreAbstained(seat=seat, dimension="guessed", reason=_NOT_ASKED)
        else:
            yield _share(seat, "guessed", first, points_in(first.text, sheet.points), k)
        answer = after.get(seat)
        if answer is None or answer.failed:
            why = f"no answer: {answer.failed}" if answer else "the session did not come to its end"
            for name in ("learned", *_OF_LOSSES):
                yield ScoreFailed(seat=seat, dimension=name, error=why)
            continue
        kept = points_in(answer.text, sheet.points)
        yield _share(seat, "learned", answer, kept, k)
        lost = losses(k, kept, (one.point for one in out), asked)
        evidence = tuple(one.number for one in out)
        when = ", ".join(f"{one.point + 1} in turn {one.turn}" for one in out) or "none"
        for name, count in zip(_OF_LOSSES, lost[1:], strict=True):
            yield Scored(
                seat=seat,
                dimension=name,
                value=precision(count, k),
                reason=f"{count} of {k}; key points came out: {when}; {asked} questions were asked",
                evidence=evidence,
            )


def _share(seat: int, name: str, answer: AnswerSeen, found: Sequence[int], k: int) -> Outcome:
    if answer.failed:
        return ScoreFailed(seat=seat, dimension=name, error=f"no answer: {answer.failed}")
    points = ", ".join(str(one + 1) for one in found) or "none"
    return Scored(
        seat=seat,
        dimension=name,
        value=precision(len(found), k),
        reason=f"{len(found)} of {k}: key points {points}",
        evidence=(answer.number,),
    )
