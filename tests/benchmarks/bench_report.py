"""What it takes to report 20 models on 56 world trees: each walked ten times, all samples asked.

    python -m tests.benchmarks.bench_report

The trees are the published ones where they are there (``TROUPE_PUBLISHED_DATA``), else copies of
our own. Each command runs in a process of its own; its time is from start to exit.
"""

import tempfile
from collections.abc import Iterator
from contextlib import closing
from itertools import cycle, islice
from pathlib import Path

from actors.worldtree.catalog_items import Catalog
from actors.worldtree.environment import WORLDTREE
from actors.worldtree.formats.files import read_path
from actors.worldtree.trees.tree import Tree
from events.base import replace
from gateway.process.logs import set_up_logs
from store.open_store import open_store
from tests.benchmarks.bench_scores import use_of
from tests.benchmarks.table import Row
from tests.benchmarks.worldtree_run import RUN, write_run
from tests.properties.published import WORLD_TREES

TREES, MINDS, WALKS = 56, 20, 10
GOAL_S = 20


def trees() -> tuple[list[Tree], str]:
    """56 trees, and whose they are."""
    if WORLD_TREES.is_dir():
        return read_path(WORLD_TREES).trees, "published trees"
    starter = WORLDTREE.starter()
    own = starter.trees if isinstance(starter, Catalog) else ()
    copies = enumerate(islice(cycle(own), TREES))
    return [replace(tree, id=f"{tree.id}-{place}") for place, tree in copies], "copies of our trees"


def rows() -> Iterator[Row]:
    """The table."""
    with tempfile.TemporaryDirectory(prefix="troupe-bench-") as name:
        folder = Path(name)
        url = f"sqlite:///{folder}/troupe.db"
        found, whose = trees()
        with closing(open_store(url, durable=False)) as store:
            episodes = write_run(store, found, MINDS, WALKS)
        environment = {"TROUPE_DATABASE_URL": url, "TROUPE_DATA_DIR": name}
        what = f"{MINDS} models, {len(found)} {whose}, {episodes:,} episodes"
        for command, arguments in (
            ("troupe worldtree report", ("worldtree", "report", RUN, "--paper", "-o", name)),
            ("troupe report", ("report", RUN, "-o", str(folder / "report.html"))),
        ):
            use = use_of(arguments, environment)
            yield Row(
                f"{command}, {what}",
                f"{use.seconds:.1f} s, {use.mib:,.0f} MiB",
                f"processor {use.processor_s:.1f} s",
                f"≤ {GOAL_S} s",
                use.seconds <= GOAL_S,
            )
        yield Row("its page", f"{(folder / 'index.html').stat().st_size / 1e6:,.1f} MB")


def main() -> None:
    """Print the table."""
    set_up_logs("warning")
    for row in rows():
        print(row, flush=True)


if __name__ == "__main__":
    main()
