"""Labelled samples of a transcript: the turns before a call, and who is to check which skill."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from enum import StrEnum
from typing import Final, NamedTuple

import msgspec

from actors.tabletop.skills import FORMS, Skill
from evaluators.tabletop.calls.call_text import Check, checks_in
from evaluators.tabletop.calls.cast import Cast, Names
from evaluators.tabletop.calls.transcripts import Transcript, Turn


class Rule(StrEnum):
    """How it was decided who is asked."""

    named = "named"
    """By name in the call."""
    all = "all"
    """Its words ask several: all who play are meant; of a number ("both of you") so many, first
    those who state a result, then those who spoke last before it."""
    result = "result"
    """The first who states a result after it."""
    before = "before"
    """Who spoke last before it."""
    recorded = "recorded"
    """The game's own record has it: nobody had to decide."""


RULES: Final = (Rule.named, Rule.all, Rule.result, Rule.before)
"""Those that are tried on transcripts, in this order."""
CONTEXT: Final = 30
"""Turns before a call that a sample holds, at most."""
NOTHING_BEFORE: Final = "nothing was said before it"
"""Why a call is dropped that nobody could foresee."""
_SOON: Final = 6
"""Turns after a call in which its result is looked for."""
_RESULT: Final = re.compile(
    r"(?:\b(?:natural|nat|dirty|total of|that['’]s|it['’]s|i (?:got|rolled|have))\s+(?:an?\s+)?)?"
    r"\b(?:[1-9]|[12]\d|3[0-5]|one(?!\s+(?:time|day|thing))|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|"
    r"fourteen|fifteen|sixteen|seventeen|eighteen|nineteen|twenty)\b(?!\s+(?:of|feet|foot|gold|days?|hours?|"
    r"minutes?|people|guys|more))",
    re.IGNORECASE,
)
_LONGEST_RESULT: Final = 12
"""Words of a turn that states a result; a longer one tells something else."""
_SKILL_NAMES: Final = re.compile(rf"\b(?:{'|'.join(FORMS.values())})\b", re.IGNORECASE)


class SpokenLine(msgspec.Struct, frozen=True):
    """A turn, as virtual DMs read it."""

    who: str
    """The character who speaks, or ``DM``."""
    text: str


class Label(msgspec.Struct, frozen=True, order=True):
    """A skill that a character means to use."""

    who: str
    skill: Skill


class CallSample(msgspec.Struct, frozen=True, kw_only=True):
    """What happened before a call, and what was called for."""

    session: str
    turn: int
    """The number of the turn that calls; −1 for a session that was played."""
    lines: tuple[SpokenLine, ...]
    """At most 30, oldest first; the call is none of them."""
    cast: tuple[str, ...]
    """All who could be meant."""
    labels: tuple[Label, ...]
    """Sorted; none twice."""
    rule: Rule = Rule.named
    several: bool = False
    """Whether all at the table were asked."""


class Dropped(NamedTuple):
    """A call of which no sample was made."""

    session: str
    turn: int
    why: str


class CallSamples(NamedTuple):
    """What was found in some transcripts."""

    samples: tuple[CallSample, ...]
    dropped: tuple[Dropped, ...]
    unknown: Counter[str]
    """By a name that the cast table does not have, in how many turns it stood."""
    turns: int
    player_turns: int = 0
    """Of these, in how many a player speaks or somebody whom the cast table does not have."""


def samples_of(
    transcripts: Sequence[Transcript],
    cast: Cast,
    *,
    rules: Sequence[Rule] = RULES,
    mask: bool = False,
) -> CallSamples:
    """The labelled calls of some sessions. ``rules``: which are tried to say who is asked, in the
    order of ``RULES``. ``mask``: skill names that players say themselves become ``____``."""
    names = Names(cast)
    found: list[CallSample] = []
    dropped: list[Dropped] = []
    for transcript in transcripts:
        for one in _calls(transcript, names, rules, mask):
            if isinstance(one, CallSample):
                found.append(one)
            else:
                dropped.append(one)
    turns = sum(len(transcript.turns) for transcript in transcripts)
    spoken = sum(names.count_unknown(transcript.turns) for transcript in transcripts)
    return CallSamples(tuple(found), tuple(dropped), names.unknown, turns, spoken)


def _calls(
    transcript: Transcript, names: Names, rules: Sequence[Rule], mask: bool
) -> Iterator[CallSample | Dropped]:
    turns = transcript.turns
    spoke = [names.resolve(turn.names) for turn in turns]
    masters = [place for place, (dm, _) in enumerate(spoke) if dm]
    if not masters:
        yield Dropped(transcript.session, -1, f"nobody in it is the DM, {names.cast.dm!r}")
        return
    known = tuple(dict.fromkeys(who for _, played in spoke for who in played))
    for place, after in zip(masters, [*masters[1:], -1], strict=True):
        for check in checks_in(turns[place].text, turns[after].text if after >= 0 else ""):
            decided = _asked(check, turns, spoke, place, names.cast, rules, known)
            if decided is None:
                why = "it does not say who is asked, and nobody states a result or spoke before"
                yield Dropped(transcript.session, turns[place].number, why)
                continue
            rule, asked = decided
            begin = max(0, place - CONTEXT)
            lines = tuple(_lines(turns[begin:place], spoke[begin:place], mask))
            if not lines:
                yield Dropped(transcript.session, turns[place].number, NOTHING_BEFORE)
                continue
            yield CallSample(
                session=transcript.session,
                turn=turns[place].number,
                lines=lines,
                cast=known,
                labels=tuple(sorted({Label(who, one) for who in asked for one in check.skills})),
                rule=rule,
                several=rule is Rule.all,
            )


def _lines(
    turns: Sequence[Turn], spoke: Sequence[tuple[bool, tuple[str, ...]]], mask: bool
) -> Iterator[SpokenLine]:
    for turn, (dm, played) in zip(turns, spoke, strict=True):
        who = " and ".join((*played, "DM") if dm else played)
        if who:
            yield SpokenLine(
                who, _SKILL_NAMES.sub("____", turn.text) if mask and not dm else turn.text
            )


def _asked(
    check: Check,
    turns: Sequence[Turn],
    spoke: Sequence[tuple[bool, tuple[str, ...]]],
    place: int,
    cast: Cast,
    rules: Sequence[Rule],
    known: tuple[str, ...],
) -> tuple[Rule, tuple[str, ...]] | None:
    """Which rule decides, and whom it says."""
    for rule in RULES:
        if rule not in rules:
            continue
        if rule is Rule.named:
            asked = _addressed(check.said, cast)
        elif rule is Rule.all:
            asked = _several(check, turns, spoke, place, known)
        elif rule is Rule.result:
            asked = _with_result(check, turns, spoke, place)[:1]
        else:
            asked = tuple(_spoke_before(spoke, place))[:1]
        if asked:
            return rule, asked
    return None


def _addressed(said: str, cast: Cast) -> tuple[str, ...]:
    """The characters whose own or whose player's name stands in the sentence."""
    words = {word.casefold() for word in re.findall(r"[\w'’]+", said)}
    return tuple(
        who
        for player, who in cast.players.items()
        if {player.casefold(), who.casefold(), who.split()[0].casefold()} & words
    )


def _several(
    check: Check,
    turns: Sequence[Turn],
    spoke: Sequence[tuple[bool, tuple[str, ...]]],
    place: int,
    known: tuple[str, ...],
) -> tuple[str, ...]:
    """Whom a check asks that asks several; none: it asks one."""
    if not check.several or not check.number:
        return known if check.several else ()
    likely = dict.fromkeys(
        (*_with_result(check, turns, spoke, place), *_spoke_before(spoke, place))
    )
    return tuple(likely)[: check.number]


def _spoke_before(spoke: Sequence[tuple[bool, tuple[str, ...]]], place: int) -> Iterator[str]:
    """Who spoke in the turns before, the last first; of several at once the first."""
    begin = max(0, place - CONTEXT)
    return (played[0] for _, played in reversed(spoke[begin:place]) if played)


def _with_result(
    check: Check, turns: Sequence[Turn], spoke: Sequence[tuple[bool, tuple[str, ...]]], place: int
) -> tuple[str, ...]:
    """Who states a result soon after a call, the first first; where the next call is for another
    skill, before that."""
    found: dict[str, None] = {}
    for at in range(place + 1, min(place + 1 + _SOON, len(turns))):
        dm, played = spoke[at]
        text = turns[at].text
        if dm and any(not {*check.skills} & {*one.skills} for one in checks_in(text)):
            break
        if not dm and played and len(text.split()) <= _LONGEST_RESULT and _RESULT.search(text):
            found.setdefault(played[0])
    return tuple(found)
