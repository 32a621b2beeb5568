"""A session in words, for terminals, pages and judges."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Final

from actors.episodes.port.limits import Limits
from actors.episodes.port.planning import Planning
from actors.episodes.port.presentation import Presentation
from actors.episodes.port.sight import Viewer, setup_of
from actors.episodes.port.words import OTHER_ENDINGS, Account, Entry, EpisodeWords, Portrait
from actors.tabletop.catalog_items import CharacterSheet
from actors.tabletop.setup import ENDINGS, Session
from actors.tabletop.sight import AnswerSeen, MoveSeen, Notice, TableView
from events.episode import EpisodeStarted

PUBLIC: Final = ("Race", "Class")
"""What of ``facts`` all at the table know."""


def situation(session: Session) -> str:
    """What is given before the first turn."""
    scene, npc = session.scene, session.characters[-1]
    lines = [f"{scene.place}. {scene.situation}", scene.hook]
    if session.topic:
        lines.append(f"{npc.name} knows {session.points} things about {session.topic}.")
    return "\n".join(lines)


def line(session: Session, notice: Notice) -> str:
    """A notice as a line of a transcript."""
    who = session.characters[notice.seat].name
    if not isinstance(notice, MoveSeen):
        when = "before the first turn" if notice.moment == "before" else "in the end"
        return f"{who} knows {when}: {notice.text or 'nothing'}"
    parts = [f'says: "{notice.text}"'] if notice.text else []
    parts += [f"does: {notice.deed}"] if notice.deed else []
    return f"{who} {' and '.join(parts) or 'passes'}"


def facts(character: CharacterSheet) -> tuple[tuple[str, str], ...]:
    """What a sheet says, each with what it is."""
    scores = character.scores
    told = (
        ("Race", character.race),
        ("Class", character.role),
        ("Background", character.background),
        ("Alignment", character.alignment),
        (
            "Abilities",
            ", ".join(f"{name} {getattr(scores, name)}" for name in scores.__struct_fields__)
            if scores
            else "",
        ),
        ("Skills", ", ".join(character.skills)),
        ("Languages", ", ".join(character.languages)),
        ("Traits", " ".join(character.traits)),
        ("Ideal", character.ideal),
        ("Bond", character.bond),
        ("Flaw", character.flaw),
        ("Description", character.description),
    )
    return tuple((what, text) for what, text in told if text)


def knowledge(session: Session) -> str:
    """What the non-player character knows, a key point a line; empty: the viewer does not know."""
    points = session.sheet.points if session.sheet else ()
    return "\n".join(f"{place}. {point.text}" for place, point in enumerate(points, 1))


def task_of(session: Session, seat: int) -> str:
    """What a person in a seat is to do about the knowledge; empty: nothing, or there is none."""
    npc = session.characters[-1].name
    if not session.topic:
        return ""
    if seat == session.players:
        return "Talk about what you know as your character would, with those who ask for it."
    return f"Find out as much as you can of the {session.points} things that {npc} knows."


def _portrait(session: Session, seat: int, who: CharacterSheet, viewer: Viewer) -> Portrait:
    intention = session.intentions[seat] if seat < len(session.intentions) else None
    npc = seat == session.players
    part = "non-player character" if npc else "player"
    known = facts(who)
    return Portrait(
        seat=seat,
        name=who.name,
        facts=(("Part", part), *known),
        # Race and class alone, as the others know them, need no list.
        brief=(f"{who.race} {who.role}, {part}",) if len(known) <= len(PUBLIC) else (),
        goal=intention.text if intention else task_of(session, seat) if seat == viewer else "",
        secret=knowledge(session) if npc else "",
    )


def entry(session: Session, notice: Notice) -> Entry:
    """A notice in an account."""
    who = session.characters[notice.seat].name
    if isinstance(notice, AnswerSeen):
        return Entry(
            number=notice.number,
            turn=notice.turn,
            seat=notice.seat,
            who=who,
            kind="answer",
            text=notice.text or "nothing",
            line=line(session, notice),
            failed=notice.failed,
            verb="supposed" if notice.moment == "before" else "learned",
        )
    idle = not notice.text and not notice.deed
    deed = f"*{notice.deed}*" if notice.text and notice.deed else notice.deed
    return Entry(
        number=notice.number,
        turn=notice.turn,
        seat=notice.seat,
        who=who,
        kind="move",
        # As people type it: words as they are, a deed between asterisks.
        text=" ".join(filter(None, (notice.text, deed))),
        line=line(session, notice),
        failed=notice.failed,
        verb="" if notice.text else "passes" if idle else "does",
        idle=idle,
    )


class SessionWords(EpisodeWords[TableView, Notice]):
    """A line a move."""

    def account(self, view: TableView) -> Account:
        session, ends = view.setup, {**ENDINGS, **OTHER_ENDINGS}
        return Account(
            situation=situation(session),
            portraits=tuple(
                [
                    _portrait(session, seat, one, view.viewer)
                    for seat, one in enumerate(session.characters)
                ]
            ),
            entries=tuple([entry(session, one) for one in view.noticed]),
            turn=view.turn,
            ended=view.ended,
            ending=ends.get(view.ended, view.ended),
            detail=view.detail,
        )

    def entry_writer(self, started: EpisodeStarted, viewer: Viewer) -> Callable[[Notice], Entry]:
        return partial(entry, setup_of(started, Session))


class SessionPlanning(Planning[TableView, Notice]):
    """Minds that plan remember each move as it is told."""

    def told(self, background: TableView, notice: Notice) -> str:
        """The move as a line."""
        return line(background.setup, notice)


class SessionLimits(Limits[Session, TableView]):
    """Moves and answers are known before."""

    def questions(self, setup: Session, seats: int) -> tuple[int, ...]:
        """How often each seat is asked."""
        asked = 0 if setup.kind != "exchange" else 1 + setup.settings.baseline
        whole, rest = divmod(setup.moves, seats)
        return tuple(
            [
                whole + (seat < rest) + (asked if seat < setup.players else 0)
                for seat in range(seats)
            ]
        )


class SessionPresentation(Presentation[Session]):
    """Who moves is public."""

    turns_are_public = True

    def labels(self, setup: Session) -> Mapping[str, str]:
        """Columns of tables."""
        return {"kind": setup.kind, "players": str(setup.players), "scene": setup.scene.id}

    def tags(self, setup: Session) -> Sequence[str]:
        """The kind of session."""
        return (setup.kind,)


WORDS: Final = SessionWords()
PLANNING: Final = SessionPlanning()
LIMITS: Final = SessionLimits()
PRESENTATION: Final = SessionPresentation()
