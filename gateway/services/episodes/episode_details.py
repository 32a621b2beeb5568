"""What ``show`` and ``replay`` show of an episode: computed once, printed or sent as JSON."""

from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec import structs

from actors.episodes.port.sight import Viewer
from actors.episodes.port.words import Account
from actors.episodes.registry import environment_named, game_of
from actors.episodes.rules.decide import EpisodeState
from actors.episodes.rules.failed_actions import FailedAction, failed_actions, with_failures
from actors.episodes.views.differences import ForkMark, fork_marks
from actors.episodes.views.inconsistent_history import state_after, telling
from actors.lifelong.memory.recall import memory_text
from events.base import Value
from events.episode import EpisodeStarted
from gateway.errors import BadArgument
from store.log.event_store import EventStore
from store.read_model import queries
from store.read_model.episode_history import Numbered, read_history
from store.read_model.records import EpisodeRow, ScoreRow


class Viewed(Value, frozen=True, kw_only=True):
    """What a viewer may see of an episode."""

    environment: str
    view: Any
    """A struct of the environment's."""
    failures: tuple[FailedAction, ...] = ()
    """Actions that a mind failed to give; for the narrator only."""
    forks: tuple[ForkMark, ...] = ()
    """Where it was forked; which minds sit where from there on, for the narrator only."""

    @property
    def account(self) -> Account:
        """The view in words; what a mind failed to give says so and why, whatever environment it
        is."""
        with telling(self.environment):
            game = environment_named(self.environment).game_showing(self.view)
            account = game.words.account(self.view)
        return with_failures(account, self.failures)


class EpisodeDetails(Viewed, frozen=True, kw_only=True):
    """An episode as a viewer may see it, with its scores."""

    episode: EpisodeRow
    """Without what the viewer may not know: names, minds, what the scenario is called."""
    scores: tuple[ScoreRow, ...]
    """For the narrator only."""


class Happened(Value, frozen=True, kw_only=True):
    """One event of a history, in short."""

    number: int
    tag: str
    stream: str


class ReplayDetails(Viewed, frozen=True, kw_only=True):
    """An episode as it was after one event."""

    episode: str
    at: int
    last: int
    """The last event number there is."""
    events: tuple[Happened, ...]
    """Up to ``at``; for the narrator only."""
    state: dict[str, Any] | None
    """What the rules know, the environment's own fields among it; for the narrator only."""


def episode_details(store: EventStore, given: str, viewer: str) -> EpisodeDetails:
    """An episode as ``viewer`` may see it. Raises ``UnknownId``, ``BadArgument``."""
    episode = queries.episode(store, given)
    history = read_begun(store, episode)
    who = parse_viewer(viewer, len(episode.characters))
    started, seen = _view(store, history, who)
    details = EpisodeDetails(
        environment=started.environment,
        view=seen,
        failures=failed_actions(n.event for n in history) if who == "narrator" else (),
        forks=_marks(history, who),
        episode=episode,
        scores=(),
    )
    if who != "narrator":
        return structs.replace(details, episode=_redacted(episode, details.account))
    return structs.replace(details, scores=tuple(queries.scores(store, episode=episode.id)))


def mark_of(store: EventStore, episode: EpisodeRow) -> str:
    """How an episode is played where that is not as usual, for those who know everything; empty: as
    usual."""
    started = read_begun(store, episode)[0].event
    assert isinstance(started, EpisodeStarted), "a history begins with it"
    return game_of(started).presentation.mark(started.setup)


def _marks(history: Sequence[Numbered], viewer: Viewer) -> tuple[ForkMark, ...]:
    marks = fork_marks(history)
    if viewer == "narrator":
        return marks
    return tuple(structs.replace(mark, minds=()) for mark in marks)


def _redacted(row: EpisodeRow, account: Account) -> EpisodeRow:
    """A row with only what the reader may know: a scenario's name can give away a goal."""
    return structs.replace(
        row,
        scenario_id="",
        scenario="",
        task="",
        characters=tuple(portrait.name for portrait in account.portraits),
        minds=(),
        end_reason=account.ended,
        failed_actions=0,
        summary={},
    )


def replay_details(store: EventStore, given: str, at: int | None, viewer: str) -> ReplayDetails:
    """An episode as it was after event ``at``. Raises ``UnknownId``, ``BadArgument``."""
    episode = queries.episode(store, given)
    history = read_begun(store, episode)
    last = history[-1].number
    if at is not None and not 0 <= at <= last:
        raise BadArgument("--at", str(at), f"the events of {episode.id} are numbered 0 to {last}")
    past = history[: (last if at is None else at) + 1]
    who = parse_viewer(viewer, len(episode.characters))
    state = state_after(numbered.event for numbered in past)
    started, seen = _view(store, past, who)
    knows_all = who == "narrator"
    return ReplayDetails(
        environment=started.environment,
        view=seen,
        failures=failed_actions(n.event for n in past) if knows_all else (),
        forks=_marks(past, who),
        episode=episode.id,
        at=past[-1].number,
        last=last,
        events=tuple(
            Happened(number=n.number, tag=n.envelope.tag, stream=n.envelope.stream)
            for n in past
            if knows_all
        ),
        state=_state(state) if knows_all else None,
    )


def _state(state: EpisodeState) -> dict[str, object]:
    """A state as plain fields."""
    fields = {
        name: getattr(state, name) for name in EpisodeState.__struct_fields__ if name != "world"
    }
    del fields["unanswered"]
    # What only serves to reckon with is told by its name.
    own = msgspec.to_builtins(state.world, enc_hook=str)
    return (own if isinstance(own, dict) else {"world": own}) | fields | {"waiting": state.waiting}


def parse_viewer(text: str, seats: int) -> Viewer:
    """``narrator``, ``spectator``, or a seat as people count, from 1."""
    if text in ("narrator", "spectator"):
        return "narrator" if text == "narrator" else "spectator"
    if text.isascii() and text.isdigit() and len(text) < 10 and 1 <= int(text) <= seats:
        return int(text) - 1
    raise BadArgument("--as", text, f"give a seat from 1 to {seats}, narrator or spectator")


def memory_of(store: EventStore, started: EpisodeStarted, viewer: Viewer) -> str:
    """What a viewer remembers of earlier episodes, in words: a seat of a chain alone does."""
    if not started.chain or not isinstance(viewer, int):
        return ""
    # Only here: it counts tokens, and what does that takes its time to load.

    return memory_text(store, started.chain, viewer, started.index)


def check_may_begin(row: EpisodeRow) -> None:
    """Raises ``BadArgument`` where an episode was given up before it began."""
    if row.started_at is None and row.status == "failed":
        why = f"was given up before it began ({row.end_reason}); there is nothing to show"
        raise BadArgument("episode", row.id, why)


def read_begun(store: EventStore, episode: EpisodeRow) -> list[Numbered]:
    """The history of an episode that has begun. Raises ``BadArgument`` where it has not."""
    check_may_begin(episode)
    if episode.started_at is None:
        why = f"has not begun yet; `troupe watch {episode.id}` waits for it"
        raise BadArgument("episode", episode.id, why)
    return read_history(store, episode.id)


def _view(
    store: EventStore, history: list[Numbered], viewer: Viewer
) -> tuple[EpisodeStarted, object]:
    """How a history began, and what a viewer may see of it."""
    events = [numbered.event for numbered in history]
    started = next((event for event in events if isinstance(event, EpisodeStarted)), None)
    if started is None:
        why = "the episode had not begun by then; give a later event"
        raise BadArgument("--at", str(history[-1].number), why)
    memory = memory_of(store, started, viewer)
    with telling(started.environment):
        return started, game_of(started).sight.view(events, viewer, memory)
