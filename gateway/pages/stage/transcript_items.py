"""A transcript as the page shows it: what was told, in the pieces that stand below each other.

The page's module makes the same of the same frames (``static/stage/items.js``); a test holds
the two together.
"""

from collections.abc import Sequence
from typing import Literal

from actors.episodes.port.words import Entry, Portrait
from events.base import Value
from gateway.services.viewers.frames import LOCAL_MODEL, Happened, Seated

ItemKind = Literal["turn", "entry", "note", "end"]


class TranscriptItem(Value, frozen=True, kw_only=True):
    """One piece of a transcript."""

    kind: ItemKind
    """``turn``: a turn begins; ``entry``: something was said or done; ``note``: something about the
    episode itself; ``end``: how it ended."""
    mark: int
    """What addresses call it, as ``Told.marks``."""
    at: int
    """When, in microseconds since 1970-01-01 UTC."""
    turn: int
    seat: int | None = None
    """Who did it."""
    who: str = ""
    verb: str = ""
    """How ``text`` is introduced; empty: it was said."""
    text: str = ""
    """What was said or done, or what a note says."""
    to: str = ""
    """Whom it was whispered to, by name; empty: everybody."""
    hidden: bool = False
    """Nobody else has noticed it yet."""
    idle: bool = False
    """Nothing was done."""
    failed: str = ""
    """Why there was no answer."""
    note: str = ""
    """How what was said or done came to be, where that is to be known; empty: as always."""
    by: str = ""
    """The researcher whose doing it is."""
    models: bool = False
    """Of a turn: a model sits somewhere, and may have been asked."""
    when: str = ""
    """Of an entry: when it was by the environment's own clock; empty: it has none."""


_NOTES = {
    "EpisodePaused": "The episode is paused",
    "EpisodeStepped": "One step further",
    "EpisodeContinued": "The episode goes on",
    "EpisodeReopened": "The episode was reopened",
    "EpisodeForked": "From here on it is a fork",
}


def items_of(
    happened: Sequence[Happened],
    marks: Sequence[int],
    portraits: Sequence[Portrait],
    viewer: int | str,
) -> tuple[TranscriptItem, ...]:
    """The pieces of a transcript, in order."""
    names = [portrait.name for portrait in portraits]
    found: list[TranscriptItem] = []
    turn = 0
    seats: tuple[Seated, ...] | None = None
    waiting: tuple[int, ...] = ()
    for one, mark in zip(happened, marks, strict=True):
        if one.turn > turn:
            turn = one.turn
            there = one.seats or seats or ()
            models = any(seated.kind in ("model", "generative", LOCAL_MODEL) for seated in there)
            found.append(
                TranscriptItem(kind="turn", mark=mark, at=one.at, turn=turn, models=models)
            )
        found += [_entry(entry, one, mark, names, viewer) for entry in one.entries]
        if one.unnoticed and not one.entries:
            found += [
                TranscriptItem(
                    kind="entry",
                    mark=mark,
                    at=one.at,
                    turn=turn,
                    seat=seat,
                    who=_name(names, seat),
                    verb="has answered",
                    hidden=True,
                    by=one.by,
                )
                for seat in waiting
                if seat not in one.waiting
            ]
        waiting = one.waiting
        found += [
            TranscriptItem(kind="note", mark=mark, at=one.at, turn=turn, text=text, by=one.by)
            for text in _notes(one, seats, names)
        ]
        seats = one.seats or seats
        if one.ended:
            text = one.ending + (f" ({one.detail})" if one.detail else "")
            found.append(TranscriptItem(kind="end", mark=mark, at=one.at, turn=one.turn, text=text))
    return tuple(found)


def _entry(
    entry: Entry, one: Happened, mark: int, names: Sequence[str], viewer: int | str
) -> TranscriptItem:
    to = ["you" if seat == viewer else _name(names, seat) for seat in entry.to]
    verb, text = entry.verb, entry.text
    if not entry.who:
        text = text or entry.line
    elif not entry.text and not entry.verb and not entry.failed:
        # What an environment has no parts of is told whole.
        verb, text = "", entry.line
    hidden = one.unnoticed and not entry.to and entry.seat is not None and not entry.failed
    return TranscriptItem(
        kind="entry",
        mark=mark,
        at=one.at,
        turn=entry.turn,
        seat=entry.seat,
        who=entry.who,
        verb=verb,
        text=text,
        to=", ".join(to),
        hidden=hidden,
        idle=entry.idle,
        failed=entry.failed,
        note=entry.note,
        by=one.by,
        when=entry.when,
    )


def _notes(one: Happened, were: tuple[Seated, ...] | None, names: Sequence[str]) -> list[str]:
    notes = [_NOTES[one.tag]] if one.tag in _NOTES else []
    for seated, was in zip(one.seats or (), were or (), strict=False):
        name = _name(names, seated.seat)
        if seated.participant and seated.participant != was.participant:
            free = was.kind == "person" and not was.participant
            before = "" if free else f" from {was.participant or was.mind}"
            notes.append(f"{seated.participant} takes {name}'s seat{before}")
        elif was.participant and not seated.participant:
            after = "leaves {}'s seat" if seated.kind == "person" else "hands {}'s seat to {}"
            notes.append(f"{was.participant} {after.format(name, seated.mind)}")
        elif seated.mind != was.mind:
            notes.append(f"{seated.mind} takes {name}'s seat from {was.mind}")
    return notes


def _name(names: Sequence[str], seat: int) -> str:
    return names[seat] if seat < len(names) else f"seat {seat + 1}"
