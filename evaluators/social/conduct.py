"""Measures how each seat behaved in an episode, from the wording; the rehearsal judge scores by it.

Shallow on purpose: cues and counts, no language model. It makes no claim about anything else.
"""

from collections.abc import Sequence

import msgspec

from actors.social.language import utterances as reading
from actors.social.language.utterances import Reading
from actors.social.narration import NARRATED
from actors.social.views import Profile, SeenAction, View

ALIKE = 0.8
"""Two utterances that share this much of their content words are a repetition."""
LEAST_WORDS = 4
"""Shorter utterances ("Yes, of course.") may be said twice without repeating oneself."""

_MONEY = frozenset(
    reading.read(
        "dollar dollars euro euros pound pounds cent cents price pay paid paying cost costs cheap "
        "money rent salary wage wages fee fees loan debt sell selling sold buy buying bought "
        "budget discount profit share shares invest refund deposit bonus raise job contract"
    ).words
)


class ReadAction(msgspec.Struct, frozen=True):
    """An action with what its words do."""

    number: int
    seat: int
    kind: str
    text: str
    reading: Reading


class Settlement(msgspec.Struct, frozen=True, kw_only=True):
    """The last agreement of an episode."""

    number: int
    """The event in which it was agreed to."""
    amount: float | None
    """The number agreed on, if the words name one."""
    offer: int | None
    """The event in which it was offered, if that was another."""


class Conduct(msgspec.Struct, kw_only=True):
    """One seat's behaviour; lists hold event numbers."""

    seat: int
    acted: list[int] = []
    idle: int = 0
    """Turns in which it did nothing."""
    questions: list[int] = []
    learnt: list[int] = []
    """What others said right after its questions that held something new to it."""
    offers: list[int] = []
    agreements: list[int] = []
    refusals: list[int] = []
    concessions: list[int] = []
    """Where it says that it gives way, or names a number nearer to the other side's last."""
    kindnesses: list[int] = []
    """Thanks, apologies and promises."""
    insults: list[int] = []
    repeats: list[int] = []
    left: int | None = None
    """Where it went."""
    walked_out: bool = False
    """It went without a word of parting."""
    leaked: int | None = None
    """Where its secret came out."""
    hints: list[int] = []
    """Where words of its secret were heard, though not enough to tell it."""
    kinds: set[str] = set()


def lines(view: View) -> list[ReadAction]:
    """The actions of an episode with what their words do; those that failed are none, and nor is
    what a narrator tells."""
    return [
        ReadAction(a.number, a.seat, a.kind, a.text, _read(a))
        for a in view.lines
        if not a.failure and a.kind != NARRATED
    ]


def conducts(view: View, said: Sequence[ReadAction]) -> list[Conduct]:
    """How each seat behaved, in seat order."""
    return [_conduct(view, profile, said) for profile in view.profiles]


def settlement(said: Sequence[ReadAction]) -> Settlement | None:
    """The last agreement, with the amount it names or that the words agreed to name."""
    for place in range(len(said) - 1, -1, -1):
        line = said[place]
        if not line.reading.agreement:
            continue
        if line.reading.amounts:
            return Settlement(number=line.number, amount=line.reading.amounts[-1], offer=None)
        for earlier in reversed(said[max(0, place - 3) : place]):
            if earlier.seat != line.seat and (earlier.reading.amounts or earlier.reading.offer):
                amounts = earlier.reading.amounts
                return Settlement(
                    number=line.number,
                    amount=amounts[-1] if amounts else None,
                    offer=earlier.number,
                )
        return Settlement(number=line.number, amount=None, offer=None)
    return None


def target(profile: Profile) -> float | None:
    """The first number in a private goal: what the character is after."""
    amounts = reading.amounts_in(profile.goal or "")
    return amounts[0] if amounts else None


def about_money(view: View) -> bool:
    """Whether the situation or a goal speaks of money or work."""
    texts = [view.context, *(profile.goal or "" for profile in view.profiles)]
    words = frozenset().union(*(reading.read(text).words for text in texts))
    return bool(words & _MONEY) or any(sign in text for text in texts for sign in "$€£")


def share_of_gap(view: View, seat: int, agreed: Settlement | None) -> float | None:
    """How much of the distance between the goals' numbers a seat won: 1 all, 0 none of it.

    None where nothing was agreed in numbers or the goals name none that differ.
    """
    if agreed is None or agreed.amount is None:
        return None
    own = target(view.profiles[seat])
    others = [t for p in view.profiles if p.seat != seat and (t := target(p)) is not None]
    if own is None or not others:
        return None
    other = sum(others) / len(others)
    if own == other:
        return None
    return min(1.0, max(0.0, (agreed.amount - other) / (own - other)))


def _read(action: SeenAction) -> Reading:
    return reading.read(action.text)


def _conduct(view: View, profile: Profile, said: Sequence[ReadAction]) -> Conduct:
    own = [line for line in said if line.seat == profile.seat]
    found = Conduct(seat=profile.seat)
    for line in own:
        if line.kind == "none":
            found.idle += 1
            continue
        found.kinds.add(line.kind)
        found.acted.append(line.number)
        _note(found, line)
    found.concessions = sorted({*found.concessions, *_steps(profile.seat, said)})
    found.walked_out = found.left is not None and not any(
        line.reading.goodbye or (line.kind == "leave" and line.text) for line in own
    )
    found.repeats = _repeats(own)
    found.learnt = _learnt(view, profile, said)
    _note_secret(view, profile, own, found)
    return found


def _note(found: Conduct, line: ReadAction) -> None:
    does = line.reading
    for holds, numbers in (
        (does.question, found.questions),
        (does.offer, found.offers),
        (does.agreement, found.agreements),
        (does.refusal, found.refusals),
        (does.concession, found.concessions),
        (does.thanks or does.apology or does.promise, found.kindnesses),
        (does.insult, found.insults),
    ):
        if holds:
            numbers.append(line.number)
    if line.kind == "leave":
        found.left = line.number


def _steps(seat: int, said: Sequence[ReadAction]) -> list[int]:
    """Where a seat's number came nearer to the last one of somebody else."""
    steps: list[int] = []
    own: float | None = None
    other: float | None = None
    for line in said:
        if not line.reading.amounts:
            continue
        amount = line.reading.amounts[-1]
        if line.seat != seat:
            other = amount
            continue
        if own is not None and other is not None and abs(amount - other) < abs(own - other):
            steps.append(line.number)
        own = amount
    return steps


def _repeats(own: Sequence[ReadAction]) -> list[int]:
    repeated, before = [], list[frozenset[str]]()
    for line in own:
        stems = reading.content_stems(line.text)
        if len(stems) < LEAST_WORDS:
            continue
        if any(len(stems & old) >= ALIKE * len(stems | old) for old in before):
            repeated.append(line.number)
        before.append(stems)
    return repeated


def _learnt(view: View, profile: Profile, said: Sequence[ReadAction]) -> list[int]:
    known = set(reading.content_stems(" ".join(_known(view, profile))))
    learnt, asking = [], False
    for line in said:
        stems = reading.content_stems(line.text)
        if line.seat == profile.seat:
            asking = line.reading.question
        elif asking and len(stems - known) >= 3:
            learnt.append(line.number)
            asking = False
        known |= stems
    return learnt


def _known(view: View, profile: Profile) -> list[str]:
    """What the character knew before the first turn, roughly: the others' secrets and goals not."""
    texts = [view.context, profile.goal or "", profile.secret or "", profile.public_info or ""]
    texts += [
        relationship.story
        for relationship in view.relationships
        if profile.seat in relationship.seats
    ]
    return [*texts, *view.labels]


def _note_secret(view: View, profile: Profile, own: Sequence[ReadAction], found: Conduct) -> None:
    secret = profile.secret or ""
    public = " ".join(
        [
            view.context,
            *view.labels,
            *(p.occupation or "" for p in view.profiles),
            profile.public_info or "",
            *(relationship.story for relationship in view.relationships),
        ]
    )
    for line in own:
        if reading.leaks(line.text, secret, public):
            found.leaked = line.number if found.leaked is None else found.leaked
        elif line.reading.confides and reading.leak(line.text, secret, public) > 0:
            found.hints.append(line.number)
