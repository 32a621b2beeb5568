"""Table 3 of the paper: how far talks reached what they were for, by model and agent."""

from collections.abc import Sequence
from statistics import fmean
from typing import Final

import msgspec

from evaluators.sandbox.language.conditions import PARTS
from evaluators.sandbox.language.dimensions import PUBLISHED, gcsr, sr
from evaluators.sandbox.language.success_rates import Means, means
from evaluators.sandbox.language.talk_results import PlayedCase, TalkJudge, TalkResults
from evaluators.sandbox.table4 import agent_of, model_of
from evaluators.tables.plain_tables import Cell, DisplayValue, PlainColumn, PlainTable, safe_name
from events.minds import MindSpec

KNOWN: Final = {"conversation_sr": 0.812, "conversation_gcsr": 0.902}
"""GPT-4 with target-driven planning over the paper's own 325 cases (STSS, section 5). Whether they
are micro or macro is not said where they are known from."""
REFERENCE: Final = "GPT-4, as published"
NAMES: Final = {"sr": "SR", "gcsr": "GCSR"}
_SHORT: Final = {"conversation": "conv.", "summary": "summ."}


class TalkRow(msgspec.Struct, frozen=True, kw_only=True):
    """One mind's figures, by one judge."""

    who: str
    model: str
    agent: str
    rehearsal: bool
    rates: dict[str, Means]
    """By the name of the rate."""
    scored: dict[str, int]
    """By the name of the rate the episodes that have it."""
    runs: int
    """Episodes that are over."""
    failed: int
    """Of them, those that were given up."""
    unfinished: int
    """Episodes beside that are not played yet, or were stopped."""
    missing: int
    """Of those that ended, the ones of which this judge has not said everything."""
    usd: float | None
    """What their models cost as far as prices are known, judges left out; None: none was asked."""


def rows_of(results: TalkResults, judge: str) -> list[TalkRow]:
    """A row a mind; ``judge``: by its hash."""
    return [
        _row(mind, [one for one in results.cases if one.who == mind.name], results, judge)
        for mind in results.minds
    ]


def _row(mind: MindSpec, played: Sequence[PlayedCase], results: TalkResults, judge: str) -> TalkRow:
    names = [name for part in PARTS for name in (sr(part), gcsr(part))]
    ended = [one for one in played if one.status == "ended"]
    known = {
        name: [one for one in ended if one.rates.get(judge, {}).get(name) is not None]
        for name in names
    }
    costs = [one.usd for one in played if one.usd is not None]
    return TalkRow(
        who=mind.name,
        model=model_of(mind),
        agent=agent_of(mind),
        rehearsal=mind.kind == "rehearsal",
        rates={name: _means(known[name], results.empty, judge, name) for name in names},
        scored={name: len(known[name]) for name in names},
        runs=sum(one.status != "unfinished" for one in played),
        failed=sum(one.status == "failed" for one in played),
        unfinished=sum(one.status == "unfinished" for one in played),
        missing=sum(any(one not in known[name] for name in names) for one in ended),
        usd=sum(costs) if costs else None,
    )


def _means(scored: Sequence[PlayedCase], empty: Sequence[str], judge: str, name: str) -> Means:
    """Of a case that was played several times, the mean of them is the case's."""
    by_task: dict[str, dict[str, list[float]]] = {task: {} for task in empty}
    for one in scored:
        value = one.rates[judge][name]
        assert value is not None, "those that have none were left out"
        by_task.setdefault(one.task, {}).setdefault(one.case, []).append(value)
    return means({task: [fmean(rates) for rates in of.values()] for task, of in by_task.items()})


def tables(results: TalkResults) -> list[PlainTable]:
    """The table of each judge."""
    return [table3(results, judge) for judge in results.judges]


def table3(results: TalkResults, judge: TalkJudge) -> PlainTable:
    rows = rows_of(results, judge.hash)
    agents = {(row.model, row.agent) for row in rows}
    figures = [
        (part, rate, mean) for part in PARTS for rate in NAMES for mean in ("micro", "macro")
    ]
    reference = _reference(figures)
    return PlainTable(
        name=safe_name(f"table-3-{judge.label}"),
        title=f"Table 3: language-level scores, judge {judge.label}",
        columns=(
            PlainColumn("judge", only_csv=True),
            PlainColumn("mind", only_csv=len(agents) == len(rows)),
            PlainColumn("model"),
            PlainColumn("agent"),
            PlainColumn("rehearsal", only_csv=True),
            *(
                PlainColumn(
                    f"{part}_{rate}_{mean}",
                    "number",
                    heading=f"{_SHORT[part]}\n{NAMES[rate]}\n{mean}",
                )
                for part, rate, mean in figures
            ),
            *(PlainColumn(f"{part}_scored", "number", only_csv=True) for part in PARTS),
            PlainColumn("cases", "number"),
            PlainColumn("tasks", "number"),
            PlainColumn("empty", "number", heading="empty\ntasks"),
            PlainColumn("runs", "number", heading="episodes"),
            PlainColumn("failed", "number"),
            PlainColumn("unfinished", "number", only_csv=True),
            PlainColumn("missing", "number"),
            PlainColumn("usd", "number", heading="USD"),
        ),
        rows=tuple(_cells(row, judge) for row in rows),
        foot=(reference[len(agents) == len(rows) :],) if any(row.runs for row in rows) else (),
        note=_note(judge, results),
    )


def _cells(row: TalkRow, judge: TalkJudge) -> tuple[Cell, ...]:
    most = max(row.rates.values(), key=lambda one: one.cases)
    return (
        judge.label,
        row.who,
        row.model,
        row.agent,
        "yes" if row.rehearsal else "no",
        *(
            _percent(getattr(row.rates[f"{part}_{rate}"], mean))
            for part in PARTS
            for rate in NAMES
            for mean in ("micro", "macro")
        ),
        *(row.scored[sr(part)] for part in PARTS),
        most.cases,
        most.tasks,
        most.empty,
        row.runs,
        row.failed,
        row.unfinished,
        row.missing,
        row.usd,
    )


def _reference(figures: Sequence[tuple[str, str, str]]) -> tuple[Cell, ...]:
    """The paper's own, as people see the table where it names minds."""
    known = [
        _percent(KNOWN.get(f"{part}_{rate}")) if mean == "micro" else None
        for part, rate, mean in figures
    ]
    return ("", REFERENCE, "GA+TDP", *known, DisplayValue(325, "325"), *[None] * 6)


def _percent(value: float | None) -> Cell:
    return None if value is None else DisplayValue(value, f"{100 * value:.1f}%")


def _note(judge: TalkJudge, results: TalkResults) -> str:
    empty = ", ".join(results.empty)
    waiting = sum(one.status == "unfinished" for one in results.cases)
    return (
        "Conv.: of what was said; summ.: of what the target told of it. SR: all conditions of a "
        "case are met; GCSR: the share that is. Micro: the mean over cases; macro: the mean over "
        "tasks of their cases' mean.\n"
        "A talk of at most one utterance has 0. A score that is missing counts nowhere: missing is "
        "in how many episodes that ended one is. Failed: given up.\n"
        "USD without judges, as far as prices are known.\n"
        + f"Not counted: {waiting} that are not played yet, or were stopped.\n" * bool(waiting)
        + f"Tasks without a case: {empty}.\n" * bool(empty)
        + "This judge asks of what is told of appointments what is asked of public activities, "
        "place N/A, as the published code does.\n"
        * (judge.rubric == PUBLISHED)
        + "This judge goes by the words alone: no language model.\n" * judge.rehearsal
        + "The last row is the paper's own figures, over other cases; whether they are micro or "
        "macro is not known."
    )
