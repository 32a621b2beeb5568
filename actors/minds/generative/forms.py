"""What a generative mind asks models: each a template, what it is for, and how its answer is read.

``actors.templates`` says how templates are kept and what a version is.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Generic, TypeVar

from actors.episodes.environment import Prompt
from actors.minds.generative import answers
from actors.models.structured import AnswerReader
from actors.templates import Templates
from events.agent import Purpose

T = TypeVar("T")

WHO: Final = "who-1"
"""The system's words: whom a mind thinks for."""

templates: Final = Templates("actors.minds.generative.prompts")


@dataclass(frozen=True, slots=True, eq=False)
class Form(Generic[T]):
    """One kind of call."""

    template: str
    purpose: Purpose
    reader: AnswerReader[T]
    evaluated: bool = False
    """Of a seat with a task: whether the model asked is the one that is evaluated."""
    tokens: int = 500
    """The longest answer it must have room for."""

    def prompt(self, who: Mapping[str, Any], words: Mapping[str, Any]) -> Prompt:
        """What is sent."""
        return Prompt(
            templates.text(WHO, who),
            templates.text(self.template, {"name": who["persona"].name, **words}),
            templates.version(self.template, WHO),
        )


def _form(
    template: str, purpose: Purpose, kind: type[T], *, evaluated: bool = False, tokens: int = 500
) -> Form[T]:
    return Form(template, purpose, AnswerReader(kind), evaluated, tokens)


# Target-driven planning (STSS, section 4).
TASK_PLAN: Final = _form("task-plan-1", "plan", answers.Text, evaluated=True)
TASK_REMINDER: Final = _form("task-reminder-1", "plan", answers.Text, evaluated=True)
TASK_CHECKLIST: Final = _form("task-checklist-1", "plan", answers.Checklist, evaluated=True)

# A day.
DAY: Final = _form("day-1", "plan", answers.Day, evaluated=True, tokens=1_500)
WAKE: Final = _form("wake-1", "plan", answers.Clock, evaluated=True)
BROAD: Final = _form("broad-1", "plan", answers.Broad, evaluated=True, tokens=800)
HOUR: Final = _form("hour-1", "plan", answers.Short, evaluated=True)
REVISED: Final = _form("revised-1", "plan", answers.Text, evaluated=True, tokens=800)
NEWS: Final = _form("news-1", "plan", answers.Text, evaluated=True, tokens=800)
MOOD: Final = _form("mood-1", "plan", answers.Text, evaluated=True, tokens=800)
DUTIES: Final = _form("duties-1", "plan", answers.Broad, evaluated=True, tokens=800)

# An action.
STEPS: Final = _form("steps-1", "plan", answers.Steps, tokens=1_500)
PLACED_STEPS: Final = _form("placed-steps-1", "plan", answers.PlacedSteps, tokens=2_500)
WHERE: Final = _form("where-1", "act", answers.Where)
SECTOR: Final = _form("sector-1", "act", answers.Short)
ARENA: Final = _form("arena-1", "act", answers.Short)
OBJECT: Final = _form("object-1", "act", answers.Short)
EMOJI: Final = _form("emoji-1", "act", answers.Emoji)
TRIPLE: Final = _form("triple-1", "act", answers.Triple)
CONDITION: Final = _form("condition-1", "act", answers.Short)

# What is met with.
RATING: Final = _form("rating-1", "perceive", answers.Rating)
REACTION: Final = _form("reaction-1", "perceive", answers.Reaction)
WAITING: Final = _form("waiting-1", "perceive", answers.Waiting)

# A talk.
RELATION: Final = _form("relation-1", "talk", answers.Text, evaluated=True)
UTTERANCE: Final = _form("utterance-1", "talk", answers.Utterance, evaluated=True)
LAST_UTTERANCE: Final = _form("utterance-1", "talk", answers.LastUtterance, evaluated=True)
ABOUT: Final = _form("about-1", "talk", answers.Short, evaluated=True)
AFTER: Final = _form("after-1", "talk", answers.After, tokens=800)
NOTE: Final = _form("note-1", "talk", answers.Text)
MEMO: Final = _form("memo-1", "talk", answers.Text)
REST: Final = _form("rest-1", "plan", answers.Steps, tokens=1_500)
RECAP: Final = _form("recap-1", "talk", answers.Text, tokens=1_000)

# Reflection.
QUESTIONS: Final = _form("questions-1", "reflect", answers.Questions)
INSIGHTS: Final = _form("insights-1", "reflect", answers.Insights, tokens=1_000)
IN_PARTS: Final = _form("triple-1", "reflect", answers.Triple)
RATED_INSIGHTS: Final = _form("rated-insights-1", "reflect", answers.RatedInsights, tokens=2_500)
