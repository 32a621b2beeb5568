"""Lists of what is stored as plain tables, for the terminal, CSV and LaTeX alike."""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from evaluators.plain_tables import Cell, PlainColumn, PlainTable, Shown

if TYPE_CHECKING:
    from actors.runs.estimates import Estimate, Range
    from events.messages import WorkerReport
    from gateway.chains import ChainDetails, Remembered
    from gateway.fleet import QueueDetails
    from gateway.standing import Listed
    from store.records import CallTotals, ChainRow, EpisodeRow, ScoreRow


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
                run.standing.words + " (archived)" * run.archived,
                Shown(run.episodes_ended, f"{run.episodes_ended}/{run.episodes_planned}"),
                run.episodes_planned,
                Shown(run.episodes_marked, str(run.episodes_marked or "")),
                run.episodes_failed,
                time_cell(run.started_at),
            )
            for run in runs
        ),
    )


def chains_table(rows: "Sequence[ChainRow]", *, minds: bool = True) -> PlainTable:
    """Chains, one a line; ``minds``: to people, too, whose minds play."""
    return PlainTable(
        "chains",
        "Chains",
        (
            PlainColumn("run", "id", only_csv=True),
            PlainColumn("chain", "id"),
            PlainColumn("characters"),
            PlainColumn("minds", only_csv=not minds),
            PlainColumn("memory"),
            PlainColumn("status"),
            PlainColumn("over", "number"),
            PlainColumn("length", "number", only_csv=True),
            PlainColumn("failed", "number"),
        ),
        tuple(
            (
                row.run,
                row.id,
                ", ".join(row.characters),
                ", ".join(row.minds),
                row.memory,
                row.status,
                Shown(row.done, f"{row.done}/{row.length}"),
                row.length,
                row.failed,
            )
            for row in rows
        ),
    )


def episodes_table(rows: "Sequence[EpisodeRow]") -> PlainTable:
    """Episodes of a run, one a line."""
    return PlainTable(
        "episodes",
        "Episodes",
        (
            PlainColumn("episode", "id"),
            PlainColumn("task"),
            PlainColumn("scenario"),
            PlainColumn("characters"),
            PlainColumn("minds"),
            PlainColumn("status"),
            PlainColumn("end"),
            PlainColumn("turns", "number"),
            PlainColumn("failed_actions", "number", heading="failed actions"),
            PlainColumn("chain", "id", only_csv=True),
            PlainColumn("parent", "id", only_csv=True),
        ),
        tuple(
            (
                row.id,
                row.task,
                row.scenario,
                ", ".join(row.characters),
                ", ".join(row.minds),
                row.status,
                row.end_reason,
                row.turns,
                row.failed_actions,
                row.chain,
                row.parent,
            )
            for row in rows
        ),
    )


def calls_table(calls: "Sequence[CallTotals]") -> PlainTable:
    """What was asked of models, a line each for a model and a purpose."""
    unpriced = sum(one.unpriced for one in calls)
    answered = sum(one.answered for one in calls)
    return PlainTable(
        "calls",
        "Model calls",
        (
            PlainColumn("model"),
            PlainColumn("purpose", heading="for"),
            PlainColumn("asked", "number"),
            PlainColumn("answered", "number"),
            PlainColumn("failed", "number"),
            PlainColumn("input_tokens", "number", heading="tokens in"),
            PlainColumn("output_tokens", "number", heading="out"),
            PlainColumn("usd", "number", heading="USD"),
            PlainColumn("unpriced", "number", only_csv=True),
        ),
        tuple(
            (
                one.model,
                one.purpose,
                one.asked,
                one.answered,
                one.failed,
                _count(one.input_tokens),
                _count(one.output_tokens),
                Shown(one.cost_usd, f"{one.cost_usd:.4f}")
                if one.answered > one.unpriced
                else Shown(None, "unknown"),
                one.unpriced,
            )
            for one in calls
        ),
        note=f"{unpriced} of {answered} answers have no known price and are not in the sum."
        if unpriced
        else "",
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
                Shown(
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
                _count(one.row.recalled_tokens),
                _count(one.row.limit_tokens),
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
                Shown(one.episodes, f"{one.episodes}/{one.episode_slots}"),
                one.episode_slots,
                Shown(one.evaluations, f"{one.evaluations}/{one.evaluation_slots}"),
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


def estimates_table(estimates: "Sequence[Estimate]") -> PlainTable:
    """What a plan will ask of its models."""
    kinds = {"mind": "plays", "memory": "remembers", "judge": "judges"}
    numbers = (("calls", "calls"), ("input_tokens", "tokens in"), ("output_tokens", "out"))
    return PlainTable(
        "estimates",
        "What the plan will ask of its models",
        (
            PlainColumn("who", only_people=True, heading="who (model)"),
            PlainColumn("name", only_csv=True),
            PlainColumn("kind", only_csv=True),
            PlainColumn("model", only_csv=True),
            *(
                column
                for name, heading in (*numbers, ("usd", "USD"))
                for column in (
                    PlainColumn(name, "number", heading=heading, only_people=True),
                    PlainColumn(f"{name}_least", "number", only_csv=True),
                    PlainColumn(f"{name}_most", "number", only_csv=True),
                )
            ),
        ),
        tuple(
            (
                f"{one.name} {kinds[one.kind]} ({one.model})",
                one.name,
                one.kind,
                one.model,
                *(cell for name, _ in numbers for cell in _ends(getattr(one, name))),
                "?" if one.usd is None else range_text(*map(dollars, one.usd)),
                *(one.usd or (None, None)),
            )
            for one in estimates
        ),
        note="from half of the turns with short answers to every turn with answers as long as they "
        "may be; answers that are asked for again, and what a provider's cache saves, are not in "
        "it",
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
    return Shown(when.isoformat(timespec="microseconds"), text)


def dollars(value: float) -> str:
    """Money; cents where they matter."""
    return f"{value:,.2f}" if value < 10 else f"{value:,.0f}"


def range_text(low: str, high: str) -> str:
    """From one to the other, or the one where they are alike."""
    return low if low == high else f"{low}–{high}"


def _ends(of: "Range") -> tuple[Cell, ...]:
    return range_text(_rounded(of.low), _rounded(of.high)), of.low, of.high


def _rounded(number: int) -> str:
    for size, letter in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if number >= 10 * size:
            return f"{number / size:,.0f}{letter}"
        if number >= size and letter != "k":
            return f"{number / size:.1f}{letter}"
    return f"{number:,}"


def _count(number: int) -> Shown:
    return Shown(number, f"{number:,}")


def _or_nothing(number: int | None) -> Cell:
    return Shown(None, "") if number is None else number
