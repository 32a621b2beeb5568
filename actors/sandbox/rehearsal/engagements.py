"""Planned events that a character has heard of, whether it means to attend, and what it does when
the time has come."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from rapidfuzz import fuzz

from actors.sandbox.rehearsal.chance import Lots
from actors.sandbox.rehearsal.daily_life.pastimes import PastimeDeed, event_deeds
from actors.sandbox.rehearsal.language.grammar import doing, without_article
from actors.sandbox.rehearsal.language.interpretation import Proposal
from actors.sandbox.rehearsal.language.times import DAY, When, clock, said_day

_FAVOURS: Final = (570, 615, 660, 780, 840)
"""Minutes after midnight at which one sees to a favour."""
_LIKELY: Final = (720, 840, 960, 1080, 1140)
"""At which one takes things to be of which one was not told the hour."""
_ALIKE: Final = 80
"""How much two things that are one resemble each other, 0 to 100, at the least."""
_DEEDS: Final[Mapping[tuple[str, bool], tuple[str, ...]]] = MappingProxyType(
    {
        ("gathering", True): ("🎉", "hosting", "welcoming guests at", "looking after everybody at"),
        ("gathering", False): ("🎟️", "attending"),
        ("company", True): ("👥", "meeting others", "being together with others"),
        ("company", False): ("🙌", "joining {who}", "being together with {who}"),
        ("meeting", True): ("🤝", "meeting {who}", "sitting together with {who}"),
        ("meeting", False): ("🤝", "meeting {who}", "sitting together with {who}"),
    }
)
"""By kind and whether it is one's own: a sign, and what one does first, then in turns."""


class Engagement:
    """One of them. Its fields are filled as they are told."""

    __slots__ = (
        "accepted", "busy_until", "coming", "host", "host_name", "kind", "made", "number", "own",
        "steps", "steps_done", "told", "what", "when", "where", "who",
    )  # fmt: skip

    def __init__(self, of: Proposal, host: int, host_name: str, *, own: bool = False) -> None:
        self.kind, self.what, self.when, self.where = of.kind, of.what, of.when, of.where
        self.steps = of.steps
        self.host, self.host_name = host, host_name
        self.own = self.accepted = own
        """Whether one means to come; whoever hosts it does."""
        self.who = of.names if own else host_name
        """Whom a meeting is with, by name."""
        self.number = self.steps_done = self.made = 0
        self.busy_until = 0
        """The moment at which the last step begun is done."""
        self.told: set[int] = set()
        """Who knows of it, as far as one knows."""
        self.coming: set[int] = set()
        """Who said yes."""

    def settle(self, when: When, where: str) -> None:
        """To learn more of when and where it is, where that is not known."""
        day, minute = self.when
        self.when = When(
            when.day if day is None else day, when.minute if minute is None else minute
        )
        if not self.own:
            self.where = self.where or where

    def same(self, proposal: Proposal) -> bool:
        """Whether a proposal is about this."""
        mine, theirs = without_article(self.what), without_article(proposal.what)
        alike = fuzz.token_set_ratio(mine, theirs, score_cutoff=_ALIKE) > 0
        return proposal.kind == self.kind and alike

    @property
    def online(self) -> bool:
        """Whether one takes part from wherever one is."""
        return "online" in self.what or "stream" in self.what

    @property
    def shared(self) -> bool:
        """Whether one who means to come may bring others."""
        return self.accepted and not self.own and self.kind in ("gathering", "company")

    # ------------------------------------------------------------ in words

    @property
    def name(self) -> str:
        """``the wine party``, ``company to have coffee``, ``a favour, buying medicine``."""
        if self.kind == "gathering":
            return f"the {without_article(self.what)}"
        if self.kind == "help":
            return f"a favour, {doing(self.what)}"
        return f"{'a meeting' if self.kind == 'meeting' else 'company'} {self.what}"

    def in_words(self, today: int) -> str:
        """All that one knows of it."""
        parts = [self.name]
        if self.where:
            parts.append(f"at {self.where}")
        if self.when.day is not None:
            parts.append(said_day(self.when.day, today).rstrip(","))
        if self.when.minute is not None:
            parts.append(f"at {clock(self.when.minute)}")
        if not self.own:
            parts.append(f"with {self.host_name}")
        return " ".join(parts)

    def deed(self, part: int) -> PastimeDeed:
        """What one does there; ``part``: 0 first, then 1, 2, …"""
        sign, *verbs = _DEEDS[self.kind, self.own]
        thing = self.name if self.kind == "gathering" else self.what
        deeds = [PastimeDeed(f"{verb.format(who=self.who)} {thing}", sign) for verb in verbs]
        if self.kind == "gathering" and not self.own:
            deeds += event_deeds(without_article(self.what))
        return deeds[part % len(deeds)]

    def errand(self, step: int) -> PastimeDeed:
        """What one does for somebody who asked for help."""
        act = doing(self.steps[step].act)
        if step == 0:
            return PastimeDeed(f"{act} for {self.host_name}", "🛍️")
        return PastimeDeed(f"{act} to {self.host_name}", "📦")

    def began(self, text: str, until: int) -> None:
        """Somebody begins to do ``text``, until a moment: it may be a step of it."""
        if self.steps_done < len(self.steps) and text == self.errand(self.steps_done).text:
            self.steps_done += 1
            self.busy_until = until


def moment_of(one: Engagement, lots: Lots) -> int | None:
    """The moment at which one takes it to be; None: one has no idea. Who was told the day but not
    the hour goes at one that seems likely; a favour without a day is done the next one."""
    day, minute = one.when
    favour = one.kind == "help"
    if day is None:
        if not favour:
            return None
        day = one.made // DAY + 1
    if minute is None:
        minute = lots.one(_FAVOURS if favour else _LIKELY, "hour", one.number)
    return day * DAY + minute
