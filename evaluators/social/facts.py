"""The rule judge of facts: who used what earlier episodes of a chain had taught them.

A fact of ``Scenario.needs`` counts as used by a seat that needs it when the seat itself says all of
its keys (``actors.social.catalog.needed_facts``), in one utterance or in two of its own in a row,
parting words included, before anybody else there has said them to it: who repeats what was just
said remembers nothing. What is shown or done says nothing.
"""

from collections.abc import Sequence

from actors.social.catalog.needed_facts import needed_by, says
from actors.social.catalog_items import NeededFact
from actors.social.sight import view
from actors.social.views import SeenAction
from evaluators.judges.judged_episode import History, JudgedEpisode
from evaluators.social.facts_rubric import FACTS_USED
from events.base import Event, Value
from events.episode import EpisodeStarted
from events.evaluation import JudgeSpec, ScoreAbstained, Scored

_SPOKEN = ("speak", "leave")


class FactUse(Value, frozen=True, kw_only=True):
    """What became of one fact that one seat needed."""

    seat: int
    fact: NeededFact
    used: bool
    evidence: tuple[int, ...] = ()
    """Event numbers of the utterances in which it was said, by the seat or to it."""
    quotes: tuple[str, ...] = ()
    """Those utterances, where the seat itself said it."""
    told_by: int | None = None
    """The seat that said it first, where that was another."""


def score(
    spec: JudgeSpec, episode: JudgedEpisode, _past: Sequence[History]
) -> list[Scored | ScoreAbstained]:
    """``evaluators.plugin.Scorer``: the share of its facts that every seat used. Looks at nothing
    earlier: what a fact is, the scenario says."""
    return judge(episode.events, spec)


def judge(history: Sequence[Event], spec: JudgeSpec) -> list[Scored | ScoreAbstained]:
    """A score, or an abstention, for every seat and dimension."""
    started = _started(history)
    found = uses(history)
    return [
        _score(seat, dimension.name, [use for use in found if use.seat == seat])
        for seat in range(len(started.minds))
        for dimension in spec.dimensions
    ]


def uses(history: Sequence[Event]) -> list[FactUse]:
    """What became of every fact that a seat of an episode needed, seat by seat; empty where the
    scenario needs none."""
    started = _started(history)
    found = []
    for seat in range(len(started.minds)):
        needed = needed_by(started.setup.scenario, seat)
        if needed:
            noticed = view(history, seat).lines
            spoken = [line for line in noticed if line.kind in _SPOKEN and line.text]
            found += [_use(seat, fact, spoken) for fact in needed]
    return found


def _use(seat: int, fact: NeededFact, spoken: Sequence[SeenAction]) -> FactUse:
    last: dict[int, SeenAction] = {}
    for line in spoken:
        before = last.get(line.seat)
        last[line.seat] = line
        if says(line.text, fact.keys):
            parts = [line]
        elif before is not None and says(f"{before.text}\n{line.text}", fact.keys):
            parts = [before, line]
        else:
            continue
        evidence = tuple(part.number for part in parts)
        if line.seat != seat:
            return FactUse(seat=seat, fact=fact, used=False, evidence=evidence, told_by=line.seat)
        quotes = tuple(part.text for part in parts)
        return FactUse(seat=seat, fact=fact, used=True, evidence=evidence, quotes=quotes)
    return FactUse(seat=seat, fact=fact, used=False)


def _score(seat: int, dimension: str, found: Sequence[FactUse]) -> Scored | ScoreAbstained:
    if dimension != FACTS_USED.name:
        why = "the judge of facts knows no other dimension than facts_used"
        return ScoreAbstained(seat=seat, dimension=dimension, reason=why)
    if not found:
        why = "none needed: this character's goal rests on nothing of earlier episodes"
        return ScoreAbstained(seat=seat, dimension=dimension, reason=why)
    used = [use for use in found if use.used]
    return Scored(
        seat=seat,
        dimension=dimension,
        value=len(used) / len(found),
        reason=" ".join(_in_words(use) for use in found),
        evidence=tuple(sorted({number for use in used for number in use.evidence})),
        quotes=tuple(dict.fromkeys(quote for use in used for quote in use.quotes)),
    )


def _in_words(use: FactUse) -> str:
    if use.used:
        return f"Used {use.fact.id}."
    if use.told_by is not None:
        return f"Did not use {use.fact.id}: seat {use.told_by + 1} said it first."
    return f"Did not use {use.fact.id}."


def _started(history: Sequence[Event]) -> EpisodeStarted:
    for event in history:
        if isinstance(event, EpisodeStarted):
            return event
    raise ValueError("the history does not begin with EpisodeStarted, so nothing can be judged")
