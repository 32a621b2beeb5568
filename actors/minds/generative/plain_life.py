"""The generative mind in environments without planning support: it remembers the lines of the
account and reflects. It is asked like any other model, with the retrieved memories added."""

from typing import Final

import msgspec

from actors.episodes.mind import Journal, Scene
from actors.episodes.planning_support import Experience, Persona, Situation
from actors.episodes.port.game import AnyGame
from actors.minds.generative import perception, questions, reflection
from actors.minds.generative.decision import DecisionProcess, Means, Unconcluded, told
from actors.minds.generative.state import MindState
from actors.minds.model import question_for
from actors.models.answers.ask import Answered, ask, reasks_of
from actors.models.port import Msg
from events.environments import Action
from events.episode import ActionFailure
from events.thoughts import Decided

TURN_S: Final = 60.0
"""Seconds that a turn counts as, where there is no clock."""
TOP: Final = 15
"""Memories that are shown."""
LOOKED_UP_BY: Final = 3
"""Lines, the latest ones, by which memories are looked up."""
REMEMBERING: Final = "remembering-1"


class PlainLife:
    """One seat's life, led by the prompts that its environment writes."""

    def __init__(self, game: AnyGame, background: object) -> None:
        self._game, self._background = game, background
        self._writer = game.prompts.writer(background)

    async def decide(self, scene: Scene, state: MindState, means: Means, calls: Journal) -> Decided:
        """What it does. Raises what ``ask`` raises."""
        game = self._game
        question = question_for(game, self._writer, scene, means.model)
        system, user = (message.content for message in question.messages)
        pending = [
            Experience(number=one.number, at=TURN_S * one.turn, kind="event", text=line)
            for one in scene.seen
            if one.number > state.noticed and (line := game.planning.told(self._background, one))
        ]
        thinking = DecisionProcess(
            means=means,
            persona=Persona(name="the character", learned=system),
            aim=None,
            situation=Situation(asked="other", why="", at=TURN_S * scene.turn, now=None),
            state=state,
            calls=calls,
            turn=scene.turn,
            question=scene.question_id,
        )
        noticed = state.noticed
        action: Action = game.rules.nothing(scene.question)
        failure: ActionFailure | None = None
        try:
            if pending:
                await perception.take_in(thinking, pending)
                noticed = scene.seen[-1].number
            if reflection.due(thinking):
                await reflection.reflect(thinking)
            latest = [one.text for one in state.memories.latest(LOOKED_UP_BY, thinking.at)]
            memories = await thinking.retrieve([" ".join(latest)], TOP)
            words = {"memories": told(memories), "user": user}
            if memories:
                user = questions.templates.text(REMEMBERING, words)
            answer = await ask(
                msgspec.structs.replace(
                    question,
                    messages=(Msg("system", system), Msg("user", user)),
                    prompt_version=f"{questions.templates.version(REMEMBERING)} "
                    f"{question.prompt_version}",
                    first=thinking.reserve(reasks_of(means.model, question.reasks) + 1),
                ),
                turn=scene.turn,
                model=means.model,
                caller=means.caller,
                calls=calls,
                budget=means.budget,
            )
            if isinstance(answer, Answered):
                action = answer.value
            else:
                failure = ActionFailure(reason=answer.reason, detail=answer.detail, raw=answer.raw)
        except Unconcluded as why:
            failure = why.failure
        return Decided(
            turn=scene.turn,
            question=scene.question_id,
            thoughts=tuple(thinking.thoughts),
            action=action,
            failure=failure,
            at=thinking.at,
            noticed=noticed,
        )
