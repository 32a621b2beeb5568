"""What a token may be for, by role, and how long it lasts."""

from typing import Final

from gateway.errors import BadArgument
from gateway.services.episodes.episode_details import check_may_begin
from gateway.services.participants.link_participants import check_name
from store.log.event_store import EventStore
from store.participants.shared_key_store import require_keys
from store.read_model import queries

DAY: Final = 86_400.0
DEFAULT_S: Final = {
    "operator": DAY,
    "researcher": 30 * DAY,
    "annotator": 30 * DAY,
    "participant": 7 * DAY,
    "spectator": 7 * DAY,
}
"""How long a token lasts, in seconds."""
LONGEST_S: Final = 400 * DAY


def not_begun(store: EventStore, episode: str) -> bool:
    """Whether an episode (id in full; empty: none) is yet to begin."""
    return bool(episode) and queries.episode(store, episode).started_at is None


def scope_of(
    store: EventStore, role: str, episode: str, seat: int | None, study: str, name: str
) -> tuple[str, int | None]:
    """The episode's id in full, and the seat from 0; the episode may be yet to begin. Raises
    ``BadArgument``, ``UnknownId``, ``KeysNotShared``, ``KeysUnavailable``."""
    if seat is not None and role != "participant":
        raise BadArgument("seat", str(seat), f"is a participant's; a {role} has none")
    if role in ("operator", "researcher", "annotator") and episode:
        raise BadArgument("episode", episode, f"is for participants and spectators, no {role}")
    if study and role not in ("participant", "annotator"):
        raise BadArgument("study", study, "is for participants and annotators")
    if role == "spectator" and not episode:
        raise BadArgument("episode", "", "is missing: a spectator watches one episode")
    if role == "participant" and bool(study) == bool(episode):
        why = "a participant sits in one seat of an episode, or takes part in a study"
        raise BadArgument("episode", episode, why)
    if role == "participant":
        check_name(name)
        # What they write is sealed, and every process has to find the key.
        require_keys(store)
    if not episode:
        return "", None
    row = queries.episode(store, episode)
    check_may_begin(row)
    if role == "participant" and seat is None:
        raise BadArgument("seat", "", "is missing: which seat of the episode, from 1")
    # Of one that has not begun only the plan says how many there are.
    if seat is not None and seat > (seats := len(row.minds)):
        there = f"seats 1 to {seats}" if seats > 1 else "one seat"
        raise BadArgument("seat", str(seat), f"episode {row.id} has {there}")
    return row.id, None if seat is None else seat - 1
