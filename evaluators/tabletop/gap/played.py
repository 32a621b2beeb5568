"""Sessions that were played, as virtual game masters read them, and how well they were played."""

import re
from collections.abc import Iterable, Sequence
from typing import Final

import msgspec

from actors.tabletop.catalog_items import Kind
from actors.tabletop.setup import Session
from actors.tabletop.sight import SIGHT, MoveSeen
from actors.tabletop.skills import FORMS
from evaluators.tabletop.calls.samples import CONTEXT, CallSample, Label, SpokenLine
from events.base import Event
from events.episode import EpisodeStarted

DM: Final = "DM"
"""Who speaks for the non-player character, as in transcripts, where the game master does."""
GRAM: Final = 8
"""Words in a row that make a turn a repetition where they were said before."""
OF_FORMAT: Final = frozenset(
    {"unreadable", "cut_off", "loop", "thoughts_only", "tool_call", "empty", "too_long"}
)
"""Why an answer failed by what it was; other failures are of servers and clocks."""
_WORD: Final = re.compile(r"\w+(?:['’]\w+)?")


class PlayedSession(msgspec.Struct, frozen=True, kw_only=True):
    """A session of one playing model, or of several that sat at one table."""

    episode: str
    task: str
    model: str
    """The name of the mind in all seats; ``a + b`` where there are several."""
    kind: Kind
    players: int
    ended: bool
    """Whether all turns were played."""
    sample: CallSample | None
    """Of a session of the kind intention that ended; else None."""
    answers: int
    """Moves, and what players say that they learned."""
    broken: int
    """Of them, those that no action could be made of, by their format."""
    turns: int
    """Moves that were words or deeds."""
    repeated: int
    """Of them, those with eight words in a row that were said before in the session."""
    intentions: int
    """Seats that have one."""
    named: int
    """Of them, those that say their skill's name."""


def played_session(
    history: Sequence[Event], *, episode: str, task: str, minds: Sequence[str]
) -> PlayedSession | None:
    """A session by its events; None where it never began, or is of another environment."""
    started = next((event for event in history if isinstance(event, EpisodeStarted)), None)
    if started is None or not isinstance(started.setup, Session):
        return None
    session, view = started.setup, SIGHT.view(history, "narrator")
    moves = [one for one in view.noticed if isinstance(one, MoveSeen)]
    turns = [one for one in moves if one.text or one.deed]
    labels = labels_of(session)
    ended = view.ended == "played"
    model = " + ".join(dict.fromkeys(minds))
    return PlayedSession(
        episode=episode,
        task=task,
        model=model,
        kind=session.kind,
        players=session.players,
        ended=ended,
        sample=sample_of(session, turns, f"{model}/{task}") if ended and labels else None,
        answers=len(view.noticed),
        broken=sum(one.failed in OF_FORMAT for one in view.noticed),
        turns=len(turns),
        repeated=repeated_turns([f"{one.text} {one.deed}" for one in turns]),
        intentions=len(labels),
        named=seats_that_name_it(session, turns),
    )


def labels_of(session: Session) -> tuple[Label, ...]:
    """Who of the players means to make which check; the non-player character none."""
    return tuple(
        sorted(
            Label(session.characters[seat].name, intention.skill)
            for seat, intention in enumerate(session.intentions)
            if intention is not None
        )
    )


def sample_of(session: Session, turns: Sequence[MoveSeen], name: str) -> CallSample:
    """The last 30 turns in which something was said or done, labelled with all intentions. Words
    and deeds are one text, as real players tell both."""
    npc = session.players
    return CallSample(
        session=name,
        turn=-1,
        lines=tuple(
            SpokenLine(
                DM if one.seat == npc else session.characters[one.seat].name,
                " ".join(filter(None, (one.text, one.deed))),
            )
            for one in turns[-CONTEXT:]
        ),
        cast=tuple(one.name for one in session.characters[:npc]),
        labels=labels_of(session),
    )


def repeated_turns(turns: Iterable[str]) -> int:
    """How many turns have an 8-gram of words, whatever their case, that an earlier turn has."""
    said: set[tuple[str, ...]] = set()
    count = 0
    for text in turns:
        words = _WORD.findall(text.casefold())
        grams = {tuple(words[n : n + GRAM]) for n in range(len(words) - GRAM + 1)}
        count += not said.isdisjoint(grams)
        said |= grams
    return count


def seats_that_name_it(session: Session, turns: Iterable[MoveSeen]) -> int:
    """How many players with an intention say the name of its skill in their words or deeds."""
    own: dict[int, str] = {}
    for one in turns:
        own[one.seat] = f"{own.get(one.seat, '')}\n{one.text}\n{one.deed}"
    return sum(
        intention is not None
        and re.search(rf"\b(?:{FORMS[intention.skill]})\b", own.get(seat, ""), re.IGNORECASE)
        is not None
        for seat, intention in enumerate(session.intentions)
    )
