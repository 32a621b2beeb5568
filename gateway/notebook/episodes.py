"""An episode and its transcript, as rows, as text and as a cell shows them."""

from functools import cached_property
from typing import TYPE_CHECKING

import pyarrow as pa

from actors.episodes.port.words import Account, Entry
from actors.text.quotes import continued, indented
from gateway.notebook.frames import Frame, Table
from gateway.notebook.html import cell
from gateway.services.episodes.episode_details import EpisodeDetails, episode_details
from store.log.event_store import EventStore
from store.read_model.records import EpisodeRow

if TYPE_CHECKING:
    from gateway.notebook.analysis_store import Store

TRANSCRIPT = pa.schema(
    [
        pa.field(name, kind, metadata={"what": what})
        for name, kind, what in (
            ("number", pa.int64(), "the event's number in the history"),
            ("turn", pa.int64(), "from 1"),
            ("seat", pa.int64(), "who did it, from 0; null: nobody in particular"),
            ("who", pa.string(), "how the reader calls them"),
            ("kind", pa.string(), "what kind of thing it was, in a word of the environment's"),
            ("text", pa.string(), "the words said, or what was done, alone"),
            ("line", pa.string(), "the whole of it, as a line of a transcript"),
            ("to", pa.list_(pa.int64()), "the seats that alone noticed it; empty: everybody"),
            ("failed", pa.string(), "why there was no answer; null: there was one"),
        )
    ]
)
"""The columns of a transcript."""


class Transcript(Frame):
    """What a viewer noticed of an episode."""

    def __init__(self, details: EpisodeDetails, viewer: str) -> None:
        self.id = details.episode.id
        self.account: Account = details.account
        self.viewer = viewer
        self._details = details

    def to_arrow(self) -> pa.Table:
        """A row for each thing that happened."""
        rows = [_row(entry) for entry in self.account.entries]
        return pa.Table.from_pylist(rows, schema=TRANSCRIPT)

    @property
    def text(self) -> str:
        """What the viewer knows before the first turn, then line by line what happened."""
        told = [indented(self.account.situation), ""]
        for portrait in self.account.portraits:
            known = (("wants", portrait.goal), ("hides", portrait.secret))
            more = "; ".join(f"{verb}: {what}" for verb, what in known if what)
            told.append(continued(f"{portrait.name}" + (f" ({more})" if more else "")))
        told.append("")
        for entry in self.account.entries:
            why = entry.failed or entry.note
            told.append(continued(f"[{entry.number}] {entry.line}{f' ({why})' if why else ''}"))
        if self.account.ended:
            told.append(f"— ended after turn {self.account.turn}: {self.account.ending} —")
        return "\n".join(told)

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"transcript of {self.id} as {_eyes(self.viewer)}: {len(self.account.entries)} lines"

    def _repr_html_(self) -> str:
        row = self._details.episode
        return cell(
            "transcript.html.j2",
            title=row.scenario or row.task or "An episode",
            episode=self.id,
            viewer=_eyes(self.viewer),
            minds=row.minds,
            account=self.account,
            scores=self._details.scores,
        )


class Episode:
    """An episode, which shows itself as its transcript with its scores."""

    def __init__(self, store: "Store", row: EpisodeRow) -> None:
        self.store = store
        """Where it is kept."""
        self.row = row
        """What lists say of it, as it was when it was asked for."""

    @property
    def id(self) -> str:
        """In full."""
        return self.row.id

    @property
    def status(self) -> str:
        """``planned``, ``playing``, ``ended``, or ``failed``: given up."""
        return self.row.status

    @property
    def minds(self) -> tuple[str, ...]:
        """Their names, one a seat."""
        return self.row.minds

    @property
    def turns(self) -> tuple[Entry, ...]:
        """What happened, in order: ``turn`` (from 1), ``seat`` (from 0), ``who``, ``kind``,
        ``text``, and ``failed`` where a mind gave no answer."""
        return self._account.entries

    @property
    def outcome(self) -> str:
        """How it ended, as half a sentence; empty while it goes on."""
        return self._account.ending

    @property
    def scores(self) -> Table:
        """A row for each score."""
        return self.store.scores(episode=self.id)

    @cached_property
    def _account(self) -> Account:
        return self.transcript().account

    def transcript(self, viewer: str = "narrator") -> Transcript:
        """What happened in it, as somebody may see it (``Store.transcript``)."""
        return transcript_of(self.store.log, self.id, viewer)

    def __repr__(self) -> str:
        return f"episode {self.id}"

    def _repr_html_(self) -> str:
        return self.transcript()._repr_html_()


def transcript_of(store: EventStore, episode: str, viewer: str) -> Transcript:
    """Read an episode's transcript. Raises ``UnknownId``, ``BadArgument``."""
    return Transcript(episode_details(store, episode, str(viewer)), str(viewer))


def _row(entry: Entry) -> dict[str, object]:
    return {
        "number": entry.number,
        "turn": entry.turn,
        "seat": entry.seat,
        "who": entry.who,
        "kind": entry.kind,
        "text": entry.text,
        "line": entry.line,
        "to": list(entry.to),
        "failed": entry.failed or None,
    }


def _eyes(viewer: str) -> str:
    return f"seat {viewer}" if viewer.isdigit() else viewer
