"""What a sentence binds the two to who are there, read off its words.

A fact worth asking for is between a speaker and a listener: a promise to them, an offer or a loan,
something both settled on, something confided, something they are to bear in mind of the speaker.
Promises to others, what somebody is said to have said, turns of phrase, what would be if, what was
once, and jokes are none. Shallow, and rather silent than wrong.
"""

import re
from typing import Final, Literal

Bond = Literal["offer", "promise", "preference", "secret"]

_PEOPLE = (
    r"(?:mother|father|sister|brother|aunt|uncle|nephew|niece|cousin|wife|husband|son|daughter|"
    r"friend|neighbour|landlord|boss|foreman|baker|roofer|doctor|captain|treasurer|committee|"
    r"council|team|crew|children|kids|family|others|boys|girls|men|bank|police|school|mayor)s?"
)
_OTHERS = re.compile(
    rf"\b(?:him|her|them|everybody|everyone|people|(?:my|his|their|the|a|an|our) {_PEOPLE})\b"
)
"""Somebody who is not there, as the one something is done for."""

# ------------------------------------------------------------- what binds nobody present

_REPORTED = (
    r"\b(?:said|says|told|promised|swore|offered|claims?|according to|"
    r"gave (?!you\b)[\w' ]+? word)\b"
)
_UNREAL = (
    r"\b(?:unless|suppose|supposing|might|(?:would|could|should|'d) have "
    r"(?!(?:the|an?|my|your|our|half|it|one|two|three)\b)\w+|had you|"
    r"if (?!you\b)|if you (?:were|had|hadn't|weren't|could|would)|'d (?:\w+ ){1,6}if)\b"
)
_PAST = (
    r"\b(?:used to|ago|back then|in those days|when i was|as a child|in my day|last "
    r"(?:week|month|year|spring|summer|autumn|winter|time)|always met|came to nothing)\b"
)
_JOKE = (
    r"^(?:oh|sure|right|yeah|of course|yes, and)\b,|\b(?:the moon|a million|pigs|dead body|hell|"
    r"halo|miracles?|while we're at it|right arm|reasons (?:why|against|for)|damned)\b"
)
_SAYING = (
    r"\bi(?:'ll| will) (?:say|bet|give you that|grant|admit|confess|be (?:honest|frank|late|off|"
    r"glad|sorry|fine|damned)|tell you (?:what|how|why|where|this|one|something)|have you know|"
    r"take your word|(?:\w+ )?(?:understand|believe|forget)|leave it|spare|"
    r"let you (?:in|know)|miss|see(?! to it)|think|try|want|need|remember|"
    r"know)\b|\blet's (?:see|face|be|hope|not|just|say (?!\S*\d)|put it|"
    r"pretend|begin|start|leave|wait|talk|think|look|have)\b|\bwe(?:'ll| shall| will) "
    r"(?:see|cross|be|have|need|lose|miss|know|never|find out)\b|\b(?:no|any) way i'll\b|"
    r"\bthere's no\b|^i hate to\b"
)
_IDLE: Final = re.compile("|".join((_REPORTED, _UNREAL, _PAST, _JOKE, _SAYING)))
_OUTSIDERS = re.compile(rf"\b(?:my|his|her|the) {_PEOPLE} and (?:i|me)\b|^(?:he|she|they)\b")

# ------------------------------------------------------------- what binds

_SECRET = re.compile(
    r"\b(?:i've (?:never )?told (?:no ?one|nobody|anyone|anybody)|i have (?:never told|told no)|"
    r"i (?:haven't|have not|never) told (?:anyone|anybody|a soul)|keep (?:this|it|that) to "
    r"yourself|between (?:you and me|ourselves)|(?:mustn't|can't|not to) leave this room|"
    r"(?:you're|you are) the (?:only|first) (?:one|person) (?:who knows|i've told|to know)|"
    r"(?:nobody|no one)(?: else)? knows (?:that |about )?(?:i|i'm|i've|my|me|we)\b|"
    r"the truth is,? i\b|i lied (?:to|about)\b|i've been hiding)"
)
_PREFERENCE = re.compile(
    r"(?:^|[,;:.] |\b(?:and|but|that|because|since) )"
    r"i(?:'ve)? ?(?:(?:really|always|do|still|quite|also|simply|rather) )*"
    r"(?:like|love|always loved|loved|hate|prefer|enjoy|adore|detest|don't like|can't stand|"
    r"can't bear|cannot stand|cannot bear|never (?:eat|drink|touch))\b"
    r"(?! (?:it|that|this|these|those|how|the way|to|you|your|him|her|them|when|what|here|there|"
    r"still|by|asking|the figure|the (?:price|idea|sound))\b)|"
    r"\bmakes? me (?:ill|sick)\b|\bmy favou?rite\b|\bi'm allergic\b"
)
_WILL = r"\b(?:i(?:'ll| will| shall|'m going to| am going to)|and i'll) (?:\w+ly |also |always )?"
_NEVER = re.compile(
    r"\bi(?: won't|'ll never| will never| shall never) "
    r"(?:tell|say|breathe|mention|repeat|show|sell|give|lend|let|sign|move)\b.*"
    r"\b(?:any(?:one|body)|any other|else|a soul|a word|without asking|before|until)\b"
)
_WORD = re.compile(
    r"\bi (?:promise|swear)(?: to)?(?: you)?,? (?:that )?(?:i'll|i will|i won't|not to|we'll|"
    r"nobody|no one|to (?!weep|cry|laugh|faint)\w+)|"
    r"\bi promise you (?:an? |the |my |your |half |one |two |three |\d)|"
    r"\bi swear it\b|\bi give you my word\b|\byou have my word\b|\bmy word on it\b|"
    r"\b(?:can )?(?:count|rely|depend) on me\b"
)
_GIVES = re.compile(_WILL + r"(?!not |hold you to|come straight)\w+\b")
_DEEDS = re.compile(
    _WILL + r"(?:bring|fetch|carry|mend|fix|repair|paint|build|return|sweep|clear|wind|water|"
    r"feed|deliver|drive|hand|post|sign|clean|cover|hold(?! on| you)|keep(?! it short)|cook|wash|"
    r"tune|do the|write it|"
    r"write the|pay the|pay for|put it|leave it with|be there)\b"
)
_HOME = re.compile(
    r"\b(?:home|myself|my own|on my (?:hand|arm)|to bed|to sleep|my (?:mind|breath|temper))\b"
)
_AS_SUBJECT = re.compile(
    r"\b(?:while|when|until|till|what(?:ever)?|as|if|before|after|because|than|how|where|who|that|once|"
    r"whether|and|but) you(?:'\w+)?\b|\bthank you\b|\byou know\b"
)
_TO_YOU = re.compile(r"\b(?:you|your|yours|yourself|us|ours?|together|each other)\b")
_YOU = re.compile(r"\b(?:you|your|yours|us)\b")
_YOURS = re.compile(
    r"\byou(?:'ll| will| shall) (?:have|get)\b.*\b(?:from me|in writing|by (?:mon|tues|"
    r"wednes|thurs|fri|satur|sun|noon|night|easter|christmas|\d))"
)
_PLAN = re.compile(
    r"\b(?:we'll|we will|we shall|let's|let us) (?:both |all |two )?(?:meet|carry|hand|split|share|"
    r"take|bring|go|ask|tell|sign|paint|write|play|sing|cook|sail|drive|pay|sell|buy|divide|swap|"
    r"keep|put|count|fetch|build|open|read|come|do it|walk|clear|hide|bury|move)\b|"
    r"\bwe(?:'ve| have)? agreed (?:on|that|to)\b"
)
_SETTLED = re.compile(
    r"^(?:and |so |right, |all right, )?(?:agreed|deal|done|settled|it's settled|it's a deal)"
    r"(?:[,:.]| at| for| on) .*(?:\d|\b(?:(?<!thank )you|i|we|three|half|quarter)\b)|"
    r"^then (?!i\b|i'd\b).{3,60}\bit is[.,!]"
)
_OFFER = re.compile(
    r"\b(?:promise|give|lend|bring|do) me\b.+\band (?:i'll|the .+\byour|you(?:'ll| can| may))\b|"
    r"\bi(?:'ll| will| can| could| would|'d) (?:also |still )?(?:give|pay|let|sell|spare|offer|"
    r"lend) (?:you|it to you)\b|\bi(?:'d| would|'ll| could| can)(?: also| still)? (?:take|settle "
    r"for|accept|do|go|pay|give|live with|shake hands on|come down|stretch|manage|offer|let)\b|"
    r"\byou (?:can|could|may) (?:have|borrow|keep|use|take|stay)\b|\bmy offer\b|\bi offer\b|"
    r"\bi'm (?:willing|offering|prepared)\b|\blet's say\b|\bcall it\b|"
    r"\bin (?:exchange|return) for\b"
)
_FIGURE = re.compile(
    r"\d|\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|"
    r"forty|fifty|sixty|seventy|eighty|ninety|hundred|thousand|half)\b"
)
_LOAN = re.compile(
    r"\b(?:promise|do) me\b|\blend you\b|\byou (?:can|could|may) (?:have|borrow|keep|use|stay)\b|"
    r"\blet you have\b|\bin (?:exchange|return) for\b"
)


def bond(sentence: str) -> Bond | None:
    """How a sentence binds its speaker and its listener; None if it does not."""
    flat = " ".join(sentence.lower().replace("’", "'").split())
    if flat.endswith("?") or "“" in flat or "”" in flat:
        return None
    if _SECRET.search(flat):
        return "secret"
    if _IDLE.search(flat) or _OUTSIDERS.search(flat):
        return None
    if _promises(flat):
        return "promise"
    if _OFFER.search(flat) and _has_terms(flat):
        return None if _for_others(flat) else "offer"
    return "preference" if _PREFERENCE.search(flat) else None


def _promises(flat: str) -> bool:
    if _NEVER.search(flat) or _YOURS.search(flat) or _SETTLED.search(flat):
        return True
    given = _WORD.search(flat) or _DEEDS.search(flat) or _PLAN.search(flat)
    if given is None:
        given = _GIVES.search(flat)
        if given is None or not _TO_YOU.search(_AS_SUBJECT.sub(" ", flat[given.end() :])):
            return False
    elif _HOME.search(flat[given.start() :]):
        return False
    offers = _OFFER.search(flat)
    first = offers is not None and offers.start() <= given.start() and "back" not in flat
    return not (first and _has_terms(flat)) and not _for_others(flat)


def _has_terms(flat: str) -> bool:
    return bool(_FIGURE.search(flat) or _LOAN.search(flat))


def _for_others(flat: str) -> bool:
    """Whether it is somebody else who is promised or offered something."""
    return bool(_OTHERS.search(flat)) and not _YOU.search(_AS_SUBJECT.sub(" ", flat))
