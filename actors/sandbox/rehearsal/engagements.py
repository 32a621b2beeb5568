"""Planned events that a character has heard of, whether it means to attend, and what it does when
the time has come."""

import re
from typing import Final

from actors.sandbox.rehearsal.chance import Lots
from actors.sandbox.rehearsal.daily_life.pastimes import PastimeDeed, event_deeds
from actors.sandbox.rehearsal.language.aims import AimKind, AimStep, PerformerAim
from actors.sandbox.rehearsal.language.grammar import doing, the, without_article
from actors.sandbox.rehearsal.language.interpretation import Proposal
from actors.sandbox.rehearsal.language.times import DAY, When, clock, said_day
from actors.sandbox.rehearsal.places.known_places import words_of

_HOURS: Final = (1050, 1080, 1065, 690, 1095)
"""Minutes after midnight at which who may choose asks others to come."""
_MEETING_HOURS: Final = (660, 870, 900, 690, 960)
_FAVOURS: Final = (570, 615, 660, 780, 840)
"""At which one sees to a favour."""
_LIKELY: Final = (720, 840, 960, 1080, 1140)
"""At which one takes things to be of which one was not told the hour."""
_LONGEST: Final = 90
"""Characters of what one keeps of anything that was said."""
_PLAIN: Final = frozenset(
    [
        "a",
        "an",
        "the",
        "of",
        "on",
        "for",
        "to",
        "in",
        "at",
        "and",
        "with",
        "my",
        "our",
        "public",
        "some",
    ]
)
_PRONOUN: Final = re.compile(r"\b(?:it|them)\b")


class Engagement:
    """One of them. Its fields are filled as they are told."""

    __slots__ = (
        "accepted", "busy_until", "coming", "guess", "host", "host_name", "kind", "made", "number",
        "online", "own", "refused", "steps", "steps_done", "told", "what", "what_for", "when",
        "where", "why",
    )  # fmt: skip

    def __init__(self, kind: AimKind, what: str, host: int, host_name: str) -> None:
        self.kind, self.what = kind, what
        self.host, self.host_name = host, host_name
        self.number = 0
        self.when = When()
        self.where = ""
        """In words; empty: not known."""
        self.online = False
        self.own = False
        self.what_for = ""
        """Whom a meeting is with, by name: for its host alone."""
        self.accepted = False
        self.refused = False
        self.steps: tuple[AimStep, ...] = ()
        self.steps_done = 0
        self.busy_until = 0
        """The moment at which the last step begun is done."""
        self.why = ""
        self.made = 0
        self.told: set[int] = set()
        """Who knows of it, as far as one knows."""
        self.coming: set[int] = set()
        """Who said yes."""
        self.guess: int | None = None
        """What one takes for the hour where none was said: minutes after midnight."""

    def settle(self, when: When, where: str, anew: bool = False) -> None:
        """To learn more of when and where it is; ``anew``: a time that was known is another."""
        day = self.when.day if self.when.day is not None else when.day
        minute = self.when.minute
        if when.minute is not None and (minute is None or anew):
            minute = when.minute
        self.when = When(day, minute)
        if not self.where and not self.own:
            self.where = _short(where)

    def same(self, proposal: Proposal) -> bool:
        """Whether a proposal is about this."""
        if proposal.kind != self.kind:
            return False
        if self.kind == "help":
            return bool(self.steps) and _alike(self.steps[0].act, proposal.what)
        return _alike(self.what, proposal.what)

    @property
    def shared(self) -> bool:
        """Whether one who means to come may bring others."""
        return self.accepted and not self.own and self.kind in ("gathering", "company")

    # ------------------------------------------------------------ in words

    @property
    def name(self) -> str:
        """``the wine party``; ``having coffee``-like things: ``plans to have coffee``."""
        if self.kind == "gathering":
            return the(self.what)
        if self.kind == "help":
            return f"a favour: {self.steps[0].act}" if self.steps else "a favour"
        return f"a meeting {self.what}" if self.kind == "meeting" else f"company {self.what}"

    def in_words(self, today: int) -> str:
        """All that one knows of it."""
        parts = [self.name]
        if self.where:
            parts.append(f"at {self.where}")
        if self.when.day is not None:
            parts.append(said_day(self.when.day, today).rstrip(","))
        if self.when.minute is not None:
            parts.append(f"at {clock(self.when.minute)}")
        if not self.own and self.host_name:
            parts.append(f"with {self.host_name}")
        return " ".join(parts)

    def deed(self, part: int) -> PastimeDeed:
        """What one does there; ``part``: 0 first, then 1, 2, …"""
        where = f" at {self.where}" if self.where and not self.online else ""
        if self.kind == "gathering":
            what = without_article(self.what)
            if self.own:
                texts = (
                    f"hosting the {what}",
                    f"welcoming guests at the {what}",
                    f"looking after everybody at the {what}",
                )
                return PastimeDeed(texts[part % 3], "🎉")
            deeds = (PastimeDeed(f"attending the {what}", "🎟️"), *event_deeds(what))
            return deeds[part % len(deeds)]
        if self.kind == "meeting":
            partner = self.what_for if self.own else self.host_name
            verbs = ("meeting", "sitting together with", "going on with")
            return PastimeDeed(f"{verbs[part % 3]} {partner} {self.what}", "🤝")
        if self.own:
            verbs = ("meeting others", "being together with others", "going on with others")
            return PastimeDeed(f"{verbs[part % 3]} {self.what}{where}", "👥")
        verbs = ("joining", "being together with", "staying with")
        return PastimeDeed(f"{verbs[part % 3]} {self.host_name} {self.what}{where}", "🙌")

    def errand(self, step: int) -> PastimeDeed:
        """What one does for somebody who asked for help."""
        act = self.steps[step].act
        if step == 0:
            because = f", who {_third(self.why)}" if self.why else ""
            return PastimeDeed(f"{doing(act)} for {self.host_name}{because}"[:280], "🛍️")
        thing = the(re.sub(r"^\S+ (?:up |out |in )?", "", self.steps[0].act))
        act = _PRONOUN.sub(thing, act)
        act = re.sub(r"\s+to (?:me|us|him|her|them)$", "", act)
        return PastimeDeed(f"{doing(act)} to {self.host_name}"[:280], "📦")

    def began(self, text: str, until: int) -> None:
        """Somebody begins to do ``text``, until a moment: it may be a step of it."""
        if self.steps_done < len(self.steps) and text == self.errand(self.steps_done).text:
            self.steps_done += 1
            self.busy_until = until


def engagement_of(proposal: Proposal, host: int, host_name: str, moment: int) -> Engagement:
    """What a proposal is to who hears it."""
    one = Engagement(proposal.kind, _short(proposal.what), host, _short(host_name))
    one.settle(proposal.when, _short(proposal.where))
    one.steps = tuple(AimStep(_short(act), _short(place)) for act, place in proposal.steps[:4])
    one.why, one.made = _short(proposal.why), moment
    one.online = bool(re.search(r"\bonline\b|stream", proposal.what, re.IGNORECASE))
    return one


def own_engagement(
    aim: PerformerAim, seat: int, names: tuple[str, ...], organized: bool, lots: Lots
) -> Engagement:
    """What one's own aim is to oneself. Who is organized sets the hour where it is left open."""
    one = Engagement(aim.kind, aim.what, seat, names[seat])
    one.own = one.accepted = True
    one.online, one.where, one.what_for = aim.online, aim.place, aim.target
    minute = aim.minute
    if (
        minute is None
        and aim.kind in ("company", "meeting")
        and (organized or lots.hit(0.75, "idea"))
    ):
        minute = lots.one(_HOURS if aim.kind == "company" else _MEETING_HOURS, "hour")
    one.when = When(aim.day, minute)
    one.steps, one.why = aim.steps, aim.why
    return one


def moment_of(one: Engagement, lots: Lots) -> int | None:
    """The moment at which one takes it to be; None: one has no idea. Who was told the day but not
    the hour goes at one that seems likely."""
    if one.kind == "help" and one.when.day is None:
        # Who is asked for a favour without a day does it the next one.
        return (one.made // DAY + 1) * DAY + lots.one(_FAVOURS, "hour", one.number)
    if one.when.day is None:
        return None
    if one.when.minute is not None:
        return one.when.day * DAY + one.when.minute
    if one.kind == "help":
        return one.when.day * DAY + lots.one(_FAVOURS, "hour", one.number)
    return one.when.day * DAY + lots.one(_LIKELY, "hour", one.number)


def _short(said: str) -> str:
    """What was said, as far as it fits into what one does: a text without ``@``."""
    return said.replace("@", "at")[:_LONGEST].strip()


def _alike(one: str, other: str) -> bool:
    first = {word for word in words_of(one) if word not in _PLAIN}
    second = {word for word in words_of(other) if word not in _PLAIN}
    shared = len(first & second)
    return shared > 0 and 2 * shared >= min(len(first), len(second))


def _third(why: str) -> str:
    """``I am busy`` becomes ``is busy``."""
    text = re.sub(r"^I\s+", "", why)
    text = re.sub(r"^am\b", "is", text)
    text = re.sub(r"^do\b", "does", text)
    text = re.sub(r"^have\b", "has", text)
    text = re.sub(r"^need\b", "needs", text)
    return re.sub(r"\bmy\b", "their", re.sub(r"\b(but|and) am\b", r"\1 is", text))
