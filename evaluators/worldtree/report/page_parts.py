"""All tables and figures of one page, from the values that they are made of."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import msgspec
from markupsafe import Markup

from actors.worldtree.trees.tree import Language
from evaluators.tables.plain_tables import PlainTable, as_csv
from evaluators.worldtree.report import charts
from evaluators.worldtree.report.ability_sheets import ability_sheet, appendix_sheets
from evaluators.worldtree.report.goal_sheets import goal_sheet
from evaluators.worldtree.report.internals_figures import InsideFigures
from evaluators.worldtree.report.language_sheets import language_sheets
from evaluators.worldtree.report.polarity_sheets import (
    all_trees_sheet,
    combination_sheets,
    differing_sheet,
)
from evaluators.worldtree.report.published_figures import paper_tables
from evaluators.worldtree.report.sheets import Sheet, sheet_of
from evaluators.worldtree.report.tree_sheets import label_sheet, tree_sheet
from evaluators.worldtree.report.tree_style import STYLE, legend
from evaluators.worldtree.report.walked_trees import OUTCOMES, walked_trees
from evaluators.worldtree.scores import Scores, plain_of
from evaluators.worldtree.tables.labels import LANGUAGE_NAMES, left_out_words
from evaluators.worldtree.tables.letter_tables import by_the_letter
from evaluators.worldtree.values.polarity_values import Polarities, PolarityFindings
from evaluators.worldtree.values.results import Results
from evaluators.worldtree.values.tree_values import AbilityCount
from store.files.atomic_files import atomic_write_text

_COMBINATIONS: Final[tuple[tuple[Language, int], ...]] = (("zh", 4), ("en", 7))


class PageExtras(msgspec.Struct, frozen=True, kw_only=True):
    """What a page has beside what was worked out of its runs."""

    paper: bool = False
    """The paper's own figures."""
    lines: Sequence[PlainTable] = ()
    """Table 4; empty: nobody's own lines were compared."""
    inside: Sequence[InsideFigures] = ()
    """What was drawn of models' insides."""


NOTHING_ADDED: Final = PageExtras()


class PageFigure(msgspec.Struct, frozen=True):
    name: str
    title: str
    svg: Markup


class Panels(msgspec.Struct, frozen=True):
    """A figure of small tables."""

    name: str
    title: str
    note: str
    first: Sequence[Sheet]
    others: Sequence[Sheet]
    """Folded away."""
    missing: str = ""


def parts(scores: Scores, results: Results, added: PageExtras = NOTHING_ADDED) -> dict[str, Any]:
    """What ``section.html.j2`` needs."""
    plain = plain_of(scores)
    polarity = {table.name: (table,) for table in plain["polarity"]}
    abilities = ability_sheet(scores.abilities, plain["abilities"], beside=added.paper)
    return {
        "table_1": tree_sheet(scores.trees, plain["trees"], beside=added.paper),
        "figure_2": _rings(scores.labels),
        "labels": label_sheet(scores.labels, plain["labels"], beside=added.paper),
        "table_2": goal_sheet(scores.goals, plain["goals"], beside=added.paper),
        "table_3": abilities,
        "letters": sheet_of(plain["letters"][0]),
        "by_the_letter": list(filter(None, map(by_the_letter, scores.letters))),
        "appendix": [] if abilities.missing else appendix_sheets(scores.abilities),
        "languages": language_sheets(scores.languages, plain["languages"]),
        "table_4": [sheet_of(table) for table in added.lines],
        "figure_3": _bars_of_differing(scores.polarity),
        "differing": differing_sheet(scores.polarity, polarity.get("polarity-differing", ())),
        "combinations": [
            _combined(scores.polarity, polarity.get("polarity-combinations", ()), *one)
            for one in _COMBINATIONS
        ],
        "figure_8": _bars_of_all(scores.polarity),
        "all_trees": all_trees_sheet(scores.polarity, polarity.get("polarity-all", ())),
        "inside": list(added.inside),
        "walked": walked_trees(results),
        "legend": legend(),
        "left_out": left_out_words(results.left_out),
        "rehearsal": sorted(results.rehearsal & set(results.minds)),
        "local": sorted(results.local & set(results.minds)),
        "outcome_names": OUTCOMES,
        # Rules of ours: nothing of a tree is in them.
        "tree_style": Markup(STYLE),  # noqa: S704
    }


def _sheets_of(values: Mapping[str, Any]) -> list[Sheet]:
    first = [values["table_1"], values["labels"], values["table_2"], values["table_3"]]
    first.append(values["letters"])
    more = [*values["appendix"], *values["languages"], *values["table_4"]]
    drawn = [values["differing"], values["all_trees"]]
    panels = [sheet for one in values["combinations"] for sheet in (*one.first, *one.others)]
    found = [sheet for sheet in (*first, *more, *drawn, *panels) if not sheet.missing]
    return [one for sheet in found for one in (sheet, *sheet.behind) if one.blocks]


def write_tables(values: Mapping[str, Any], folder: Path, *, paper: bool = False) -> None:
    """Each table among ``parts`` as CSV and LaTeX in a folder; ``paper``: and the paper's own
    figures. Raises ``OSError``."""
    texts: dict[str, str] = {}
    for sheet in _sheets_of(values):
        taken = sheet.taken
        texts |= {f"{taken.name}.csv": taken.csv, f"{taken.name}.tex": taken.latex}
    texts |= {f"{table.name}.csv": as_csv([table]) for table in paper_tables() if paper}
    for name, text in texts.items():
        atomic_write_text(folder / name, text)


def _rings(labels: Sequence[AbilityCount]) -> list[PageFigure]:
    found = []
    for language, name in LANGUAGE_NAMES.items():
        counts = {row.ability: row.labels for row in labels if row.language == language}
        if any(counts.values()):
            title = f"Figure 2: abilities that are asked about, {name}"
            svg = charts.ability_ring(f"figure2{language}", title, counts)
            found.append(PageFigure(f"figure-2-{language}", title, svg))
    return found


def _bars_of_differing(polarity: PolarityFindings) -> list[PageFigure]:
    rows = [
        (one.language, *row)
        for one in polarity.differing
        for row in ((f"people, beside {one.who}", one.people), (one.who, one.model))
    ]
    return _bars(3, "where people and model differ", rows)


def _bars_of_all(polarity: PolarityFindings) -> list[PageFigure]:
    rows = [(one.language, one.who, one.choices) for one in polarity.all_trees if one.choices.known]
    return _bars(8, "polarity of all choices", rows)


def _bars(
    number: int, about: str, rows: Sequence[tuple[Language, str, Polarities]]
) -> list[PageFigure]:
    """A figure for each language that has a row."""
    found = []
    for language, name in LANGUAGE_NAMES.items():
        if own := [(label, choices) for where, label, choices in rows if where == language]:
            title = f"Figure {number}: {about}, {name}"
            svg = charts.polarity_bars(f"figure{number}{language}", title, own)
            found.append(PageFigure(f"figure-{number}-{language}", title, svg))
    return found


def _combined(
    polarity: PolarityFindings, plain: Sequence[PlainTable], language: Language, number: int
) -> Panels:
    sheets = combination_sheets(polarity, plain, language, number)
    name = LANGUAGE_NAMES[language]
    return Panels(
        f"figure-{number}",
        f"Figure {number}: what people chose and what the model did, {name}",
        "At nodes that both came to and where line and polarity differ, of trees with one success "
        "that a participant reached and the model missed.",
        sheets[:1],
        sheets[1:],
        "" if sheets else polarity.missing or f"No {name} choice of theirs differs.",
    )
