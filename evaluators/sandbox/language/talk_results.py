"""What came of the cases of a run, from its lists: no history is read."""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from actors.sandbox.catalog_items import Catalog, TaskKind
from actors.sandbox.conversation.cases import CASE, is_case
from evaluators.sandbox.language.dimensions import RATES, VARIANTS
from evaluators.sandbox.results import Status, standing, status_of, usd_of
from events.minds import MindSpec
from store.read_model.records import CallTotals, EpisodeRow

if TYPE_CHECKING:
    from evaluators.report.data.run_data import JudgeUsed, RunData


class PlayedCase(msgspec.Struct, frozen=True, kw_only=True):
    """A case that was played, or was to be."""

    episode: str
    case: str
    task: str
    kind: TaskKind
    who: str
    """The performer's mind."""
    other: str
    """The target's mind."""
    status: Status
    rates: Mapping[str, Mapping[str, float | None]] = {}
    """By a judge's hash, by the name of the rate; None: it is missing."""
    usd: float | None = None
    """What its models cost as far as prices are known, judges left out; None: none was asked."""


class TalkJudge(NamedTuple):
    hash: str
    label: str
    rubric: str
    rehearsal: bool
    """By the words alone: no language model."""


class TalkResults(msgspec.Struct, frozen=True, kw_only=True):
    """What came of the cases of a run."""

    run: str
    cases: tuple[PlayedCase, ...]
    """In the plan's order."""
    minds: tuple[MindSpec, ...]
    """Those of performers, in the plan's order."""
    judges: tuple[TalkJudge, ...]
    empty: tuple[str, ...] = ()
    """Tasks in whose towns there was no case."""


def talk_results(gathered: "RunData") -> TalkResults:
    """The results of a run that was gathered for a report."""
    run = gathered.run.id
    return results_from(
        run,
        gathered.planned.plan.minds,
        gathered.episodes,
        gathered.catalogs().get(run),
        [judge for one in gathered.judges if (judge := _judge(one))],
        _rates(gathered),
        gathered.calls_of,
    )


def results_from(
    run: str,
    minds: Sequence[MindSpec],
    episodes: Sequence[EpisodeRow],
    catalog: object,
    judges: Sequence[TalkJudge],
    rates: Mapping[str, Mapping[str, Mapping[str, float | None]]],
    calls_of: Callable[[str], Sequence[CallTotals]],
) -> TalkResults:
    """The same of their parts; ``rates`` by episode."""
    known = {case.id: case for case in catalog.cases} if isinstance(catalog, Catalog) else {}
    found = tuple(
        PlayedCase(
            episode=row.id,
            case=case.id,
            task=case.task.id,
            kind=case.task.kind,
            who=row.minds[0],
            other=row.minds[1],
            status=status_of(row),
            rates=rates.get(row.id, {}),
            usd=usd_of([one for one in calls_of(row.id) if one.purpose != "judge"]),
        )
        for row in standing(episodes)
        if is_case(row.task) and (case := known.get(row.task.removeprefix(CASE)))
    )
    performers = {one.who for one in found}
    there = {case.task.id for case in known.values()}
    frozen = catalog.frozen_tasks if isinstance(catalog, Catalog) else ()
    return TalkResults(
        run=run,
        cases=found,
        minds=tuple(mind for mind in minds if mind.name in performers),
        judges=tuple(judges),
        empty=tuple(task.id for task in frozen if task.id not in there),
    )


def _judge(used: "JudgeUsed") -> TalkJudge | None:
    if used.spec.rubric not in VARIANTS:
        return None
    rehearsal = used.spec.kind in ("rule", "rehearsal")
    return TalkJudge(used.judged.hash, used.judged.label, used.spec.rubric, rehearsal)


def _rates(gathered: "RunData") -> Mapping[str, Mapping[str, Mapping[str, float | None]]]:
    """By episode and judge."""
    columns = gathered.columns
    rows = columns.where(columns.dimension.among(*(rate.name for rate in RATES)))
    found: dict[str, dict[str, dict[str, float | None]]] = {}
    for episode, judge, rate, scored, value in zip(
        rows.episode.words(),
        rows.judge.words(),
        rows.dimension.words(),
        rows.scored.tolist(),
        rows.value.tolist(),
        strict=True,
    ):
        found.setdefault(episode, {}).setdefault(judge, {})[rate] = value if scored else None
    return found
