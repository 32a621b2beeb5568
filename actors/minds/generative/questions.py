"""What a generative mind asks models: each a template, what it is for, and how its answer is read.

``actors.templates`` says how templates are kept and what a version is. Where there are two of one
kind, the older one coaches: it tells a mind to name day, time and place, for example, which the
published prompts do not. Plans choose it by ``ga-coached`` and ``ga+tdp-coached``.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Generic, TypeVar

from actors.episodes.planning_support import Persona
from actors.episodes.port.prompts import Prompt
from actors.minds.generative import answers
from actors.models.answers.structured import AnswerReader
from actors.templates import Templates
from events.agent import Purpose
from events.minds import GenerativeSpec, ModelSpec

T = TypeVar("T")

WHO: Final = "who-1"
"""The system's words: whom a mind thinks for."""

templates: Final = Templates("actors.minds.generative.prompts")


@dataclass(frozen=True, slots=True, eq=False)
class MindForm(Generic[T]):
    """One kind of call."""

    template: str
    purpose: Purpose
    reader: AnswerReader[T]
    coached: str
    """The template of coached minds."""
    evaluated: bool = False
    """Of a seat with a task: whether the model asked is the one that is evaluated."""
    tokens: int = 500
    """The longest answer that it had room for, at least, before there were settings for it."""
    at_length: bool = False
    """Whether its answer is longer than what is said or done: a plan, or a reflection."""

    def longest(self, model: ModelSpec, spec: GenerativeSpec) -> int:
        """Tokens of the longest answer."""
        if not spec.plan_tokens:
            return max(self.tokens, model.max_tokens)
        if not self.at_length:
            return model.max_tokens
        return spec.plan_tokens if self.purpose == "plan" else spec.reflect_tokens

    def prompt(
        self,
        persona: Persona,
        currently: str,
        words: Mapping[str, object],
        *,
        coached: bool = False,
    ) -> Prompt:
        """What is sent."""
        template = self.coached if coached else self.template
        return Prompt(
            templates.text(WHO, {"persona": persona, "currently": currently}),
            templates.text(template, {"name": persona.name, **words}),
            templates.version(template, WHO),
        )


def _form(
    template: str,
    purpose: Purpose,
    kind: type[T],
    *,
    coached: str = "",
    evaluated: bool = False,
    tokens: int = 500,
    at_length: bool = False,
) -> MindForm[T]:
    reader, at_length = AnswerReader(kind, answers.clamped), at_length or tokens > 500
    return MindForm(template, purpose, reader, coached or template, evaluated, tokens, at_length)


# Target-driven planning (STSS, section 4).
TASK_PLAN: Final = _form(
    "task-plan-2", "plan", answers.TextAnswer, coached="task-plan-1", evaluated=True, at_length=True
)
TASK_REMINDER: Final = _form(
    "task-reminder-2",
    "plan",
    answers.TextAnswer,
    coached="task-reminder-1",
    evaluated=True,
    at_length=True,
)
TASK_CHECKLIST: Final = _form(
    "task-checklist-2",
    "plan",
    answers.Checklist,
    coached="task-checklist-1",
    evaluated=True,
    at_length=True,
)

# A day.
DAY: Final = _form(
    "day-2", "plan", answers.DayAnswer, coached="day-1", evaluated=True, tokens=1_500
)
WAKE: Final = _form("wake-1", "plan", answers.ClockAnswer, evaluated=True)
BROAD: Final = _form(
    "broad-2", "plan", answers.Broad, coached="broad-1", evaluated=True, tokens=800
)
HOUR: Final = _form("hour-1", "plan", answers.Short, evaluated=True)
REVISED: Final = _form(
    "revised-2", "plan", answers.TextAnswer, coached="revised-1", evaluated=True, tokens=800
)
NEWS: Final = _form(
    "news-2", "plan", answers.TextAnswer, coached="news-1", evaluated=True, tokens=800
)
MOOD: Final = _form("mood-1", "plan", answers.TextAnswer, evaluated=True, tokens=800)
DUTIES: Final = _form(
    "duties-2", "plan", answers.Broad, coached="duties-1", evaluated=True, tokens=800
)

# An action.
STEPS: Final = _form("steps-1", "plan", answers.Steps, tokens=1_500)
PLACED_STEPS: Final = _form("placed-steps-1", "plan", answers.PlacedSteps, tokens=2_500)
WHERE: Final = _form("where-1", "act", answers.Where)
SECTOR: Final = _form("sector-2", "act", answers.Short, coached="sector-1")
ARENA: Final = _form("arena-2", "act", answers.Short, coached="arena-1")
OBJECT: Final = _form("object-1", "act", answers.Short)
EMOJI: Final = _form("emoji-1", "act", answers.Emoji)
TRIPLE: Final = _form("triple-1", "act", answers.Triple)
CONDITION: Final = _form("condition-1", "act", answers.Short)

# What is met with.
RATING: Final = _form("rating-1", "perceive", answers.Rating)
REACTION: Final = _form("reaction-2", "perceive", answers.Reaction, coached="reaction-1")
WAITING: Final = _form("waiting-1", "perceive", answers.Waiting)

# A talk.
RELATION: Final = _form(
    "relation-2", "talk", answers.TextAnswer, coached="relation-1", evaluated=True
)
UTTERANCE: Final = _form(
    "utterance-2", "talk", answers.Utterance, coached="utterance-1", evaluated=True
)
LAST_UTTERANCE: Final = _form(
    "utterance-2", "talk", answers.LastUtterance, coached="utterance-1", evaluated=True
)
ABOUT: Final = _form("about-1", "talk", answers.Short, evaluated=True)
AFTER: Final = _form("after-2", "talk", answers.After, coached="after-1", tokens=800)
NOTE: Final = _form("note-2", "talk", answers.TextAnswer, coached="note-1", at_length=True)
MEMO: Final = _form("memo-2", "talk", answers.TextAnswer, coached="memo-1", at_length=True)
REST: Final = _form("rest-1", "plan", answers.Steps, tokens=1_500)
RECAP: Final = _form("recap-2", "talk", answers.TextAnswer, coached="recap-1", tokens=1_000)

# Reflection.
QUESTIONS: Final = _form("questions-1", "reflect", answers.Questions)
INSIGHTS: Final = _form("insights-1", "reflect", answers.Insights, tokens=1_000)
IN_PARTS: Final = _form("triple-1", "reflect", answers.Triple)
RATED_INSIGHTS: Final = _form("rated-insights-1", "reflect", answers.RatedInsights, tokens=2_500)
