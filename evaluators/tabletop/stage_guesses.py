"""What a virtual game master makes of a session while it is played, for the researcher's stage. It
reads what everybody at the table notices, and nothing else."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

from actors.tabletop.setup import Session
from actors.tabletop.sight import SIGHT, moves
from evaluators.guesses import Found, Guess, GuessedLine, Guesses
from evaluators.tabletop.calls.samples import Label
from evaluators.tabletop.gap.played import labels_of, sample_of
from evaluators.tabletop.virtual_dms.lexicon import LexiconDM
from evaluators.tabletop.virtual_dms.port import VirtualDM
from events.base import Event
from events.episode import EpisodeStarted

SHOWN: Final = 30
"""Moves after which a guess is shown, the last ones."""
TITLE: Final = "Virtual game master"


def guesses_of(history: Sequence[Event], folder: Path) -> Guesses | None:
    """The guesses after each of the last moves. ``folder``: where ``dm.toml`` may be, the virtual
    game master that ``troupe tabletop fit`` has written; without it the lexicon guesses."""
    del folder
    started = next((event for event in history if isinstance(event, EpisodeStarted)), None)
    if started is None or not isinstance(started.setup, Session):
        return None
    session = started.setup
    meant = frozenset(labels_of(session))
    dm: VirtualDM = LexiconDM()
    return Guesses(
        title=TITLE,
        by="the lexicon: who moved last, and which skill's words they used",
        guesses=tuple(_guesses(session, history, dm, meant)),
        meant=_lines(session, meant, frozenset()),
    )


def _guesses(
    session: Session, history: Sequence[Event], dm: VirtualDM, meant: frozenset[Label]
) -> Iterable[Guess]:
    made = [one for one in moves(SIGHT.view(history, "spectator").noticed) if one.text or one.deed]
    for place in range(max(0, len(made) - SHOWN), len(made)):
        sample = sample_of(session, made[: place + 1], "")
        yield Guess(
            number=made[place].number,
            turn=made[place].turn,
            lines=_lines(session, dm.predict(sample.lines, sample.cast), meant),
        )


def _lines(
    session: Session, labels: Iterable[Label], meant: frozenset[Label]
) -> tuple[GuessedLine, ...]:
    seats = {one.name: seat for seat, one in enumerate(session.characters)}
    return tuple(
        GuessedLine(
            seat=seats[label.who], who=label.who, what=label.skill, found=_found(label, meant)
        )
        for label in sorted(labels)
        if label.who in seats
    )


def _found(label: Label, meant: frozenset[Label]) -> Found:
    if not meant:
        return ""
    if label in meant:
        return "right"
    return "partly" if any(label.who == one.who for one in meant) else "wrong"
