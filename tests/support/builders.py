"""Small worlds for tests: characters, episodes and histories with sensible defaults."""

from collections.abc import Sequence
from typing import Any

import msgspec

from actors.social.actions import ACT, Action, ActionKind
from actors.social.catalog_items import Character, RelationshipKind, Scenario
from actors.social.setup import EpisodeRules, SeatRelationship, SocialSetup, begin
from events.base import Envelope, Event, replace
from events.episode import (
    ActionFailure,
    ActionTaken,
    Asked,
    EpisodeEnded,
    EpisodeStarted,
    TurnOpened,
)
from events.ids import new_event_id
from events.minds import MindSpec
from events.serialization.codec import encode
from store.read_model.episode_history import Numbered

Move = tuple[int, str | Action | ActionFailure]
"""A seat and what it does; plain words are spoken, a failure is an action that did not come."""


def character(name: str = "Ada Reyes", **fields: Any) -> Character:
    first, _, last = name.partition(" ")
    given: dict[str, Any] = {"id": first.lower(), "age": 40, "occupation": "baker", **fields}
    return Character(first_name=first, last_name=last, **given)


def scenario(**fields: Any) -> Scenario:
    given: dict[str, Any] = {
        "id": "stall",
        "codename": "the old oven",
        "context": "Two people stand before an old oven at a flea market.",
        "goals": ("Sell the oven for 300 dollars.", "Buy the oven for 200 dollars."),
        **fields,
    }
    return Scenario(**given)


def mind(name: str = "warm", kind: str = "rehearsal", **fields: Any) -> MindSpec:
    given: dict[str, Any] = {"temper": "generous"} if kind == "rehearsal" else {}
    return msgspec.convert({"name": name, "kind": kind, **given, **fields}, MindSpec)


def social_start(
    *,
    scenario: Scenario,
    cast: tuple[Character, ...],
    relationships: tuple[SeatRelationship, ...] = (),
    rules: EpisodeRules | None = None,
    **fields: Any,
) -> EpisodeStarted:
    """The first event of a social episode."""
    setup = SocialSetup(
        scenario=scenario, cast=cast, relationships=relationships, rules=rules or EpisodeRules()
    )
    return begin(setup, **fields)


def with_setup(first: EpisodeStarted, **changes: Any) -> EpisodeStarted:
    """The same beginning with some of its setup changed."""
    setup = replace(first.setup, **changes)
    named = {"scenario", "title", "characters"}
    given = {
        name: value for name, value in msgspec.structs.asdict(first).items() if name not in named
    }
    del given["setup"], given["environment"]
    return begin(setup, **given)


def opened(turn: int, seats: Sequence[int]) -> TurnOpened:
    """A turn in which these seats are to act."""
    return TurnOpened(turn=turn, asked=tuple(Asked(seat=seat, question=ACT) for seat in seats))


def taken(turn: int, seat: int, did: str | Action) -> ActionTaken:
    """A seat acted; plain words are spoken."""
    action = act("speak", did) if isinstance(did, str) else did
    return ActionTaken(turn=turn, seat=seat, action=action)


def started(**fields: Any) -> EpisodeStarted:
    cast = (
        character("Ada Reyes", secret="She stole the oven from her cousin's bakery."),
        character("Ben Okafor", occupation="cook", secret="He was fired for drinking."),
    )
    given: dict[str, Any] = {
        "run": "",
        "task": "t1",
        "catalog": "test",
        "scenario": scenario(),
        "cast": cast,
        "relationships": (
            SeatRelationship(
                seats=(0, 1), kind=RelationshipKind.ACQUAINTANCE, story="They met once."
            ),
        ),
        "minds": (mind("warm"), mind("cold", temper="stubborn")),
        "rules": EpisodeRules(seed=1),
        **fields,
    }
    return social_start(**given)


def act(kind: ActionKind, text: str = "", to: tuple[int, ...] = ()) -> Action:
    return Action(kind=kind, text=text, to=to)


def episode(first: EpisodeStarted, moves: Sequence[Move], end: str | None = "left") -> list[Event]:
    """The events of an episode in which one seat acts a turn."""
    events: list[Event] = [first]
    for turn, (seat, did) in enumerate(moves, start=1):
        events.append(opened(turn, (seat,)))
        failure = did if isinstance(did, ActionFailure) else None
        if isinstance(did, ActionFailure):
            action = act("none")
        else:
            action = did if isinstance(did, Action) else act("speak", did)
        events.append(ActionTaken(turn=turn, seat=seat, action=action, failure=failure))
    if end:
        events.append(EpisodeEnded(reason=end, turn=len(moves)))
    return events


def numbered(events: Sequence[Event], stream: str = "episode-e1") -> list[Numbered]:
    """Events as ``read_history`` gives them."""
    return [
        Numbered(
            number,
            Envelope(
                event_id=new_event_id(),
                stream=stream,
                version=number,
                position=number + 1,
                tag=type(event).__name__,
                schema=type(event).SCHEMA,
                recorded_at=1_700_000_000_000_000 + number,
                correlation="",
                causation="",
                payload=msgspec.Raw(encode(event)),
            ),
            event,
        )
        for number, event in enumerate(events)
    ]
