"""What others repeat of a participant's words is sealed with them, and nothing else is."""

import pytest

from actors.games.setup import Consequences, GameAct, GameFact
from actors.sandbox.setup import (
    Act,
    ActionStarted,
    CarryOn,
    Happened,
    Noticed,
    Say,
    Seen,
    TalkClosed,
)
from events.base import Event
from events.episode import WorldChanged
from events.privacy import encryption
from events.privacy.encrypted_quotes import Said, with_quotes_sealed
from events.privacy.encryption import Key
from events.serialization.codec import decode_event, encode
from events.thoughts import Block, DayPlanned, Decided, MemoryAdded
from tests.events.test_encryption import Ring

ANA, BO, CY = "Ana Bell", "Bo Crane", "Cy Dunn"
SAID = "I lost my job at the cannery. Do not tell anybody!"


@pytest.fixture
def ring(monkeypatch: pytest.MonkeyPatch) -> Ring:
    monkeypatch.setattr(encryption, "_keyrings", {})
    found = Ring()
    found.keys["p-cy"] = Key.new()
    encryption.use("test", found)
    return found


def said(ring: Ring) -> list[Said]:
    """Ana sits in the second seat, Cy in the third."""
    ana = Said(ring.keys["p-ana"], 1, ANA, (BO, ANA, CY))
    ana.hear(Act(text="weeping", address="Small:inn:hall"))
    ana.hear(Say(text=SAID, about="the cannery"))
    ana.hear(Say(text=BO))
    ana.hear(CarryOn())
    cy = Said(ring.keys["p-cy"], 2, CY, (BO, ANA, CY))
    cy.hear(Act(text="counting all of the stars"))
    return [ana, cy]


def kept(event: Event, ring: Ring, *gone: str) -> Event:
    """An event as it is read when the keys of some are gone."""
    payload = encode(with_quotes_sealed(event, said(ring)))
    keys = dict(ring.keys)
    for participant in gone:
        del ring.keys[participant]
    found = decode_event(type(event).__name__, event.SCHEMA, payload)
    ring.keys.update(keys)
    return found


HAPPENED = WorldChanged(
    change=Happened(
        at=3,
        facts=(
            ActionStarted(seat=1, text="weeping", address="Small:inn:hall", until=9),
            ActionStarted(seat=0, text="weeping", address="Small:inn:hall", until=9),
            Noticed(
                seat=0,
                seen=(
                    Seen(seat=1, text="weeping", address="Small:inn:hall"),
                    Seen(seat=2, text="weeping", address=""),
                ),
            ),
            TalkClosed(talk=0, seats=(0, 1), about="the cannery", until=12),
        ),
    )
)


def test_what_happens_by_an_action_is_sealed_with_it(ring: Ring) -> None:
    assert kept(HAPPENED, ring) == HAPPENED
    after = kept(HAPPENED, ring, "p-ana")
    assert isinstance(after, WorldChanged)
    mine, others, noticed, closed = after.change.facts
    assert (mine.text, mine.address) == ("[erased]", "Small:inn:hall")
    assert others.text == "weeping", "what others do is theirs"
    assert [one.text for one in noticed.seen] == ["[erased]", "weeping"]
    assert closed.about == "[erased]"


def test_what_facts_name_by_the_rules_is_nobodys_words(ring: Ring) -> None:
    ana = Said(ring.keys["p-ana"], 1, ANA, (BO, ANA, CY))
    ana.hear(GameAct(verb="say", text="Dealt."))
    fact = GameFact(kind="ended", name="dealt", seats=(0, 1))
    ended = WorldChanged(change=Consequences(facts=(fact,)))
    payload = encode(with_quotes_sealed(ended, [ana]))
    del ring.keys["p-ana"]
    assert decode_event("WorldChanged", ended.SCHEMA, payload) == ended


def memory(text: str, subject: str = "") -> MemoryAdded:
    return MemoryAdded(id=0, kind="talk", text=text, at=0.0, subject=subject)


@pytest.mark.parametrize(
    ("text", "subject", "goes"),
    [
        ("Ana Bell is weeping", ANA, True),
        ("Bo Crane is weeping", BO, False),
        ("she said 'i lost my job at the CANNERY', and left", "", True),
        ("one may lose a job at a cannery", "", False),
        ("Bo Crane and Ana Bell talked about the cannery", ANA, True),
        ("Ana Bell met Bo Crane", ANA, False),
        ("sweeping", ANA, False),
    ],
)
def test_a_memory_goes_with_the_words_that_it_repeats(
    text: str, subject: str, goes: bool, ring: Ring
) -> None:
    block = Block(start=0, minutes=9, text="Do not tell anybody", address="Small:inn:hall")
    thoughts = (memory(text, subject), DayPlanned(day=0, schedule=(block,)))
    event = Decided(turn=1, thoughts=thoughts, action=CarryOn())
    assert kept(event, ring) == event
    after = kept(event, ring, "p-ana")
    assert isinstance(after, Decided)
    assert after.thoughts[0] == memory("[erased]" if goes else text, subject)
    assert after.thoughts[1].schedule[0].text == "[erased]"
    assert kept(event, ring, "p-cy") == event


def test_what_repeats_two_people_goes_with_either(ring: Ring) -> None:
    text = "Do not tell anybody, he said, counting all of the stars"
    event = Decided(turn=1, thoughts=(memory(text),), action=CarryOn())
    assert kept(event, ring) == event
    for participant in ("p-ana", "p-cy"):
        after = kept(event, ring, participant)
        assert isinstance(after, Decided)
        assert after.thoughts[0] == memory("[erased]")
