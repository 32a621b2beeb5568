"""Models behind an OpenAI-compatible server (vLLM, SGLang, llama.cpp, …), asked without LiteLLM."""

import json

import aiohttp
import msgspec

from actors.models.completion import Completion, reply_of
from actors.models.errors import ModelError
from actors.models.http.parameters import messages_of, parameters_of, prefix_parameters
from actors.models.http.reply_bytes import AS_IT_IS, ReplyLimits
from actors.models.http.status_errors import error_of_reply, error_of_status, retry_after_of
from actors.models.keys import key_of, scrubbed
from actors.models.port import ModelReply, ModelRequest, Msg, system_message
from events.minds import ModelSpec
from events.serialization.struct_types import decodable


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
                # What is inflated in there nobody can count.
                auto_decompress=False,
            )
        return self._session

    async def close(self) -> None:
        """Close all connections."""
        if self._session is not None:
            await self._session.close()
            self._session = None


_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(decodable(Completion)).decode


class DirectModel:
    """One model of one server."""

    def __init__(
        self,
        spec: ModelSpec,
        session: SharedSession,
        limits: ReplyLimits | None = None,
        *,
        key: str = "",
    ) -> None:
        """``limits``: on what is read of a reply; None: the usual ones. ``key``: of a server that
        was started for it; empty: the one that the specification names."""
        self._spec = spec
        self._limits = limits or ReplyLimits()
        self._session, self._key = session, key
        self._url = spec.base_url.rstrip("/") + "/chat/completions"

    async def complete(self, request: ModelRequest) -> ModelReply:
        """The answer. Raises ``ModelError``."""
        key = self._key or key_of(self._spec)
        headers = {"Accept-Encoding": AS_IT_IS}
        if key:
            headers["Authorization"] = f"Bearer {key}"
        # Bytes as such would be looked up among all kinds of payload.
        sent = aiohttp.BytesPayload(self._body(request), content_type="application/json")
        try:
            # No redirects: the key and the prompt are for the named server only.
            response = await self._session.get().post(
                self._url, data=sent, headers=headers, allow_redirects=False
            )
            # A connection is free once the reply was read to its end; a context would look again.
            try:
                body = await self._received(response)
            except BaseException:
                response.close()
                raise
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
        reply = self._read(body, key)
        return await reply_of(
            self._spec,
            request,
            reply.first,
            model=reply.model,
            usage=reply.used,
        )

    async def _received(self, response: aiohttp.ClientResponse) -> bytes:
        """The body. Raises ``ModelError`` where it is longer than replies may be."""
        body = self._limits.body(response.status, response.headers.get("Content-Encoding", ""))
        held, content = bytearray(), response.content
        while not content.at_eof():
            held += body.take(await content.readany())
            if body.full:
                response.close()
                break
        return bytes(held)

    def _body(self, request: ModelRequest) -> bytes:
        # LiteLLM's prefix is accepted, so that changing the adapter is one word.
        body: dict[str, object] = {"model": self._spec.name.removeprefix("openai/")}
        body["messages"] = [
            system_message(one.content).json if type(one) is Msg and one.role == "system" else one
            for one in messages_of(request, marked=bool(self._spec.cache_marks))
        ]
        return _encode(
            body | parameters_of(request) | prefix_parameters(request) | request.extras()
        )

    def _read(self, body: bytes, key: str) -> Completion:
        try:
            return _decode(body)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
            pass
        try:
            # Which takes half a surrogate pair, too: the answer that holds it is the model's.
            return msgspec.convert(json.loads(body), decodable(Completion))
        except (msgspec.MsgspecError, ValueError, RecursionError):
            said = body.decode(errors="replace")
        # What came says more than the decoder.
        raise error_of_reply(scrubbed(said, key), said=said)
