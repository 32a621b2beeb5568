"""A case that was played, as judges read it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from actors.sandbox.setup import Case, Recap, Say
from events.base import Event
from events.episode import ActionTaken, EpisodeEnded, EpisodeStarted

PERFORMER, TARGET = 0, 1


class Line(NamedTuple):
    """Something said."""

    number: int
    """The event."""
    seat: int
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseTalk:
    """The talk and what the target told of it."""

    case: Case
    lines: tuple[Line, ...]
    """What was said, silence left out."""
    summary: Line | None
    """None: the target told nothing."""
    failed: tuple[str, ...] = ()
    """Who gave no answer that could be used, once for each time."""
    ended: bool = False

    @property
    def too_short(self) -> bool:
        """Whether it is over and no talk: at most one utterance. Then nothing in it was reached
        (STSS, section 3.2)."""
        return self.ended and len(self.lines) <= 1

    @property
    def names(self) -> tuple[str, str]:
        """The performer's and the target's."""
        return self.case.performer.inhabitant.id, self.case.target.inhabitant.id


def talk_of(history: Iterable[Event]) -> CaseTalk | None:
    """The talk of an episode; None: the episode is no case."""
    case: Case | None = None
    lines: list[Line] = []
    summary: Line | None = None
    failed: list[str] = []
    ended = False
    for number, event in enumerate(history):
        match event:
            case EpisodeStarted(setup=Case() as found):
                case = found
            case EpisodeStarted():
                return None
            case ActionTaken(seat=seat, failure=failure) if failure is not None and case:
                failed.append(_name(case, seat))
            case ActionTaken(seat=seat, action=Say(text=text)) if text.strip():
                lines.append(Line(number, seat, text.strip()))
            case ActionTaken(seat=seat, action=Recap(text=text)) if text.strip():
                summary = Line(number, seat, text.strip())
            case EpisodeEnded():
                ended = True
    if case is None:
        return None
    return CaseTalk(
        case=case, lines=tuple(lines), summary=summary, failed=tuple(failed), ended=ended
    )


def _name(case: Case, seat: int) -> str:
    partners: Sequence[str] = (case.performer.inhabitant.id, case.target.inhabitant.id)
    return partners[seat]
