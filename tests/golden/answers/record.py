"""Asks a model of an OpenAI-compatible server what golden prompts ask, and keeps its answers.

``python -m tests.golden.answers.record --base-url http://127.0.0.1:8080/v1 --model NAME`` puts
every question twice, with the answer's schema and without; what the files have of that model
already is not asked again. ``--key-env`` names the environment variable with the server's key.
Readings are those of today's readers.
"""

import argparse
import asyncio
import os
import random
import sys
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import msgspec

from actors.episodes.mind import Scene
from actors.episodes.port.game import AnyGame
from actors.episodes.registry import environment_named, game_of
from actors.lifelong import prompts as note_prompts
from actors.minds.generative import questions
from actors.minds.model import ModelMind
from actors.models.caller import ModelCaller
from actors.models.port import ModelReply, ModelRequest, Msg
from actors.models.registry import Models
from actors.sandbox.placement import forms
from actors.worldtree.setup import Settings
from evaluators.judges.judge_file import parse_judge
from events.base import Event, replace
from events.episode import EpisodeStarted, TurnOpened, WorldChanged
from events.memory import MemorySpec
from events.minds import MindSpec, ModelSpec
from store.model_abilities import AnswerForm
from tests.golden.answers import (
    Case,
    GoldenAnswer,
    OneAnswer,
    answers,
    asks,
    cases,
    kept,
    read_again,
    until_answered,
    write,
)
from tests.golden.scenes import FRIENDS, haggled, pair, three
from tests.golden.test_judges import JUDGES
from tests.golden.test_thinking import ALIKE, FORMS, OWN, WHO
from tests.golden.test_towns import ASKED, BEGUN
from tests.support.builders import opened
from tests.support.generative_minds import thinker
from tests.support.small_town import case as talk
from tests.support.small_town import started as town_started
from tests.support.small_town import town

SHORT = 110
"""Tokens of an answer: enough for one that is short."""
JUDGED = ("judge-v2", "sotopia-v3", "own-v2", "believability-v2", "belext-v3")


class Put(NamedTuple):
    """A case with what it takes to ask its question."""

    case: Case
    ask: Any
    """From the model to what asks."""


class Asking(OneAnswer):
    """A caller that asks a model once, with the schema or without."""

    def __init__(self, caller: ModelCaller, *, schema: bool) -> None:
        super().__init__(ModelReply(text=""))
        self._caller, self._schema = caller, schema
        self.request: ModelRequest | None = None
        self.answered: ModelReply | None = None

    async def form_for(self, spec: ModelSpec) -> AnswerForm:
        return "schema" if self._schema else "none"

    async def reply(self, spec: ModelSpec, request: ModelRequest) -> ModelReply:
        self.request = request
        answer = await self._caller.call(spec, request, purpose="act")
        self.answered = answer.reply
        return answer.reply


def puts() -> Iterator[Put]:
    """All questions."""
    yield from _social()
    yield from _trees()
    yield from _towns()
    yield from _judges()
    yield from _notes()
    yield from _interviews()
    yield from _forms()


def _act(name: str, game: AnyGame, history: Sequence[Event], seat: int, language: str) -> Put:
    """What a seat is asked at the end of a history."""
    first = history[0]
    last = history[-1]
    assert isinstance(first, EpisodeStarted)
    assert isinstance(last, TurnOpened)
    eyes, seen = game.sight.reducer(first, seat), []
    for number, event in enumerate(history):
        seen += eyes.apply(number, event)
    background = game.sight.background("e1", first, seat, "")
    question = next(asked.question for asked in last.asked if asked.seat == seat)
    scene = Scene(
        background=background,
        seen=seen,
        turn=last.turn,
        question=question,
        seat=seat,
        seats=len(first.minds),
    )
    case = Case(
        case=name,
        kind="act",
        language=language,
        environment=game.environment,
        question=msgspec.to_builtins(question),
        background=msgspec.to_builtins(background),
        seat=seat,
        seats=len(first.minds),
    )
    return Put(
        case,
        lambda model: lambda caller: ModelMind(model, game, caller).decide(scene, caller),
    )


def _social() -> Iterator[Put]:
    for name, first in (("two", pair()), ("friends", pair(FRIENDS)), ("three", three())):
        history = haggled(first)
        for turn in (1, 2, 4):
            past = [event for event in history if getattr(event, "turn", 0) < turn]
            seat = 0 if turn == 1 else 1
            yield _act(
                f"social-{name}-{turn}", game_of(first), [*past, opened(turn, (seat,))], seat, "en"
            )


def _trees() -> Iterator[Put]:
    trees = environment_named("worldtree")
    catalog: Any = trees.starter()
    tasks = [task.id for task in trees.tasks(catalog)]
    chosen = [id for id in tasks if id.startswith("walk.")]
    draw = random.Random(3)
    for kind in ("ask.", "line."):
        chosen += draw.sample([id for id in tasks if id.startswith(kind)], 8)
    for id in chosen:
        setup = trees.begin(catalog, id, Settings(shuffles=1), 7).setup
        minds = (MindSpec(name="m", kind="rehearsal"),)
        first = EpisodeStarted(
            run="", task=id, catalog="c", environment="worldtree", setup=setup, minds=minds
        )
        rules = game_of(first).rules
        asked = rules.next_step(rules.initial(setup)).asked
        language = "zh" if "-zh" in id else "en"
        history = [first, TurnOpened(turn=1, asked=asked[:1])]
        yield _act(f"worldtree-{id}", game_of(first), history, 0, language)


def _towns() -> Iterator[Put]:
    for name, question in ASKED.items():
        for prompt in ("say-1", "say-2"):
            setup = town(prompt=prompt) if name != "recap" else replace(talk(), prompt=prompt)
            first = town_started(thinker(), setup)
            history: list[Event] = [first]
            if name != "recap":
                history.append(WorldChanged(change=BEGUN))
            last = opened(1, (0,))
            asked = tuple(replace(one, question=question) for one in last.asked)
            history.append(replace(last, asked=asked))
            yield _act(f"sandbox-{name}-{prompt}", game_of(first), history, 0, "en")


def _judges() -> Iterator[Put]:
    for name, first in (("two", pair()), ("three", three())):
        for judge in JUDGED:
            spec = parse_judge(f'model = "test/judge"\nretries = 0\n{JUDGES[judge]}')
            fields = msgspec.to_builtins(replace(spec, model=None))
            case = Case(
                case=f"judge-{judge}-{name}",
                kind="judge",
                environment="social",
                judge=fields,
                history=kept(haggled(first)),
            )
            yield _plainly(case)


def _notes() -> Iterator[Put]:
    for name, first in (("two", pair()), ("three", three())):
        for template in ("note-3", "note-4", "note-5"):
            version = note_prompts.version(template)
            memory = MemorySpec(
                name="m", module="summary", words_low=20, words_high=40, prompt_version=version
            )
            case = Case(
                case=f"{template}-{name}",
                kind="note",
                environment="social",
                memory=msgspec.to_builtins(memory),
                history=kept(haggled(first)),
            )
            yield _plainly(case)


def _interviews() -> Iterator[Put]:
    for number, question in enumerate(
        ("What do you want?", "Do you trust the other?", "What will you do tomorrow?", "你好吗？")
    ):
        case = Case(
            case=f"interview-{number + 1}",
            kind="interview",
            environment="social",
            question=question,
            history=kept(haggled(pair())),
        )
        yield _plainly(case)


def _plainly(case: Case) -> Put:
    return Put(case, lambda model: asks(case, model, ()))


def _forms() -> Iterator[Put]:
    all_ = (vars(questions) | vars(forms)).items()
    names = {id(form): name for name, form in all_}
    for form in FORMS:
        name = names[id(form)]
        own = OWN.get(f"{form.template.rpartition('-')[0]}-1", {})
        prompt = form.prompt(**WHO, words=ALIKE | own)
        messages = (Msg("system", prompt.system), Msg("user", prompt.user))
        case = Case(case=f"form-{name.lower().replace('_', '-')}", kind="form", form=name)
        yield Put(case, lambda model, case=case, messages=messages: asks(case, model, messages))


async def record(
    base_url: str, name: str, key_env: str, *, seeds: Sequence[int], most: int, begin: str
) -> int:
    """Ask what is not answered; how many answers came."""
    known, there = cases(), answers()
    before = {(one.case, one.model, one.schema, one.seed) for one in there}
    caller = ModelCaller(Models())
    model = ModelSpec(
        name=name,
        adapter="direct",
        base_url=base_url,
        api_key_env=key_env,
        max_tokens=SHORT,
        temperature=0.7,
        timeout_s=600.0,
    )
    # What judges read is long: last. With another seed the prompt is in the server's cache.
    questions = sorted(puts(), key=lambda put: put.case.kind == "judge")
    each = [(put, seed, schema) for put in questions for seed in seeds for schema in (True, False)]
    count = 0
    for put, seed, schema in each:
        known_already = (put.case.case, name, schema, seed) in before
        if known_already or count == most or not put.case.case.startswith(begin):
            continue
        asking = Asking(caller, schema=schema)
        await until_answered(put.ask(replace(model, seed=seed)), asking)
        if asking.request is None or asking.answered is None:
            continue
        if schema and asking.request.json_schema is None:
            continue  # It has none: without one it is asked for all the same.
        answer = GoldenAnswer(
            case=put.case.case,
            model=name,
            text=asking.answered.text,
            finish_reason=asking.answered.finish_reason,
            longest=asking.request.longest,
            seed=seed,
            schema=schema,
        )
        known[put.case.case] = put.case
        read = await asyncio.to_thread(read_again, put.case, answer)
        there.append(read)
        write(known.values(), there)
        count += 1
        sys.stdout.write(f"{count}: {put.case.case}, {read.fault or 'read'}\n")
        sys.stdout.flush()
    await caller.close()
    return count


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--base-url", required=True)
    parser.add_argument("--model", required=True)
    parser.add_argument("--key-env", default="OPENAI_API_KEY")
    parser.add_argument("--seeds", type=int, nargs="+", default=[1])
    parser.add_argument("--most", type=int, default=-1, help="so many answers at most")
    parser.add_argument("--cases", default="", help="only cases whose names begin so")
    given = parser.parse_args()
    # The tests' modules, which the scenes come from, bind their own keys.
    os.environ["TROUPE_KEYS"] = f"{given.key_env}@{urlsplit(given.base_url).netloc}"
    count = asyncio.run(
        record(
            given.base_url,
            given.model,
            given.key_env,
            seeds=given.seeds,
            most=given.most,
            begin=given.cases,
        )
    )
    sys.stdout.write(f"{count} answers more.\n")


if __name__ == "__main__":
    main()
