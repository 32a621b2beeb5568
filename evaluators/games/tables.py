"""The figures of games as tables."""

from collections.abc import Callable, Iterator, Sequence
from typing import Final

import msgspec

from evaluators.games.report_values import (
    Efficiency,
    GameLength,
    GamesReport,
    MeasureName,
    PartKind,
    SeatMeasure,
)
from evaluators.games.strengths import MIDDLE, ModelRating
from evaluators.tables.figure_text import figure_of
from evaluators.tables.plain_tables import Cell, PlainColumn, PlainTable, numbers, table_of

BY_DEAL: Final = (
    "± half of the 95 % interval, or [its ends]; games of one deal, the same number of the same "
    "set by the same seed, count as related; there is none under three deals."
)
_RULESET: Final = PlainColumn("ruleset")


class _Line(msgspec.Struct, frozen=True, kw_only=True):
    """The measures of a model in some seats of a ruleset."""

    ruleset: str
    kind: PartKind
    part: str
    model: str
    found: dict[MeasureName, SeatMeasure]

    def cell(self, name: MeasureName) -> Cell:
        """One of them; None: there is none."""
        one = self.found.get(name)
        return None if one is None else figure_of(one.found)

    def count(self, name: MeasureName) -> int:
        """How many values it is the mean of."""
        return self.found[name].n if name in self.found else 0


def tables_of(report: GamesReport) -> list[PlainTable]:
    """All tables that have rows."""
    lines = list(_lines(report.measures))
    rated = ratings(report)
    unrated = [] if rated.rows else [f"No ratings. {why}" for why in _unrated(report)]
    found = [
        win_rates(lines, unrated),
        rated,
        conduct(lines),
        payoffs(lines),
        efficiency(report.efficiencies),
        lengths(report.lengths),
    ]
    return [table for table in found if table.rows]


def marked(tables: Sequence[PlainTable], report: GamesReport) -> list[PlainTable]:
    """The tables, each of which says what is left out and that it is no finding where that is so:
    they go their own ways."""
    more = (*report.notes, *report.no_findings)
    return [
        msgspec.structs.replace(one, note="\n".join(filter(None, (one.note, *more))))
        for one in tables
    ]


def _lines(measures: Sequence[SeatMeasure]) -> Iterator[_Line]:
    rows: dict[tuple[str, PartKind, str, str], dict[MeasureName, SeatMeasure]] = {}
    for one in measures:
        key = one.ruleset, one.kind, one.part, one.model
        rows.setdefault(key, {})[one.measure] = one
    for (ruleset, kind, part, model), found in rows.items():
        yield _Line(ruleset=ruleset, kind=kind, part=part, model=model, found=found)


def _part(line: _Line) -> Cell:
    return line.part or "all"


def win_rates(lines: Sequence[_Line], unrated: Sequence[str] = ()) -> PlainTable:
    """How often seats of each team and role have won, by model; and why there are no ratings."""
    return table_of(
        "win-rates",
        "Win rates by role, team and model",
        [line for line in lines if "won" in line.found],
        _RULESET,
        PlainColumn("kind", only_csv=True),
        (PlainColumn("part", heading="team or role"), _part),
        PlainColumn("model"),
        (PlainColumn("seats", "number", only_csv=True), lambda line: line.count("won")),
        (PlainColumn("won", "figure"), lambda line: line.cell("won")),
        across=("model",),
        note="\n".join(["The share of a model's seats that have won.", BY_DEAL, *unrated]),
    )


def ratings(report: GamesReport) -> PlainTable:
    """How strong each model is, in all seats and as each team, as far as the games tell."""
    return table_of(
        "rating",
        "Ratings",
        [row for one in report.ratings if not one.why for row in one.rows],
        (_RULESET, lambda row: row.ruleset or "all"),
        (PlainColumn("side", heading="seats of"), lambda row: row.side or "all"),
        PlainColumn("model"),
        PlainColumn("games", "number"),
        (PlainColumn("rating", "figure"), _rating),
        note="\n".join(
            [
                f"Bradley and Terry's model of sides on Elo's scale: {MIDDLE:,} is the mean of the "
                "models, 400 more are odds of ten to one for a side that the model fills; ± half "
                "of the 95 % interval, clustered by deal.",
                *_unrated(report),
            ]
        ),
    )


def _rating(row: ModelRating) -> Cell:
    return figure_of(row.rating, ".0f")


def _unrated(report: GamesReport) -> Iterator[str]:
    """A sentence for each reason, with all that it is the reason for; where nothing is rated
    overall, nothing is said of its teams."""
    overall = {one.ruleset for one in report.ratings if one.why and not one.by_side}
    about: dict[str, list[str]] = {}
    for one in report.ratings:
        if one.why and not (one.by_side and one.ruleset in overall):
            title = report.rulesets.get(one.ruleset, "All rulesets")
            about.setdefault(one.why, []).append(title + ", by team" * one.by_side)
    for why, titles in about.items():
        yield f"{', '.join(titles)}: {why}"


def conduct(lines: Sequence[_Line]) -> PlainTable:
    """How the models played; by team where there is something to hide or to vote for."""
    return table_of(
        "conduct",
        "How the models played",
        [line for line in lines if line.kind == "all" or (line.kind == "team" and _telling(line))],
        _RULESET,
        (PlainColumn("team"), _part),
        PlainColumn("model"),
        (PlainColumn("seats", "number", only_csv=True), lambda line: line.count("turns")),
        (PlainColumn("right_votes", "figure", heading="votes\nright"), _cell("right_votes")),
        (PlainColumn("survived", "figure"), _cell("survived")),
        (PlainColumn("leaks", "figure"), _cell("leaks")),
        (PlainColumn("illegal", "figure", heading="illegal\ntries"), _cell("illegal")),
        (PlainColumn("turns", "figure"), _cell("turns")),
        note="\n".join(
            [
                "Votes right: public votes that name somebody of another team. Leaks: a game's "
                "messages to all in which the seat claims its hidden role or says its word. "
                "Illegal tries: a game's answers that could not be read or that the rules forbid, "
                "asked for again or given up. Turns: how often a seat acted in a game.",
                BY_DEAL,
            ]
        ),
    )


def _telling(line: _Line) -> bool:
    return any(line.cell(name) is not None for name in ("right_votes", "survived", "leaks"))


def payoffs(lines: Sequence[_Line]) -> PlainTable:
    """What the models got, beside the equilibrium."""
    return table_of(
        "payoffs",
        "Payoffs beside the equilibrium",
        [line for line in lines if "payoff" in line.found],
        _RULESET,
        (PlainColumn("role"), _part),
        PlainColumn("model"),
        (PlainColumn("seats", "number"), lambda line: line.count("payoff")),
        (PlainColumn("payoff", "figure"), _cell("payoff")),
        (PlainColumn("equilibrium", "number"), _equilibrium),
        note="\n".join(
            [
                "Means of a game. Equilibrium: what theory expects of the same seats in the same "
                "deals; a dash where there is no theory of all of them.",
                BY_DEAL,
            ]
        ),
    )


def _equilibrium(line: _Line) -> Cell:
    one = line.found.get("equilibrium")
    return one.found.value if one is not None and one.n == line.count("payoff") else None


def efficiency(rows: Sequence[Efficiency]) -> PlainTable:
    """How much of what could be had the models got together."""
    return table_of(
        "efficiency",
        "Payoffs of all beside the efficient outcome",
        rows,
        _RULESET,
        PlainColumn("models"),
        *numbers("games"),
        (PlainColumn("total", "figure"), lambda row: figure_of(row.total)),
        PlainColumn("efficient", "number"),
        (PlainColumn("share", "figure"), lambda row: figure_of(row.share)),
        note="\n".join(
            [
                "Means of a game. Efficient: the greatest sum of payoffs that the deal allows; "
                "share: the part of it that was had, where it is more than nothing.",
                BY_DEAL,
            ]
        ),
    )


def lengths(rows: Sequence[GameLength]) -> PlainTable:
    """How games ended, and after how long."""
    return table_of(
        "length",
        "Turns to the end",
        rows,
        _RULESET,
        (PlainColumn("ending"), lambda row: row.ending or "all"),
        *numbers("games"),
        (PlainColumn("rounds", "figure"), lambda row: figure_of(row.rounds)),
        (PlainColumn("turns", "figure"), lambda row: figure_of(row.turns)),
        note=f"All who act together take one turn.\n{BY_DEAL}",
    )


def _cell(name: MeasureName) -> Callable[[_Line], Cell]:
    return lambda line: line.cell(name)
