"""Tables 1 and 2 of AntEval for our own models, and what stands beside them."""

from collections.abc import Callable, Iterable, Sequence
from typing import Final

import msgspec

from evaluators.tables.plain_tables import (
    Cell,
    DisplayValue,
    Figure,
    PlainColumn,
    PlainTable,
    numbers,
    table_of,
)
from evaluators.tabletop.gap import published
from evaluators.tabletop.gap.results import DMGap, FPart, GapReport, PlayingModel, Spread

_STANDS_IN: Final = (
    "The paper's real sessions are not published. What stands in for them here: {data}."
)


def _number(name: str, heading: str) -> PlainColumn:
    return PlainColumn(name, "figure", heading=heading)


def cell(spread: Spread) -> Figure:
    return Figure(value=spread.value, low=spread.low, high=spread.high, n=spread.n)


def tables_of(report: GapReport) -> list[PlainTable]:
    """All tables, those of the paper first."""
    found = [table_1(report)]
    if report.gaps:
        found += [table_2(report), sample_means(report)]
    found.append(conduct(report))
    if report.gaps:
        found += [_parts(report, "rule", report.by_rule), _parts(report, "skill", report.by_skill)]
        found.append(confusion(report))
    if report.low_p:
        found.append(low_p(report))
    return found


def marked(tables: Iterable[PlainTable], report: GapReport) -> list[PlainTable]:
    """The tables, each of which says that it is no finding where that is so: they go their own
    ways."""
    return [
        msgspec.structs.replace(one, note="\n".join(filter(None, (one.note, *report.no_findings))))
        for one in tables
    ]


def table_1(report: GapReport) -> PlainTable:
    """Each playing model's P, and its gap by the first virtual game master."""
    dm = report.gaps[0].dm if report.gaps else ""
    gaps = {one.model: one for one in report.gaps if one.dm == dm}

    def of(part: Callable[[DMGap], Spread]) -> Callable[[PlayingModel], Cell]:
        return lambda row: cell(part(gaps[row.model])) if row.model in gaps else None

    known = tuple((row.model, None, *map(_percent, row[1:])) for row in published.ROWS)
    return table_of(
        "table-1",
        "Table 1: information exchanged and intentions expressed",
        report.models,
        PlainColumn("model"),
        (
            _number("p", "P ↑"),
            lambda row: cell(row.information.p) if row.information else None,
        ),
        (_number("f_generated_characters", "f_g^c ↑"), of(lambda one: one.characters.generated)),
        (_number("gap_characters", "G^c ↓"), of(lambda one: one.characters.gap)),
        (_number("f_generated_tuples", "f_g^o ↑"), of(lambda one: one.tuples.generated)),
        (_number("gap_tuples", "G^o ↓"), of(lambda one: one.tuples.gap)),
        foot=known,
        note=_note(report, dm),
    )


def _percent(value: float | str) -> Cell:
    return DisplayValue(value, f"{value:.2f}")


def _note(report: GapReport, dm: str) -> str:
    judges = ", ".join(
        dict.fromkeys(one.information.judge for one in report.models if one.information)
    )
    lines = [
        "All figures in per cent, ± half of the 95 % interval"
        + (f"; of P over sessions, scored by {judges}" if judges else "")
        + (f"; of f and G over {len(report.seeds)} seeds" if report.gaps else "")
        + ".",
    ]
    if report.gaps:
        failures = list(_failures(report, dm))
        lines += [
            _STANDS_IN.format(data=report.real_data),
            f"Virtual game master: {dm}. {_range(report.trained_on)} samples in each training set; "
            f"{_range(report.held_out)} of {_range(report.held_out_sessions)} other real sessions "
            f"are {'read' if failures else 'scored, the same for all'}.",
            *failures,
            "G is missing where both f are zero"
            + (", and f and G where no sample was scored" if failures else "")
            + ". An f_g above f_r makes a gap, too.",
        ]
    return "\n".join([*lines, *report.left_out, *report.cautions, published.NOTE])


def _range(values: Sequence[int]) -> str:
    low, high = min(values), max(values)
    return f"{low:,}" if low == high else f"{low:,} to {high:,}"


def table_2(report: GapReport) -> PlainTable:
    """All virtual game masters: f_0, f_g, f_r and G."""
    columns = [
        (
            _number(f"{name}_{over}", f"{short}^{letter}"),
            lambda row, over=over, field=field: cell(getattr(getattr(row, over), field)),
        )
        for over, letter in (("characters", "c"), ("tuples", "o"))
        for name, short, field in (
            ("f_untrained", "f_0", "untrained"),
            ("f_generated", "f_g", "generated"),
            ("f_real", "f_r", "real"),
            ("gap", "G", "gap"),
        )
    ]
    return table_of(
        "table-2",
        "Table 2: playing models and virtual game masters",
        report.gaps,
        PlainColumn("model"),
        PlainColumn("dm", heading="virtual\nDM"),
        *columns,
        *[
            (
                PlainColumn(f"failed_{name}", "number", only_csv=True),
                lambda row, name=name: getattr(row.failed, name),
            )
            for name in ("untrained", "generated", "real")
        ],
        note="\n".join(
            [
                "Of characters (c) and of tuples (o): untrained, trained on the model's sessions, "
                "and on real ones.",
                *_untrained(report),
                _STANDS_IN.format(data=report.real_data),
                *_failures(report),
            ]
        ),
    )


def _untrained(report: GapReport) -> Iterable[str]:
    return (f"f_0 of {dm}: {what}." for dm, what in report.untrained_is.items())


def _failures(report: GapReport, dm: str = "") -> Iterable[str]:
    """How many samples have no answer, by playing model; ``dm``: by that virtual game master
    alone."""
    for row in report.gaps:
        if dm in ("", row.dm) and any(failed := msgspec.structs.astuple(row.failed)):
            yield (
                f"{row.model}, {row.dm}: no answer for {failed[0]} samples untrained, {failed[1]} "
                f"trained on its sessions, {failed[2]} on real ones; they are not counted."
            )


def sample_means(report: GapReport) -> PlainTable:
    """Means of per-sample F, which the paper may have meant."""
    columns = [
        (
            PlainColumn(f"{name}_{over}", "number", heading=f"{short}^{letter}"),
            lambda row, over=over, name=name: getattr(getattr(row, over), name),
        )
        for over, letter in (("characters", "c"), ("tuples", "o"))
        for name, short in (
            ("mean_untrained", "f_0"),
            ("mean_generated", "f_g"),
            ("mean_real", "f_r"),
        )
    ]
    return table_of(
        "sample-means",
        "Mean of the samples' own F",
        report.gaps,
        PlainColumn("model"),
        PlainColumn("dm", heading="virtual\nDM"),
        *columns,
        note="\n".join(
            [
                "Beside Table 2, whose F are of counts summed over samples; the paper does not say "
                "which it means.",
                *_untrained(report),
            ]
        ),
    )


def conduct(report: GapReport) -> PlainTable:
    """How each model played."""

    def share(name: str) -> Callable[[PlayingModel], Cell]:
        def of(row: PlayingModel) -> Cell:
            value: float | None = getattr(row, name)
            return None if value is None else 100 * value

        return of

    return table_of(
        "conduct",
        "How the models played",
        report.models,
        PlainColumn("model"),
        *numbers("exchange_sessions", "intention_sessions", "unfinished", only_csv=True),
        (
            PlainColumn("sessions", "number", only_people=True),
            lambda row: row.exchange_sessions + row.intention_sessions,
        ),
        (
            PlainColumn("broken_percent", "number", heading="format\nbroken"),
            share("broken_share"),
        ),
        (
            PlainColumn("repeated_percent", "number", heading="turns\nrepeated"),
            share("repeated_share"),
        ),
        (
            PlainColumn("named_percent", "number", heading="skill\nnamed"),
            share("named_share"),
        ),
        note="In per cent: answers that broke the format; turns with eight words in a row that "
        "were said before in the session; seats that say the name of the skill they are to use.",
    )


def _parts(report: GapReport, what: str, parts: Sequence[FPart]) -> PlainTable:
    models = list(dict.fromkeys(one.model for one in report.gaps))
    title = {
        "rule": "f of tuples by the rule that says who was asked",
        "skill": "f of tuples by skill",
    }[what]
    return table_of(
        f"by-{what}",
        title,
        parts,
        (PlainColumn(what), lambda row: row.part),
        PlainColumn("dm", heading="virtual\nDM"),
        PlainColumn("samples", "number"),
        (PlainColumn("f_real", "number", heading="f_r^o"), lambda row: row.real),
        *[
            (
                PlainColumn(f"f_{model}", "number", heading=f"f_g^o\n{model}"),
                lambda row, model=model: row.generated[model],
            )
            for model in models
        ],
        note="In per cent; held-out samples of all seeds together.",
    )


def confusion(report: GapReport) -> PlainTable:
    """Which skill was read as which, where the character was read rightly."""
    return table_of(
        "confusion",
        "Skills read as others",
        [one for one in report.confusion if one.right != one.read],
        PlainColumn("model"),
        PlainColumn("dm", heading="virtual\nDM"),
        (PlainColumn("right", heading="meant"), lambda row: row.right),
        PlainColumn("read", heading="read as"),
        PlainColumn("count", "number", heading="times"),
        note="By the virtual game master trained on the model's sessions, in the held-out samples "
        "of all seeds, where it named the right character.",
    )


def low_p(report: GapReport) -> PlainTable:
    """Sessions in which the players found out least."""
    return table_of(
        "low-p",
        "Sessions with low p to read",
        report.low_p,
        PlainColumn("episode", "id"),
        PlainColumn("task"),
        PlainColumn("model"),
        PlainColumn("p", "number"),
        note="The mean of p over the session's players, the lowest first; `troupe show EPISODE`.",
    )
