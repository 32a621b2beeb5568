"""A local model's server from the point of view of its clients: it is started when first needed,
shared by the processes of a data folder, and ends after the last of them."""

import fcntl
import hashlib
import importlib.util
import os
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Final

import msgspec

from actors.models.keys import scrubbed
from actors.models.local.faults import LocalFault
from actors.models.local.runtime import LOCK, LOG, USERS, Served, Serving, opened, taken
from actors.models.local.server_process import FULL, TAKEN
from actors.models.local.settings import LocalSettings
from actors.models.local.weights import PACKAGED, found_file, name_of
from events.serialization.struct_types import decodable

START_S: Final = 600.0
"""The longest that weights may take to be read, in seconds."""
_POLL_S: Final = 0.02
_LINGER_S: Final = 3.0
"""How long a server of other settings that is used is given to end, in seconds: it looks every half
second whether it is still used. For one that nobody uses its clients wait as long as they may."""
_RUNTIME: Final = "xllamacpp"
_LOG_END: Final = 8_000
"""Bytes of a log's end that are looked at."""


class LocalServer:
    """One model's. May be used from any thread; its methods block."""

    def __init__(self, model: str, settings: LocalSettings) -> None:
        """``model``: its whole name, ``local/…``."""
        self.model, self._settings = model, settings
        self.folder = settings.home / _folder_name(model)
        self.log = self.folder / LOG
        self._users = -1
        self._child: subprocess.Popen[bytes] | None = None
        """What was started, and does not serve yet."""
        self._serves: subprocess.Popen[bytes] | None = None
        """The last of those that came to serve: kept, so that it is waited for when it ends."""
        self._turn = threading.Lock()

    def joined(self) -> Served:
        """The server, started if there is none; it stays until this is left or this process ends.
        Raises ``LocalFault``."""
        with self._turn:
            self._let_others_end()
            self._use()
            until = time.monotonic() + START_S
            while time.monotonic() < until:
                if (found := running(self.folder)) is not None:
                    # What it does from now on is no failure to start.
                    self._serves, self._child = self._child or self._serves, None
                    return found
                self._see_to_child()
                time.sleep(_POLL_S)
            raise LocalFault(f"its server has not come up in {START_S:,.0f} s", f"see {self.log}")

    def leave(self) -> None:
        """Use it no more."""
        with self._turn:
            if self._users >= 0:
                os.close(self._users)
                self._users = -1
            if self._serves is not None:
                self._serves.poll()

    def log_words(self, which: int) -> str:
        """An error of the server's log, ``which`` of them, 0 or -1; empty where there is none. The
        first is why weights are not taken, and the others what follows from that."""
        try:
            said = self.log.read_bytes()[-_LOG_END:].decode(errors="replace")
        except OSError:
            return ""
        errors = [line.partition(" E ")[2] for line in said.splitlines() if " E " in line]
        return scrubbed(errors[which]) if errors else ""

    def _let_others_end(self) -> None:
        """Wait for a server that was started with other settings, if nobody uses it any more. One
        that is used is used as it is."""
        longest = time.monotonic() + START_S
        until = time.monotonic() + _LINGER_S
        while self._users < 0 and time.monotonic() < until:
            found = running(self.folder)
            if found is None or self._suits(found):
                return
            if not is_used(self.folder):
                # It ends as soon as the machine lets it look.
                until = min(longest, time.monotonic() + _LINGER_S)
            time.sleep(_POLL_S)

    def _suits(self, found: Served) -> bool:
        wanted = self._settings
        return (found.slots, found.context, found.threads) == (
            wanted.slots,
            wanted.context,
            wanted.used_threads,
        )

    def _use(self) -> None:
        if self._users >= 0:
            return
        try:
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._users = opened(self.folder / USERS)
            # Held against this by nothing but a server in its last moments.
            fcntl.flock(self._users, fcntl.LOCK_SH)
        except OSError as error:
            raise LocalFault(
                f"{self.folder} cannot be written ({error.strerror})",
                "set TROUPE_DATA_DIR to a folder that you may write to",
            ) from error

    def _see_to_child(self) -> None:
        """Start the server where no process does, and see whether what was started has failed."""
        child = self._child
        if child is None:
            if not is_held(self.folder):
                self._child = self._start()
        elif child.poll() is not None:
            self._child = None
            if child.returncode == FULL:
                raise LocalFault(f"{self.folder} has no room left", "make room there")
            if child.returncode not in (0, TAKEN):
                words = self.log_words(0) or f"exit code {child.returncode}"
                raise LocalFault(
                    f"llama.cpp did not start: {words}",
                    f"see {self.log}, or name another GGUF file",
                )

    def _start(self) -> subprocess.Popen[bytes]:
        serving = serving_of(self.model, self._settings)
        given = msgspec.json.encode(serving, enc_hook=str).decode()
        with os.fdopen(
            os.open(self.log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb"
        ) as log:
            return subprocess.Popen(  # noqa: S603  nothing of it is a command
                [sys.executable, "-P", "-m", "actors.models.local.server_process", given],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,  # Ctrl-C is for those who ask, who may ask a little longer
            )


def serving_of(model: str, settings: LocalSettings) -> Serving:
    """What a model's server is started with. Raises ``LocalFault``."""
    if importlib.util.find_spec(_RUNTIME) is None:
        raise LocalFault(
            "llama.cpp is not installed here",
            "set it up with `make local`, or install troupe-server[local]",
        )
    return Serving(
        folder=settings.home / _folder_name(model),
        weights=found_file(model, settings.weights),
        model=model,
        slots=settings.slots,
        context=settings.context,
        threads=settings.used_threads,
    )


def running(folder: Path) -> Served | None:
    """The server of a folder; None where none runs, or not yet."""
    try:
        said = (folder / LOCK).read_bytes()
        return (
            msgspec.json.decode(said, type=decodable(Served)) if said and is_held(folder) else None
        )
    except (OSError, msgspec.MsgspecError):
        return None


def is_held(folder: Path) -> bool:
    """Whether a process serves, or is about to."""
    try:
        descriptor = os.open(folder / LOCK, os.O_RDONLY)
    except OSError:
        return False
    try:
        return not taken(descriptor, fcntl.LOCK_SH)
    finally:
        os.close(descriptor)


def is_used(folder: Path) -> bool:
    """Whether a process uses the server of a folder, or that is not known."""
    try:
        descriptor = os.open(folder / USERS, os.O_RDWR)
    except OSError:
        return True
    try:
        return not taken(descriptor, fcntl.LOCK_EX)
    finally:
        os.close(descriptor)


def _folder_name(model: str) -> str:
    name = name_of(model)
    if name in PACKAGED:
        return name
    return hashlib.sha256(os.fsencode(name)).hexdigest()[:16]
