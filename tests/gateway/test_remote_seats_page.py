"""What docs/how-to/remote-seats.md says travels is what travels, and its plan can be played."""

import re
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest

from actors.episodes.delivery.wire import wire_of
from events.serialization.codec import JSON, MSGPACK
from events.wire.messages import Accepted, EpisodeOver, Look, News, RefusalCode, Refused
from gateway.services.runs.plan_run import prepare
from tests.support.managed_episodes import open_at

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "how-to" / "remote-seats.md").read_text()
BLOCKS = re.findall(r"```json\n(.*?)```", PAGE, re.DOTALL)


@pytest.mark.parametrize("block", BLOCKS)
def test_each_message_of_the_page_is_one(block: str) -> None:
    data, plain = block.encode(), msgspec.json.decode(block)
    match plain["type"]:
        case "TakeAction" | "Look":
            said: Any = JSON.decode_command(data)
            if not isinstance(said, Look):
                wire_of("games" if "verb" in plain["action"] else "social").action(said.action)
        case "Observation":
            # As strictly as Troupe reads what its own minds are shown.
            said = wire_of("social").decode_seat_message(msgspec.msgpack.encode(plain))
        case _:
            told = Accepted | Refused[Any] | EpisodeOver | News[Any]
            said = msgspec.json.decode(data, type=told)
    assert plain.keys() <= {"type", *said.__struct_fields__}


def test_the_page_says_what_a_look_is_in_msgpack() -> None:
    (look,) = re.findall(r"in hexadecimal, `([0-9a-f ]+)`", PAGE)
    assert MSGPACK.decode_command(bytes.fromhex(look)) == Look(seat=0)


def test_the_page_explains_every_code_and_no_other() -> None:
    rows = re.findall(r"^\| (`[a-z_`, ]+)(?: \(or no `code`\))? \|", PAGE, re.MULTILINE)
    assert {code for row in rows for code in re.findall(r"[a-z_]+", row)} == set(
        get_args(RefusalCode)
    )


def test_the_plan_of_the_page_seats_a_program(tmp_path: Path) -> None:
    store = open_at(tmp_path)
    planned = prepare(store, ROOT / "examples" / "remote.toml").planned
    assert [mind.kind for mind in planned.plan.minds] == ["remote", "rehearsal"]
    assert {episode.minds for episode in planned.episodes} == {("mine", "wily")}
    store.close()
