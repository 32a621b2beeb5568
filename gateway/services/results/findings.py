"""What the page of a run shows, computed as the report's is (``evaluators.report``)."""

import threading
from collections.abc import Iterator, Sequence
from typing import Any, Final, TypeVar

from evaluators.report.charts.svg_charts import Chart
from evaluators.report.data.downloads import Download
from evaluators.report.data.headlines import Headline
from evaluators.report.data.run_data import RunData, gather
from evaluators.report.page_values import accounts, by_all, by_judge
from evaluators.report.sections.extremes import extremes
from evaluators.report.sections.forks import forks
from store.log.event_store import EventStore

Found = TypeVar("Found", Chart, Download)
T = TypeVar("T")


class RunFindings:
    """A run's tables and charts, ready for templates. Those of a judge are worked out when somebody
    asks for them. Safe from several threads."""

    def __init__(self, gathered: RunData, values: dict[str, Any]) -> None:
        """``values``: for templates, of all judges together."""
        self.gathered, self.values = gathered, values
        self._of_judges: dict[int, dict[str, Any]] = {}
        self._lock = threading.Lock()

    @property
    def headlines(self) -> Sequence[Headline]:
        """The judges with scores, the first to be shown first."""
        found: Sequence[Headline] = self.values["headlines"]
        return found

    def headline(self, judge: str) -> Headline | None:
        """That of the judge whose hash begins so, or of the first; None: nobody has scored."""
        fits = (one for one in self.headlines if one.judge.judged.hash.startswith(judge))
        return next(fits, next(iter(self.headlines), None))

    def of(self, headline: Headline) -> dict[str, Any]:
        """What there is for one judge, by part; a part that there is nothing of is None."""
        with self._lock:
            found = self._of_judges.get(headline.place)
            if found is None:
                here = frozenset(row.id for row in self.gathered.episodes)
                parts = by_judge(self.gathered, [headline], here)
                parts["extremes"] = extremes(self.gathered, [headline])
                found = {name: next(iter(part), None) for name, part in parts.items()}
                self._of_judges[headline.place] = found
            return found

    def chart(self, name: str) -> Chart | None:
        return self._find(name, Chart)

    def table(self, name: str) -> Download | None:
        """A table by the name of its files."""
        return self._find(name, Download)

    def _find(self, name: str, kind: type[Found]) -> Found | None:
        """What is worked out already first."""
        return next((one for one in self._every(kind) if one.name == name), None)

    def _every(self, kind: type[Found]) -> Iterator[Found]:
        yield from all_of(self.values, kind)
        for headline in self.headlines:
            yield from all_of(self.of(headline), kind)


def run_findings(store: EventStore, run: str) -> RunFindings:
    """Of a run, its id in full. Blocking, and heavy on the processor for a long one."""
    gathered = gather(store, run)
    here = dict.fromkeys((row.id for row in gathered.episodes), "")
    return RunFindings(
        gathered, by_all(gathered) | accounts(gathered, here) | forks(store, gathered)
    )


def drawn(chart: Chart) -> str:
    """A chart as a picture of its own that follows light and dark. Blocking."""
    return str(chart.svg).replace(">", f"><style>{_COLOURS}</style>", 1)


def printed(chart: Chart) -> str:
    """A chart as a file for a paper: dark on white. Blocking."""
    return chart.alone


def all_of(values: object, kind: type[T]) -> Iterator[T]:
    """Everything of a kind, however deep in lists and mappings it is."""
    if isinstance(values, kind):
        yield values
    elif isinstance(values, dict):
        for one in values.values():
            yield from all_of(one, kind)
    elif isinstance(values, list | tuple):
        for one in values:
            yield from all_of(one, kind)


_LIGHT: Final = {
    "ink": "#1c2228", "muted": "#57616b", "line": "#dcdfe2", "card": "#ffffff",
    "judge-1": "#6a4fb0", "judge-2": "#c2570c", "judge-3": "#2f7d32",
    "judge-4": "#b3246b", "judge-5": "#6b6f1d", "judge-6": "#3d4f5c",
    "mind-1": "#1d63c9", "mind-2": "#a8323e", "mind-3": "#8f6d00",
    "mind-4": "#161b22", "mind-5": "#4d7c0f", "mind-6": "#0e7490",
}  # fmt: skip
_DARK: Final = {
    "ink": "#e6e9ec", "muted": "#a5afb9", "line": "#333a42", "card": "#1b1f24",
    "judge-1": "#b29cf0", "judge-2": "#f09a52", "judge-3": "#8cc76d",
    "judge-4": "#f083ab", "judge-5": "#c6c95e", "judge-6": "#aebfcc",
    "mind-1": "#7eb0ff", "mind-2": "#ff9a9a", "mind-3": "#e0bb45",
    "mind-4": "#f4f6f4", "mind-5": "#a5d65a", "mind-6": "#5fd0ec",
}  # fmt: skip
"""As ``gateway/static/runs/runs.css`` has them."""


def _rule(colours: dict[str, str]) -> str:
    return f":root{{{';'.join(f'--{name}:{value}' for name, value in colours.items())}}}"


_COLOURS: Final = f"{_rule(_LIGHT)}@media(prefers-color-scheme:dark){{{_rule(_DARK)}}}"
