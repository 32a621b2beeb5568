"""Embeds texts with an embedding model of any provider, through LiteLLM."""

import base64
import struct
from collections.abc import Mapping
from typing import Any

from actors.models import tokens as counting
from actors.models.completion import encodable
from actors.models.errors import ModelError
from actors.models.litellm.pricing import cost_usd
from actors.models.port import ModelReply, ModelRequest
from events.minds import ModelSpec


async def embedded(
    litellm: Any, spec: ModelSpec, request: ModelRequest, options: Mapping[str, object]
) -> ModelReply:
    """The vectors of a request's messages, one after the other, as its text: 32-bit floats,
    little-endian, in base64. ``options``: what every call of the model takes. Raises ``ModelError``
    where the reply holds no vector for one of them, and what LiteLLM raises."""
    texts = [message.content for message in request.messages]
    given = {name: value for name, value in options.items() if name != "no-log"}
    reply = await litellm.aembedding(input=texts, encoding_format="float", **given)
    try:
        rows = [one["embedding"] for one in sorted(reply.data, key=lambda one: one["index"])]
        vectors = b"".join(struct.pack(f"<{len(row)}f", *row) for row in rows)
    except (TypeError, KeyError, AttributeError, struct.error, OverflowError) as error:
        raise ModelError(
            "server_error", "the server's reply holds no vectors", may_pass=True
        ) from error
    if len(rows) != len(texts) or len({len(row) for row in rows}) != 1 or not rows[0]:
        raise ModelError(
            "server_error",
            f"the server's reply holds {len(rows)} vectors for {len(texts)} texts",
            may_pass=True,
        )
    usage = getattr(reply, "usage", None)
    tokens = getattr(usage, "prompt_tokens", None) or 0
    estimated = not tokens
    if estimated:
        await counting.ready()
        tokens = sum(map(counting.count, texts))
    return ModelReply(
        text=base64.b64encode(vectors).decode(),
        model=encodable(reply.model) if isinstance(reply.model, str) else "",
        input_tokens=tokens,
        estimated=estimated,
        cost_usd=cost_usd(spec, tokens, 0),
        finish_reason="stop",
    )
