"""One example of every event, all fields set, for tests of the codec and for frozen samples."""

import zlib

from actors.social.actions import Action
from actors.social.catalog_items import (
    BigFive,
    Catalog,
    Character,
    Relationship,
    RelationshipKind,
    Scenario,
    Task,
)
from actors.social.setup import EpisodeRules, SeatRelationship
from events.agent import ModelAnswered, ModelAsked, ModelFailed
from events.archive import (
    ArchivedFile,
    PositionsTakenOut,
    StreamsBroughtBack,
    StreamsTakenOut,
    TakenRun,
)
from events.base import Event
from events.catalog import CatalogImported
from events.chain import ChainAdvanced, ChainEnded, ChainFailed, ChainStarted
from events.episode import (
    ActionFailure,
    ActionProposed,
    ActionTaken,
    EpisodeContinued,
    EpisodeEnded,
    EpisodeFailed,
    EpisodeForked,
    EpisodePaused,
    EpisodeReopened,
    EpisodeStepped,
    SeatReleased,
    SeatTaken,
    WorldChanged,
)
from events.evaluation import (
    Dimension,
    EvaluationEnded,
    EvaluationFailed,
    EvaluationReopened,
    EvaluationStarted,
    JudgeSpec,
    ScoreAbstained,
    Scored,
    ScoreFailed,
)
from events.local import EventsImported, JudgeAdded
from events.memory import (
    MemoryFailed,
    MemoryOpened,
    MemoryRecalled,
    MemorySpec,
    MemoryWritten,
    Note,
)
from events.minds import MindSpec, ModelSpec
from events.run import (
    Budget,
    EpisodesRetried,
    ModelHeld,
    ModelReleased,
    Plan,
    PlannedEpisode,
    RetriedEpisode,
    RunArchived,
    RunEnded,
    RunPaused,
    RunPlanned,
    RunRestored,
    RunResumed,
)
from tests.builders import opened, social_start

ANA = Character(
    id="c1",
    first_name="Ana",
    last_name="Lund",
    age=41,
    gender="woman",
    pronouns="she/her",
    occupation="ferry pilot",
    public_info="Knows every sandbank.",
    big_five=BigFive(openness="high", neuroticism="low"),
    moral_values=("care",),
    schwartz_values=("security",),
    decision_style="slow",
    personality="Dry and patient.",
    secret="Has lost her licence.",
    mbti="ISTJ",
    tags=("harbour",),
)
BO = Character(id="c2", first_name="Bo", age=19)
SCENARIO = Scenario(
    id="s1",
    codename="ticket",
    context="A queue on the quay.",
    goals=("Get <extra_info>two</extra_info> seats", "Sell one seat"),
    relationships=(RelationshipKind.STRANGER,),
    ages=((18, 70), (18, 70)),
    occupations=("pilot", ""),
    source="ours",
    tags=("exchange",),
)
MODEL = ModelSpec(name="openai/some-model", temperature=0.5, max_tokens=100, retries=1)
MINDS = (
    MindSpec(name="warm", kind="rehearsal", temper="generous"),
    MindSpec(name="gpt", kind="model", model=MODEL),
)
JUDGE = JudgeSpec(
    name="strict",
    kind="model",
    dimensions=(Dimension(name="goal", low=0, high=10, description="Reached?"),),
    model=MODEL,
    prompt_version="judge-v1",
    seed=3,
)
MEMORY = MemorySpec(
    name="short",
    module="summary",
    model=MODEL,
    words_low=40,
    words_high=60,
    context_tokens=8000,
    top=3,
    prompt_version="note-1",
)
TIE = SeatRelationship(seats=(0, 1), kind=RelationshipKind.FRIEND, story="Same street.")

EXAMPLES: dict[str, Event] = {
    type(event).__name__: event
    for event in (
        CatalogImported(
            environment="social",
            catalog=Catalog(
                name="small",
                characters=(ANA, BO),
                relationships=(
                    Relationship(id="r1", characters=("c1", "c2"), kind=RelationshipKind.FRIEND),
                ),
                scenarios=(SCENARIO,),
                tasks=(Task(id="t1", scenario="s1", characters=("c1", "c2")),),
            ),
            digest="ab" * 16,
            source="a test",
        ),
        RunPlanned(
            plan=Plan(
                name="p",
                catalog="small",
                minds=MINDS,
                judges=(JUDGE,),
                environment="social",
                settings=EpisodeRules(order="random", turn_cap=8, stale_turns=1, seed=5),
                concurrency=2,
                budget=Budget(usd=1.5, tokens=1000),
                source="name = 'p'",
            ),
            episodes=(PlannedEpisode(id="e1", task="t1", minds=("warm", "gpt"), seed=9),),
            software="0.1.0",
        ),
        RunPaused(reason="budget", detail="spent"),
        RunResumed(budget=Budget(usd=3.0)),
        EpisodesRetried(
            episodes=(
                RetriedEpisode(
                    episode=PlannedEpisode(id="e2", task="t1", minds=("warm", "gpt"), seed=9),
                    instead_of="e1",
                    place=0,
                ),
            )
        ),
        ModelHeld(
            model="openai/m", worker="host-1", reason="server_error", detail="HTTP 500", waiting=3
        ),
        ModelReleased(model="openai/m", worker="host-1"),
        RunEnded(episodes_ended=1, episodes_failed=0, evaluations_ended=1, evaluations_failed=0),
        RunArchived(),
        RunRestored(),
        social_start(
            run="r1",
            task="t1",
            catalog="small",
            scenario=SCENARIO,
            cast=(ANA, BO),
            relationships=(TIE,),
            minds=MINDS,
            rules=EpisodeRules(order="simultaneous"),
            tags=("hard",),
        ),
        EpisodeForked(parent="e1", at=4, minds=MINDS, run="r1"),
        opened(1, (0, 1)),
        ActionProposed(
            turn=1,
            seat=1,
            question=1,
            action=Action(kind="speak", text="Wait."),
            failure=ActionFailure(reason="timeout", detail="Too slow."),
        ),
        SeatTaken(
            seat=1,
            participant="p-1",
            mind=MindSpec(name="person", kind="person"),
            by="dana",
        ),
        SeatReleased(seat=1, participant="p-1", mind=MINDS[0], reason="late", by="dana"),
        EpisodePaused(by="dana"),
        EpisodeStepped(by="dana"),
        EpisodeContinued(by="dana"),
        ActionTaken(
            turn=1,
            seat=1,
            action=Action(kind="speak", text="Psst.", to=(0,)),
            failure=ActionFailure(reason="unreadable", detail="no JSON", raw="{"),
        ),
        WorldChanged(change={"type": "elsewhere.Rain"}),
        EpisodeEnded(reason="left", turn=3, detail="both went home", summary={"winner": 1}),
        EpisodeFailed(reason="a bug", attempts=5),
        EpisodeReopened(detail="troupe jobs retry"),
        ModelAsked(
            turn=1,
            attempt=0,
            purpose="act",
            model="m",
            request_hash="cd" * 16,
            prompt_version="act-1",
            temperature=0.5,
            max_tokens=100,
        ),
        ModelAnswered(
            turn=1,
            attempt=0,
            request_hash="cd" * 16,
            text="{}",
            model="m-2026",
            input_tokens=10,
            output_tokens=5,
            cost_usd=0.001,
            latency_s=0.25,
            retries=1,
            finish_reason="stop",
        ),
        ModelFailed(
            turn=1,
            attempt=1,
            request_hash="cd" * 16,
            reason="timeout",
            detail="60 s",
            retries=2,
            latency_s=180.0,
        ),
        EvaluationStarted(episode="e1", upto=9, judge=JUDGE, judge_hash="ef" * 16, run="r1"),
        Scored(seat=0, dimension="goal", value=7.5, reason="Got both seats.", evidence=(3, 5)),
        ScoreFailed(seat=0, dimension="goal", error="11 is above 10", raw="11"),
        ScoreAbstained(seat=1, dimension="goal", reason="nothing to see"),
        EvaluationEnded(scored=1, failed=1, abstained=1),
        EvaluationFailed(reason="a bug", attempts=5),
        EvaluationReopened(detail="troupe jobs retry"),
        JudgeAdded(judge=JUDGE),
        EventsImported(first=12, last=340),
        ChainStarted(
            run="r1",
            catalog="starter",
            characters=("c1", "c2"),
            minds=MINDS,
            memory=MEMORY,
            episodes=("e1", "e2"),
            scenarios=("s1", "s2"),
        ),
        ChainAdvanced(index=0, episode="e1", outcome="ended"),
        ChainEnded(ended=1, failed=1),
        ChainFailed(reason="a bug", attempts=5),
        MemoryOpened(chain="h1", seat=0, character="c1", memory=MEMORY, run="r1"),
        MemoryWritten(
            index=0,
            episode="e1",
            note=Note(
                overview="We shared a bench.",
                strategies="She asked before she offered.",
                knowledge="She likes tea.",
                importance=0.5,
            ),
            words=11,
            tokens=15,
            writer="m",
            attempts=2,
            within_bounds=False,
            cost_usd=0.001,
            input_tokens=10,
            output_tokens=5,
        ),
        MemoryRecalled(index=2, episode="e3", recalled=(1,), dropped=(0,), tokens=15, limit=20),
        MemoryFailed(reason="a bug", attempts=5),
        StreamsTakenOut(
            run="r1",
            folder="/archive/r1",
            files=(ArchivedFile(name="run.json", size=700, sha256="ab" * 32),),
            events=9,
            streams=2,
            streams_sha256="cd" * 32,
            size=4096,
            first_position=3,
            last_position=14,
            parts=1,
            kept=("episode-e1",),
            needs=("e9",),
            summary=TakenRun(
                name="trial",
                catalog="starter",
                status="paused",
                pause_reason="stopped",
                stopped=True,
                imported="EpisodeLog",
                episodes_planned=2,
                episodes_ended=1,
                episodes_failed=1,
                started_at=1_700_000_000_000_000,
                ended_at=1_700_000_001_000_000,
            ),
            software="0.1.0",
        ),
        PositionsTakenOut(part=0, ranges=zlib.compress(bytes(16))),
        StreamsBroughtBack(run="r1", folder="/archive/r1", events=9),
    )
}
