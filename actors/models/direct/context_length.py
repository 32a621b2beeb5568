"""The context length of a model behind an OpenAI-compatible server, if the server reports it."""

import asyncio
from typing import Final

import aiohttp
import msgspec

from actors.models.direct.adapter import SharedSession
from actors.models.errors import ModelError
from actors.models.keys import key_of
from events.minds import ModelSpec

LONGEST_S: Final = 10.0
"""How long a server may take to say it, in seconds."""
_MOST_BYTES: Final = 4 * 1024 * 1024


async def served_context(spec: ModelSpec, session: SharedSession, *, key: str = "") -> int:
    """Tokens that fit into a prompt with its answer; 0 where the server does not say. ``key``: of a
    server that was started for it; empty: the one that the specification names.

    vLLM and SGLang give ``max_model_len`` with each model of ``/v1/models``; llama.cpp's server
    ``meta.n_ctx`` there, and in ``/props`` what one of its slots has.
    """
    try:
        key = key or key_of(spec)
    except ModelError:
        return 0
    base = spec.base_url.rstrip("/")
    listed = await _said(session, f"{base}/models", key)
    models = [one for one in _list(listed, "data") if isinstance(one, dict)]
    name = spec.name.removeprefix("openai/")
    # llama.cpp's server has one model, and takes any name for it.
    meant = [one for one in models if one.get("id") == name] or (models if len(models) == 1 else [])
    found = [_number(one, "max_model_len") or _number(one.get("meta"), "n_ctx") for one in meant]
    if any(one.get("owned_by") == "llamacpp" for one in meant):
        props = await _said(session, f"{base.removesuffix('/v1')}/props", key)
        found.append(_number(_field(props, "default_generation_settings"), "n_ctx"))
    return min(filter(None, found), default=0)


async def _said(session: SharedSession, url: str, key: str) -> object:
    """What a server answers there, decoded; None: nothing that can be read."""
    headers = {"Authorization": f"Bearer {key}"} if key else {}
    try:
        async with (
            asyncio.timeout(LONGEST_S),
            session.get().get(url, headers=headers, allow_redirects=False) as response,
        ):
            if response.status != 200:
                return None
            body = await response.content.read(_MOST_BYTES)
            while not response.content.at_eof() and len(body) < _MOST_BYTES:
                body += await response.content.read(_MOST_BYTES - len(body))
        return msgspec.json.decode(body)
    except (TimeoutError, aiohttp.ClientError, OSError, ValueError, RecursionError):
        return None


def _field(of: object, name: str) -> object:
    return of.get(name) if isinstance(of, dict) else None


def _list(of: object, name: str) -> list[object]:
    found = _field(of, name)
    return found if isinstance(found, list) else []


def _number(of: object, name: str) -> int:
    found = _field(of, name)
    if not isinstance(found, int) or isinstance(found, bool):
        return 0
    return found if 0 < found < 2**53 else 0
