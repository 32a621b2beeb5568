"""Models behind an OpenAI-compatible server (vLLM, SGLang, llama.cpp, …), asked without LiteLLM."""

from typing import Any

import aiohttp
import msgspec

from actors.models.errors import ModelError
from actors.models.http_errors import error_of_status, retry_after_of
from actors.models.keys import key_of, scrubbed
from actors.models.port import ModelReply, ModelRequest, Msg, response_format, to_encode
from actors.models.pricing import cost_usd
from events.minds import ModelSpec


class SharedSession:
    """One HTTP session for every direct model of a process, opened when first used."""

    def __init__(self) -> None:
        self._session: aiohttp.ClientSession | None = None

    def get(self) -> aiohttp.ClientSession:
        """The session; to be called on the loop."""
        if self._session is None:
            self._session = aiohttp.ClientSession(
                # How many at once is each model's own limit, kept above the port.
                connector=aiohttp.TCPConnector(limit=0),
                timeout=aiohttp.ClientTimeout(total=None),
                cookie_jar=aiohttp.DummyCookieJar(),
            )
        return self._session

    async def close(self) -> None:
        """Close all connections."""
        if self._session is not None:
            await self._session.close()
            self._session = None


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

    def __init__(self, spec: ModelSpec, session: SharedSession) -> None:
        self._spec = spec
        self._session = session
        self._url = spec.base_url.rstrip("/") + "/chat/completions"

    async def complete(self, request: ModelRequest) -> ModelReply:
        """The answer. Raises ``ModelError``."""
        key = key_of(self._spec)
        headers = {"Content-Type": "application/json"}
        if key:
            headers["Authorization"] = f"Bearer {key}"
        try:
            # No redirects: the key and the prompt are for the named server only.
            async with self._session.get().post(
                self._url, data=self._body(request), headers=headers, allow_redirects=False
            ) as response:
                body = await response.read()
                status, answered = response.status, response.headers
        except TimeoutError as error:
            raise ModelError("timeout", "the server did not answer", may_pass=True) from error
        except (aiohttp.InvalidURL, aiohttp.NonHttpUrlClientError) as error:
            raise ModelError(
                "not_found", f"{scrubbed(self._url)!r} is not a server's address", may_pass=False
            ) from error
        except (aiohttp.ClientError, OSError) as error:
            raise ModelError("connection", scrubbed(str(error), key), may_pass=True) from error
        if status != 200:
            said = body.decode(errors="replace")
            raise error_of_status(status, scrubbed(said, key), retry_after_of(answered), said=said)
        return self._read(body, key)

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
