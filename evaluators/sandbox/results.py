"""What came of the tasks of a run, from its lists: no history is read."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Final, Literal

import msgspec

from actors.sandbox.catalog_items import Catalog, TaskKind
from actors.sandbox.conversation.cases import is_case
from evaluators.sandbox.dimensions import ACTION, CONTACTS, PAPER, POOLED, PUBLISHED, PUBLISHED_1
from events.environments import Catalog as AnyCatalog
from events.evaluation import JudgeSpec
from events.minds import MindSpec
from events.serialization.fingerprints import judge_hash
from store.read_model.records import CallTotals, EpisodeRow, ScoreRow

if TYPE_CHECKING:
    from evaluators.report.data.run_data import RunData

KINDS: Final[Mapping[TaskKind, str]] = {
    "public": "Public activity",
    "appointment": "Appointment",
    "companions": "Inviting companions",
    "online": "Online activity",
    "help": "Asking for help",
}
"""The kinds of tasks in the order of the paper, as tables call them."""
Scorer = Literal["paper", "published"]
SCORERS: Final[Mapping[Scorer, JudgeSpec]] = {"paper": PAPER, "published": PUBLISHED}
_EDITIONS: Final[Mapping[Scorer, tuple[JudgeSpec, ...]]] = {
    "paper": (PAPER,),
    "published": (PUBLISHED, PUBLISHED_1),
}
"""What each was over time, the newest first."""
Status = Literal["ended", "failed", "unfinished"]
"""How an episode stands. ``failed``: it was given up. ``unfinished``: it is still planned or
played, or somebody stopped it."""
Figure = Literal["score", "contacts", "pooled"]
DIMENSIONS: Final[Mapping[str, Figure]] = {
    ACTION.name: "score",
    CONTACTS.name: "contacts",
    POOLED.name: "pooled",
}


class Value(msgspec.Struct, frozen=True, kw_only=True):
    """One figure of one task that was played."""

    value: float | None = None
    """None: it is missing."""
    why: str = ""
    """What it rests on: who, when, where, keyword; why it is missing."""
    evidence: tuple[int, ...] = ()
    """Numbers of the episode's events."""


class PlayedTask(msgspec.Struct, frozen=True, kw_only=True):
    """A task that was played, or was to be."""

    episode: str
    task: str
    kind: TaskKind
    who: str
    """The performer's mind."""
    status: Status
    values: Mapping[Scorer, Mapping[Figure, Value]] = {}
    """Of whoever scored it: ``score`` of both; ``contacts``, the published code's second figure;
    ``pooled``, beside the paper's score of help."""
    usd: float | None = None
    """What its models cost as far as prices are known; None: no model was asked."""

    def value(self, scorer: Scorer, figure: Figure = "score") -> Value | None:
        """One of its figures; None: nobody scored it."""
        return self.values.get(scorer, {}).get(figure)


class TaskResults(msgspec.Struct, frozen=True, kw_only=True):
    """What came of the tasks of a run."""

    run: str
    tasks: tuple[PlayedTask, ...]
    """In the plan's order."""
    minds: tuple[MindSpec, ...]
    """Those of performers, in the plan's order."""
    left_out: int = 0
    """Episodes that are forks, or that others were played in the place of."""


def results_of(gathered: "RunData") -> TaskResults:
    """The results of a run that was gathered for a report."""
    run = gathered.run.id
    return results_from(
        run,
        gathered.planned.plan.minds,
        gathered.episodes,
        gathered.catalogs().get(run),
        values_of(gathered.told()),
        gathered.calls_of,
    )


def results_from(
    run: str,
    minds: Sequence[MindSpec],
    episodes: Sequence[EpisodeRow],
    catalog: AnyCatalog | None,
    values: Mapping[str, Mapping[Scorer, Mapping[Figure, Value]]],
    calls_of: Callable[[str], Sequence[CallTotals]],
) -> TaskResults:
    """The same of their parts; ``values`` by episode."""
    tasks = catalog.tasks if isinstance(catalog, Catalog) else ()
    kinds: dict[str, object] = {task.id: task.kind for task in tasks}
    stand = standing(episodes)
    found = tuple(
        PlayedTask(
            episode=row.id,
            task=row.task,
            kind=kind,
            who=row.minds[0],
            status=status_of(row),
            values=values.get(row.id, {}),
            usd=usd_of(calls_of(row.id)),
        )
        for row in stand
        for kind in KINDS
        if row.minds and kinds.get(row.task, row.summary.get("kind")) == kind
        if not is_case(row.task)
    )
    performers = {one.who for one in found}
    return TaskResults(
        run=run,
        tasks=found,
        minds=tuple(mind for mind in minds if mind.name in performers),
        left_out=len(episodes) - len(stand),
    )


def standing(episodes: Iterable[EpisodeRow]) -> list[EpisodeRow]:
    """Those that tables count: no forks, and none that others were played in the place of."""
    return [row for row in episodes if row.parent is None and not row.superseded_by]


def status_of(row: EpisodeRow) -> Status:
    if row.status == "failed":
        return "failed"
    whole = row.status == "ended" and row.end_reason not in ("stopped", "abandoned")
    return "ended" if whole else "unfinished"


def usd_of(calls: Sequence[CallTotals]) -> float | None:
    """What calls cost as far as prices are known; None: there were none."""
    return sum(row.cost_usd for row in calls) if calls else None


def values_of(rows: Iterable[ScoreRow]) -> Mapping[str, Mapping[Scorer, Mapping[Figure, Value]]]:
    """Scores of both scorers by episode: of each scorer the newest edition that scored any, for a
    mean over two editions says nothing."""
    rows = list(rows)
    known = {row.judge_hash for row in rows}
    scorers = {
        hash_: name
        for name, editions in _EDITIONS.items()
        if (hash_ := next((one for one in map(judge_hash, editions) if one in known), None))
    }
    found: dict[str, dict[Scorer, dict[Figure, Value]]] = {}
    for row in rows:
        scorer, figure = scorers.get(row.judge_hash), DIMENSIONS.get(row.dimension)
        if scorer is not None and figure is not None:
            of_scorer = found.setdefault(row.episode, {}).setdefault(scorer, {})
            of_scorer[figure] = Value(value=row.value, why=row.reason, evidence=row.evidence)
    return found
