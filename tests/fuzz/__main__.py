"""`make fuzz`: bad input for some minutes, and a table of what came of it.

    make fuzz MINUTES=10 SEED=0 ARGS="--kinds plans,jobs"

Exits with 1 when anything was found, and says how to repeat it.
"""

import argparse
import os
import sys
import tempfile
from contextlib import ExitStack
from pathlib import Path
from time import monotonic

from gateway.process.logs import set_up_logs
from tests.fuzz.kinds import KINDS
from tests.fuzz.playing import Kind, Played, play

SLICE_S = 2.0
"""Seconds for which one kind is played before the next has its turn."""


def fuzz(
    folder: Path, names: list[str], seed: int, minutes: float, most: int | None
) -> dict[str, Played]:
    """Play cases of each kind, by turns, printing each new sort of finding."""
    end = monotonic() + minutes * 60
    table = {name: Played() for name in names}
    with ExitStack() as stack:
        kinds: dict[str, Kind] = {}
        for name in names:
            own = folder / name
            own.mkdir()
            kinds[name] = stack.enter_context(KINDS[name](own))
        while monotonic() < end and (waiting := _waiting(table, most)):
            name = min(waiting, key=lambda name: table[name].seconds / KINDS[name].share)
            _play_some(kinds[name], seed, table[name], min(end, monotonic() + SLICE_S), most)
        for name, kind in kinds.items():
            try:
                kind.check_end()
            except Exception as error:  # noqa: BLE001 - that is what is looked for
                print(f"{name}: at the end: {error!r}", flush=True)
                table[name].sorts[f"at the end: {error!r}"] = 1
    return table


def _waiting(table: dict[str, Played], most: int | None) -> list[str]:
    return [name for name, played in table.items() if most is None or played.cases < most]


def _play_some(kind: Kind, seed: int, played: Played, until: float, most: int | None) -> None:
    while monotonic() < until and (most is None or played.cases < most):
        known = set(played.findings)
        play(kind, seed, played.cases, played)
        for sort in set(played.findings) - known:
            print(f"\n{played.findings[sort]}\n", flush=True)


def said(table: dict[str, Played], seed: int) -> str:
    """The table in words."""
    head = f"{'kind':<12}{'cases':>10}{'cases/s':>10}{'a CPU s':>10}{'findings':>10}"
    lines = [f"seed {seed}", head]
    for name, one in [*table.items(), ("all", _sum(table))]:
        rate = one.cases / one.seconds if one.seconds else 0
        of_cpu = one.cases / one.cpu_s if one.cpu_s else 0
        found = sum(one.sorts.values())
        lines.append(f"{name:<12}{one.cases:>10,}{rate:>10,.0f}{of_cpu:>10,.0f}{found:>10,}")
    for name, one in table.items():
        lines += [f"{name}: {count} times {sort}" for sort, count in one.sorts.items()]
    return "\n".join(lines)


def _sum(table: dict[str, Played]) -> Played:
    whole = Played()
    for one in table.values():
        whole.cases += one.cases
        whole.seconds += one.seconds
        whole.cpu_s += one.cpu_s
        whole.sorts |= one.sorts
    return whole


def one_case(folder: Path, name: str, seed: int, number: int) -> Played:
    """Play one case again, with its whole trace."""
    played = Played()
    folder = folder / name
    folder.mkdir()
    with KINDS[name](folder) as kind:
        play(kind, seed, number, played)
        kind.check_end()
    for finding in played.findings.values():
        print(f"{finding.trace}\n{finding}")
    return played


def main() -> int:
    """Play what was asked for."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.fuzz",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--minutes", type=float, default=10, help="for how long; default: 10")
    parser.add_argument(
        "--seed", type=int, default=0, help="what all that is random follows from; default: 0"
    )
    parser.add_argument(
        "--kinds", default=",".join(KINDS), help="names, with commas between; default: all"
    )
    parser.add_argument("--cases", type=int, help="of each kind, at most")
    parser.add_argument("--case", type=int, help="the number of one case to play again")
    asked = parser.parse_args()
    names = asked.kinds.split(",")
    for name in names:
        if name not in KINDS:
            parser.error(f"there is no kind {name!r}, but {', '.join(KINDS)}")
    os.environ["TROUPE_LOG"] = "error"  # for the commands, each of which sets the logs up anew
    set_up_logs("error")
    with tempfile.TemporaryDirectory(prefix="troupe-fuzz-") as temporary:
        folder = Path(temporary)
        if asked.case is not None:
            played = one_case(folder, names[0], asked.seed, asked.case)
            print("nothing was found" if not played.sorts else "")
            return int(bool(played.sorts))
        begin = monotonic()
        table = fuzz(folder, names, asked.seed, asked.minutes, asked.cases)
        print(f"\n{said(table, asked.seed)}\nin {monotonic() - begin:,.0f} s")
    return int(any(one.sorts for one in table.values()))


if __name__ == "__main__":
    sys.exit(main())
