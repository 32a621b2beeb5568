"""Do samples of one kind lie together among a model's hidden states (SocialEval, Figure 5)?"""

from collections import Counter
from collections.abc import Sequence
from typing import Any, Final

import msgspec
import numpy as np
from numpy.typing import NDArray

Points = NDArray[np.float32]
NEIGHBOURS: Final = 10
PERPLEXITY: Final = 30.0
FEWEST: Final = 5
"""Points; of fewer t-SNE makes no picture."""


class ClusterCohesion(msgspec.Struct, frozen=True):
    """How much points of one kind lie together."""

    points: int
    kinds: int
    silhouette: float | None
    """-1 to 1: how much nearer others of the same kind are than the nearest other kind, Euclidean
    distance. None: there are not at least two kinds, and more points than kinds."""
    purity: float | None
    """0 to 1: the share of the nearest neighbours that are of the same kind. None: one point."""
    by_chance: float | None
    """The purity to expect where kinds are dealt out at random."""
    neighbours: int
    """How many of the nearest were looked at: ten, or all there are."""


def plane(points: Points, seed: int | None = None) -> Points | None:
    """The points in a plane, by t-SNE, which begins with their principal components, or with places
    drawn by a seed. None: they are too few, or all the same."""
    from sklearn.manifold import TSNE
    from threadpoolctl import threadpool_limits

    if len(points) < FEWEST or not np.ptp(points, axis=0).any():
        return None
    tsne = TSNE(
        n_components=2,
        perplexity=min(PERPLEXITY, (len(points) - 1) / 3),
        init="pca" if seed is None and points.shape[1] > 1 else "random",
        random_state=seed or 0,
    )
    # Several threads add up in another order, and t-SNE makes another picture of that.
    with threadpool_limits(1):
        found: Points = tsne.fit_transform(points)
    return found


def together(points: Points, kinds: Sequence[str]) -> ClusterCohesion:
    """Silhouette and purity of points, one kind each."""
    from sklearn.metrics import silhouette_score
    from sklearn.neighbors import NearestNeighbors

    counts, number = Counter(kinds), len(points)
    labels = np.asarray(kinds)
    silhouette = None
    if 2 <= len(counts) < number:
        silhouette = float(silhouette_score(points, labels))
    near = min(NEIGHBOURS, number - 1)
    purity = by_chance = None
    if near > 0:
        search: Any = NearestNeighbors(n_neighbors=near).fit(points)
        # Asked without points of its own: then none is its own neighbour.
        places = search.kneighbors(return_distance=False)
        purity = float((labels[places] == labels[:, None]).mean())
        pairs = sum(count * (count - 1) for count in counts.values())
        by_chance = pairs / (number * (number - 1))
    return ClusterCohesion(number, len(counts), silhouette, purity, by_chance, max(near, 0))
