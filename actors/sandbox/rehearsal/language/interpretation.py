"""What somebody understands of what is said to them, or what they said themselves.

A plan, a place and a time are known from nowhere else: what was not said, or was not understood,
nobody knows.
"""

import re
from functools import lru_cache
from typing import Final, Literal, NamedTuple

from actors.sandbox.rehearsal.language.aims import AimStep
from actors.sandbox.rehearsal.language.times import When, times_in

ProposalKind = Literal["gathering", "company", "meeting", "help"]
_MARK: Final = "␞"
"""Stands where a time was."""
_NAME: Final = r"[A-Z][\w'’.-]*(?: [A-Z][\w'’-]+)*"
_HOLD: Final = re.compile(
    rf"\b(?:(?P<host>I|[Ww]e|{_NAME})(?:'m|’m|'re|’re| am| is| are|'s|’s)"
    r"(?: also| still| going to be)? (?:holding|hosting|giving|throwing|having|organi[sz]ing"
    r"|putting on|running|planning|in charge of)|(?:[Ii] |[Ww]e )?(?:want|would like|plan|hope"
    r"|'d like)s? to"
    r" (?:hold|host|give|throw|have|organi[sz]e)|(?:come|invited?|inviting|welcome)(?: you|"
    r" everyone"
    r"| everybody)?(?: along)? to)"
    r" (?P<what>(?:an?|the|my|our|this) [^.?!;␞]+|[A-Z][^.?!;␞]+)"
)
_COMPANY: Final = re.compile(
    rf"\b(?:(?P<host>{_NAME}) (?:is|are) )?(?:looking for|wants?|need(?:s|ing)?|[Jj]oin)"
    r" (?:me|us|him|her|them|some people|people|company|others|partners|somebody|an audience"
    r"|viewers)"
    r"(?: tomorrow)? (?P<what>(?:to|for|in) [^.?!;␞]+)"
)
_MEET: Final = re.compile(
    r"\b(?:[Cc]ould|[Cc]an|[Ss]hall|[Mm]ay|[Ll]et['’]s|[Ww]ould|[Ww]e should|like to|love to"
    r"|want to|need to)"
    r"(?: we| I| you)?(?: please)? (?:meet|sit down|get together|see you)(?: up| with me|"
    r" together| with you| you)?"
    r" (?P<what>(?:to|for|about|over) [^.?!;␞]+)"
)
_HELP: Final = re.compile(
    r"\b(?:[Cc]ould|[Cc]an|[Ww]ould|[Ww]ill) you (?:please |kindly |possibly )?"
    r"(?!come|join|meet|tell|make|be\b|like|mind|care|want|have (?:time|a minute)"
    r"|manage)(?P<what>[^.?!;␞]+)"
)
_REPLY: Final = re.compile(
    r"(?P<no>\b(?:can['’]?t|cannot|I['’]m afraid|no,? thank|no time|not this time|won['’]t|have"
    r" to say no|count me out"
    r"|not for me|I['’]d rather not|don['’]t think I can|not able|too busy)\b)"
    r"|(?P<yes>\b(?:I['’]d love to|I['’]d be glad|I['’]ll be there|I will be there|count me in"
    r"|gladly|of course"
    r"|I['’]ll do (?:it|that)|with pleasure|consider it done|I['’]m in\b|you can count on me|it"
    r" is a date"
    r"|suits me|works for me|that works|sounds good to me|happy to|yes\b|it is\. I))",
    re.IGNORECASE,
)
_WHEN: Final = re.compile(
    r"\b(?:when (?:is|does|would|should|exactly|shall)|what time)\b", re.IGNORECASE
)
_WHERE: Final = re.compile(
    r"\b(?:where (?:is|would|should|exactly|do|shall|will)|and where)\b", re.IGNORECASE
)
_SEEN: Final = re.compile(
    rf"\b(?:[Hh]ave you seen|[Dd]o you know where|[Ww]here can I find) (?P<who>{_NAME})"
)
_SAW: Final = re.compile(rf"\b[Ii] saw (?P<who>{_NAME}) at (?P<where>[^.?!;,]+)")
_ABOUT: Final = re.compile(
    rf"\b(?:(?P<me>I['’]m|I am)|(?P<who>{_NAME}) is) (?:also |still |busy"
    rf" )?(?P<does>(?!every|any|some|no)[a-z]+ing\b[^.?!,;]+)"
)
_BYE: Final = re.compile(
    r"\b(?:(?<!to )(?<!we )(?<!I )see you(?! there)|goodbye|bye\b|take care|so long|until then|till"
    r" then|good night|I must get on|I['’]ll let you)",
    re.IGNORECASE,
)
_PLACE: Final = re.compile(
    r"\bat (?P<where>(?!some\b|all\b|any\b|last\b|least\b|once\b|the moment\b|it\b)[^␞.?!,;]{3,80})"
)
_WHY: Final = re.compile(
    r"(?:^|[.!?] )(?P<why>(?!I have (?:a favour|been)|I am looking)I (?:am|do not|need|have"
    r"|cannot|was)\b[^.?!]+)\."
)
_VAGUE: Final = re.compile(r",?\s+(?:some ?time|one of these days|some day|soon)\b", re.IGNORECASE)
_SENTENCE: Final = re.compile(r"(?<=[.?!])\s+")


class Proposal(NamedTuple):
    """What somebody would have others do, as far as it was said."""

    kind: ProposalKind
    what: str
    """``a wine party``; of company and a meeting what for: ``to have coffee``; of help its first
    step."""
    when: When
    where: str
    """In words; empty: not said."""
    host: str = ""
    """Whose it is, where that is another than who says it."""
    steps: tuple[AimStep, ...] = ()
    """Of help."""
    why: str = ""
    """Why help is needed, as it was said."""


class Heard(NamedTuple):
    """An utterance, understood."""

    proposal: Proposal | None = None
    yes: bool = False
    no: bool = False
    when: When = When()
    """A time it names."""
    where: str = ""
    """A place it names after *at*."""
    asks_when: bool = False
    asks_where: bool = False
    asks_for: str = ""
    """Whom it asks after."""
    saw: tuple[str, str] | None = None
    """Whom its speaker saw, and where."""
    does: tuple[str, str] | None = None
    """Who does what these days; empty: its speaker."""
    bye: bool = False


@lru_cache(maxsize=16384)
def heard(text: str, today: int) -> Heard:
    """What an utterance says. ``today``: the date's ordinal."""
    found = times_in(text, today)
    plain = text
    for start, end in reversed(found.spans):
        plain = f"{plain[:start]} {_MARK}{plain[end:]}"
    plain = plain.replace(" ,", ",")
    reply = _REPLY.search(plain)
    where = _PLACE.search(plain)
    after, saw = _SEEN.search(text), _SAW.search(text)
    place = where["where"].strip() if where and not saw else ""
    about = _ABOUT.search(text)
    proposal = _proposal(plain, found.when, place)
    return Heard(
        proposal=proposal,
        yes=reply is not None and reply["yes"] is not None,
        no=reply is not None and reply["no"] is not None,
        when=found.when,
        where=place,
        asks_when=bool(_WHEN.search(text)),
        asks_where=bool(_WHERE.search(text)) and after is None,
        asks_for=after["who"] if after else "",
        saw=(saw["who"], saw["where"].strip()) if saw else None,
        does=(about["who"] or "", about["does"].strip()) if about and not proposal else None,
        bye=bool(_BYE.search(text)),
    )


def _proposal(text: str, when: When, place: str) -> Proposal | None:
    helped = _HELP.search(text)
    if helped and (steps := _steps(text[helped.start("what") :])):
        why = _WHY.search(text)
        return Proposal(
            "help", steps[0].act, when, "", steps=steps, why=why["why"].strip() if why else ""
        )
    for kind, pattern in (("meeting", _MEET), ("company", _COMPANY), ("gathering", _HOLD)):
        found = pattern.search(text)
        if found is None:
            continue
        host = (found["host"] or "") if "host" in pattern.groupindex else ""
        what, where = _cut(found["what"])
        if not what:
            continue
        return Proposal(
            kind,  # type: ignore[arg-type]
            what,
            when,
            where or place,
            host="" if host.lower() in ("i", "we") else host,
        )
    return None


def _cut(text: str) -> tuple[str, str]:
    """What, and the place it is at."""
    text = _VAGUE.sub("", text)
    what, at, where = text.strip().rpartition(" at ")
    if not at:
        return text.strip(" ,"), ""
    return what.strip(" ,"), where.strip(" ,")


def _steps(text: str) -> tuple[AimStep, ...]:
    """The steps of a request, of one sentence."""
    sentence = _SENTENCE.split(text, maxsplit=1)[0].replace(_MARK, ",").rstrip("?.! ,")
    steps = []
    for part in re.split(r",? and (?:then|afterwards) ", sentence):
        act, at, place = part.rpartition(" at ")
        if not at:
            act, at, place = part.rpartition(" from ")
        act = re.sub(r"\s+(?:for me|some time|when you get round to it)\b", "", act if at else part)
        act = act.strip(" ,")
        if not act:
            return ()
        steps.append(AimStep(act, place.partition(",")[0].strip() if at else ""))
    return tuple(steps)
