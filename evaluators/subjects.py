"""Scores put together: one subject is one seat of one episode as one judge saw it."""

from collections.abc import Iterable, Sequence

import msgspec
from rapidfuzz import process

from evaluators import sotopia_eval
from evaluators.dimensions import in_order
from store.records import ScoreRow


class Judged(msgspec.Struct, frozen=True, kw_only=True):
    """A judge that scored something."""

    name: str
    hash: str
    label: str
    """The name, with the beginning of the hash where another judge has the same name."""


class Subject(msgspec.Struct, kw_only=True):
    """One seat of one episode and what one judge said of it."""

    judge: str
    """The judge's hash."""
    episode: str
    seat: int
    mind: str
    character: str
    values: dict[str, float] = {}
    """The scores that are there, by dimension; ``overall`` among them where all seven are."""
    failed: dict[str, str] = {}
    """Dimensions that could not be scored, and why."""
    abstained: dict[str, str] = {}
    """Dimensions the judge declined to score, and why."""

    @property
    def asked(self) -> set[str]:
        """The dimensions the judge was to score."""
        return {*self.values, *self.failed, *self.abstained} - {sotopia_eval.OVERALL}

    @property
    def overall_asked(self) -> bool:
        """Whether the judge was to score all seven, so that there could be an overall score."""
        return sotopia_eval.BY_NAME.keys() <= self.asked


class UnknownJudgeOfRun(LookupError):
    """No scores by a judge of that name, or by more than one."""

    def __init__(self, given: str, known: Sequence[str], *, several: bool = False) -> None:
        near = process.extractOne(given, known, score_cutoff=50) if known else None
        if several:
            why = f"several judges fit {given!r}; name one by its hash: {', '.join(known)}"
        elif near:
            why = f"no scores by a judge {given!r} here; did you mean {near[0]!r}?"
        else:
            have = ", ".join(known) or "none"
            why = f"no scores by a judge {given!r} here; there are scores by: {have}"
        super().__init__(why)
        self.given, self.known, self.nearest = given, list(known), [near[0]] if near else []


def judges(scores: Iterable[ScoreRow]) -> list[Judged]:
    """The judges behind some scores, by name."""
    names = {row.judge_hash: row.judge for row in scores}
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


def subjects(scores: Iterable[ScoreRow]) -> list[Subject]:
    """The scores by judge, episode and seat, in the order they come.

    Where one judge (same hash) scored a seat twice, the later row counts.
    """
    found: dict[tuple[str, str, int], Subject] = {}
    for row in scores:
        key = (row.judge_hash, row.episode, row.seat)
        subject = found.get(key)
        if subject is None:
            subject = found[key] = Subject(
                judge=row.judge_hash,
                episode=row.episode,
                seat=row.seat,
                mind=row.mind,
                character=row.character,
            )
        _take(subject, row)
    for subject in found.values():
        overall = sotopia_eval.overall(subject.values)
        if overall is not None:
            subject.values[sotopia_eval.OVERALL] = overall
    return list(found.values())


def dimensions(found: Iterable[Subject]) -> list[str]:
    """The dimensions that were scored, in the order of ``evaluators.dimensions``."""
    asked: set[str] = set()
    with_overall = False
    for subject in found:
        asked |= subject.asked
        with_overall = with_overall or subject.overall_asked
    return in_order([*asked, *([sotopia_eval.OVERALL] if with_overall else [])])


def _take(subject: Subject, row: ScoreRow) -> None:
    subject.values.pop(row.dimension, None)
    subject.failed.pop(row.dimension, None)
    subject.abstained.pop(row.dimension, None)
    if row.status == "scored" and row.value is not None:
        subject.values[row.dimension] = row.value
    elif row.status == "abstained":
        subject.abstained[row.dimension] = row.reason
    else:
        subject.failed[row.dimension] = row.reason


def _label(name: str, hash_: str, taken: Sequence[str]) -> str:
    return f"{name} ({hash_[:6]})" if taken.count(name) > 1 else name
