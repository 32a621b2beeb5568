"""Finds ids from what a person typed: a whole id, a prefix, or a misspelt one."""

import shlex
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from typing import Any

import sqlalchemy as sa

from events.untrusted.safe_text import shortened
from store.errors import StoreError

_NEAREST = 3
_MIN_SIMILARITY = 60.0
"""Of 100; ids less similar are not suggested."""
LISTED = 5
"""Ids named when several would do."""
_COMPARED = 50_000
"""Ids compared with what was given."""
LAST_CHARACTER = "\U0010ffff"


class UnknownId(StoreError, LookupError):
    """No item of this kind has this id or an id that begins with it."""

    def __init__(self, kind: str, given: str, nearest: Sequence[str] = ()) -> None:
        hint = f"; did you mean {_either(nearest)}?" if nearest else ""
        super().__init__(f"there is no {kind} {shortened(given)!r}{hint}")
        self.kind, self.given, self.nearest = kind, given, list(nearest)


class RunTakenOut(StoreError, LookupError):
    """What was asked for is of a run that was archived: it is not here."""

    def __init__(self, run: str, folder: str, taken_at: int, what: str = "") -> None:
        day = datetime.fromtimestamp(taken_at / 1e6, UTC).date().isoformat()
        run_id = shortened(run)
        of_it = f"{what} is of run {run_id}, which" if what else f"run {run_id}"
        super().__init__(
            f"{of_it} was archived to {shortened(folder)} on {day} and is not here; "
            f"`troupe retrieve {shortened(shlex.quote(folder), 1_000)}` brings it back"
        )
        self.run, self.folder, self.taken_at = run, folder, taken_at


class AmbiguousId(StoreError, LookupError):
    """Several ids begin with what was given."""

    def __init__(self, kind: str, given: str, matches: Sequence[str], total: int) -> None:
        some = _either(matches) if total == len(matches) else ", ".join((*matches, "…"))
        super().__init__(
            f"{total} {kind}s begin with {shortened(given)!r}: {some}; give more of the id"
        )
        self.kind, self.given, self.matches, self.total = kind, given, list(matches), total


def find_id(engine: sa.Engine, kind: str, column: sa.Column[str], given: str) -> str:
    """The id in a column that is what was given, or the only one that begins so.

    Raises ``UnknownId``, ``AmbiguousId``.
    """
    if "\0" in given or not given.isprintable():  # no id, and nothing that a database can be asked
        raise UnknownId(kind, given)
    with engine.connect() as connection:
        if connection.execute(sa.select(column).where(column == given)).first():
            return given
        # Ids are compared byte by byte, so those that begin alike lie side by side.
        alike = (column >= given) & (column < given + LAST_CHARACTER)
        found = connection.execute(
            sa.select(column).where(alike).distinct().order_by(column).limit(LISTED + 1)
        ).scalars()
        matches = list(found) if given else []
        if len(matches) == 1:
            return matches[0]
        if matches:
            total: Any = connection.execute(
                sa.select(sa.func.count(column.distinct())).where(alike)
            ).scalar_one()
            raise AmbiguousId(kind, given, matches[:LISTED], total)
        ids = connection.execute(sa.select(column).distinct().limit(_COMPARED)).scalars().all()
    raise UnknownId(kind, given, nearest(given, ids))


def nearest(given: str, candidates: Iterable[str]) -> list[str]:
    """The candidates most similar to what was given, the most similar first."""
    # Ids are short and typed by hand or cut off when copied: compare letter by letter.
    from rapidfuzz import fuzz, process  # takes its time to load

    found = process.extract(
        given, list(candidates), scorer=fuzz.ratio, limit=_NEAREST, score_cutoff=_MIN_SIMILARITY
    )
    return [match for match, _, _ in found]


def _either(words: Sequence[str]) -> str:
    *first, last = words
    return f"{', '.join(first)} or {last}" if first else last
