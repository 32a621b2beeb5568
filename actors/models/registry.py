"""From a model's specification to the adapter that asks it."""

import functools
from collections.abc import Callable, Mapping

from actors.models.abilities import listed_structured_output
from actors.models.direct import DirectModel, SharedSession
from actors.models.litellm_adapter import LiteLLMModel, close_litellm, ready_litellm
from actors.models.port import Model
from actors.models.reply_bytes import ReplyLimits
from events.limits import MOST_REPLY_BYTES
from events.minds import ModelSpec

Adapter = Callable[[ModelSpec], Model]


class Models:
    """The models of a process. They share connections; close it when the process ends."""

    def __init__(
        self,
        adapters: Mapping[str, Adapter] | None = None,
        *,
        most_reply_bytes: int = MOST_REPLY_BYTES,
    ) -> None:
        """``adapters``: by ``ModelSpec.adapter``; those given replace the built-in ones.
        ``most_reply_bytes``: what the built-in ones read of a reply at most, in bytes."""
        self._session = SharedSession()
        limits = ReplyLimits(most_reply_bytes)
        self._litellm: Adapter = functools.partial(LiteLLMModel, limits=limits)
        self._adapters: dict[str, Adapter] = {
            "litellm": self._litellm,
            "direct": lambda spec: DirectModel(spec, self._session, limits),
            **(adapters or {}),
        }

    async def model_of(self, spec: ModelSpec) -> Model:
        """What asks the model that ``spec`` describes."""
        adapter = self._adapters[spec.adapter]
        if adapter is self._litellm:
            # Here and not in the first call, whose time-out must not run meanwhile.
            await ready_litellm()
        return adapter(spec)

    async def takes_schema(self, spec: ModelSpec) -> bool:
        """Whether an answer's JSON Schema is sent along with a question: as the specification
        says, else where LiteLLM asks the model and lists it as able."""
        if spec.structured_output is not None:
            return spec.structured_output
        if self._adapters[spec.adapter] is not self._litellm:
            return False
        await ready_litellm()
        return listed_structured_output(spec.name)

    async def close(self) -> None:
        """Close every connection."""
        await self._session.close()
        await close_litellm()
