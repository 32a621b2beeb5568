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

PACKAGE: Final = "actors.minds.generative.prompts"
templates: Final = Templates(PACKAGE)


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
    templates: Templates = templates
    """Where it is found."""

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
        template = self.coached if coached else self.template
        return Prompt(
            self.templates.text(WHO, {"persona": persona, "currently": currently}),
            self.templates.text(template, {"name": persona.name, **words}),
            self.templates.version(template, WHO),
        )


def form(
    template: str,
    purpose: Purpose,
    kind: type[T],
    *,
    coached: str = "",
    evaluated: bool = False,
    tokens: int = 500,
    at_length: bool = False,
    templates: Templates = templates,
) -> MindForm[T]:
    """A kind of call. ``kind``: of its answer; the rest is as of a ``MindForm``."""
    reader, at_length = AnswerReader(kind, answers.clamped), at_length or tokens > 500
    coached = coached or template
    return MindForm(template, purpose, reader, coached, evaluated, tokens, at_length, templates)


# Target-driven planning (STSS, section 4).
TASK_PLAN: Final = form(
    "task-plan-2", "plan", answers.TextAnswer, coached="task-plan-1", evaluated=True, at_length=True
)
TASK_REMINDER: Final = form(
    "task-reminder-2",
    "plan",
    answers.TextAnswer,
    coached="task-reminder-1",
    evaluated=True,
    at_length=True,
)
TASK_CHECKLIST: Final = form(
    "task-checklist-2",
    "plan",
    answers.Checklist,
    coached="task-checklist-1",
    evaluated=True,
    at_length=True,
)

# A day.
DAY: Final = form("day-2", "plan", answers.DayAnswer, coached="day-1", evaluated=True, tokens=1_500)
WAKE: Final = form("wake-1", "plan", answers.ClockAnswer, evaluated=True)
BROAD: Final = form("broad-2", "plan", answers.Broad, coached="broad-1", evaluated=True, tokens=800)
HOUR: Final = form("hour-1", "plan", answers.Short, evaluated=True)
REVISED: Final = form(
    "revised-2", "plan", answers.TextAnswer, coached="revised-1", evaluated=True, tokens=800
)
NEWS: Final = form(
    "news-2", "plan", answers.TextAnswer, coached="news-1", evaluated=True, tokens=800
)
MOOD: Final = form("mood-1", "plan", answers.TextAnswer, evaluated=True, tokens=800)
DUTIES: Final = form(
    "duties-2", "plan", answers.Broad, coached="duties-1", evaluated=True, tokens=800
)

# An action.
STEPS: Final = form("steps-1", "plan", answers.Steps, tokens=1_500)
TRIPLE: Final = form("triple-1", "act", answers.Triple)

# What is met with.
RATING: Final = form("rating-1", "perceive", answers.Rating)
REACTION: Final = form("reaction-2", "perceive", answers.Reaction, coached="reaction-1")
WAITING: Final = form("waiting-1", "perceive", answers.Waiting)

# A talk.
RELATION: Final = form(
    "relation-2", "talk", answers.TextAnswer, coached="relation-1", evaluated=True
)
UTTERANCE: Final = form(
    "utterance-2", "talk", answers.Utterance, coached="utterance-1", evaluated=True
)
LAST_UTTERANCE: Final = form(
    "utterance-2", "talk", answers.LastUtterance, coached="utterance-1", evaluated=True
)
ABOUT: Final = form("about-1", "talk", answers.Short, evaluated=True)
AFTER: Final = form("after-2", "talk", answers.After, coached="after-1", tokens=800)
NOTE: Final = form("note-2", "talk", answers.TextAnswer, coached="note-1", at_length=True)
MEMO: Final = form("memo-2", "talk", answers.TextAnswer, coached="memo-1", at_length=True)
REST: Final = form("rest-1", "plan", answers.Steps, tokens=1_500)
RECAP: Final = form("recap-2", "talk", answers.TextAnswer, coached="recap-1", tokens=1_000)

# Reflection.
QUESTIONS: Final = form("questions-1", "reflect", answers.Questions)
INSIGHTS: Final = form("insights-1", "reflect", answers.Insights, tokens=1_000)
IN_PARTS: Final = form("triple-1", "reflect", answers.Triple)
RATED_INSIGHTS: Final = form("rated-insights-1", "reflect", answers.RatedInsights, tokens=2_500)
