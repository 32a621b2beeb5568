"""The researcher's pages of runs: all of them, one, its episodes, two side by side, a new one."""

from collections.abc import Sequence

from litestar.types import ControllerRouterHandler

from gateway.pages.runs import (
    compare_page,
    episode_list_page,
    new_run_page,
    one_run,
    run_actions,
    run_list_page,
)
from gateway.pages.runs.run_pages import running

__all__ = ["routes", "running"]


def routes() -> Sequence[ControllerRouterHandler]:
    return [
        *run_list_page.ROUTES,
        *one_run.ROUTES,
        *run_actions.ROUTES,
        *episode_list_page.ROUTES,
        *compare_page.ROUTES,
        *new_run_page.ROUTES,
    ]
