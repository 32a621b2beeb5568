"""The secret that tokens are signed with: from the environment, a file, or made once."""

import hashlib
import hmac
import os
import secrets
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Final

from events.untrusted.safe_text import shortened
from gateway.errors import BadSetting, GatewayError

VARIABLE, FILE_VARIABLE = "TROUPE_SECRET", "TROUPE_SECRET_FILE"
FEWEST: Final = 32
"""Characters of a secret, at least."""
NAME: Final = "secret"
"""The file in the data folder, where neither variable is set."""


class SecretUnreadable(GatewayError):
    """The file with the secret cannot be read or made."""

    def __init__(self, path: Path, reason: str) -> None:
        super().__init__(
            f"the secret that signs tokens cannot be kept in {shortened(str(path))} "
            f"({shortened(reason, 1_000)}); set {VARIABLE} or {FILE_VARIABLE}"
        )
        self.path, self.reason = path, reason


def read_keys(
    data_dir: Path, space: str, environ: Mapping[str, str] | None = None
) -> tuple[bytes, ...]:
    """The keys of an installation: the first signs, all are recognised.

    Each is derived from one line of the secret and from the space, so that a token of one
    installation is none of another's. Gateways of one installation need the same secret. Raises
    ``BadSetting``, ``SecretUnreadable``; no error holds any part of a secret.
    """
    env = os.environ if environ is None else environ
    if given := env.get(VARIABLE):
        lines = _lines(given, VARIABLE, "(not shown)")
    elif path := env.get(FILE_VARIABLE):
        lines = _lines(_read(Path(path).expanduser()), FILE_VARIABLE, path)
    else:
        lines = [_made_once(data_dir / NAME)]
    salt = f"troupe tokens {space}".encode()
    return tuple(hmac.new(line.encode(), salt, hashlib.sha256).digest() for line in lines)


def _lines(text: str, variable: str, shown: str) -> list[str]:
    lines = [line for line in (line.strip() for line in text.splitlines()) if line]
    if not lines or min(map(len, lines)) < FEWEST:
        why = f"must hold {FEWEST} characters or more a line, such as `openssl rand -hex 32` prints"
        raise BadSetting(variable, shown, why)
    return lines


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise SecretUnreadable(path, getattr(error, "strerror", None) or "no text") from error


def _made_once(path: Path) -> str:
    """The file's secret; made where there is none. Of several that make it at once one wins."""
    try:
        if not path.exists():
            # Written whole under another name first: nobody reads half of it.
            whole = path.with_name(f"{path.name}.{os.getpid()}.{secrets.token_hex(4)}")
            flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL
            with os.fdopen(os.open(whole, flags, 0o600), "w", encoding="utf-8") as file:
                file.write(secrets.token_hex(32) + "\n")
            try:
                with suppress(FileExistsError):
                    os.link(whole, path)
            finally:
                whole.unlink()
        return path.read_text(encoding="utf-8").strip()
    except OSError as error:
        raise SecretUnreadable(path, error.strerror or "no room") from error
