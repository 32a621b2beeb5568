"""Scores what came of a game for each seat; no model is asked."""

from collections.abc import Iterator, Sequence

from actors.games.render import ending_text, role_title
from actors.games.setup import Deal
from actors.text.amounts import many
from evaluators.games.seat_results import GameResult, SeatResult, result_of
from evaluators.judges.judge_answer import Outcome
from evaluators.judges.judged_episode import History, JudgedEpisode
from events.evaluation import JudgeSpec, ScoreAbstained, Scored, ScoreFailed


def score(spec: JudgeSpec, episode: JudgedEpisode, past: Sequence[History]) -> Sequence[Outcome]:
    """All that the judge asks for, of each seat. Where the rules know no such thing, or the seat
    never voted, the judge abstains; a game that did not come to its end has failed scores."""
    del past
    if not isinstance(episode.started.setup, Deal):
        return ()
    result = result_of(episode.view)
    wanted = {one.name for one in spec.dimensions}
    if not result.ending:
        why = "the game did not come to its end"
        return [
            ScoreFailed(seat=seat.seat, dimension=name, error=why)
            for seat in result.seats
            for name in sorted(wanted)
        ]
    return [
        outcome
        for seat in result.seats
        for outcome in _outcomes(episode.started.setup, result, seat)
        if outcome.dimension in wanted
    ]


def _outcomes(deal: Deal, result: GameResult, seat: SeatResult) -> Iterator[Outcome]:
    def scored(
        name: str, value: float | bool | None, reason: str, evidence: Sequence[int] = ()
    ) -> Outcome:
        if value is None:
            why = f"it is no part of {deal.rules.title}"
            return ScoreAbstained(seat=seat.seat, dimension=name, reason=why)
        return Scored(
            seat=seat.seat,
            dimension=name,
            value=float(value),
            reason=reason,
            evidence=tuple(evidence),
        )

    title = role_title(deal, seat.role)
    yield scored("won", seat.won, f"as {title}. {ending_text(deal, result.ending)}")
    yield scored("payoff", seat.payoff, f"as {title}")
    yield scored("survived", seat.survived, "in the game at its end" if seat.survived else "out")
    votes = seat.votes
    if votes is not None and not votes:
        why = "the seat never voted"
        yield ScoreAbstained(seat=seat.seat, dimension="right_votes", reason=why)
    else:
        right = sum(vote.right for vote in votes or ())
        share = None if votes is None else right / len(votes)
        numbers = [vote.number for vote in votes or ()]
        reason = f"{right} of {len(numbers)} votes name a seat of another team"
        yield scored("right_votes", share, reason, numbers)
    length = f"of {many(result.turns, 'turn')} in {many(result.rounds, 'round')}"
    yield scored("turns", seat.turns, length)
    leaks = None if seat.leaks is None else len(seat.leaks)
    yield scored("leaks", leaks, "messages to all that give away what it hides", seat.leaks or ())
    yield scored("illegal", len(seat.failed), "answers that were no act", seat.failed)
