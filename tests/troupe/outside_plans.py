"""Plans whose seats tests play, and what they play in them."""

from typing import Any

from events.episode import ActionTaken
from store.log.event_store import EventStore
from store.read_model.episode_history import read_history

SAYS = '{"kind": "speak", "text": "Let us split it, half and half."}'


def seat_plan(**more: Any) -> dict[str, Any]:
    """Two tasks, once from each seat, with a judge."""
    return {
        "name": "mine",
        "seed": 5,
        "minds": {"mine": "remote", "wily": "rehearsal:wily"},
        "tasks": {"limit": 2},
        "seats": {"pairings": [["mine", "wily"], ["wily", "mine"]]},
        "social": {"turn_cap": 8},
        "judges": {"use": ["rehearsal-strict"]},
        **more,
    }


def actions(store: EventStore, episode: str) -> list[ActionTaken[Any]]:
    """All that was done in an episode."""
    events = [numbered.event for numbered in read_history(store, episode)]
    return [event for event in events if isinstance(event, ActionTaken)]
