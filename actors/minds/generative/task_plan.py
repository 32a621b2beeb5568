"""Target-driven planning: three calls before the episode's first action (STSS, section 4)."""

import re
from typing import Final

from actors.minds.generative import questions
from actors.minds.generative.answers import Checklist, TextAnswer
from actors.minds.generative.decision import DecisionProcess, Unconcluded
from actors.models.response_formats.schemas import Schema
from events.thoughts import TaskPlanned

LEAST: Final = 3
MOST: Final = 5
"""Sentences of the plan."""

_SENTENCE: Final = r'[A-Za-zÀ-῿ぁ-﷿][^"\\\x00-\x1f\x7f.!?…]{8,150}[^"\\\x00-\x20\x7f.!?…]'
_SENTENCES: Final[Schema] = {
    "type": "string",
    "pattern": f"^{_SENTENCE}[.!?]( {_SENTENCE}[.!?]){{{LEAST - 1},{MOST - 1}}}$",
}
"""So many, for a model that is held to a schema."""
_ABBREVIATED: Final = re.compile(r"\b(?:[ap]\.m|Mr|Mrs|Ms|Dr|St|No|e\.g|i\.e|etc)\.", re.I)
_END: Final = re.compile(r"[.!?…]+[\"'”’)\]]*(?=\s|$)")


def sentences(text: str) -> int:
    """How many sentences a text has; what follows the last end counts as one."""
    plain = _ABBREVIATED.sub("", text.strip())
    ends = list(_END.finditer(plain))
    rest = plain[ends[-1].end() :] if ends else plain
    return len(ends) + bool(rest.strip())


def wanted(thinking: DecisionProcess) -> bool:
    """Whether it plans for a task and has not done so yet."""
    return (
        thinking.means.spec.agent == "ga+tdp"
        and thinking.aim is not None
        and thinking.state.task is None
    )


async def plan_task(thinking: DecisionProcess) -> None:
    """Plan, reminder, checklist. Where one cannot be had, that is said, and it goes on without."""
    assert thinking.aim is not None
    words: dict[str, object] = {"aim": thinking.aim, "now": thinking.situation.now, "plan": ""}
    plan = reminder = ""
    checklist: tuple[str, ...] = ()
    try:
        plan = (
            await thinking.ask(questions.TASK_PLAN, words, _plan_fault, {"text": _SENTENCES})
        ).text
        words |= {"plan": plan}
        reminder = (await thinking.ask(questions.TASK_REMINDER, words)).text
        answer: Checklist = await thinking.ask(questions.TASK_CHECKLIST, words)
        checklist = answer.items
    except Unconcluded as why:
        had = "with what it has of it" if plan else "without it"
        thinking.fell_back("task plan", why, f"it goes on {had}")
    thinking.conclude(TaskPlanned(plan=plan, reminder=reminder, checklist=checklist))


def _plan_fault(answer: TextAnswer) -> list[str]:
    count = sentences(answer.text)
    if LEAST <= count <= MOST:
        return []
    return [f"the plan has {count} sentences; write {LEAST} to {MOST}"]
