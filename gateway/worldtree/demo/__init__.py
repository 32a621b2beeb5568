"""The part of ``troupe demo`` that walks two trees and draws one."""

from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from actors.runs.work import Work
from actors.worldtree.setup import Outcome
from evaluators.worldtree.report.flow import flow_of
from evaluators.worldtree.report.tree_drawing import Shown, drawn
from evaluators.worldtree.results import Results
from gateway.cli.demos import finish
from gateway.cli.output import Column, escape, note, print_places, print_table, say
from gateway.cli.running import work_with_progress
from gateway.plans import prepare, record_run
from gateway.settings import Settings
from gateway.worldtree.scores import results_of_ids
from store.atomic_files import atomic_write
from store.log import EventStore

PLAN: Final = Path(__file__).with_name("demo.toml")
OUTCOMES: Final[tuple[Outcome, ...]] = ("achieved", "partly", "not", "failed")


def part(settings: Settings, store: EventStore, step: int) -> Callable[[], None]:
    """Walk two trees and draw the first. ``gateway.cli.demos.DemoPart``."""
    prepared = prepare(store, PLAN)
    plan, episodes = prepared.planned.plan, prepared.planned.episodes
    minds = " and ".join(mind.name for mind in plan.minds)
    note(f"[dim]{step}  Walk two trees {len(episodes)} times, with minds that are {minds}[/]")

    def begin() -> Work:
        record_run(store, prepared)
        return Work(prepared.run, [episode.id for episode in episodes], plan.judges)

    finish(work_with_progress(settings, store, begin, plan.concurrency))
    results = results_of_ids(store, [prepared.run])
    walked = list(dict.fromkeys(walk.tree for walk in results.walks))
    picture = settings.data_dir / "reports" / f"{walked[0]}.svg"
    _draw(results, walked[0], picture)
    return lambda: _print(results, walked, picture)


def _draw(results: Results, tree: str, path: Path) -> None:
    flow = flow_of([walk.path for walk in results.walks if walk.tree == tree])
    text = drawn(results.trees[tree], flow, shown=Shown(), name=tree, alone=True)
    path.parent.mkdir(parents=True, exist_ok=True)
    with atomic_write(path) as unfinished:
        unfinished.write_text(text, encoding="utf-8")


def _print(results: Results, walked: Sequence[str], picture: Path) -> None:
    titles = " and ".join(escape(results.trees[tree].title) for tree in walked)
    say(f"\n[bold]Two trees walked[/], {titles}: how often the goal was")
    rows = []
    for mind in results.minds:
        ends = Counter(walk.outcome for walk in results.walks if walk.who == mind)
        rows.append((mind, *(ends[outcome] for outcome in OUTCOMES)))
    print_table(("", *(Column(outcome, "number") for outcome in OUTCOMES)), rows)
    print_places([("drawn", picture)])
