"""Models whose servers tell of themselves."""

import json
from pathlib import Path
from typing import Any

from actors.models.caller import Backoff, ModelCaller
from actors.models.local.settings import LocalSettings
from actors.models.port import Msg, request_of
from actors.models.registry import Models
from events.minds import ModelSpec


def weights(folder: Path, name: str = "a.gguf", content: bytes = b"GGUF...") -> ModelSpec:
    """A model of a file of its own."""
    file = folder / name
    file.write_bytes(content)
    return ModelSpec(name=f"local/{file}", max_tokens=9, retries=2)


def caller_of(settings: LocalSettings) -> ModelCaller:
    """As a process has one."""
    return ModelCaller(Models(local=settings), Backoff(first_s=0.01, longest_s=0.02))


async def ask(caller: ModelCaller, spec: ModelSpec) -> dict[str, Any]:
    """What the server tells of itself."""
    request = request_of(spec, (Msg("user", "Who are you?"),), json_schema={"type": "object"})
    answer = await caller.call(spec, request, purpose="probe")
    assert answer.reply.cost_usd == 0.0
    return json.loads(answer.reply.text)
