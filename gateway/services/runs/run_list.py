"""All runs as the page *Runs* shows them: how each stands, how far it is, what it has cost."""

import threading
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Final, Literal, TypeVar, get_args

import msgspec
import sqlalchemy as sa

from actors.runs.execution.run_cache import RunCache
from events.base import Value
from gateway.errors import BadArgument, did_you_mean
from gateway.services.runs.run_marks import marked, run_marks
from gateway.services.runs.run_status import Listed, standings
from gateway.settings import Settings
from store.database.id_batches import in_batches
from store.log.event_store import EventStore
from store.projections import tables as t
from store.projections.amounts import PICO
from store.projections.calls import CALLS
from store.projections.maintenance.projector import catch_up
from store.projections.scores import SCORES
from store.read_model import queries
from store.read_model.records import RunRow
from store.read_model.selections import own_episode

W = TypeVar("W", bound=str)
Group = Literal["", "standing", "catalog", "environment", "day"]
Sort = Literal["newest", "oldest", "name", "failures", "cost", "left"]
Show = Literal["current", "hidden", "all"]
GROUPS: Final[tuple[Group, ...]] = get_args(Group)
SORTS: Final[tuple[Sort, ...]] = get_args(Sort)
SHOWS: Final[tuple[Show, ...]] = get_args(Show)
FRESH_S: Final = 1.0
"""All who watch share a look that is no older, in seconds."""
PER_PAGE: Final = 50


class RunListQuery(msgspec.Struct, frozen=True, kw_only=True):
    """What of the runs is to be shown, as the page's address says it."""

    q: str = ""
    """Words that name, id, catalog or environment hold."""
    state: str = ""
    """A standing, or ``active``: all of which more will come."""
    group: Group = ""
    sort: Sort = "newest"
    show: Show = "current"
    """``hidden``: those that lists leave out, or that were archived."""
    page: int = 1


class Entry(Value, frozen=True, kw_only=True):
    """One run of the list."""

    run: Listed
    environment: str
    usd: float
    """Spent so far; answers of unknown price are not in it."""
    tokens: int
    unpriced: int
    """Answers of unknown price."""
    budget_usd: float
    """0: no limit."""
    budget_tokens: int
    """0: no limit."""
    evaluations: int
    """Due by now: one for each ended episode and judge."""
    evaluations_ended: int
    evaluations_failed: int
    playing: int
    """Episodes under way."""
    day: str
    """It was planned on, in UTC."""

    @property
    def left(self) -> int:
        """Episodes that are neither over nor given up."""
        row = self.run
        return max(0, row.episodes_planned - row.episodes_ended - row.episodes_failed)


class RunListPage(msgspec.Struct, frozen=True, kw_only=True):
    groups: tuple[tuple[str, tuple[Entry, ...]], ...]
    """By heading; one with an empty heading where nothing is grouped."""
    found: int
    """Runs that were asked for, on all pages."""
    there: int
    """Runs that there are."""
    hidden: int
    """Of them those that lists leave out."""
    pages: int

    @property
    def entries(self) -> list[Entry]:
        """All of them."""
        return [entry for _, entries in self.groups for entry in entries]


class RunList:
    """Looks at all runs for everybody who watches. Blocking; safe from several threads."""

    def __init__(
        self, settings: Settings, store: EventStore, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.settings, self.store = settings, store
        self._cache = RunCache(store)
        self._clock = clock
        self._lock = threading.Lock()
        self._known: tuple[float, list[Listed]] | None = None
        self._environment: dict[str, str] = {}
        self._marks: dict[str, str] = {}

    def listed(self) -> list[Listed]:
        """All runs with how they stand, the newest first."""
        with self._lock:
            now = self._clock()
            if self._known is None or now - self._known[0] > FRESH_S:
                rows = queries.runs(self.store)[::-1]
                self._known = (self._clock(), standings(self.settings, self.store, rows))
            return self._known[1]

    def show(self, asked: RunListQuery) -> RunListPage:
        """The runs that were asked for."""
        every = self.listed()
        hidden = [row for row in every if row.archived or row.taken_to]
        rows = {"all": every, "hidden": hidden}.get(asked.show) or (
            [row for row in every if not (row.archived or row.taken_to)]
            if asked.show == "current"
            else []
        )
        if asked.state == "active":
            rows = [row for row in rows if row.standing.under_way or row.standing.wants_somebody]
        elif asked.state:
            rows = [row for row in rows if row.standing.state == asked.state]
        environments = self._environments()
        words = asked.q.lower().split()
        rows = [row for row in rows if _holds(row, environments.get(row.id, ""), words)]
        spent = self._spent() if asked.sort == "cost" else {}
        rows = _sorted(rows, asked.sort, spent)
        pages = max(1, -(-len(rows) // PER_PAGE))
        page = min(max(1, asked.page), pages)
        some = rows[(page - 1) * PER_PAGE : page * PER_PAGE]
        entries = self.entries(some, environments)
        return RunListPage(
            groups=tuple(_grouped(entries, asked.group)),
            found=len(rows),
            there=len(every),
            hidden=len(hidden),
            pages=pages,
        )

    def entries(
        self, rows: Sequence[Listed], environments: Mapping[str, str] | None = None
    ) -> list[Entry]:
        """Some runs with all that is shown of them."""
        known = self._environments() if environments is None else environments
        ids = [row.id for row in rows]
        rows = marked(rows, self.marks_of(ids))
        spent, evaluations, playing = self._spent(ids), self._evaluations(ids), self._playing(ids)
        found = []
        for row in rows:
            state = None if row.taken_to else self._cache.run(row.id)
            budget = state.budget if state else None
            cost, tokens, unpriced = spent.get(row.id, (0, 0, 0))
            ended, failed = evaluations.get(row.id, (0, 0))
            judges = len(state.plan.judges) if state else 0
            found.append(
                Entry(
                    run=row,
                    environment=known.get(row.id, ""),
                    usd=cost / PICO,
                    tokens=tokens,
                    unpriced=unpriced,
                    budget_usd=budget.usd if budget else 0.0,
                    budget_tokens=budget.tokens if budget else 0,
                    evaluations=max(row.episodes_ended * judges, ended + failed),
                    evaluations_ended=ended,
                    evaluations_failed=failed,
                    playing=playing.get(row.id, 0),
                    day=_day(row),
                )
            )
        return found

    def entry(self, run: str) -> Entry:
        """One run, its id in full, as it stands now."""
        row = next((one for one in self.listed() if one.id == run), None)
        if row is None:
            row = standings(self.settings, self.store, [queries.run(self.store, run)])[0]
        return self.entries([row])[0]

    def look_again(self) -> None:
        """Forget what is known: somebody has done something."""
        with self._lock:
            self._known = None

    def _environments(self) -> dict[str, str]:
        """Of each run; it never changes."""
        c = t.episodes.c
        one = sa.select(c.environment).where(c.run == t.runs.c.id).limit(1).scalar_subquery()
        query = sa.select(t.runs.c.id, sa.func.coalesce(one, ""))
        missing = [row.id for row in self.listed() if row.id not in self._environment]
        for some in in_batches(missing):
            with self.store.engine.connect() as connection:
                found = connection.execute(query.where(t.runs.c.id.in_(some))).all()
            self._environment |= {run: environment for run, environment in found if environment}
        return self._environment

    def marks_of(self, runs: Sequence[str]) -> dict[str, str]:
        """How runs are played; it never changes once an episode has begun."""
        if missing := [run for run in runs if run not in self._marks]:
            self._marks |= run_marks(self.store, missing)
        return self._marks

    def _spent(self, runs: Sequence[str] | None = None) -> dict[str, tuple[int, int, int]]:
        """In trillionths of a dollar, and in tokens, and how many answers have no price."""
        catch_up(self.store, CALLS)
        c = t.spending.c
        query = sa.select(c.run, c.cost_pico_usd, c.tokens, c.unpriced)
        if runs is not None:
            query = query.where(c.run.in_(runs))
        with self.store.engine.connect() as connection:
            return {row.run: (row[1], row[2], row[3]) for row in connection.execute(query)}

    def _evaluations(self, runs: Sequence[str]) -> dict[str, tuple[int, int]]:
        catch_up(self.store, SCORES)
        c = t.evaluations.c
        query = (
            sa.select(
                c.run,
                sa.func.sum(sa.case((c.status == "ended", 1), else_=0)),
                sa.func.sum(sa.case((c.status == "failed", 1), else_=0)),
            )
            .where(c.run.in_(runs), c.superseded_by == "")
            .group_by(c.run)
        )
        with self.store.engine.connect() as connection:
            return {run: (int(a), int(b)) for run, a, b in connection.execute(query)}

    def _playing(self, runs: Sequence[str]) -> dict[str, int]:
        c = t.episodes.c
        query = (
            sa.select(c.run, sa.func.count())
            .where(c.run.in_(runs), c.status == "playing", own_episode)
            .group_by(c.run)
        )
        with self.store.engine.connect() as connection:
            return {row[0]: row[1] for row in connection.execute(query)}


def asked_of(query: Mapping[str, str]) -> RunListQuery:
    """What an address asks for. Raises ``BadArgument``."""
    page = query.get("page", "1") or "1"
    if not page.isdigit() or not 1 <= int(page) <= 10**6:
        raise BadArgument("page", page, "is no page; they begin with 1")
    return RunListQuery(
        q=query.get("q", "")[:200],
        state=query.get("state", "")[:40],
        group=one_of("group", query.get("group", ""), GROUPS),
        sort=one_of("sort", query.get("sort") or "newest", SORTS),
        show=one_of("show", query.get("show") or "current", SHOWS),
        page=int(page),
    )


def one_of(what: str, given: str, known: Sequence[W]) -> W:
    """``given``, if it is among what is known. Raises ``BadArgument``."""
    if given in known:
        return known[known.index(given)]
    there = [one for one in known if one]
    why = f"is none of {', '.join(there)}{did_you_mean(given, there)}"
    raise BadArgument(what, given, why)


def _holds(row: RunRow, environment: str, words: Sequence[str]) -> bool:
    text = f"{row.name} {row.id} {row.catalog} {environment}".lower()
    return all(word in text for word in words)


def _sorted(
    rows: Sequence[Listed], sort: Sort, spent: Mapping[str, tuple[int, int, int]]
) -> list[Listed]:
    """They come the newest first."""
    if sort == "oldest":
        return list(rows[::-1])
    keys: dict[str, Callable[[Listed], str | int]] = {
        "name": lambda row: row.name.lower(),
        "failures": lambda row: -(row.episodes_failed + row.episodes_marked),
        "cost": lambda row: -spent.get(row.id, (0, 0, 0))[0],
        "left": lambda row: row.episodes_ended + row.episodes_failed - row.episodes_planned,
    }
    return sorted(rows, key=keys[sort]) if sort in keys else list(rows)


def _grouped(entries: Sequence[Entry], group: Group) -> list[tuple[str, tuple[Entry, ...]]]:
    heads: dict[str, Callable[[Entry], str]] = {
        "standing": lambda one: one.run.standing.state,
        "catalog": lambda one: one.run.catalog or "no catalog",
        "environment": lambda one: one.environment or "unknown environment",
        "day": lambda one: one.day,
    }
    if group not in heads:
        return [("", tuple(entries))] if entries else []
    found: dict[str, list[Entry]] = {}
    for entry in entries:
        found.setdefault(heads[group](entry), []).append(entry)
    return [(head, tuple(some)) for head, some in found.items()]


def _day(row: RunRow) -> str:
    from datetime import UTC, datetime

    return datetime.fromtimestamp((row.started_at or 0) / 1e6, UTC).date().isoformat()
