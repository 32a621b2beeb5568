"""What of a process's environment reaches a server that is asked through LiteLLM.

``python -m tests.actors.models.canaries``, with a recognizable value in every variable, asks a
server of its own by each of LiteLLM's providers' names, at its address, and prints the names of
the variables whose values came, by who was asked.
"""

import asyncio
import importlib.util
import json
import os
import re
from contextlib import suppress
from pathlib import Path

import msgspec
from aiohttp import web
from aiohttp.test_utils import TestServer

from actors.models.errors import ModelError
from actors.models.litellm import adapter
from actors.models.litellm.adapter import LiteLLMModel, ready_litellm
from actors.models.port import Msg, request_of
from events.minds import ModelSpec

KEY = "STUB_KEY"
PREFIX = "70707"
"""How the values begin: numbers, for some variables are read as such when LiteLLM is imported."""
_SOURCES = ("litellm", "openai", "botocore", "google/auth")
_NAME = re.compile(r"""["'/]([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)["']""")
_KEPT = re.compile("(PYTHON|LD_|SSL_|[A-Z]+_PROXY$|TROUPE_|TEST_|LITELLM_(LOCAL|MODE)|.*CA_BUNDLE)")
"""What is read to find, and to trust, the server."""


def names() -> list[str]:
    """Whatever looks like a variable's name in the installed sources."""
    found = {KEY}
    for source in _SOURCES:
        spec = importlib.util.find_spec(source.split("/")[0])
        if spec is None:
            continue
        for place in spec.submodule_search_locations or ():
            folder = Path(place).joinpath(*source.split("/")[1:])
            for path in [*folder.rglob("*.py"), *folder.rglob("*.json")]:
                if path.stat().st_size < 2_000_000:
                    found.update(_NAME.findall(path.read_text(errors="replace")))
    return sorted(name for name in found if not _KEPT.match(name))


def values() -> dict[str, str]:
    """A value for each, by name."""
    found = {name: f"{PREFIX}{number:07}" for number, name in enumerate(names())}
    # Headers, a line each.
    found["OPENAI_CUSTOM_HEADERS"] = f"X-Meant-For-OpenAI: {found['OPENAI_CUSTOM_HEADERS']}"
    return found


async def _asked() -> dict[str, list[str] | None]:
    came: list[str] = []

    async def take(request: web.Request) -> web.Response:
        body = (await request.read()).decode(errors="replace")
        came.append(f"{request.raw_path}\n{request.raw_headers}\n{body}")
        return web.json_response({"choices": [{"message": {"content": "yes"}}]})

    app = web.Application()
    app.router.add_route("*", "/{path:.*}", take)
    server = TestServer(app, host="127.0.0.1")
    await server.start_server()
    await ready_litellm()
    import litellm

    found: dict[str, list[str] | None] = {}
    url = f"http://127.0.0.1:{server.port}/v1"
    # Also by the names of those that are refused before, lest the refusal be all there is.
    adapter.key_of = lambda spec: os.environ.get(spec.api_key_env, "")  # type: ignore
    for provider in sorted(litellm.provider_list):
        for key in (KEY, ""):
            name = f"{getattr(provider, 'value', provider)!s}/m"
            spec = ModelSpec(name=name, base_url=url, api_key_env=key, timeout_s=10.0)
            came.clear()
            asked = request_of(spec, (Msg("user", "hi"),))
            for request in (asked, msgspec.structs.replace(asked, embeds=True)):
                with suppress(ModelError, TimeoutError):
                    async with asyncio.timeout(10.0):
                        await LiteLLMModel(spec).complete(request)
            values = re.findall(PREFIX + r"\d{7}", "\n".join(came))
            by = {value[-12:]: one for one, value in os.environ.items()}
            arrived = sorted({by[value] for value in values})
            found[f"{name} {key}".strip()] = arrived if came else None
    await server.close()
    return found


if __name__ == "__main__":
    print(json.dumps(asyncio.run(_asked())))
