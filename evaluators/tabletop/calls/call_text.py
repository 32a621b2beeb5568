"""Finds the skill checks that a game master asks for in what they say.

A mention of a skill is a call by what stands before and after it in its sentence: a request
("make a …", "roll …"), a ruling ("that would be a … check"), or nothing else at all ("… check.").
What is told of, asked about or ruled out ("what did you roll for …?", "no … check required") is
none.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from actors.tabletop.skills import FORMS, SKILLS, Skill

_MENTION: Final = re.compile(
    rf"\b(?:{'|'.join(f'(?P<s{place}>{FORMS[one]})' for place, one in enumerate(SKILLS))})\b",
    re.IGNORECASE,
)
_SENTENCE: Final = re.compile(r"(?:[^.?!]|\.(?=\w))+[.?!]*")
_CHECK: Final = r"(?:checks?|rolls?)\b"
_FILLER: Final = (
    r"(?:a|an|me|us|out|your|the|that|another|just|also|to|group|communal|quick|separate|second|"
    r"new|flat|general|actual|real|final|more|of|kind|sort|go|ahead|and|make|roll|attempt)"
)
_REQUEST: Final = re.compile(
    rf"(?P<verb>\b(?:make|roll|attempt|give (?:me|us)|do|try|take|need)\b)"
    rf"(?:(?:\s+|[-–—,]+\s*){_FILLER}\b)*(?:\s+for)?\s+(?:an?\s+)?\Z",
    re.IGNORECASE,
)
_WEAK: Final = frozenset({"do", "try", "take", "need", "attempt"})
"""Verbs of requests only where "check" or "roll" follows the skill."""
_ASKED_FOR: Final = re.compile(
    r"\b(?:i(?:['’]ll|['’]d| will| would)?(?: also| just)? (?:need|like|want|take)|"
    r"(?:can|could|may) (?:i|we) (?:get|have|see)|let(?:['’]s| me)(?: just)? (?:have|see|do|get)|"
    r"hit (?:me|us) with|throw (?:me|us)|would you mind rolling|start (?:by|with) rolling|"
    r"call (?:that|it|this)|sounds like)\s+(?:(?:an?|another|your|one|some)\s+)?\Z",
    re.IGNORECASE,
)
"""The same about the game master's wishes; "check" or "roll" follows."""
_RULING: Final = re.compile(
    r"\b(?:this|that|it|i'?d say)(?P<would>['’]?d| would|['’]?ll| will)? ?"
    r"(?:['’]s(?: going to be)?|is(?: going to be)?|(?:just |also )?be)"
    r"(?: (?:a|an|more|of|actually|probably|just|still|also|group|another))*\s+\Z",
    re.IGNORECASE,
)
_NOTHING: Final = re.compile(
    r"(?:\([^)]*\))?\W*(?:(?:all right|okay|ok|so|yeah|yes|sure|then|and|now|well|no|actually|or|"
    r"also|go ahead|mm+|hm+|ooh|oh|ah)\b\W*)*(?-i:[A-Z][\w'’]+,\s+)?"
    r"(?:(?:a|an|another|group)\s+)?\Z",
    re.IGNORECASE,
)
_ODDS: Final = re.compile(r"\byou[^.?!]*\b(?:dis)?advantage on (?:the|your|this|that)\s+\Z", re.I)
_GO: Final = re.compile(rf"\s+{_CHECK}.*\bgo (?:for it|ahead)\b", re.IGNORECASE)
_THE_ROLL: Final = re.compile(r"\bon (?:the|this|that) (?:roll|check)\b", re.IGNORECASE)
_TOLD: Final = re.compile(
    r"\b(?:what(?:['’]s|['’]d| is| was)?|did(?:n['’]t)?(?: \w+)?|if \w+|when(?:ever)?(?: \w+)?|"
    r"that|who|"
    r"(?:do|does|did|wo|ca)n['’]t|not|never|no|without|he|she|they|i|it|"
    r"(?:he|she|they|i|it)(?:['’]ll|['’]d| will| can| would| could| has to| have to| needs? to))"
    r"(?:\s+(?:also|just|even|get to|still))*\s+\Z",
    re.IGNORECASE,
)
"""What stands before the verb of a check that somebody else makes, or that nobody has to."""
_RULED_OUT: Final = re.compile(r"\b(?:no|not|without|never)\b(?:\s+\w+){0,2}\s+\Z", re.IGNORECASE)
_OR: Final = re.compile(
    r"(?:\A|[,.\s])or(?: maybe| even)?\s+(?:make\s+)?(?:an?\s+)?\Z", re.IGNORECASE
)
_CORRECTS: Final = re.compile(
    r"(?:[-–—]\s*|\b)(?:no|sorry|wait|actually|rather|i mean)\b[\s,.]*(?:just |make |"
    r"roll |it['’]s |"
    r"that['’]s |it would be |that would be )*(?:an?\s+|the\s+)?\Z",
    re.IGNORECASE,
)
_ABILITIES: Final = "strength|dexterity|constitution|intelligence|wisdom|charisma|d20"
_ABILITY: Final = re.compile(
    rf"\b(?:no|actually|sorry|wait|rather|straight)\b[^.?!]{{0,40}}\b(?:{_ABILITIES})\s+(?:check|roll)",
    re.IGNORECASE,
)
"""A correction to a check of no skill."""
_JUST_ABILITY: Final = re.compile(
    rf"\bjust\b[^.?!]{{0,40}}\b(?:{_ABILITIES})\s+(?:check|roll)", re.IGNORECASE
)
"""The same in the turn of the call itself."""
_SEVERAL: Final = re.compile(
    r"\b(?:every(?:one|body)|both of you|all of you|you (?:all|both)|"
    r"(?:two|three|four|five) of you|"
    r"each of you|group|communal|the party(?! (?:you|that|who|of)\b)|the rest of you|"
    r"you guys)\b",
    re.IGNORECASE,
)
_ALL_ALONE: Final = re.compile(
    r"(?:\A|[.?!,]\s*)(?:(?:okay|all right|so|and|now),?\s+)?"
    r"(?:every(?:one|body)|both of you|all of you|you (?:all|both))[.!,]*\s*\Z",
    re.IGNORECASE,
)
"""A sentence before that of the call which says no more than who is asked."""
_COUNTED: Final = re.compile(r"\b(both|two|three|four|five)(?: of you)?\b", re.IGNORECASE)
_COUNTS: Final = {"both": 2, "two": 2, "three": 3, "four": 4, "five": 5}
_CLAUSE: Final = re.compile(r"\s*(?:--+|[–—])\s*")
_SETTLED: Final = re.compile(
    r"\A(?:so |and |well,? )?i (?:believe|think|guess),? (?:it|that)"
    r"(?:['’]s| is| would be|['’]d be)\s+(?:an?\s+)?\Z",
    re.IGNORECASE,
)
"""Says of which skill a check is that was asked for without one, and nothing else."""
_OTHER_GAME: Final = re.compile(rf"\bmake an? \w+ {_CHECK}", re.IGNORECASE)


class Check(NamedTuple):
    skills: tuple[Skill, ...]
    """Those that are accepted: one, or several joined by *or*."""
    several: bool
    """Whether its words ask more than one person."""
    said: str
    """The sentence that calls for it."""
    number: int = 0
    """How many it asks, where its words say so (``both of you``); 0: they do not."""


class _Mention(NamedTuple):
    skill: Skill
    before: str
    after: str
    sentence: str
    earlier: str
    """The text before the sentence."""
    later: str
    """And behind it."""


def checks_in(text: str, following: str = "") -> Sequence[Check]:
    """The checks that are called for in one turn of a game master, in their order. ``following``:
    the game master's next turn, whose corrections count as those of the turn itself do."""
    found: list[Check] = []
    for mention in _mentions(text):
        one = _check(mention)
        if found and _CORRECTS.search(mention.before):
            found[-1] = one
        elif (found or _OTHER_GAME.search(mention.earlier)) and _OR.search(mention.before):
            last = found.pop() if found else Check((), one.several, one.said)
            found.append(last._replace(skills=tuple(dict.fromkeys((*last.skills, mention.skill)))))
        elif found and _RULED_OUT.search(mention.before):
            found = [check for check in found if check.skills != (mention.skill,)]
        elif _is_call(mention):
            found.append(one)
    if found and any(
        one.search(said)
        for one, said in ((_ABILITY, text), (_JUST_ABILITY, text), (_ABILITY, following))
    ):
        found.pop()
    elif found:
        corrected = [one for one in _mentions(following) if _CORRECTS.search(one.before)]
        if corrected and re.match(rf"\s+{_CHECK}", corrected[0].after):
            found[-1] = found[-1]._replace(skills=(corrected[0].skill,))
    return list({check.skills: check for check in reversed(found)}.values())[::-1]


def _check(mention: _Mention) -> Check:
    """The check of a mention, and whom its words ask: those of its own clause, or of a sentence
    before it that says nothing else."""
    before, after = _CLAUSE.split(mention.before)[-1], _CLAUSE.split(mention.after)[0]
    alone = _ALL_ALONE.search(mention.earlier)
    several = _SEVERAL.search(f"{before} {mention.skill} {after}") or alone
    counted = _COUNTED.search(several[0]) if several else None
    count = _COUNTS[counted[1].casefold()] if counted else 0
    return Check((mention.skill,), bool(several), mention.sentence, count)


def _mentions(text: str) -> Iterator[_Mention]:
    """Each skill named, with its sentence before and behind it."""
    if _MENTION.search(text) is None:
        # As most turns are.
        return
    for part in _SENTENCE.finditer(text):
        sentence = part[0].strip()
        for found in _MENTION.finditer(sentence):
            skill = SKILLS[int(str(found.lastgroup)[1:])]
            before, after = sentence[: found.start()], sentence[found.end() :]
            yield _Mention(skill, before, after, sentence, text[: part.start()], text[part.end() :])


def _is_call(mention: _Mention) -> bool:
    before, after, sentence = mention.before, mention.after, mention.sentence
    if _RULED_OUT.search(before):
        return False
    named = re.match(rf"\s+{_CHECK}", after, re.IGNORECASE) is not None
    if _ASKED_FOR.search(before):
        return named
    if requested := _REQUEST.search(before):
        strong = named or requested["verb"].casefold() not in _WEAK
        return strong and _TOLD.search(before[: requested.start()]) is None
    if _SETTLED.match(before):
        return not after.strip(" .!")
    if ruled := _RULING.search(before):
        return named or bool(ruled["would"])
    if _ODDS.search(before):
        return _GO.match(after) is not None
    if _NOTHING.fullmatch(before):
        # "Investigate. But you have advantage on the roll."
        promised = after.strip(".,") == "" and _THE_ROLL.search(mention.later)
        return (named or bool(promised)) and not sentence.endswith("?")
    return False
