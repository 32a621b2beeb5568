"""Events to fill a store with: whole runs, episodes, forks, evaluations and calls, made small."""

from collections.abc import Sequence
from typing import Literal

from actors.social.actions import Action
from actors.social.catalog_items import (
    Catalog,
    Character,
    Relationship,
    RelationshipKind,
    Scenario,
    Task,
)
from actors.social.setup import EpisodeRules
from events.agent import ModelAnswered, ModelAsked, ModelFailed
from events.base import Event
from events.chain import ChainAdvanced, ChainEnded, ChainStarted
from events.episode import (
    ActionFailure,
    ActionTaken,
    EpisodeEnded,
    EpisodeForked,
    EpisodeStarted,
    TurnOpened,
)
from events.evaluation import (
    Dimension,
    EvaluationEnded,
    EvaluationStarted,
    JudgeSpec,
    ScoreAbstained,
    Scored,
    ScoreFailed,
)
from events.memory import MemoryOpened, MemoryRecalled, MemorySpec, MemoryWritten, Note
from events.minds import MindSpec
from events.run import Plan, PlannedChain, PlannedEpisode, RunPlanned
from events.wire.subjects import agent_stream, memory_stream, stream_name
from store.log.event_store import ANY, NEW, EventStore
from tests.support.builders import opened, social_start

Purpose = Literal["act", "judge", "remember", "find"]

CALM = MindSpec(name="calm", kind="rehearsal", temper="calm")
KEEN = MindSpec(name="keen", kind="rehearsal", temper="keen")
STRICT = JudgeSpec(
    name="strict",
    kind="rehearsal",
    dimensions=(Dimension(name="goal", low=0, high=10), Dimension(name="secret", low=-10, high=0)),
)
NOTES = MemorySpec(name="notes", module="summary")
LENIENT = JudgeSpec(name="lenient", kind="rehearsal", dimensions=STRICT.dimensions)

ADA = Character(id="ada", first_name="Ada", last_name="Moor", age=34, occupation="beekeeper")
BEN = Character(
    id="ben", first_name="Ben", last_name="Okoye", age=41, occupation="baker", secret="owes Ada"
)
STALL = Scenario(
    id="stall", codename="market stall", context="Two neighbours share a stall.", goals=("a", "b")
)
CATALOG = Catalog(
    name="starter",
    characters=(ADA, BEN),
    relationships=(
        Relationship(id="ada-ben", characters=("ada", "ben"), kind=RelationshipKind.FRIEND),
    ),
    scenarios=(STALL,),
    tasks=(Task(id="stall-1", scenario="stall", characters=("ada", "ben")),),
)


def planned(*episodes: str, name: str = "trial") -> RunPlanned:
    """A run that is to play these episodes."""
    return RunPlanned(
        plan=Plan(
            name=name,
            environment="social",
            settings=EpisodeRules(),
            catalog="starter",
            minds=(CALM, KEEN),
            judges=(STRICT,),
        ),
        episodes=tuple(
            PlannedEpisode(id=id_, task="stall-1", minds=("calm", "keen")) for id_ in episodes
        ),
    )


def planned_chain(chain: str, *episodes: str) -> RunPlanned:
    """A run that is to play one chain, with notes for memory."""
    return RunPlanned(
        plan=Plan(
            name="lifelong",
            environment="social",
            settings=EpisodeRules(),
            catalog="starter",
            minds=(CALM, KEEN),
            memories=(NOTES,),
        ),
        episodes=tuple(
            PlannedEpisode(
                id=id_, task="stall", minds=("calm", "keen"), scenario="stall", chain=chain, index=n
            )
            for n, id_ in enumerate(episodes)
        ),
        chains=(
            PlannedChain(
                id=chain,
                characters=("ada", "ben"),
                minds=("calm", "keen"),
                memory="notes",
                episodes=episodes,
            ),
        ),
    )


def chain_started(run: str, *episodes: str) -> ChainStarted:
    """Ada and Ben are about to meet as often as there are episodes."""
    return ChainStarted(
        run=run,
        catalog="starter",
        characters=("ada", "ben"),
        minds=(CALM, KEEN),
        memory=NOTES,
        episodes=episodes,
        scenarios=("stall",) * len(episodes),
    )


def recalled(index: int, episode: str) -> MemoryRecalled:
    """All notes but the oldest fit."""
    return MemoryRecalled(
        index=index,
        episode=episode,
        recalled=tuple(range(1, index)),
        dropped=(0,) if index else (),
        tokens=40 * max(index - 1, 0),
        limit=1000,
    )


def written(index: int, episode: str, cost_usd: float | None = 0.5) -> MemoryWritten:
    """A model has written a note."""
    return MemoryWritten(
        index=index,
        episode=episode,
        note=Note(overview="They met."),
        words=2,
        tokens=40,
        writer="acme/m1",
        attempts=1,
        cost_usd=cost_usd,
        input_tokens=100,
        output_tokens=20,
    )


def play_chain(store: EventStore, chain: str, *episodes: str, run: str = "") -> None:
    """A whole chain: episodes, and what seat 0 remembers of them; seat 1 remembers nothing."""
    stream, memory = stream_name("chain", chain), memory_stream(chain, 0)

    def happened(stream: str, *events: Event) -> None:
        store.append(stream, ANY, events, correlation=run)

    happened(stream, chain_started(run, *episodes))
    happened(memory, MemoryOpened(chain=chain, seat=0, character="ada", memory=NOTES, run=run))
    for index, episode in enumerate(episodes):
        happened(memory, recalled(index, episode))
        play(store, episode, run=run, turns=1, chain=chain, index=index)
        ask(store, memory, run=run, turn=index, purpose="remember", cost_usd=0.5)
        happened(memory, written(index, episode))
        last = [ChainEnded(ended=len(episodes), failed=0)] * (episode == episodes[-1])
        happened(stream, ChainAdvanced(index=index, episode=episode, outcome="ended"), *last)


def started(run: str = "", chain: str = "", index: int = 0) -> EpisodeStarted:
    """Two seats, taken."""
    return social_start(
        chain=chain,
        index=index,
        run=run,
        task="stall-1",
        catalog="starter",
        scenario=STALL,
        cast=(ADA, BEN),
        minds=(CALM, KEEN),
    )


def turn(number: int, *, failed: bool = False) -> list[TurnOpened | ActionTaken]:
    """A turn in which the seat whose turn it is says something, or fails to."""
    seat = (number - 1) % 2
    action = Action(kind="none") if failed else Action(kind="speak", text=f"line {number}")
    failure = ActionFailure(reason="unreadable", detail="no JSON") if failed else None
    return [
        opened(number, (seat,)),
        ActionTaken(turn=number, seat=seat, action=action, failure=failure),
    ]


def play(
    store: EventStore,
    episode: str,
    *,
    run: str = "",
    turns: int = 3,
    chain: str = "",
    index: int = 0,
) -> None:
    """An episode from its start to its turn cap. Its last event is number ``2 * turns + 1``."""
    lines = [event for number in range(1, turns + 1) for event in turn(number)]
    events = [started(run, chain, index), *lines, EpisodeEnded(reason="turn_cap", turn=turns)]
    store.append(stream_name("episode", episode), NEW, events, correlation=run)


def fork(
    store: EventStore,
    parent: str,
    at: int,
    episode: str,
    *,
    run: str = "",
    turns: Sequence[int] = (),
) -> None:
    """A fork in which a calm mind takes both seats and plays some further turns."""
    lines = [event for number in turns for event in turn(number)]
    first = EpisodeForked(parent=parent, at=at, minds=(CALM, CALM), run=run)
    store.append(stream_name("episode", episode), NEW, [first, *lines], correlation=run)


def call(
    store: EventStore,
    episode: str,
    seat: int = 0,
    *,
    run: str = "",
    cost_usd: float | None = 0.25,
    turn: int = 1,
) -> None:
    """A call of an agent that was answered, and one that was not."""
    ask(store, agent_stream(episode, seat), run=run, cost_usd=cost_usd, turn=turn)


def ask(
    store: EventStore,
    stream: str,
    *,
    run: str = "",
    cost_usd: float | None = 0.25,
    turn: int = 1,
    purpose: Purpose = "act",
) -> None:
    """A call that was answered, and one that was not."""
    asked = ModelAsked(turn=turn, attempt=0, purpose=purpose, model="acme/m1", request_hash="h")
    answered = ModelAnswered(
        turn=turn,
        attempt=0,
        request_hash="h",
        text="…",
        input_tokens=100,
        output_tokens=20,
        cost_usd=cost_usd,
        latency_s=0.5,
        retries=1,
    )
    again = ModelAsked(turn=turn, attempt=1, purpose=purpose, model="acme/m1", request_hash="i")
    failed = ModelFailed(turn=turn, attempt=1, request_hash="i", reason="timeout", latency_s=1.5)
    store.append(stream, store.version(stream), [asked, answered, again, failed], correlation=run)


def evaluate(
    store: EventStore,
    evaluation: str,
    episode: str,
    *,
    run: str = "",
    judge: JudgeSpec = STRICT,
    goal: float = 7.0,
) -> None:
    """A judge who scores seat 0's goal, is unreadable about seat 1's, and abstains once."""
    events = [
        EvaluationStarted(
            episode=episode, upto=7, judge=judge, judge_hash=f"{judge.name}hash", run=run
        ),
        Scored(seat=0, dimension="goal", value=goal, reason="got it", evidence=(2, 4)),
        ScoreFailed(seat=1, dimension="goal", error="not a number", raw="seven"),
        ScoreAbstained(seat=1, dimension="secret", reason="never came up"),
        EvaluationEnded(scored=1, failed=1, abstained=1),
    ]
    store.append(stream_name("evaluation", evaluation), NEW, events, correlation=run)


def whole_run(store: EventStore) -> None:
    """Run ``r1``: two episodes of three planned, a fork of a fork, two judges, calls."""
    store.append("run-r1", NEW, [planned("e1", "e2", "e3")], correlation="r1")
    play(store, "e1", run="r1")
    play(store, "e2", run="r1")
    fork(store, "e1", 4, "e1f", run="r1", turns=(3, 4))
    fork(store, "e1f", 6, "e1ff", run="r1", turns=(4,))
    call(store, "e1", run="r1")
    call(store, "e1", 1, run="r1", cost_usd=None)
    evaluate(store, "v1", "e1", run="r1")
    evaluate(store, "v2", "e1", run="r1", judge=LENIENT, goal=9.5)
    evaluate(store, "v3", "e1f", run="r1")
