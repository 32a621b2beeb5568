"""What participants say is sealed so that it can be erased, and nothing else changes."""

from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.msgpack import Ext

from actors.games.setup import GameAct
from actors.social.actions import Action
from actors.worldtree.setup import Chose
from events.base import Event, replace
from events.episode import ActionFailure, ActionProposed, ActionTaken, EpisodeEnded
from events.privacy import encryption
from events.privacy.encryption import CODE, ERASED, MARK, Key, sealed
from events.serialization.codec import UnreadableEvent, decode_event, encode
from events.study import Answer, Parameter, QuestionsAnswered, SessionBegan


class Ring:
    """Keys in memory."""

    def __init__(self) -> None:
        self.keys: dict[str, Key] = {"p-ana": Key.new()}

    def of(self, participant: str) -> Key | None:
        return self.keys.get(participant)

    def secret(self, key: bytes) -> bytes | None:
        return next((one.secret for one in self.keys.values() if one.id == key), None)


@pytest.fixture
def ring(monkeypatch: pytest.MonkeyPatch) -> Ring:
    monkeypatch.setattr(encryption, "_keyrings", {})
    found = Ring()
    encryption.use("test", found)
    return found


def stored(event: Event, ring: Ring) -> bytes:
    return encode(sealed(event, ring.keys["p-ana"]))


def read(event: Event, payload: bytes) -> Any:
    return decode_event(type(event).__name__, event.SCHEMA, payload)


SAID: list[Event] = [
    ActionTaken(turn=1, seat=0, action=Action(kind="speak", text="Hello, Bo.", to=(1,))),
    ActionTaken(
        turn=1,
        seat=0,
        action=Action(kind="none"),
        failure=ActionFailure(reason="refused", detail="Hello, Bo.", raw="Hello, Bo."),
    ),
    ActionProposed(turn=1, seat=0, action=Chose(option=2, why="Hello, Bo.")),
    QuestionsAnswered(
        part="questionnaire", answers=(Answer(question="why", value="Hello, Bo."),), passed=True
    ),
    SessionBegan(
        study="s1", participant="p-ana", parameters=(Parameter(name="PID", value="Hello, Bo."),)
    ),
]


@pytest.mark.parametrize("event", SAID, ids=lambda event: type(event).__name__)
def test_words_are_read_as_they_were_said_and_stand_nowhere(event: Event, ring: Ring) -> None:
    payload = stored(event, ring)
    assert b"Hello" not in payload
    assert read(event, payload) == event


@pytest.mark.parametrize("event", SAID, ids=lambda event: type(event).__name__)
def test_without_the_key_all_but_the_words_is_as_it_was(event: Event, ring: Ring) -> None:
    payload = stored(event, ring)
    ring.keys.clear()
    text = msgspec.json.encode(event).replace(b"Hello, Bo.", ERASED.encode())
    assert read(event, payload) == msgspec.json.decode(text, type=type(event)) or (
        msgspec.json.encode(read(event, payload)) == text
    )


def test_what_rules_follow_is_not_sealed(ring: Ring) -> None:
    (event, *_) = SAID
    ring_payload = stored(event, ring)
    ring.keys.clear()
    action = read(event, ring_payload).action
    assert (action.kind, action.to, action.text) == ("speak", (1,), ERASED)


def test_what_an_action_chooses_by_name_is_not_sealed(ring: Ring) -> None:
    act = GameAct(verb="vote", target=2, word="pear", text="Hello, Bo.")
    event = ActionTaken(turn=1, seat=0, action=act)
    payload = stored(event, ring)
    ring.keys.clear()
    assert read(event, payload).action == replace(act, text=ERASED)


def test_another_key_opens_nothing(ring: Ring) -> None:
    payload = stored(SAID[0], ring)
    key = ring.keys["p-ana"]
    ring.keys["p-ana"] = Key(key.id, Key.new().secret)
    assert read(SAID[0], payload).action.text == ERASED


@given(st.text(alphabet=st.characters(exclude_categories=["Cs"])))
def test_any_text_comes_back(text: str) -> None:
    key = Key.new()
    ring = Ring()
    ring.keys = {"p-ana": key}
    encryption.use("any", ring)
    event = ActionTaken(turn=1, seat=0, action=Action(kind="speak", text=text))
    assert read(event, encode(sealed(event, key))) == event


def test_who_writes_what_looks_sealed_is_taken_at_their_word(ring: Ring) -> None:
    forged = f"{ERASED} \\xff\\xfetroupe {CODE}"
    event = ActionTaken(turn=1, seat=0, action=Action(kind="speak", text=forged))
    assert read(event, stored(event, ring)) == event
    assert read(event, encode(event)) == event


@pytest.mark.parametrize("data", [MARK, MARK + b"short", b"strange", MARK + bytes(60)])
def test_a_broken_seal_is_no_fault_of_the_reader(data: bytes, ring: Ring) -> None:
    assert ring.keys
    event = ActionTaken(turn=1, seat=0, action=Action(kind="speak", text=Ext(CODE, data)))  # type: ignore[arg-type]
    if data.startswith(MARK):
        assert read(event, encode(event)).action.text == ERASED
    else:
        with pytest.raises(UnreadableEvent):
            read(event, encode(event))


def test_what_nobody_said_is_left_alone(ring: Ring) -> None:
    ended = EpisodeEnded(reason="left", turn=3, detail="one left")
    assert sealed(ended, ring.keys["p-ana"]) is ended
