"""One decision in progress: its questions, its conclusions, and the events recorded for it."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from functools import partial
from operator import itemgetter
from types import MappingProxyType
from typing import Any, Final, Protocol, TypeVar

from msgspec import Struct, structs, to_builtins

from actors.episodes.planning_support import Aim, Experience, Persona, Situation
from actors.minds.generative.hashed_vectors import Vectors, packed
from actors.minds.generative.questions import MindForm
from actors.minds.generative.retrieval import best
from actors.minds.generative.state import MindState
from actors.models.answers.ask import Answered, ModelQuestion, ask, reasks_of
from actors.models.caller import ModelCaller
from actors.models.errors import Unreadable
from actors.models.limits.budget import BudgetKeeper
from actors.models.port import Msg
from actors.models.recording.call_log import BranchingRecorder
from actors.models.response_formats.schemas import Schema, says_something, with_fields
from events.episode import ActionFailure
from events.minds import GenerativeSpec, ModelSpec
from events.thoughts import AnyThought, FellBack, MemoriesRetrieved, MemoryAdded
from events.untrusted.safe_text import shortened

T = TypeVar("T")

CALLS_OF_A_LINE: Final = 1_000
"""Attempts that are kept free for a line of thought."""
CALLS_OF_A_STEP: Final = 100
"""The same, for one of a few calls."""
CALLS_OF_A_QUESTION: Final = 10_000
"""Attempts that are kept free for one question of a turn, so that (turn, attempt) names one
call."""
TOP: Final = 30
"""Memories that come to mind at once (as the published code has it)."""
KEPT_FOR: Final = 30 * 24 * 3600.0
"""Seconds after which a thought is forgotten (as the published code has it)."""
SHOWN: Final = 240
"""Characters of a memory that a prompt shows."""


class Unconcluded(Exception):
    """No usable answer came, after all that was asked again."""

    def __init__(self, failure: ActionFailure) -> None:
        super().__init__(failure.detail)
        self.failure = failure


class Embedder(Protocol):
    """Makes vectors of texts."""

    async def vectors(self, thinking: "DecisionProcess", texts: Sequence[str]) -> Vectors:
        """A row a text, of length 1. Raises ``Unconcluded``."""
        ...

    recorded: bool
    """Whether vectors are stored with the memories, because computing them again would cost
    money."""
    embed: Callable[[Sequence[str]], Vectors] | None
    """What makes them anew; None where nothing does."""


@dataclass(frozen=True, slots=True)
class Means:
    """What a mind thinks with."""

    model: ModelSpec
    spec: GenerativeSpec
    caller: ModelCaller
    budget: BudgetKeeper | None
    embedder: Embedder

    @property
    def calls_of_a_call(self) -> int:
        """Attempts that are kept free for a line of thought of a single call."""
        background = self.spec.background or self.model
        return 1 + max(reasks_of(self.model), reasks_of(background))


@dataclass(slots=True)
class DecisionProcess:
    """One decision on its way. What is concluded counts at once."""

    means: Means
    persona: Persona
    aim: Aim | None
    situation: Situation
    state: MindState
    calls: BranchingRecorder
    turn: int
    question: int = 0
    rooms: Callable[[], Sequence[str]] = tuple
    """Addresses that a day's prompt names."""
    pending: Sequence[Experience] = ()
    """What was lived through and is not remembered yet."""
    thoughts: list[AnyThought] = field(default_factory=list)
    attempts: int = 0
    """Attempts that calls of this decision may have had so far."""

    @property
    def lean(self) -> bool:
        """Whether it thinks with few calls."""
        return self.means.spec.profile == "lean"

    @property
    def ranks_as_published(self) -> bool:
        """Whether memories come to mind as in the published code."""
        return self.means.spec.retrieval == "published"

    @property
    def at(self) -> float:
        """Seconds since the episode's own time began."""
        return self.situation.at

    @property
    def currently(self) -> str:
        """What it is about these days."""
        return self.state.currently or self.persona.currently

    def model_for(self, form: MindForm[T]) -> ModelSpec:
        """The model that is evaluated asks for who has a task, where the form says so; the one for
        the background all else (STSS, section 5.1)."""
        background = self.means.spec.background
        if background is None or (self.aim is not None and form.evaluated):
            return self.means.model
        return background

    def beside(self, attempts: int) -> "DecisionProcess":
        """Another line of thought of the same decision, of so many attempts at calls that are made
        at the same time. What it concludes counts at once; ``together`` has it recorded."""
        first = self.reserve(attempts)
        return replace(
            self,
            calls=self.calls.apart(),
            thoughts=[],
            attempts=first - self.question * CALLS_OF_A_QUESTION,
        )

    def reserve(self, attempts: int) -> int:
        """The number of the first of so many attempts at a call."""
        first = self.question * CALLS_OF_A_QUESTION + self.attempts
        self.attempts += attempts
        return first

    async def ask(
        self,
        form: MindForm[T],
        words: Mapping[str, object],
        check: Callable[[T], Sequence[str]] = lambda _: (),
        held: Mapping[str, Schema] = MappingProxyType({}),
    ) -> T:
        """A model's answer. ``check`` says what is wrong with one that can be read, a sentence
        each; it may raise ``Unreadable`` too. ``held``: fields to which the model is held more
        narrowly here. Raises ``Unconcluded``, and what ``ask`` raises."""

        def read(text: str, label: str) -> T:
            answer = form.reader.read(text, label)
            if problems := (*copied(answer), *check(answer)):
                raise Unreadable(problems, text)
            return answer

        coached = self.means.spec.words == "coached"
        prompt = form.prompt(self.persona, self.currently, words, coached=coached)
        model = self.model_for(form)
        answer = await ask(
            ModelQuestion(
                messages=(Msg("system", prompt.system), Msg("user", prompt.user)),
                read=read,
                purpose=form.purpose,
                prompt_version=prompt.version,
                json_schema=with_fields(form.reader.schema, held),
                max_tokens=form.longest(model, self.means.spec),
                first=self.reserve(reasks_of(model) + 1),
            ),
            turn=self.turn,
            model=model,
            caller=self.means.caller,
            calls=self.calls,
            budget=self.means.budget,
        )
        if isinstance(answer, Answered):
            return answer.value
        raise Unconcluded(ActionFailure(reason=answer.reason, detail=answer.detail, raw=answer.raw))

    def shown(self, memories: Sequence[MemoryAdded]) -> list[str]:
        """Memories as ``told``, each with when it was, where there is a clock; of the same words
        the latest."""
        now = self.situation.now
        if now is None:
            return told(memories)
        begun = now - timedelta(seconds=self.at)
        latest = {
            shortly(one.text): begun + timedelta(seconds=one.at)
            for one in sorted(memories, key=lambda one: (one.at, one.id))
        }
        ordered = sorted(latest.items(), key=itemgetter(1))
        return [f"{at:%a %H:%M} {text}" for text, at in ordered]

    def conclude(self, thought: AnyThought) -> None:
        """Think something, and have it recorded with the decision."""
        self.state.apply(thought)
        self.thoughts.append(thought)

    def fell_back(self, what: str, why: Unconcluded, instead: str) -> None:
        """Say that something could not be concluded, and what is done without it."""
        failure = ActionFailure(reason=why.failure.reason, detail=why.failure.detail)
        self.conclude(FellBack(what=what, failure=failure, instead=instead))

    async def remember(self, memories: Sequence[MemoryAdded]) -> list[int]:
        """Keep memories, whose ids are given here. Their ids."""
        if self.ranks_as_published:
            memories = [copy for one in memories for copy in _as_published(one)]
        if not memories:
            return []
        embeddings = [b""] * len(memories)
        if self.means.embedder.recorded:
            try:
                vectors = await self.means.embedder.vectors(self, [one.text for one in memories])
                embeddings = [packed(vector) for vector in vectors]
            except Unconcluded as why:
                self.fell_back("embedding", why, "they are embedded when memories are looked up")
        ids = []
        for memory, embedding in zip(memories, embeddings, strict=True):
            id = len(self.state.memories)
            ids.append(id)
            self.conclude(structs.replace(memory, id=id, embedding=embedding))
        return ids

    async def retrieve(
        self, queries: Sequence[str], top: int = TOP, each: int = 0
    ) -> list[MemoryAdded]:
        """What comes to mind of some things, ``top`` memories in all, an equal share each, or
        ``each`` of every one; the best of the first query first. They count as thought of now."""
        memories = self.state.memories
        queries = [query for query in dict.fromkeys(queries) if query.strip()]
        if not len(memories) or not queries:
            return []
        try:
            vectors = await self.means.embedder.vectors(self, queries)
            missing = memories.without_vector(vectors.shape[1])
            if missing:
                texts = [memories[id].text for id in missing]
                memories.embedded(missing, await self.means.embedder.vectors(self, texts))
        except Unconcluded as why:
            self.fell_back("embedding", why, "the latest memories came to mind")
            return memories.latest(each * len(queries) or top, self.at)
        share = each or -(-top // len(queries))
        found: dict[int, None] = {}
        way = self.means.spec.retrieval
        for query, vector in zip(queries, vectors, strict=True):
            ids = best(memories, vector, self.at, way, share)
            self.conclude(MemoriesRetrieved(ids=tuple(ids), at=self.at, query=query[:SHOWN]))
            found.update(dict.fromkeys(ids))
        return [memories[id] for id in found]


async def together(
    thinking: DecisionProcess,
    works: Iterable[Callable[[DecisionProcess], Awaitable[Any]]],
    attempts: int = CALLS_OF_A_LINE,
) -> list[Any]:
    """What is thought at the same time, since none of it depends on the other: what one of them
    reads of the state, another must not change once it has asked a model. Recorded is what they
    conclude in their order, whichever comes first. ``attempts``: at calls that each may have."""
    works = list(works)
    lines = [thinking.beside(attempts) for _ in works]
    outcomes = await asyncio.gather(
        *(work(line) for work, line in zip(works, lines, strict=True)), return_exceptions=True
    )
    for line in lines:
        thinking.thoughts += line.thoughts
    # That the run must wait comes before that an answer was no use.
    for outcome in sorted(outcomes, key=lambda one: isinstance(one, Unconcluded)):
        if isinstance(outcome, BaseException):
            raise outcome
    return outcomes


async def asked_together(
    thinking: DecisionProcess, questions: Iterable[tuple[MindForm[Any], Mapping[str, object]]]
) -> list[Any]:
    """Ask several questions concurrently, one call each, and return the answers. Raises
    ``Unconcluded``."""
    works = [partial(DecisionProcess.ask, form=form, words=words) for form, words in questions]
    return await together(thinking, works, thinking.means.calls_of_a_call)


def _as_published(memory: MemoryAdded) -> Iterator[MemoryAdded]:
    """A talk is kept beside the event that one talked, which alone is ranked."""
    yield memory
    if memory.kind == "talk":
        yield structs.replace(memory, kind="event")


def told(memories: Sequence[MemoryAdded]) -> list[str]:
    """Memories as prompts show them: oldest first, none too long, none twice."""
    ordered = sorted(memories, key=lambda one: (one.at, one.id))
    return list(dict.fromkeys(shortly(one.text) for one in ordered))


def copied(answer: object) -> Iterator[str]:
    """What of an answer is the form's own dots, or says nothing else either."""
    match answer:
        case dict():
            for name, value in answer.items():
                if isinstance(value, str) and name != "emoji":
                    if value.strip() and not says_something(value):
                        yield f"{name} holds no word, only {shortened(value)!r}"
                else:
                    yield from copied(value)
        case list() | tuple():
            for one in answer:
                yield from copied(one)
        case Struct():
            yield from copied(to_builtins(answer))


def shortly(text: str) -> str:
    """A memory's text as prompts show it: on one line, and not too long."""
    text = " ".join(text.split())
    return text if len(text) <= SHOWN else f"{text[: SHOWN - 1]}…"
