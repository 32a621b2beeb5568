"""Episodes for benchmarks: made up, small, and played on a whole worker node."""

import asyncio
import tempfile
from collections.abc import Awaitable, Callable
from typing import TypeVar

from actors.episodes.mind import Decision, Scene
from actors.models.recording.call_log import CallRecorder
from actors.runtime.actors.event_loop import run
from actors.social.actions import Action
from actors.social.catalog_items import Character, RelationshipKind, Scenario
from actors.social.setup import EpisodeRules, SeatRelationship
from events.episode import EpisodeStarted
from events.minds import MindSpec
from gateway.process.logs import set_up_logs
from gateway.process.worker_node import WorkerNode
from gateway.settings import read_settings
from store.open_store import open_store
from tests.support.builders import social_start

T = TypeVar("T")

CAST = tuple(
    Character(
        id=f"c{n}",
        first_name=("Ana", "Bo")[n],
        last_name="Lund",
        age=40 + n,
        occupation="ferry pilot",
        public_info="Knows every sandbank between the islands.",
        personality="Dry, patient, slow to anger.",
        secret="Has lost the licence and tells nobody.",
    )
    for n in range(2)
)
SCENARIO = Scenario(
    id="s1",
    codename="ticket",
    context="Two people wait for the last ferry; there is one seat.",
    goals=("Get the seat", "Get the seat"),
)
LINE = "I could take the seat by the window, if you take the one outside and the blanket."


class LineMind:
    """Says one line, at once: what is left is the machinery."""

    def choose(self, scene: Scene) -> Action:
        """The same line in every turn."""
        return Action(kind="speak", text=LINE)

    async def decide(self, scene: Scene, calls: CallRecorder) -> Decision:
        """The same line in every turn."""
        return Decision(action=self.choose(scene))


def started(turns: int, mind: MindSpec | None = None) -> EpisodeStarted:
    """An episode of so many turns between two acquaintances."""
    mind = mind or MindSpec(name="line", kind="rehearsal", temper="generous")
    return social_start(
        run="",
        task="t1",
        catalog="bench",
        scenario=SCENARIO,
        cast=CAST,
        relationships=(
            SeatRelationship(seats=(0, 1), kind=RelationshipKind.FRIEND, story="Same street."),
        ),
        minds=(mind, mind),
        rules=EpisodeRules(turn_cap=turns, stale_turns=0),
    )


def on_worker_node(work: Callable[[WorkerNode], Awaitable[T]]) -> T:
    """Run something on a worker node of its own: embedded NATS, SQLite with every commit synced."""

    async def main() -> T:
        with tempfile.TemporaryDirectory() as folder:
            set_up_logs("warning")
            settings = read_settings({"TROUPE_DATA_DIR": folder})
            store = open_store(settings.database_url)
            try:
                async with WorkerNode(settings, store) as bench:
                    return await work(bench)
            finally:
                store.close()

    return run(main())


async def play_all(
    bench: WorkerNode, ids: list[str], beginning: Callable[[str], EpisodeStarted], at_once: int
) -> None:
    """Play every episode, so many at once, without the job queue."""
    waiting = iter(ids)

    async def work() -> None:
        for id_ in waiting:
            await bench.episodes.play(id_, "", beginning(id_))

    await asyncio.gather(*(work() for _ in range(at_once)))
