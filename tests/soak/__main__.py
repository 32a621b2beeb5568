"""`make soak`: feed a real server with small runs, and see whether it grows.

    make soak MINUTES=10 SEED=0 ARGS="--fleet"

Exits with 1 when something grew with the work that was done, with 2 when that was
too little.
"""

import argparse
import asyncio
import sys
import tempfile
from pathlib import Path

from gateway.process.logs import set_up_logs
from tests.soak.feeding import Feeder
from tests.soak.figures import Sample
from tests.soak.picture import HEADING, line, verdict
from tests.soak.processes import place_in
from tests.soak.sampling import sample
from tests.soak.verdict import MEASURED, TooFew, growth
from tests.soak.visitors import visit, watch
from tests.support.servers.stub_llm import StubServer, StubSettings

AT_ONCE = 4
"""Runs under way."""
SAMPLES = 60
"""In all, unless that were more than one in ``OFTEN_S``."""
OFTEN_S = 1.0


async def soak(asked: argparse.Namespace, folder: Path) -> dict[str, list[Sample]]:
    """The samples of each process."""
    seconds = 60 * asked.minutes
    print(f"seed {asked.seed}; {AT_ONCE} runs at once for {asked.minutes:g} minutes\n\n{HEADING}")
    async with (
        StubServer(StubSettings(keep_bodies=False)) as stub,
        place_in(folder, fleet=asked.fleet) as place,
    ):
        feeder = Feeder(place, stub.url, asked.seed, AT_ONCE)
        others = [feeder.feed(), visit(place), watch(place, asked.seed)]
        busy = [asyncio.ensure_future(one) for one in others]
        looking = asyncio.ensure_future(
            sample(place, feeder.gate, seconds, max(OFTEN_S, seconds / SAMPLES), _show)
        )
        await asyncio.wait({looking, *busy}, return_when=asyncio.FIRST_COMPLETED)
        for task in busy:
            task.cancel()
        failed = [one for one in await asyncio.gather(*busy, return_exceptions=True) if one]
        wrong = [one for one in failed if not isinstance(one, asyncio.CancelledError)]
        if wrong:
            looking.cancel()
            raise ExceptionGroup("the soak itself", [e for e in wrong if isinstance(e, Exception)])
        if asked.types:
            for process in place.watched:
                await process.inside(asked.types / f"{process.name}.types")
        return await looking


def _show(name: str, one: Sample) -> None:
    print(line(name, one), flush=True)


def judged(name: str, samples: list[Sample]) -> bool:
    """Print what became of a process; whether it is flat."""
    print(f"\n{name}: growth for 1,000 episodes, in the second half of {samples[-1].episodes:,}")
    grown = []
    for what, measured in MEASURED.items():
        found = growth(samples, measured)
        print(verdict(what, measured, found, samples))
        grown.append(found.grows)
    return not any(grown)


def main() -> int:
    """Soak, and say what came of it."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.soak",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--minutes", type=float, default=10, help="for how long; default: 10")
    parser.add_argument(
        "--seed", type=int, default=0, help="what all that is random follows from; default: 0"
    )
    parser.add_argument(
        "--fleet", action="store_true", help="a server and a worker on PostgreSQL, and a NATS"
    )
    parser.add_argument("--types", type=Path, help="a folder for the numbers of objects by type")
    parser.add_argument("--keep", type=Path, help="a new folder for the store and the logs")
    asked = parser.parse_args()
    set_up_logs("error")
    with tempfile.TemporaryDirectory(prefix="troupe-soak-") as folder:
        place = asked.keep or Path(folder)
        place.mkdir(parents=True, exist_ok=True)
        samples = asyncio.run(soak(asked, place))
    try:
        flat = [judged(name, found) for name, found in samples.items()]
    except TooFew as error:
        print(f"\n{error}")
        return 2
    return int(not all(flat))


if __name__ == "__main__":
    sys.exit(main())
