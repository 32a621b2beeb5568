"""Lists of what is stored as plain tables, for the terminal, CSV and LaTeX alike."""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from actors.text.amounts import sizes
from evaluators.tables.plain_tables import Cell, DisplayValue, PlainColumn, PlainTable, table_of
from evaluators.tables.run_tables import count_cell, part_cell

if TYPE_CHECKING:
    from events.wire.messages import WorkerReport
    from gateway.services.operations.fleet_status import QueueDetails
    from gateway.services.results.chain_details import ChainDetails, Remembered
    from gateway.services.runs.run_status import Listed
    from store.read_model.records import ScoreRow


def runs_table(runs: "Sequence[Listed]", *, wide: bool = False) -> PlainTable:
    """Runs, in their order; ``wide``: of which catalog, to people, too."""
    return table_of(
        "runs",
        "Runs",
        runs,
        (PlainColumn("run", "id"), lambda run: run.id),
        (
            PlainColumn("plan"),
            lambda run: DisplayValue(run.name, run.name + f" ({run.mark})" * bool(run.mark)),
        ),
        (PlainColumn("mark", only_csv=True), lambda run: run.mark),
        PlainColumn("catalog", only_csv=not wide),
        (PlainColumn("status"), lambda run: run.standing.words + " (hidden)" * run.archived),
        (
            PlainColumn("ended", "number"),
            lambda run: part_cell(run.episodes_ended, run.episodes_planned),
        ),
        (PlainColumn("planned", "number", only_csv=True), lambda run: run.episodes_planned),
        (
            PlainColumn("marked", "number"),
            lambda run: DisplayValue(run.episodes_marked, str(run.episodes_marked or "")),
        ),
        (PlainColumn("failed", "number"), lambda run: run.episodes_failed),
        (PlainColumn("started", "id"), lambda run: time_cell(run.started_at)),
    )


def chain_table(shown: "ChainDetails") -> PlainTable:
    """The episodes of a chain, in order."""
    recalled: dict[int, list[int]] = {}
    for row in shown.memories:
        recalled.setdefault(row.index, []).append(row.recalled_tokens)

    def tokens(index: int) -> Cell:
        found = recalled.get(index, [])
        return DisplayValue(" ".join(map(str, found)), ", ".join(f"{one:,}" for one in found))

    return table_of(
        "chain",
        f"Chain {shown.chain.id}",
        shown.episodes,
        PlainColumn("index", "number"),
        (PlainColumn("episode", "id"), lambda row: row.id),
        (PlainColumn("scenario"), lambda row: row.scenario or row.task),
        (
            PlainColumn("status"),
            lambda row: row.end_reason.replace("_", " ") if row.status == "ended" else row.status,
        ),
        PlainColumn("turns", "number"),
        (
            PlainColumn("tokens_recalled", "number", heading="tokens recalled"),
            lambda row: tokens(row.index),
        ),
        note="tokens recalled: of each seat",
    )


def memories_table(found: "Sequence[Remembered]") -> PlainTable:
    """What the seats of a chain kept of each episode."""
    return table_of(
        "memories",
        "What was remembered",
        found,
        (PlainColumn("seat", "number"), lambda one: one.row.seat + 1),
        (PlainColumn("index", "number"), lambda one: one.row.index),
        (PlainColumn("words", "number"), lambda one: one.row.words if one.note else None),
        (PlainColumn("recalled", "number"), lambda one: len(one.row.recalled)),
        (PlainColumn("left_out", "number", heading="left out"), lambda one: len(one.row.dropped)),
        (PlainColumn("tokens", "number"), lambda one: count_cell(one.row.recalled_tokens)),
        (PlainColumn("room", "number"), lambda one: count_cell(one.row.limit_tokens)),
        (
            PlainColumn("written_by", heading="written by"),
            lambda one: (one.row.writer or "–") + ", out of bounds" * (not one.row.within_bounds),
        ),
    )


def episode_scores_table(scores: "Sequence[ScoreRow]") -> PlainTable:
    """Every score of one episode; to programs with its reason."""
    return table_of(
        "scores",
        "Scores",
        scores,
        PlainColumn("judge"),
        (PlainColumn("seat", "number"), lambda one: one.seat + 1),
        PlainColumn("mind"),
        PlainColumn("character"),
        PlainColumn("dimension"),
        PlainColumn("status"),
        PlainColumn("value", "number"),
        PlainColumn("reason", only_csv=True),
    )


def workers_table(found: "Sequence[WorkerReport]") -> PlainTable:
    """Processes that take jobs."""
    return table_of(
        "workers",
        "Workers",
        found,
        PlainColumn("worker", "id"),
        (PlainColumn("version"), lambda one: one.software),
        (PlainColumn("episodes", "number"), lambda one: part_cell(one.episodes, one.episode_slots)),
        PlainColumn("episode_slots", "number", only_csv=True),
        (
            PlainColumn("evaluations", "number"),
            lambda one: part_cell(one.evaluations, one.evaluation_slots),
        ),
        PlainColumn("evaluation_slots", "number", only_csv=True),
        (PlainColumn("runs", "number"), lambda one: len(one.runs)),
        (PlainColumn("state"), lambda one: "draining" if one.draining else "at work"),
    )


def jobs_tables(found: "QueueDetails") -> list[PlainTable]:
    """How many jobs there are of each kind, and those that nobody could do."""
    kinds = table_of(
        "jobs",
        "Jobs",
        found.kinds,
        (PlainColumn("jobs"), lambda kind: kind.kind),
        PlainColumn("queued", "number"),
        PlainColumn("in_hand", "number", heading="in hand"),
        PlainColumn("dead", "number"),
    )
    if not found.dead:
        return [kinds]
    dead = table_of(
        "dead-jobs",
        "Dead jobs",
        found.dead,
        PlainColumn("id", "id"),
        PlainColumn("run", "id"),
        PlainColumn("tries", "number"),
        (PlainColumn("why"), lambda job: job.reason),
        (PlainColumn("when"), lambda job: time_cell(job.died_at)),
    )
    return [kinds, dead]


def catalogs_table(rows: Iterable[tuple[str, str, dict[str, int]]]) -> PlainTable:
    """Catalogs by name, environment and how many things of each kind they hold."""
    found = list(rows)
    kinds = list(dict.fromkeys(kind for _, _, counts in found for kind in counts))
    return PlainTable(
        "catalogs",
        "Catalogs",
        (
            PlainColumn("catalog", "id"),
            PlainColumn("environment", "id"),
            PlainColumn("holds", only_people=True),
            *(PlainColumn(kind, "number", only_csv=True) for kind in kinds),
        ),
        tuple(
            (
                name,
                environment,
                sizes(counts),
                *(_or_nothing(counts.get(kind)) for kind in kinds),
            )
            for name, environment, counts in found
        ),
    )


def time_cell(microseconds: int | None) -> Cell:
    """A stored time: to programs in UTC; to people in this machine's time zone, of this year
    without the year, of another the day alone."""
    if microseconds is None:
        return None
    when = datetime.fromtimestamp(microseconds / 1e6, UTC)
    here = when.astimezone()
    of_year = here.year == datetime.now().astimezone().year
    text = here.strftime("%m-%d %H:%M" if of_year else "%Y-%m-%d")
    return DisplayValue(when.isoformat(timespec="microseconds"), text)


def _or_nothing(number: int | None) -> Cell:
    return DisplayValue(None, "") if number is None else number
