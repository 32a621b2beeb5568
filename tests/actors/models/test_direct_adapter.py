"""The HTTP session of models that are asked without LiteLLM."""

import asyncio
import datetime
import ipaddress
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from actors.models.direct.adapter import DirectModel, SharedSession
from actors.models.errors import ModelError
from actors.models.port import ModelReply, Msg, request_of
from events.minds import ModelSpec
from tests.support.servers.stub_llm import StubServer

BODY = b'{"model":"m","choices":[{"message":{"content":"yes"},"finish_reason":"stop"}]}'
OK = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%b"


async def asked(url: str, **fields: float) -> ModelReply:
    """What one question to a server brings."""
    session = SharedSession()
    spec = ModelSpec(name="openai/m", adapter="direct", base_url=url, **fields)
    try:
        return await DirectModel(spec, session).complete(request_of(spec, (Msg("user", "Yes?"),)))
    finally:
        await session.close()


@asynccontextmanager
async def server(answer: bytes, *, context: ssl.SSLContext | None = None) -> AsyncIterator[str]:
    """The address of one that answers every request with the same bytes, then closes."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(answer)
        await writer.drain()
        writer.close()

    async with await asyncio.start_server(serve, "127.0.0.1", 0, ssl=context) as listening:
        port = listening.sockets[0].getsockname()[1]
        yield f"{'https' if context else 'http'}://127.0.0.1:{port}/v1"


def certified(folder: Path) -> ssl.SSLContext:
    """What a server on this machine shows: it vouches for itself."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "a laboratory's own")])
    now = datetime.datetime.now(datetime.UTC)
    here = x509.IPAddress(ipaddress.ip_address("127.0.0.1"))
    certificate = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(hours=1))
        .not_valid_after(now + datetime.timedelta(hours=1))
        .add_extension(x509.SubjectAlternativeName([here]), critical=False)
        .sign(key, hashes.SHA256())
    )
    plain = serialization.NoEncryption()
    form, pem = serialization.PrivateFormat.PKCS8, serialization.Encoding.PEM
    (folder / "key.pem").write_bytes(key.private_bytes(pem, form, plain))
    (folder / "certificate.pem").write_bytes(certificate.public_bytes(pem))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(folder / "certificate.pem", folder / "key.pem")
    return context


async def test_a_certificate_that_nobody_vouches_for_is_refused(tmp_path: Path):
    async with server(OK % (len(BODY), BODY), context=certified(tmp_path)) as url:
        with pytest.raises(ModelError, match="certificate") as refused:
            await asked(url)
        assert refused.value.reason == "connection"
    async with server(OK % (len(BODY), BODY)) as url:
        assert (await asked(url)).text == "yes"


async def test_neither_proxies_nor_redirects_are_followed(monkeypatch: pytest.MonkeyPatch):
    """The key and the prompt are for the named server only."""
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:1")
    async with StubServer() as stub:
        away = b"HTTP/1.1 307 Go\r\nLocation: %b\r\nContent-Length: 0\r\n\r\n" % stub.url.encode()
        async with server(away) as url:
            with pytest.raises(ModelError):
                await asked(url)
        assert not stub.stats.requests
        assert (await asked(stub.url)).text
        assert stub.stats.requests == 1


@pytest.mark.parametrize(
    "url", ["nonsense", "ftp://a.test", "http://", "http://a:b/v1", "http://[::1/v1"]
)
async def test_what_is_no_address_is_said(url: str):
    with pytest.raises(ModelError, match="address") as refused:
        await asked(url)
    assert refused.value.reason == "not_found"


@pytest.mark.parametrize(
    "answer", [b"", b"HTTP/1.1 200 OK\r\nContent-Length: 900\r\n\r\n{", b"no protocol\r\n\r\n"]
)
async def test_a_reply_that_breaks_off_is_a_fault_of_the_connection(answer: bytes):
    async with server(answer) as url:
        with pytest.raises(ModelError) as refused:
            await asked(url)
    assert refused.value.reason == "connection"
    assert refused.value.may_pass


async def test_a_server_whose_answer_nobody_awaits_is_left():
    left = asyncio.Event()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read()
        left.set()
        writer.close()

    async with await asyncio.start_server(serve, "127.0.0.1", 0) as listening:
        port = listening.sockets[0].getsockname()[1]
        asking = asyncio.create_task(asked(f"http://127.0.0.1:{port}/v1"))
        asyncio.get_running_loop().call_later(0.2, asking.cancel)
        with pytest.raises(asyncio.CancelledError):
            await asking
        async with asyncio.timeout(20):
            await left.wait()
