"""A plan as a task of inspect_ai. See ``docs/how-to/trainers.md``.

    inspect eval troupe/episodes -T plan=examples/remote.toml --model openai/gpt-4o-mini

    from inspect_ai import eval
    from troupe.inspect_task import episodes

    eval(episodes("examples/remote.toml"), model="openai/gpt-4o-mini")

Needs inspect_ai: ``make inspect``, or ``pip install 'troupe-server[inspect]'``.
"""

import asyncio
import os
import site
from collections.abc import Coroutine, Mapping
from functools import partial
from math import nan
from typing import Any, TypeVar

import anyio.to_thread
import sniffio
from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.hooks import Hooks, RunEnd, hooks
from inspect_ai.log import transcript
from inspect_ai.model import (
    ChatMessageAssistant,
    ChatMessageSystem,
    ChatMessageUser,
    GenerateConfig,
    Model,
    ModelOutput,
    get_model,
)
from inspect_ai.scorer import Score, Scorer, Target, mean, scorer, stderr
from inspect_ai.solver import Generate, Solver, TaskState, solver

from actors.models.answers.ask import Unusable
from actors.models.tokens import shipped
from events.environments import Action
from gateway.notebook.episodes import transcript_of
from troupe.arguments import Plan, Where
from troupe.errors import in_sentences
from troupe.outside_seats.episode import Asked, Ended, PlayedEpisode
from troupe.outside_seats.host import SeatHost, release, shared_host
from troupe.outside_seats.plan import SeatPlan, episode_words, only_seat, seats_of
from troupe.outside_seats.rewards import last_words
from troupe.outside_seats.run import SeatRun
from troupe.outside_seats.scores import SeatScores, dimensions_of
from troupe.sessions import session

__all__ = ["dimensions", "episodes", "plays"]

T = TypeVar("T")

# inspect counts the tokens of models that do not say how many they took, and would download the
# encoding's file. LiteLLM ships it, and sets the same where it is imported.
os.environ.setdefault("TIKTOKEN_CACHE_DIR", str(shipped().parent))

_APART = not __file__.startswith(tuple(site.getsitepackages()))
"""Whether this is a checkout. inspect puts the package's name before those of what is installed,
and finds checkouts only where package and distribution have one name."""


def _named(name: str) -> str:
    return f"troupe/{name}" if _APART else name


_STORED = "troupe"
"""Under what name a sample's store keeps what became of its episode."""


class PlanRuns:
    """The runs of a task's plan: one for each epoch, whose episodes are its samples."""

    def __init__(self, plan: Plan, mind: str, where: Where, probe: bool) -> None:
        """Raises ``GatewayError``."""
        self.where, self._probe = where, probe
        with in_sentences(), session(where) as (_, store):
            self._plan = SeatPlan(plan, mind=mind)
            self.planned = self._plan.prepare(store).planned
            for episode in self.planned.episodes:
                only_seat(seats_of(self.planned, episode), episode_words(episode))
        self._host: SeatHost | None = None
        self._runs: dict[int, SeatRun] = {}
        self._beginning = anyio.Lock()

    def samples(self) -> list[Sample]:
        """One for each episode, in the plan's order."""
        found: list[Sample] = []
        ids: set[str] = set()
        for place, episode in enumerate(self.planned.episodes):
            (seat,) = seats_of(self.planned, episode)
            words = episode_words(episode)
            id_ = words if words not in ids else f"{words} #{place + 1}"
            ids.add(id_)
            found.append(
                Sample(
                    id=id_,
                    input=f"Play seat {seat + 1} of {words}.",
                    metadata={
                        "place": place,
                        "task": episode.task,
                        "seat": seat + 1,
                        "minds": list(episode.minds),
                        "seed": episode.seed,
                    },
                )
            )
        return found

    async def run_of(self, epoch: int) -> SeatRun:
        """That of an epoch, from 1, begun where it is not yet."""
        async with self._beginning:
            if self._host is None:
                begin = partial(shared_host, self.where, self.close)
                self._host = await anyio.to_thread.run_sync(begin)
                _open.append(self)
            if (run := self._runs.get(epoch)) is None:
                host = self._host
                with in_sentences():
                    prepared = await anyio.to_thread.run_sync(self._plan.prepare, host.store)
                    run = SeatRun(host, prepared)
                    await on_host(host, run.begin(probing=self._probe))
                self._runs[epoch] = run
            return run

    def close(self) -> None:
        """End its runs; they wait where not all of their episodes were played. Harmless when
        repeated."""
        host, self._host = self._host, None
        if host is None:
            return
        if self in _open:
            _open.remove(self)
        try:
            for run in self._runs.values():
                host.call(run.end()).result()
        finally:
            self._runs.clear()
            release(host, self.close)


_open: list[PlanRuns] = []
"""Those whose host is not released."""


@hooks(name="troupe", description="ends the runs of tasks that Troupe's seats were played in")
class RunsEnd(Hooks):  # type: ignore[misc]
    """Lets go of what played the episodes once the evaluation is over."""

    def enabled(self) -> bool:
        """Whether there is anything to end."""
        return bool(_open)

    async def on_run_end(self, data: RunEnd) -> None:
        """Store how far the runs came."""
        del data
        for runs in tuple(_open):
            await anyio.to_thread.run_sync(runs.close)


@task(name=_named("episodes"))  # type: ignore[untyped-decorator]
def episodes(
    plan: Plan, mind: str = "", where: str | None = None, probe: bool = True, reasks: int = -1
) -> Task:
    """A plan whose episodes are samples: the evaluated model in one seat, the plan's other minds in
    the others, and what the plan's judges say of that seat as scores.

    ``plan``: a file's path, its text, or a dict of what it would say. ``mind``: which of its minds
    the evaluated model takes the place of; empty: its remote one. ``where``: a data folder or a
    database's address; None: as for ``troupe.run``. ``probe``: ask each model of the plan one tiny
    request first. ``reasks``: how often the model is asked again for an answer that cannot be
    used; less than 0: as often as the environment says. Raises ``troupe.Error``.
    """
    runs = PlanRuns(plan, mind, where, probe)
    judges = runs.planned.plan.judges
    several = len(judges) > 1
    names = [
        _key(judge.name, dimension, several)
        for judge in judges
        for dimension in dimensions_of(judge)
    ]
    return Task(
        dataset=MemoryDataset(runs.samples(), name=runs.planned.plan.name),
        solver=plays(runs, reasks),
        scorer=dimensions(names) if names else None,
        # By name, so that they are there where nothing could be scored.
        metrics={name: [mean(), stderr(cluster="task")] for name in names} or None,
        metadata={
            "plan": runs.planned.plan.name,
            "environment": runs.planned.plan.environment,
            "catalog": runs.planned.plan.catalog,
            "no_findings": [judge.name for judge in judges if judge.offline],
        },
    )


@solver(name=_named("plays"))  # type: ignore[untyped-decorator]
def plays(runs: PlanRuns, reasks: int = -1) -> Solver:
    """Has the model play the seat of a sample's episode to its end."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        del generate
        run = await runs.run_of(state.epoch)
        planned = run.planned.episodes[state.metadata["place"]]
        host, model = run.host, get_model()
        ended: Ended | None = None
        episode: PlayedEpisode = await on_host(host, run.play(planned))
        try:
            state.messages.clear()
            asked = await on_host(host, episode.asked())
            while asked is not None:
                text, read = await _answer(state, model, asked, reasks)
                asked = await on_host(host, _next_question(episode, asked, text, read))
            ended = await on_host(host, episode.ended())
        finally:
            run.note(ended)
            if ended is None:
                host.call(episode.stop("the evaluation has left it"))
        seat = episode.seats[0]
        said = last_words(ended, seat)
        state.messages.append(ChatMessageUser(content=said))
        state.store.set(_STORED, _stored(episode, ended, seat))
        narrated = partial(transcript_of, host.store, episode.id, "narrator")
        whole = await anyio.to_thread.run_sync(narrated)
        transcript().info(
            {"episode": episode.id, "run": episode.run, "transcript": whole.text}, source="troupe"
        )
        state.completed = True
        return state

    return solve


@scorer(metrics={"*": [mean(), stderr(cluster="task")]}, name=_named("dimensions"))  # type: ignore[untyped-decorator]
def dimensions(names: list[str]) -> Scorer:
    """What the plan's judges said of the seat. A score that is missing is none (not a number, which
    inspect counts as unscored), with the reason in the explanation."""

    async def score(state: TaskState, target: Target) -> Score:
        del target
        stored = state.store.get(_STORED)
        if stored is None or not stored["scores"]:
            why = "the episode was left before its end"
            if stored is not None:
                why = f"nothing was scored: {stored['outcome']}"
            return Score(value=nan, explanation=why, reason="scoring_failed")
        values = {name: stored["scores"].get(name, nan) for name in names}
        told = [f"{name}: {why}" for name, why in stored["reasons"].items() if why]
        missing = [f"{name} is missing: {why}" for name, why in stored["missing"].items()]
        return Score(
            value=values,
            answer=stored["outcome"],
            explanation="\n\n".join((*told, *missing)),
            metadata={"missing": stored["missing"], "episode": stored["episode"]},
        )

    return score


async def on_host(host: SeatHost, what: Coroutine[Any, Any, T]) -> T:
    """Have something done on the host's loop. Raises ``troupe.Error``."""
    future = host.call(what)
    with in_sentences():
        if sniffio.current_async_library() == "asyncio":
            return await asyncio.wrap_future(future)
        return await anyio.to_thread.run_sync(future.result, abandon_on_cancel=True)


async def _answer(
    state: TaskState, model: Model, asked: Asked, reasks: int
) -> tuple[str, Action | Unusable | None]:
    """The model's last answer, and what it says: the question is put until an answer can be used,
    as often as it may be."""
    question = asked.question
    if not state.messages:
        state.messages.append(ChatMessageSystem(content=question.system))
    state.messages.append(ChatMessageUser(content="\n".join(asked.lines) or question.user))
    prompt = [ChatMessageSystem(content=question.system), ChatMessageUser(content=question.user)]
    read: Action | Unusable | None = None
    text, again = "", 0
    for again in range((question.reasks if reasks < 0 else reasks) + 1):
        problems = read.problems if isinstance(read, Unusable) else ()
        more = [ChatMessageUser(content=question.correction(again, problems))] if again else []
        output: ModelOutput = await model.generate([*prompt, *more])
        text, state.output = output.completion, output
        longest = model.config.max_tokens or GenerateConfig().max_tokens or 0
        read = question.read(text, finish_reason=output.stop_reason, tokens=longest)
        if not isinstance(read, Unusable):
            break
    state.messages.append(ChatMessageAssistant(content=text, model=model.name))
    if isinstance(read, Unusable):
        transcript().info(
            {"turn": question.turn, "failed": read.fault.detail, "asked_times": again + 1},
            source="troupe",
        )
    return text, read


async def _next_question(
    episode: PlayedEpisode, asked: Asked, text: str, read: Action | Unusable | None
) -> Asked | None:
    """Give an answer to the episode. To wait for the next question there as well takes half as many
    changes of threads."""
    episode.answer(asked, text, read)
    return await episode.asked()


def _stored(episode: PlayedEpisode, ended: Ended, seat: int) -> dict[str, Any]:
    scores = ended.scores.get(seat, ())
    several = len(scores) > 1

    def by_key(of: "Mapping[str, T]", one: SeatScores) -> dict[str, T]:
        return {_key(one.judge.name, name, several): value for name, value in of.items()}

    found: dict[str, Any] = {"scores": {}, "missing": {}, "reasons": {}}
    for one in scores:
        found["scores"] |= by_key(one.values, one)
        found["missing"] |= by_key(one.missing, one)
        found["reasons"] |= by_key(one.reasons, one)
    return {"episode": episode.id, "run": episode.run, "outcome": ended.ending, **found}


def _key(judge: str, dimension: str, several: bool) -> str:
    return f"{judge}.{dimension}" if several else dimension
