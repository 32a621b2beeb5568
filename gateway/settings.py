"""Settings from environment variables: where data is stored and which servers are used."""

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import msgspec

from actors.models.key_allow_list import VARIABLE, BadKeys, keys_here
from events.untrusted.redacted_urls import without_secrets
from events.wire.subjects import BadSubject, workers
from gateway.errors import BadSetting
from gateway.process.process_limits import NUMBERS, Tuning, read_tuning
from gateway.process.public_address import OUTSIDE, PublicAddress, outside_problems, read_outside
from store.log.event_store import EventStore
from store.open_store import open_store
from store.participants.key_locations import url_fault

VARIABLES = {
    "TROUPE_DATA_DIR": "folder of the embedded store and NATS server (default ./troupe-data)",
    "TROUPE_DATABASE_URL": "postgresql://… or sqlite:////…; unset: SQLite in the data folder",
    "TROUPE_KEYS_URL": "database of participants' keys; unset: a file or a schema beside the log",
    "TROUPE_NATS_URL": "nats://host:port of a server; unset: an embedded one is started",
    "TROUPE_NATS_TOKEN": "token for that server",
    "TROUPE_SPACE": "keeps installations on one NATS server apart (default main)",
    "TROUPE_MODELS_DIR": "folder of local models' weights; unset: one in the user's cache",
    "TROUPE_KEYS": "usual, NAME@HOST:PORT, …: variables with keys, and for whom (default usual)",
    "TROUPE_SECRET": "what tokens are signed with; unset: made once in the data folder",
    "TROUPE_SECRET_FILE": "a file that holds it",
    **OUTSIDE,
    "TROUPE_LOG": "debug, info, warning or error (default warning; serve and worker info)",
    **{
        variable: f"{number.meaning} (default {number.default:.10g})"
        for variable, number in NUMBERS.items()
    },
}

LOG_LEVELS = ("debug", "info", "warning", "error")
NATS_SCHEMES = ("nats", "tls", "ws", "wss")


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """Where this process works."""

    data_dir: Path
    database_url: str
    keys_url: str = ""
    """Where participants' keys are; empty: beside the log."""
    nats_url: str
    """Empty: an embedded server is started."""
    nats_token: str
    space: str
    log_level: str
    models_dir: Path = msgspec.field(default_factory=lambda: _models_dir(""))
    """Of the weights of local models."""
    outside: PublicAddress = PublicAddress()
    tuning: Tuning = Tuning()
    unusable: dict[str, str] = {}
    """Numbers that were given and cannot be used, by variable."""

    @property
    def embedded_nats(self) -> bool:
        """Whether a NATS server is to be started with this process."""
        return not self.nats_url


def read_settings(environ: Mapping[str, str] | None = None) -> Settings:
    """The settings that the environment variables give, unchecked."""
    env = os.environ if environ is None else environ
    tuning, unusable = read_tuning(env)
    data_dir = Path(env.get("TROUPE_DATA_DIR") or "troupe-data").expanduser().absolute()
    return Settings(
        data_dir=data_dir,
        models_dir=_models_dir(env.get("TROUPE_MODELS_DIR") or ""),
        database_url=env.get("TROUPE_DATABASE_URL") or f"sqlite:///{data_dir / 'troupe.db'}",
        keys_url=env.get("TROUPE_KEYS_URL") or "",
        nats_url=env.get("TROUPE_NATS_URL") or "",
        nats_token=env.get("TROUPE_NATS_TOKEN") or "",
        space=env.get("TROUPE_SPACE") or "main",
        log_level=(env.get("TROUPE_LOG") or "warning").lower(),
        outside=read_outside(env),
        tuning=tuning,
        unusable=unusable,
    )


def _models_dir(given: str) -> Path:
    if given:
        return Path(given).expanduser().absolute()
    from platformdirs import user_cache_path

    return user_cache_path("troupe") / "models"


def problems(settings: Settings) -> Iterator[tuple[str, str, str]]:
    """What can be seen to be wrong without trying it: variable, value, and what would be right."""
    try:
        str(settings.data_dir).encode()
    except UnicodeEncodeError:
        why = "is not UTF-8; name a folder whose whole path is"
        yield "TROUPE_DATA_DIR", str(settings.data_dir), why
    if why := _nats_url_problem(settings.nats_url):
        yield "TROUPE_NATS_URL", without_secrets(settings.nats_url), why
    try:
        workers(settings.space)
    except BadSubject:
        yield "TROUPE_SPACE", settings.space, "must be letters, digits, '-' and '_' only"
    if settings.keys_url and (why := url_fault(settings.keys_url)):
        yield "TROUPE_KEYS_URL", without_secrets(settings.keys_url), why
    if settings.log_level not in LOG_LEVELS:
        yield "TROUPE_LOG", settings.log_level, f"must be one of {', '.join(LOG_LEVELS)}"
    try:
        keys_here()
    except BadKeys as error:
        yield VARIABLE, error.given, error.why
    yield from outside_problems(settings.outside)
    for variable, given in settings.unusable.items():
        yield variable, given, NUMBERS[variable].right


def checked(settings: Settings) -> Settings:
    """The settings, with their data folder made. Raises ``BadSetting``."""
    for variable, given, why in problems(settings):
        raise BadSetting(variable, given, why)
    try:
        settings.data_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        why = f"cannot be made ({error.strerror}); name a folder you may write to"
        raise BadSetting("TROUPE_DATA_DIR", str(settings.data_dir), why) from error
    return settings


@contextmanager
def opened(settings: Settings) -> Iterator[EventStore]:
    """The store that the settings name, closed again at the end."""
    store = open_store(settings.database_url, most_queued=settings.tuning.append_queue)
    try:
        yield store
    finally:
        store.close()


def _nats_url_problem(urls: str) -> str:
    """Why this cannot be the address of a NATS server, or those of a cluster with commas between
    them; empty where it can."""
    return next(filter(None, map(_address_problem, urls.split(","))), "") if urls else ""


def _address_problem(url: str) -> str:
    right = "give nats://host:port, for example nats://127.0.0.1:4222"
    try:
        parts = urlsplit(url)
        fits = parts.scheme in NATS_SCHEMES and parts.hostname and parts.port != 0
    except ValueError:
        return f"is no address; {right}"
    if not fits or any(letter.isspace() for letter in url):
        return f"is no address of a NATS server; {right}"
    return ""
