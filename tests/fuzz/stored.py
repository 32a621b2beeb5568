"""What is in the log, or comes into it by an import: looked at by every command."""

import json
from collections import Counter
from collections.abc import Sequence
from hashlib import blake2b
from pathlib import Path
from random import Random
from typing import Any

import msgspec

from events.base import Envelope, Event
from events.serialization.codec import UnreadableEvent, decode_event, envelope_to_json
from store.jsonl.export_import import export_chain, export_episode, export_run, import_file
from store.log.event_store import ANY, EventStore
from store.open_store import open_store
from store.read_model import queries
from store.writer.pending_appends import prepare
from tests.fuzz.commands import troupe
from tests.fuzz.oracle import Fault, refused
from tests.fuzz.playing import Kind
from tests.fuzz.spoiling import hostile_text, spoiled, step_of_tree
from tests.fuzz.stores import copy_of, fill, fingerprint, require_sound

LOOKS: tuple[tuple[str, ...], ...] = (
    ("runs", "--all"),
    ("runs", "--json"),
    ("show", "r1"),
    ("show", "r1", "--json"),
    ("show", "r1", "--format", "csv"),
    ("show", "r1", "--format", "latex"),
    ("show", "r2"),
    ("show", "h1"),
    ("show", "e1"),
    ("show", "e1", "--json"),
    ("show", "e1f"),
    ("show", "e1ff"),
    ("show", "c1"),
    ("show", "e3"),
    ("replay", "e1", "--at", "3"),
    ("replay", "e1ff", "--as", "1"),
    ("lineage", "e1"),
    ("diff", "e1f"),
    ("compare", "r1", "strict", "lenient"),
    ("compare", "r1", "r2"),
    ("curves", "r2"),
    ("memory", "h1", "--seat", "1"),
    ("chains",),
    ("export", "r1", "--format", "jsonl"),
    ("export", "r1", "--format", "parquet"),
    ("export", "r1", "--format", "sotopia"),
    ("export", "h1"),
    ("export", "e1ff"),
    ("verify-store",),
    ("report", "r1"),
)
"""Commands that look at a store, by which everything in it is read."""


def look(at: int, data: Path, width: int = 80) -> None:
    """Run one of them."""
    out = data / "out"
    arguments = LOOKS[at % len(LOOKS)]
    more = ("--out", str(out)) if arguments[0] in ("export", "report") else ()
    environ = {"TROUPE_DATA_DIR": str(data), "COLUMNS": str(width)}
    code, _, err = troupe((*arguments, *more), environ)
    if code == 2:
        raise Fault(f"{' '.join(arguments)} is no command any more: {err}")
    if out.is_file():
        out.unlink()


class Imports(Kind):
    """Exported files whose lines were changed and whose checksums were made right again."""

    name = "imports"
    share = 1.5

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        fill(folder / "filled.db")
        store = open_store(f"sqlite:///{folder / 'filled.db'}", migrate=False)
        for name, export in (("r1", export_run), ("r2", export_run), ("h1", export_chain)):
            export(store, name, folder / f"{name}.jsonl")
        export_episode(store, "e1ff", folder / "e1ff.jsonl")
        store.close()
        self._files = [
            [json.loads(line) for line in path.read_bytes().splitlines()[:-1]]
            for path in sorted(folder.glob("*.jsonl"))
        ]
        self.samples = 2 * len(self._files)
        open_store(f"sqlite:///{folder / 'empty.db'}").close()
        self._file = folder / "it.jsonl"

    def _write(self, sample: int, steps: Sequence[int]) -> None:
        lines = spoiled(self._files[sample // 2], steps, step_of_lines)
        self._file.write_bytes(file_of(lines))

    def play(self, sample: int, steps: Sequence[int]) -> None:
        self._write(sample, steps)
        # Into a store that knows nothing of it, or all that was before it was spoiled.
        before = self._folder / ("filled.db" if sample % 2 else "empty.db")
        with copy_of(before, self._folder / "data") as store:
            was = fingerprint(store)
            why = refused(lambda: import_file(store, self._file))
            if why:
                if fingerprint(store) != was:
                    raise Fault(f"refused, but the store has changed: {why}")
                return
            require_sound(store)
            random = Random(str(steps))
            for _ in range(2):
                look(random.randrange(len(LOOKS) - (random.random() < 0.9)), self._folder / "data")

    def shown(self, sample: int, steps: Sequence[int]) -> str:
        before = {json.dumps(line) for line in self._files[sample // 2]}
        lines = spoiled(self._files[sample // 2], steps, step_of_lines)
        return "\n".join(text for line in lines if (text := json.dumps(line)) not in before)


def step_of_lines(lines: list[dict[str, Any]], random: Random) -> list[dict[str, Any]]:
    """Change the lines of an export: one value of one, or which there are and in what order."""
    lines = list(lines)
    at = random.randrange(len(lines))
    choice = random.randrange(12)
    match choice:
        case 0:
            del lines[at]
        case 1:
            lines.insert(at, lines[random.randrange(len(lines))])
        case 2:
            stream = lines[at].get("stream")
            lines = [line for line in lines if line.get("stream") != stream]
        case 3:
            other = random.randrange(len(lines))
            lines[at], lines[other] = lines[other], lines[at]
        case 4:
            # As long as versions and positions are right, a stream may end anywhere.
            stream, version = lines[at].get("stream"), lines[at].get("version", 0)
            lines = [
                line
                for line in lines
                if line.get("stream") != stream or line.get("version", 0) < version
            ]
        case 5:
            word = random.choice(["correlation", "causation", "stream", "event_id", "tag"])
            lines[at] = {**lines[at], word: lines[random.randrange(len(lines))].get(word, "")}
        case _ if isinstance(lines[at].get("event"), dict):
            lines[at] = {**lines[at], "event": step_of_tree(lines[at]["event"], random)}
        case _:
            changed = step_of_tree(lines[at], random)
            lines[at] = changed if isinstance(changed, dict) else {"it": changed}
    if choice <= 3 and random.random() < 0.8:
        lines = _numbered(lines)
    return lines or [{}]


def _numbered(lines: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The same events as if they had happened so: versions and positions without holes, no id
    twice."""
    seen: Counter[str] = Counter()
    found = []
    for place, line in enumerate(lines):
        if {"stream", "version", "position", "event_id"} <= set(line):
            stream = str(line["stream"])
            again = {"version": seen[stream], "position": place + 1, "event_id": f"{place:032x}"}
            seen[stream] += 1
            line = {**line, **again}
        found.append(line)
    return found


def file_of(lines: Sequence[Any]) -> bytes:
    """The lines with the checksum that goes with them."""
    body = b"".join(json.dumps(line).encode() + b"\n" for line in lines)
    digest = blake2b(body, digest_size=32).hexdigest()
    return body + json.dumps({"count": len(lines) - 1, "blake2b": digest}).encode() + b"\n"


class Logs(Kind):
    """Events that are in the log already, however they came there: nothing can refuse them now."""

    name = "logs"
    share = 1.0
    hostile = False

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        fill(folder / "filled.db")
        store = open_store(f"sqlite:///{folder / 'filled.db'}", migrate=False)
        envelopes = store.read_all(limit=10_000)
        store.close()
        self._events = [one for one in envelopes if not one.stream.startswith("catalog-")]
        self.samples = len(self._events)

    def _event(self, sample: int, steps: Sequence[int]) -> tuple[Envelope, Event | None]:
        envelope = self._events[sample]
        plain = spoiled(envelope_to_json(envelope)["event"], steps, self.step)
        try:
            payload = msgspec.msgpack.encode(plain)
            return envelope, decode_event(envelope.tag, envelope.schema, payload)
        except (UnreadableEvent, UnicodeEncodeError, OverflowError, RecursionError, ValueError):
            return envelope, None

    @staticmethod
    def step(event: Any, random: Random) -> Any:
        """Change an event."""
        return step_of_tree(event, random)

    def play(self, sample: int, steps: Sequence[int]) -> None:
        envelope, event = self._event(sample, steps)
        if event is None:
            return
        with copy_of(self._folder / "filled.db", self._folder / "data") as store:
            self._append(store, envelope, event)
            random = Random(str(steps))
            queries.episodes(store)
            if random.random() < 0.1:
                require_sound(store, frozenset({"correlations"}))
            look(self.which(random), self._folder / "data", random.choice((30, 80, 200)))

    def which(self, random: Random) -> int:
        """The command that looks."""
        return random.randrange(len(LOOKS) - (random.random() < 0.95))

    @staticmethod
    def _append(store: EventStore, envelope: Envelope, event: Event) -> None:
        stream = envelope.stream
        pending = prepare(stream, ANY, [event], envelope.correlation, "", None)
        store.append(stream, ANY, [event], correlation=pending.rows[0][6])

    def shown(self, sample: int, steps: Sequence[int]) -> str:
        envelope, event = self._event(sample, steps)
        return f"{envelope.stream}: {event!r}; {LOOKS[self.which(Random(str(steps)))]}"


class Reports(Logs):
    """Reports and tables of text that a browser or a terminal would obey."""

    name = "reports"
    share = 0.7

    @staticmethod
    def step(event: Any, random: Random) -> Any:
        """Put hostile text into several places of an event."""
        places = [path for path in _texts(event) if path[-1] != "type"]
        for path in random.sample(places, min(len(places), 3)):
            parent = event
            for key in path[:-1]:
                parent = parent[key]
            parent[path[-1]] = hostile_text(random)
        return event

    def which(self, random: Random) -> int:
        return len(LOOKS) - 1 if random.random() < 0.3 else random.randrange(len(LOOKS) - 1)


def _texts(plain: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The paths of all texts in plain data."""
    if isinstance(plain, str):
        return [path]
    pairs: Any = ()
    if isinstance(plain, dict):
        pairs = plain.items()
    elif isinstance(plain, list):
        pairs = enumerate(plain)
    return [found for key, value in pairs for found in _texts(value, (*path, key))]
