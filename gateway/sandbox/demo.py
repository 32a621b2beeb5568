"""``troupe town demo``: two days of our own town, one task of each kind, and its map."""

from pathlib import Path
from typing import Final

from evaluators.report.data.run_data import gather
from evaluators.sandbox.results import KINDS, PlayedTask, TaskResults, results_of
from gateway.cli.options import open_session
from gateway.cli.play_with_progress import play_demo
from gateway.cli.terminal.output import (
    console,
    numbers,
    print_next,
    print_table,
    say,
)
from gateway.http.authentication import Access
from gateway.process.page_links import base_of
from gateway.services.access.token_repository import new_principal
from gateway.settings import Settings
from store.log.event_store import EventStore
from store.read_model import queries

PLAN: Final = Path(__file__).with_name("demo.toml")
_TOLD: Final = "A town of twelve lives two days, {} times"
PLAIN, PLANNING = "ga", "ga+tdp"
"""The minds of its performers."""
WEEK_S: Final = 7 * 86_400.0
"""For how long the link signs in, in seconds."""


def demo() -> None:
    """Simulate two days of a town, offline, and show it on its map.

    Simulates Ternby, Troupe's own town of twelve people, with a task of each kind, and with two
    performers: one without and one with a plan for its goal. The minds follow built-in rules. Needs
    no key, no network and no database server.
    """
    with open_session() as (settings, store):
        run = play_demo(settings, store, PLAN, _TOLD, "troupe town demo")
        results = results_of(gather(store, run))
        _print(store, results)
        watched = next(one for one in results.tasks if (one.kind, one.who) == ("public", PLANNING))
        print_next(
            [
                (f"troupe town score {run}", "who did what, when and where, by both scorers"),
                (f"troupe show {watched.episode}", "show the actions of all, hour by hour"),
                (f"troupe town export {run} DIR", "trajectories as published"),
                ("troupe run plans/town.toml", "all tasks of the town"),
            ]
        )
        _print_link(settings, store, watched.episode)


def _print(store: EventStore, results: TaskResults) -> None:
    say(
        "\nIn each town one of twelve has a task, and what everybody [bold]did[/] says how it "
        f"went, from 0 to 1. {PLANNING} plans for it first and tells the others place and hour:"
    )
    rows = []
    for kind, name in KINDS.items():
        by_mind = {one.who: one for one in results.tasks if one.kind == kind}
        title = queries.episode(store, by_mind[PLANNING].episode).scenario
        rows.append(
            (
                f"{name}: {title.rstrip('.')}",
                _value(by_mind[PLAIN]),
                _value(by_mind[PLANNING]),
            )
        )
    print_table(("task", *numbers(PLAIN, PLANNING)), rows)
    say("[dim]Minds of fixed rules, no language model: no findings.[/]")


def _value(played: PlayedTask) -> float | str:
    found = played.value("paper")
    return "missing" if found is None or found.value is None else found.value


def _print_link(settings: Settings, store: EventStore, episode: str) -> None:
    """A link to the map of a town."""
    link = Access(settings, store).link(
        new_principal("operator", expires_s=WEEK_S), to=f"/episodes/{episode}"
    )
    say("\n[bold]The town on its map[/]: start `troupe serve`, then open")
    # Never broken: it is there to be clicked.
    console().print(f"{base_of(settings)}{link}", soft_wrap=True, markup=False, highlight=False)
