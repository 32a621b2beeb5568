"""What models answer: texts, and whole replies of their servers."""

import asyncio
import gzip
import json
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import msgspec
from aiohttp import web

from actors.lifelong.memory.note_answer import note_of, problems, reader
from actors.minds.model import ModelMind
from actors.models.caller import ModelCaller
from actors.models.completion import encodable
from actors.models.errors import Unreadable
from actors.models.limits.backoff import Backoff
from actors.models.limits.halts import HALTS
from actors.models.registry import Models
from actors.models.replies.thoughts import parted
from actors.social.actions import ACT
from actors.social.environment import GAME
from actors.worldtree.answers import read_choice
from evaluators.judges.judge_answer import Judgement, read_score
from evaluators.registry import built_in
from events.memory import MemorySpec
from events.minds import ModelSpec
from events.serialization.codec import encode
from tests.actors.minds.test_model_mind import Stream, scene
from tests.actors.worldtree.test_answers import EN
from tests.fuzz.files import step_of_json_lines
from tests.fuzz.oracle import Fault
from tests.fuzz.playing import Kind
from tests.fuzz.spoiling import spoiled, step_of_text, step_of_tree

_JUDGE = built_in()["rehearsal-strict"]
_SCORES = {
    f"seat_{seat}": {
        one.name: {"reason": "Because.", "evidence": [2, 4], "score": one.high}
        for one in _JUDGE.dimensions
    }
    for seat in (1, 2)
}
_ACTIONS: tuple[Any, ...] = (
    {"kind": "speak", "text": "Hello."},
    {"kind": "speak", "text": "Only for you.", "to": [2]},
    {"action_type": "non-verbal communication", "argument": "nods", "to": "Bo Berg"},
    {"kind": "leave"},
    {"kind": "none", "text": None},
)
_CHOICES: tuple[Any, ...] = (
    {"explanation": "Because.", "choice": "B"},
    {"解释": "因为……", "选择": "选项Ａ"},
    {"choice": "C. Can we find a way together?"},
)
_PROSE = ("I choose A because it is kind.", "我不选A，我选Ｂ。", "Option A or (b)?\n**C**\n")
_NOTE = {"overview": "They met.", "strategies": "None.", "knowledge": "A name.", "importance": 0.5}
_WRAPS = (
    *("{}", "```json\n{}\n```", "<think>Hm, {{1}}.</think>{}", "Here: {} and that is it.", "{}{}"),
    *("◁think▷ no ◁/think▷ {}", "<|channel|>analysis<|message|>x<|end|>{}", "<think>{}", "{},"),
)


def step_of_answer(text: str, random: Random) -> str:
    """Change an answer: its JSON, what stands around it, or any place of the text."""
    match random.randrange(4):
        case 0:
            return random.choice(_WRAPS).replace("{}", text)
        case 1 | 2:
            try:
                return json.dumps(step_of_tree(json.loads(text), random))
            except (ValueError, RecursionError):
                pass
    return step_of_text(text, random)


class Answers(Kind):
    """Texts, read as an action, a choice, a note and a judgement."""

    name = "answers"
    share = 3.0
    _texts = (*(json.dumps(one) for one in (*_ACTIONS, *_CHOICES, _NOTE, _SCORES)), *_PROSE)
    samples = len(_texts)

    def __init__(self, folder: Path) -> None:
        self._memory = MemorySpec(name="notes", module="summary")

    def play(self, sample: int, steps: Sequence[int]) -> None:
        text = self.shown(sample, steps)
        for read in (self._action, self._choice, self._note, self._judgement):
            try:
                # What is kept of it must go into the log.
                encode(read(parted(text).answer))
            except Unreadable as error:
                if len(str(error)) > 20_000:
                    raise Fault(f"{len(str(error))} characters on what is unreadable") from error

    def shown(self, sample: int, steps: Sequence[int]) -> str:
        # As text comes from an adapter: whole characters, else it would be in no log.
        return encodable(spoiled(self._texts[sample], steps, step_of_answer))

    def _action(self, text: str) -> Any:
        return GAME.prompts.read(ACT, scene().background, text, "fuzz")

    def _choice(self, text: str) -> Any:
        chose = read_choice(EN, text, "fuzz")
        if not 0 <= chose.option < len(EN):
            raise Fault(f"there is no option {chose.option}")
        return chose

    def _note(self, text: str) -> Any:
        note = note_of(reader().read(text, "fuzz"))
        problems(note, self._memory)
        return note

    def _judgement(self, text: str) -> Any:
        read = partial(read_score, numbers={2, 4})
        judgement = Judgement(_JUDGE.dimensions, 2, read)
        try:
            judgement.read(text, "fuzz")
        except Unreadable:
            judgement.fail("it could not be read", text[:100])
        return tuple(judgement.found.values())


class _Reply(NamedTuple):
    """What a server sends back."""

    status: int
    headers: dict[str, str]
    body: bytes


class Replies(Kind):
    """A server's replies, all the way from the socket to a decision of a mind."""

    name = "replies"
    share = 1.5
    _bodies = (
        {
            "id": "c1",
            "object": "chat.completion",
            "model": "stub",
            "choices": [
                {
                    "index": 0,
                    "message": {
                        "role": "assistant",
                        "content": json.dumps(_ACTIONS[0]),
                        "reasoning_content": "Hm.",
                    },
                    "finish_reason": "stop",
                }
            ],
            "usage": {
                "prompt_tokens": 10,
                "completion_tokens": 5,
                "completion_tokens_details": {"reasoning_tokens": 2},
                "prompt_tokens_details": {"cached_tokens": 3},
            },
        },
        {"error": {"message": "no such model", "type": "invalid_request_error", "code": 404}},
        {"choices": [{"message": {"content": [{"type": "text", "text": '{"kind": "leave"}'}]}}]},
    )
    samples = len(_bodies)

    def __init__(self, folder: Path) -> None:
        self._runner = asyncio.Runner()
        self._reply = _Reply(200, {}, b"")
        self._runner.run(self._serve())

    async def _serve(self) -> None:
        app = web.Application()
        app.router.add_post("/v1/chat/completions", self._answer)
        self._server = web.AppRunner(app, access_log=None)
        await self._server.setup()
        site = web.TCPSite(self._server, "127.0.0.1", 0)
        await site.start()
        host, port = self._server.addresses[0][:2]
        self._spec = ModelSpec(
            name="openai/stub",
            base_url=f"http://{host}:{port}/v1",
            adapter="direct",
            timeout_s=5.0,
            retries=0,
        )

    async def _answer(self, request: web.Request) -> web.Response:
        await request.read()
        return web.Response(
            status=self._reply.status, headers=self._reply.headers, body=self._reply.body
        )

    def __exit__(self, *_: object) -> None:
        self._runner.run(self._server.cleanup())
        self._runner.close()

    def _spoiled(self, sample: int, steps: Sequence[int]) -> _Reply:
        random = Random(str(steps))
        whole = json.dumps(self._bodies[sample]).encode()
        body = spoiled(whole, steps, step_of_json_lines)
        status = random.choices(
            (200, 400, 404, 408, 413, 429, 500, 503, 204, 301, 599),
            (40, 2, 1, 1, 1, 1, 2, 1, 1, 1, 1),
        )[0]
        headers = random.choice(
            (
                *({},) * 6,
                {"Retry-After": "nan"},
                {"Retry-After": "9" * 400},
                {"Retry-After": "Wed, 21 Oct 99999 07:28:00 GMT"},
                {"Content-Type": "text/html; charset=nonsense"},
                {"Content-Encoding": "gzip"},
                {"Content-Encoding": "gzip", "X-Right": "1"},
            )
        )
        if "X-Right" in headers:
            body = gzip.compress(body)
        return _Reply(status, dict(headers), body)

    def play(self, sample: int, steps: Sequence[int]) -> None:
        self._reply = self._spoiled(sample, steps)
        self._runner.run(self._decide())

    async def _decide(self) -> None:
        # One a case: what a server did before makes a caller careful.
        caller = ModelCaller(Models(), Backoff(first_s=0.001, longest_s=0.002, patience_s=0.0))
        stream = Stream()
        try:
            decision = await ModelMind(self._spec, GAME, caller).decide(scene(), stream)
            encode(msgspec.to_builtins(decision.action))
        except HALTS:
            pass
        finally:
            await caller.close()
        for event in stream.events:
            encode(event)

    def shown(self, sample: int, steps: Sequence[int]) -> str:
        return repr(self._spoiled(sample, steps))
