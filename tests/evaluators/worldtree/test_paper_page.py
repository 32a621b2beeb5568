"""The page of the paper's tables: its layout, its gaps, and what no text can do to it."""

import re
from html.parser import HTMLParser
from pathlib import Path

from actors.worldtree.catalog_items import Sample
from actors.worldtree.trees.tree import Edge, Line, Node, Profile, State, Tree
from evaluators.worldtree.internals.figures import NAMES
from evaluators.worldtree.report.ability_sheets import ability_sheet, appendix_sheets
from evaluators.worldtree.report.goal_sheets import goal_sheet
from evaluators.worldtree.report.internals_figures import figures_in
from evaluators.worldtree.report.page import Page, RunShown, write_page
from evaluators.worldtree.report.page_parts import PageExtras
from evaluators.worldtree.report.polarity_sheets import combination_sheets
from evaluators.worldtree.report.published_figures import ABILITY_SCOPES
from evaluators.worldtree.report.sheets import Sheet
from evaluators.worldtree.scores import scores_of
from evaluators.worldtree.statistics.ability_scores import ability_table
from evaluators.worldtree.statistics.goal_scores import goal_table
from evaluators.worldtree.values.polarity_values import Combination, PolarityFindings
from evaluators.worldtree.values.results import Answered, Results, Walked

POSITIVE = State(self_interest=0, altruism=1, polarity=1)
HOSTILE = "</td><script>alert(1)</script>\x1b[2J\u202e"


def _tree(id_: str, language: str, text: str) -> Tree:
    return Tree(
        id=id_,
        title=text,
        language=language,  # type: ignore[arg-type]
        orientation="Altruism",
        protagonist=Profile(name=text),
        nodes=(
            Node(
                id=0,
                kind="beginning",
                edges=tuple(Edge(to=to, line=Line(text=text), state=POSITIVE) for to in (1, 2)),
            ),
            Node(id=1, kind="ending", goal=2),
            Node(id=2, kind="ending", goal=0),
        ),
    )


def results(text: str = "words", walks: tuple[Walked, ...] | None = None) -> Results:
    """What two trees and a question brought, every text of theirs this one."""
    trees = {f"t-{one}": _tree(f"t-{one}", one, text) for one in ("zh", "en")}
    sample = Sample(
        id="s",
        language="en",
        protagonist=Profile(name=text),
        question=text,
        right=Line(text=text),
        distractors=(),
        abilities=("Creative Skill", "Leadership Skill"),
        tree="t-en",
    )
    return Results(
        trees=trees,
        samples={"s": sample},
        walks=(
            Walked(who=text, tree="t-zh", outcome="achieved", path=(0, 1), episode="e1"),
            Walked(who=text, tree="t-zh", outcome="undecided", path=(0,), episode="e2"),
            Walked(who=text, tree="t-en", outcome="not", path=(0, 2), episode="e3"),
        )
        if walks is None
        else walks,
        answers=(Answered(who=text, sample="s", verdict="right"),) if walks is None else (),
        minds=(text,),
        rehearsal=frozenset({text}),
    )


def _row(sheet: Sheet, label: str) -> list[str]:
    return next(
        [cell.text for cell in row.cells]
        for block in sheet.blocks
        for row in block.rows
        if row.label == label
    )


def test_a_cell_has_both_languages_and_what_its_figure_rests_on() -> None:
    goals = goal_sheet(goal_table(results()))
    assert [head.text for head in goals.heads[0]] == ["", "Prosocial", "Proself", "Antisocial", ""]
    assert [head.text for head in goals.heads[1]] == [
        "Who", "Cooperation", "Negotiation", "Assistance", "Altruism", "Overall",
        "Competition", "Induction", "Conflict", "Overall", "Overall",
    ]  # fmt: skip
    row = _row(goals, "words")
    assert (row[0], row[3], row[9]) == ("—", "50.00 / 0.00", "50.00 / 0.00")
    assert _row(goals, "Chance")[9] == "50.00 / 50.00"
    assert _row(goals, "Ceiling")[9] == "100.00 / 100.00"
    published, counts = goals.behind
    assert _row(published, "words")[3] == "100.00 / 0.00"
    assert _row(counts, "words")[3] == "1·0·0·1·0 / 0·0·1·0·0"
    abilities = appendix_sheets(ability_table(results()))
    creative = next(sheet for sheet in abilities if "Innovation" in sheet.title)
    assert _row(creative, "words")[1] == "100.00"
    assert creative.for_people().rows[0][0] == "words (rehearsal: no language model)"


def test_the_papers_rows_are_there_only_when_asked_for() -> None:
    table = goal_table(results())
    labels = {
        beside: [
            row.label for block in goal_sheet(table, beside=beside).blocks for row in block.rows
        ]
        for beside in (False, True)
    }
    assert "o1" not in labels[False]
    assert labels[True].count("o1") == 1


def test_the_papers_figures_stand_in_their_columns() -> None:
    goals = goal_sheet(goal_table(results()), beside=True)
    # Prosocial, Competition (all of proself), antisocial, overall.
    assert [_row(goals, "o1")[place] for place in (4, 5, 8, 9)] == [
        "54.3 / 52.7", "32.5 / 31.0", "27.5 / 25.7", "47.0 / 45.4",
    ]  # fmt: skip
    abilities = ability_sheet(ability_table(results()), beside=True)
    assert [head.text for head in abilities.heads[0]][1:] == [*ABILITY_SCOPES[:-1], "Overall"]
    assert _row(abilities, "o1") == ["74.7", "80.8", "73.1", "76.6", "73.1", "75.5"]


def test_peoples_polarity_is_down_and_the_models_across() -> None:
    found = PolarityFindings(
        all_trees=(),
        combinations=(
            Combination(who="m", language="zh", people=-1, model=1, count=3),
            Combination(who="m", language="zh", people=0, model=-1, count=1),
        ),
    )
    together, _ = combination_sheets(found, (), "zh", 4)
    assert _row(together, "negative") == ["75.0 %", "0.0 %", "·"]
    assert _row(together, "neutral") == ["0.0 %", "·", "25.0 %"]


def test_what_is_missing_is_said(tmp_path: Path) -> None:
    found = results(walks=())
    runs = [RunShown("r1", "none", "c", "words", "0 of 3 ended")]
    page = Page(title="none", scores=scores_of(found), results=found, runs=runs)
    text = write_page(page, tmp_path / "page.html").read_text(encoding="utf-8")
    said = re.findall(r'<p class="missing">Missing: (.*?)</p>', text)
    assert any("Nobody has walked a tree" in one for one in said)
    assert any("Nobody was asked about an ability" in one for one in said)
    assert any("nobody's own lines" in one for one in said)
    assert not re.search(r"<tbody>\s*</tbody>", text)


def test_every_figure_that_is_drawn_of_a_models_inside_is_taken_into_the_page(
    tmp_path: Path,
) -> None:
    for name in NAMES:
        (tmp_path / f"{name}.svg").write_text("<svg/>", encoding="utf-8")
    titles = [one.title for one in figures_in(tmp_path).figures]
    assert len(titles) == len(NAMES)
    assert "Figure 9: attended-cooperation" in titles


class _Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append(tag)
        self.ids += [value for name, value in attrs if name == "id" and value]
        self.links += [value for name, value in attrs if name == "href" and value]


def test_no_text_becomes_markup_and_no_id_is_there_twice(tmp_path: Path) -> None:
    inside = tmp_path / "inside"
    inside.mkdir()
    svg = f"<svg xmlns='http://www.w3.org/2000/svg'><title>{'x' * 9}</title>{HOSTILE}</svg>"
    (inside / "tsne-aspects.svg").write_text(svg, encoding="utf-8")
    found = results(HOSTILE)
    page = Page(
        title=HOSTILE,
        scores=scores_of(found),
        results=found,
        runs=[RunShown(HOSTILE, HOSTILE, HOSTILE, HOSTILE, HOSTILE)],
        added=PageExtras(paper=True, inside=[figures_in(inside)]),
    )
    folder = tmp_path / "tables"
    text = write_page(page, tmp_path / "page.html", folder).read_text(encoding="utf-8")
    assert {"figure-8-zh", "figure-8-en"} <= set(re.findall(r'id="(figure-8-\w\w)"', text))
    assert "alert(1)" in text
    assert "\x1b" not in text
    assert "\u202e" not in text
    tags = _Tags()
    tags.feed(text)
    assert tags.found.count("script") == 1
    assert tags.found.count("img") == 1
    assert len(tags.ids) == len(set(tags.ids))
    assert {link.removeprefix("#") for link in tags.links} <= set(tags.ids)
    names = {path.stem for path in folder.iterdir()}
    assert {"table-1", "table-2", "table-2-counts", "table-3"} <= names
