"""Everything of a study as tables: CSV for people who calculate, JSON lines for programs."""

import csv
import io
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import msgspec

from actors.studies.sessions import SessionState
from actors.studies.state import Place, StudyState
from gateway.services.studies.study_repository import Sessions, Studies
from store.files.atomic_files import atomic_write
from store.log.event_store import EventStore
from store.participants.shared_key_store import require_readable

Row = dict[str, object]


def sessions(store: EventStore, state: StudyState) -> Iterator[Row]:
    """One row a session, in the order in which they came in."""
    for place in state.places.values():
        kept = dict.fromkeys(state.study.recruitment.keep, "")
        found = Sessions(store).get(place.session)
        if found is not None:
            kept |= {one.name: one.value for one in found.state.parameters}
        group = state.groups.get(place.episode)
        yield {
            "participant": place.participant,
            "admitted_at": _time(place.admitted_at),
            "where": place.where,
            "outcome": place.outcome or "",
            "condition": place.condition,
            "episode": place.episode,
            "seat": "" if place.seat is None else place.seat + 1,
            "fallback": group.fallback if group else "",
            "dropped": place.dropped,
            "ended_at": _time(place.ended_at),
            "erased": place.participant in state.erased,
            **{f"link_{name}": value for name, value in kept.items()},
        }


def consents(store: EventStore, state: StudyState) -> Iterator[Row]:
    """Who agreed to which text."""
    for place, found in _read(store, state):
        if found.consent is not None:
            yield {
                "participant": place.participant,
                "version": found.consent.version,
                "hash": found.consent.hash,
                "agreed": found.consent.agreed,
            }


def answers(store: EventStore, state: StudyState) -> Iterator[Row]:
    """Every answer to a question outside of an episode."""
    for place, found in _read(store, state):
        tries: dict[str, int] = {}
        for page in found.answered:
            tries[page.part] = tries.get(page.part, 0) + 1
            for one in page.answers:
                yield {
                    "participant": place.participant,
                    "condition": place.condition,
                    "part": page.part,
                    "try": tries[page.part],
                    "question": one.question,
                    "answer": one.value,
                    "passed": page.passed,
                }


def codes(_store: EventStore, state: StudyState) -> Iterator[Row]:
    """Who was given which completion code, to compare with the platform's list."""
    for place in state.places.values():
        if place.code:
            yield {
                "participant": place.participant,
                "outcome": place.outcome,
                "code": place.code,
                "ended_at": _time(place.ended_at),
            }


def episodes(_store: EventStore, state: StudyState) -> Iterator[Row]:
    """One row a seat of each group's episode."""
    for group in state.groups.values():
        sits = {member.seat: member for member in group.members}
        for seat, mind in enumerate(group.minds):
            member = sits.get(seat)
            yield {
                "episode": group.episode,
                "condition": group.condition,
                "task": group.task,
                "seat": seat + 1,
                "participant": member.participant if member else "",
                "mind": mind.name,
                "kind": mind.kind,
                "fallback": group.fallback,
                "whole": not group.broken,
                "formed_at": _time(group.formed_at),
                "ending": group.ending,
            }


TABLES: Final[dict[str, Callable[[EventStore, StudyState], Iterator[Row]]]] = {
    "sessions": sessions,
    "consent": consents,
    "answers": answers,
    "codes": codes,
    "episodes": episodes,
}
"""By name."""
COLUMNS: Final[dict[str, tuple[str, ...]]] = {
    "consent": ("participant", "version", "hash", "agreed"),
    "answers": ("participant", "condition", "part", "try", "question", "answer", "passed"),
    "codes": ("participant", "outcome", "code", "ended_at"),
}
"""Headings of tables that may be empty."""


def as_csv(name: str, rows: Sequence[Row]) -> bytes:
    """Rows as CSV, in UTF-8. What a spreadsheet would take for a formula is quoted for it."""
    text = io.StringIO(newline="")
    columns = tuple(rows[0]) if rows else COLUMNS.get(name, ())
    writer = csv.DictWriter(text, columns, lineterminator="\n")
    writer.writeheader()
    writer.writerows({column: _cell(value) for column, value in row.items()} for row in rows)
    return text.getvalue().encode("utf-8", "replace")


def as_jsonl(rows: Sequence[Row]) -> bytes:
    """Rows as JSON lines."""
    return b"".join(msgspec.json.encode(row) + b"\n" for row in rows)


def export_study(store: EventStore, study: str, folder: Path) -> list[Path]:
    """Write every table of a study (id in full) into a folder, as CSV and as JSON lines; the
    files. Blocking. Raises ``KeysNotRead``, ``KeysUnavailable``."""
    require_readable(store)
    state = Studies(store).load(study).state
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for name, table in TABLES.items():
        rows = list(table(store, state))
        for path, data in (
            (folder / f"{name}.csv", as_csv(name, rows)),
            (folder / f"{name}.jsonl", as_jsonl(rows)),
        ):
            with atomic_write(path) as unfinished:
                unfinished.write_bytes(data)
            written.append(path)
    return written


def _read(store: EventStore, state: StudyState) -> Iterator[tuple[Place, SessionState]]:
    for place in state.places.values():
        found = Sessions(store).get(place.session)
        if found is not None:
            yield place, found.state


def _cell(value: object) -> object:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, str) and value[:1] in ("=", "+", "-", "@", "\t", "\r"):
        return f"'{value}"
    return value


def _time(at: int) -> str:
    return datetime.fromtimestamp(at / 1e6, UTC).isoformat(timespec="seconds") if at else ""
