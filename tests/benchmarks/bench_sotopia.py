"""SOTOPIA's tables and figures of a whole experiment: every pairing of four models over 450 tasks.

    python -m tests.benchmarks.bench_sotopia

The command from start to exit; and, of scores that are in memory, the tables beside pandas, which
works out the same figures of the same rows: cells with their counts and intervals, means over
partners, Student's, Welch's and paired tests.
"""

import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import numpy as np
import pandas as pd
from scipy import stats

from evaluators.plugin import OVERALL
from evaluators.scores.score_columns import ScoreColumns, read_columns
from evaluators.social.tables.entries import ENTRIES
from evaluators.social.tables.read_tables import TableOptions, inputs_of, made
from store.open_store import open_store
from store.read_model.score_arrays import FAILED
from tests.benchmarks.bench_scores import keep_bytecode, use_of
from tests.benchmarks.scored_run import JUDGES, MINDS, RUN, write_run
from tests.benchmarks.table import Row

EPISODES = 16 * 450
MOST_S, MOST_RATIO = 10.0, 2.0
ROUNDS = 5
_CELL = ["mind", "partner", "dimension"]


def frame_of(columns: ScoreColumns) -> pd.DataFrame:
    """The same rows, those that count, as pandas has them."""
    rows = columns.where(columns.clean)
    return pd.DataFrame(
        {
            **{
                name: pd.Categorical.from_codes(column.codes, pd.Index(column.names))
                for name, column in (
                    ("mind", rows.mind),
                    ("partner", rows.partner),
                    ("dimension", rows.dimension),
                    ("scenario", rows.scenario),
                    ("task", rows.task),
                )
            },
            "seat": rows.seat,
            "value": rows.value,
            "failed": rows.status == FAILED,
        }
    )


def pandas_tables(frame: pd.DataFrame) -> tuple[pd.DataFrame, pd.DataFrame, list[float]]:
    """The cells of Figures 3 and G.4, the means of Table 2, and the p of its tests."""
    halves = frame.groupby([*_CELL, "seat"], observed=True)["value"].agg(["mean", "count"])
    cells = halves["mean"].groupby(level=_CELL, observed=True).mean().to_frame("mean")
    cells["failed"] = frame.groupby(_CELL, observed=True)["failed"].sum()
    scored = frame.dropna(subset="value").merge(halves, on=[*_CELL, "seat"])
    scored["off"] = (scored["value"] - scored["mean"]) / (2 * scored["count"])
    _add_interval(cells, scored, _CELL)
    by_model = ["mind", "dimension"]
    means = cells.groupby(level=by_model, observed=True)["mean"].mean().to_frame()
    scored["off"] /= scored["partner"].nunique()
    _add_interval(means, scored, by_model)
    return cells, means, list(_tests(scored, means))


def _add_interval(found: pd.DataFrame, scored: pd.DataFrame, keys: list[str]) -> None:
    """The interval over scenarios."""
    sums = scored.groupby([*keys, "scenario"], observed=True)["off"].sum()
    groups = (sums**2).groupby(level=keys, observed=True).agg(["sum", "count"])
    error = np.sqrt(groups["sum"] * groups["count"] / (groups["count"] - 1))
    reach = stats.t.ppf(0.975, groups["count"] - 1) * error
    found["low"], found["high"] = found["mean"] - reach, found["mean"] + reach


def _tests(scored: pd.DataFrame, means: pd.DataFrame) -> Iterator[float]:
    """The best against the second best: Student's, Welch's, and paired."""
    for dimension, of in means["mean"].groupby(level="dimension", observed=True):
        best, second = of.nlargest(2).index.get_level_values("mind")
        mine = scored[scored["dimension"] == dimension]
        a, b = (mine[mine["mind"] == model] for model in (best, second))
        yield float(stats.ttest_ind(a["value"], b["value"]).pvalue)
        yield float(stats.ttest_ind(a["value"], b["value"], equal_var=False).pvalue)
        keys = ["task", "seat", "partner"]
        x, y = (one.groupby(keys, observed=True)["value"].mean() for one in (a, b))
        pairs = pd.concat([x, y], axis=1, join="inner").to_numpy()
        yield float(stats.ttest_rel(pairs[:, 0], pairs[:, 1]).pvalue)


def our_tables(columns: ScoreColumns) -> float:
    """The same by the registry of tables; the overall score of the first model, as a check."""
    (given,) = inputs_of(columns, (), TableOptions(judges=(JUDGES[0].name,)))
    found = {one.entry: one for one in made(ENTRIES, [given])}
    rows = found["Table 2"].tables[0].rows
    figure = next(row[-1] for row in rows if getattr(row[0], "value", "") == OVERALL)
    return float(getattr(figure, "value", np.nan))


def seconds(work: Callable[[], object]) -> float:
    """The median of some rounds, after one to warm up."""
    work()
    taken = []
    for _ in range(ROUNDS):
        began = time.perf_counter()
        work()
        taken.append(time.perf_counter() - began)
    return statistics.median(taken)


def rows() -> Iterator[Row]:
    """The table."""
    keep_bytecode()
    with tempfile.TemporaryDirectory(prefix="troupe-bench-") as name:
        folder = Path(name)
        url = f"sqlite:///{folder}/troupe.db"
        with closing(open_store(url, durable=False)) as store:
            write_run(store, EPISODES, judges=JUDGES[:1])
            columns = read_columns(store, RUN)
        command = ("sotopia", "tables", RUN, "--svg", str(folder / "figures"))
        use = use_of(command, {"TROUPE_DATABASE_URL": url, "TROUPE_DATA_DIR": name})
        yield Row(
            f"troupe sotopia tables, 16 pairings × {EPISODES // 16} tasks",
            f"{use.seconds:.1f} s, {use.mib:,.0f} MiB",
            f"processor {use.processor_s:.1f} s",
            f"≤ {MOST_S:.0f} s",
            use.seconds <= MOST_S,
        )
        frame = frame_of(columns)
        ours, theirs = seconds(lambda: our_tables(columns)), seconds(lambda: pandas_tables(frame))
        _, means, _ = pandas_tables(frame)
        assert abs(our_tables(columns) - means.loc[(MINDS[0].name, OVERALL), "mean"]) < 1e-9
        yield Row(
            "their computing, of scores in memory",
            f"{1000 * ours:.0f} ms",
            f"pandas {1000 * theirs:.0f} ms: {ours / theirs:.2f} ×",
            f"≤ {MOST_RATIO:g} × pandas",
            ours <= MOST_RATIO * theirs,
        )


def main() -> None:
    """Print the table."""
    for row in rows():
        print(row, flush=True)


if __name__ == "__main__":
    main()
