"""The list of a run's episodes: what its address asks for, and a page of rows to answer with."""

from collections.abc import Collection, Mapping, Sequence
from typing import Final, Literal, get_args
from urllib.parse import urlencode

import msgspec
import numpy as np
from numpy.typing import NDArray

from actors.episodes.rules.failed_actions import reason_words
from evaluators.plugin import OVERALL
from evaluators.report.data.failed_actions import failed_episodes
from evaluators.scores.dimensions import overall_of
from evaluators.scores.episode_means import EpisodeMeans, MeansOfRun
from events.base import Value
from events.serialization.codec import make_decoder
from events.serialization.struct_types import decodable
from gateway.errors import BadArgument
from gateway.services.results.result_cache import ResultCache
from gateway.services.runs.facets import Choices, JudgeFacet, choices, judges
from gateway.services.runs.run_list import one_of
from store.log.event_store import EventStore
from store.read_model.episode_lists import (
    ORDERS,
    Cursor,
    Order,
    Wanted,
    episode_ids,
    episodes_by_id,
    page_of_episodes,
)
from store.read_model.judge_scores import scores_by_judge
from store.read_model.records import EpisodeRow, EpisodeStatus


class Ranks:
    """Episodes with their means over seats, to be put in order and cut to a range."""

    def __init__(self, found: MeansOfRun) -> None:
        self.ids = np.array(found.episodes, dtype=object)
        # None becomes not a number.
        self.means: NDArray[np.float64] = np.array(found.means, dtype=np.float64)
        self.missing: NDArray[np.bool_] = np.array(found.missing, dtype=np.bool_)
        (self._none,) = np.nonzero(np.isnan(self.means))
        (there,) = np.nonzero(~np.isnan(self.means))
        self._rising = there[np.argsort(self.means[there], kind="stable")]
        self._falling = there[np.argsort(-self.means[there], kind="stable")]

    def order(
        self,
        *,
        descending: bool = False,
        low: float | None = None,
        high: float | None = None,
        missing: bool = False,
        among: Collection[str] | None = None,
    ) -> list[str]:
        """The episodes with a mean, in order, then those without one. ``low``, ``high``: only those
        with a mean in this range, ends included; ``missing``: only those of which a score is
        missing; ``among``: only these, and those of them that were not read come last."""
        places = self._falling if descending else self._rising
        if low is not None or high is not None:
            values = self.means[places]
            within = np.ones(len(places), dtype=np.bool_)
            if low is not None:
                within &= values >= low
            if high is not None:
                within &= values <= high
            places = places[within]
        else:
            places = np.concatenate((places, self._none))
        if missing:
            places = places[self.missing[places]]
        ids: list[str] = self.ids[places].tolist()
        if among is None:
            return ids
        some = among if isinstance(among, frozenset) else frozenset(among)
        found = [id_ for id_ in ids if id_ in some]
        if low is None and high is None and not missing and len(found) < len(some):
            found += sorted(some - frozenset(found))
        return found


Sort = Order | Literal["score"]
SORTS: Final[tuple[str, ...]] = (*ORDERS, "score")
Only = Literal["", "failures", "missing", "forks"]
PER_PAGE: Final = 100
"""Rows of a page, and what the script asks for at once."""
_LAST: Final = 10**9
STATUSES: Final[tuple[str, ...]] = get_args(EpisodeStatus)


class Query(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What an address asks for; the fields are its parameters."""

    q: str = ""
    status: EpisodeStatus | Literal[""] = ""
    mind: str = ""
    partner: str = ""
    scenario: str = ""
    task: str = ""
    chain: str = ""
    ending: str = ""
    only: Only = ""
    reason: str = ""
    """Only episodes in which an action failed for this reason."""
    judge: str = ""
    """A judge's hash; empty: the first."""
    dimension: str = ""
    """Empty: the one that stands for the judge."""
    low: float | None = None
    """Only episodes whose mean is at least this."""
    high: float | None = None
    sort: str = "plan"
    down: bool = False
    """The greatest first."""
    start: int = 0
    """So many rows are skipped."""
    after: str = ""
    """Rows right after this one: where a page of the same order ended."""

    def url(self, **changes: object) -> str:
        """The parameters of another page of this list, with its ``?``. A page number or an end of
        a page is not carried along unless it is given."""
        changed = {"start": 0, "after": ""} | changes
        given = msgspec.to_builtins(msgspec.structs.replace(self, **changed))
        text = urlencode({k: ("1" if v is True else v) for k, v in given.items() if v is not None})
        return f"?{text}"

    @property
    def ranked(self) -> bool:
        """Whether scores decide what is shown, or in which order."""
        ranged = self.low is not None or self.high is not None
        return self.sort == "score" or ranged or self.only == "missing"

    @property
    def filtered(self) -> bool:
        """Whether something but words and an order is asked for."""
        plain = msgspec.structs.replace(self.wanted(""), text="")
        return plain != Wanted(run="") or bool(self.reason) or self.only == "missing" or self.ranged

    @property
    def ranged(self) -> bool:
        """Whether only some scores are asked for."""
        return self.low is not None or self.high is not None

    def wanted(self, run: str) -> Wanted:
        """What of it the store can tell."""
        return Wanted(
            run=run,
            text=self.q,
            status=self.status,
            mind=self.mind,
            partner=self.partner,
            scenario=self.scenario,
            task=self.task,
            chain=self.chain,
            ending=self.ending,
            failures=self.only == "failures",
            forks=self.only == "forks",
        )


class EpisodeListRow(Value, frozen=True, kw_only=True):
    id: str
    title: str
    who: tuple[tuple[str, str], ...]
    """A character and a mind for each seat; no character before the episode has begun."""
    status: EpisodeStatus
    ending: str
    """In words; empty while it goes on."""
    turns: int
    failures: int
    """Actions that failed."""
    lasted_s: float | None
    scores: tuple[float | None, ...]
    """One a seat, by the judge and in the dimension that were asked for; empty: nobody asked."""
    missing: bool
    """Scores of it by this judge are missing."""
    fork: bool
    chain: str
    index: int


class Listing(Value, frozen=True, kw_only=True):
    """Some rows that follow each other."""

    rows: tuple[EpisodeListRow, ...]
    total: int
    """Episodes that were asked for, on all pages."""
    start: int
    """The place of the first row among them, from 0."""
    after: str
    """Names the end of these rows, for the next; empty: there are no more."""
    scored_by: str
    """What the scores are, in words; empty: nobody scored."""


class EpisodeLists:
    """Answers what the lists of all runs ask. Blocking; safe from several threads."""

    def __init__(self, store: EventStore, resting: ResultCache, means: EpisodeMeans) -> None:
        self.store, self.resting, self.means = store, resting, means

    def choices(self, run: str) -> Choices:
        """What a run's episodes can be filtered by."""
        return self.resting.get(run, "choices", lambda: choices(self.store, run)).value

    def judges(self, run: str) -> tuple[JudgeFacet, ...]:
        """By whose scores they can be put in order."""
        return self.resting.get(run, "judges", lambda: judges(self.store, run)).value

    def judge(self, run: str, query: Query) -> tuple[JudgeFacet, str] | None:
        """The judge that was asked for, or the first, with the dimension; None where nobody has
        scored yet. Raises ``BadArgument``."""
        known = self.judges(run)
        judge = next((one for one in known if query.judge in (one.hash, "")), None)
        if judge is None:
            if query.judge:
                raise BadArgument("judge", query.judge, f"has scored nothing of run {run}")
            return None
        names = [name for name, _ in judge.dimensions]
        dimension = query.dimension or judge.first
        if dimension not in names:
            why = f"is no dimension of {judge.label}; there are {', '.join(names)}"
            raise BadArgument("dimension", dimension, why)
        return judge, dimension

    def prepare(self) -> None:
        """Do what the first list of a process takes beside reading rows: decoders and statements
        are made. Of no run anything is read."""
        make_decoder()
        none = ""
        choices(self.store, none)
        judges(self.store, none)
        page_of_episodes(self.store, Wanted(run=none))
        episodes_by_id(self.store, [none])
        scores_by_judge(self.store, none, [none])

    def warm(self, run: str) -> None:
        """Read the means of the first judge before anybody asks for their order."""
        chosen = self.judge(run, Query())
        if chosen is not None:
            self._ranks(run, *chosen)

    def show(self, run: str, query: Query, limit: int = PER_PAGE) -> Listing:
        """A page of a run's episodes (its id in full). Raises ``BadArgument``."""
        chosen = self.judge(run, query)
        if query.ranked and chosen is None:
            why = "is by a judge's scores, and nobody has scored this run yet"
            raise BadArgument("order", query.sort, why)
        if query.ranked:
            assert chosen is not None
            rows, total, after = self._ranked(run, query, *chosen, limit)
            start = query.start
        else:
            rows, total, start, after = self._ordered(run, query, limit)
        judge, dimension = chosen or (None, "")
        scores = self._scores(rows, judge, dimension) if judge else {}
        return Listing(
            rows=tuple(_row(row, *scores.get(row.id, ((), False))) for row in rows),
            total=total,
            start=start,
            after=after,
            scored_by=f"{dict(judge.dimensions)[dimension]}, {judge.label}" if judge else "",
        )

    def _wanted(self, run: str, query: Query) -> Wanted:
        wanted = query.wanted(run)
        if not query.reason:
            return wanted
        failed = self.resting.get(run, "failed", lambda: failed_episodes(self.store, run)).value
        return msgspec.structs.replace(wanted, ids=failed.get(query.reason, ()))

    def _ordered(
        self, run: str, query: Query, limit: int
    ) -> tuple[Sequence[EpisodeRow], int, int, str]:
        """By what the store knows."""
        cursor, total, start = _cursor(query.after)
        found = page_of_episodes(
            self.store,
            self._wanted(run, query),
            one_of("sort", query.sort, ORDERS),
            descending=query.down,
            limit=limit,
            skip=0 if cursor else query.start,
            after=cursor,
        )
        if cursor is None:
            total, start = found.total or 0, query.start
        more = found.rows and start + len(found.rows) < total
        end = _text(found.cursors[-1], total, start + len(found.rows)) if more else ""
        return found.rows, total, start, end

    def _ranked(
        self, run: str, query: Query, judge: JudgeFacet, dimension: str, limit: int
    ) -> tuple[Sequence[EpisodeRow], int, str]:
        """By scores."""
        wanted = self._wanted(run, query)

        def work() -> list[str]:
            found = self._ranks(run, judge, dimension)
            everybody = wanted == Wanted(run=run) and (query.ranged or query.only == "missing")
            among = None if everybody else frozenset(episode_ids(self.store, wanted))
            by_score = query.sort == "score"
            return found.order(
                descending=query.down and by_score,
                low=query.low,
                high=query.high,
                missing=query.only == "missing",
                among=among,
            )

        fixed = msgspec.structs.replace(query, start=0, after="", dimension=dimension)
        ids = self.resting.get(run, f"ranked {fixed.url()} {judge.hash}", work).value
        some = ids[query.start : query.start + limit]
        rows = episodes_by_id(self.store, some)
        return [rows[id_] for id_ in some if id_ in rows], len(ids), ""

    def _ranks(self, run: str, judge: JudgeFacet, dimension: str) -> Ranks:
        def work() -> Ranks:
            return Ranks(self.means.of(run, judge.hash, dimension))

        return self.resting.get(run, f"ranks {judge.hash} {dimension}", work).value

    def _scores(
        self, rows: Sequence[EpisodeRow], judge: JudgeFacet, dimension: str
    ) -> dict[str, tuple[tuple[float | None, ...], bool]]:
        """Of some episodes, each seat's score, and whether one is missing."""
        seats: dict[str, dict[int, dict[str, float]]] = {}
        missing: dict[str, set[tuple[int, str]]] = {}
        found = scores_by_judge(self.store, judge.hash, [row.id for row in rows])
        for episode, seat, name, status, value in found:
            values = seats.setdefault(episode, {}).setdefault(seat, {})
            gone = missing.setdefault(episode, set())
            if value is not None:
                values[name] = value
                gone.discard((seat, name))
            elif status == "failed" and name not in values:
                gone.add((seat, name))
        overall = overall_of(judge.asked) if dimension == OVERALL else None

        def shown(values: dict[str, float]) -> float | None:
            return overall.value(values) if overall else values.get(dimension)

        return {
            row.id: (
                tuple(shown(seats[row.id].get(seat, {})) for seat in range(len(row.minds))),
                bool(missing[row.id]),
            )
            for row in rows
            if row.id in seats
        }


def query_of(given: Mapping[str, str]) -> Query:
    """What an address asks for. Raises ``BadArgument``."""
    known = {
        name: value[:500]
        for name, value in given.items()
        if name in Query.__struct_fields__ and value
    }
    known["down"] = "true" if known.get("down") in ("1", "true") else "false"
    one_of("sort", known.get("sort", "plan"), SORTS)
    one_of("only", known.get("only", ""), get_args(Only))
    one_of("status", known.get("status", ""), (*STATUSES, ""))
    try:
        query = msgspec.convert(known, decodable(Query), strict=False)
    except msgspec.ValidationError as error:
        raise BadArgument("address", "&".join(known), str(error)) from error
    if not 0 <= query.start < _LAST:
        raise BadArgument("start", str(query.start), f"must be 0 or more, and below {_LAST:,}")
    # What is chosen by scores comes in their order.
    return msgspec.structs.replace(query, sort="score") if query.ranked else query


def _row(row: EpisodeRow, scores: tuple[float | None, ...], missing: bool) -> EpisodeListRow:
    names = row.characters or ("",) * len(row.minds)
    lasted = None
    if row.started_at is not None and row.ended_at is not None:
        lasted = (row.ended_at - row.started_at) / 1e6
    ending = row.end_reason
    return EpisodeListRow(
        id=row.id,
        title=row.scenario or row.task or row.id,
        who=tuple(zip(names, row.minds, strict=False)),
        status=row.status,
        ending=ending.replace("_", " ") if row.status == "ended" else reason_words(ending),
        turns=row.turns,
        failures=row.failed_actions,
        lasted_s=lasted,
        scores=scores,
        missing=missing,
        fork=row.parent is not None,
        chain=row.chain,
        index=row.index,
    )


def _text(cursor: Cursor, total: int, start: int) -> str:
    return msgspec.json.encode((cursor, total, start)).decode()


def _cursor(text: str) -> tuple[Cursor | None, int, int]:
    if not text:
        return None, 0, 0
    try:
        return msgspec.json.decode(text, type=decodable(tuple[Cursor, int, int]))
    except msgspec.MsgspecError as error:
        raise BadArgument("after", text, "names no row; begin with the first page") from error
