"""Play a seat from any program: a plain NATS client, nothing of Troupe imported.

    python docs/remote_seat.py nats://127.0.0.1:4222 TOKEN EPISODE SEAT [SPACE]

SEAT counts from 0. Type what your character says; `leave` leaves, an empty line does nothing.
"""

import asyncio
import sys

import msgspec
import nats

encode, decode = msgspec.msgpack.encode, msgspec.msgpack.decode


async def main(url: str, token: str, episode: str, seat: int, space: str = "main") -> None:
    """Answer every observation with a line from the keyboard, until the episode is over."""
    client = await nats.connect(url, token=token)
    commands = f"troupe.{space}.episode.{episode}.command"
    shown = await client.subscribe(f"troupe.{space}.seat.{episode}.{seat}")
    await client.publish(commands, encode({"type": "Look", "seat": seat}))  # what did I miss?
    answered = 0
    async for message in shown.messages:
        seen = decode(message.data)
        if seen["type"] == "EpisodeOver":
            break
        if seen["turn"] <= answered:  # observations are repeated until they are answered
            continue
        if background := seen.get("background"):
            print(background["context"], "\nYour goal:", background["goal"])
        for line in seen["news"]:
            print(f"  {line['label']} ({line['kind']}): {line['text']}")
        text = (await asyncio.to_thread(input, f"turn {seen['turn']}> ")).strip()
        kind = text if text == "leave" else "speak" if text else "none"
        action = {"kind": kind, "text": text if kind == "speak" else ""}
        command = {"type": "TakeAction", "seat": seat, "turn": seen["turn"], "action": action}
        reply = decode((await client.request(commands, encode(command), timeout=5)).data)
        print("  ", reply.get("reason", "taken"))
        answered = seen["turn"]
    await client.close()


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:4], int(sys.argv[4]), *sys.argv[5:]))
