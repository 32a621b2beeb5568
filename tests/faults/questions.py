"""A model server's requests, seen with the eyes of who asked."""

from typing import Any

from actors.models.port import ModelRequest, Msg, request_hash
from events.minds import ModelSpec


def hash_of(body: dict[str, Any], spec: ModelSpec) -> str:
    """The fingerprint of the request behind an HTTP body."""
    messages = tuple(Msg(m["role"], m["content"]) for m in body["messages"])
    form = body.get("response_format", {})
    return request_hash(
        spec,
        ModelRequest(
            messages=messages,
            temperature=body["temperature"],
            max_tokens=body["max_tokens"],
            json_schema=form.get("json_schema", {}).get("schema"),
            json_mode=form.get("type") == "json_object",
        ),
    )
