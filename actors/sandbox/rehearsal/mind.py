"""The rehearsal mind: a life kept as it goes on, and an answer made from it."""

from datetime import datetime
from typing import Any

from actors.episodes.mind import Decision, Journal, Scene, decided_on
from actors.episodes.port.prompts import UnknownTemper
from actors.sandbox.rehearsal.dialogue import Speaking
from actors.sandbox.rehearsal.engagements import Engagement
from actors.sandbox.rehearsal.language.aims import aim_of
from actors.sandbox.rehearsal.language.times import DAY
from actors.sandbox.rehearsal.life import Life
from actors.sandbox.rehearsal.next_action import decide
from actors.sandbox.rehearsal.proposals import at_place, at_where, on_when
from actors.sandbox.rehearsal.records import RememberedTalk, Who
from actors.sandbox.rehearsal.traits import TEMPERS
from actors.sandbox.rehearsal.written_thoughts import ThoughtWriter
from actors.sandbox.setup import Recap, WhatToDo, WhatToSay
from actors.sandbox.views import Resident, Speaker
from events.environments import Action, Question
from events.thoughts import Decided

__all__ = ["TEMPERS", "RehearsalMind"]


class RehearsalMind:
    """Decides for one seat. What it keeps is only what it would read from the scene again."""

    def __init__(self, temper: str, seed: int | None = None) -> None:
        """``seed``: None: the episode's own. Raises ``UnknownTemper``."""
        if temper not in ("", *TEMPERS):
            raise UnknownTemper(temper, TEMPERS)
        self.temper, self.seed = temper or TEMPERS[0], seed
        self._life: Life | None = None
        self._background: Any = None
        self._taken = 0
        self._thinking = ThoughtWriter()

    async def decide(self, scene: Scene, calls: Journal) -> Decision:
        """The answer; asks no model. What it concluded on the way is noted before."""
        if (before := decided_on(scene, calls)) is not None:
            return before
        life = self.lived(scene)
        action = _answer(life, scene.question)
        if isinstance(scene.question, WhatToDo):
            thoughts = self._thinking.thoughts(life, scene.question, calls.decisions())
            if thoughts:
                await calls.conclude(
                    Decided(
                        turn=scene.turn,
                        question=scene.question_id,
                        thoughts=thoughts,
                        action=action,
                        at=float(scene.question.at * life.who.step_s),
                    )
                )
        return Decision(action=action)

    def answer(self, scene: Scene) -> Action:
        """The answer to a scene. The same scene, temper and seed give the same answer, always."""
        return _answer(self.lived(scene), scene.question)

    def lived(self, scene: Scene) -> Life:
        """The life of the scene's seat up to now."""
        life, seen = self._life, scene.seen
        if life is None or self._background is not scene.background or self._taken > len(seen):
            life = self._life = Life(who_is(scene.background, self.seed), self.temper)
            self._background, self._taken, self._thinking = scene.background, 0, ThoughtWriter()
        for index in range(self._taken, len(seen)):
            life.take(seen[index])
        self._taken = len(seen)
        return life


def _answer(life: Life, question: Question) -> Action:
    if isinstance(question, WhatToDo):
        return decide(life, question)
    if isinstance(question, WhatToSay):
        talk = life.talk or RememberedTalk(question.to)
        return Speaking(life, talk, life.moment(question.at)).say(question.left)
    return recap(life)


def who_is(background: Resident | Speaker, seed: int | None = None) -> Who:
    """Who a background tells of."""
    start = datetime.fromisoformat(background.start)
    day = start.toordinal()
    task, aim = background.task, None
    if task is not None:
        aim = aim_of(task.goal, task.brief, task.criteria, background.seat, background.names, day)
    return Who(
        seat=background.seat,
        me=background.me,
        names=background.names,
        start=day * DAY + start.hour * 60 + start.minute,
        step_s=background.step_s if isinstance(background, Resident) else 60,
        seed=background.seed if seed is None else seed,
        known=background.known if isinstance(background, Resident) else _places_of(background),
        aim=aim,
        goal=task.goal if task is not None else "",
    )


def _places_of(speaker: Speaker) -> tuple[str, ...]:
    """What somebody who is met in a talk alone surely knows: where they are and where they live."""
    where = (speaker.me.home, speaker.place, speaker.me.workplace)
    return tuple(one for one in where if one.count(":") >= 2)


_ANSWERS = {"yes": "I said that I will.", "no": "I said that I cannot."}


def recap(life: Life) -> Recap:
    """What was agreed, as far as it was said and understood."""
    talk = life.talk
    if talk is None or not talk.lines:
        return Recap(text="Nothing was said.")
    partner = life.who.names[talk.partner]
    if talk.theirs is None:
        return Recap(text=f"{partner} and I had a friendly talk. We did not agree on anything.")
    said = _ANSWERS.get(talk.answered, "I have not given an answer yet.")
    return Recap(text=f"{partner} {_asked(talk.theirs, life.who.start)} {said}")


def _asked(one: Engagement, moment: int) -> str:
    when = on_when(one, moment)
    if one.kind == "help":
        steps = ", and then to ".join(f"{act}{at_place(place)}" for act, place in one.steps)
        return f"asked me to {steps}{when}."
    asked = {
        "gathering": f"invited me to {one.name}",
        "company": f"asked me to come along {one.what}",
        "meeting": f"asked me to meet {one.what}",
    }[one.kind]
    where = " online" if one.online else at_where(one)
    missing = [] if when else ["no time was named"]
    missing += [] if where else ["no place was named"]
    text = f"{asked}{when}{where}."
    return f"{text} {' and '.join(missing).capitalize()}." if missing else text
