"""How far people agree with each other and judges with them, over runs."""

from collections.abc import Sequence

import msgspec

from evaluators.agreement.people_agreement import (
    AmongPeople,
    JudgeAndPeople,
    OfAnnotator,
    against_people,
    among_people,
    annotators,
)
from evaluators.registry import abbreviation
from evaluators.scores.score_columns import ScoreColumns, read_columns
from evaluators.statistics.clusters import usual
from evaluators.statistics.populations import Population
from gateway.services.runs.resolve_ids import runs_meant
from store.log.event_store import EventStore


class PeopleAgreement(msgspec.Struct, frozen=True, kw_only=True):
    """What people said of some runs, beside each other and beside judges."""

    runs: tuple[str, ...]
    population: Population
    among: tuple[AmongPeople, ...]
    against: tuple[JudgeAndPeople, ...]
    """The judges that are no people and share a dimension with them, or those asked for."""
    annotators: tuple[OfAnnotator, ...]
    rehearsal: tuple[str, ...]
    """Of the judges, those whose scores are no findings."""
    local: tuple[str, ...] = ()
    """The same of local models."""

    @property
    def whys(self) -> tuple[str, ...]:
        """Why figures are missing, each once."""
        missing: dict[str, dict[str, None]] = {}
        for one in self.among:
            for estimate in (one.alpha, *(bins.kappa for bins in one.bins[:1])):
                if estimate.why:
                    missing.setdefault(estimate.why, {})[abbreviation(one.dimension)] = None
        for judge in self.against:
            for row in judge.dimensions:
                if why := row.beside.pearson.why.replace("the first judge", judge.judge.label):
                    missing.setdefault(why, {})[abbreviation(row.dimension)] = None
        return tuple(f"{', '.join(names)}: {why}" for why, names in missing.items())


def agreement_of(
    store: EventStore,
    runs: Sequence[str],
    judges: Sequence[str] = (),
    population: Population | None = None,
) -> PeopleAgreement:
    """Agreement over runs, by their ids or how they begin. Raises ``UnknownId``, ``NoPeople``,
    ``UnknownJudgeOfRun``. Blocking."""
    found = runs_meant(store, runs)
    return agreement_in(read_columns(store, *found), found, judges, population)


def agreement_in(
    columns: ScoreColumns,
    runs: Sequence[str] = (),
    judges: Sequence[str] = (),
    population: Population | None = None,
) -> PeopleAgreement:
    """The same over scores that are at hand."""
    population = population or usual(columns)
    among = among_people(columns, population)
    asked = {one.dimension for one in among}
    named = judges or [
        judge.hash
        for judge in columns.judges
        if columns.kinds[judge.hash] != "person"
        and asked & set(columns.of(judge.hash).dimensions())
    ]
    against = [against_people(columns, judge, population) for judge in named]
    return PeopleAgreement(
        runs=tuple(runs),
        population=population,
        among=tuple(among),
        against=tuple(against),
        annotators=tuple(annotators(columns)),
        rehearsal=tuple(one.judge.label for one in against if one.kind == "rehearsal"),
        local=tuple(one.judge.label for one in against if one.kind == "local"),
    )
