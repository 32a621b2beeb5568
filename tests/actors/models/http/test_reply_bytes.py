"""Replies that are too long, through either adapter, and what is read of them."""

import gzip
import zlib
from collections.abc import AsyncIterator

import httpx
import pytest

from actors.models import keys
from actors.models.errors import ModelError
from actors.models.http import reply_bytes
from actors.models.http.reply_bytes import ReplyBytes, ReplyLimits, UnusableReply
from actors.models.keys import scrubbed
from actors.models.port import Model, ModelReply
from actors.models.registry import Models
from events.untrusted.limits import MOST_ERROR_BYTES
from tests.actors.models.conftest import SpecOf, question
from tests.support.servers.endless_server import ANSWER, EndlessServer

MOST = 64 * 1024
LONG = 50 * MOST


class Asked:
    """Asks an endless server's model, with either adapter."""

    def __init__(self, server: EndlessServer, models: Models, spec_of: SpecOf) -> None:
        self.server, self._models, self._spec_of = server, models, spec_of

    async def says(self, kind: str, size: int = LONG) -> ModelReply:
        """Its reply. Raises ``ModelError``."""
        spec = self._spec_of(self.server.url(kind, size))
        model: Model = await self._models.model_of(spec)
        return await model.complete(question(spec))

    async def fails(self, kind: str, size: int = LONG) -> ModelError:
        """What it fails with."""
        with pytest.raises(ModelError) as failed:
            await self.says(kind, size)
        return failed.value


@pytest.fixture
async def asked(spec_of: SpecOf) -> AsyncIterator[Asked]:
    """With a bound of ``MOST`` bytes."""
    models = Models(most_reply_bytes=MOST)
    async with EndlessServer() as server:
        yield Asked(server, models, spec_of)
    await models.close()


@pytest.mark.parametrize("kind", ["plain", "gzip", "deflate", "raw-deflate", "members"])
async def test_a_reply_that_is_too_long_is_not_read_to_its_end(asked: Asked, kind: str):
    error = await asked.fails(kind)
    assert isinstance(error, UnusableReply)
    assert "the server sent more than 65,536 bytes" in error.detail
    assert "TROUPE_MOST_REPLY_BYTES" in error.detail
    assert (error.reason, error.may_pass) == ("server_error", True)
    assert asked.server.encodings == {"identity"}


async def test_an_error_is_told_by_the_beginning_of_its_words(asked: Asked):
    for kind in ("refused", "refused-gzip"):
        error = await asked.fails(kind, 50 * MOST_ERROR_BYTES)
        assert (error.reason, error.status) == ("unauthorized", 401)
        assert "endless" in error.detail


async def test_what_is_compressed_though_nobody_asked_is_read(asked: Asked):
    assert (await asked.says("zipped")).text == ""
    assert (await asked.says("plain", 9)).text == "x" * 9


@pytest.mark.parametrize(("kind", "said"), [("brotli", "'br'"), ("broken-gzip", "is no gzip")])
async def test_what_cannot_be_inflated_is_a_failure_of_the_server(
    asked: Asked, kind: str, said: str
):
    error = await asked.fails(kind, 9)
    assert (error.reason, error.may_pass) == ("server_error", True)
    assert said in error.detail


@pytest.mark.parametrize("kind", ["boastful", "header", "headers"])
async def test_a_length_that_is_not_kept_and_an_endless_head_are_failures(asked: Asked, kind: str):
    error = await asked.fails(kind, 1000 * LONG)
    assert error.may_pass
    assert asked.server.sent < 100 * LONG


async def test_very_many_small_values_beside_an_answer_are_taken_up_to_a_bound(
    asked: Asked, monkeypatch: pytest.MonkeyPatch
):
    assert (await asked.says("nested", MOST - 1000)).text == ANSWER
    monkeypatch.setattr(reply_bytes, "MOST_REPLY_MARKS", 1000)
    error = await asked.fails("nested", MOST - 1000)
    assert "more than 1,000 commas and brackets" in error.detail


async def test_httpx_is_left_as_it_is_for_others(asked: Asked):
    if "litellm" not in str(asked._spec_of(asked.server.url("plain")).adapter):
        return
    await asked.says("plain", 9)
    async with httpx.AsyncClient() as client:
        reply = await client.get(f"{asked.server.url('plain', LONG)}/any")
    assert len(reply.text) > LONG


def test_bytes_are_counted_as_sent_and_as_inflated():
    limits = ReplyLimits(1000)
    exact = limits.body(200, "")
    assert exact.take(b"x" * 1000) == b"x" * 1000
    with pytest.raises(UnusableReply):
        exact.take(b"x")
    held = gzip.compress(b"x" * 1000)
    body = limits.body(200, "GZip")
    assert b"".join(body.take(held[n : n + 1]) for n in range(len(held))) == b"x" * 1000
    with pytest.raises(UnusableReply):
        limits.body(200, "gzip").take(gzip.compress(b"x" * 1001))
    with pytest.raises(UnusableReply):
        limits.body(200, "gzip").take(gzip.compress(b"") * 60)


def test_small_values_are_counted_over_all_pieces(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(reply_bytes, "MOST_REPLY_MARKS", 1000)
    many = ReplyBytes(10_000, "")
    assert b"".join(many.take(b"[") for _ in range(1000)) == b"[" * 1000
    with pytest.raises(UnusableReply, match="more than 1,000"):
        many.take(b"]" * 900 + b"[")
    few = ReplyBytes(10_000, "")
    assert sum(len(few.take(b"text, and more")) for _ in range(500)) == 7000


def test_members_of_a_reply_are_read_one_after_the_other():
    body = ReplyBytes(1000, "gzip")
    assert body.take(gzip.compress(b"so ") + gzip.compress(b"what")) == b"so what"


def test_a_bomb_is_not_inflated_beyond_the_bound():
    bomb = zlib.compress(b"\0" * 2_000_000)
    beginning = ReplyBytes(1000, "deflate", beginning=True)
    assert beginning.take(bomb) == b"\0" * 1000
    assert beginning.full
    assert beginning.take(b"more") == b""


def test_keys_are_looked_for_in_a_bounded_piece(monkeypatch: pytest.MonkeyPatch):
    looked_at: list[int] = []

    class Pattern:
        def sub(self, by: str, text: str) -> str:
            looked_at.append(len(text))
            return text

    monkeypatch.setattr(keys, "_SECRET", Pattern())
    for piece in ("Bearer ", "://", "?key=", "sk-", " ", "word"):
        assert len(scrubbed(piece * 100_000, "a key")) <= keys.DETAIL_LENGTH
    assert max(looked_at) <= 8_000


def test_a_key_that_is_cut_off_is_not_shown():
    for blanks in range(7_980, 8_010):
        assert "sk-" not in scrubbed(" " * blanks + "sk-abcdefghijklmnopqrstuvwxyz and so on " * 9)
