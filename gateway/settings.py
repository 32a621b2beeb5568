"""What the environment says: where data lives and which servers to use."""

import os
from pathlib import Path

import msgspec

VARIABLES = {
    "TROUPE_DATA_DIR": "folder of the embedded store and NATS server (default ./troupe-data)",
    "TROUPE_DATABASE_URL": "postgresql://… or sqlite:///…; unset: SQLite in the data folder",
    "TROUPE_NATS_URL": "nats://host:port of a server; unset: an embedded one is started",
    "TROUPE_NATS_TOKEN": "token for that server",
    "TROUPE_SPACE": "keeps installations on one NATS server apart (default main)",
    "TROUPE_LOG": "debug, info, warning or error (default warning)",
}


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """Where this process works."""

    data_dir: Path
    database_url: str
    nats_url: str
    """Empty: an embedded server is started."""
    nats_token: str
    space: str
    log_level: str

    @property
    def embedded_nats(self) -> bool:
        """Whether a NATS server is to be started with this process."""
        return not self.nats_url


def read_settings(environ: dict[str, str] | None = None) -> Settings:
    """The settings that the environment variables give."""
    env = os.environ if environ is None else environ
    data_dir = Path(env.get("TROUPE_DATA_DIR") or "troupe-data").absolute()
    return Settings(
        data_dir=data_dir,
        database_url=env.get("TROUPE_DATABASE_URL") or f"sqlite:///{data_dir / 'troupe.db'}",
        nats_url=env.get("TROUPE_NATS_URL") or "",
        nats_token=env.get("TROUPE_NATS_TOKEN") or "",
        space=env.get("TROUPE_SPACE") or "main",
        log_level=(env.get("TROUPE_LOG") or "warning").lower(),
    )
