"""A run as a store would hold it, made without playing it: minds, two judges, and every failure."""

import random
from collections.abc import Sequence

from actors.social.catalog_items import RelationshipKind
from actors.social.setup import EpisodeRules, SeatRelationship
from actors.social.sight import view
from evaluators.judges.make_judge import judge_for
from evaluators.registry import built_in
from evaluators.social.rehearsal_judge import judge
from events.agent import ModelAnswered, ModelAsked, ModelFailed
from events.base import Event
from events.episode import ActionFailure, EpisodeFailed, EpisodeStarted
from events.evaluation import (
    EvaluationEnded,
    EvaluationFailed,
    EvaluationStarted,
    JudgeSpec,
    ScoreAbstained,
    Scored,
    ScoreFailed,
)
from events.ids import EPISODE, EVALUATION, derived_id, digest_of
from events.minds import MindSpec, ModelSpec
from events.run import Plan, PlannedEpisode, RunEnded, RunPlanned
from events.serialization.codec import encode
from events.serialization.fingerprints import evaluation_id, judge_hash
from store.log.event_store import NEW, EventStore
from store.read_model import queries
from store.read_model.episode_history import read_history
from tests.evaluators.scripted import Stream
from tests.support.builders import Move, act, character, episode, mind, scenario, started

RUN = "rsynthetic123"
INJECTION = "<script>document.title='taken'</script><img src=x onerror=\"alert('x')\">&amp;"
CONTROLS = "\x1b]0;taken\x07\x9b2J\u202egnorw\u2028"
"""What a terminal or a browser would obey."""
MODEL = ModelSpec(name="openai/gpt-test")
MODEL_JUDGE = JudgeSpec(
    name="careful-model",
    kind="model",
    dimensions=built_in()["rehearsal-strict"].dimensions,
    model=ModelSpec(name="openai/judge-test", temperature=0.0, max_tokens=4000),
    prompt_version="judge-v1@0123456789ab",
)
STRICT, LENIENT = built_in()["rehearsal-strict"], built_in()["rehearsal-lenient"]
MINDS = (
    mind("warm"),
    mind("cold", temper="stubborn"),
    mind("gpt-test", "model", model=MODEL),
)

_SCENES = (
    scenario(),
    scenario(
        id="rent",
        codename="the shared kitchen",
        context="Two flatmates talk over a sink of dishes about who pays how much of the rent. "
        '<p viewer="environment">The landlord will raise it next month.</p>',
        goals=("Pay no more than 400 of the rent.", "Get the other to pay 600 of the rent."),
    ),
    scenario(
        id="night",
        codename="a seat on the night train",
        context="The last two passengers of a night train share a table and a broken heater.",
        goals=(
            "Find out where the other is travelling. <extra_info>You are lonely.</extra_info>",
            "Keep your destination to yourself, and be kind.",
        ),
    ),
)
_CAST = (
    ("Ada Reyes", "baker", "She stole the oven from her cousin's bakery."),
    ("Ben Okafor", "cook", "He was fired for drinking at work."),
    ("Chidi Lindqvist", "night nurse", "He failed his licence exam and never told the ward."),
    ("Dalia Haddad", "piano tuner", ""),
    ("Emre Quist", "bus driver", "He writes a newspaper column under a false name."),
)
_OPENING = (
    "Good evening, {other}. Cold in here, isn't it?",
    "{other}, I'm glad you came. Can we talk about it?",
    "So. What would you say to {high}?",
)
_MIDDLE = (
    "What if we said {amount}? I think that is fair to both of us.",
    "I can't do that. {amount} is what I have.",
    "Where did you learn about this, if I may ask?",
    "I'm sorry, I did not mean it like that. Would you take {amount}?",
    "How about {amount}, and I carry it home myself?",
    "That's too much, and you know it. Don't be so selfish.",
    "I'd settle for {amount} if we shake on it today.",
)


def fill(store: EventStore, *, episodes: int = 24, seed: int = 7, ended: bool = True) -> str:
    """Append a whole run of so many episodes; answers its id."""
    chance = random.Random(seed)
    planned = []
    for place in range(episodes):
        names = tuple(chance.choice(MINDS).name for _ in range(2))
        id_ = derived_id(EPISODE, RUN, str(place))
        planned.append(PlannedEpisode(id=id_, task=f"t{place % 3}", minds=names, seed=place))
    plan = Plan(
        environment="social",
        settings=EpisodeRules(),
        name="kitchen tables",
        catalog="test",
        minds=MINDS,
        judges=(STRICT, LENIENT),
        source=f'name = "kitchen tables"  # {INJECTION}{CONTROLS}',
    )
    planned_run = RunPlanned(plan=plan, episodes=tuple(planned), software="0.1.0")
    store.append(f"run-{RUN}", NEW, [planned_run], correlation=RUN)
    failed = 0
    for place, one in enumerate(planned):
        if episodes >= 8 and place == 5:
            failed += 1
            _append(store, f"episode-{one.id}", [_first(one, place, chance)[0], GIVEN_UP])
            continue
        _play(store, one, place, chance)
    if ended:
        done = RunEnded(
            episodes_ended=episodes - failed,
            episodes_failed=failed,
            evaluations_ended=3 * (episodes - failed) - 1,
            evaluations_failed=1,
        )
        store.append(f"run-{RUN}", 0, [done], correlation=RUN)
    return RUN


async def score(store: EventStore, spec: JudgeSpec) -> None:
    """Have one more judge, of those that ask no model, score every episode that ended."""
    for row in queries.episodes(store, run=RUN):
        if row.status == "ended":
            history = read_history(store, row.id)
            scores = await judge_for(spec).evaluate(history, Stream())
            began = EvaluationStarted(
                episode=row.id,
                upto=history[-1].number,
                judge=spec,
                judge_hash=judge_hash(spec),
                run=RUN,
            )
            done = EvaluationEnded(
                scored=sum(isinstance(s, Scored) for s in scores),
                failed=0,
                abstained=sum(isinstance(s, ScoreAbstained) for s in scores),
            )
            _append(store, f"evaluation-{evaluation_id(row.id, spec)}", [began, *scores, done])


GIVEN_UP = EpisodeFailed(reason="the mind of seat 1 failed again and again", attempts=3)


def _append(store: EventStore, stream: str, events: Sequence[Event]) -> None:
    store.append(stream, NEW, events, correlation=RUN)


def _play(store: EventStore, one: PlannedEpisode, place: int, chance: random.Random) -> None:
    first, names = _first(one, place, chance)
    events = episode(first, _moves(names, place, chance))
    _append(store, f"episode-{one.id}", events)
    for seat, played in enumerate(first.minds):
        if played.kind == "model":
            _append(store, f"agent-{one.id}.{seat}", _calls(4, "act", MODEL.name, chance))
    for spec in (STRICT, LENIENT, MODEL_JUDGE):
        id_ = derived_id(EVALUATION, one.id, digest_of(encode(spec)))
        began = EvaluationStarted(
            episode=one.id,
            upto=len(events) - 1,
            judge=spec,
            judge_hash=digest_of(encode(spec)),
            run=RUN,
        )
        if spec.kind == "model" and place == 3:
            given_up = EvaluationFailed(reason="the judge's actor failed", attempts=3)
            _append(store, f"evaluation-{id_}", [began, given_up])
            continue
        scores = judge(view(events, "judge"), STRICT if spec.kind == "model" else spec)
        asked: list[Event] = []
        if spec.kind == "model":
            asked = _calls(1, "judge", "openai/judge-test", chance)
            scores = [_as_a_model_would(score, place, chance) for score in scores]
        counts = EvaluationEnded(
            scored=sum(isinstance(s, Scored) for s in scores),
            failed=sum(isinstance(s, ScoreFailed) for s in scores),
            abstained=sum(isinstance(s, ScoreAbstained) for s in scores),
        )
        _append(store, f"evaluation-{id_}", [began, *asked, *scores, counts])


def _first(
    one: PlannedEpisode, place: int, chance: random.Random
) -> tuple[EpisodeStarted, tuple[str, ...]]:
    cast = chance.sample(_CAST, 2)
    minds: tuple[MindSpec, ...] = tuple(
        next(spec for spec in MINDS if spec.name == name) for name in one.minds
    )
    first = started(
        run=RUN,
        task=one.task,
        scenario=_SCENES[place % 3],
        cast=tuple(
            character(name, occupation=job, secret=secret, public_info="Lives by the canal.")
            for name, job, secret in cast
        ),
        relationships=(
            SeatRelationship(
                seats=(0, 1), kind=RelationshipKind.FRIEND, story="They share a staircase."
            ),
        ),
        minds=minds,
        rules=EpisodeRules(seed=one.seed),
    )
    return first, tuple(name for name, _, _ in cast)


def _moves(names: Sequence[str], place: int, chance: random.Random) -> list[Move]:
    high = chance.randrange(280, 340, 10)
    moves: list[Move] = []
    length = chance.randrange(4, 12)
    for turn in range(length):
        seat = turn % 2
        lines = _OPENING if turn < 2 else _MIDDLE
        amount = high - 10 * turn if seat == 0 else high - 100 + 10 * turn
        said = chance.choice(lines).format(
            other=names[1 - seat].partition(" ")[0], high=high, amount=amount
        )
        moves.append((seat, said))
    if place % 4 == 1:
        moves[2] = (0, act("non_verbal", "looks at the floor and turns the cup in both hands"))
        moves[3] = (1, act("speak", "This stays between the two of us.", to=(0,)))
    if place % 6 == 2:
        moves[1] = (1, ActionFailure(reason="unreadable", detail="no JSON", raw="I say: hello"))
    if place == 0:
        moves[3] = (1, f"Look at this: {INJECTION}{CONTROLS}")
    if chance.random() < 0.6:
        moves.append((length % 2, f"Deal, {high - 50} it is. Thank you!"))
        moves.append(((length + 1) % 2, act("leave", "Goodbye, and take care.")))
    else:
        moves.append((length % 2, act("leave")))
    return moves


def _calls(count: int, purpose: str, model: str, chance: random.Random) -> list[Event]:
    events: list[Event] = []
    for place in range(count):
        turn = 0 if purpose == "judge" else place + 1
        named = {"turn": turn, "attempt": 0, "request_hash": f"h{place}"}
        events.append(ModelAsked(purpose=purpose, model=model, **named))
        if chance.random() < 0.05:
            events.append(ModelFailed(reason="timeout", detail="no answer in 60 s", **named))
            continue
        events.append(
            ModelAnswered(
                text="{}",
                model=model,
                input_tokens=chance.randrange(500, 2000),
                output_tokens=chance.randrange(20, 90),
                cost_usd=0.0021 if chance.random() < 0.9 else None,
                latency_s=1.2,
                **named,
            )
        )
    return events


def _as_a_model_would(score: Event, place: int, chance: random.Random) -> Event:
    if not isinstance(score, Scored):
        return score
    draw = chance.random()
    goal_of_first = score.dimension == "goal" and score.seat == 0
    if draw < 0.02 or (goal_of_first and place == 1):
        return ScoreFailed(
            seat=score.seat,
            dimension=score.dimension,
            error='the score must be a number, is "high"',
            raw='{"reason": "They did well.", "score": "high"}',
        )
    if draw < 0.04 or (goal_of_first and place == 2):
        return ScoreAbstained(
            seat=score.seat, dimension=score.dimension, reason="The episode shows none of it."
        )
    low, high = next((d.low, d.high) for d in STRICT.dimensions if d.name == score.dimension)
    return Scored(
        seat=score.seat,
        dimension=score.dimension,
        value=min(high, max(low, score.value + chance.choice((-2, -1, 0, 0, 1, 2)))),
        reason=INJECTION + CONTROLS if place == 0 else f"Judged with care: {score.reason}",
        evidence=score.evidence,
    )
