"""What ``troupe compare`` is asked: two judges of some runs, or runs with each other."""

from collections.abc import Sequence

import msgspec

from evaluators.agreement.constant_judges import flat_judges
from evaluators.agreement.judge_agreement import Comparison, compare
from evaluators.registry import built_in, judging_of
from evaluators.scores.score_columns import ScoreColumns, read_columns
from evaluators.scores.seat_scores import UnknownJudgeOfRun, find_judge, judged_of
from evaluators.statistics.populations import Population
from evaluators.statistics.run_differences import ASPECTS, Aspect, BetweenRuns, between_runs
from events.base import Value
from gateway.errors import BadArgument, did_you_mean
from store.id_lookup import UnknownId
from store.log.event_store import EventStore
from store.read_model import queries
from store.read_model.read_scores import judges_of_runs

USAGE = "compare"


class CompareRequest(msgspec.Struct, frozen=True, kw_only=True):
    runs: tuple[str, ...]
    judges: tuple[str, ...] = ()
    """Two, as they were given; none: the runs are compared with each other."""


class RunsCompared(Value, frozen=True, kw_only=True):
    """What differs between some runs."""

    runs: tuple[str, ...]
    compared: tuple[BetweenRuns, ...]
    rehearsal_judges: tuple[str, ...]
    """Judges whose scores are no findings."""
    local_judges: tuple[str, ...] = ()
    """The same, of local models."""
    flat_judges: tuple[str, ...] = ()
    """Judges that tell nothing apart, a sentence each."""


def what_is_asked(store: EventStore, given: Sequence[str]) -> CompareRequest:
    """Tell runs from judges: words that are a run, or how one begins, are runs; two at the end that
    are none are judges. Raises ``BadArgument``, ``AmbiguousId``."""
    found = [_run(store, word) for word in given]
    runs = tuple(dict.fromkeys(run for run in found if run))
    if len(found) >= 3 and all(found[:-2]):
        before = tuple(dict.fromkeys(run for run in found[:-2] if run))
        judges = _judges_among(store, before, given[-2:])
        if judges and not any(found[-2:]):
            return CompareRequest(runs=before, judges=judges)
        if judges:
            why = f"{' and '.join(given[-2:])} name both runs and judges; write the runs' ids whole"
            raise BadArgument(USAGE, " ".join(given), why)
    if len(runs) >= 2 and all(found):
        return CompareRequest(runs=runs)
    unknown = [word for word, run in zip(given, found, strict=True) if not run]
    if len(unknown) == 2 and unknown == list(given[-2:]) and runs:
        # Judges, and not of these runs: the comparison says which there are.
        return CompareRequest(runs=runs, judges=tuple(unknown))
    raise BadArgument(USAGE, " ".join(given), _why(store, given, runs, unknown))


def compare_runs(
    store: EventStore,
    runs: Sequence[str],
    *,
    by: Sequence[str] = (),
    judges: Sequence[str] = (),
    dimensions: Sequence[str] = (),
    population: Population | None = None,
    unclean: bool = False,
) -> RunsCompared:
    """What differs between runs (ids in full, the earlier first). Raises ``BadArgument``,
    ``UnknownJudgeOfRun``."""
    aspects = [_aspect(name) for name in by]
    columns = read_columns(store, *runs)
    wanted = [find_judge(columns.judges, judge) for judge in judges]
    _check_dimensions(columns, dimensions)
    found = between_runs(
        columns,
        aspects or ASPECTS,
        judges=wanted,
        dimensions=dimensions,
        population=population,
        unclean=unclean,
    )
    if not found:
        raise BadArgument("runs", " ".join(runs), _nothing(store, columns, runs, aspects))
    hashes = {one.judge.hash: one.judge.label for one in found}
    return RunsCompared(
        runs=tuple(runs),
        compared=tuple(found),
        rehearsal_judges=tuple(
            label for hash_, label in hashes.items() if columns.kinds[hash_] == "rehearsal"
        ),
        flat_judges=tuple(flat_judges(columns, hashes).values()),
        local_judges=tuple(
            label for hash_, label in hashes.items() if columns.kinds[hash_] == "local"
        ),
    )


def compare_judges(
    store: EventStore,
    runs: Sequence[str],
    judges: tuple[str, str],
    population: Population | None = None,
) -> Comparison:
    """How far two judges agree on some runs (ids in full). Raises ``BadArgument`` of a judge that
    has scored nothing of them, ``UnknownJudgeOfRun`` where several fit."""
    columns = read_columns(store, *runs)
    for given in judges:
        _check_has_scored(columns, runs, given)
    return compare(columns, *judges, population)


def _check_has_scored(columns: ScoreColumns, runs: Sequence[str], given: str) -> None:
    hint = ""
    try:
        if columns.of(find_judge(columns.judges, given).hash).scored.any():
            return
    except UnknownJudgeOfRun as error:
        if error.several:
            raise
        if error.nearest and given not in built_in():
            hint = f"; did you mean {error.nearest[0]!r}?"
        elif error.known:
            hint = f"; there are scores by {', '.join(error.known)}"
    command = f"troupe score {runs[0]} --judge {given if given in built_in() else 'JUDGE.toml'}"
    why = f"has scored nothing here{hint}; `{command}` has a judge score it"
    raise BadArgument("judge", given, why)


def _run(store: EventStore, word: str) -> str:
    try:
        return queries.find_run(store, word) if word else ""
    except UnknownId:
        return ""


def _judges_among(store: EventStore, runs: Sequence[str], given: Sequence[str]) -> tuple[str, ...]:
    """The words, if all of them are judges of the runs; else none."""
    known = judged_of(judges_of_runs(store, runs))
    try:
        for word in given:
            find_judge(known, word)
    except UnknownJudgeOfRun:
        return ()
    return tuple(given)


def _why(
    store: EventStore, given: Sequence[str], runs: Sequence[str], unknown: Sequence[str]
) -> str:
    known = [row.id for row in queries.runs(store)]
    if not runs:
        word = given[0] if given else ""
        return f"there is no run {word!r}{did_you_mean(word, known)}; `troupe runs` lists them"
    behind = judged_of(judges_of_runs(store, runs))
    judges = ", ".join(judge.label for judge in behind) or "none yet"
    if not unknown:
        return f"is one run; give a second run, or two of its judges ({judges})"
    word = unknown[0]
    if len(given) == 2:
        return (
            f"there is no run {word!r}{did_you_mean(word, known)}; to compare two judges name both "
            f"(of this run: {judges})"
        )
    return f"{word!r} is no run, and judges come last, two of them{did_you_mean(word, known)}"


def _aspect(given: str) -> Aspect:
    for known in ASPECTS:
        if given == known:
            return known
    why = f"is none of {', '.join(ASPECTS)}{did_you_mean(given, ASPECTS)}"
    raise BadArgument("--by", given, why)


def _check_dimensions(columns: ScoreColumns, given: Sequence[str]) -> None:
    known = columns.dimensions()
    for name in given:
        if name not in known:
            why = f"nothing here was scored in it{did_you_mean(name, known)}"
            raise BadArgument("--dimension", name, why)


def _nothing(
    store: EventStore, columns: ScoreColumns, runs: Sequence[str], by: Sequence[Aspect]
) -> str:
    judges = {
        run: {judge.label for judge in columns.where(columns.run.among(run)).judges}
        & {
            judge.label
            for judge in columns.judges
            if columns.judge[columns.run.among(run)].among(judge.hash).any()
        }
        for run in runs
    }
    for run, there in judges.items():
        if not there:
            environment = queries.plan(store, run).plan.environment
            known = ", ".join(judge.name for judge in judging_of(environment).judges)
            which = f"; JUDGE is a file or one of {known}" if known else ""
            return (
                f"run {run} has no scores yet; `troupe score {run} --judge JUDGE` makes some{which}"
            )
    if not set.intersection(*judges.values()):
        each = "; ".join(f"{run}: {', '.join(sorted(there))}" for run, there in judges.items())
        return f"no judge scored both ({each}); `troupe score RUN --judge JUDGE` scores the other"
    if by == ["mind"]:
        return "they have no mind in common; --by dimension compares them as wholes"
    return "they have nothing in common that was scored without a failed action; try --all"
