"""Games with hidden roles: the hunt by eight rehearsal minds, everything over NATS and stored.

python -m tests.benchmarks.bench_games
"""

import time
from collections.abc import Iterator
from itertools import count

from actors.games.catalog.starter import starter_catalog
from actors.games.rehearsal.mind import LegalMind
from actors.games.ruleset import NAME
from actors.games.setup import Settings
from actors.games.tasks import TASKS
from actors.social.rehearsal import RehearsalMind as SocialMind
from events.episode import EpisodeStarted
from events.ids import EPISODE, new_id
from events.minds import MindSpec
from gateway.process.worker_node import WorkerNode
from tests.benchmarks.bench_turns import turns_per_second
from tests.benchmarks.episodes import on_worker_node, play_all
from tests.benchmarks.speed import machine_speed
from tests.benchmarks.table import Row

GAMES, AT_ONCE, SEATS = 1_000, 300, 8
MOST_ACTS = 400
"""Of a game, on the average: for reading them all."""
OPEN = MindSpec(name="open", kind="rehearsal", temper="open")


def hunt(number: int) -> EpisodeStarted:
    """A hunt of eight players from the catalog that comes with Troupe."""
    catalog, task = starter_catalog(), f"hunt-{SEATS}-{number}"
    beginning = TASKS.begin(catalog, task, Settings(), number)
    return EpisodeStarted(
        run="",
        task=task,
        catalog=catalog.name,
        environment=NAME,
        setup=beginning.setup,
        scenario=beginning.scenario,
        title=beginning.title,
        characters=beginning.characters,
        minds=(OPEN,) * SEATS,
    )


async def played_and_stored(bench: WorkerNode) -> tuple[float, float, int]:
    """Games a second, microseconds of this process's CPU an act, and acts; warmed up."""
    bench.episodes.make_mind = lambda *_: LegalMind("open")
    numbers = count(1)
    await play_all(bench, _ids(20), lambda _: hunt(next(numbers) % GAMES + 1), 20)
    head = bench.store.head()
    wall, cpu = time.perf_counter(), time.process_time()
    await play_all(bench, _ids(GAMES), lambda _: hunt(next(numbers) % GAMES + 1), AT_ONCE)
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    taken = bench.store.read_all(head, tags=["ActionTaken"], limit=GAMES * MOST_ACTS)
    return GAMES / wall, 1e6 * cpu / len(taken), len(taken)


def rows() -> Iterator[Row]:
    """The table."""
    _, social = on_worker_node(
        lambda bench: turns_per_second(bench, lambda: SocialMind("generous"))
    )
    rate, cpu, acts = on_worker_node(played_and_stored)
    least = 20 * machine_speed()
    yield Row(
        f"{GAMES:,} hunts of {SEATS} seats, NATS and store",
        f"{rate:.1f} games/s",
        f"{acts:,} acts",
        f"≥ {least:.0f}/s: 20/s at speed 1",
        rate >= least,
    )
    yield Row(
        "  an act of theirs, rehearsal",
        f"{cpu:.0f} µs CPU",
        f"a social turn: {social:.0f} µs CPU",
        "≤ 3 ×",
        cpu <= 3 * social,
    )


def _ids(number: int) -> list[str]:
    return [new_id(EPISODE) for _ in range(number)]


def main() -> None:
    """Print the table."""
    for row in rows():
        print(row, flush=True)


if __name__ == "__main__":
    main()
