"""An OpenAI-compatible server that answers by rule and misbehaves on purpose.

``python -m tests.support.servers.stub_llm [--rate-limited 0.1 --server-error 0.1 …]`` prints
``READY <url>``; in a test, ``async with StubServer(...) as stub`` serves on the test's own loop.

What it does with a request depends on the seed, the request's body and how often that body came
before, and on nothing else: neither the clock nor the order of different requests.
"""

import argparse
import asyncio
import hashlib
import json
import time
from collections import Counter
from typing import Any

import msgspec
from aiohttp import ClientSession, web

from tests.support.servers.stub_answers import answer_to, open_place, with_texts

FAULTS = (
    "rate_limited",
    "server_error",
    "hang",
    "truncated",
    "wrong_name",
    "empty",
    "broken_reply",
    "short",
    "long",
    "too_long",
)
"""429 with Retry-After; 500; no answer before ``hang_s``; an answer cut off in the middle; one with
a name that does not exist; an empty one; a 200 whose body is not a chat completion; answers
whose texts have three words each, or three times the words they should have; a reply of 5 MiB."""


class StubSettings(msgspec.Struct, frozen=True, kw_only=True):
    """How the stub behaves. The rates are shares of requests and add up to 1 at most."""

    seed: int = 0
    rate_limited: float = 0.0
    server_error: float = 0.0
    hang: float = 0.0
    truncated: float = 0.0
    wrong_name: float = 0.0
    empty: float = 0.0
    broken_reply: float = 0.0
    short: float = 0.0
    long: float = 0.0
    too_long: float = 0.0
    first: tuple[str, ...] = ()
    """What the first requests with any one body meet, in order: names of ``FAULTS`` or ``ok``."""
    retry_after: str = "0.05"
    hang_s: float = 30.0
    latency_s: float = 0.0
    stagger_s: float = 0.0
    """How much later every second answer of three comes, and every third after that one."""
    key: str = ""
    """When set, requests without it are refused with 401."""
    refuse_schema: bool = False
    """Refuse a request that has a ``response_format``, as servers do that know none."""
    takes: str = "all"
    """What ``response_format`` may be: ``simple``, a schema without bounds of texts; ``json``, no
    schema; ``ignored``, whatever it likes, which changes nothing of the answers."""
    models: dict[str, Any] = {}
    """What ``/v1/models`` says; an empty one: there is no such way."""
    props: dict[str, Any] = {}
    """What ``/props`` says, as llama.cpp's server does."""
    check_schema: bool = False
    """Refuse a schema that is not closed, as OpenAI's strict mode does."""
    echo_key: bool = False
    """Repeat the request's authorization header in error messages, as careless servers do."""
    status: int = 0
    """Refuse requests with this status, from number ``status_from`` on."""
    status_from: int = 0
    """Requests that are answered as ever before; the first is number 0."""
    error_code: str = ""
    """What the refusals give as ``code``: ``insufficient_quota``, for example."""
    refuse: str = ""
    """Refuse a request that has a field of this name, as servers do that do not take it."""
    refuse_status: int = 400
    """What such a request is refused with."""
    usage: dict[str, Any] | None = None
    """What a reply says it used, beside the usual figures; an empty one: nothing at all."""
    choice: dict[str, Any] = {}
    """What the first choice of a reply holds instead of the usual: ``finish_reason``, or a
    ``message`` whose fields replace the usual ones."""
    fields: dict[str, Any] = {}
    """What a reply holds instead of the usual: ``choices``, for example."""
    keep_bodies: bool = True
    """Keep every answered request's body for whoever tests; they add up in a long measurement."""


class StubStats(msgspec.Struct, kw_only=True):
    """What the stub has seen, as ``/stats`` gives it."""

    requests: int = 0
    answers: int = 0
    """Requests that were answered with a chat completion, unreadable ones included."""
    inflight: int = 0
    peak: int = 0
    """The most requests that were under way at once."""
    too_early: int = 0
    """Requests that came before the time that a 429 for the same body had asked to wait."""
    faults: Counter[str] = msgspec.field(default_factory=Counter)
    by_body: Counter[str] = msgspec.field(default_factory=Counter)
    """Requests by the hash of their body."""
    answers_by_body: Counter[str] = msgspec.field(default_factory=Counter)


class StubServer:
    """The server; ``url`` is its ``…/v1`` address while it is entered."""

    def __init__(self, settings: StubSettings | None = None) -> None:
        self.settings = settings or StubSettings()
        self.stats = StubStats()
        self.url = ""
        self.bodies: list[dict[str, Any]] = []
        """Every request's body, in order."""
        self.keys: set[str] = set()
        """Every authorization header that came."""
        self.answering = asyncio.Event()
        """Clear it, and requests wait until it is set again."""
        self.answering.set()
        self._not_before: dict[str, float] = {}
        self._runner: web.AppRunner | None = None

    async def __aenter__(self) -> "StubServer":
        app = web.Application()
        app.router.add_post("/v1/chat/completions", self._complete)
        app.router.add_get("/stats", self._stats)
        app.router.add_get("/v1/models", self._models)
        app.router.add_get("/props", self._props)
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", 0, backlog=4096).start()
        port = self._runner.addresses[0][1]
        self.url = f"http://127.0.0.1:{port}/v1"
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._runner is not None:
            await self._runner.cleanup()

    async def caught_up(self) -> None:
        """Every request that has left before is counted, if whoever sent it waits for it or not."""
        async with ClientSession() as session, session.get(f"{self.url}/models") as response:
            await response.read()

    async def _stats(self, _: web.Request) -> web.Response:
        return web.Response(body=msgspec.json.encode(self.stats), content_type="application/json")

    async def _models(self, _: web.Request) -> web.Response:
        if not self.settings.models:
            raise web.HTTPNotFound
        return web.json_response(self.settings.models)

    async def _props(self, _: web.Request) -> web.Response:
        if not self.settings.props:
            raise web.HTTPNotFound
        return web.json_response(self.settings.props)

    async def _complete(self, request: web.Request) -> web.Response:
        stats = self.stats
        body = await request.read()
        name = hashlib.blake2b(body, digest_size=16).hexdigest()
        if time.monotonic() < self._not_before.pop(name, 0.0):
            stats.too_early += 1
        fault = self._fault(name, stats.by_body[name])
        stats.requests += 1
        stats.by_body[name] += 1
        stats.inflight += 1
        stats.peak = max(stats.peak, stats.inflight)
        self.keys.add(request.headers.get("Authorization", ""))
        try:
            return await self._respond(request, name, body, fault)
        finally:
            stats.inflight -= 1

    async def _respond(
        self, request: web.Request, name: str, body: bytes, fault: str
    ) -> web.Response:
        settings = self.settings
        await self.answering.wait()
        if wait_s := settings.latency_s + settings.stagger_s * (self.stats.requests % 3):
            await asyncio.sleep(wait_s)
        authorization = request.headers.get("Authorization", "")
        if settings.key and authorization != f"Bearer {settings.key}":
            return self._error(401, "this key is not known", authorization)
        if settings.status and self.stats.requests > settings.status_from:
            self.stats.faults["status"] += 1
            code = settings.error_code or settings.status
            response = self._error(settings.status, "not for you", authorization, code)
            if settings.status == 429:
                response.headers["Retry-After"] = settings.retry_after
            return response
        if fault != "ok":
            self.stats.faults[fault] += 1
        match fault:
            case "rate_limited":
                response = self._error(429, "too many requests", authorization)
                response.headers["Retry-After"] = settings.retry_after
                self._not_before[name] = time.monotonic() + _seconds(settings.retry_after)
                return response
            case "server_error":
                return self._error(500, "something broke", authorization)
            case "hang":
                await asyncio.sleep(settings.hang_s)
                return self._error(504, "too late", authorization)
            case "broken_reply":
                return web.Response(
                    text='{"id": "chatcmpl-1", "cho', content_type="application/json"
                )
            case "too_long":
                return web.Response(body=b" " * 5 * 1024 * 1024, content_type="application/json")
        question = json.loads(body)
        fault_of_schema = _schema_fault(question, settings)
        if fault_of_schema:
            self.stats.faults["schema"] += 1
            return self._error(400, fault_of_schema, authorization)
        if settings.refuse in question:
            why = f"Unsupported parameter: {settings.refuse}"
            return self._error(settings.refuse_status, why, authorization)
        if settings.keep_bodies:
            self.bodies.append(question)
        self.stats.answers += 1
        self.stats.answers_by_body[name] += 1
        asked = {**question, "response_format": None} if settings.takes == "ignored" else question
        text = answer_to(asked, settings.seed)
        match fault:
            case "truncated":
                text = text[: len(text) // 2]
            case "wrong_name":
                text = text.replace('"speak"', '"shout"').replace('"reason"', '"because"')
            case "empty":
                text = ""
            case "short":
                text = with_texts(text, lambda words: words[:3])
            case "long":
                text = with_texts(text, lambda words: 3 * words)
        return web.Response(
            body=json.dumps(_completion(name, question, body, text, settings)).encode(),
            content_type="application/json",
        )

    def _fault(self, name: str, before: int) -> str:
        settings = self.settings
        if before < len(settings.first):
            return settings.first[before]
        digest = hashlib.blake2b(f"{settings.seed}/{name}/{before}".encode(), digest_size=8)
        draw = int.from_bytes(digest.digest()) / 2**64
        for fault in FAULTS:
            draw -= getattr(settings, fault)
            if draw < 0:
                return fault
        return "ok"

    def _error(
        self, status: int, message: str, authorization: str, code: int | str = ""
    ) -> web.Response:
        if self.settings.echo_key:
            message = f"{message}; you sent {authorization}"
        error = {"error": {"message": message, "type": "stub", "code": code or status}}
        return web.json_response(error, status=status)


def _schema_fault(question: dict[str, Any], settings: StubSettings) -> str:
    """Why the server does not take a request's schema; empty where it does."""
    given = question.get("response_format")
    if given is None:
        return ""
    if settings.refuse_schema:
        return "response_format is not supported by this server"
    schema = given.get("json_schema", {}).get("schema")
    if schema is None:
        return ""
    if settings.takes == "json":
        return "response_format of type json_schema is not supported by this model"
    if settings.takes == "simple" and "maxLength" in json.dumps(schema):
        return "Invalid schema for response_format 'answer': 'maxLength' is not permitted."
    if settings.check_schema and (fault := open_place(schema)):
        return f"Invalid schema for response_format 'answer': {fault}"
    return ""


def _seconds(retry_after: str) -> float:
    try:
        return float(retry_after)
    except ValueError:
        return 0.0


def _completion(
    name: str, question: dict[str, Any], body: bytes, text: str, settings: StubSettings
) -> dict[str, Any]:
    asked, answered = len(body) // 4, len(text) // 4
    message = {"role": "assistant", "content": text} | settings.choice.get("message", {})
    completion: dict[str, Any] = {
        "id": f"chatcmpl-{name}",
        "object": "chat.completion",
        "created": 0,
        "model": question.get("model", "stub"),
        "choices": [{"index": 0, "finish_reason": "stop"} | settings.choice | {"message": message}],
    }
    if settings.usage != {}:
        completion["usage"] = {
            "prompt_tokens": asked,
            "completion_tokens": answered,
            "total_tokens": asked + answered,
        } | (settings.usage or {})
    return completion | settings.fields


async def _serve(settings: StubSettings) -> None:
    async with StubServer(settings) as stub:
        print(f"READY {stub.url}", flush=True)
        await asyncio.Event().wait()


def main() -> None:
    """Serve until killed."""
    parser = argparse.ArgumentParser(description="An OpenAI-compatible stub that misbehaves.")
    for field in msgspec.structs.fields(StubSettings):
        if field.type in (int, float, str):
            flag = "--" + field.name.replace("_", "-")
            parser.add_argument(flag, type=field.type, default=field.default)
    settings = StubSettings(**vars(parser.parse_args()), keep_bodies=False)
    try:
        import uvloop
    except ImportError:
        asyncio.run(_serve(settings))
    else:
        uvloop.run(_serve(settings))


if __name__ == "__main__":
    main()
