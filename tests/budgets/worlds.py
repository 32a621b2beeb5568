"""Steps of the other environments, the whole path."""

from actors.games.rehearsal.mind import LegalMind
from actors.worldtree.rehearsal import RehearsalMind
from actors.worldtree.setup import Settings
from actors.worldtree.task_setup import walk
from gateway.process.worker_node import WorkerNode
from tests.benchmarks import bench_games, bench_town, bench_worldtree
from tests.benchmarks.episodes import play_all
from tests.budgets.counting import Figure
from tests.budgets.node import new_ids, on_node

DEEP = 20
GAMES = 6
PEOPLE, STEPS = 10, 8 * 60
"""Of a town, from midnight on; a step is a minute."""


def worldtree_step() -> Figure:
    """Calls of a transition in a tree 20 deep, asked as by default: three questions."""

    async def play(bench: WorkerNode, walks: int) -> int:
        await walked(bench, walks)
        return walks * DEEP

    return on_node(play, 16)


async def walked(bench: WorkerNode, walks: int) -> list[str]:
    """Walk a deep tree, so many times at once; the episodes."""
    bench.episodes.make_mind = lambda *_: RehearsalMind("steady")
    ids = new_ids(walks)
    began = bench_worldtree.started([walk(bench_worldtree.deep(DEEP), Settings())])
    await play_all(bench, ids, began, walks)
    return ids


def game_act() -> Figure:
    """Calls of an act in a hunt of eight seats, by rehearsal minds."""
    acts = 0

    async def play(bench: WorkerNode, games: int) -> int:
        nonlocal acts
        bench.episodes.make_mind = lambda *_: LegalMind("open")
        head, first = bench.store.head(), acts == 0
        numbers = iter(range(1, games + 1))
        await play_all(bench, new_ids(games), lambda _: bench_games.hunt(next(numbers)), games)
        if first:  # They are the same games each time.
            acts = len(bench.store.read_all(head, tags=["ActionTaken"], limit=10_000))
        return acts

    return on_node(play, GAMES)


def town_decision() -> Figure:
    """Calls of a decision in a generated town, by rehearsal minds that plan and remember."""
    decisions = 0

    async def play(bench: WorkerNode, steps: int) -> int:
        nonlocal decisions
        head, first = bench.store.head(), decisions == 0
        await bench.episodes.play(new_ids(1)[0], "", bench_town.beginning(PEOPLE, steps))
        if first:  # It is the same town each time.
            decisions = len(bench.store.read_all(head, tags=["ActionTaken"], limit=10_000))
        return decisions

    return on_node(play, STEPS)
