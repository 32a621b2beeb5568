"""Golden answers: what real models have answered, and how each answer is read.

``cases.jsonl`` holds what was asked, as far as reading an answer needs it: the environment's
question and what the seat knew, a judge with the episode it read, a memory, a form of a mind that
thinks. ``answers.jsonl`` holds raw answers, each with its case and with what the readers make of
it: ``read``, or ``fault`` and ``why``. Whoever asks is the code that asks in a run, so whatever
becomes of schemas and readers is seen here.

``python -m tests.golden.answers`` reads all answers and prints which are read in another way than
before; with ``--update`` the files say so from then on. ``python -m tests.golden.answers.record``
asks a model of a server for more.
"""

import asyncio
import difflib
import json
from collections.abc import Callable, Coroutine, Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, Literal, Union

import msgspec

from actors.episodes.mind import Scene
from actors.episodes.port.environment import Environment
from actors.episodes.registry import environment_named, game_of
from actors.episodes.views.progress import beginning_of
from actors.interviews.ask_character import question_for
from actors.interviews.interview import Exchange
from actors.lifelong.memory.notes import write_note
from actors.lifelong.memory.recall import seen_in
from actors.minds.generative import questions
from actors.minds.model import ModelMind
from actors.models.answers.ask import ModelQuestion, Unusable, Usable, ask
from actors.models.caller import CalledAnswer, Confirm, ModelCaller
from actors.models.port import ModelReply, ModelRequest, Msg
from actors.models.registry import Models
from actors.models.replay import LABEL, NotStored, done
from actors.sandbox.placement import forms
from evaluators.judges.make_judge import judge_for
from events.agent import ModelAnswered
from events.base import Event
from events.evaluation import JudgeSpec
from events.memory import MemorySpec
from events.minds import ModelSpec
from events.serialization.codec import decode_event
from gateway.services.calls.model_call import plain
from store.model_abilities import AnswerForm
from tests.games import game_for
from tests.support.builders import numbered

FOLDER: Final = Path(__file__).parent
MOST_WHY: Final = 300
"""Characters of a fault's sentence that are kept."""


class Case(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What was asked, as far as reading an answer needs it."""

    case: str
    """Its name."""
    kind: Literal["act", "judge", "note", "interview", "form"]
    language: str = "en"
    environment: str = ""
    question: Any = None
    background: Any = None
    seat: int = 0
    seats: int = 2
    judge: Any = None
    history: Any = None
    """Events: the tag, the schema, the fields."""
    memory: Any = None
    form: str = ""
    """The name of one of ``actors.minds.generative.questions`` or of the town's."""


class GoldenAnswer(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A raw answer, and how it is read."""

    case: str
    model: str
    text: str
    finish_reason: str = ""
    longest: int
    """The longest answer that was asked for, in tokens."""
    seed: int = 0
    schema: bool = False
    """The server was held to the answer's schema of that time."""
    read: Any = None
    """What is understood, as plain fields."""
    fault: str = ""
    """The fault that it has instead."""
    why: str = ""
    """That as a sentence, or its beginning."""


def cases(path: Path = FOLDER / "cases.jsonl") -> dict[str, Case]:
    """All cases, by name."""
    lines = path.read_bytes().splitlines() if path.exists() else []
    found = (msgspec.json.decode(line, type=Case) for line in lines)
    return {case.case: case for case in found}


def answers(path: Path = FOLDER / "answers.jsonl") -> list[GoldenAnswer]:
    """All answers, in the order in which they came."""
    lines = path.read_bytes().splitlines() if path.exists() else []
    return [msgspec.json.decode(line, type=GoldenAnswer) for line in lines]


def write(known: Iterable[Case], all_: Iterable[GoldenAnswer]) -> None:
    """Write the cases and the answers, one a line."""
    for name, lines in (("cases", known), ("answers", all_)):
        data = b"".join(msgspec.json.encode(one) + b"\n" for one in lines)
        (FOLDER / f"{name}.jsonl").write_bytes(data)


class OneAnswer(ModelCaller):
    """A caller with one answer, and a recorder of calls; tells what was read of it."""

    label = LABEL

    def __init__(self, reply: ModelReply) -> None:
        super().__init__(Models())
        self._reply = reply
        self._asked = False
        self.read: Usable[Any] | Unusable | None = None

    async def form_for(self, spec: ModelSpec) -> AnswerForm:
        return "schema"

    async def came(self, spec: ModelSpec, request: ModelRequest, text: str, *, read: bool) -> None:
        pass

    async def continues(self, spec: ModelSpec) -> bool:
        return False

    async def call(
        self,
        spec: ModelSpec,
        request: ModelRequest,
        *,
        purpose: str,
        confirm: Confirm | None = None,
    ) -> CalledAnswer:
        if self._asked:
            raise NotStored("there is one answer")
        self._asked = True
        return CalledAnswer(reply=await self.reply(spec, request), retries=0, latency_s=0.0)

    async def reply(self, spec: ModelSpec, request: ModelRequest) -> ModelReply:
        """What is answered."""
        return self._reply

    def noted(self, answer: ModelAnswered, read: Usable[Any] | Unusable) -> None:
        self.read = read

    def answers_to(self, turn: int, attempt: int) -> tuple[()]:
        return ()

    def record(self, event: Event) -> asyncio.Future[None]:
        return done()

    async def confirm(self) -> None:
        pass


def read_again(case: Case, answer: GoldenAnswer) -> GoldenAnswer:
    """The answer as today's readers read it."""
    reply = ModelReply(text=answer.text, finish_reason=answer.finish_reason)
    caller = OneAnswer(reply)
    model = ModelSpec(name=answer.model, max_tokens=answer.longest)
    asyncio.run(until_answered(asks(case, model, (Msg("user", "?"),)), caller))
    match caller.read:
        case Usable(value=value):
            fields: dict[str, Any] = {"read": plain(value), "fault": "", "why": ""}
        case Unusable(fault=fault):
            fields = {"read": None, "fault": fault.reason, "why": fault.detail[:MOST_WHY]}
        case _:
            raise AssertionError(f"no answer to case {case.case} was read")
    again = msgspec.structs.replace(answer, **fields)
    return msgspec.json.decode(msgspec.json.encode(again), type=GoldenAnswer)


Asks = Callable[[OneAnswer], Coroutine[Any, Any, object]]


async def until_answered(asks: Asks, caller: OneAnswer) -> None:
    """Have it asked once."""
    with suppress(NotStored):
        await asks(caller)


def asks(case: Case, model: ModelSpec, messages: Sequence[Msg]) -> Asks:
    """What asks the question of a case. ``messages``: those of a form, which are rendered by
    whoever records it."""
    match case.kind:
        case "act":
            environment = environment_named(case.environment)
            mind, scene = ModelMind, _scene(environment, case)
            game = game_for(environment, scene.background)
            return lambda caller: mind(model, game, caller).decide(scene, caller)
        case "judge":
            spec = msgspec.convert(case.judge | {"model": msgspec.to_builtins(model)}, JudgeSpec)
            history = numbered(events(case))
            return lambda caller: judge_for(spec, caller).evaluate(history, caller)
        case "note":
            memory, seen = (
                msgspec.convert(case.memory, MemorySpec),
                seen_in(events(case), case.seat),
            )
            assert seen is not None, "it began"
            return lambda caller: write_note(
                memory, seen, 0, model=model, caller=caller, calls=caller
            )
        case "interview":
            past = events(case)
            game = game_of(beginning_of(past))
            account = game.words.account(game.sight.view(past, case.seat))
            before: tuple[Exchange, ...] = ()
            asked = question_for(account, case.seat, before, case.question)
            return lambda caller: ask(asked, turn=1, model=model, caller=caller, calls=caller)
    form = (vars(questions) | vars(forms))[case.form]
    asked = ModelQuestion(
        messages=tuple(messages),
        read=form.reader.read,
        again=lambda problems: "; ".join(problems),
        purpose=form.purpose,
        json_schema=form.reader.schema,
        max_tokens=model.max_tokens,
    )
    return lambda caller: ask(asked, turn=1, model=model, caller=caller, calls=caller)


def _scene(environment: Environment, case: Case) -> Scene:
    question = msgspec.convert(case.question, Union[environment.vocabulary.questions])  # noqa: UP007
    background = msgspec.convert(case.background, environment.backgrounds)
    return Scene(
        background=background,
        seen=[],
        turn=1,
        question=question,
        seat=case.seat,
        seats=case.seats,
    )


def events(case: Case) -> list[Event]:
    """The events that a case holds."""
    return [
        decode_event(tag, schema, msgspec.msgpack.encode(fields))
        for tag, schema, fields in case.history
    ]


def kept(history: Sequence[Event]) -> list[Any]:
    """Events as a case holds them."""
    return [
        (type(event).__name__, event.SCHEMA, msgspec.to_builtins(event, enc_hook=str))
        for event in history
    ]


def changes() -> Iterator[tuple[int, GoldenAnswer, GoldenAnswer]]:
    """Answers that are read in another way than the file says: the line's number, before, now."""
    known = cases()
    for number, answer in enumerate(answers(), start=1):
        now = read_again(known[answer.case], answer)
        if now != answer:
            yield number, answer, now


def difference(before: GoldenAnswer, now: GoldenAnswer) -> str:
    """Two readings of an answer, for a person."""
    lines = [_reading(one).splitlines() for one in (before, now)]
    return "\n".join(difflib.unified_diff(*lines, "before", "now", lineterm="", n=0))


def _reading(one: GoldenAnswer) -> str:
    if one.fault:
        return f"{one.fault}: {one.why}"
    return json.dumps(one.read, ensure_ascii=False, indent=1)
