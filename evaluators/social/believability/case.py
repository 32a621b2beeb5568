"""One episode as the rules and the rehearsal read it."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import msgspec

from actors.social import markup
from actors.social.language import utterances as reading
from actors.social.views import View
from evaluators.judges.judged_episode import JudgedEpisode
from evaluators.social import conduct
from evaluators.social.conduct import ReadAction
from events.evaluation import ScoreAbstained, Scored


class Sentence(NamedTuple):
    """One sentence that a seat spoke."""

    number: int
    """The event."""
    text: str


class Case(msgspec.Struct, frozen=True):
    """An episode with what is read off it."""

    view: View
    """The judge's."""
    goals: Sequence[str]
    """Each seat's goal itself: hints and what else it was told with it are facts to be used."""
    said: Sequence[ReadAction]
    """Every action, with what its words do."""
    past: Sequence[View] = ()
    """Earlier episodes of the chain."""

    def sentences(self, seat: int) -> Iterator[Sentence]:
        """What a seat said, sentence by sentence."""
        for line in self.said:
            if line.seat == seat and line.kind in ("speak", "leave"):
                for text in reading.sentences(line.text):
                    if text.strip():
                        yield Sentence(line.number, text.strip())


class Verdict(msgspec.Struct, frozen=True, kw_only=True):
    """What is found of one seat at one checkpoint."""

    passed: bool | None
    """None: it cannot be told."""
    reason: str
    evidence: tuple[int, ...] = ()
    """Event numbers."""
    quotes: tuple[str, ...] = ()
    """The words it rests on, where it failed."""

    def score(self, seat: int, dimension: str) -> Scored | ScoreAbstained:
        """1 for passed, 0 for failed; what cannot be told is no score."""
        if self.passed is None:
            return ScoreAbstained(seat=seat, dimension=dimension, reason=self.reason)
        return Scored(
            seat=seat,
            dimension=dimension,
            value=1.0 if self.passed else 0.0,
            reason=self.reason,
            evidence=tuple(dict.fromkeys(self.evidence)),
            quotes=self.quotes,
        )


def case_of(episode: JudgedEpisode, past: Sequence[View] = ()) -> Case:
    goals = episode.started.setup.scenario.goals
    plain = [markup.render(goal, "public") for goal in goals]
    return Case(view=episode.view, goals=plain, said=conduct.lines(episode.view), past=past)
