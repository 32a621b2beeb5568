"""``troupe worldtree check``."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Final

import typer
from msgspec import to_builtins
from msgspec.structs import asdict

from actors.text.amounts import many
from actors.worldtree.formats.files import FoundTrees, files_of, read_files
from actors.worldtree.formats.tree_names import pairs_in
from actors.worldtree.trees.balance import Balance, balance
from actors.worldtree.trees.chance_level import chance
from actors.worldtree.trees.defects import GRADES, KINDS, Defect, counts, graded
from actors.worldtree.trees.tree import Tree
from gateway.cli.options import Json
from gateway.cli.terminal.errors import REFUSED
from gateway.cli.terminal.output import (
    Column,
    escape,
    heading,
    numbers,
    print_pairs,
    print_plain_json,
    print_table,
    say,
)

_SHOWN: Final = 20
"""Defects of a grade that are printed; `--json` has all."""
_TREES: Final = 30
"""Trees that are listed."""
_STYLES: Final = {"fatal": "red", "tree": "yellow", "question": "yellow", "small": "dim"}


def check(
    files: Annotated[
        list[Path],
        typer.Argument(metavar="FILE", help="JSON files of trees, or folders of such files."),
    ],
    strict: Annotated[
        bool, typer.Option("--strict", help="Exit with code 1 for any defect.")
    ] = False,
    json: Json = False,
) -> None:
    """Check world trees, and report their defects.

    Reports each defect with its file, node and field. Counts the abilities that are asked about,
    tests whether the length, the position or the polarity of options gives the answer away, and
    computes how often random choices succeed. Nothing is stored. Exit code 1: a defect is fatal, so
    that the tree cannot be imported.
    """
    found = read_files(path for file in files for path in files_of(file))
    measured = balance(found.trees)
    if json:
        print_plain_json(_as_json(found, measured))
    else:
        print_found(found)
        print_trees(found.trees)
        print_defects(found.defects)
        if found.trees:
            _print_balance(measured, len(found.trees))
    if (strict and found.defects) or found.refused:
        raise typer.Exit(REFUSED)


def print_found(found: FoundTrees) -> None:
    """What files hold, in a sentence."""
    zh = sum(tree.language == "zh" for tree in found.trees)
    parts = [many(found.files, "file"), many(len(found.trees), "tree")]
    if found.trees:
        parts[-1] += f" ({zh} zh, {len(found.trees) - zh} en)"
        parts.append(f"{many(pairs_in(found.trees), 'pair')} of translations")
    if found.samples:
        parts.append(many(len(found.samples), "sample"))
    if found.refused:
        parts.append(f"[red]{len(found.refused)} refused[/]")
    say(", ".join(parts))


def print_trees(trees: Sequence[Tree]) -> None:
    """A line a tree."""
    if not trees or len(trees) > _TREES:
        return
    rows = []
    for tree in trees:
        goals = [node.goal for node in tree.nodes if node.kind == "ending"]
        endings = "/".join(str(goals.count(goal)) for goal in (2, 1, 0, None))
        share = _percent(chance(tree).achieved)
        rows.append([tree.id, tree.orientation, len(tree.nodes), endings, share])
    columns: list[Column | str] = [
        Column("Tree", "id"),
        "Orientation",
        *numbers("Nodes", "Endings*", "Chance"),
    ]
    say()
    print_table(columns, rows)
    say("[dim]* achieved/partly/not/without a goal; chance: how often it achieves[/]")


def print_defects(defects: Sequence[Defect], shown: int = _SHOWN) -> None:
    """How many there are of each kind, and the first of each grade."""
    if not defects:
        say("\nNo defect.")
        return
    heading("Defects")
    found = counts(defects)
    rows = [
        [kind.grade, kind.words, found[name]] for name, kind in KINDS.items() if found.get(name)
    ]
    print_table(["Grade", "What", *numbers("How many")], rows)
    for grade in GRADES if shown else ():
        some = graded(defects, grade)
        if not some:
            continue
        heading(grade.capitalize())
        for defect in some[:shown]:
            say(f"[{_STYLES[grade]}]{escape(str(defect))}[/]", indent=2)
        if len(some) > shown:
            say(f"and {len(some) - shown:,} more; --json has them all", indent=2)


def _print_balance(found: Balance, trees: int) -> None:
    heading("Balance")
    missing = found.missing
    asked = sorted(found.abilities.items(), key=lambda one: -one[1])
    polarity = ", ".join(f"{name}: {count}" for name, count in found.polarity.items())
    on_way = ", ".join(f"{name}: {count}" for name, count in found.on_way.items())
    off = abs(found.longest - 0.25) > found.off
    pairs = [
        ("questions", f"{found.questions} can be asked, of {found.of}"),
        (
            "abilities",
            f"{len(asked) - len(missing)} of {len(asked)} are asked about"
            + (
                f"; not {escape(', '.join(missing))}" if 0 < len(missing) <= len(asked) // 2 else ""
            ),
        ),
    ]
    if found.questions:
        share = f"{100 * found.longest:.0f} %"
        pairs += [
            (
                "most asked",
                escape(", ".join(f"{name} {count}" for name, count in asked[:3] if count)),
            ),
            (
                "length",
                f"the right option is the longest in {share}, the shortest in "
                f"{100 * found.shortest:.0f} % of questions (25 % by chance); it has "
                f"{found.right_length:.0f} characters, distractors {found.wrong_length:.0f}"
                + ("; [yellow]its length gives it away[/]" if off else ""),
            ),
        ]
    pairs += [
        ("polarity", f"of options {polarity}"),
        ("", f"of those after which success is possible {on_way}"),
        ("chance", f"{_percent(found.chance)} (mean over trees)"),
        ("ceiling", f"success is possible in {found.ceiling} of {trees}"),
        (
            "always the",
            "; ".join(f"{name}: {count} of {trees}" for name, count in found.always.items()),
        ),
    ]
    print_pairs(pairs, indent=2)


def _as_json(found: FoundTrees, measured: Balance) -> dict[str, object]:
    return {
        "files": found.files,
        "refused": found.refused,
        "trees": [
            {
                "id": tree.id,
                "source": tree.source,
                "language": tree.language,
                "orientation": tree.orientation,
                "pair": tree.pair,
                "nodes": len(tree.nodes),
                "chance": to_builtins(chance(tree)),
            }
            for tree in found.trees
        ],
        "samples": len(found.samples),
        "counts": dict(counts(found.defects)),
        "defects": [{"grade": one.grade, **asdict(one)} for one in found.defects],
        "balance": {**to_builtins(measured), "missing": list(measured.missing)},
    }


def _percent(share: float) -> str:
    """What can happen is never shown as 0."""
    if 0 < share < 0.0005:
        return f"{100 * share:.1g} %"
    return f"{100 * share:.1f} %"
