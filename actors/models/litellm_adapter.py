"""Models of any provider, through LiteLLM."""

import asyncio
from typing import Any

from actors.models.errors import ModelError
from actors.models.keys import key_of
from actors.models.litellm_errors import translated
from actors.models.litellm_library import litellm_is_loaded, load_litellm
from actors.models.litellm_logging import logging_of
from actors.models.port import ModelReply, ModelRequest, response_format
from actors.models.pricing import cost_usd
from events.minds import ModelSpec

_NO_KEY = "none"
"""Sent to a server of the user's own when no key is named: otherwise LiteLLM would look for the
provider's key in the environment and send it there."""


async def ready_litellm() -> None:
    """Load LiteLLM where it is not loaded yet."""
    if not litellm_is_loaded():
        # In a thread: it takes seconds, and the loop has other actors to serve.
        await asyncio.to_thread(load_litellm)


class LiteLLMModel:
    """One model, asked through LiteLLM, which must be loaded (``ready_litellm``)."""

    def __init__(self, spec: ModelSpec) -> None:
        self._spec = spec
        self._fixed: dict[str, Any] = {
            "model": spec.name,
            "timeout": spec.timeout_s,
            # Retries are counted, delayed and recorded above the port.
            "num_retries": 0,
            "max_retries": 0,
            "no-log": True,
        }
        if spec.base_url:
            self._fixed["api_base"] = spec.base_url

    async def complete(self, request: ModelRequest) -> ModelReply:
        """The answer. Raises ``ModelError``."""
        key = key_of(self._spec)
        litellm = load_litellm()
        options = dict(self._fixed)
        if key or self._spec.base_url:
            options["api_key"] = key or _NO_KEY
        if request.json_schema is not None:
            options["response_format"] = response_format(request.json_schema)
        if request.seed is not None:
            options["seed"] = request.seed
        messages = [{"role": m.role, "content": m.content} for m in request.messages]
        try:
            reply = await litellm.acompletion(
                messages=messages,
                temperature=request.temperature,
                max_tokens=request.max_tokens,
                litellm_logging_obj=logging_of(self._spec.name, messages),
                **options,
            )
        except Exception as error:
            # Whatever it is: it lets its providers' exceptions through.
            raise translated(error, self._spec, key) from error
        if reply is None:
            # What LiteLLM makes of a second 422.
            raise ModelError("refused", "the server answered 422 twice", status=422, may_pass=False)
        return self._read(reply)

    def _read(self, reply: Any) -> ModelReply:
        try:
            choice = reply.choices[0]
            text = choice.message.content or ""
        except (AttributeError, IndexError) as error:
            raise ModelError(
                "server_error", "the server's reply holds no answer", may_pass=True
            ) from error
        usage = getattr(reply, "usage", None)
        asked = int(getattr(usage, "prompt_tokens", 0) or 0)
        answered = int(getattr(usage, "completion_tokens", 0) or 0)
        return ModelReply(
            text=text,
            model=reply.model or "",
            input_tokens=asked,
            output_tokens=answered,
            cost_usd=cost_usd(self._spec, asked, answered),
            finish_reason=choice.finish_reason or "",
        )


async def close_litellm() -> None:
    """Close the connections LiteLLM keeps, where it was used at all."""
    if litellm_is_loaded():
        from litellm.llms.custom_httpx.async_client_cleanup import close_litellm_async_clients

        await close_litellm_async_clients()  # type: ignore[no-untyped-call]
