"""An episode as SOTOPIA's ``EpisodeLog``, for programs that read those.

``messages`` has a list a turn of (sender, receiver, text). The first begins with what the
environment told each seat, as the one door lets that seat see it; every action goes to
``Environment``. A seat that was not asked to act in a turn is not listed in it.

``rewards`` has ``[overall, {dimension: value}]`` a seat, for the seven dimensions of SOTOPIA-EVAL
(a judge's own have no place in the format). A missing value is ``null``, and then so is the
overall; an episode that no judge scored has ``[null, {}]``. Readers that expect numbers refuse
that, which is better than taking a missing score for a zero.

``reasoning`` says why the episode ended and gives each seat's reasons, a line a dimension.
"""

from collections.abc import Sequence
from typing import Final

import msgspec

from actors.episodes.formats import Judged, Score
from actors.social import render
from actors.social.formats.episode_words import ENVIRONMENT, words_of
from actors.social.sight import labels, view
from actors.social.views import Profile, View
from events.base import Event
from events.episode import (
    ActionTaken,
    EpisodeForked,
    EpisodeStarted,
)
from events.evaluation import Dimension, ScoreAbstained, Scored, ScoreFailed
from events.minds import MindSpec

SEVEN: Final = (
    Dimension(name="believability", low=0, high=10),
    Dimension(name="relationship", low=-5, high=5),
    Dimension(name="knowledge", low=0, high=10),
    Dimension(name="secret", low=-10, high=0),
    Dimension(name="social_rules", low=-10, high=0),
    Dimension(name="financial_and_material_benefits", low=-5, high=5),
    Dimension(name="goal", low=0, high=10),
)
"""The dimensions of SOTOPIA-EVAL and their ranges (SOTOPIA, section 3), in the logs' order."""

AT_ONCE: Final = "Everybody acts at once in every turn."
"""Ends what each seat is told where that is so; the format has no field for it."""
ENDING: Final = "Environment comments: terminated: "
NO_SCORE: Final = "no score: "
ABSTAINED: Final = "abstained: "


class EpisodeLog(msgspec.Struct, frozen=True, kw_only=True):
    """SOTOPIA's record of an episode."""

    environment: str
    """The scenario's id."""
    agents: tuple[str, ...]
    """The characters' ids, one a seat."""
    tag: str
    models: tuple[str, ...]
    """The judge's, then each seat's."""
    messages: tuple[tuple[tuple[str, str, str], ...], ...]
    reasoning: str
    rewards: tuple[tuple[float | None, dict[str, float | None]], ...]
    rewards_prompt: str


class EpisodeGoesOn(ValueError):
    """An episode that has not ended cannot be an ``EpisodeLog``."""

    def __init__(self, turn: int) -> None:
        super().__init__(f"the episode goes on (turn {turn}); only one that has ended can be a log")
        self.turn = turn


def episode_log(history: Sequence[Event], judged: Judged | None = None) -> EpisodeLog:
    """A history, complete from its first event, with one judge's scores if there are any.

    Raises ``EpisodeGoesOn`` where the history has no end.
    """
    account = view(history, "narrator")
    if not account.ended:
        raise EpisodeGoesOn(account.turn)
    started, minds = _cast(history)
    return EpisodeLog(
        environment=started.setup.scenario.id,
        agents=tuple(character.id for character in started.setup.cast),
        tag=",".join(started.tags),
        models=(_judge_name(judged), *map(_mind_name, minds)),
        messages=_messages(history, started),
        reasoning=_reasoning(account.ended, len(started.minds), judged),
        rewards=tuple(_reward(seat, judged) for seat in range(len(started.minds))),
        rewards_prompt=judged.judge.prompt_version if judged else "",
    )


def to_line(log: EpisodeLog) -> str:
    """One line of a JSON-lines file, without its end."""
    return msgspec.json.encode(log).decode()


def told(account: View, seat: int) -> str:
    """What the environment told a seat before the first turn, laid out as SOTOPIA does."""
    names = account.labels
    lines = ["Here is the context of this interaction:", f"Scenario: {account.context}"]
    lines.append(f"Participants: {' and '.join(names)}")
    for profile in account.profiles:
        lines.append(f"{profile.label}'s background: {_known(profile) or 'Unknown'}")
    for profile in account.profiles:
        goal = profile.goal if profile.seat == seat else None
        lines.append(f"{profile.label}'s goal: {goal or 'Unknown'}")
    for relationship in sorted(
        account.relationships, key=lambda relationship: sorted(relationship.seats)
    ):
        one, other = (names[place] for place in sorted(relationship.seats))
        kind = relationship.kind.replace("_", " ")
        lines.append(f"{one} and {other}: {kind}. {relationship.story}".rstrip())
    return "\n".join(lines)


def _cast(history: Sequence[Event]) -> tuple[EpisodeStarted, tuple[MindSpec, ...]]:
    started = next(event for event in history if isinstance(event, EpisodeStarted))
    forks = [event.minds for event in history if isinstance(event, EpisodeForked)]
    return started, forks[-1] if forks else started.minds


def _mind_name(mind: MindSpec) -> str:
    return mind.model.name if mind.model else mind.name


def _judge_name(judged: Judged | None) -> str:
    if judged is None:
        return ""
    return judged.judge.model.name if judged.judge.model else judged.judge.name


def _messages(
    history: Sequence[Event], started: EpisodeStarted
) -> tuple[tuple[tuple[str, str, str], ...], ...]:
    names = labels(started.setup, "narrator")
    at_once = started.setup.rules.order == "simultaneous"
    first = []
    for seat, name in enumerate(names):
        text = told(view([started], seat), seat)
        first.append((ENVIRONMENT, name, f"{text}\n{AT_ONCE}" if at_once else text))
    turns: dict[int, list[tuple[str, str, str]]] = {}
    for event in history:
        if isinstance(event, ActionTaken):
            words = words_of(event.action, names)
            turns.setdefault(event.turn, []).append((names[event.seat], ENVIRONMENT, words))
    first_turn, *rest = turns.values() if turns else [[]]
    return (tuple(first + first_turn), *map(tuple, rest))


def _known(profile: Profile) -> str:
    """A character's visible fields as sentences."""
    parts = [
        ("", profile.name),
        ("Age: ", str(profile.age) if profile.age is not None else None),
        ("Gender: ", profile.gender),
        ("Pronouns: ", profile.pronouns),
        ("Occupation: ", profile.occupation),
        ("", profile.public_info),
        ("Personality and values: ", profile.personality),
        ("Secret: ", profile.secret),
    ]
    return " ".join(f"{title}{text.rstrip('.')}." for title, text in parts if text)


def _by_dimension(seat: int, judged: Judged | None) -> dict[str, Score]:
    scores = judged.scores if judged else ()
    return {score.dimension: score for score in scores if score.seat == seat}


def _reward(seat: int, judged: Judged | None) -> tuple[float | None, dict[str, float | None]]:
    if judged is None:
        return None, {}
    scores = _by_dimension(seat, judged)
    values: dict[str, float | None] = {}
    for dimension in SEVEN:
        score = scores.get(dimension.name)
        values[dimension.name] = score.value if isinstance(score, Scored) else None
    there = [value for value in values.values() if value is not None]
    return (sum(there) / len(SEVEN) if len(there) == len(SEVEN) else None), values


def _reasoning(ended: str, seats: int, judged: Judged | None) -> str:
    lines = [ENDING + render.ending(ended)]
    for seat in range(seats) if judged else ():
        lines.append(f"Agent {seat + 1} comments:")
        scores = _by_dimension(seat, judged)
        lines += [
            f"{dimension.name}: {_comment(scores[dimension.name])}"
            for dimension in SEVEN
            if dimension.name in scores
        ]
    return "\n".join(lines)


def _comment(score: Score) -> str:
    match score:
        case Scored(reason=reason):
            text = reason
        case ScoreAbstained(reason=reason):
            text = ABSTAINED + reason
        case ScoreFailed(error=error):
            text = NO_SCORE + error
    return " ".join(text.split())
