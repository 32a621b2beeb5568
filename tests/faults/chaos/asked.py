"""The model server of a fleet: a stub that notes each request, who sent it, and when."""

import json

import msgspec
from aiohttp import web

from events.minds import ModelSpec
from tests.faults.chaos.signing import Signature, now
from tests.faults.questions import hash_of
from tests.support.servers.stub_llm import StubServer, StubSettings

MODEL = "openai/stub"


class Asked(msgspec.Struct):
    """One request."""

    at: float
    """When it came, in seconds since 1970."""
    request_hash: str
    """As in ``ModelAsked``."""
    member: str
    """Who sent it."""
    sent: float
    """When its sender began to send it, by its own word."""
    paid: bool = False
    """Whether it was answered with a completion, which a provider would charge for."""


class NotingStub(StubServer):
    """Answers, or misbehaves, as ``settings`` say now; notes everything."""

    def __init__(self, settings: StubSettings) -> None:
        super().__init__(settings)
        self.usual = settings
        self.asked: list[Asked] = []

    async def _complete(self, request: web.Request) -> web.Response:
        body = json.loads(await request.read())
        key = request.headers.get("Authorization", "").removeprefix("Bearer ")
        member, sent = Signature.read(key)
        asked = Asked(now(), hash_of(body, ModelSpec(name=MODEL)), member, sent)
        self.asked.append(asked)
        response = await super()._complete(request)
        asked.paid = response.status == web.HTTPOk.status_code
        return response
