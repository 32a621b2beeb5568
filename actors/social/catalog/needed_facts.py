"""Facts that a scenario's goals rest on: where they are said, and whether it keeps them back.

A fact is recognised by its keys (``events.catalog.NeededFact``): in each group one of the
spellings, as whole words, in any case. Pure; the loader of the starter catalog, the makers of hard
scenarios and the judge of facts all go by what is here.
"""

import re
import unicodedata
from collections.abc import Mapping, Sequence
from functools import lru_cache

from actors.social.catalog_items import NeededFact, Scenario

_TAG = re.compile(r"<[^>]*>")


def plain(text: str) -> str:
    """A text as keys are looked for in it: one case, one kind of apostrophe and hyphen, single
    spaces."""
    flat = unicodedata.normalize("NFKC", text).casefold().replace("’", "'")
    return " ".join(re.sub(r"[‐‑–]", "-", flat).split())


def says(text: str, keys: Sequence[Sequence[str]]) -> bool:
    """Whether a text has one spelling of every group. Keys without groups are said by nothing."""
    flat = plain(text)
    return bool(keys) and all(_found(group, flat) for group in keys)


def first_key(text: str, keys: Sequence[Sequence[str]]) -> str | None:
    """A spelling of any group that stands in a text; None where none does."""
    flat = plain(text)
    return next((key for group in keys for key in group if _pattern(key).search(flat)), None)


def without_keys(text: str, keys: Sequence[Sequence[str]]) -> str:
    """The text with every spelling of every group, and a currency sign before it, left out."""
    for group in keys:
        for key in sorted(group, key=len, reverse=True):
            words = r"\s+".join(map(re.escape, key.split()))
            text = re.sub(rf"[$€£]?(?<!\w){words}(?!\w)", "…", text, flags=re.IGNORECASE)
    return re.sub(r"…(?:[\s-]*…)+", "…", text)


def own_text(scenario: Scenario) -> str:
    """All that a scenario says itself, to whomever."""
    parts = (scenario.id, scenario.codename, scenario.context, *scenario.goals)
    return _TAG.sub(" ", "\n".join(parts))


def needed_by(scenario: Scenario, seat: int) -> tuple[NeededFact, ...]:
    """The facts that a seat's goal rests on."""
    return tuple(fact for fact in scenario.needs if not fact.seats or seat in fact.seats)


def keys_fault(scenario: Scenario) -> str | None:
    """Why the facts that a scenario needs cannot be told by their keys, or why its own text gives
    one away, as a sentence; None if nothing is wrong."""
    ids = [fact.id for fact in scenario.needs]
    text = own_text(scenario)
    for fact in scenario.needs:
        where = f"fact {fact.id!r}"
        if ids.count(fact.id) > 1:
            return f"{where} is there twice; ids must differ"
        if not fact.keys or not all(group and all(map(str.strip, group)) for group in fact.keys):
            return f"{where} needs keys, and in each group at least one spelling"
        strange = [seat for seat in fact.seats if not 0 <= seat < len(scenario.goals)]
        if strange:
            return f"{where} is for seat {strange[0]}, seats are 0 to {len(scenario.goals) - 1}"
        told = first_key(text, fact.keys)
        if told is not None:
            return f"{where} is given away: {told!r} stands in the scenario's own text"
    return None


def teaching_fault(scenario: Scenario, stages: Mapping[str, Scenario]) -> str | None:
    """Which of the facts that a scenario needs is not taught, as a sentence; None if none.

    ``stages`` are the scenarios by id; the one that teaches a fact has all of its keys.
    """
    for fact in scenario.needs:
        where = f"fact {fact.id!r}"
        teacher = stages.get(fact.taught_by)
        if fact.taught_by and teacher is None:
            return f"{where} is taught by {fact.taught_by!r}, which is no scenario here"
        if teacher is not None and not says(own_text(teacher), fact.keys):
            return f"{where} is not taught: {fact.taught_by!r} does not have all of its keys"
    return None


@lru_cache(maxsize=4096)
def _pattern(key: str) -> re.Pattern[str]:
    words = r"\s+".join(map(re.escape, plain(key).split()))
    # A number is not found inside a longer one: 350 is neither in 1,350 nor in 350.5.
    return re.compile(rf"(?<!\w)(?<!\d[.,:]){words}(?!\w)(?![.,:]\d)")


def _found(group: Sequence[str], flat: str) -> bool:
    return any(_pattern(key).search(flat) for key in group)
