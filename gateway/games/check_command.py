"""``troupe games check``."""

import shlex
from pathlib import Path
from typing import Annotated

import typer

from actors.games.checks.ruleset_files import RulesFile
from actors.text.amounts import many
from gateway.cli.options import Json
from gateway.cli.terminal.errors import REFUSED
from gateway.cli.terminal.output import escape, heading, print_next, print_plain_json, say
from gateway.games.rules_files import checked_files

_SHOWN = 50
"""Remarks that are printed; the rest is counted."""


def check(
    files: Annotated[
        list[Path],
        typer.Argument(
            metavar="FILE…",
            help="A ruleset (TOML), a file of a catalog with [[ruleset]], SOTOPIA's config.json, "
            "or a folder of them.",
        ),
    ],
    json: Json = False,
) -> None:
    """Check files of rules.

    Lists everything that is wrong with each file, by line, and what would be right: names that
    there are not, phases that are never reached, games without an end, roles that nobody is dealt,
    ends that cannot hold, and so on. Nothing is stored. Exit code 1: there are errors that prevent
    an import.
    """
    found = checked_files(files)
    wrong = sum(len(one.errors) for one in found)
    if json:
        print_plain_json([_row(one) for one in found])
    else:
        for one in found:
            _print(one)
        drawn = next((one for one in found if _rulesets(one)), None)
        if drawn and not wrong:
            first, *more = _rulesets(drawn)
            which = f" --ruleset {first}" if more else ""
            file = shlex.quote(str(drawn.path))
            print_next([(f"troupe games draw {file}{which}", "the phases as a picture")])
    if wrong:
        raise typer.Exit(REFUSED)


def _rulesets(file: RulesFile) -> list[str]:
    """The ids of what a file holds."""
    return [rules.id for rules in file.own.rulesets] if file.own is not None else []


def _row(file: RulesFile) -> dict[str, object]:
    fields = ("grade", "line", "entry", "field", "why")
    remarks = [{field: getattr(one, field) for field in fields} for one in file.remarks]
    return {"file": str(file.path), "rulesets": _rulesets(file), "remarks": remarks}


def _print(file: RulesFile) -> None:
    warnings = len(file.remarks) - len(file.errors)
    counts = f"{many(len(file.errors), 'error')}, {many(warnings, 'warning')}"
    heading(f"{file.path}: {counts}" if file.remarks else f"{file.path}: nothing is wrong")
    if rulesets := _rulesets(file):
        say(f"rulesets: {escape(', '.join(rulesets))}", indent=2)
    ordered = sorted(file.remarks, key=lambda one: (one.grade, one.line))
    for one in ordered[:_SHOWN]:
        colour = "red" if one.grade == "error" else "yellow"
        say(f"[{colour}]{one.grade}[/] {escape(str(one))}", indent=2)
    if len(ordered) > _SHOWN:
        say(f"and {len(ordered) - _SHOWN} more; --json has them all", indent=2)
