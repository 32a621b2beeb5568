"""Comparing some projections in a process of its own: Python uses one core a process.

The task comes by standard input: everybody can read a command line, and the store's address may
hold a password. The outcome goes out by standard output.
"""

import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager

import msgspec

from events.serialization.codec import UnreadableEvent
from events.serialization.struct_types import decodable
from events.untrusted.safe_text import shortened
from store.database.transient_errors import reason
from store.errors import StoreError
from store.log.event_store import EventStore
from store.open_store import open_store
from store.projections.maintenance.shadow_tables import open_shadow_tables
from store.projections.registry import named
from store.verification.database_checks import database_errors
from store.verification.defects import Defect, Defects
from store.verification.table_comparison import compare


class CompareTask(msgspec.Struct, frozen=True):
    url: str
    projections: tuple[str, ...]
    last: int
    """The position up to which the tables are at least to be compared."""


class CompareOutcome(msgspec.Struct, frozen=True):
    tables: int = 0
    """How many were compared."""
    defects: tuple[Defect, ...] = ()
    failed: str = ""
    """Why it could not be done; empty where it could."""


class CompareFailed(StoreError):
    """The process did not get to its end."""

    def __init__(self, names: Sequence[str], why: str) -> None:
        super().__init__(
            f"the projections {', '.join(names)} could not be compared: {shortened(why, 1_000)}"
        )
        self.names, self.why = tuple(names), why


class CompareProcess:
    """A process that compares some projections."""

    def __init__(self, task: CompareTask, process: "subprocess.Popen[bytes]") -> None:
        self._task, self._process = task, process

    def result(self) -> CompareOutcome:
        """Waits for its outcome. Raises ``CompareFailed``."""
        output, _ = self._process.communicate()
        if self._process.returncode:
            why = f"the process for them ended with code {self._process.returncode}"
            raise CompareFailed(self._task.projections, why)
        outcome = msgspec.json.decode(output, type=decodable(CompareOutcome))
        if outcome.failed:
            raise CompareFailed(self._task.projections, outcome.failed)
        return outcome


@contextmanager
def compare_in_process(
    store: EventStore, names: Sequence[str], last: int
) -> Iterator[CompareProcess]:
    """Start a process that compares some projections; it does not outlive the block."""
    task = CompareTask(store.url, tuple(names), last)
    command = [sys.executable, "-c", f"from {__name__} import main; main()"]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe) as process:  # noqa: S603 - ours
        try:
            assert process.stdin is not None
            process.stdin.write(msgspec.json.encode(task))
            process.stdin.close()
            process.stdin = None
            yield CompareProcess(task, process)
        finally:
            process.kill()


def carry_out(task: CompareTask) -> CompareOutcome:
    """Fill shadow tables and compare."""
    defects, chosen = Defects(), named(task.projections)
    try:
        with (
            closing(open_store(task.url, migrate=False)) as store,
            open_shadow_tables(store, chosen) as shadows,
        ):
            for _ in shadows.fill(task.last):
                pass
            tables = compare(store, shadows, chosen, defects)
    except UnreadableEvent as error:
        # The walk over the log reports the event; here it only means that there is no rebuild.
        where = f"projections {', '.join(task.projections)}"
        defects.add("projections", where, f"they cannot be rebuilt: {error}")
        tables = 0
    except StoreError as error:
        return CompareOutcome(failed=reason(error))
    except database_errors() as error:
        return CompareOutcome(failed=reason(error))
    return CompareOutcome(tables, tuple(defects.listed))


def main() -> None:
    """The process: reads a task, writes the outcome."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # whoever started it ends it
    # Whatever else is printed must not come between.
    out, sys.stdout = sys.stdout.buffer, sys.stderr
    task = msgspec.json.decode(sys.stdin.buffer.read(), type=decodable(CompareTask))
    out.write(msgspec.json.encode(carry_out(task)))
