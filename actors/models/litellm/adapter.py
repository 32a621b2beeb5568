"""Models of any provider, through LiteLLM."""

import asyncio
import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import partial
from typing import Any, Final

import msgspec

from actors.models.completion import Choice, Completion, Message, reply_of
from actors.models.errors import ModelError
from actors.models.http.parameters import dropped, messages_of, parameters_of, prefix_parameters
from actors.models.http.reply_bytes import ReplyLimits
from actors.models.http.status_errors import error_of_reply
from actors.models.keys import check_server, key_of, scrubbed
from actors.models.litellm.embedding import embedded
from actors.models.litellm.errors import translated
from actors.models.litellm.library import litellm_is_loaded, load_litellm
from actors.models.litellm.logging import logging_of
from actors.models.litellm.provider_abilities import (
    provider_of,
    speaks_openai,
    steering_names,
    wants_cache_marks,
)
from actors.models.litellm.transport import CheckServer, bounded
from actors.models.litellm.visible_environment import narrowed
from actors.models.port import ModelReply, ModelRequest, Msg, request_of
from actors.models.server_addresses import Server, prefix_of
from events.minds import ModelSpec
from events.serialization.struct_types import decodable

_NO_KEY = "none"
"""Sent to a server of the user's own when no key is named: otherwise LiteLLM would look for the
provider's key in the environment and send it there."""


_ready: Final[set[str]] = set()
"""The beginnings of the names of models that LiteLLM is ready to ask."""


async def ready_litellm(spec: ModelSpec | None = None) -> None:
    """Load LiteLLM where it is not loaded yet, and all that it needs to ask a model."""
    # In a thread: it takes seconds, and the loop has other actors to serve.
    if not litellm_is_loaded():
        await asyncio.to_thread(load_litellm)
    if spec is not None and (prefix := prefix_of(spec.name)) not in _ready:
        await asyncio.to_thread(asyncio.run, _almost_asked(spec))
        _ready.add(prefix)


async def _almost_asked(spec: ModelSpec) -> None:
    """Do all that comes before a request is sent. LiteLLM imports a provider's part, and that
    provider's client, when they are first used: a second that would pass between the last look
    whether the question is this process's to ask and the question."""

    def stop(_: Server) -> None:
        raise ModelError("other", "nothing is to be sent", may_pass=False)

    with suppress(ModelError):
        await LiteLLMModel(spec, check=stop).complete(request_of(spec, (Msg("user", "yes"),)))


class LiteLLMModel:
    """One model, asked through LiteLLM, which must be loaded (``ready_litellm``)."""

    def __init__(
        self,
        spec: ModelSpec,
        limits: ReplyLimits | None = None,
        check: CheckServer | None = None,
    ) -> None:
        """``limits``: on what is read of a reply; None: the usual ones. ``check``: asked instead of
        what keys are bound to, before a server is."""
        self._spec = spec
        self._check = check
        self._limits = limits or ReplyLimits()
        self._fixed: dict[str, object] = {
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
        if request.embeds:
            try:
                with self._confined():
                    return await embedded(litellm, self._spec, request, options)
            except ModelError:
                raise
            except Exception as error:
                raise translated(error, self._spec, key) from error
        messages = self._messages(request)
        record = logging_of(self._spec.name, messages)
        given = parameters_of(request) | self._extras(request) | options
        try:
            with self._confined():
                reply = await litellm.acompletion(
                    messages=messages, litellm_logging_obj=record, **given
                )
        except Exception as error:
            # Whatever it is: it lets its providers' exceptions through.
            if not isinstance(record.came, dict):
                raise translated(error, self._spec, key) from error
            # It came, in OpenAI's form, but LiteLLM's own form of it has no place for it.
            completion = _completion(record.came, key)
            return await reply_of(
                self._spec,
                request,
                completion.first,
                model=completion.model,
                usage=completion.used,
                dropped=dropped(request, record.sent),
            )
        if reply is None:
            # What LiteLLM makes of a second 422; of what the server said it keeps nothing.
            sent = ", ".join(parameters_of(request))
            raise ModelError(
                "refused",
                f"the server answered 422 twice to a request with {sent}",
                status=422,
                may_pass=False,
            )
        return await self._read(reply, request, dropped(request, record.sent))

    @contextmanager
    def _confined(self) -> Iterator[None]:
        """What LiteLLM does meanwhile sees what it must of the environment, asks the server that is
        meant and reads no more than it may."""
        spec = self._spec
        provider = "" if spec.base_url else provider_of(spec.name)
        check = self._check or partial(check_server, spec, provider)
        with narrowed(provider), bounded(self._limits, check):
            yield

    def _messages(self, request: ModelRequest) -> list[dict[str, object]]:
        marked = self._spec.cache_marks
        if marked is None:
            marked = wants_cache_marks(self._spec.name)
        messages = [
            message if isinstance(message, dict) else msgspec.structs.asdict(message)
            for message in messages_of(request, marked=marked)
        ]
        if request.continues and not self._spec.base_url:
            messages[-1]["prefix"] = True  # LiteLLM's word for all providers that can.
        return messages

    def _extras(self, request: ModelRequest) -> dict[str, object]:
        """The further parameters where LiteLLM takes them. Raises ``ModelError``."""
        extras = request.extras()
        if self._spec.base_url:
            extras = prefix_parameters(request) | extras
        if not extras:
            return {}
        if speaks_openai(self._spec.name, self._spec.base_url):
            return {"extra_body": extras}
        # Elsewhere they are arguments like those that steer LiteLLM itself.
        if steering := sorted(steering_names() & extras.keys()):
            raise ModelError(
                "refused",
                f"{', '.join(steering)} cannot be passed through to this provider",
                may_pass=False,
            )
        return extras

    async def _read(self, reply: Any, request: ModelRequest, gone: tuple[str, ...]) -> ModelReply:
        try:
            choice = reply.choices[0] if reply.choices else Choice(Message())
            said = choice.message
            message = Message(
                **{name: getattr(said, name, None) for name in Message.__struct_fields__}
            )
            # Where it puts what its own message has no field for.
            message.refusal = (getattr(said, "provider_specific_fields", None) or {}).get("refusal")
        except AttributeError as error:
            raise ModelError(
                "server_error", "the server's reply holds no answer", may_pass=True
            ) from error
        usage = getattr(reply, "usage", None)
        return await reply_of(
            self._spec,
            request,
            Choice(message, choice.finish_reason),
            model=reply.model or "",
            usage=usage.model_dump() if usage is not None else {},
            dropped=gone,
        )


def _completion(came: Mapping[str, object], key: str) -> Completion:
    """What came from a provider as a chat completion in OpenAI's form. Raises ``ModelError``."""
    try:
        return msgspec.convert(came, decodable(Completion))
    except msgspec.ValidationError as error:
        said = json.dumps({name: value for name, value in came.items() if value}, default=str)
        raise error_of_reply(scrubbed(said, key), said=said) from error


async def close_litellm() -> None:
    """Close the connections LiteLLM keeps, where it was used at all."""
    if litellm_is_loaded():
        from litellm.llms.custom_httpx.async_client_cleanup import close_litellm_async_clients

        await close_litellm_async_clients()  # type: ignore[no-untyped-call]
