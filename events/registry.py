"""Every event there is, by tag."""

from events.agent import ModelAnswered, ModelAsked, ModelFailed
from events.base import Event
from events.catalog import CatalogImported
from events.chain import ChainAdvanced, ChainEnded, ChainFailed, ChainStarted
from events.episode import (
    ActionTaken,
    EpisodeEnded,
    EpisodeFailed,
    EpisodeForked,
    EpisodeReopened,
    EpisodeStarted,
    TurnOpened,
)
from events.evaluation import (
    EvaluationEnded,
    EvaluationFailed,
    EvaluationReopened,
    EvaluationStarted,
    ScoreAbstained,
    Scored,
    ScoreFailed,
)
from events.memory import MemoryFailed, MemoryOpened, MemoryRecalled, MemoryWritten
from events.run import RunEnded, RunPaused, RunPlanned, RunResumed

AnyEvent = (
    CatalogImported
    | RunPlanned
    | RunPaused
    | RunResumed
    | RunEnded
    | EpisodeStarted
    | EpisodeForked
    | TurnOpened
    | ActionTaken
    | EpisodeEnded
    | EpisodeFailed
    | EpisodeReopened
    | ModelAsked
    | ModelAnswered
    | ModelFailed
    | EvaluationStarted
    | Scored
    | ScoreFailed
    | ScoreAbstained
    | EvaluationEnded
    | EvaluationFailed
    | EvaluationReopened
    | ChainStarted
    | ChainAdvanced
    | ChainEnded
    | ChainFailed
    | MemoryOpened
    | MemoryWritten
    | MemoryRecalled
    | MemoryFailed
)

EVENTS: dict[str, type[Event]] = {event.__name__: event for event in AnyEvent.__args__}
