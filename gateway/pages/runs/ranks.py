"""A run's episodes by what one judge gave them in one dimension."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from evaluators.dimensions import optional, overall_of
from evaluators.judging import OVERALL
from store.log import EventStore
from store.score_ranks import EpisodeMean, episode_means, seat_values

_NOTHING: Final = EpisodeMean("", None, 0, 0, 0)


class Ranks:
    """Episodes with their means over seats, to be put in order and cut to a range."""

    def __init__(self, found: Iterable[EpisodeMean], *, declined_counts: bool = True) -> None:
        """``found``: of one episode the last counts that has a value. ``declined_counts``: what a
        judge declined is missing; else nothing was asked there."""
        kept: dict[str, EpisodeMean] = {}
        for one in found:
            if one.mean is not None or kept.get(one.episode, _NOTHING).mean is None:
                kept[one.episode] = one
        self.ids = np.array(list(kept), dtype=object)
        self.means: NDArray[np.float64] = np.array(
            [np.nan if one.mean is None else one.mean for one in kept.values()], dtype=np.float64
        )
        self.missing: NDArray[np.bool_] = np.array(
            [bool(one.failed or (declined_counts and one.abstained)) for one in kept.values()],
            dtype=np.bool_,
        )
        by_id = np.argsort(self.ids.astype(str), kind="stable")
        there = by_id[~np.isnan(self.means[by_id])]
        self._none = by_id[np.isnan(self.means[by_id])]
        self._rising = there[np.argsort(self.means[there], kind="stable")]
        self._falling = there[np.argsort(-self.means[there], kind="stable")]

    def order(
        self,
        *,
        descending: bool = False,
        low: float | None = None,
        high: float | None = None,
        missing: bool = False,
        among: Collection[str] | None = None,
    ) -> list[str]:
        """The episodes with a mean, in order, then those without one. ``low``, ``high``: only those
        with a mean in this range, ends included; ``missing``: only those of which a score is
        missing; ``among``: only these, and those of them that were not read come last."""
        places = self._falling if descending else self._rising
        if low is not None or high is not None:
            values = self.means[places]
            within = np.ones(len(places), dtype=np.bool_)
            if low is not None:
                within &= values >= low
            if high is not None:
                within &= values <= high
            places = places[within]
        else:
            places = np.concatenate((places, self._none))
        if missing:
            places = places[self.missing[places]]
        ids: list[str] = self.ids[places].tolist()
        if among is None:
            return ids
        some = among if isinstance(among, frozenset) else frozenset(among)
        found = [id_ for id_ in ids if id_ in some]
        if low is None and high is None and not missing and len(found) < len(some):
            found += sorted(some - frozenset(found))
        return found


def ranks(store: EventStore, run: str, judge: str, dimension: str, asked: Sequence[str]) -> Ranks:
    """Of a run (id in full) by a judge (hash). ``asked``: all dimensions that the judge declares,
    by which an overall score is worked out. Blocking; seconds for a run of 100,000 episodes."""
    if dimension != OVERALL:
        found: Iterable[EpisodeMean] = episode_means(store, run, judge, dimension)
        return Ranks(found, declined_counts=dimension not in optional())
    return Ranks(_overall(store, run, judge, asked))


def _overall(
    store: EventStore, run: str, judge: str, asked: Sequence[str]
) -> Iterator[EpisodeMean]:
    overall = overall_of(asked)
    if overall is None:
        return
    names = [dimension.name for dimension in overall.dimensions]
    seats: dict[tuple[str, str], list[tuple[float | None, int]]] = {}
    for one in seat_values(store, run, judge, names):
        there = {n: v for n, v in zip(names, one.values, strict=True) if v is not None}
        seats.setdefault((one.episode, one.evaluation), []).append(
            (overall.value(there), one.failed)
        )
    for (episode, _), found in seats.items():
        values = [value for value, _ in found if value is not None]
        failed = sum(value is None and gone > 0 for value, gone in found)
        yield EpisodeMean(
            episode=episode,
            mean=sum(values) / len(values) if values else None,
            scored=len(values),
            failed=failed,
            abstained=len(found) - len(values) - failed,
        )
