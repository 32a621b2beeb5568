"""An answer that was cut off: the model is let go on from there, once, where its server can."""

import json
from typing import Any

import msgspec
import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer

from actors.models.answers.ask import Answered, ModelQuestion, UnansweredQuestion, ask
from actors.models.answers.structured import AnswerReader
from actors.models.caller import ModelCaller
from actors.models.port import Msg
from actors.models.registry import Models
from events.agent import ModelAnswered, ModelAsked
from events.minds import ModelSpec
from tests.evaluators.scripted import Stream

Reply = tuple[int, str, str]
"""The status, the text, why it ended."""


class Said(msgspec.Struct, frozen=True):
    kind: str
    text: str


READER = AnswerReader(Said)
BEGUN = '{"kind": "speak", "text": "The boat leaves'
REST = ' at seven."}'
WHOLE = Said("speak", "The boat leaves at seven.")
ANOTHER = '{"kind": "speak", "text": "I would rather stay."}'
# Recorded of SmolLM2-135M-Instruct on llama.cpp, 80 tokens at most.
LOOP = (
    '{\n    "kind": "speak",\n    "text": "You have completed the next task. You are ready to '
    "continue. You have completed your next task. You have completed your next task. You have "
    "completed your next task. You have completed your next task"
)


class Server:
    """A server that answers in order, as what it is asked with; ``bodies`` are its requests."""

    def __init__(self, *replies: Reply) -> None:
        self.replies, self.bodies = list(replies), list[dict[str, Any]]()
        app = web.Application()
        app.router.add_post("/v1/chat/completions", self._answer)
        self._server = TestServer(app)

    async def _answer(self, request: web.Request) -> web.Response:
        self.bodies.append(await request.json())
        status, text, ending = self.replies.pop(0)
        if status != 200:
            return web.json_response({"error": {"message": text}}, status=status)
        choice = {"message": {"content": text}, "finish_reason": ending}
        usage = {"prompt_tokens": 10, "completion_tokens": 5}
        return web.json_response({"choices": [choice], "usage": usage})

    async def __aenter__(self) -> "Server":
        await self._server.start_server()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._server.close()

    @property
    def url(self) -> str:
        return str(self._server.make_url("/v1"))


async def put(
    server: Server, caller: ModelCaller, calls: Stream, **fields: Any
) -> Answered[Said] | UnansweredQuestion:
    spec = ModelSpec(name="m", adapter="direct", base_url=server.url, retries=0, seed=3, **fields)
    question = ModelQuestion(messages=(Msg("user", "And?"),), read=READER.read, purpose="act")
    return await ask(question, turn=1, model=spec, caller=caller, calls=calls)


def cut(text: str = BEGUN) -> Reply:
    return (200, text, "length")


def whole(text: str) -> Reply:
    return (200, text, "stop")


@pytest.mark.parametrize("rest", [REST, BEGUN + REST], ids=["goes on", "repeats the beginning"])
async def test_a_model_goes_on_from_where_its_answer_was_cut_off(caller: ModelCaller, rest: str):
    calls = Stream()
    async with Server(cut(), whole(rest)) as server:
        answer = await put(server, caller, calls)
        assert await put(server, caller, calls) == answer, "found again in the log"
    assert isinstance(answer, Answered)
    assert (answer.value, answer.attempts) == (WHOLE, 1)
    first, second = server.bodies
    assert second["messages"] == [*first["messages"], {"role": "assistant", "content": BEGUN}]
    assert (second["continue_final_message"], second["add_generation_prompt"]) == (True, False)
    assert first["seed"] == second["seed"] == 3
    # Both are calls, and paid for.
    assert [one.output_tokens for one in answer.calls] == [5, 5]
    asked = [event for event in calls.events if isinstance(event, ModelAsked)]
    assert [event.attempt for event in asked] == [0, 0]
    assert [event.parameters.get("continues", False) for event in asked] == [False, True]
    faults = [event.fault for event in calls.events if isinstance(event, ModelAnswered)]
    assert faults == ["cut_off", ""]


async def test_it_goes_on_once_and_then_is_asked_again(caller: ModelCaller):
    async with Server(cut(), cut(" at"), cut(), whole(ANOTHER)) as server:
        answer = await put(server, caller, Stream(), reasks=1)
    assert isinstance(answer, UnansweredQuestion)
    assert (answer.reason, answer.attempts) == ("cut_off", 2)
    assert len(server.bodies) == 3
    assert [body["messages"][-1]["role"] for body in server.bodies] == ["user", "assistant", "user"]
    assert "use fewer than 250 words" in server.bodies[2]["messages"][-1]["content"]


async def test_a_half_written_answer_keeps_its_words(caller: ModelCaller):
    async with Server(cut(), cut(" at")) as server:
        answer = await put(server, caller, Stream(), reasks=0)
    assert isinstance(answer, UnansweredQuestion)
    assert answer.raw == BEGUN + " at"


@pytest.mark.parametrize(
    "instead",
    [(400, "the last message must be the user's", ""), whole(ANOTHER)],
    ids=["refuses", "begins anew"],
)
async def test_a_server_that_cannot_is_tried_once(caller: ModelCaller, instead: Reply):
    replies = [cut(), instead]
    if instead[0] != 200:
        replies.append(whole(ANOTHER))
    async with Server(*replies, cut(), whole(ANOTHER)) as server:
        first = await put(server, caller, Stream())
        second = await put(server, caller, Stream())
    for answer in (first, second):
        assert isinstance(answer, Answered)
        assert answer.value == Said("speak", "I would rather stay.")
    went_on = [body["messages"][-1]["role"] == "assistant" for body in server.bodies]
    assert sum(went_on) == 1


@pytest.mark.parametrize("can", [False, True])
async def test_whether_a_server_can_is_a_setting(caller: ModelCaller, can: bool):
    replies = [cut(), whole(ANOTHER)] if not can else [cut(), (400, "no", ""), whole(ANOTHER)]
    async with Server(*replies, *replies) as server:
        for _ in range(2):
            await put(server, caller, Stream(), completes_prefix=can)
    went_on = [body["messages"][-1]["role"] == "assistant" for body in server.bodies]
    assert sum(went_on) == 2 * can


async def test_what_was_asked_instead_is_not_asked_for_twice_after_a_restart(
    caller: ModelCaller,
):
    calls, anew = Stream(), ModelCaller(Models())
    async with Server(cut(), whole("{"), whole("no"), whole(ANOTHER)) as server:
        # Began anew, so that the next question is asked again at once …
        assert isinstance(await put(server, caller, Stream(), reasks=1), UnansweredQuestion)
        server.replies = [cut(), whole(ANOTHER)]
        answer = await put(server, caller, calls)
        asked = len(server.bodies)
        # … and a process that does not know so finds that answer.
        assert await put(server, anew, calls) == answer
    await anew.close()
    assert len(server.bodies) == asked


async def test_an_answer_in_a_loop_is_not_gone_on_with_and_called_one(caller: ModelCaller):
    async with Server(cut(LOOP), cut(LOOP), whole(ANOTHER)) as server:
        answer = await put(server, caller, Stream(), reasks=1)
    assert isinstance(answer, UnansweredQuestion)
    assert answer.reason == "loop"
    assert "over and over" in answer.detail
    assert "a higher max_tokens is no remedy" in answer.detail
    assert len(server.bodies) == 2
    again = server.bodies[1]["messages"][-1]["content"]
    assert "it said the same over and over" in again
    assert "completed your next task" not in json.dumps(server.bodies[1])
    assert server.bodies[1]["seed"] == 4
