"""A run on world trees as large as is wanted, walked, asked and judged, written straight into a
store.

Minds choose at random; a fiftieth of the answers to samples cannot be read.
"""

import random
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from actors.worldtree.catalog_items import Catalog
from actors.worldtree.setup import Inquiry, Settings, Walk
from actors.worldtree.task_setup import TASKS
from actors.worldtree.tasks import entries
from actors.worldtree.trees.tree import ACHIEVED, NOT, PARTLY, Tree
from evaluators.worldtree.plugin import ABILITY, GOAL, WORLDTREE
from events.base import Envelope, Event
from events.episode import EpisodeEnded, EpisodeStarted
from events.evaluation import EvaluationEnded, EvaluationStarted, Scored
from events.ids import new_event_id
from events.minds import MindSpec
from events.run import Plan, PlannedEpisode, RunEnded, RunPlanned
from events.serialization.codec import encode
from events.serialization.fingerprints import judge_hash
from events.wire.subjects import stream_name
from store.log.event_store import EventStore
from store.projections.maintenance.projector import catch_up
from store.read_model.catalogs import save_catalog

RUN = "r1"
_CATALOG = "bench"
_OUTCOMES = {ACHIEVED: "achieved", PARTLY: "partly", NOT: "not", None: "unscored"}
_VALUES = {"achieved": 2.0, "partly": 1.0, "not": 0.0, "right": 1.0, "wrong": 0.0}
_BATCH = 500
_PLAYED_AT = 1_700_000_000_000_000


def write_run(store: EventStore, trees: Sequence[Tree], minds: int, walks: int) -> int:
    """So many walks a mind through each tree, and each sample once; how many episodes that is."""
    catalog = Catalog(name=_CATALOG, trees=tuple(trees))
    save_catalog(store, catalog, "made up")
    specs = tuple(MindSpec(name=f"model-{place:02}", kind="model") for place in range(minds))
    planned = tuple(
        PlannedEpisode(id=f"e{number:06}", task=task, minds=(spec.name,), seed=number)
        for number, (spec, task) in enumerate(
            (spec, entry.id)
            for spec in specs
            for entry in entries(catalog)
            for _ in range(walks if entry.id.startswith("walk.") else 1)
        )
    )
    plan = Plan(
        name="bench",
        environment="worldtree",
        settings=Settings(),
        catalog=_CATALOG,
        minds=specs,
        judges=WORLDTREE.judges,
    )
    ended = RunEnded(
        episodes_ended=len(planned),
        episodes_failed=0,
        evaluations_ended=len(planned),
        evaluations_failed=0,
    )
    begun: list[Event] = [RunPlanned(plan=plan, episodes=planned), ended]
    store.import_envelopes([*_envelopes(stream_name("run", RUN), begun)])
    draw = random.Random(1)
    by_name = {spec.name: spec for spec in specs}
    for begins in range(0, len(planned), _BATCH):
        batch = planned[begins : begins + _BATCH]
        store.import_envelopes(
            [
                envelope
                for one in batch
                for stream, events in _episode(catalog, one, by_name[one.minds[0]], draw)
                for envelope in _envelopes(stream, events)
            ]
        )
    catch_up(store)
    return len(planned)


def _episode(
    catalog: Catalog, planned: PlannedEpisode, mind: MindSpec, draw: random.Random
) -> Iterator[tuple[str, list[Event]]]:
    beginning = TASKS.begin(catalog, planned.task, Settings(), planned.seed)
    setup: Any = beginning.setup
    started = EpisodeStarted(
        run=RUN,
        task=planned.task,
        catalog=_CATALOG,
        environment="worldtree",
        setup=setup,
        scenario=beginning.scenario,
        title=beginning.title,
        characters=beginning.characters,
        minds=(mind,),
    )
    summary = _walked(setup, draw) if isinstance(setup, Walk) else _answered(setup, draw)
    yield (
        stream_name("episode", planned.id),
        [started, EpisodeEnded(reason="ended", turn=1, summary=summary)],
    )
    came = summary.get("outcome", summary.get("verdict"))
    judge = WORLDTREE.judges[0 if isinstance(setup, Walk) else 1]
    dimension = GOAL if isinstance(setup, Walk) else ABILITY
    if came in _VALUES:
        value = _VALUES[str(came)]
        yield (
            stream_name("evaluation", f"{planned.id}j"),
            [
                EvaluationStarted(
                    episode=planned.id, upto=1, judge=judge, judge_hash=judge_hash(judge), run=RUN
                ),
                Scored(seat=0, dimension=dimension.name, value=value, reason=str(came)),
                EvaluationEnded(scored=1, failed=0, abstained=0),
            ],
        )


def _walked(setup: Walk, draw: random.Random) -> dict[str, str | int | float | bool]:
    nodes = {node.id: node for node in setup.tree.nodes}
    node = nodes[0]
    path = [0]
    while node.edges:
        node = nodes[draw.choice(node.edges).to]
        path.append(node.id)
    return {
        "kind": "walk",
        "tree": setup.tree.id,
        "language": setup.tree.language,
        "orientation": setup.tree.orientation,
        "outcome": _OUTCOMES[node.goal],
        "path": " ".join(map(str, path)),
    }


def _answered(setup: Inquiry, draw: random.Random) -> dict[str, str | int | float | bool]:
    verdict = draw.choices(("right", "wrong", "failed"), (70, 28, 2))[0]
    sample = setup.sample
    return {
        "kind": "ability",
        "sample": sample.id,
        "language": sample.language,
        "verdict": verdict,
    }


def _envelopes(stream: str, events: list[Event]) -> Iterator[Envelope]:
    for version, event in enumerate(events):
        yield Envelope(
            event_id=new_event_id(),
            stream=stream,
            version=version,
            position=0,
            tag=type(event).__name__,
            schema=type(event).SCHEMA,
            recorded_at=_PLAYED_AT + version,
            correlation=RUN,
            causation="",
            payload=msgspec.Raw(encode(event)),
        )
