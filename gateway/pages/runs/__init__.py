"""The researcher's pages of runs: all of them, one, its episodes, two side by side, a new one."""

from collections.abc import Sequence

from litestar.types import ControllerRouterHandler

from gateway.pages.runs import (
    all_runs,
    compare_pages,
    new_pages,
    one_run,
    run_actions,
    run_episodes,
)
from gateway.pages.runs.desk import running

__all__ = ["routes", "running"]


def routes() -> Sequence[ControllerRouterHandler]:
    """Of this part."""
    return [
        *all_runs.ROUTES,
        *one_run.ROUTES,
        *run_actions.ROUTES,
        *run_episodes.ROUTES,
        *compare_pages.ROUTES,
        *new_pages.ROUTES,
    ]
