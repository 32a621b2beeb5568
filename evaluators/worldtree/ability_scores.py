"""Table 3 of SocialEval and the appendix's tables by ability from what came of samples (IAE,
section 2.3).

Pooled over labels: a sample counts once for each of its abilities, and an aspect, or all, is the
sum of its abilities' counts. That is what Table 3's Overall fits.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from msgspec import structs

from actors.worldtree.abilities import ASPECT_OF
from actors.worldtree.catalog_items import Sample
from actors.worldtree.setup import LANGUAGES, Verdict
from actors.worldtree.tree import Language
from evaluators.worldtree.ability_values import (
    ABILITY_SCOPES,
    AbilityCell,
    AbilityRow,
    AbilityTable,
)
from evaluators.worldtree.goal_values import OVERALL
from evaluators.worldtree.goals import mean_of, share
from evaluators.worldtree.results import Answered, Results, Who

BY_CHANCE: Final = 25.0
"""One of four options is right."""


class Verdicts(NamedTuple):
    """How often answers came out so."""

    right: int = 0
    wrong: int = 0
    failed: int = 0


ByAbility = Mapping[tuple[Language, str], Verdicts]
"""What came of somebody's answers, by language and ability."""


def ability_table(results: Results) -> AbilityTable:
    """Table 3: people, then all minds in the order of ``Results``, and chance."""
    answered = verdicts_by_ability(results.answers, results.samples)
    people = {who: answered[who] for who in results.people if who in answered}
    minds = (
        AbilityRow(
            who=who,
            kind="mind",
            cells=cells_of(answered.get(who, {})),
            rehearsal=who in results.rehearsal,
        )
        for who in results.minds
    )
    asked = {one.sample for one in results.answers if one.sample in results.samples}
    languages = [results.samples[id_].language for id_ in asked]
    there = {place for found in answered.values() for place in found}
    return AbilityTable(
        languages=tuple(one for one in LANGUAGES if one in languages),
        rows=(*people_rows(people), *minds, *_chance(there)),
        samples={one: languages.count(one) for one in LANGUAGES if one in languages},
        left_out=results.left_out,
    )


def verdicts_by_ability(
    answers: Iterable[Answered], samples: Mapping[str, Sample]
) -> dict[Who, ByAbility]:
    """The verdicts on each one's answers; those to unknown samples are left out."""
    counts: dict[Who, Counter[tuple[Language, str, Verdict]]] = defaultdict(Counter)
    for one in answers:
        if (sample := samples.get(one.sample)) is not None:
            places = ((sample.language, ability, one.verdict) for ability in sample.abilities)
            counts[one.who].update(places)
    return {
        who: {
            (language, ability): Verdicts(
                mine[language, ability, "right"],
                mine[language, ability, "wrong"],
                mine[language, ability, "failed"],
            )
            for language, ability, _ in mine
        }
        for who, mine in counts.items()
    }


def cells_of(answered: ByAbility) -> tuple[AbilityCell, ...]:
    """All cells of one who gave these answers."""
    found = []
    for language in LANGUAGES:
        mine = {ability: one for (there, ability), one in answered.items() if there == language}
        for scope, abilities in ABILITY_SCOPES.items():
            here = [mine[ability] for ability in abilities if ability in mine]
            if not here:
                continue
            right, wrong, failed = map(sum, zip(*here, strict=True))
            found.append(
                AbilityCell(
                    language=language,
                    scope=scope,
                    right=right,
                    wrong=wrong,
                    failed=failed,
                    ratio=share(right, right + wrong + failed),
                    published=share(right, right + wrong),
                    script=mean_of(share(one.right, one.right + one.wrong) for one in here),
                )
            )
    return tuple(found)


def people_rows(answered: Mapping[Who, ByAbility]) -> Iterator[AbilityRow]:
    """The average, the best (a composite) and the best single participant; of nobody: no rows.

    The average of a cell is the mean over the participants who answered something in it. The best
    of an ability is its participant with the highest ratio; aspects and all are pooled from these,
    so nobody need have got them. The best single participant has the highest mean over the
    languages of their overall ratios. Ties go to who answered more, then by name.
    """
    if not answered:
        return
    rows = {
        who: AbilityRow(who=who, kind="person", cells=cells_of(answered[who]), participants=1)
        for who in sorted(answered)
    }
    average = _average(list(rows.values()))
    yield AbilityRow(who="average", kind="average", cells=average, participants=len(rows))
    best = {
        (cell.language, cell.scope): max(
            (answered[who].get((cell.language, cell.scope), Verdicts()) for who in rows),
            key=lambda one: (share(one.right, sum(one)) or 0.0, sum(one)),
        )
        for cell in average
        if cell.scope in ASPECT_OF
    }
    yield AbilityRow(who="best", kind="best", cells=cells_of(best), participants=len(rows))
    yield max(rows.values(), key=_overall)


def _chance(there: Collection[tuple[Language, str]]) -> Iterator[AbilityRow]:
    if there:
        cells = cells_of(dict.fromkeys(there, Verdicts()))
        found = tuple(structs.replace(cell, ratio=BY_CHANCE) for cell in cells)
        yield AbilityRow(who="chance", kind="chance", cells=found)


def _average(rows: Sequence[AbilityRow]) -> tuple[AbilityCell, ...]:
    by_place: dict[tuple[Language, str], list[AbilityCell]] = defaultdict(list)
    for row in rows:
        for cell in row.cells:
            by_place[cell.language, cell.scope].append(cell)
    return tuple(
        AbilityCell(
            language=language,
            scope=scope,
            right=sum(cell.right for cell in cells),
            wrong=sum(cell.wrong for cell in cells),
            failed=sum(cell.failed for cell in cells),
            ratio=mean_of(cell.ratio for cell in cells),
            published=mean_of(cell.published for cell in cells),
            script=mean_of(cell.script for cell in cells),
        )
        for language in LANGUAGES
        for scope in ABILITY_SCOPES
        if (cells := by_place.get((language, scope), []))
    )


def _overall(row: AbilityRow) -> tuple[float, int]:
    cells = [cell for cell in row.cells if cell.scope == OVERALL]
    ratio = mean_of(cell.ratio for cell in cells)
    return -1.0 if ratio is None else ratio, sum(cell.counted for cell in cells)
