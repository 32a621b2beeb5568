"""Runs of a local model, with all that went to its server and came back."""

import json
import time
from contextvars import ContextVar
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from actors.models.direct.adapter import DirectModel
from tests.gateway.command import Desk

MINDS = """
[minds.small]
kind = "model"
model = "local/smollm2"
max_tokens = 150
"""
PAIR = '[["small", "small"]]'
_sent: ContextVar[dict[str, Any]] = ContextVar("sent")


class Call(NamedTuple):
    """One request as it was sent, and the reply as it came."""

    sent: dict[str, Any]
    came: dict[str, Any]

    @property
    def text(self) -> str:
        """What was said."""
        return self.came["choices"][0]["message"]["content"] or ""

    @property
    def ending(self) -> str:
        """Why it ended there."""
        return self.came["choices"][0]["finish_reason"]

    @property
    def schema(self) -> dict[str, Any] | None:
        """The schema that the server was to hold the answer to."""
        return (self.sent.get("response_format") or {}).get("json_schema", {}).get("schema")

    @property
    def prompt(self) -> str:
        """All that was put to it."""
        return "\n".join(message["content"] for message in self.sent["messages"])


def on_the_wire(patch: pytest.MonkeyPatch) -> list[Call]:
    """What goes to local servers from this process and comes back, in the order of the answers."""
    calls: list[Call] = []

    class Recorded(DirectModel):
        async def complete(self, request: Any) -> Any:
            _sent.set(json.loads(self._body(request)))
            return await super().complete(request)

        def _read(self, body: bytes, key: str) -> Any:
            calls.append(Call(_sent.get(), json.loads(body)))
            return super()._read(body, key)

    patch.setattr("actors.models.local.adapter.DirectModel", Recorded)
    return calls


def run(desk: Desk, plan: str | Path, what: str) -> dict[str, Any]:
    """Carry a plan out; its details, as ``troupe run --json`` prints them. Its time is printed."""
    path = str(plan) if isinstance(plan, Path) else desk.file(f"{what}.toml", plan)
    began = time.monotonic()
    said = desk.says("run", path, "--json")
    print(f"\n{what}: {time.monotonic() - began:.0f} s", flush=True)
    assert said.code in (0, 4), said
    return said.json
