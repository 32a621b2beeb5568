"""Every event there is, by tag."""

from collections.abc import Sequence
from functools import reduce
from operator import or_
from typing import Any, Final

from events.access import DeedDone, KeyStoreChosen, TokenIssued, TokenRevoked, TokenUsed
from events.agent import ModelAnswered, ModelAsked, ModelFailed
from events.annotation import (
    AnnotationClosed,
    AnnotationOpened,
    AnnotationPlanned,
    AnnotatorJoined,
    DraftKept,
    ItemAnnotated,
    ItemAssigned,
    ItemLapsed,
)
from events.archive import PositionsTakenOut, StreamsBroughtBack, StreamsTakenOut
from events.base import Event
from events.catalog import CatalogImported
from events.chain import ChainAdvanced, ChainEnded, ChainFailed, ChainStarted
from events.environments import Vocabulary
from events.episode import (
    ActionProposed,
    ActionTaken,
    EpisodeContinued,
    EpisodeEnded,
    EpisodeFailed,
    EpisodeForked,
    EpisodePaused,
    EpisodeReopened,
    EpisodeStarted,
    EpisodeStepped,
    SeatReleased,
    SeatTaken,
    TurnOpened,
    WorldChanged,
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
from events.generation import GenerationBegan, ItemGenerated, ItemReviewed
from events.interview import InterviewAnswered, InterviewAsked, InterviewBegan
from events.memory import MemoryFailed, MemoryOpened, MemoryRecalled, MemoryWritten
from events.run import (
    AnswersUnusable,
    EpisodesRetried,
    FormLowered,
    ModelHeld,
    ModelReleased,
    RunArchived,
    RunEnded,
    RunPaused,
    RunPlanned,
    RunRestored,
    RunResumed,
)
from events.study import (
    ConsentAnswered,
    GroupEnded,
    GroupFormed,
    InstructionsRead,
    ParticipantErased,
    QuestionsAnswered,
    SessionAdmitted,
    SessionBegan,
    SessionDropped,
    SessionEnded,
    SessionWaits,
    StudyClosed,
    StudyOpened,
    StudyPaused,
    StudyPlanned,
)
from events.thoughts import Decided
from events.unexported_events import EventsImported, JudgeAdded

AnyEvent = (
    CatalogImported
    | RunPlanned
    | RunPaused
    | RunResumed
    | RunEnded
    | RunArchived
    | RunRestored
    | EpisodesRetried
    | ModelHeld
    | ModelReleased
    | FormLowered
    | AnswersUnusable
    | EpisodeStarted
    | EpisodeForked
    | TurnOpened
    | ActionTaken
    | WorldChanged
    | EpisodeEnded
    | EpisodeFailed
    | EpisodeReopened
    | ActionProposed
    | SeatTaken
    | SeatReleased
    | EpisodePaused
    | EpisodeStepped
    | EpisodeContinued
    | ModelAsked
    | ModelAnswered
    | ModelFailed
    | Decided
    | InterviewBegan
    | InterviewAsked
    | InterviewAnswered
    | JudgeAdded
    | EventsImported
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
    | StreamsTakenOut
    | PositionsTakenOut
    | StreamsBroughtBack
    | AnnotationPlanned
    | AnnotatorJoined
    | ItemAssigned
    | ItemLapsed
    | ItemAnnotated
    | AnnotationClosed
    | AnnotationOpened
    | DraftKept
    | StudyPlanned
    | StudyOpened
    | StudyPaused
    | StudyClosed
    | SessionAdmitted
    | SessionWaits
    | GroupFormed
    | SessionDropped
    | GroupEnded
    | SessionEnded
    | ParticipantErased
    | SessionBegan
    | ConsentAnswered
    | InstructionsRead
    | QuestionsAnswered
    | GenerationBegan
    | ItemGenerated
    | ItemReviewed
    | TokenIssued
    | TokenUsed
    | TokenRevoked
    | DeedDone
    | KeyStoreChosen
)

EVENTS: Final[dict[str, type[Event]]] = {event.__name__: event for event in AnyEvent.__args__}

OWN_VALUES: Final[dict[type[Event], str]] = {
    EpisodeStarted: "setups",
    TurnOpened: "questions",
    ActionTaken: "actions",
    ActionProposed: "actions",
    Decided: "actions",
    WorldChanged: "changes",
    RunPlanned: "settings",
    CatalogImported: "catalogs",
}
"""The events that hold values of an environment, and which part of a vocabulary these are of."""


def readable_types(vocabularies: Sequence[Vocabulary]) -> list[Any]:
    """Every event as the type it is read as, given what environments say."""
    types: list[Any] = []
    for event in EVENTS.values():
        part = OWN_VALUES.get(event)
        if part is None:
            types.append(event)
            continue
        own = [kind for vocabulary in vocabularies for kind in getattr(vocabulary, part)]
        types.append(event[reduce(or_, own) if own else Any])  # type: ignore[index]
    return types
