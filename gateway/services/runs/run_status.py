"""How a run stands: what its stream says, and whether anybody carries it out."""

import shlex
from collections.abc import Collection, Sequence
from datetime import UTC, datetime
from typing import Literal

from msgspec.structs import replace

from actors.runs.state import awaits_consent
from actors.text.amounts import many
from events.base import Value
from events.untrusted.safe_text import shortened
from gateway.errors import GatewayError
from gateway.process.discovery import Carrier, carriers
from gateway.services.runs.awaited_seats import AwaitedSeat, awaited_seats
from gateway.settings import Settings
from gateway.sizes import in_bytes
from store.log.event_store import EventStore
from store.log.imported_events import imported_events
from store.projections import tables as t
from store.read_model import queries
from store.read_model.records import RunRow
from store.read_model.selections import own_episode

State = Literal[
    "running",
    "waits for seats",
    "is taken up",
    "waits for a server",
    "came in a file",
    "process gone",
    "paused",
    "stopped",
    "ended",
    "ended early",
    "archived",
]


class Standing(Value, frozen=True, kw_only=True):
    """How a run stands at a moment."""

    state: State
    words: str
    """The same in a table's cell, with what matters of it."""
    sentence: str
    """The same for those who look at this run alone, with what to do about it."""
    by: str = ""
    """Who carries it out."""
    seats: tuple[int, ...] = ()
    """Remote seats that are asked something now, from 1."""
    waiting: int = 0
    """Episodes in which they are."""

    @property
    def waits(self) -> str:
        """Which seats it waits for, and in how many episodes; empty: for none."""
        if not self.waiting:
            return ""
        which = f"seat{'s' * (len(self.seats) > 1)} {', '.join(map(str, self.seats))}"
        return f"waits for {which} ({many(self.waiting, 'episode')})"

    @property
    def wants_somebody(self) -> bool:
        """Whether nothing more of it happens until somebody does something about it."""
        return self.state in (
            "waits for a server",
            "came in a file",
            "process gone",
        )

    @property
    def over(self) -> bool:
        """Whether there is no more to see for those who watch: they wait with a run that a server
        will take up."""
        return not self.under_way and self.state != "waits for a server"

    @property
    def under_way(self) -> bool:
        """Whether more of it will happen without anybody doing something here."""
        return self.state in ("running", "waits for seats", "is taken up")


class Listed(RunRow, frozen=True, kw_only=True):
    """A run as lists show it."""

    standing: Standing
    mark: str = ""
    """How its episodes are played, in a word or two, where that is not as usual; empty: as usual,
    or none has begun."""


class WhichRun(GatewayError):
    """No run was named, and not exactly one is meant."""

    def __init__(self, runs: Sequence[Listed], waiting: Sequence[Listed] = ()) -> None:
        """``waiting``: those that wait for a server, told of where none is under way."""
        named = ", ".join(f"{one.id} ({shortened(one.name)})" for one in runs)
        if runs:
            why = f"{len(runs)} runs are under way: {named}; name the one that is meant"
        else:
            why = "no run is under way; `troupe runs` lists all, and how each stands"
        if waiting and not runs:
            first = f"{waiting[0].id} ({shortened(waiting[0].name)})"
            others = f" and {len(waiting) - 1} more" if waiting[1:] else ""
            verb = "wait" if waiting[1:] else "waits"
            resume = f"`troupe resume {waiting[0].id}`"
            why += f"; {first}{others} {verb} for a server: `troupe serve` or {resume} goes on"
        super().__init__(why)
        self.runs = tuple(one.id for one in runs)


def standing(
    row: RunRow,
    carriers: Sequence[Carrier],
    awaited: Sequence[AwaitedSeat] = (),
    playing: int = 0,
) -> Standing:
    """How a run stands.

    ``carriers``: who carries out runs. ``awaited``: remote seats of this
    run that are asked something; ``playing``: how many of its episodes are under way.
    """
    if row.taken_to:
        return _archived(row)
    if row.status == "ended" or row.imported:
        return _over(row)
    if row.status == "paused":
        return _paused(row)
    by = next((one.name for one in carriers if row.id in one.runs), "")
    if not by:
        return _nobodys(row, carriers)
    seats = tuple(sorted({one.seat + 1 for one in awaited}))
    waiting = len({one.episode for one in awaited})
    found = Standing(
        state="running",
        words="running",
        sentence=f"running ({by})",
        by=by,
        seats=seats,
        waiting=waiting,
    )
    if not waiting:
        return found
    if waiting < playing:
        of_all = f"of {playing} under way"
        return replace(found, sentence=f"running ({by}); {found.waits[:-1]} {of_all})")
    sentence = f"{found.waits}; {by} carries it out"
    return replace(found, state="waits for seats", words=found.waits, sentence=sentence)


def standings(settings: Settings, store: EventStore, rows: Sequence[RunRow]) -> list[Listed]:
    """Some runs and how they stand now. Blocking."""
    going = [
        row.id for row in rows if row.status == "running" and not row.imported and not row.taken_to
    ]
    who = carriers(settings, store) if going else []
    awaited = awaited_seats(store, going, space=settings.space) if going else []
    imported = imported_events(store) if going else ()
    files = {run for run in going if imported and awaits_consent(store, run)}
    playing = _playing(store, going)
    return [
        Listed(
            **{name: getattr(row, name) for name in RunRow.__struct_fields__},
            standing=_came_in_a_file(row)
            if row.id in files
            else standing(
                row,
                who,
                [one for one in awaited if one.run == row.id],
                playing.get(row.id, 0),
            ),
        )
        for row in rows
    ]


def standing_of(settings: Settings, store: EventStore, row: RunRow) -> Standing:
    """How one run stands now. Blocking."""
    return standings(settings, store, [row])[0].standing


def only_run_under_way(settings: Settings, store: EventStore) -> str:
    """The one run that a process carries out, or is about to: that runs, or else waits for a
    person. Raises ``WhichRun`` where there are several of a kind, or none. Blocking."""
    found = standings(settings, store, queries.running(store))
    for states in (("running", "is taken up"), ("waits for seats",)):
        going = [one for one in found if one.standing.state in states]
        if len(going) == 1:
            return going[0].id
        if going:
            raise WhichRun(going)
    raise WhichRun((), [one for one in found if one.standing.state == "waits for a server"])


def _archived(row: RunRow) -> Standing:
    day = datetime.fromtimestamp((row.taken_at or 0) / 1e6, UTC).date().isoformat()
    size = in_bytes(row.taken_bytes)
    return Standing(
        state="archived",
        words="archived",
        sentence=f"archived to {row.taken_to} on {day} ({row.taken_events:,} events, {size}); "
        f"`troupe retrieve {shlex.quote(row.taken_to)}` brings it back",
    )


def _came_in_a_file(row: RunRow) -> Standing:
    why = (
        f"came in a file and was not begun here; `troupe resume {row.id}` shows what it would send"
    )
    return Standing(
        state="came in a file", words="came in a file", sentence=f"{why} where, and asks"
    )


def _over(row: RunRow) -> Standing:
    if row.stopped:
        why = "ended before all was done, for good (`troupe stop --end`)"
        return Standing(state="ended early", words="ended early", sentence=why)
    return Standing(state="ended", words="ended", sentence="ended")


def _paused(row: RunRow) -> Standing:
    again = f"`troupe resume {row.id}` goes on"
    if row.pause_reason == "stopped":
        sentence = f"{row.pause_detail or 'stopped'}; {again}"
        return Standing(state="stopped", words="stopped", sentence=sentence)
    if row.pause_reason == "budget":
        again = f"`troupe resume {row.id} --budget-usd …` goes on"
    sentence = f"paused ({row.pause_detail or row.pause_reason}); {again}"
    return Standing(state="paused", words=f"paused ({row.pause_reason})", sentence=sentence)


def _nobodys(row: RunRow, carriers: Sequence[Carrier]) -> Standing:
    """Of a run that nobody carries out."""
    server = next((one.name for one in carriers if one.serves), "")
    if not row.detached:
        return Standing(
            state="process gone",
            words="its process is gone",
            sentence=f"its process is gone; `troupe resume {row.id}` goes on",
        )
    if server:
        why = f"is about to be taken up by the server ({server})"
        return Standing(state="is taken up", words="is taken up", sentence=why, by=server)
    return Standing(
        state="waits for a server",
        words="waits for a server",
        sentence=f"waits for a server: `troupe serve` or `troupe resume {row.id}` carries it out",
    )


def _playing(store: EventStore, runs: Collection[str]) -> dict[str, int]:
    """How many planned episodes of each run are under way."""
    if not runs:
        return {}
    under_way = (t.episodes.c.status == "playing") & own_episode
    found: dict[str, int] = {}
    for row in queries.episodes_where(store, under_way & t.episodes.c.run.in_(runs)):
        found[row.run] = found.get(row.run, 0) + 1
    return found
