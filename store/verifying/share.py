"""A part of the tables, compared by a process of its own: Python uses one core a process.

python -m store.verifying.share < TASK > COMPARED
"""

import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager

import msgspec

from events.codec import UnreadableEvent
from store.availability import DATABASE_ERRORS, reason
from store.errors import StoreError
from store.log import EventStore
from store.opening import open_store
from store.projections.anew import made_anew
from store.projections.registry import named
from store.verifying.findings import Finding, Findings
from store.verifying.tables import compare


class Task(msgspec.Struct, frozen=True):
    """What to compare. It comes by standard input: everybody can read a command line, and the
    store's address may hold a password."""

    url: str
    projections: tuple[str, ...]
    last: int
    """The position up to which the tables are at least to be compared."""


class Compared(msgspec.Struct, frozen=True):
    """What came of it."""

    tables: int = 0
    findings: tuple[Finding, ...] = ()
    failed: str = ""
    """Why it could not be done; empty where it could."""


class ShareFailed(StoreError):
    """The process did not get to its end."""

    def __init__(self, names: Sequence[str], why: str) -> None:
        super().__init__(f"the projections {', '.join(names)} could not be compared: {why}")
        self.names, self.why = tuple(names), why


class Share:
    """Some projections that another process compares."""

    def __init__(self, task: Task, process: "subprocess.Popen[bytes]") -> None:
        self._task, self._process = task, process

    def result(self) -> Compared:
        """Its outcome, once it is there. Raises ``ShareFailed``."""
        said, _ = self._process.communicate()
        if self._process.returncode:
            why = f"the process for them ended with code {self._process.returncode}"
            raise ShareFailed(self._task.projections, why)
        compared = msgspec.json.decode(said, type=Compared)
        if compared.failed:
            raise ShareFailed(self._task.projections, compared.failed)
        return compared


@contextmanager
def shared(store: EventStore, names: Sequence[str], last: int) -> Iterator[Share]:
    """Have another process compare some projections meanwhile; it does not outlive the block."""
    task = Task(store.url, tuple(names), last)
    command = [sys.executable, "-c", f"from {__name__} import main; main()"]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe) as process:  # noqa: S603 - ours
        try:
            assert process.stdin is not None
            process.stdin.write(msgspec.json.encode(task))
            process.stdin.close()
            process.stdin = None
            yield Share(task, process)
        finally:
            process.kill()


def compared(task: Task) -> Compared:
    """Do a task."""
    findings, chosen = Findings(), named(task.projections)
    try:
        with (
            closing(open_store(task.url, migrate=False)) as store,
            made_anew(store, chosen) as anew,
        ):
            for _ in anew.read(task.last):
                pass
            tables = compare(store, anew, chosen, findings)
    except UnreadableEvent as error:
        # The walk over the log tells of the event; here it only means that there is no rebuild.
        where = f"projections {', '.join(task.projections)}"
        findings.add("projections", where, f"they cannot be rebuilt: {error}")
        tables = 0
    except (StoreError, *DATABASE_ERRORS) as error:
        return Compared(failed=reason(error))
    return Compared(tables, tuple(findings.told))


def main() -> None:
    """In the process: a task comes in, what was compared goes out."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # whoever started it ends it
    # Whatever else is printed must not come between.
    out, sys.stdout = sys.stdout.buffer, sys.stderr
    task = msgspec.json.decode(sys.stdin.buffer.read(), type=Task)
    out.write(msgspec.json.encode(compared(task)))
