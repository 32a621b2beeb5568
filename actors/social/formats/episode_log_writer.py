"""An episode as SOTOPIA's ``EpisodeLog``, for programs that read those.

``messages`` has a list a turn of (sender, receiver, text), laid out as SOTOPIA does: each begins
with what the environment told each seat, as the one door lets that seat see it, then come the
actions, which go to ``Environment``. The first list ends what it tells with ``Conversation
Starts:``, and after the last turn there is a list without actions: readers cut by both. A seat that
was not asked to act in a turn is not listed in it.

``rewards`` and ``reasoning``: see ``episode_log_scores``.
"""

from collections.abc import Iterator, Sequence
from typing import Final

import msgspec

from actors.episodes.formats import UNNAMED, Judged, LogName
from actors.social.formats.episode_log_failures import failures_line
from actors.social.formats.episode_log_scores import Reward, reasoning_of, reward_of
from actors.social.formats.episode_words import ENVIRONMENT, words_of
from actors.social.narration import NARRATED
from actors.social.sight import labels, view
from actors.social.views import Profile, View
from events.base import Event
from events.episode import (
    ActionTaken,
    EpisodeEnded,
    EpisodeForked,
    EpisodeStarted,
)
from events.minds import MindSpec

AT_ONCE: Final = "Everybody acts at once in every turn."
"""Ends what each seat is told where that is so; the format has no field for it."""
STARTS: Final = "Conversation Starts:"
REHEARSAL: Final = "rehearsal/"
"""Begins the names of rehearsal minds and judges, which are no models."""


class EpisodeLog(msgspec.Struct, frozen=True, kw_only=True):
    """SOTOPIA's record of an episode."""

    pk: str
    """The log's id: no two logs of a file have the same."""
    environment: str
    """The scenario's id."""
    agents: tuple[str, ...]
    """The characters' ids, one a seat."""
    tag: str
    """The experiment's name."""
    models: tuple[str, ...]
    """The judge's, then each seat's."""
    messages: tuple[tuple[tuple[str, str, str], ...], ...]
    reasoning: str
    rewards: tuple[Reward, ...]
    rewards_prompt: str


class EpisodeGoesOn(ValueError):
    """An episode that has not ended cannot be an ``EpisodeLog``."""

    def __init__(self, turn: int) -> None:
        super().__init__(f"the episode goes on (turn {turn}); only one that has ended can be a log")
        self.turn = turn


def episode_log(
    history: Sequence[Event], judged: Judged | None = None, name: LogName = UNNAMED
) -> EpisodeLog:
    """A history, complete from its first event, with one judge's scores if there are any.

    Raises ``EpisodeGoesOn`` where the history has no end.
    """
    account = view(history, "narrator")
    if not account.ended:
        raise EpisodeGoesOn(account.turn)
    started, minds = _cast(history)
    said = _last_words(history) if started.origin else ""
    return EpisodeLog(
        pk=name.key,
        environment=started.setup.scenario.id,
        agents=tuple(character.id for character in started.setup.cast),
        tag=name.tag,
        models=(_judge_name(judged), *map(_mind_name, minds)),
        messages=tuple(map(tuple, _messages(history, started))),
        reasoning=reasoning_of(
            account.ended, said, failures_line(history), len(started.minds), judged
        ),
        rewards=tuple(reward_of(seat, judged) for seat in range(len(started.minds))),
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


def _last_words(history: Sequence[Event]) -> str:
    """Why the log that the episode came in says that it ended."""
    return next((event.detail for event in history if isinstance(event, EpisodeEnded)), "")


def _mind_name(mind: MindSpec) -> str:
    if mind.kind == "rehearsal":
        return REHEARSAL + mind.name
    return mind.model.name if mind.model else mind.name


def _judge_name(judged: Judged | None) -> str:
    if judged is None:
        return ""
    judge = judged.judge
    if judge.kind == "rehearsal":
        return REHEARSAL + judge.name
    return judge.model.name if judge.model else judge.name


def _messages(
    history: Sequence[Event], started: EpisodeStarted
) -> Iterator[list[tuple[str, str, str]]]:
    names = labels(started.setup, "narrator")
    at_once = f"{AT_ONCE}\n" * (started.setup.rules.order == "simultaneous")
    turns: dict[int, list[tuple[str, str, str]]] = {}
    for event in history:
        if isinstance(event, ActionTaken):
            words = words_of(event.action, names)
            turns.setdefault(event.turn, []).append((names[event.seat], ENVIRONMENT, words))
    texts = {
        name: f"\n{told(view([started], seat), seat)}\n{at_once}{STARTS}\n"
        for seat, name in enumerate(names)
    }
    seen = [_seen(view(history, seat)) for seat in range(len(names))]
    # A turn's actions are told with the next; after the last there is one more to tell them.
    for place, turn in enumerate(turns or [0]):
        yield [(ENVIRONMENT, name, text) for name, text in texts.items()] + turns.get(turn, [])
        texts = {
            name: f"Turn #{place}: {seen[seat].get(turn, '')}\n" for seat, name in enumerate(names)
        }
    yield [(ENVIRONMENT, name, text) for name, text in texts.items()]


def _seen(account: View) -> dict[int, str]:
    """What a seat noticed, by turn."""
    told: dict[int, list[str]] = {}
    for line in account.lines:
        if line.kind != "none":
            words = f"{line.label} {words_of(line, account.labels)}"
            if line.kind == NARRATED:
                words = line.text
            told.setdefault(line.turn, []).append(words)
    return {turn: ";".join(words) for turn, words in told.items()}


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
