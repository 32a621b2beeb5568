"""How far several raters agree on categories (Fleiss 1971, "Measuring nominal scale agreement among
many raters", Psychological Bulletin 76, 378-382)."""

from collections.abc import Sequence

import numpy as np

from evaluators.statistics.estimates import Estimate


def fleiss_kappa(counts: Sequence[Sequence[int]]) -> Estimate:
    """Fleiss' kappa of items rated by the same number of raters: a row an item, how many raters
    chose each category. ``clusters`` is the number of items; there is no interval.

    Raises ``ValueError`` where the rows have not all the same sum.
    """
    items = len(counts)
    if not items:
        return Estimate(why="nothing was rated")
    table = np.asarray(counts)
    raters = {int(total) for total in table.sum(axis=1)}
    if len(raters) > 1:
        raise ValueError(f"the items have {min(raters)} to {max(raters)} ratings, not all as many")
    if raters.pop() < 2:
        return Estimate(why="one rater; agreement needs two", clusters=items)
    if np.count_nonzero(table.sum(axis=0)) < 2:
        return Estimate(why=f"all raters said the same of all {items} items", clusters=items)
    from statsmodels.stats.inter_rater import fleiss_kappa as kappa_of

    return Estimate(value=float(kappa_of(table)), why="no interval is given", clusters=items)
