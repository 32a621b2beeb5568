"""A player as anybody may write one: a NATS client and msgpack, nothing of Troupe."""

from typing import Any

import msgspec
import nats

encode, decode = msgspec.msgpack.encode, msgspec.msgpack.decode
SLOW_S = 60.0


class Player:
    """Somebody in a seat."""

    def __init__(self, client: Any, shown: Any, space: str, episode: str, seat: int) -> None:
        self.client, self.shown = client, shown
        self.commands = f"troupe.{space}.episode.{episode}.command"
        self.seat = seat

    @classmethod
    async def join(cls, url: str, token: str, space: str, episode: str, seat: int) -> "Player":
        """Take a seat, at any time."""
        client = await nats.connect(url, token=token)
        shown = await client.subscribe(f"troupe.{space}.seat.{episode}.{seat}")
        return cls(client, shown, space, episode, seat)

    async def send(self, data: bytes) -> dict[str, Any]:
        """Send bytes as a request; the reply."""
        return decode((await self.client.request(self.commands, data, timeout=SLOW_S)).data)

    async def look(self) -> dict[str, Any]:
        """Ask for all there is to know."""
        return await self.send(encode({"type": "Look", "seat": self.seat}))

    async def act(
        self, turn: int, text: str, instead: dict[str, Any] | None = None
    ) -> dict[str, Any]:
        """Say something; ``instead`` replaces parts of the command."""
        action = {"kind": "speak", "text": text}
        command = {"type": "TakeAction", "seat": self.seat, "turn": turn, "action": action}
        return await self.send(encode({**command, **(instead or {})}))

    async def asked(self, after: int = 0) -> dict[str, Any]:
        """The next observation of a turn behind ``after``, or the news that it is over."""
        while True:
            message = await self.shown.next_msg(timeout=SLOW_S)
            seen = decode(message.data)
            if seen["type"] == "EpisodeOver" or seen["turn"] > after:
                return seen

    async def leave(self) -> None:
        """Hang up."""
        await self.client.close()
