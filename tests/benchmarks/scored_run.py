"""A run as large as is wanted, played and judged, written straight into a store.

Two seats, four minds in all pairings over 90 scenarios with five casts each, two judges of seven
dimensions. A hundredth of the episodes have an action that failed, a two-hundredth of the scores
are missing.
"""

import random
from collections.abc import Iterator, Sequence

import msgspec

from actors.social.actions import Action
from actors.social.setup import EpisodeRules
from evaluators.social.sotopia_eval import DIMENSIONS
from events.base import Envelope, Event
from events.episode import ActionFailure, ActionTaken, EpisodeEnded
from events.evaluation import EvaluationEnded, EvaluationStarted, JudgeSpec, Scored, ScoreFailed
from events.ids import new_event_id
from events.minds import MindSpec
from events.run import Plan, PlannedEpisode, RunEnded, RunPlanned
from events.serialization.codec import encode
from events.serialization.fingerprints import judge_hash
from events.wire.subjects import stream_name
from store.log.event_store import EventStore
from store.projections.maintenance.projector import catch_up
from tests.benchmarks.episodes import LINE, SCENARIO, started
from tests.support.builders import opened

RUN = "r1"
TURNS = 6
SCENARIOS, CASTS = 90, 5
MINDS = tuple(MindSpec(name=name, kind="model") for name in ("amber", "birch", "cedar", "dune"))
JUDGES = tuple(
    JudgeSpec(name=name, kind="model", rubric="sotopia", dimensions=DIMENSIONS)
    for name in ("mild", "strict")
)
REASON = "Named a price and kept to it, and gave the other the blanket in return for the seat."
_PLAYED_AT = 1_700_000_000_000_000
_EPISODES_A_BATCH = 200


def write_run(
    store: EventStore,
    episodes: int,
    casts: int = CASTS,
    *,
    turns: int = TURNS,
    judges: Sequence[JudgeSpec] = JUDGES,
) -> int:
    """Write a run of so many episodes, all casts of all scenarios by one pairing of minds after the
    other; how many scores it has, missing ones included."""
    planned = tuple(_planned(number, casts) for number in range(episodes))
    plan = Plan(
        name="bench",
        environment="social",
        settings=EpisodeRules(turn_cap=turns),
        catalog="bench",
        minds=MINDS,
        judges=tuple(judges),
    )
    begun = RunPlanned(plan=plan, episodes=planned)
    ended = RunEnded(
        episodes_ended=episodes,
        episodes_failed=0,
        evaluations_ended=len(judges) * episodes,
        evaluations_failed=0,
    )
    draw = random.Random(1)
    store.import_envelopes([*envelopes(stream_name("run", RUN), [begun, ended])])
    for begin in range(0, episodes, _EPISODES_A_BATCH):
        batch = [
            envelope
            for number, one in enumerate(planned[begin : begin + _EPISODES_A_BATCH], begin)
            for stream, events in _episode(number, one, draw, turns, judges)
            for envelope in envelopes(stream, events)
        ]
        store.import_envelopes(batch)
    catch_up(store)
    return episodes * len(judges) * len(DIMENSIONS) * 2


def _planned(number: int, casts: int) -> PlannedEpisode:
    task, pairing = number % (SCENARIOS * casts), number // (SCENARIOS * casts)
    minds = (MINDS[pairing % 4].name, MINDS[pairing // 4 % 4].name)
    return PlannedEpisode(id=f"e{number:06}", task=f"t{task}", minds=minds)


def _episode(
    number: int,
    planned: PlannedEpisode,
    draw: random.Random,
    turns: int,
    judges: Sequence[JudgeSpec],
) -> Iterator[tuple[str, list[Event]]]:
    """The streams of one episode and its evaluations."""
    own = stream_name("episode", planned.id)
    scenario = f"s{number % SCENARIOS:02}"
    specs = {mind.name: mind for mind in MINDS}
    first = msgspec.structs.replace(
        started(turns),
        run=RUN,
        task=planned.task,
        scenario=scenario,
        title=f"{SCENARIO.codename} {scenario}",
        minds=tuple(specs[name] for name in planned.minds),
    )
    failing = draw.random() < 0.01
    failure = ActionFailure(reason="timeout", detail="no answer came within 60 s")
    events: list[Event] = [first]
    for turn in range(1, turns + 1):
        seat = (turn + 1) % 2
        failed = failing and turn == (turns + 1) // 2
        action = Action(kind="none") if failed else Action(kind="speak", text=f"{turn}: {LINE}")
        events.append(opened(turn, (seat,)))
        events.append(
            ActionTaken(turn=turn, seat=seat, action=action, failure=failure if failed else None)
        )
    yield own, [*events, EpisodeEnded(reason="turn_cap", turn=turns)]
    for judge in judges:
        yield (
            stream_name("evaluation", f"{planned.id}{judge.name}"),
            list(_evaluation(planned.id, judge, draw, 2 * turns + 1)),
        )


def _evaluation(episode: str, judge: JudgeSpec, draw: random.Random, upto: int) -> Iterator[Event]:
    yield EvaluationStarted(
        episode=episode, upto=upto, judge=judge, judge_hash=_HASHES[judge.name], run=RUN
    )
    missing = 0
    for seat in range(2):
        for dimension in DIMENSIONS:
            if draw.random() < 0.005:
                missing += 1
                yield ScoreFailed(seat=seat, dimension=dimension.name, error="no JSON", raw="")
                continue
            value = float(draw.randint(round(dimension.low), round(dimension.high)))
            yield Scored(
                seat=seat, dimension=dimension.name, value=value, reason=REASON, evidence=(2, 4)
            )
    yield EvaluationEnded(scored=14 - missing, failed=missing, abstained=0)


def envelopes(stream: str, events: list[Event], run: str = RUN) -> Iterator[Envelope]:
    """Events as they are stored, of a run."""
    for version, event in enumerate(events):
        yield Envelope(
            event_id=new_event_id(),
            stream=stream,
            version=version,
            position=0,
            tag=type(event).__name__,
            schema=type(event).SCHEMA,
            recorded_at=_PLAYED_AT + version,
            correlation=run,
            causation="",
            payload=msgspec.Raw(encode(event)),
        )


_HASHES = {judge.name: judge_hash(judge) for judge in JUDGES}
