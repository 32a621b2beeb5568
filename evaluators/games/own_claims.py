"""Whether somebody claims, in English, to have a role: a rule over the words of one message.

It looks for phrases in which the speaker is the subject and the role what they are. It does not
understand the rest: ``docs/how-to/tournaments.md`` lists what counts and what cannot be seen.
"""

import re
from functools import lru_cache
from typing import Final

_SENTENCE: Final = re.compile(r"([^.!?\n]+)([.!?]*)")
_ADVERBS: Final = (
    r"(?:(?:really|actually|indeed|truly|honestly|just|only|simply|also|still|clearly|obviously|"
    r"definitely|certainly|both|all|myself|in\s+fact|of\s+course|here\s+as),?\s+)*"
)
_ARTICLE: Final = r"(?:one\s+of\s+(?:the|your|our)|an?|the|your|our|another|some|two|three)\s+"
_ADJECTIVES: Final = (
    r"(?:(?!(?:of|to|for|than|like|near|against|with|without|from|by|in|on|at|and|or|nor|who|that|"
    r"which|not|no|never|least|less|likely|unlikely|supposed|alleged|suspected|accused)\b)"
    r"[\w'-]+\s+){0,2}"
)
"""Up to two words before the role; with others among them it is not what the speaker is."""
_CLAIMS: Final = (
    r"\bi(?:'m|\s+am|\s+have\s+been)\s+{adverbs}{role}",
    r"\bi(?:,\s+|\s+){adverbs}am,?\s+{adverbs}{role}",
    r"\bwe(?:'re|\s+are)\s+{adverbs}{role}",
    r"\bi\s+(?:was|am|have\s+been)\s+(?:dealt|given|assigned|made)\s+{role}",
    r"\bi\s+(?:drew|play|play\s+as)\s+{role}",
    r"\bi\s+(?:have|got|drew|play)\s+the\s+(?:role|card|part)\s+of\s+{role}",
    r"\bmy\s+(?:\w+\s+)?(?:role|card|part|identity)\s*(?:is|was|says|reads|:|=)\s*(?:that\s+of\s+)?"
    r"{role}",
    r"\bi\s+(?:\w+\s+)?(?:claim|confess|admit|declare|reveal)\s+"
    r"(?:to\s+be|to\s+being|being|myself)\s+{role}",
    r"\bi\s+(?:\w+\s+)?claim\s+{bare}(?=\s*(?:[,;:]|$))",
    r"\bas\s+{role},?\s+i\b(?!'d|\s+(?:would|might|could)\b)",
    r"\b(?:i|me),\s+{role}(?=\s*(?:[,;:]|$))",
    r"{role},?\s+(?:(?:it|that)(?:'s|\s+is)|is|are)\s+(?:me|us|myself)\b",
    r"^\W*(?:the\s+)?{bare}\s+here(?=\s*(?:[,;:]|$))",
    r"\b(?:we|us|(?:my|our)\s+fellow)\s+{bare}",
)
_OPEN: Final = r"[^,;:—–]*$"
"""The rest of a clause."""
_UNSAID: Final = re.compile(
    r"(?:\b(?:if|whether|unless|suppose|supposing|imagine|imagining|pretend|pretending|wish|nobody|"
    r"not|never|deny|denies|denied|false|untrue|wrong|lie|lies|absurd|doubt|doubts)\b|n't\b)"
    + _OPEN
)
"""Before a claim, in the same clause: it is no more than thought of, or denied."""
_VERBS: Final = (
    r"(?:think|thinks|thought|thinking|say|says|said|saying|claims?|claimed|claiming|believes?|"
    r"believed|believing|suspects?|suspected|suspecting|assumes?|assumed|guess|guessed|insists?|"
    r"insisted|suggests?|suggested|suggesting|decided|hopes?|argues?|argued|convinced|sure|certain|"
    r"(?:tells?|told|telling)\s+(?:you|us|me|them|everyone|everybody|people|all))"
)
_HEARSAY: Final = re.compile(rf"\b{_VERBS}\s*[,:]?\s*(?:that\s+)?[\"'“‘«]?\s*$")
"""Before a claim: somebody is quoted."""
_OWN_WORD: Final = re.compile(
    rf"\bi(?:'m|'ve|'ll|'d)?\s+(?:\w+\s+){{0,2}}{_VERBS}\s*[,:]?\s*(?:that\s+)?[\"'“‘«]?\s*$"
)
"""Where who is quoted is the speaker."""


def claims_one_of(text: str, names: tuple[str, ...]) -> bool:
    """Whether the speaker of a text says in the first person to be one of ``names``: those of one
    role, without articles."""
    if not names:
        return False
    plain = re.sub(r"[*_`]", "", text.replace("’", "'")).lower()
    return any(
        _is_meant(sentence, ending, found)
        for sentence, ending in _SENTENCE.findall(plain)
        for pattern in _patterns(names)
        for found in pattern.finditer(sentence)
    )


def _is_meant(sentence: str, ending: str, found: re.Match[str]) -> bool:
    before = sentence[: found.start()]
    asked = "?" in ending and not re.search(r"\w", sentence[found.end() :])
    return not asked and not _UNSAID.search(before) and not _is_hearsay(before)


def _is_hearsay(before: str) -> bool:
    return bool(_HEARSAY.search(before)) and not _OWN_WORD.search(before)


@lru_cache(maxsize=256)
def _patterns(names: tuple[str, ...]) -> tuple[re.Pattern[str], ...]:
    bare = rf"(?:{'|'.join(re.escape(one.lower()) for one in names)})s?(?!['-]?\w)"
    role = rf"(?:\b{_ARTICLE}{_ADJECTIVES})?\b{bare}"
    return tuple(
        [
            re.compile(
                one.replace("{adverbs}", _ADVERBS).replace("{role}", role).replace("{bare}", bare)
            )
            for one in _CLAIMS
        ]
    )
