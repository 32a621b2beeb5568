"""Histograms for what is observed several times a turn.

Those of prometheus_client take a lock twice and make seven calls for each value, a tenth of what
asking a model takes here. These are observed on one thread: the loop's.
"""

import time
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import accumulate
from math import inf

from prometheus_client import REGISTRY
from prometheus_client.core import HistogramMetricFamily
from prometheus_client.registry import Collector, CollectorRegistry
from prometheus_client.utils import floatToGoString


class Series:
    """The values under some labels."""

    __slots__ = ("bounds", "counts", "created", "total")

    def __init__(self, bounds: Sequence[float]) -> None:
        self.bounds = bounds
        self.counts = [0] * len(bounds)
        """Of the values in each bucket."""
        self.total = 0.0
        self.created = time.time()

    def observe(self, value: float) -> None:
        """One value more."""
        self.counts[bisect_left(self.bounds, value)] += 1
        self.total += value


class Histogram(Collector):
    """A family of them, shown as prometheus_client shows its own."""

    def __init__(
        self,
        name: str,
        documentation: str,
        labels: Sequence[str],
        *,
        buckets: Sequence[float],
        registry: CollectorRegistry = REGISTRY,
    ) -> None:
        self._family = name, documentation, tuple(labels)
        self._bounds = (*buckets, inf)
        self._named = [floatToGoString(bound) for bound in self._bounds]  # type: ignore[no-untyped-call]
        self._series: dict[tuple[str, ...], Series] = {}
        registry.register(self)

    def labels(self, *values: str) -> Series:
        """The one with these values of the labels."""
        if values not in self._series:
            self._series[values] = Series(self._bounds)
        return self._series[values]

    def collect(self) -> Iterator[HistogramMetricFamily]:
        """All values so far."""
        name, documentation, labels = self._family
        family = HistogramMetricFamily(name, documentation, labels=labels)
        for values, one in list(self._series.items()):
            upto = list(zip(self._named, map(float, accumulate(one.counts)), strict=True))
            family.add_metric(values, upto, one.total)
            named = dict(zip(labels, values, strict=True))
            family.add_sample(f"{name}_created", named, one.created)
        yield family
