"""``troupe sotopia hard``: which scenarios and seats are hard for a model."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from actors.episodes.catalogs.scenario_lists import write_scenario_list
from actors.social.setup import NAME
from evaluators.plugin import OVERALL
from evaluators.social import sotopia_eval
from evaluators.social.tables.hard_set import SIZE, HardSet, hard_set, hard_table
from evaluators.social.tables.read_tables import TableOptions, read_inputs
from evaluators.social.tables.table_input import TableInput
from events.base import Value
from gateway.cli.options import Json, RunIds, TableFormatOption, Unclean, open_session
from gateway.cli.terminal.output import (
    escape,
    note,
    print_result,
    print_several,
    say,
)
from gateway.errors import BadArgument, did_you_mean
from gateway.services.runs.facets import choices
from gateway.services.runs.resolve_ids import runs_meant
from gateway.social.sotopia.paper_tables import marks_of


class Reward(StrEnum):
    """The score that difficulty is about."""

    OVERALL = OVERALL
    GOAL = sotopia_eval.GOAL


class HardFound(Value, frozen=True, kw_only=True):
    """The hard set of some runs."""

    runs: tuple[str, ...]
    judge: str
    hard: HardSet
    overlap: dict[str, int]
    """With the set by the other reward, by its name."""
    no_findings: tuple[str, ...] = ()


def hard(
    run_ids: RunIds,
    target: Annotated[
        str, typer.Option("--target", metavar="MODEL", help="The model that falls behind.")
    ],
    reward: Annotated[
        Reward, typer.Option("--reward", help="The score that difficulty is about.")
    ] = Reward.OVERALL,
    size: Annotated[
        int, typer.Option("--size", metavar="N", min=1, help="How many are chosen.")
    ] = SIZE,
    judge: Annotated[
        str, typer.Option("--judge", "-j", metavar="JUDGE", help="By whose scores.")
    ] = "",
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", metavar="FILE", help="Write the list as JSON lines."),
    ] = None,
    unclean: Unclean = False,
    form: TableFormatOption = "text",
    json: Json = False,
) -> None:
    """Choose the scenarios and seats that are hard for a model.

    SOTOPIA-hard (section 7): where the upper end of the best model, mean and three deviations, lies
    farthest above the lower end of the target. `troupe sotopia tables --hard FILE` and `benchmark
    --task hard --hard FILE` read the list.
    """
    options = TableOptions(judges=(judge,) if judge else (), unclean=unclean)
    with open_session() as (_, store):
        runs = runs_meant(store, run_ids, NAME)
        inputs = read_inputs(store, runs, options)
        marks = tuple(marks_of(store, runs, inputs))
        titles = dict(one for run in runs for one in choices(store, run).scenarios)
    if not inputs:
        raise BadArgument("runs", " ".join(runs), "no judge has scored them; `troupe score` does")
    if len(inputs) > 1:
        names = ", ".join(one.judge.label for one in inputs)
        why = f"several judges have scored them; name one with --judge: {names}"
        raise BadArgument("runs", " ".join(runs), why)
    given = inputs[0]
    found = _chosen(given, target, reward, size)
    (other,) = (_chosen(given, target, one, size) for one in Reward if one is not reward)
    if not found.chosen:
        why = f"has no scenario and seat with two scores; {len(found.left_out)} have fewer"
        raise BadArgument("--target", target, why)
    if out is not None:
        _write(out, found)
    result = HardFound(
        runs=tuple(runs),
        judge=given.judge.label,
        hard=found,
        overlap={other.reward: found.overlap(other)},
        no_findings=marks,
    )
    table = hard_table(found, given.judge.label, titles, [other])
    if not print_result(result, json=json, form=form, tables=lambda: [table]):
        print_several([table])
        for text in marks:
            say(f"\n[yellow]{escape(text)}[/]")
    if out is not None:
        note(f"[dim]list: {escape(str(out))}[/]")


def _write(out: Path, found: HardSet) -> None:
    try:
        write_scenario_list(out, found.scenario_list.entries)
    except OSError as error:
        why = (error.strerror or "it cannot be written").lower()
        raise BadArgument("--out", str(out), f"cannot be written: {why}") from None


def _chosen(given: TableInput, target: str, reward: Reward, size: int) -> HardSet:
    seats = given.models
    known = sorted(seats.mind.there())
    if target not in known:
        why = f"no seat was played by it; models are {', '.join(known)}"
        raise BadArgument("--target", target, why + did_you_mean(target, known))
    if reward not in seats.dimensions:
        raise BadArgument("--reward", reward, f"{given.judge.label} did not score it")
    scale = given.scales[given.seats.dimensions.index(reward)]
    return hard_set(seats, scale, target, reward, size)
