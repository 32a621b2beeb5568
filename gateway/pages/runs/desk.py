"""What the pages of runs keep for as long as the process lives."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from evaluators.report.drawing import Chart
from gateway.http.context import Gateway
from gateway.pages.runs.board import Board
from gateway.pages.runs.episode_list import EpisodeLists
from gateway.pages.runs.findings import RunFindings, run_findings
from gateway.pages.runs.resting import Answer, Resting
from gateway.settings import Settings
from store.log import EventStore


class Desk:
    """The runs, as pages ask for them. Blocking; safe from several threads."""

    def __init__(self, settings: Settings, store: EventStore) -> None:
        self.settings, self.store = settings, store
        self.resting = Resting(store)
        self.board = Board(settings, store)
        self.lists = EpisodeLists(store, self.resting)

    def findings(self, run: str) -> Answer[RunFindings]:
        """A run's tables and charts, its id in full."""
        return self.resting.get(run, "findings", lambda: run_findings(self.store, run))

    def chart(self, run: str, name: str) -> Chart | None:
        """One of its charts."""
        return self.findings(run).value.chart(name)


@asynccontextmanager
async def running(gateway: Gateway) -> AsyncIterator[None]:
    """Beside the application: see ``gateway.http.parts``."""
    gateway.runs = Desk(gateway.settings, gateway.store)
    yield
