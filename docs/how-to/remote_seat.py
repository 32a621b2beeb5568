"""Play a seat from any program: a plain NATS client, nothing of Troupe imported.

    export $(troupe nats)
    python docs/how-to/remote_seat.py EPISODE SEAT

SEAT counts from 0; `troupe run` says which episodes wait. Type what your character says; `leave`
leaves, an empty line does nothing. It may be killed and started again at any time. In msgpack; the
sample in Node, remote_seat.mjs, speaks JSON and finds its episodes by itself.
"""

import asyncio
import os
import sys
from typing import Any

import msgspec
import nats

encode, decode = msgspec.msgpack.encode, msgspec.msgpack.decode
GO_ON = ("not_playing", "try_again", "not_asked")
"""Codes of refusals after which a seat only has to wait."""


async def main(episode: str, seat: int) -> None:
    """Answer every observation with a line from the keyboard, until the episode is over."""
    url, token = os.environ["TROUPE_NATS_URL"], os.environ.get("TROUPE_NATS_TOKEN")
    space = os.environ.get("TROUPE_SPACE", "main")
    client = await nats.connect(url, token=token)

    async def send(command: dict[str, Any]) -> dict[str, Any]:
        """The reply. Sent again until there is one: what was taken is not taken twice."""
        while True:
            try:
                subject = f"troupe.{space}.seat.{episode}.{seat}.command"
                return decode((await client.request(subject, encode(command), timeout=5)).data)
            except nats.errors.Error as error:
                print("  no reply yet:", type(error).__name__)
                await asyncio.sleep(2)

    shown = await client.subscribe(f"troupe.{space}.seat.{episode}.{seat}")
    looked = await send({"type": "Look", "seat": seat})  # what did I miss?
    if looked["type"] == "Refused" and looked.get("code") not in GO_ON:
        sys.exit(looked["reason"])
    answered = 0
    async for message in shown.messages:
        seen = decode(message.data)
        if seen["type"] == "EpisodeOver":
            print("It is over:", seen["reason"])
            break
        if seen["turn"] <= answered:  # observations are repeated until they are answered
            continue
        if background := seen.get("background"):
            print(background["context"], "\nYour goal:", background["goal"])
        for line in seen["news"]:
            print(f"  {line['label']} ({line['kind']}): {line['text']}")
        turn, reply = seen["turn"], {"code": "bad_action"}
        while reply.get("code") == "bad_action":
            text = (await asyncio.to_thread(input, f"turn {turn}> ")).strip()
            kind = text if text == "leave" else "speak" if text else "none"
            action = {"kind": kind, "text": text if kind == "speak" else ""}
            reply = await send({"type": "TakeAction", "seat": seat, "turn": turn, "action": action})
            print("  ", reply.get("reason") or ("taken before" if reply.get("before") else "taken"))
        answered = turn
    await client.close()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], int(sys.argv[2])))
