"""Generative minds without NATS and store: a journal in memory, a model in the process, and an
episode played by the rules alone."""

import asyncio
import json
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from actors.episodes.delivery.notices import NOTICED
from actors.episodes.mind import Decision, Journal, Mind, Scene
from actors.episodes.port.game import AnyGame
from actors.episodes.rules.decide import INITIAL, Start, decide, evolve
from actors.models.caller import ModelCaller
from actors.models.port import ModelReply, ModelRequest, to_encode
from actors.models.recording.call_log import CallEvent, CallLog
from actors.models.registry import Models
from events.agent import ModelAnswered, ModelAsked
from events.base import Event
from events.episode import EpisodeEnded, EpisodeStarted, TurnOpened
from events.minds import GenerativeSpec, MindSpec, ModelSpec
from events.thoughts import Decided
from events.wire.messages import TakeAction
from tests.support.servers.stub_answers import answer_to

BACKGROUND = "openai/background"
EVALUATED = "openai/evaluated"


def thinker(**fields: Any) -> MindSpec:
    """A generative mind with two models."""
    background = ModelSpec(name=BACKGROUND)
    return MindSpec(
        name="thinker",
        kind="generative",
        model=ModelSpec(name=EVALUATED),
        generative=GenerativeSpec(**({"background": background, "words": "neutral"} | fields)),
    )


class Memory:
    """A journal in memory."""

    def __init__(self) -> None:
        self.events: list[Event] = []
        self.log = CallLog()
        self.decided: list[Decided] = []

    def answers_to(self, turn: int, attempt: int) -> Sequence[ModelAnswered]:
        return self.log.answers_to(turn, attempt)

    def record(self, event: CallEvent) -> Awaitable[None]:
        self.events.append(event)
        self.log = self.log.evolve(event)
        return _done()

    async def confirm(self) -> None:
        """Nobody else writes here."""

    def apart(self) -> "Memory":
        return self

    def decisions(self) -> Sequence[Decided]:
        return self.decided

    async def conclude(self, decided: Decided) -> None:
        self.events.append(decided)
        self.decided.append(decided)

    @property
    def calls(self) -> list[ModelAsked]:
        """What was asked."""
        return [event for event in self.events if isinstance(event, ModelAsked)]


def _done() -> Awaitable[None]:
    """What is over at once, and need not be awaited."""
    done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
    done.set_result(None)
    return done


class InProcess:
    """A model that answers as the stub server does."""

    def __init__(self, seed: int = 0) -> None:
        self.seed = seed
        self.prompts: list[tuple[str, str]] = []
        """What it was asked, as system's and user's words."""
        self.by_model: Counter[str] = Counter()
        self.unreadable: Callable[[str], bool] = lambda _: False
        """Which prompts it answers with nothing that can be used."""
        self.latency_s = 0.0

    async def complete(self, request: ModelRequest) -> ModelReply:
        if self.latency_s:
            await asyncio.sleep(self.latency_s)
        messages = [{"role": one.role, "content": one.content} for one in request.messages]
        system, user = (one.content for one in to_encode(request.messages)[:2])
        self.prompts.append((system, user))
        text = "No." if self.unreadable(user) else answer_to({"messages": messages}, self.seed)
        return ModelReply(text=text, input_tokens=1, output_tokens=1, cost_usd=0.0)

    def caller(self) -> ModelCaller:
        """Asks it, whatever model is named."""
        return ModelCaller(Models({"litellm": lambda _: self}))


class Scripted(InProcess):
    """A model that answers what it is told to, in order; then as the stub does."""

    def __init__(self, *answers: object) -> None:
        super().__init__()
        self.answers = list(answers)

    async def complete(self, request: ModelRequest) -> ModelReply:
        reply = await super().complete(request)
        if not self.answers:
            return reply
        given = self.answers.pop(0)
        text = given if isinstance(given, str) else json.dumps(given)
        return ModelReply(text=text, input_tokens=1, output_tokens=1, cost_usd=0.0)


class Played:
    """An episode played by the rules, in one process."""

    def __init__(
        self,
        game: AnyGame,
        started: EpisodeStarted,
        minds: Sequence[Mind],
        journals: Sequence[Journal],
    ) -> None:
        self.game, self.started = game, started
        self.minds, self.journals = list(minds), journals
        self.history: list[Event] = []
        self.state = INITIAL
        self.failures: list[Decision] = []
        self.eyes = [game.sight.reducer(started, seat) for seat in range(len(started.minds))]
        self.seen: list[list[Any]] = [[] for _ in started.minds]
        """For each seat, what it noticed so far."""
        self._do(Start(started=started))
        self.backgrounds = [
            game.sight.background("e", started, seat, "") for seat in range(len(started.minds))
        ]

    @property
    def over(self) -> bool:
        """Whether it has ended."""
        return isinstance(self.history[-1], EpisodeEnded)

    @property
    def opened(self) -> TurnOpened:
        """The turn that is open."""
        return next(one for one in reversed(self.history) if isinstance(one, TurnOpened))

    async def turn(self, *, one_by_one: bool = False) -> None:
        """All questions of the turn that is open, at once or one after the other."""
        opened = self.opened
        deciding = [
            self.minds[asked.seat].decide(
                self.scene(asked.seat, asked.question, asked.id), self.journals[asked.seat]
            )
            for asked in opened.asked
        ]
        if one_by_one:
            decisions = [await one for one in deciding]
        else:
            decisions = await asyncio.gather(*deciding)
        for asked, decision in zip(opened.asked, decisions, strict=True):
            if decision.failure is not None:
                self.failures.append(decision)
            self._do(
                TakeAction(
                    seat=asked.seat,
                    turn=opened.turn,
                    question=asked.id,
                    action=decision.action,
                    failure=decision.failure,
                )
            )

    def scene(self, seat: int, question: Any, id: int = 0) -> Scene:
        """What a seat is asked now."""
        return Scene(
            background=self.backgrounds[seat],
            seen=self.seen[seat],
            turn=self.state.turn,
            question=question,
            question_id=id,
            seat=seat,
            seats=len(self.started.minds),
        )

    async def play(self, turns: int = 100_000) -> None:
        """To the end, or so many turns."""
        for _ in range(turns):
            if self.over:
                return
            await self.turn()

    def _do(self, command: Any) -> None:
        for event in decide(self.state, command):
            self.state = evolve(self.state, event)
            if type(event) in NOTICED:
                for seen, eyes in zip(self.seen, self.eyes, strict=True):
                    seen += eyes.apply(len(self.history), event)
            self.history.append(event)
