"""What is left of a call when it is over."""

import gc
import weakref

import httpx

from actors.models.http.reply_bytes import ReplyLimits
from actors.models.litellm.transport import bound_httpx, bounded


async def test_a_reply_that_was_read_is_not_left_to_the_garbage_collector():
    bound_httpx()
    transport = httpx.MockTransport(lambda _: httpx.Response(200, text="yes"))
    gc.disable()
    try:
        async with httpx.AsyncClient(transport=transport) as client:
            with bounded(ReplyLimits()):
                reply = await client.get("http://model.test/")
            assert reply.text == "yes"
            seen = weakref.ref(reply)
            del reply
            assert seen() is None
    finally:
        gc.enable()
