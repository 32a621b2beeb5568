"""What an episode shows of the mode it was played in, beside its scores: how long it was, how much
was said, which secrets came out, and what the models cost."""

from collections.abc import Sequence
from typing import Final

from actors.social.modes import Mode
from actors.social.narration import NARRATED
from actors.social.sight import view
from evaluators.social import conduct
from events.base import Event, Value
from events.episode import EpisodeStarted
from store.read_model.records import CallTotals

_NOT_PLAY: Final = frozenset({"judge", "find", "interview"})
"""Purposes of calls that are no part of an episode's play."""


class PlayedEpisode(Value, frozen=True, kw_only=True):
    """An episode that has ended, in figures."""

    episode: str
    mode: Mode
    mind: str
    """Who sat in all its seats."""
    scenario: str
    turns: int
    """With an action that did not fail."""
    words_per_turn: tuple[float, ...]
    """Of each seat that acted: the words of what it said and did, by its actions that did not
    fail."""
    told: tuple[bool, ...]
    """Of each seat with a secret, whether so many words of it were in what the seat said that it
    was out (``evaluators.social.conduct``)."""
    calls: int
    """To models, asked again included."""
    output_tokens: int
    usd: float | None
    """US dollars of these calls; None where the price of some is not known."""


def mode_of(history: Sequence[Event]) -> Mode | None:
    """How an episode was played; None where it never began."""
    started = next((one for one in history if isinstance(one, EpisodeStarted)), None)
    mode: Mode | None = None if started is None else started.setup.rules.mode
    return mode


def measured(
    episode: str, mind: str, history: Sequence[Event], calls: Sequence[CallTotals]
) -> PlayedEpisode:
    """An episode that has begun in figures. ``calls``: all that models were asked about it."""
    started = next(one for one in history if isinstance(one, EpisodeStarted))
    seen = view(history, "narrator")
    acted = [line for line in seen.lines if line.kind != NARRATED and not line.failure]
    seats = range(len(seen.profiles))
    own = [[len(line.text.split()) for line in acted if line.seat == seat] for seat in seats]
    found = conduct.conducts(seen, conduct.lines(seen))
    play = [one for one in calls if one.purpose not in _NOT_PLAY]
    return PlayedEpisode(
        episode=episode,
        mode=started.setup.rules.mode,
        mind=mind,
        scenario=started.scenario,
        turns=len({line.turn for line in acted}),
        words_per_turn=tuple(sum(words) / len(words) for words in own if words),
        told=tuple(
            one.leaked is not None
            for one, who in zip(found, seen.profiles, strict=True)
            if (who.secret or "").strip()
        ),
        calls=sum(one.asked for one in play),
        output_tokens=sum(one.output_tokens for one in play),
        usd=None if any(one.unpriced for one in play) else sum(one.cost_usd for one in play),
    )
