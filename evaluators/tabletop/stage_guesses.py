"""What a virtual game master makes of a session while it is played, for the researcher's stage. It
reads what everybody at the table notices, and nothing else."""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Final, NoReturn

from actors.tabletop.setup import Session
from actors.tabletop.sight import SIGHT, moves
from actors.toml_file import BadFile
from evaluators.guesses import Found, Guess, GuessedLine, Guesses
from evaluators.tabletop.calls.samples import Label
from evaluators.tabletop.gap.played import labels_of, sample_of
from evaluators.tabletop.virtual_dms.lexicon import LexiconDM
from evaluators.tabletop.virtual_dms.needed import ExtraMissing
from evaluators.tabletop.virtual_dms.port import VirtualDM
from evaluators.tabletop.virtual_dms.saved import (
    SavedLexicon,
    SavedLinear,
    read_fitted,
    read_saved,
)
from events.base import Event, replace
from events.episode import EpisodeStarted

SHOWN: Final = 30
"""Moves after which a guess is shown, the last ones."""
TITLE: Final = "Virtual game master"
DM_FILE: Final = "dm.json"
_LEXICON: Final = "the lexicon: who moved last, and which skill's words they used"


def guesses_of(history: Sequence[Event], folder: Path) -> Guesses | None:
    """The guesses after each of the last moves. ``folder``: where ``DM_FILE`` may be, which
    ``troupe tabletop fit`` has written; without it the lexicon guesses."""
    started = next((event for event in history if isinstance(event, EpisodeStarted)), None)
    if started is None or not isinstance(started.setup, Session):
        return None
    session = started.setup
    meant = frozenset(labels_of(session))
    shown = Guesses(title=TITLE, by=_LEXICON, meant=_lines(session, meant, frozenset()))
    path = folder / DM_FILE
    dm: VirtualDM = LexiconDM()
    try:
        changed = path.stat().st_mtime_ns
    except OSError:
        pass
    else:
        shown = replace(shown, by=f"the file {folder.name}/{DM_FILE} of the data folder")
        try:
            dm = _read(path, changed)
        except (BadFile, ExtraMissing) as error:
            return replace(shown, fault=str(error))
    return replace(shown, guesses=tuple(_guesses(session, history, dm, meant)))


@lru_cache(maxsize=1)
def _read(path: Path, changed: int) -> VirtualDM:
    """The virtual game master in a file that was ``changed`` then. Raises ``BadFile``,
    ``ExtraMissing``."""
    del changed
    saved = read_saved(path)
    if not isinstance(saved, SavedLexicon | SavedLinear):
        why = f"is of kind {saved.dm.kind}, which asks a language model for each move"
        raise BadFile(path, "kind", f"{why}; the stage takes lexicon and linear")
    return read_fitted(path, _asks_nobody)


def _asks_nobody(*_: object) -> NoReturn:
    raise AssertionError("neither lexicon nor linear asks a model")


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
