"""Models behind an OpenAI-compatible server (vLLM, SGLang, llama.cpp, …), asked without LiteLLM."""

from typing import Any

import msgspec

from actors.models.errors import ModelError
from actors.models.http_client import BadAddress, HttpClient, Target, target_of
from actors.models.http_errors import error_of_status, retry_after_of
from actors.models.http_response import BadResponse
from actors.models.keys import key_of, scrubbed
from actors.models.port import ModelReply, ModelRequest, Msg, response_format, to_encode
from actors.models.pricing import cost_usd
from events.minds import ModelSpec


class _Message(msgspec.Struct):
    content: str | None = None


class _Choice(msgspec.Struct):
    message: _Message
    finish_reason: str | None = None


class _Usage(msgspec.Struct):
    prompt_tokens: int = 0
    completion_tokens: int = 0


class _Completion(msgspec.Struct):
    """What is read of a server's reply."""

    choices: list[_Choice]
    model: str = ""
    usage: _Usage | None = None


class _Question(msgspec.Struct, omit_defaults=True):
    """What is sent to a server."""

    model: str
    messages: tuple[Msg, ...]
    temperature: float
    max_tokens: int
    seed: int | None = None
    response_format: dict[str, Any] | None = None


_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(_Completion).decode


class DirectModel:
    """One model of one server."""

    def __init__(self, spec: ModelSpec, http: HttpClient) -> None:
        self._spec = spec
        self._http = http
        self._url = spec.base_url.rstrip("/") + "/chat/completions"
        self._target: Target | None = None

    async def complete(self, request: ModelRequest) -> ModelReply:
        """The answer. Raises ``ModelError``."""
        key = key_of(self._spec)
        try:
            if self._target is None:
                self._target = target_of(self._url)
            # No redirects: the key and the prompt are for the named server only.
            response = await self._http.post(self._target, _authorization(key), self._body(request))
        except BadAddress as error:
            raise ModelError(
                "refused", f"{scrubbed(self._url)!r} is not a server's address", may_pass=False
            ) from error
        except TimeoutError as error:
            raise ModelError("timeout", "the server did not answer", may_pass=True) from error
        except (OSError, BadResponse) as error:
            raise ModelError("connection", scrubbed(str(error), key), may_pass=True) from error
        if response.status != 200:
            detail = scrubbed(response.body.decode(errors="replace"), key)
            raise error_of_status(response.status, detail, retry_after_of(response.headers))
        return self._read(response.body, key)

    def _body(self, request: ModelRequest) -> bytes:
        schema = request.json_schema
        return _encode(
            _Question(
                # LiteLLM's prefix is accepted, so that changing the adapter is one word.
                model=self._spec.name.removeprefix("openai/"),
                messages=to_encode(request.messages),
                temperature=request.temperature,
                max_tokens=request.max_tokens,
                seed=request.seed,
                response_format=None if schema is None else response_format(schema),
            )
        )

    def _read(self, body: bytes, key: str) -> ModelReply:
        try:
            reply = _decode(body)
            choice = reply.choices[0]
        except (msgspec.MsgspecError, UnicodeDecodeError, IndexError) as error:
            raise ModelError(
                "server_error",
                f"the server's reply is not a chat completion: "
                f"{scrubbed(body.decode(errors='replace'), key)}",
                may_pass=True,
            ) from error
        usage = reply.usage or _Usage()
        return ModelReply(
            text=choice.message.content or "",
            model=reply.model,
            input_tokens=usage.prompt_tokens,
            output_tokens=usage.completion_tokens,
            cost_usd=cost_usd(self._spec, usage.prompt_tokens, usage.completion_tokens),
            finish_reason=choice.finish_reason or "",
        )


def _authorization(key: str) -> bytes:
    if not key:
        return b""
    if not (key.isascii() and key.isprintable()):
        raise ModelError("refused", "the key has characters that no header takes", may_pass=False)
    return f"Authorization: Bearer {key}\r\n".encode()
