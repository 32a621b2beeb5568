"""Table 3 of SocialEval and the appendix's tables by ability from what came of samples (IAE,
section 2.3).

Pooled over labels: a sample counts once for each of its abilities, and an aspect, or all, is the
sum of its abilities' counts. That is what Table 3's Overall fits.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from actors.worldtree.catalog_items import Sample
from actors.worldtree.setup import LANGUAGES, Verdict
from actors.worldtree.trees.abilities import ASPECT_OF
from actors.worldtree.trees.chance_level import majority
from actors.worldtree.trees.tree import Language
from evaluators.worldtree.statistics.goal_scores import mean_of, share
from evaluators.worldtree.values.ability_values import (
    ABILITY_SCOPES,
    AbilityCell,
    AbilityRow,
    AbilityTable,
)
from evaluators.worldtree.values.goal_values import OVERALL
from evaluators.worldtree.values.results import Answered, Results, Who


class Verdicts(NamedTuple):
    """How often answers came out so."""

    right: int = 0
    wrong: int = 0
    undecided: int = 0


ByAbility = Mapping[tuple[Language, str], Verdicts]
"""What came of somebody's answers, by language and ability."""


def ability_table(results: Results) -> AbilityTable:
    """Table 3: people, then all minds in the order of ``Results``, and chance, with a row
    for each number of votes that questions were put to."""
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
    ids = dict.fromkeys(one.sample for one in results.answers if one.sample in results.samples)
    asked = [results.samples[id_] for id_ in ids]
    languages = [sample.language for sample in asked]
    chances = (_chance(who, votes, asked) for who, votes in results.chances if asked)
    return AbilityTable(
        languages=tuple(one for one in LANGUAGES if one in languages),
        rows=(*people_rows(people), *minds, *chances),
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
                mine[language, ability, "undecided"],
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
            right, wrong, undecided = map(sum, zip(*here, strict=True))
            found.append(
                AbilityCell(
                    language=language,
                    scope=scope,
                    right=right,
                    wrong=wrong,
                    undecided=undecided,
                    ratio=share(right, right + wrong + undecided),
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


def _chance(who: str, votes: int, asked: Iterable[Sample]) -> AbilityRow:
    """Who votes at random, exactly, over the samples that were asked: a majority for one of k
    options is as likely for the right one as for another, and where there is none it is wrong."""
    right: dict[tuple[Language, str], list[float]] = defaultdict(list)
    decided: dict[tuple[Language, str], list[float]] = defaultdict(list)
    for sample in asked:
        options = 1 + len(sample.distractors)
        each = majority(options, votes)
        for ability in sample.abilities:
            right[sample.language, ability].append(each)
            decided[sample.language, ability].append(each * options)
    cells = []
    for language in LANGUAGES:
        for scope, abilities in ABILITY_SCOPES.items():
            here = [(language, one) for one in abilities if (language, one) in right]
            if here:
                found = [each for place in here for each in right[place]]
                of_decided = [share(sum(right[place]), sum(decided[place])) for place in here]
                all_decided = sum(sum(decided[place]) for place in here)
                cells.append(
                    AbilityCell(
                        language=language,
                        scope=scope,
                        ratio=share(sum(found), len(found)),
                        published=share(sum(found), all_decided),
                        script=mean_of(of_decided),
                    )
                )
    return AbilityRow(who=who, kind="chance", cells=tuple(cells))


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
            undecided=sum(cell.undecided for cell in cells),
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
