"""``open_store``: everything in a store for analysis, read-only."""

import weakref
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa

from evaluators.scores.score_columns import read_columns
from evaluators.scores.seat_scores import find_judge
from evaluators.statistics.paired_differences import PAIR_ON, Key, Side, Within
from evaluators.statistics.populations import Population
from events.untrusted.safe_text import shortened
from gateway.errors import GatewayError
from gateway.notebook.comparison import Comparison, compare
from gateway.notebook.curves import Curves, curves_of
from gateway.notebook.episodes import Episode, Transcript, transcript_of
from gateway.notebook.exports import Filters as ExportFilters
from gateway.notebook.exports import export
from gateway.notebook.frames import Table
from gateway.notebook.runs import Run
from gateway.services.files.export import ExportResult, beyond
from gateway.services.runs.resolve_ids import runs_meant
from gateway.services.runs.run_details import run_details
from gateway.settings import read_settings
from store.parquet.run_tables import Filters, read_frame
from store.parquet.schemas import SCHEMAS
from store.read_model import queries
from store.read_only_store import NoSuchStore, ReadOnlyStore, open_to_read


class NoStore(GatewayError):
    """There is nothing to open."""

    def __init__(self, url: str) -> None:
        super().__init__(
            f"there is no store at {shortened(url)}; name its data folder or its address, or set "
            "TROUPE_DATA_DIR (`make demo` makes one to try)"
        )
        self.url = url


Runs = str | Run | Sequence[str | Run]
"""One run or several: ids, how they begin, or what ``Store.run`` gave."""


def open_store(where: str | Path | None = None) -> "Store":
    """Open a store for analysis, while runs go on or after.

    ``where``: a data folder (``"troupe-data"``), a database file, or an address
    (``sqlite:////…``, ``postgresql://…``); None: what ``TROUPE_DATABASE_URL`` or
    ``TROUPE_DATA_DIR`` name, or ``./troupe-data``. Nothing is written and no table upgraded. Raises
    ``NoStore``, ``BadStoreUrl``, ``StoreUnavailable``, ``WrongSchema``.
    """
    address = address_of(where)
    try:
        return Store(open_to_read(address), address)
    except NoSuchStore as error:
        raise NoStore(error.url) from None


def address_of(where: str | Path | None) -> str:
    """The address that ``open_store`` opens."""
    if where is None:
        return read_settings().database_url
    if isinstance(where, str) and "://" in where:
        return where
    path = Path(where).expanduser().absolute()
    return f"sqlite:///{path / 'troupe.db' if path.is_dir() or not path.suffix else path}"


class Store:
    """A store that is only read. Each table shows what is there when its rows are asked for.

    ``runs``, ``episodes``, ``actions``, ``evaluations``, ``scores``, ``calls``, ``chains`` and
    ``memories`` are ``Table``s: ``store.scores(run="r4k").to_pandas()``;
    ``docs/reference/tables.md`` and ``store.scores.columns`` say what each column is.
    """

    def __init__(self, store: ReadOnlyStore, address: str) -> None:
        self.log = store
        """The events behind the tables."""
        self.address = address
        """Where it is, with a password where it needs one."""
        self._closing = weakref.finalize(self, store.close)
        made = {name: Table(name, self._read) for name in SCHEMAS}
        self.runs: Table = made["runs"]
        self.episodes: Table = made["episodes"]
        self.actions: Table = made["actions"]
        self.evaluations: Table = made["evaluations"]
        self.scores: Table = made["scores"]
        self.calls: Table = made["calls"]
        self.chains: Table = made["chains"]
        self.memories: Table = made["memories"]

    def run(self, run: str) -> Run:
        """A run (its id, or how it begins), which shows itself with its tables of means."""
        return Run(self, run_details(self.log, run, listed=0))

    def episode(self, episode: str) -> Episode:
        """An episode, which shows itself as its transcript with its scores."""
        return Episode(self, queries.episode(self.log, episode))

    def transcript(self, episode: str | Episode, viewer: str = "narrator") -> Transcript:
        """What happened in an episode: as rows (``.to_pandas()``), as text (``str``), as HTML.

        ``viewer``: ``narrator``, ``spectator``, or a seat's number as people count, from 1: who may
        not know something does not see it.
        """
        id_ = episode.id if isinstance(episode, Episode) else episode
        return transcript_of(self.log, id_, viewer)

    def compare(
        self,
        runs: Runs,
        by: Side = "mind",
        pair_on: Sequence[Key] = PAIR_ON,
        *,
        judge: str = "",
        dimension: str | Sequence[str] = (),
        within: Sequence[Within] | None = None,
        population: Population | None = None,
        unclean: bool = False,
    ) -> Comparison:
        """Compare each two minds (``by="run"``: runs, ``"memory"``: memories, ``"partner"``: with
        whom they met) over what both met: the scores that agree in ``pair_on``.

        Differences, intervals, p, Holm's p and d are those of ``docs/explanation/statistics.md``.
        ``judge``: a name, or how a hash begins; empty: all, each with tests of its own.
        ``dimension``: only these. ``within``: what is to be the same on both sides, a comparison
        for each; None: for minds the memory, for memories the mind, for runs and partners both.
        ``population``: what intervals speak of; None: chains where there are chains, else
        scenarios. ``unclean``: with episodes in which an action failed.
        """
        columns = read_columns(self.log, *self._ids(runs))
        return compare(
            columns,
            by,
            pair_on,
            judge=find_judge(columns.judges, judge).hash if judge else "",
            dimensions=(dimension,) if isinstance(dimension, str) else dimension,
            within=within,
            population=population,
            unclean=unclean,
        )

    def curves(self, runs: Runs, *, judge: str = "", dimension: str | Sequence[str] = ()) -> Curves:
        """The curves of chains: means by an episode's index, for each mind with each memory."""
        columns = read_columns(self.log, *self._ids(runs))
        judges = (find_judge(columns.judges, judge),) if judge else ()
        names = (dimension,) if isinstance(dimension, str) else dimension
        return curves_of(columns, judges, names)

    def export(
        self,
        what: "str | Run | Episode | Sequence[str | Run | Episode]",
        form: str,
        path: str | Path,
        *,
        filters: ExportFilters | None = None,
        exclude: str | Path | Sequence[str | Path] = (),
    ) -> ExportResult:
        """Write runs, chains or episodes into a file, as ``troupe export`` does; what was written:
        ``count`` lines or events, ``paths``, and a ``sentence`` that says so.

        ``form``: ``jsonl``, ``parquet``, ``calls``, or a format of the environment, such as
        ``sft``, ``rewards`` and ``pairs`` of social runs. ``filters``, ``exclude``: for these: a
        file of filters or what it would say, and lists of scenarios that are left out. Raises
        ``GatewayError``; then nothing is written.
        """
        given = [what] if isinstance(what, str | Run | Episode) else what
        ids = [one if isinstance(one, str) else one.id for one in given]
        return export(self.log, ids, form, path, filters, exclude)

    def close(self) -> None:
        """Let go of the database. Happens by itself when the store is no longer used."""
        self._closing()

    def __enter__(self) -> "Store":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"the store at {self.log.url}, read-only: {', '.join(SCHEMAS)}"

    def _ids(self, runs: Runs) -> list[str]:
        given = [runs] if isinstance(runs, str | Run) else runs
        names = [one.id if isinstance(one, Run) else one for one in given]
        return runs_meant(self.log, names)

    def _read(self, table: str, filters: Filters) -> Iterator[pa.Table]:
        return read_frame(self.log, table, self._whole(filters), beyond())

    def _whole(self, filters: Filters) -> dict[str, Sequence[Any]]:
        """The values with ids in full; of judges their hashes, where a name is none."""
        finders = {
            "run": queries.find_run,
            "episode": queries.find_episode,
            "chain": queries.find_chain,
            "parent": queries.find_episode,
        }
        whole: dict[str, Sequence[Any]] = {
            name: [
                finders[name](self.log, value) if name in finders and value else value
                for value in values
            ]
            for name, values in filters.items()
        }
        if "judge" in whole:
            hashes = queries.judge_hashes(self.log, whole.pop("judge"))
            known = whole.get("judge_hash", hashes)
            whole["judge_hash"] = [one for one in hashes if one in known]
        return whole
