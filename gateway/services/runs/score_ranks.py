"""A run's episodes by what one judge gave them in one dimension."""

from collections.abc import Collection

import numpy as np
from numpy.typing import NDArray

from evaluators.scores.episode_means import MeansOfRun


class Ranks:
    """Episodes with their means over seats, to be put in order and cut to a range."""

    def __init__(self, found: MeansOfRun) -> None:
        self.ids = np.array(found.episodes, dtype=object)
        # None becomes not a number.
        self.means: NDArray[np.float64] = np.array(found.means, dtype=np.float64)
        self.missing: NDArray[np.bool_] = np.array(found.missing, dtype=np.bool_)
        (self._none,) = np.nonzero(np.isnan(self.means))
        (there,) = np.nonzero(~np.isnan(self.means))
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
