"""Vectors through LiteLLM, from a server that speaks OpenAI's form."""

import base64
import json
from typing import Any

import numpy as np
import pytest
from aiohttp import web

from actors.models.caller import Backoff, ModelCaller
from actors.models.errors import CallFailed
from actors.models.port import ModelRequest, Msg
from actors.models.registry import Models
from events.minds import ModelSpec


class Embeddings:
    """A server; ``rows`` says what it answers with for some texts."""

    def __init__(self) -> None:
        self.bodies: list[dict[str, Any]] = []
        self.short = False
        self.url = ""

    async def __aenter__(self) -> "Embeddings":
        app = web.Application()
        app.router.add_post("/v1/embeddings", self._embed)
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", 0).start()
        self.url = f"http://127.0.0.1:{self._runner.addresses[0][1]}/v1"
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._runner.cleanup()

    async def _embed(self, request: web.Request) -> web.Response:
        body = json.loads(await request.read())
        self.bodies.append(body)
        texts = body["input"][: 1 if self.short else None]
        data = [
            {"object": "embedding", "index": place, "embedding": [float(len(text)), 0.5]}
            for place, text in enumerate(texts)
        ]
        usage = {"prompt_tokens": 9, "total_tokens": 9}
        return web.json_response(
            {"object": "list", "model": body["model"], "data": data[::-1], "usage": usage}
        )


def asked(*texts: str) -> ModelRequest:
    """A request for the vectors of some texts."""
    messages = tuple(Msg("user", text) for text in texts)
    return ModelRequest(messages=messages, temperature=0.0, max_tokens=0, embeds=True)


@pytest.mark.long
async def test_texts_come_back_as_vectors_in_their_order_with_tokens_and_price():
    async with Embeddings() as server:
        caller = ModelCaller(Models(), Backoff(first_s=0.01, longest_s=0.02))
        spec = ModelSpec(
            name="openai/embedder",
            base_url=server.url,
            input_usd_per_million=1.0,
            output_usd_per_million=0.0,
            retries=0,
        )
        reply = (await caller.call(spec, asked("one", "three"), purpose="embed")).reply
        found = np.frombuffer(base64.b64decode(reply.text), "<f4").reshape(2, -1)
        assert found.tolist() == [[3.0, 0.5], [5.0, 0.5]]
        assert (reply.input_tokens, reply.estimated) == (9, False)
        assert reply.cost_usd == pytest.approx(9e-6)
        assert server.bodies[0]["input"] == ["one", "three"]
        server.short = True
        with pytest.raises(CallFailed, match="1 vectors for 2 texts"):
            await caller.call(spec, asked("one", "three"), purpose="embed")
        await caller.close()
