"""What the pages of runs keep for as long as the process lives."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Final

import structlog

from evaluators.episode_means import EpisodeMeans
from evaluators.report.drawing import Chart
from gateway.http.context import Gateway
from gateway.pages.runs.board import Board
from gateway.pages.runs.episode_list import EpisodeLists
from gateway.pages.runs.findings import RunFindings, run_findings
from gateway.pages.runs.resting import Answer, Resting
from gateway.settings import Settings
from store.log import EventStore

log = structlog.get_logger(__name__)
LOOK_S: Final = 2.0
"""Seconds between two looks at what was scored."""


class Desk:
    """The runs, as pages ask for them. Blocking; safe from several threads."""

    def __init__(self, settings: Settings, store: EventStore) -> None:
        self.settings, self.store = settings, store
        self.resting = Resting(store)
        self.board = Board(settings, store)
        self.means = EpisodeMeans(store)
        self.lists = EpisodeLists(store, self.resting, self.means)

    def findings(self, run: str) -> Answer[RunFindings]:
        """A run's tables and charts, its id in full."""
        return self.resting.get(run, "findings", lambda: run_findings(self.store, run))

    def chart(self, run: str, name: str) -> Chart | None:
        """One of its charts."""
        return self.findings(run).value.chart(name)


@asynccontextmanager
async def running(gateway: Gateway) -> AsyncIterator[None]:
    """Beside the application: see ``gateway.http.parts``."""
    desk = gateway.runs = Desk(gateway.settings, gateway.store)
    task = asyncio.get_running_loop().create_task(_keep_up(desk.means))
    try:
        yield
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task


async def _keep_up(means: EpisodeMeans) -> None:
    """Take in what judges give as it is stored: whoever wants the order by it finds it made."""
    while True:
        try:
            await asyncio.to_thread(means.keep_up)
        except Exception as error:  # noqa: BLE001 - the database is away; whoever asks looks anew
            log.warning("episode_means_not_kept", error_type=type(error).__name__)
        await asyncio.sleep(LOOK_S)
