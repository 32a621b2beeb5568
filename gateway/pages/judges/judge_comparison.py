"""What the page *Judges* shows of a run and two of its judges. Blocking."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

import msgspec

from evaluators.agreement.judge_agreement import Apart, Comparison, compare, furthest, paired
from evaluators.agreement.limits_of_agreement import Limits, limits_of
from evaluators.agreement.people_agreement import PEOPLE, has_people, with_people
from evaluators.scores.dimensions import label
from evaluators.scores.scales import ENDLESS, scale_of
from evaluators.scores.score_columns import ScoreColumns, read_columns
from evaluators.scores.seat_scores import Judged, UnknownJudgeOfRun, find_judge
from evaluators.statistics.populations import Population
from evaluators.tables.agreement_tables import agreement_tables
from evaluators.tables.people_tables import against_table, among_tables, annotators_table
from evaluators.tables.plain_tables import PlainTable
from gateway.pages.judges.dot_plots import DotPlot, apart, beside
from gateway.services.annotations.agreement import PeopleAgreement, agreement_in
from store.log.event_store import EventStore
from store.read_model import queries
from store.read_model.records import ScoreRow

FURTHEST: Final = 24
"""Places where two judges differ most."""


class Charts(msgspec.Struct, frozen=True, kw_only=True):
    """One dimension as pictures."""

    dimension: str
    name: str
    """As people read it."""
    pairs: int
    beside: DotPlot
    """One judge against the other."""
    apart: DotPlot
    """Differences against means."""
    limits: Limits | None
    """The mean difference and the limits of agreement."""


class Voice(msgspec.Struct, frozen=True, kw_only=True):
    """What a judge said of a seat."""

    judge: str
    value: float | None
    reason: str
    evidence: tuple[int, ...]
    quotes: tuple[str, ...]


class Difference(msgspec.Struct, frozen=True, kw_only=True):
    """A place where two judges are far apart, and what they said there."""

    place: Apart
    name: str
    """The dimension, as people read it."""
    a: tuple[Voice, ...]
    """Several where the judge is people."""
    b: tuple[Voice, ...]

    @property
    def event(self) -> int | None:
        """The first event that one of them rests on; None: neither says."""
        numbers = [n for one in (*self.a, *self.b) for n in one.evidence]
        return min(numbers) if numbers else None


class JudgeComparison(msgspec.Struct, frozen=True, kw_only=True):
    """Two judges of a run."""

    comparison: Comparison
    kinds: Mapping[str, str]
    tables: tuple[PlainTable, ...]
    charts: tuple[Charts, ...]
    differences: tuple[Difference, ...]


class People(msgspec.Struct, frozen=True, kw_only=True):
    """What people said of a run."""

    found: PeopleAgreement
    tables: tuple[PlainTable, ...]


class Judges(msgspec.Struct, frozen=True, kw_only=True):
    """All that the page shows of a run."""

    run: str
    name: str
    judges: tuple[Judged, ...]
    """People together first, where there are any; then by name."""
    kinds: Mapping[str, str]
    """By a judge's hash."""
    a: str
    """The first judge's hash; empty: there are no two."""
    b: str
    beside: JudgeComparison | None
    people: People | None


def judges_of(
    store: EventStore, run: str, a: str = "", b: str = "", population: Population | None = None
) -> Judges:
    """A run (its id in full) and two of its judges: those that are named, by name or hash; else
    people and a judge, or the first two. Raises ``UnknownJudgeOfRun``."""
    columns = read_columns(store, run)
    whole = with_people(columns)
    known = sorted(whole.judges, key=lambda one: (one.hash != PEOPLE, one.name, one.hash))
    chosen = _chosen(whole, known, a, b)
    beside = _beside(store, whole, *chosen, population) if chosen else None
    return Judges(
        run=run,
        name=queries.named_run(store, run)[1],
        judges=tuple(known),
        kinds=whole.kinds,
        a=chosen[0] if chosen else "",
        b=chosen[1] if chosen else "",
        beside=beside,
        people=_people(columns, chosen, population) if has_people(columns) else None,
    )


def _chosen(
    columns: ScoreColumns, known: Sequence[Judged], a: str, b: str
) -> tuple[str, str] | None:
    if len(known) < 2:
        if a or b:
            find_judge(known, a or b)
        return None
    first = find_judge(known, a).hash if a else ""
    second = find_judge(known, b).hash if b else ""
    if first and first == second:
        raise UnknownJudgeOfRun(b, [one.label for one in known if one.hash != first])
    others = [one.hash for one in known if one.hash not in (first, second)]
    # A judge beside people says more than one annotator beside people.
    others.sort(key=lambda hash_: columns.kinds[hash_] == "person" and hash_ != PEOPLE)
    shared = [one for one in others if _share(columns, first or second, one)] or others
    if first and second:
        return first, second
    if second:
        return shared[0], second
    if first:
        return first, shared[0]
    return shared[0], next(
        (one for one in shared[1:] if _share(columns, shared[0], one)), shared[1]
    )


def _share(columns: ScoreColumns, a: str, b: str) -> bool:
    """Whether two judges scored some dimension both."""
    return not a or bool(set(columns.of(a).dimensions()) & set(columns.of(b).dimensions()))


def _beside(
    store: EventStore, columns: ScoreColumns, a: str, b: str, population: Population | None
) -> JudgeComparison:
    found = compare(columns, a, b, population)
    charts = [_charts(columns, a, b, row.dimension) for row in found.dimensions]
    return JudgeComparison(
        comparison=found,
        kinds=columns.kinds,
        tables=tuple(agreement_tables(found)),
        charts=tuple(one for one in charts if one),
        differences=tuple(_differences(store, columns, a, b)),
    )


def _charts(columns: ScoreColumns, a: str, b: str, dimension: str) -> Charts | None:
    pairs = paired(columns, a, b, dimension)
    scale = scale_of(columns, dimension)
    if not len(pairs) or scale == ENDLESS:
        return None
    name = label(dimension)
    return Charts(
        dimension=dimension,
        name=name,
        pairs=len(pairs),
        beside=beside(name, pairs, scale),
        apart=apart(name, pairs, scale),
        limits=limits_of(pairs),
    )


def _differences(store: EventStore, columns: ScoreColumns, a: str, b: str) -> list[Difference]:
    places = furthest(columns, a, b, FURTHEST)
    rows: dict[tuple[str, int, str], list[ScoreRow]] = defaultdict(list)
    for row in queries.scores_of(store, list(dict.fromkeys(one.episode for one in places))):
        rows[row.episode, row.seat, row.dimension].append(row)

    def voices(place: Apart, judge: str) -> tuple[Voice, ...]:
        return tuple(
            Voice(
                judge=row.judge,
                value=row.value,
                reason=row.reason,
                evidence=tuple(row.evidence),
                quotes=tuple(row.quotes),
            )
            for row in rows[place.episode, place.seat, place.dimension]
            if row.judge_hash == judge or (judge == PEOPLE and row.judge_kind == "person")
        )

    return [
        Difference(place=one, name=label(one.dimension), a=voices(one, a), b=voices(one, b))
        for one in places
    ]


def _people(
    columns: ScoreColumns, chosen: tuple[str, str] | None, population: Population | None
) -> People:
    beside = [
        judge for judge in (chosen or ()) if judge != PEOPLE and columns.kinds[judge] != "person"
    ]
    found = agreement_in(columns, (), beside, population)
    tables: list[PlainTable] = among_tables(found.among, found.population)
    tables += [against_table(one) for one in found.against]
    tables.append(annotators_table(found.annotators))
    return People(found=found, tables=tuple(tables))


def as_tables(found: Judges) -> list[PlainTable]:
    """All tables of the page."""
    return [
        *(found.beside.tables if found.beside else ()),
        *(found.people.tables if found.people else ()),
    ]


class ScoredRun(NamedTuple):
    id: str
    name: str
    judges: int
    """By how many; all people count as one."""


def runs_with_scores(store: EventStore) -> list[ScoredRun]:
    """The runs that were scored, the newest first."""
    judges: dict[str, set[str]] = {}
    for row in queries.evaluations(store):
        judge = PEOPLE if row.judge_kind == "person" else row.judge_hash
        judges.setdefault(row.run, set()).add(judge)
    return [
        ScoredRun(row.id, row.name, len(judges[row.id]))
        for row in reversed(queries.runs(store))
        if row.id in judges
    ]
