"""The 18 skills of fifth-edition tabletop games, and how people write them."""

import re
from collections.abc import Mapping
from typing import Final, Literal, get_args

Skill = Literal[
    "Acrobatics",
    "Animal Handling",
    "Arcana",
    "Athletics",
    "Deception",
    "History",
    "Insight",
    "Intimidation",
    "Investigation",
    "Medicine",
    "Nature",
    "Perception",
    "Performance",
    "Persuasion",
    "Religion",
    "Sleight of Hand",
    "Stealth",
    "Survival",
]
SKILLS: Final[tuple[Skill, ...]] = get_args(Skill)

FORMS: Final[Mapping[Skill, str]] = {
    "Acrobatics": r"acrobatics?",
    "Animal Handling": r"animal[\s-]handling",
    "Arcana": r"arcana",
    "Athletics": r"athletics?",
    "Deception": r"decept(?:ion|ive)",
    "History": r"history",
    "Insight": r"insight",
    "Intimidation": r"intimidat(?:ion|e)",
    "Investigation": r"investigat(?:ion|ive|e)",
    "Medicine": r"medicine",
    "Nature": r"nature",
    "Perception": r"percept(?:ion|ive)",
    "Performance": r"perform(?:ance)?",
    "Persuasion": r"persuasion|persuade",
    "Religion": r"religion",
    "Sleight of Hand": r"sl(?:ei?|i)ght[\s-]of[\s-]hand",
    "Stealth": r"stealth",
    "Survival": r"survival",
}
"""An expression for each skill as transcripts have it: also the verb, and common misspellings."""

_ANY: Final = re.compile(
    "|".join(f"(?P<s{place}>{FORMS[skill]})" for place, skill in enumerate(SKILLS)), re.IGNORECASE
)


def skill_of(text: str) -> Skill | None:
    """The skill that a text is the name of, in any of its forms; None: it is none."""
    found = _ANY.fullmatch(text.strip())
    return SKILLS[int(found.lastgroup[1:])] if found and found.lastgroup else None
