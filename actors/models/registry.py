"""Finds the adapter for a model's specification."""

import functools
from collections.abc import Callable, Mapping

from actors.models.direct.adapter import DirectModel, SharedSession
from actors.models.direct.context_length import served_context
from actors.models.http.reply_bytes import ReplyLimits
from actors.models.listed_abilities import listed_context, listed_prefix, listed_structured_output
from actors.models.litellm.adapter import LiteLLMModel, close_litellm, ready_litellm
from actors.models.litellm.provider_abilities import speaks_openai
from actors.models.local.adapter import LocalModel, LocalServers
from actors.models.local.settings import LocalSettings
from actors.models.port import Model
from events.minds import ModelSpec
from events.untrusted.limits import MOST_REPLY_BYTES

Adapter = Callable[[ModelSpec], Model]


class Models:
    """The models of a process. They share connections; close it when the process ends."""

    def __init__(
        self,
        adapters: Mapping[str, Adapter] | None = None,
        *,
        most_reply_bytes: int = MOST_REPLY_BYTES,
        local: LocalSettings | None = None,
    ) -> None:
        """``adapters``: by ``ModelSpec.adapter``; those given replace the built-in ones.
        ``most_reply_bytes``: what the built-in ones read of a reply at most, in bytes.
        ``local``: where and how models run on this machine; None: none does."""
        self._session = SharedSession()
        self._limits = limits = ReplyLimits(most_reply_bytes)
        self._local = LocalServers(local)
        self._litellm: Adapter = functools.partial(LiteLLMModel, limits=limits)
        self._adapters: dict[str, Adapter] = {
            "litellm": self._litellm,
            "direct": lambda spec: DirectModel(spec, self._session, limits),
            **(adapters or {}),
        }

    async def model_of(self, spec: ModelSpec) -> Model:
        """What asks the model that ``spec`` describes."""
        if spec.is_local:
            return LocalModel(spec, self._local, self._session, self._limits)
        await self.ready(spec)
        return self._adapters[spec.adapter](spec)

    def asked(self, spec: ModelSpec) -> ModelSpec:
        """A specification as this process asks for it."""
        return self._local.asked(spec) if spec.is_local else spec

    async def ready(self, spec: ModelSpec) -> None:
        """Load what asking a model needs. Not left to the first call: its time-out must not run
        meanwhile, and the question may become another process's to ask."""
        if not spec.is_local and self._adapters[spec.adapter] is self._litellm:
            await ready_litellm(spec)

    async def takes_schema(self, spec: ModelSpec) -> bool:
        """Whether an answer's JSON Schema is sent along with a question: as the specification
        says, else where LiteLLM asks the model and lists it as able."""
        if spec.structured_output is not None:
            return spec.structured_output
        if spec.is_local:
            return True
        if self._adapters[spec.adapter] is not self._litellm:
            return False
        await self.ready(spec)
        return listed_structured_output(spec.name)

    async def continues(self, spec: ModelSpec) -> bool:
        """Whether a model may go on from the beginning of an answer: as the specification says,
        else where its server is the user's own, which is tried, or LiteLLM lists it as able."""
        if spec.completes_prefix is not None:
            return spec.completes_prefix
        if spec.is_local:
            return True
        if self._adapters[spec.adapter] is not self._litellm:
            return spec.adapter == "direct"
        await self.ready(spec)
        if spec.base_url:
            return speaks_openai(spec.name, spec.base_url)
        return listed_prefix(spec.name)

    async def context_of(self, spec: ModelSpec) -> int:
        """Tokens that fit into a prompt with its answer, as the server or LiteLLM's list says; 0:
        neither does."""
        if spec.is_local:
            return await LocalModel(spec, self._local, self._session, self._limits).context()
        if spec.adapter == "direct":
            return await served_context(spec, self._session)
        if self._adapters[spec.adapter] is self._litellm:
            return await listed_context(spec) or 0
        return 0

    async def close(self) -> None:
        """Close every connection."""
        await self._session.close()
        self._local.close()
        await close_litellm()
