"""What the pages of catalogs show. Blocking."""

from collections.abc import Mapping, Sequence
from math import sqrt
from typing import Final

import msgspec
import numpy as np
from numpy.typing import NDArray

from actors.episodes.catalogs.entries import CatalogEntry
from evaluators.plugin import OVERALL
from evaluators.scores.dimensions import label
from evaluators.scores.score_columns import ScoreColumns, read_columns
from events.environments import environment_of_value
from gateway.pages.catalogs.reference_graph import Graph, Key, graphs, references
from gateway.services.catalogs.read_catalog import Placed, entries, facts, load
from gateway.services.catalogs.search_catalog import find_entry, search
from store.id_lookup import UnknownId
from store.log.event_store import EventStore
from store.read_model import queries

SHOWN: Final = 100
"""Things on one page of a list."""
RUNS: Final = 20
"""Runs whose scores are taken together: the newest."""
MOST_DRAWN: Final = 120
"""Things in a graph; of more a picture shows nothing."""
WIDTH: Final = 900
"""Of a picture, in its own units."""
_PAD_X, _PAD_Y = 80, 30


class Spot(msgspec.Struct, frozen=True, kw_only=True):
    """A thing in a picture."""

    id: str
    name: str
    x: float
    y: float
    seat: int
    """1 to 8: its colour."""


class PictureLine(msgspec.Struct, frozen=True, kw_only=True):
    """What is between two things in a picture."""

    key: Key
    title: str
    """What it is, and between whom."""
    x1: float
    y1: float
    x2: float
    y2: float


class Picture(msgspec.Struct, frozen=True, kw_only=True):
    """A graph, laid out."""

    graph: Graph
    height: float
    spots: tuple[Spot, ...]
    """None: there are too many."""
    lines: tuple[PictureLine, ...]


class Mean(msgspec.Struct, frozen=True, kw_only=True):
    """What judges gave over runs: one judge, one dimension."""

    judge: str
    kind: str
    dimension: str
    name: str
    """The dimension, as people read it."""
    mean: float
    low: float
    """The least value."""
    high: float
    seats: int
    episodes: int


class EntryRow(msgspec.Struct, frozen=True, kw_only=True):
    """A thing in a list."""

    entry: CatalogEntry
    excerpt: str
    """Where the words looked for stand; empty: in its title, or nothing was looked for."""
    means: tuple[Mean, ...]
    """Of each judge the main one."""


class Catalog(msgspec.Struct, frozen=True, kw_only=True):
    """A catalog, or what a search found in it."""

    name: str
    environment: str
    kinds: tuple[tuple[str, int], ...]
    """Each kind with how many there are; in a search, were found."""
    kind: str
    rows: tuple[EntryRow, ...]
    """Those of the kind on this page."""
    at: int
    """Place of the first, from 0."""
    total: int
    """How many of the kind there are."""
    pictures: tuple[Picture, ...]
    """Of the kind."""
    runs: tuple[str, ...]
    """Whose scores are taken together."""


class Thing(msgspec.Struct, frozen=True, kw_only=True):
    catalog: str
    environment: str
    entry: CatalogEntry
    facts: tuple[tuple[str, str], ...]
    names: tuple[CatalogEntry, ...]
    """What it names."""
    named_by: tuple[CatalogEntry, ...]
    """What names it."""
    means: tuple[Mean, ...]
    episodes: tuple[str, ...]
    """Some of those that were played of it."""
    runs: tuple[str, ...]


def runs_of(store: EventStore, catalog: str) -> tuple[str, ...]:
    """The newest runs of a catalog's tasks."""
    found = [row.id for row in reversed(queries.runs(store)) if row.catalog == catalog]
    return tuple(found[:RUNS])


def scores_of(store: EventStore, runs: Sequence[str]) -> ScoreColumns | None:
    """What judges gave in some runs; None: nothing."""
    columns = read_columns(store, *runs) if runs else None
    return columns if columns is not None and len(columns) else None


def catalog_of(
    store: EventStore, name: str, kind: str, words: str, at: int, columns: ScoreColumns | None
) -> Catalog:
    """A catalog's things of one kind (empty: the first), those that have the words. Raises
    ``UnknownId``."""
    catalog = load(store, name)
    whole = entries(catalog)
    hits = search(whole, words)
    counts: dict[str, int] = {}
    for hit in hits:
        counts[hit.entry.kind] = counts.get(hit.entry.kind, 0) + 1
    chosen = kind if kind in counts else next(iter(counts), "")
    mine = [hit for hit in hits if hit.entry.kind == chosen]
    at = max(0, min(at, (len(mine) - 1) // SHOWN * SHOWN)) if mine else 0
    return Catalog(
        name=catalog.name,
        environment=environment_of_value(catalog),
        kinds=tuple(counts.items()),
        kind=chosen,
        rows=tuple(
            EntryRow(
                entry=hit.entry,
                excerpt=hit.excerpt if hit.excerpt not in (hit.entry.title, hit.entry.id) else "",
                means=tuple(_main(_means(columns, hit.entry, catalog.name))),
            )
            for hit in mine[at : at + SHOWN]
        ),
        at=at,
        total=len(mine),
        pictures=tuple(_picture(one) for one in graphs(whole) if chosen in (one.kind, one.between))
        if not words
        else (),
        runs=runs_of(store, catalog.name),
    )


def thing_of(
    store: EventStore, name: str, kind: str, id_: str, columns: ScoreColumns | None
) -> Thing:
    """One thing by its kind and id. Raises ``UnknownId``."""
    catalog = load(store, name)
    whole = entries(catalog)
    known = {(entry.kind, entry.id): entry for entry in whole}
    entry = known.get((kind, id_))
    if entry is None:
        entry = find_entry([one for one in whole if one.kind == kind] or whole, id_)
        raise UnknownId(f"{kind} in catalog {name}", id_, [entry.id])
    key = (entry.kind, entry.id)
    rows = _rows(columns, entry, catalog.name)
    return Thing(
        catalog=catalog.name,
        environment=environment_of_value(catalog),
        entry=entry,
        facts=tuple(facts(Placed(catalog, entry))),
        names=tuple(known[one] for one in references(entry, known)),
        named_by=tuple(one for one in whole if key in references(one, known)),
        means=tuple(_means(columns, entry, catalog.name)),
        episodes=rows.episode.there()[:40] if rows is not None else (),
        runs=runs_of(store, catalog.name),
    )


def _rows(columns: ScoreColumns | None, entry: CatalogEntry, catalog: str) -> ScoreColumns | None:
    """The scores of what was played of a thing: a task, or a scenario."""
    if columns is None:
        return None
    mine = columns.catalog.among(catalog) & (
        columns.task.among(entry.id) | columns.scenario.among(entry.id)
    )
    return columns.where(mine) if mine.any() else None


def _means(columns: ScoreColumns | None, entry: CatalogEntry, catalog: str) -> list[Mean]:
    rows = _rows(columns, entry, catalog)
    if rows is None:
        return []
    found = []
    for judge in rows.judges:
        mine = rows.of(judge.hash)
        for dimension in mine.dimensions():
            some = mine.where(mine.dimension.among(dimension) & mine.scored & mine.clean)
            if len(some):
                found.append(
                    Mean(
                        judge=judge.label,
                        kind=rows.kinds[judge.hash],
                        dimension=dimension,
                        name=label(dimension),
                        mean=float(some.value.mean()),
                        low=float(some.value.min()),
                        high=float(some.value.max()),
                        seats=len(np.unique(some.seats)),
                        episodes=some.episode.different,
                    )
                )
    return found


def _main(means: Sequence[Mean]) -> list[Mean]:
    """Of each judge the overall score, else the first; people and rules are left to the thing's own
    page."""
    found: dict[str, Mean] = {}
    for one in means:
        if one.kind in ("person", "rule"):
            continue
        if one.judge not in found or one.dimension == OVERALL:
            found[one.judge] = one
    return list(found.values())


def _picture(graph: Graph) -> Picture:
    ids = sorted(graph.names, key=lambda id_: (graph.names[id_], id_))
    if len(ids) > MOST_DRAWN:
        return Picture(graph=graph, height=0, spots=(), lines=())
    of: Mapping[str, int] = {id_: place for place, id_ in enumerate(ids)}
    at = places(len(ids), [(of[a], of[b]) for a, b in (edge.ends for edge in graph.edges)])
    height = max(220.0, min(900.0, 26.0 * len(ids)))

    def where(id_: str) -> tuple[float, float]:
        x, y = at[of[id_]]
        return (
            round(_PAD_X + float(x) * (WIDTH - 2 * _PAD_X), 1),
            round(_PAD_Y + float(y) * (height - 2 * _PAD_Y), 1),
        )

    spots = []
    for place, id_ in enumerate(ids):
        x, y = where(id_)
        spots.append(Spot(id=id_, name=graph.names[id_], x=x, y=y, seat=place % 8 + 1))
    lines = []
    for edge in graph.edges:
        (x1, y1), (x2, y2) = where(edge.ends[0]), where(edge.ends[1])
        who = " and ".join(graph.names[end] for end in edge.ends)
        lines.append(
            PictureLine(key=edge.entry, title=f"{who}: {edge.title}", x1=x1, y1=y1, x2=x2, y2=y2)
        )
    return Picture(graph=graph, height=height, spots=tuple(spots), lines=tuple(lines))


STEPS: Final = 250
"""After so many nothing moves any more."""


def places(count: int, edges: Sequence[tuple[int, int]]) -> NDArray[np.float64]:
    """A row a thing: across and down, each from 0 to 1."""
    if count == 0:
        return np.zeros((0, 2))
    angles = 2 * np.pi * np.arange(count) / count
    at = 0.5 + 0.45 * np.column_stack((np.cos(angles), np.sin(angles)))
    if count < 3:
        return np.column_stack((np.linspace(0.25, 0.75, count), np.full(count, 0.5)))
    ideal = 1 / sqrt(count)
    pairs = np.array(sorted({(min(e), max(e)) for e in edges if e[0] != e[1]}), dtype=int)
    pairs = pairs.reshape(-1, 2)
    for step in range(STEPS):
        apart = at[:, None, :] - at[None, :, :]
        distance = np.maximum(np.sqrt((apart**2).sum(axis=2)), 1e-6)
        force = (apart * (ideal**2 / distance**2)[:, :, None]).sum(axis=1)
        if len(pairs):
            along = at[pairs[:, 0]] - at[pairs[:, 1]]
            pull = along * (np.sqrt((along**2).sum(axis=1)) / ideal)[:, None]
            np.add.at(force, pairs[:, 0], -pull)
            np.add.at(force, pairs[:, 1], pull)
        # What nothing holds would drift away for ever.
        force += (0.5 - at) * 0.6
        size = np.maximum(np.sqrt((force**2).sum(axis=1)), 1e-9)
        at = at + force / size[:, None] * np.minimum(size, 0.1 * (1 - step / STEPS))[:, None]
    low, high = at.min(axis=0), at.max(axis=0)
    found: NDArray[np.float64] = (at - low) / np.maximum(high - low, 1e-9)
    return found
