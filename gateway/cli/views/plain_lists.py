"""Lists of what is stored as plain tables, for the terminal, CSV and LaTeX alike."""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from evaluators.tables.plain_tables import Cell, DisplayValue, PlainColumn, PlainTable
from evaluators.tables.run_tables import count_cell

if TYPE_CHECKING:
    from events.wire.messages import WorkerReport
    from gateway.services.operations.fleet_status import QueueDetails
    from gateway.services.results.chain_details import ChainDetails, Remembered
    from gateway.services.runs.run_status import Listed
    from store.read_model.records import ScoreRow


def runs_table(runs: "Sequence[Listed]", *, wide: bool = False) -> PlainTable:
    """Runs, in their order; ``wide``: of which catalog, to people, too."""
    return PlainTable(
        "runs",
        "Runs",
        (
            PlainColumn("run", "id"),
            PlainColumn("plan"),
            PlainColumn("catalog", only_csv=not wide),
            PlainColumn("status"),
            PlainColumn("ended", "number"),
            PlainColumn("planned", "number", only_csv=True),
            PlainColumn("marked", "number"),
            PlainColumn("failed", "number"),
            PlainColumn("started", "id"),
        ),
        tuple(
            (
                run.id,
                run.name,
                run.catalog,
                run.standing.words + " (hidden)" * run.archived,
                DisplayValue(run.episodes_ended, f"{run.episodes_ended}/{run.episodes_planned}"),
                run.episodes_planned,
                DisplayValue(run.episodes_marked, str(run.episodes_marked or "")),
                run.episodes_failed,
                time_cell(run.started_at),
            )
            for run in runs
        ),
    )


def chain_table(shown: "ChainDetails") -> PlainTable:
    """The episodes of a chain, in order."""
    recalled: dict[int, list[int]] = {}
    for row in shown.memories:
        recalled.setdefault(row.index, []).append(row.recalled_tokens)
    return PlainTable(
        "chain",
        f"Chain {shown.chain.id}",
        (
            PlainColumn("index", "number"),
            PlainColumn("episode", "id"),
            PlainColumn("scenario"),
            PlainColumn("status"),
            PlainColumn("turns", "number"),
            PlainColumn("tokens_recalled", "number", heading="tokens recalled"),
        ),
        tuple(
            (
                row.index,
                row.id,
                row.scenario or row.task,
                row.end_reason.replace("_", " ") if row.status == "ended" else row.status,
                row.turns,
                DisplayValue(
                    " ".join(map(str, recalled.get(row.index, []))),
                    ", ".join(f"{tokens:,}" for tokens in recalled.get(row.index, [])),
                ),
            )
            for row in shown.episodes
        ),
        note="tokens recalled: of each seat",
    )


def memories_table(found: "Sequence[Remembered]") -> PlainTable:
    """What the seats of a chain kept of each episode."""
    return PlainTable(
        "memories",
        "What was remembered",
        (
            PlainColumn("seat", "number"),
            PlainColumn("index", "number"),
            PlainColumn("words", "number"),
            PlainColumn("recalled", "number"),
            PlainColumn("left_out", "number", heading="left out"),
            PlainColumn("tokens", "number"),
            PlainColumn("room", "number"),
            PlainColumn("written_by", heading="written by"),
        ),
        tuple(
            (
                one.row.seat + 1,
                one.row.index,
                one.row.words if one.note else None,
                len(one.row.recalled),
                len(one.row.dropped),
                count_cell(one.row.recalled_tokens),
                count_cell(one.row.limit_tokens),
                (one.row.writer or "–") + ("" if one.row.within_bounds else ", out of bounds"),
            )
            for one in found
        ),
    )


def episode_scores_table(scores: "Sequence[ScoreRow]") -> PlainTable:
    """Every score of one episode; to programs with its reason."""
    return PlainTable(
        "scores",
        "Scores",
        (
            PlainColumn("judge"),
            PlainColumn("seat", "number"),
            PlainColumn("mind"),
            PlainColumn("character"),
            PlainColumn("dimension"),
            PlainColumn("status"),
            PlainColumn("value", "number"),
            PlainColumn("reason", only_csv=True),
        ),
        tuple(
            (
                one.judge,
                one.seat + 1,
                one.mind,
                one.character,
                one.dimension,
                one.status,
                one.value,
                one.reason,
            )
            for one in scores
        ),
    )


def workers_table(found: "Sequence[WorkerReport]") -> PlainTable:
    """Processes that take jobs."""
    return PlainTable(
        "workers",
        "Workers",
        (
            PlainColumn("worker", "id"),
            PlainColumn("version"),
            PlainColumn("episodes", "number"),
            PlainColumn("episode_slots", "number", only_csv=True),
            PlainColumn("evaluations", "number"),
            PlainColumn("evaluation_slots", "number", only_csv=True),
            PlainColumn("runs", "number"),
            PlainColumn("state"),
        ),
        tuple(
            (
                one.worker,
                one.software,
                DisplayValue(one.episodes, f"{one.episodes}/{one.episode_slots}"),
                one.episode_slots,
                DisplayValue(one.evaluations, f"{one.evaluations}/{one.evaluation_slots}"),
                one.evaluation_slots,
                len(one.runs),
                "draining" if one.draining else "at work",
            )
            for one in found
        ),
    )


def jobs_tables(found: "QueueDetails") -> list[PlainTable]:
    """How many jobs there are of each kind, and those that nobody could do."""
    kinds = PlainTable(
        "jobs",
        "Jobs",
        (
            PlainColumn("jobs"),
            PlainColumn("queued", "number"),
            PlainColumn("in_hand", "number", heading="in hand"),
            PlainColumn("dead", "number"),
        ),
        tuple((kind.kind, kind.queued, kind.in_hand, kind.dead) for kind in found.kinds),
    )
    if not found.dead:
        return [kinds]
    return [
        kinds,
        PlainTable(
            "dead-jobs",
            "Dead jobs",
            (
                PlainColumn("id", "id"),
                PlainColumn("run", "id"),
                PlainColumn("tries", "number"),
                PlainColumn("why"),
                PlainColumn("when"),
            ),
            tuple(
                (job.id, job.run, job.tries, job.reason, time_cell(job.died_at))
                for job in found.dead
            ),
        ),
    ]


def catalogs_table(rows: Iterable[tuple[str, str, dict[str, int]]]) -> PlainTable:
    """Catalogs by name, environment and how many things of each kind they hold."""
    found = list(rows)
    kinds = list(dict.fromkeys(kind for _, _, counts in found for kind in counts))
    return PlainTable(
        "catalogs",
        "Catalogs",
        (
            PlainColumn("catalog", "id"),
            PlainColumn("environment"),
            *(PlainColumn(kind, "number", heading=kind.replace("_", " ")) for kind in kinds),
        ),
        tuple(
            (name, environment, *(_or_nothing(counts.get(kind)) for kind in kinds))
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
