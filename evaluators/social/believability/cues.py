"""What the rehearsal judges derive from cues where no proper rule exists.

A missing cue counts as a pass. None of this is a finding about any mind.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final

from actors.social.language import utterances as reading
from evaluators.social.believability import rubric, strict_rubric
from evaluators.social.believability.case import Case, Sentence, Verdict
from evaluators.social.believability.rules import changes_topic
from evaluators.social.conduct import ReadAction

GRACE = 2
"""Actions that a seat has, after all is settled, to bring the meeting to an end."""
CONFUSED = 4
"""So many content words of a goal that is not its own, or of an earlier one that are none of
today's, in one sentence."""
RECENT = 3
"""An utterance leads on from one of so many before it."""
REMEMBERING = reading.read("again ago before earlier last once remember still then used").words
"""Words by which somebody speaks of the past as the past."""


def in_character(case: Case, seat: int) -> Verdict:
    """Somebody agreeable does not insult."""
    agreeable = "agreeableness high" in (case.view.profiles[seat].big_five or "")
    for line in _own(case, seat):
        if agreeable and line.reading.insult:
            return _failed("It is said to be agreeable, and insults somebody.", line)
    return _passed("No insult from somebody agreeable.")


def no_stalling(case: Case, seat: int) -> Verdict:
    """Who goes on and on after all is settled stalls."""
    settled = _settled(case.said)
    if settled is None:
        return _passed("Nothing was settled, so nobody could linger after it.")
    after = [
        line
        for line in _own(case, seat)
        if line.number > settled
        and line.kind != "leave"
        and not (line.reading.goodbye or line.reading.thanks)
    ]
    if len(after) > GRACE:
        return _failed("All was settled, and it goes on talking.", after[GRACE])
    return _passed("It does not go on once all is settled.")


def no_abrupt_change(case: Case, seat: int) -> Verdict:
    """Words that turn to another topic, and nothing in common with what was said just before."""
    before = [case.view.context]
    for line in case.said:
        turns = line.seat == seat and changes_topic(line.text)
        if turns and not _stems(before[-RECENT:]) & reading.content_stems(line.text):
            return _failed("It turns to a topic that nobody had touched.", line)
        before.append(line.text)
    return _passed("No word that turns to another topic out of nowhere.")


def no_context_confusion(case: Case, seat: int) -> Verdict:
    """Words of an earlier goal that are none of today's, and not as a memory."""
    return _of_today(case, seat, case.sentences(seat))


def begins_in_scene(case: Case, seat: int) -> Verdict:
    """The same of what it says first, and no words there that turn to another topic."""
    first = next((line for line in _own(case, seat) if line.text), None)
    if first is None:
        return _passed("It said nothing by which it could begin abruptly.")
    if changes_topic(first.text):
        return _failed("It begins with words that turn to another topic.", first)
    beginning = (s for s in case.sentences(seat) if s.number == first.number)
    return _of_today(case, seat, beginning)


def own_goals(case: Case, seat: int) -> Verdict:
    """Words of another's goal that are none of its own, before anybody has brought them up."""
    profiles = case.view.profiles
    others = [reading.content_stems(case.goals[p.seat]) for p in profiles if p.seat != seat]
    own = _stems([case.view.context, case.goals[seat]])
    for sentence in case.sentences(seat):
        said = _stems(line.text for line in case.said if line.number < sentence.number)
        words = reading.content_stems(sentence.text) - own - said
        if any(len(words & goal) >= CONFUSED for goal in others):
            return Verdict(
                passed=False,
                reason="It speaks in the words of another's goal, which it cannot have heard of.",
                evidence=(sentence.number,),
                quotes=(sentence.text,),
            )
    return _passed("It says nothing in the words of another's goal.")


def itself(case: Case, seat: int) -> Verdict:
    """As ``in_character``; and nobody says that it is another of those who are there."""
    names = [
        p.name.partition(" ")[0].lower() for p in case.view.profiles if p.seat != seat and p.name
    ]
    for line in _own(case, seat):
        said = " ".join(line.text.lower().replace("’", "'").split())
        if any(
            re.search(rf"\b(?:i am|i'm|my name is) {re.escape(name)}\b", said) for name in names
        ):
            return _failed("It says that it is another of the characters.", line)
    return in_character(case, seat)


def no_contradiction(case: Case, seat: int) -> Verdict:
    """Who agrees and then refuses, with nothing new on the table, contradicts itself."""
    agreed: ReadAction | None = None
    for line in case.said:
        does = line.reading
        if line.seat != seat:
            if does.offer or does.amounts:
                agreed = None
        elif agreed is not None and does.refusal:
            return Verdict(
                passed=False,
                reason="It agreed, and then refuses, though nothing new was offered.",
                evidence=(agreed.number, line.number),
                quotes=(agreed.text, line.text),
            )
        elif does.agreement:
            agreed = line
    return _passed("It takes back nothing it agreed to.")


Cue = Callable[[Case, int], Verdict]

STRICT: Final[Mapping[str, Cue]] = {
    strict_rubric.IN_CHARACTER: in_character,
    strict_rubric.NO_STALLING: no_stalling,
    strict_rubric.NO_ABRUPT_CHANGE: no_abrupt_change,
    strict_rubric.NO_CONTEXT_CONFUSION: no_context_confusion,
    strict_rubric.NO_CONTRADICTION: no_contradiction,
}
"""The checkpoints of the strict rubric that there is no rule for."""

PAPER: Final[Mapping[str, Cue]] = {
    rubric.IN_CHARACTER: itself,
    rubric.OWN_GOALS: own_goals,
    rubric.LEAVES_PROMPTLY: no_stalling,
    rubric.BEGINS_IN_SCENE: begins_in_scene,
}
"""Those of the paper's."""


def _of_today(case: Case, seat: int, sentences: Iterable[Sentence]) -> Verdict:
    """No words of an earlier goal that are none of today's, unless as a memory."""
    earlier = [reading.content_stems(view.profiles[seat].goal or "") for view in case.past]
    for sentence in sentences:
        known = _known(case, sentence.number)
        words = reading.content_stems(sentence.text) - known
        if reading.read(sentence.text).words & REMEMBERING:
            continue
        if any(len(words & goal) >= CONFUSED for goal in earlier):
            return Verdict(
                passed=False,
                reason="It speaks of what it wanted in an earlier episode as if it were now.",
                evidence=(sentence.number,),
                quotes=(sentence.text,),
            )
    return _passed("It says nothing in the words of an earlier goal.")


def _own(case: Case, seat: int) -> Iterable[ReadAction]:
    return (line for line in case.said if line.seat == seat and line.kind != "none")


def _settled(said: Sequence[ReadAction]) -> int | None:
    """Where all was agreed on: nobody refuses or offers after it."""
    settled: int | None = None
    for line in said:
        does = line.reading
        if does.refusal or (does.offer and not does.agreement):
            settled = None
        elif does.agreement and settled is None:
            settled = line.number
    return settled


def _known(case: Case, before: int) -> frozenset[str]:
    """What today's episode has brought up so far."""
    view = case.view
    goals = (profile.goal or "" for profile in view.profiles)
    stories = (relationship.story for relationship in view.relationships)
    said = (line.text for line in case.said if line.number < before)
    return _stems([view.context, *goals, *stories, *said])


def _stems(texts: Iterable[str]) -> frozenset[str]:
    return frozenset[str]().union(*map(reading.content_stems, texts))


def _passed(reason: str) -> Verdict:
    return Verdict(passed=True, reason=reason)


def _failed(reason: str, line: ReadAction) -> Verdict:
    return Verdict(passed=False, reason=reason, evidence=(line.number,), quotes=(line.text,))
