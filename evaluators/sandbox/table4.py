"""Table 4 of the paper: how far tasks were reached, by model, agent and kind of task."""

from collections.abc import Sequence
from statistics import fmean
from typing import Final

import msgspec

from actors.sandbox.catalog_items import TaskKind
from evaluators.sandbox.results import KINDS, Figure, PlayedTask, Scorer, TaskResults
from evaluators.tables.plain_tables import Cell, DisplayValue, PlainColumn, PlainTable
from events.minds import MindSpec

PUBLISHED_AVERAGE: Final = 0.550
"""GPT-4 with target-driven planning (STSS, section 5): the average of its Table 4, which does not
say of what."""
REFERENCE: Final = "GPT-4, as published"
_HEADS: Final[dict[TaskKind, str]] = {
    "public": "public",
    "appointment": "appoint.",
    "companions": "compan.",
    "online": "online",
    "help": "help",
}
MEANS: Final = (
    "Each task's mean over its repeats, then the mean of a kind's tasks; over tasks: of all tasks; "
    "over kinds: of the kinds' means. The paper does not say which its average is. A missing "
    "score counts nowhere; where some are, how many there are of how many stands behind. Failed: "
    "given up, or came to no end."
)
CONTACTS: Final = (
    "People the performer talked to before 14 February 2023, of those who are to take part; above "
    "1 where more were. An appointment: 1 if the target was one. Help: the score again."
)
POOLED: Final = (
    "Help pooled: how far several others together came with the sub-tasks, in their order."
)


class Mean(msgspec.Struct, frozen=True, kw_only=True):
    """A mean, and what it rests on."""

    value: float | None
    """None: nothing was scored."""
    scored: int
    """Episodes that have a score."""
    asked: int
    """Episodes that should have one."""


class TaskTableRow(msgspec.Struct, frozen=True, kw_only=True):
    """One mind's figures, by one scorer."""

    who: str
    model: str
    agent: str
    rehearsal: bool
    kinds: dict[TaskKind, Mean]
    over_tasks: Mean
    over_kinds: Mean
    runs: int
    """Episodes."""
    failed: int
    """Of them, those that were given up, or came to no end."""
    unscored: int
    """Of those that ended, the ones that this scorer has not scored yet."""
    usd: float | None
    """What their models cost as far as prices are known; None: none was asked."""


def model_of(mind: MindSpec) -> str:
    """The model that plays the performer; of a mind that has none, what it is."""
    return mind.model.name if mind.model is not None else mind.kind


def agent_of(mind: MindSpec) -> str:
    """``GA``, ``GA+TDP``, ``GA-COACHED``, or how else the mind decides."""
    if mind.generative is not None:
        return mind.generative.named.upper()
    return mind.temper.upper() if mind.temper in ("ga", "ga+tdp") else mind.temper or mind.kind


def rows_of(results: TaskResults, scorer: Scorer, figure: Figure = "score") -> list[TaskTableRow]:
    """A row a mind."""
    return [
        _row(mind, [one for one in results.tasks if one.who == mind.name], scorer, figure)
        for mind in results.minds
    ]


def _row(
    mind: MindSpec, played: Sequence[PlayedTask], scorer: Scorer, figure: Figure
) -> TaskTableRow:
    kinds = {
        kind: _mean([one for one in played if one.kind == kind], scorer, figure) for kind in KINDS
    }
    known = [mean.value for mean in kinds.values() if mean.value is not None]
    all_ = _mean(played, scorer, figure)
    costs = [one.usd for one in played if one.usd is not None]
    return TaskTableRow(
        who=mind.name,
        model=model_of(mind),
        agent=agent_of(mind),
        rehearsal=mind.kind == "rehearsal",
        kinds=kinds,
        over_tasks=all_,
        over_kinds=Mean(
            value=fmean(known) if known else None, scored=all_.scored, asked=all_.asked
        ),
        runs=len(played),
        failed=sum(one.status != "ended" for one in played),
        unscored=sum(one.status == "ended" and scorer not in one.values for one in played),
        usd=sum(costs) if costs else None,
    )


def _mean(played: Sequence[PlayedTask], scorer: Scorer, figure: Figure) -> Mean:
    """The mean over tasks of the mean over repeats."""
    by_task: dict[str, list[float]] = {}
    for one in played:
        found = one.value(scorer, figure)
        if found is not None and found.value is not None:
            by_task.setdefault(one.task, []).append(found.value)
    return Mean(
        value=fmean(map(fmean, by_task.values())) if by_task else None,
        scored=sum(map(len, by_task.values())),
        asked=len(played),
    )


def table4(results: TaskResults, scorer: Scorer, figure: Figure = "score") -> PlainTable:
    """The table of one scorer, or of one of the figures beside."""
    rows = rows_of(results, scorer, figure)
    average = DisplayValue(PUBLISHED_AVERAGE, f"{PUBLISHED_AVERAGE:.3f}")
    pooled = rows_of(results, "paper", "pooled") if scorer == "paper" else []
    extra = (PlainColumn("pooled", "number", heading="help,\npooled"),) * bool(pooled)
    columns = (
        PlainColumn("mind"),
        PlainColumn("model", only_csv=True),
        PlainColumn("agent"),
        PlainColumn("rehearsal", only_csv=True),
        *(
            column
            for kind in KINDS
            for column in (
                PlainColumn(kind, "number", heading=_HEADS[kind]),
                PlainColumn(f"{kind}_scored", "number", only_csv=True),
                PlainColumn(f"{kind}_asked", "number", only_csv=True),
            )
        ),
        *extra,
        PlainColumn("over_tasks", "number", heading="over\ntasks"),
        PlainColumn("over_kinds", "number", heading="over\nkinds"),
        PlainColumn("runs", "number", heading="episodes"),
        PlainColumn("failed", "number"),
        PlainColumn("unscored", "number", only_csv=True),
        PlainColumn("usd", "number", heading="USD"),
    )
    known: dict[str, Cell] = {
        "mind": REFERENCE,
        "agent": "GA+TDP",
        "over_tasks": average,
        "over_kinds": average,
    }
    reference = tuple(known.get(column.name) for column in columns if not column.only_csv)
    with_reference = figure == "score"
    what = [CONTACTS] if figure == "contacts" else [POOLED] if pooled else []
    return PlainTable(
        name=f"table-4-{scorer}" + f"-{figure}" * (figure != "score"),
        title=f"Table 4: {'contacts' if figure == 'contacts' else 'action-level scores'}, "
        f"scorer {scorer}",
        columns=columns,
        rows=tuple(
            (
                row.who,
                row.model,
                row.agent,
                "yes" if row.rehearsal else "no",
                *(
                    cell
                    for mean in row.kinds.values()
                    for cell in (_shown(mean), mean.scored, mean.asked)
                ),
                *([_shown(pooled[place].kinds["help"])] if pooled else []),
                _shown(row.over_tasks),
                _shown(row.over_kinds),
                row.runs,
                row.failed,
                row.unscored,
                row.usd,
            )
            for place, row in enumerate(rows)
        ),
        foot=(reference,) * with_reference,
        note="\n".join(
            [*what, MEANS, *["The last row is the paper's own figure."] * with_reference]
        ),
    )


def _shown(mean: Mean) -> Cell:
    if mean.value is None:
        return DisplayValue(None, f"– (0/{mean.asked})" if mean.asked else "–")
    of = f" ({mean.scored}/{mean.asked})" if mean.scored < mean.asked else ""
    return DisplayValue(mean.value, f"{mean.value:.3f}{of}")


def tables_of(results: TaskResults, scorers: Sequence[Scorer]) -> list[PlainTable]:
    """The table of each scorer, and of contacts where they are known."""
    found = [table4(results, scorer) for scorer in scorers]
    if any(one.value("published", "contacts") for one in results.tasks if "published" in scorers):
        found.append(table4(results, "published", "contacts"))
    return found
