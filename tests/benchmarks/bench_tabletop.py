"""Sessions at a table: played with everything stored, calls in transcripts, virtual game masters,
and tables of people.

python -m tests.benchmarks.bench_tabletop
"""

import tempfile
import time
from collections.abc import Iterator
from itertools import cycle, islice

from actors.social.rehearsal import RehearsalMind as SocialMind
from actors.tabletop.rehearsal import RehearsalMind
from evaluators.tabletop.calls.cast import Cast, found_cast
from evaluators.tabletop.calls.samples import samples_of
from evaluators.tabletop.calls.transcripts import Transcript, read_transcript
from evaluators.tabletop.gap.real_data import OWN
from evaluators.tabletop.virtual_dms.linear import LinearDM
from events.ids import EPISODE, new_id
from gateway.process.worker_node import WorkerNode
from tests.benchmarks.bench_scores import use_of
from tests.benchmarks.bench_socket import SeatedPeople, on_gateway
from tests.benchmarks.bench_turns import turns_per_second
from tests.benchmarks.episodes import on_worker_node, play_all
from tests.benchmarks.speed import machine_speed
from tests.benchmarks.table import Row
from tests.benchmarks.table_sessions import sessions
from tests.evaluators.tabletop.play import played
from tests.properties.published import DATA

SESSIONS, TURNS, AT_ONCE = 600, 30, 300
MANY_TURNS = 400_000
SAMPLES = 600
TABLES, SEATS = 20, 5
TURN_S, PLAY_S = 0.5, 20.0


async def played_and_stored(bench: WorkerNode) -> tuple[float, float, int]:
    """Seconds for all sessions, microseconds of this process's CPU a turn, and turns; warmed up."""
    bench.episodes.make_mind = lambda *_: RehearsalMind("plain")
    setups = cycle(sessions(SESSIONS, TURNS))
    await play_all(bench, _ids(20), lambda _: next(setups), 20)
    head = bench.store.head()
    wall, cpu = time.perf_counter(), time.process_time()
    await play_all(bench, _ids(SESSIONS), lambda _: next(setups), AT_ONCE)
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    turns = len(bench.store.read_all(head, tags=["ActionTaken"], limit=SESSIONS * TURNS))
    return wall, 1e6 * cpu / turns, turns


def demo() -> Row:
    """What a newcomer sees, in a process of its own."""
    with tempfile.TemporaryDirectory(prefix="troupe-bench-") as folder:
        wall = use_of(["tabletop", "demo"], {"TROUPE_DATA_DIR": folder}).seconds
    seconds = 10 / machine_speed()
    return Row(
        "the demo: sessions of three tempers, both tables",
        f"{wall:.1f} s",
        "",
        f"≤ {seconds:.0f} s: 10 s at speed 1",
        wall <= seconds,
    )


def stored() -> Iterator[Row]:
    """Sessions beside turns of social episodes."""
    _, social = on_worker_node(
        lambda bench: turns_per_second(bench, lambda: SocialMind("generous"))
    )
    wall, cpu, turns = on_worker_node(played_and_stored)
    seconds = 15 / machine_speed()
    yield Row(
        f"{SESSIONS} sessions of {TURNS} turns, NATS and store",
        f"{wall:.1f} s",
        f"{turns:,} turns",
        f"≤ {seconds:.0f} s: 15 s at speed 1",
        wall <= seconds,
    )
    yield Row(
        "  a turn of theirs, five seats, rehearsal",
        f"{cpu:.0f} µs CPU",
        f"a social turn: {social:.0f} µs CPU",
        "≤ 2 ×",
        cpu <= 2 * social,
    )


def transcripts() -> tuple[list[Transcript], Cast | None, str]:
    """The four published sessions where they are there, else Troupe's own."""
    published = sorted((DATA / "crd3").glob("C1E*.json"))
    found = [read_transcript(path) for path in published or sorted(OWN.glob("*.json"))]
    return found, found_cast(found), "four sessions" if published else "own sessions"


def calls() -> Iterator[Row]:
    """Calls found in transcripts, reading and decoding included, and without it in many."""
    wall = time.perf_counter()
    found, cast, name = transcripts()
    assert cast is not None, "they have calls"
    count = len(samples_of(found, cast).samples)
    wall = time.perf_counter() - wall
    turns = sum(len(one.turns) for one in found)
    yield Row(
        f"calls from {name}",
        f"{wall:.2f} s",
        f"{count} calls in {turns:,} turns",
        "≤ 0.5 s",
        wall <= 0.5,
    )
    many = list(islice(cycle(found), MANY_TURNS * len(found) // turns))
    all_turns = sum(len(one.turns) for one in many)
    wall = time.perf_counter()
    samples_of(many, cast)
    rate = all_turns / (time.perf_counter() - wall)
    yield Row(
        f"  from {all_turns:,} turns", f"{rate:,.0f} turns/s", "", "≥ 50,000/s", rate >= 50_000
    )


def linear() -> Iterator[Row]:
    """The linear virtual game master on played sessions, which have four labels each."""
    samples = [
        sample
        for number in range(1, SAMPLES + 1)
        if (sample := played(f"intention-{number}", "coloured").sample) is not None
    ]
    LinearDM(1).fit(samples[:20])  # What it imports is not measured.
    dm, wall = LinearDM(1), time.perf_counter()
    dm.fit(samples)
    wall = time.perf_counter() - wall
    labels = sum(len(one.labels) for one in samples)
    yield Row(
        f"linear, fitted on {len(samples)} samples",
        f"{wall:.1f} s",
        f"{labels:,} labels",
        "≤ 10 s",
        wall <= 10,
    )
    wall = time.perf_counter()
    dm.predict_all(samples)
    rate = len(samples) / (time.perf_counter() - wall)
    yield Row("  predictions", f"{rate:,.0f}/s", "", "≥ 1,000/s", rate >= 1_000)


people = SeatedPeople(
    begin="tables",
    name="table",
    episodes=TABLES,
    seats=SEATS,
    turn_s=TURN_S,
    play_s=PLAY_S,
    act=lambda text: {"text": text},
    counts=lambda entry, _: bool(entry["text"]),
)
"""From a move to the screen of each at the table, the mover's too."""


def tables_of_people() -> Iterator[Row]:
    """Sessions in which all five seats are people."""
    late, median, count = on_gateway(people)
    expected = TABLES * SEATS * PLAY_S / TURN_S
    yield Row(
        f"{TABLES} tables of {SEATS} people, turn to all, p99",
        f"{late:.0f} ms",
        f"median {median:.0f} ms; {count:,} of ~{expected:,.0f} screens",
        "≤ 100 ms",
        late <= 100,
    )


def rows() -> Iterator[Row]:
    """The table."""
    yield demo()
    yield from stored()
    yield from calls()
    yield from linear()
    yield from tables_of_people()


def _ids(number: int) -> list[str]:
    return [new_id(EPISODE) for _ in range(number)]


def main() -> None:
    """Print the table."""
    for row in rows():
        print(row, flush=True)


if __name__ == "__main__":
    main()
