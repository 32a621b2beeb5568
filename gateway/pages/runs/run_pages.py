"""What the pages of runs keep for as long as the process lives."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Final

import structlog

from evaluators.report.charts.svg_charts import Chart
from evaluators.scores.episode_means import EpisodeMeans
from gateway.http.context import Gateway
from gateway.http.static_files import STATIC
from gateway.http.templates import templates
from gateway.services.results.findings import RunFindings, run_findings
from gateway.services.results.result_cache import CachedResult, ResultCache
from gateway.services.runs.episode_list import EpisodeLists
from gateway.services.runs.run_list import RunList
from gateway.settings import Settings
from store.log.event_store import EventStore

log = structlog.get_logger(__name__)
LISTENS_S: Final = 0.2
"""Seconds until a process that starts listens: nothing is to delay that."""
_FIRST: Final = ("base.html", "runs/")
"""Templates that are compiled before they are asked for."""
LOOK_S: Final = 2.0
"""Seconds between two looks at what was scored."""


class RunPages:
    """The runs, as pages ask for them. Blocking; safe from several threads."""

    def __init__(self, settings: Settings, store: EventStore) -> None:
        self.settings, self.store = settings, store
        self.resting = ResultCache(store)
        self.board = RunList(settings, store)
        self.means = EpisodeMeans(store)
        self.lists = EpisodeLists(store, self.resting, self.means)

    def prepare(self) -> None:
        """Do what else the first page of a process would wait for."""
        STATIC.digest  # noqa: B018 - all static files are read
        made = templates()
        for name in made.list_templates(filter_func=lambda name: name.startswith(_FIRST)):
            made.get_template(name)
        self.lists.prepare()

    def findings(self, run: str) -> CachedResult[RunFindings]:
        """A run's tables and charts, its id in full."""
        return self.resting.get(run, "findings", lambda: run_findings(self.store, run))

    def chart(self, run: str, name: str) -> Chart | None:
        return self.findings(run).value.chart(name)


@asynccontextmanager
async def running(gateway: Gateway) -> AsyncIterator[None]:
    """Beside the application: see ``gateway.http.route_modules``."""
    desk = gateway.runs = RunPages(gateway.settings, gateway.store)
    loop = asyncio.get_running_loop()
    tasks = [loop.create_task(_keep_up(desk.means)), loop.create_task(_prepare(desk))]
    try:
        yield
    finally:
        for task in tasks:
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task


async def _prepare(desk: RunPages) -> None:
    await asyncio.sleep(LISTENS_S)
    try:
        await asyncio.to_thread(desk.prepare)
    except Exception as error:  # noqa: BLE001 - the first page takes longer and says what is wrong
        log.warning("pages_not_prepared", error_type=type(error).__name__)


async def _keep_up(means: EpisodeMeans) -> None:
    """Take in what judges give as it is stored: whoever wants the order by it finds it made."""
    while True:
        try:
            await asyncio.to_thread(means.keep_up)
        except Exception as error:  # noqa: BLE001 - the database is away; whoever asks looks anew
            log.warning("episode_means_not_kept", error_type=type(error).__name__)
        await asyncio.sleep(LOOK_S)
