"""The checkpoints that fixed rules can decide: repetition, parroting and, in part, idling and
questions.

Shallow on purpose. Where the words do not settle it a rule says nothing (``passed`` is None); it
never guesses.
"""

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from itertools import combinations
from typing import Final

from rapidfuzz import fuzz, utils

from actors.social.language import utterances as reading
from actors.social.views import Profile, SeenAction, View
from evaluators.social.believability import rubric, strict_rubric
from evaluators.social.believability.case import Case, Verdict
from evaluators.social.believability.rule_rubric import (
    IDLE,
    LEAST_STEMS,
    LEAST_WORDS,
    PARROTED,
    SAME,
    UNCLEAR,
)
from evaluators.social.conduct import ReadAction

CHANGING: Final = (
    "by the way",
    "anyway",
    "speaking of",
    "on another note",
    "on a different note",
    "changing the subject",
    "let's talk about",
    "let us talk about",
    "something else entirely",
)
"""How somebody begins who turns to another topic."""


def no_repetition(case: Case, seat: int, *, in_one_breath: bool = True) -> Verdict:
    """Whether a seat said a sentence again. Of sentiments a rule knows nothing.

    ``in_one_breath``: twice in one turn counts, too.
    """
    spoken = list(case.sentences(seat))
    if not spoken:
        return Verdict(passed=None, reason="It said nothing that could be a repetition.")
    long = [
        (sentence, reading.amounts_in(sentence.text), utils.default_process(sentence.text))
        for sentence in spoken
        if len(sentence.text.split()) >= LEAST_WORDS
    ]
    for (first, offered, one), (again, offered_again, other) in combinations(long, 2):
        if first.number == again.number and not in_one_breath:
            continue
        # Another offer in the same words is another offer.
        if offered == offered_again and fuzz.ratio(one, other, score_cutoff=SAME) > 0:
            return Verdict(
                passed=False,
                reason="It says a sentence a second time in nearly the same words.",
                evidence=(first.number, again.number),
                quotes=(first.text, again.text),
            )
    return Verdict(passed=True, reason=f"No sentence of {LEAST_WORDS} words or more comes twice.")


def no_parroting(case: Case, seat: int) -> Verdict:
    """Whether a seat spoke a sentence of its private goal nearly word for word."""
    goal = [
        stems
        for sentence in reading.sentences(case.goals[seat])
        if len(stems := reading.content_stems(sentence)) >= LEAST_STEMS
    ]
    spoken = list(case.sentences(seat))
    if not spoken:
        return Verdict(passed=None, reason="It said nothing that could recite its goal.")
    if not goal:
        why = f"No sentence of its goal has {LEAST_STEMS} words that would tell it from an offer."
        return Verdict(passed=None, reason=why)
    nearest, share = spoken[0], 0.0
    for sentence in spoken:
        stems = reading.content_stems(sentence.text)
        found = max(len(stems & wanted) / len(wanted) for wanted in goal)
        if found > share:
            nearest, share = sentence, found
    reason = f"Of no sentence of its goal did it speak more than {share:.0%} in one sentence."
    if share < UNCLEAR:
        return Verdict(passed=True, reason=reason)
    if share < PARROTED:
        reason = f"One sentence has {share:.0%} of the words of its goal: pursued or recited?"
        return Verdict(passed=None, reason=reason)
    return Verdict(
        passed=False,
        reason=f"One sentence has {share:.0%} of the words of a sentence of its private goal.",
        evidence=(nearest.number,),
        quotes=(nearest.text,),
    )


def questions_answered(case: Case, seat: int) -> Verdict:
    """Whether a seat passed over a direct question: in silence, or by turning to something else.

    An answer that is neither plainly one nor plainly none leaves the checkpoint open.
    """
    asked = [
        (line, answer)
        for line in _asked_of(case.view, seat)
        if (answer := _next_of(case.view, line, seat))
    ]
    if not asked:
        return Verdict(passed=True, reason="It was not asked anything that it could answer.")
    found = [(line, answer, _answered(case.view, line, answer)) for line, answer in asked]
    for line, answer, answered in found:
        if answered is False:
            how = "turns to something else" if answer.text else "says nothing"
            return Verdict(
                passed=False,
                reason=f"Asked directly, it {how}.",
                evidence=(line.number, answer.number),
                quotes=(_question(line), *([answer.text] if answer.text else [])),
            )
    unclear = sum(answered is None for _, _, answered in found)
    if unclear:
        reason = f"What followed {unclear} of {len(found)} questions may be an answer or not."
        return Verdict(passed=None, reason=reason)
    return Verdict(passed=True, reason=f"Each of {len(found)} questions put to it got an answer.")


def no_idling(case: Case, seat: int) -> Verdict:
    """Whether a seat did nothing for several of its turns while nothing was settled yet. Where
    somebody has agreed, refused or taken leave before, a rule cannot tell what is still open."""
    idle: list[int] = []
    longest = 0
    settled = False
    for line in case.said:
        settled = settled or _settles(line)
        if line.seat != seat:
            continue
        idle = [*idle, line.number] if line.kind == "none" else []
        longest = max(longest, len(idle))
        if len(idle) >= IDLE and not settled:
            return Verdict(
                passed=False,
                reason=f"It does nothing for {IDLE} turns, and nothing was settled yet.",
                evidence=tuple(idle),
            )
    if longest > 1:
        reason = f"It does nothing for {longest} turns: was its goal still open?"
        return Verdict(passed=None, reason=reason)
    return Verdict(passed=True, reason="It never does nothing for two turns in a row.")


Rule = Callable[[Case, int], Verdict]

STRICT: Final[Mapping[str, Rule]] = {
    strict_rubric.NO_REPETITION: no_repetition,
    strict_rubric.NO_PARROTING: no_parroting,
    strict_rubric.QUESTIONS_ANSWERED: questions_answered,
}
"""The checkpoints of the strict rubric there is a rule for."""

PAPER: Final[Mapping[str, Rule]] = {
    rubric.NO_REPETITION: partial(no_repetition, in_one_breath=False),
    rubric.NO_PARROTING: no_parroting,
    rubric.NO_IDLING: no_idling,
    rubric.RESPONDS: questions_answered,
}
"""Those of the paper's."""


def changes_topic(text: str) -> bool:
    """Whether an utterance begins like one that turns to another topic."""
    words = text.lower().replace("’", "'").lstrip(' "“…-')
    return words.startswith(CHANGING)


def _settles(line: ReadAction) -> bool:
    does = line.reading
    return line.kind == "leave" or does.agreement or does.refusal or does.goodbye


def _asked_of(view: View, seat: int) -> Iterator[SeenAction]:
    """Lines that put a question to a seat and to nobody else: whispered to it, calling it by its
    name, or because there is nobody else."""
    names = _names(view.profiles[seat])
    for line in view.lines:
        if line.kind != "speak" or line.seat == seat or not reading.read(line.text).question:
            continue
        alone = len(view.profiles) == 2 or line.to == (seat,)
        if alone or (not line.to and names & reading.read(_question(line)).words):
            yield line


def _names(profile: Profile) -> frozenset[str]:
    return reading.read((profile.name or profile.label).partition(" ")[0]).words


def _next_of(view: View, asked: SeenAction, seat: int) -> SeenAction | None:
    """What the seat did next; None where the episode ended before."""
    later = (x for x in view.lines if x.seat == seat and x.turn > asked.turn)
    return next((x for x in later if not x.failure), None)


def _question(line: SeenAction) -> str:
    """The last question of a line."""
    asking = [part for part in reading.sentences(line.text) if _asks(part)]
    return asking[-1].strip() if asking else line.text


def _asks(text: str) -> bool:
    return text.rstrip(' "”').endswith("?")


def _answered(view: View, asked: SeenAction, answer: SeenAction) -> bool | None:
    """None: cannot tell."""
    if answer.kind in ("non_verbal", "physical"):
        return None  # A nod may be an answer.
    if not answer.text:
        # What follows a question in one breath may make an answer needless, and a late answer
        # is one.
        acts_later = any(
            line.seat == answer.seat and line.number > answer.number and line.kind != "none"
            for line in view.lines
        )
        return None if acts_later or not _asks(asked.text) else False
    question, does = _question(asked), reading.read(answer.text)
    if does.agreement or does.refusal or does.promise or does.words & _PLAIN:
        return True
    stems = reading.content_stems(answer.text)
    if reading.content_stems(question) & stems:
        return True
    if does.amounts and reading.read(question).words & _HOW_MUCH:
        return True
    if changes_topic(answer.text):
        return False
    only_asks = all(_asks(part) for part in reading.sentences(answer.text) if part.strip())
    own_question = only_asks and len(stems) >= LEAST_STEMS and not does.words & _REFERRING
    return False if own_question else None


_PLAIN = reading.read("yes yeah yep no nope sure certainly absolutely maybe perhaps because").words
_HOW_MUCH = reading.read("much many long far old often price cost when").words
_REFERRING = reading.read(
    "he she it it's they him her them that that's this these those there"
).words
"""Words that may take up what was asked about."""
