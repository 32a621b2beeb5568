"""What the person at the keyboard gives: environment variables and arguments."""

from collections.abc import Sequence
from pathlib import Path
from random import Random

from gateway.cli.main import app
from gateway.settings import VARIABLES, checked, read_settings
from store.database.engines import redacted
from store.open_store import open_store
from tests.fuzz.commands import troupe
from tests.fuzz.oracle import Fault, refused
from tests.fuzz.playing import Kind
from tests.fuzz.spoiling import hostile_text
from tests.fuzz.stored import LOOKS
from tests.fuzz.stores import copy_of, fill, fingerprint, standing_in

ADDRESSES = (
    *("postgresql://…@[::1", "postgresql://u:hidden@[::1", "postgresql://u:hidden@[::1]:99999/x"),
    *("postgresql://u:hidden@127.0.0.1:port/db", "postgresql://@/", "postgresql+x://"),
    *("postgresql://u:hid%zzden@127.0.0.1:1/x", "postgresql+nonsense://h/x", "mysql://h/x"),
    *("postgresql://127.0.0.1:1/x?sslmode=nonsense", "postgresql://127.0.0.1:1/x?nonsense=1"),
    *("postgresql://127.0.0.1:0/x", "postgresql://127.0.0.1:1/\0", "postgresql://127.0.0.1\n/x"),
    *(
        "sqlite://",
        "sqlite:///",
        "sqlite:///:memory:",
        "sqlite:////dev/null",
        "sqlite:////dev/full",
    ),
    *("sqlite:////proc/self/mem", "sqlite:///\0", "sqlite:///x?mode=ro", "sqlite+pysqlite:///x"),
    *("nats://[::1", "nats://h:0", "nats://h:99999", "nats://u:hidden@h:x", "http://h", "nats://"),
    *("://", "a" * 10_000, "[" * 50, "file:///etc/passwd", "//h/x", "postgresql://127.0.0.1%00/x"),
)
SIZES = ("0", "-1", "1", "20", "79", "100000", "9" * 5_000, "-" + "9" * 5_000, "x", "1e9", "٣")


def given_by_system(text: str) -> str:
    """The text as a process can be given it: without NUL, of bytes that Python reads as it reads
    them, and not longer than a system takes."""
    data = text.replace("\0", "").replace("\ud83d", "\udcff").encode("utf-8", "surrogateescape")
    return data[:50_000].decode("utf-8", "surrogateescape")


class Environments(Kind):
    """Settings, of which some are odd: read, checked, and the store they name opened."""

    name = "settings"
    share = 0.7
    samples = len(VARIABLES) + 3

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        fill(folder / "filled.db")

    def _environ(self, sample: int, steps: Sequence[int]) -> dict[str, str]:
        names = [*VARIABLES, "COLUMNS", "LINES", "TERM"]
        environ = {"TROUPE_DATA_DIR": str(self._folder / "data")}
        for place, step in enumerate(steps):
            random = Random(step)
            name = names[sample] if place == 0 else random.choice(names)
            values = [hostile_text(random), random.choice(SIZES), random.choice(SIZES)]
            if "URL" in name:
                values = [random.choice(ADDRESSES)] * 3 + values
            value = random.choice(values)
            if name == "TROUPE_DATA_DIR":
                value = f"{self._folder}/data/{value.replace('..', '')}"
            value = given_by_system(value)
            environ[name] = value
        return environ

    def play(self, sample: int, steps: Sequence[int]) -> None:
        environ = self._environ(sample, steps)
        random = Random(str(steps))

        def opened() -> None:
            settings = checked(read_settings(environ))
            if not settings.database_url.startswith("postgresql://127"):
                redacted(settings.database_url)
                open_store(settings.database_url, most_queued=settings.tuning.append_queue).close()

        with (
            copy_of(self._folder / "filled.db", self._folder / "data"),
            standing_in(self._folder / "here"),
        ):
            sentence = refused(opened)
            if "hidden" in sentence:
                raise Fault(f"a password in {sentence!r}")
            if random.random() < 0.4:
                _, out, err = troupe(random.choice(LOOKS[:-1]), environ)
                if "hidden" in out + err:
                    raise Fault(f"a password in {out + err!r}")

    def shown(self, sample: int, steps: Sequence[int]) -> str:
        return repr(self._environ(sample, steps))


_COMMANDS: tuple[tuple[str, ...], ...] = (
    *LOOKS,
    ("show", "e1", "--as", "1", "--raw"),
    ("replay", "e1", "--at", "2", "--as", "spectator"),
    ("fork", "e1", "--at", "2", "--seat", "1=rehearsal:calm", "--dry-run"),
    ("score", "r1", "--judge", "rehearsal-strict", "--dry-run"),
    ("run", "plan.toml", "--dry-run"),
    ("resume", "r1", "--usd", "1"),
    ("stop", "r1"),
    ("archive", "r1"),
    ("catalog", "list"),
    ("catalog", "show", "starter"),
    ("catalog", "search", "bee"),
    ("catalog", "check", "folder"),
    ("catalog", "export", "starter", "folder"),
    ("import", "file.jsonl"),
    ("backup", "copy.troupe"),
    ("restore", "copy.troupe"),
    ("validate-judge", "r1", "--judge", "strict", "--out", "sheet.csv"),
    ("projections", "rebuild", "episodes"),
    ("jobs", "--json"),
    ("migrate",),
    ("--help",),
    ("--version",),
    ("doctor",),
)
_NEVER = frozenset({"serve", "worker", "run", "resume", "demo", "score", "fork", "watch", "play"})
"""Commands that go on for long where their arguments happen to be right."""
_WORDS = (
    *("--json", "--format", "csv", "latex", "--all", "--as", "--at", "--seat", "--out", "--judge"),
    *("-h", "--help", "--", "-", "-1", "0", "1", "99999999999999999999", "nan", "e1", "r1", "h1"),
    *("e", "", "/", ".", "/dev/null", "/proc/self/mem", "*", "e1f", "1=rehearsal:calm", "all"),
)


class Arguments(Kind):
    """Commands whose arguments are odd."""

    name = "arguments"
    share = 0.7
    samples = len(_COMMANDS)

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        fill(folder / "filled.db")
        assert app.registered_commands

    def _arguments(self, sample: int, steps: Sequence[int]) -> list[str]:
        words = list(_COMMANDS[sample])
        for step in steps:
            random = Random(step)
            at = random.randrange(len(words) + 1)
            word = random.choice(
                (random.choice(_WORDS), random.choice(_WORDS), hostile_text(random))
            )
            match random.randrange(4):
                case 0 if at < len(words):
                    words[at] = word
                case 1 if 0 < at < len(words):
                    del words[at]
                case 2 if 0 < at < len(words):
                    words[at] = words[at][: random.randrange(len(words[at]) + 1)] + word
                case _:
                    words.insert(at, word)
        words = [given_by_system(word) for word in words]
        if _NEVER & set(words) and "--dry-run" not in words:
            words.append("--help")
        return words

    def play(self, sample: int, steps: Sequence[int]) -> None:
        words = self._arguments(sample, steps)
        data = self._folder / "data"
        with (
            copy_of(self._folder / "filled.db", data) as store,
            standing_in(self._folder / "here"),
        ):
            before = fingerprint(store)
            environ = {"TROUPE_DATA_DIR": str(data), "COLUMNS": "80"}
            code, _, _ = troupe(words, environ)
            if code == 2 and fingerprint(store) != before:
                raise Fault("wrong usage changed the store")

    def shown(self, sample: int, steps: Sequence[int]) -> str:
        return repr(self._arguments(sample, steps))
