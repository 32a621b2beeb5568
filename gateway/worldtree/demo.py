"""``troupe worldtree demo``: two of our own trees walked, one of them drawn."""

from collections import Counter
from pathlib import Path
from typing import Final

from actors.worldtree.setup import Outcome
from evaluators.worldtree.report.edge_counts import flow_of
from evaluators.worldtree.report.tree_svg import TreeMarks, drawn
from evaluators.worldtree.values.results import Results
from gateway.cli.options import open_session
from gateway.cli.play_with_progress import play_demo
from gateway.cli.terminal.output import (
    escape,
    numbers,
    print_next,
    print_places,
    print_table,
    say,
)
from gateway.worldtree.score_command import results_of_ids
from store.files.atomic_files import atomic_write_text

PLAN: Final = Path(__file__).with_name("demo.toml")
_TOLD: Final = "Walk two world trees {} times"
DRAWN: Final = "the-lemon-tree-en"
_ENDS: Final[tuple[Outcome, ...]] = ("achieved", "partly", "not", "undecided")


def demo() -> None:
    """Walk two trees offline, and draw one with its walks.

    The trees are Troupe's own stories, one in each language; the minds choose by built-in rules.
    Needs no key, no network and no database server.
    """
    with open_session() as (settings, store):
        run = play_demo(settings, store, PLAN, _TOLD, "troupe worldtree demo")
        results = results_of_ids(store, [run])
        picture = _draw(results, settings.data_dir / "reports" / f"{run}-{DRAWN}.svg")
        _print(results, picture)
    print_next(
        [
            (f"troupe show {results.walks[0].episode}", "show one walk"),
            (f"troupe catalog show {DRAWN}", "the whole tree, abilities and outcomes included"),
            (f"troupe worldtree report {run}", "tables and figures as in the paper"),
            ("troupe run examples/crossroads.toml", "all our trees, and all their questions"),
        ]
    )


def _draw(results: Results, path: Path) -> Path:
    flow = flow_of([walk.path for walk in results.walks if walk.tree == DRAWN])
    path.parent.mkdir(parents=True, exist_ok=True)
    text = drawn(results.trees[DRAWN], flow, shown=TreeMarks(), name=DRAWN, alone=True)
    atomic_write_text(path, text)
    return path


def _print(results: Results, picture: Path) -> None:
    say(
        "\nA world tree is a story that branches. After each scene its protagonist says one of "
        "two lines or more, until an ending says whether the goal was achieved. How often each "
        "mind came to which end:"
    )
    walked = dict.fromkeys(walk.tree for walk in results.walks)
    for id_ in sorted(walked, key=lambda id_: results.trees[id_].language):
        tree = results.trees[id_]
        pair = (one for one in results.trees.values() if one.pair == tree.pair)
        told = next((one for one in pair if one.language == "en"), tree)
        also = "" if told is tree else f" ({told.title}, in Chinese)"
        say(f"\n[bold]{escape(tree.title + also)}[/]  {tree.orientation}")
        say(f"{escape(told.protagonist.name)} wants: {escape(told.protagonist.goal)}")
        rows = []
        for mind in results.minds:
            found = Counter(
                walk.outcome for walk in results.walks if (walk.tree, walk.who) == (id_, mind)
            )
            rows.append((mind, *(found[end] for end in _ENDS)))
        print_table(("mind", *numbers(*_ENDS)), rows)
    say("[dim]Minds of fixed rules, no language model: no findings.[/]")
    say(f"\n{escape(results.trees[DRAWN].title)} with the ways that were taken, for a browser")
    print_places((("drawn", picture),))
