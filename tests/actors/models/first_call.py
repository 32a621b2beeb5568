"""What a process loads between the last look whether a question is its own and the question.

``python -m tests.actors.models.first_call`` prints the modules.
"""

import asyncio
import json
import sys

from actors.models.caller import ModelCaller
from actors.models.port import Msg, request_of
from actors.models.registry import Models
from events.minds import ModelSpec
from tests.support.servers.stub_llm import StubServer


async def _loaded() -> list[str]:
    before: set[str] = set()
    caller = ModelCaller(Models())

    async def confirm() -> None:
        before.update(sys.modules)

    async with StubServer() as stub:
        spec = ModelSpec(name="openai/stub", base_url=stub.url)
        request = request_of(spec, (Msg("user", 'answer with "kind"'),))
        asking = asyncio.create_task(caller.call(spec, request, purpose="act", confirm=confirm))
        while not stub.stats.requests:
            await asyncio.sleep(0)
        loaded = set(sys.modules) - before
        await asking
        await caller.close()
    return sorted(loaded)


if __name__ == "__main__":
    print(json.dumps(asyncio.run(_loaded())))
