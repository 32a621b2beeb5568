"""Scores put together by seat, and the judges behind them."""

from collections.abc import Iterable, Mapping, Sequence

import msgspec

from evaluators.plugin import OVERALL, Overall
from evaluators.registry import near
from evaluators.scores.dimensions import overall_of, shown
from events.untrusted.safe_text import shortened
from store.read_model.records import ScoreRow


class Judged(msgspec.Struct, frozen=True, kw_only=True):
    """A judge that scored something."""

    name: str
    hash: str
    label: str
    """The name, with the beginning of the hash where another judge has the same name."""


class SeatScores(msgspec.Struct, kw_only=True):
    """One seat of one episode and what one judge said of it."""

    judge: str
    """The judge's hash."""
    episode: str
    seat: int
    mind: str
    character: str
    values: dict[str, float] = {}
    """The scores that are there, by dimension; ``overall`` where all that it needs are."""
    failed: dict[str, str] = {}
    """Dimensions that could not be scored, and why."""
    abstained: dict[str, str] = {}
    """Dimensions the judge declined to score, and why."""

    @property
    def asked(self) -> set[str]:
        """The dimensions the judge was to score."""
        return {*self.values, *self.failed, *self.abstained} - {OVERALL}

    @property
    def overall(self) -> Overall | None:
        """The overall score that there could be, by what the judge was to score; None: none."""
        return overall_of(self.asked)


class UnknownJudgeOfRun(LookupError):
    """No scores by a judge of that name, or by more than one."""

    def __init__(self, given: str, known: Sequence[str], *, several: bool = False) -> None:
        meant = near(given, known)
        if several:
            why = (
                f"several judges fit {shortened(given)!r}; name one by its hash: {', '.join(known)}"
            )
        elif meant:
            why = f"no scores by a judge {shortened(given)!r} here; did you mean {meant!r}?"
        else:
            have = ", ".join(known) or "none"
            why = f"no scores by a judge {shortened(given)!r} here; there are scores by: {have}"
        super().__init__(why)
        self.given, self.known, self.nearest = given, list(known), [meant] if meant else []
        self.several = several


def judges(scores: Iterable[ScoreRow]) -> list[Judged]:
    """The judges behind some scores, by name."""
    return judged_of({row.judge_hash: row.judge for row in scores})


def judged_of(names: Mapping[str, str]) -> list[Judged]:
    """The judges with these names by their hashes, by name."""
    taken = list(names.values())
    return [
        Judged(name=name, hash=hash_, label=_label(name, hash_, taken))
        for hash_, name in sorted(names.items(), key=lambda item: (item[1], item[0]))
    ]


def find_judge(known: Sequence[Judged], given: str) -> Judged:
    """The judge with that name, label, hash or beginning of a hash.

    Raises ``UnknownJudgeOfRun`` where none or several fit.
    """
    for fits in (
        [judge for judge in known if given in (judge.hash, judge.label)],
        [judge for judge in known if judge.name == given],
        [judge for judge in known if len(given) >= 4 and judge.hash.startswith(given)],
    ):
        if len(fits) == 1:
            return fits[0]
        if fits:
            raise UnknownJudgeOfRun(given, [judge.label for judge in fits], several=True)
    raise UnknownJudgeOfRun(given, [judge.label for judge in known])


def seat_scores(scores: Iterable[ScoreRow]) -> list[SeatScores]:
    """The scores by judge, episode and seat, in the order they come.

    Where one judge (same hash) scored a seat twice, the later row counts.
    """
    found: dict[tuple[str, str, int], SeatScores] = {}
    for row in scores:
        key = (row.judge_hash, row.episode, row.seat)
        seat = found.get(key)
        if seat is None:
            seat = found[key] = SeatScores(
                judge=row.judge_hash,
                episode=row.episode,
                seat=row.seat,
                mind=row.mind,
                character=row.character,
            )
        _take(seat, row)
    for seat in found.values():
        overall = seat.overall
        value = overall.value(seat.values) if overall else None
        if value is not None:
            seat.values[OVERALL] = value
    return list(found.values())


def dimensions(found: Iterable[SeatScores]) -> list[str]:
    """The dimensions that were scored, in the order of ``evaluators.scores.dimensions``."""
    asked: set[str] = set()
    for seat in found:
        asked |= seat.asked
        if seat.overall:
            asked.add(OVERALL)
    return shown(asked)


def _take(seat: SeatScores, row: ScoreRow) -> None:
    seat.values.pop(row.dimension, None)
    seat.failed.pop(row.dimension, None)
    seat.abstained.pop(row.dimension, None)
    if row.status == "scored" and row.value is not None:
        seat.values[row.dimension] = row.value
    elif row.status == "abstained":
        seat.abstained[row.dimension] = row.reason
    else:
        seat.failed[row.dimension] = row.reason


def _label(name: str, hash_: str, taken: Sequence[str]) -> str:
    return f"{name} ({hash_[:6]})" if taken.count(name) > 1 else name
