"""`make chaos`: rounds of chaos, and a table of what came of them.

    make chaos ROUNDS=20 SEED=0 ARGS="--only kill-worker --keep FOLDER"

Exits with 1 when anything was wrong, and says how to repeat it.
"""

import argparse
import asyncio
import logging
import sys
import tempfile
from pathlib import Path

from gateway.process.logs import set_up_logs
from tests.faults.chaos.faults import FAULTS
from tests.faults.chaos.rounds import Round, play_rounds
from tests.faults.chaos.table import Table


async def chaos(folder: Path, rounds: int, seed: int, only: str = "") -> Table:
    """Play, printing each round; ends early when something is wrong."""
    table = Table()
    async for played in play_rounds(folder, rounds, seed, only):
        table.rounds.append(played)
        print(line(played), flush=True)
        if played.violations:
            break
    return table


def line(played: Round) -> str:
    """A round in one line."""
    kinds = " + ".join(struck.kind for struck in played.struck)
    return (
        f"{played.seed:>6}  {kinds:<32} {played.events:>6,} events  {played.asked:>5} requests  "
        f"{played.seconds:>5.1f} + {played.looked:.1f} s  {played.crossed} crossed  "
        f"{len(played.violations)} violations"
    )


def main() -> int:
    """Play the rounds asked for."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.faults.chaos",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--rounds", type=int, default=20, help="how many; default: 20")
    parser.add_argument(
        "--seed", type=int, default=0, help="what all that is random follows from; default: 0"
    )
    parser.add_argument("--only", choices=FAULTS, default="", help="the fault of every round")
    parser.add_argument("--keep", type=Path, help="a folder for what the processes print")
    asked = parser.parse_args()
    set_up_logs("error")
    # It warns of each connection that a killed server has left behind.
    logging.getLogger("psycopg").setLevel(logging.ERROR)
    with tempfile.TemporaryDirectory(prefix="troupe-chaos-") as folder:
        place = asked.keep or Path(folder)
        table = asyncio.run(chaos(place, asked.rounds, asked.seed, asked.only))
    print(f"\n{table}")
    return int(bool(table.violations))


if __name__ == "__main__":
    sys.exit(main())
