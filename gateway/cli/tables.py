"""Runs, scores and agreement as tables in the terminal."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from gateway.cli.support import print_table, say

if TYPE_CHECKING:
    from evaluators.agreement import Comparison
    from evaluators.estimates import Estimate
    from evaluators.summary import Cell
    from gateway.shown import JudgedTable, RunShown
    from store.records import EpisodeRow, RunRow

ABBREVIATED = {
    "goal": "GOAL",
    "believability": "BEL",
    "knowledge": "KNO",
    "secret": "SEC",
    "relationship": "REL",
    "social_rules": "SOC",
    "financial_and_material_benefits": "FIN",
    "overall": "ALL",
}
"""SOTOPIA's short names, which fit a terminal."""

MOST_EPISODES = 30
"""Rows of episodes in the terminal; `--json` and the report have all."""


def print_runs(runs: "Sequence[RunRow]") -> None:
    """All runs, newest first."""
    print_table(
        "",
        ("run", "plan", "catalog", "status", "episodes", "ended", "failed", "started"),
        [
            (
                run.id,
                run.name,
                run.catalog,
                run.status + (f" ({run.pause_reason})" if run.pause_reason else ""),
                run.episodes_planned,
                run.episodes_ended,
                run.episodes_failed,
                moment(run.started_at),
            )
            for run in reversed(runs)
        ],
    )


def print_run(shown: "RunShown") -> None:
    """A run: its episodes, a table a judge, what it cost."""
    run = shown.run
    print_table(
        f"Run {run.id}: {run.name} ({run.status})",
        ("episode", "scenario", "characters", "minds", "status", "turns", "end", "failures"),
        [_episode(row) for row in shown.episodes[:MOST_EPISODES]],
    )
    if len(shown.episodes) > MOST_EPISODES:
        say(f"[dim]… and {len(shown.episodes) - MOST_EPISODES} more: --json lists all.[/]")
    for table in shown.tables:
        print_judged(table)
    if shown.rehearsal_minds:
        say(f"[dim]Rehearsal minds, no language model: {', '.join(shown.rehearsal_minds)}.[/]")
    if shown.calls:
        print_table(
            "Model calls",
            ("model", "for", "asked", "answered", "failed", "tokens in", "out", "USD", "unpriced"),
            [
                (
                    c.model,
                    c.purpose,
                    c.asked,
                    c.answered,
                    c.failed,
                    c.input_tokens,
                    c.output_tokens,
                    c.cost_usd,
                    c.unpriced,
                )
                for c in shown.calls
            ],
        )


def print_judged(table: "JudgedTable") -> None:
    """One judge's means by mind, with 95 % intervals and what is missing."""
    note = ", rehearsal: no language model judged this" if table.rehearsal else ""
    print_table(
        f"Scores by judge {table.judge.label}{note} (mean ± half of the 95 % interval)",
        ("mind", *(ABBREVIATED.get(name, name) for name in table.dimensions), "miss."),
        [
            (row.mind, *(cell_text(row.cells[d]) for d in table.dimensions), _missing(row.cells))
            for row in table.minds
        ],
    )


def print_agreement(run: str, comparison: "Comparison") -> None:
    """How far two judges agree."""
    a, b = comparison.judge_a.label, comparison.judge_b.label
    print_table(
        f"Run {run}: {a} (A) against {b} (B)",
        (
            "",
            "n",
            "mean A",
            "mean B",
            "miss. A",
            "miss. B",
            "Pearson",
            "Spearman",
            "mean |A−B|",
        ),
        [
            (
                ABBREVIATED.get(row.dimension, row.dimension),
                row.pairs,
                row.mean_a,
                row.mean_b,
                f"{row.missing_a}/{row.asked}",
                f"{row.missing_b}/{row.asked}",
                interval_text(row.pearson),
                interval_text(row.spearman),
                row.mean_absolute_difference,
            )
            for row in comparison.dimensions
        ],
    )


def cell_text(cell: "Cell") -> str:
    """A mean and its interval."""
    mean = cell.mean
    if mean.value is None:
        return "–"
    if mean.low is None or mean.high is None:
        return f"{mean.value:.2f}"
    return f"{mean.value:.2f} ±{(mean.high - mean.low) / 2:.2f}"


def interval_text(estimate: "Estimate") -> str:
    """A value with its interval, or why there is none."""
    if estimate.value is None:
        return f"– ({estimate.why})" if estimate.why else "–"
    if estimate.low is None or estimate.high is None:
        return f"{estimate.value:.2f}"
    return f"{estimate.value:.2f} [{estimate.low:.2f}, {estimate.high:.2f}]"


def moment(microseconds: int | None) -> str:
    """A stored time, in this machine's time zone."""
    from datetime import datetime

    if microseconds is None:
        return "–"
    return datetime.fromtimestamp(microseconds / 1e6).astimezone().strftime("%Y-%m-%d %H:%M")


def _episode(row: "EpisodeRow") -> tuple[object, ...]:
    return (
        row.id,
        row.scenario or row.task,
        row.characters,
        row.minds,
        row.status,
        row.turns,
        row.end_reason.replace("_", " "),
        row.failures,
    )


def _missing(cells: "dict[str, Cell]") -> str:
    missing = sum(cell.asked - cell.scored for name, cell in cells.items() if name != "overall")
    asked = sum(cell.asked for name, cell in cells.items() if name != "overall")
    return f"{missing}/{asked}"
