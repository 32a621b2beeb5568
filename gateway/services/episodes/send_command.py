"""Sends commands to episodes from any gateway; the process that plays the episode answers, wherever
it runs."""

import asyncio
import contextlib
from collections.abc import Callable
from typing import Final

import msgspec
from nats.errors import Error as NatsError
from nats.errors import NoRespondersError

from actors.runtime.bus.nats_bus import Bus
from events.serialization.codec import decode_reply, encode
from events.wire import subjects
from events.wire.messages import Command, Narrate, Refused, Reply, StepEpisode
from gateway.process.subscription import EventSubscriptions
from gateway.services.serving_process import ServingProcess

ANSWER_S: Final = 5.0
"""How long a command may go unanswered before it is sent again, in seconds."""
PATIENCE_S: Final = 30.0
"""How long what cannot be taken yet is tried again, in seconds."""
AGAIN_S: Final = 0.3
"""Between two attempts, in seconds."""
NOBODY: Final = "nobody plays it at present"
AWAY: Final = "the process that plays it cannot be reached at present"
_COUNTED: Final = (StepEpisode, Narrate)
"""Twice is not the same as once."""


def _no_matter(_: str) -> None:
    """Nobody wants to know."""


async def send(
    gateway: ServingProcess,
    episode: str,
    command: Command,
    *,
    patience_s: float = PATIENCE_S,
    waits: Callable[[str], None] = _no_matter,
) -> Reply:
    """The reply to a command. ``episode``: its id in full. What may be taken a little later is
    tried again for ``patience_s`` seconds, while ``waits`` is told why. Where nobody can be reached
    the answer is ``Refused`` with ``not_playing`` or ``try_again``."""
    if gateway.live is None:
        # Nothing was begun yet that could be asked by.
        return Refused(reason="the gateway is starting; send it again later", code="try_again")
    return await ask(gateway.live.hearing, episode, command, patience_s=patience_s, waits=waits)


async def ask(
    hearing: EventSubscriptions,
    episode: str,
    command: Command,
    *,
    patience_s: float = PATIENCE_S,
    waits: Callable[[str], None] = _no_matter,
) -> Reply:
    """``send``, by what hears the processes."""
    loop = asyncio.get_running_loop()
    end = loop.time() + patience_s
    subject, data = subjects.command(hearing.space, "episode", episode), encode(command)
    while True:
        reply = await _once(hearing, subject, data, once=isinstance(command, _COUNTED))
        if not isinstance(reply, Refused) or reply.code not in ("not_playing", "try_again"):
            return reply
        waits(reply.reason)
        if loop.time() + AGAIN_S >= end:
            return reply
        await asyncio.sleep(AGAIN_S)


async def _once(hearing: EventSubscriptions, subject: str, data: bytes, *, once: bool) -> Reply:
    """What the first says that plays the episode; else what the last of the others does."""
    reply: Reply = Refused(reason=AWAY, code="try_again")
    for bus in hearing.buses:
        if not bus.connected:
            continue
        answer = await _request(bus, subject, data)
        if answer is None and once:
            why = (
                "no answer came, so that nobody knows whether it was done; look before trying again"
            )
            return Refused(reason=why, code="refused")
        if answer is None:
            continue
        reply = answer
        if not isinstance(reply, Refused) or reply.code not in ("not_playing", "unknown_episode"):
            return reply
    return reply


async def _request(bus: Bus, subject: str, data: bytes) -> Reply | None:
    """None: there was no answer, and it may have been taken or not."""
    try:
        answer = await bus.nats.request(subject, data, timeout=ANSWER_S)
    except NoRespondersError:
        return Refused(reason=NOBODY, code="not_playing")
    except (NatsError, TimeoutError):
        return None
    with contextlib.suppress(msgspec.MsgspecError):
        return decode_reply(answer.data)
    return None
