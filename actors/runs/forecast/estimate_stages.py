"""Estimates of the model calls of a plan's minds and memories; see
``actors.runs.forecast.estimates``."""

from collections.abc import Mapping
from typing import NamedTuple

from actors.episodes.chain_support import ANSWER_TOKENS
from actors.episodes.port.environment import Environment
from actors.episodes.registry import environment_named, game_of
from actors.episodes.rules.decide import INITIAL, Start, decide
from actors.lifelong import prompts
from actors.lifelong.memory.budget import budget_for
from actors.lifelong.memory.modules import TOKENS_A_WORD, longest_note, module_for
from actors.lifelong.memory.recall import seen_in
from actors.lifelong.memory.remember_episode import writer_of
from actors.models import tokens
from actors.models.answers.ask import reasks_of
from actors.runs.forecast.estimates import (
    NOTHING,
    SHORT_ANSWER,
    Bounds,
    Tally,
    answered_by,
    asked_of,
    played,
    shown_of,
    transcript,
)
from actors.runs.forecast.planning_minds import Asked, thinks
from actors.runs.plan.episode_setup import beginning, seated
from events.base import replace
from events.environments import Catalog, Question
from events.episode import EpisodeStarted, TurnOpened
from events.memory import MemorySpec
from events.minds import MindSpec, ModelSpec
from events.run import PlannedChain, PlannedEpisode, RunPlanned

_REMEMBERED = "…"
"""Stands for what is remembered, so that what introduces it is counted."""


class Stage(NamedTuple):
    """A planned episode with how long it can get."""

    started: EpisodeStarted
    """Of the first of its likes: with other minds, at another place of a chain."""
    minds: tuple[MindSpec, ...]
    questions: tuple[int, ...]
    """How often each seat may be asked."""
    answers: tuple[int, ...]
    """Tokens of each seat's longest answer."""

    @property
    def transcript(self) -> Bounds:
        """Tokens of all that is said and done in it."""
        return transcript(self.questions, self.answers)


class Estimating:
    """Looks at every planned episode; what is rendered for one is not rendered again for its
    likes."""

    def __init__(self, planned: RunPlanned, catalog: Catalog) -> None:
        self.planned, self.catalog = planned, catalog
        self.environment: Environment = environment_named(planned.plan.environment)
        self.chains: Mapping[str, PlannedChain] = {chain.id: chain for chain in planned.chains}
        self.memories = {memory.name: memory for memory in planned.plan.memories}
        self._begun: dict[tuple[object, ...], EpisodeStarted] = {}
        self._prompts: dict[tuple[object, ...], int] = {}
        self._room: dict[tuple[int, int], int] = {}
        """Tokens for which an answer has room at least, by beginning and seat."""
        self._thinking: dict[tuple[object, ...], tuple[Asked, ...] | None] = {}
        self._limits: dict[tuple[object, ...], int] = {}
        self._most_reasks: dict[tuple[int, int], int | None] = {}
        """What the game says of them, by beginning and seat."""

    def stage(self, episode: PlannedEpisode) -> Stage | None:
        """An episode before it is played; None where nobody knows how long it can get."""
        started = self.started(episode)
        asked = game_of(started).limits.questions(started.setup, len(episode.minds))
        if asked is None:
            return None
        minds = seated(self.planned.plan.minds, episode.minds)
        return Stage(started, minds, asked, tuple(map(self._longest, minds)))

    def started(self, episode: PlannedEpisode) -> EpisodeStarted:
        """How the first of its likes begins."""
        chain = self.chains.get(episode.chain)
        key = (episode.task, chain and chain.characters)
        if key not in self._begun:
            plan = self.planned.plan
            self._begun[key] = beginning("", plan, self.catalog, episode, chain)
        return self._begun[key]

    def thinking(
        self, episode: PlannedEpisode, seat: int, mind: MindSpec
    ) -> tuple[Asked, ...] | None:
        """What a generative mind asks of its models; None: nobody knows before."""
        stage = self.stage(episode)
        questions = None if stage is None else played(stage.questions)[seat]
        started = self.started(episode)
        key = (id(started), seat, mind, questions)
        if key not in self._thinking:
            self._thinking[key] = thinks(game_of(started), started, seat, mind, questions)
        return self._thinking[key]

    async def tally(self) -> Tally:
        """What all minds and memories ask. Raises ``MissingItem``."""
        await tokens.ready()
        tally = Tally()
        for episode in self.planned.episodes:
            self._generative(tally, episode)
            stage = self.stage(episode)
            if stage is None:
                continue
            for seat, mind in enumerate(stage.minds):
                await self._mind(tally, episode, stage, seat, mind)
        for episode in self.planned.episodes:
            stage = self.stage(episode) if episode.chain else None
            if stage is None:
                continue
            for seat, mind in enumerate(stage.minds):
                self._note(tally, stage, self._memory(episode), seat, mind)
        return tally

    async def _mind(
        self, tally: Tally, episode: PlannedEpisode, stage: Stage, seat: int, mind: MindSpec
    ) -> None:
        substitute = self.planned.plan.people.substitute
        if mind.kind == "person" and substitute is not None:
            mind = substitute  # as if nobody came
        if mind.kind != "model" or mind.model is None:
            return
        count = played(stage.questions)[seat]
        remembered = await self._remembered(episode, stage, seat)
        base = self._prompt(stage.started, seat, memory=_REMEMBERED if remembered.high else "")
        room = self._room[id(stage.started), seat]
        story = self._story(stage.started, seat)
        asked = (
            asked_of(seat, base, stage.questions, stage.answers)
            if story is None
            else shown_of(count, base, story)
        )
        memory = Bounds(remembered.low * count.low, remembered.high * count.high)
        told = stage.transcript.high if story is None else story
        tally.add(
            "mind",
            mind.name,
            mind.model,
            calls=count,
            asked=asked + memory,
            answered=answered_by(
                mind.model,
                count,
                max(mind.model.max_tokens, room),
                short=max(SHORT_ANSWER, room // 4),
            ),
            reasks=self._reasks(stage.started, seat, mind.model),
            memory=self._memory(episode).name if episode.chain else "",
            prompt=Bounds(base, base + told + remembered.high),
            remembered=remembered.high,
        )

    def _generative(self, tally: Tally, episode: PlannedEpisode) -> None:
        for seat, mind in enumerate(seated(self.planned.plan.minds, episode.minds)):
            if mind.kind != "generative":
                continue
            for one in self.thinking(episode, seat, mind) or ():
                if one.calls.high:
                    tally.add(
                        one.kind,
                        mind.name,
                        one.model,
                        calls=one.calls,
                        asked=one.prompts,
                        answered=answered_by(one.model, one.calls, one.longest),
                        reasks=reasks_of(one.model),
                    )

    async def _remembered(self, episode: PlannedEpisode, stage: Stage, seat: int) -> Bounds:
        """Tokens of what a seat is reminded of."""
        if not episode.chain or not episode.index:
            return NOTHING
        memory, earlier = self._memory(episode), episode.index
        match module_for(memory).keeps:
            case "nothing":
                return NOTHING
            case "episodes":
                told = Bounds(*(2 * [self._told(stage.started, seat)])) + stage.transcript
                kept = told.times(earlier)
            case "notes":
                many = min(earlier, memory.top) if memory.module == "retrieval" else earlier
                kept = Bounds(memory.words_low, TOKENS_A_WORD * memory.words_high).times(many)
        key = (episode.chain, seat)
        if key not in self._limits:
            started = replace(stage.started, minds=stage.minds)
            self._limits[key] = await budget_for(memory, started, episode.id, seat)
        return kept.at_most(self._limits[key])

    def _note(
        self, tally: Tally, stage: Stage, memory: MemorySpec, seat: int, mind: MindSpec
    ) -> None:
        writer = writer_of(memory, mind)
        if writer is None or not module_for(memory).writes_notes:
            return
        longest = longest_note(memory, writer)
        base = self._note_prompt(stage.started, memory, seat)
        tally.add(
            "memory",
            memory.name,
            writer,
            calls=Bounds(1, 1),
            asked=Bounds(base, base) + stage.transcript,
            answered=answered_by(writer, Bounds(1, 1), longest, short=memory.words_low),
            reasks=reasks_of(writer),
            memory=memory.name,
        )

    def _reasks(self, started: EpisodeStarted, seat: int, model: ModelSpec) -> int:
        key = (id(started), seat)
        if key not in self._most_reasks:
            game = game_of(started)
            background = game.sight.background("", started, seat, "")
            self._most_reasks[key] = game.limits.reasks(background)
        return reasks_of(model, self._most_reasks[key])

    def _memory(self, episode: PlannedEpisode) -> MemorySpec:
        return self.memories[self.chains[episode.chain].memory]

    def _longest(self, mind: MindSpec) -> int:
        if self.environment.chains is not None:
            return self.environment.chains.answer_tokens(mind)
        return mind.model.max_tokens if mind.model else ANSWER_TOKENS

    def _prompt(self, started: EpisodeStarted, seat: int, memory: str) -> int:
        """Tokens of a seat's prompt while nothing has happened."""
        key = ("act", id(started), seat, memory)
        if key not in self._prompts:
            game = game_of(started)
            known = game.sight.background("", started, seat, memory)
            writer = game.prompts.writer(known)
            prompt = writer.prompt(_question(started, seat), (), 1)
            self._prompts[key] = tokens.count_by_line(prompt.system) + tokens.count_by_line(
                prompt.user
            )
            self._room[id(started), seat] = prompt.room
        return self._prompts[key]

    def _story(self, started: EpisodeStarted, seat: int) -> int | None:
        """Tokens of what a seat may be told, where it is written down before the episode."""
        key = ("story", id(started), seat)
        if key not in self._prompts:
            story = game_of(started).limits.told(started.setup, seat)
            if story is None:
                return None
            self._prompts[key] = tokens.count_by_line(story)
        return self._prompts[key]

    def _told(self, started: EpisodeStarted, seat: int) -> int:
        """Tokens of an episode told again in which nothing has happened."""
        key = ("told", id(started), seat)
        if key not in self._prompts:
            seen = seen_in([started], seat)
            assert seen is not None
            self._prompts[key] = tokens.count_by_line(prompts.retelling(seen.account, seat))
        return self._prompts[key]

    def _note_prompt(self, started: EpisodeStarted, memory: MemorySpec, seat: int) -> int:
        key = ("note", id(started), memory.name, seat)
        if key not in self._prompts:
            seen = seen_in([started], seat)
            assert seen is not None
            account = replace(seen.account, ended="")
            template = prompts.note_template(memory.prompt_version)
            asked = prompts.note_prompt(
                seen.support.writer(seen.view, account.portraits[seat]),
                prompts.retelling(account, seat),
                memory.words_low,
                memory.words_high,
                memory.parts,
                template,
                rated=prompts.asks_importance(template, memory.module),
            )
            self._prompts[key] = tokens.count_by_line(asked.system) + tokens.count_by_line(
                asked.user
            )
        return self._prompts[key]


def _question(started: EpisodeStarted, seat: int) -> Question:
    """What a seat is asked at first or, where others are asked before it, what they are."""
    events = decide(INITIAL, Start(started=started))
    opened = next(event for event in events if isinstance(event, TurnOpened))
    own = (one.question for one in opened.asked if one.seat == seat)
    question: Question = next(own, opened.asked[0].question)
    return question
