"""What a viewer may see, in words. Nothing here decides what may be seen: ``actors.sandbox.sight``
did."""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from functools import lru_cache
from typing import Final

from actors.episodes.port.presentation import Presentation
from actors.episodes.port.sight import Viewer, setup_of
from actors.episodes.port.words import OTHER_ENDINGS, Account, Entry, EpisodeWords, Portrait
from actors.episodes.rules.failed_actions import NO_ANSWER
from actors.sandbox import sight
from actors.sandbox.catalog_items import Inhabitant
from actors.sandbox.clock import clock_from
from actors.sandbox.conversation.partner_address import is_place
from actors.sandbox.setup import ENDINGS, Case, Town
from actors.sandbox.times_and_places import long, moment, place
from actors.sandbox.views import (
    Did,
    Narrated,
    Notice,
    Perceived,
    Person,
    Recapped,
    Said,
    TalkBegun,
    TalkDone,
    Unanswered,
    View,
)
from events.episode import EpisodeStarted

FAULTS: Final = {
    "unknown_place": "stays: knows no such place",
    "unreachable": "stays: there is no way",
    "no_answer": "no answer",
}
"""Why something is not what was wanted, in words."""
_MOST_PLACES: Final = 3
"""Places of a notice that its line names."""


class RenderedWords:
    """Makes entries of one episode's notices."""

    def __init__(self, names: Sequence[str], start: str, step_s: int, town: bool) -> None:
        """``town``: there is a clock that goes; in a case there is none."""
        self._names = names
        self._clock = clock_from(start, step_s)
        self._town = town

    def entry(self, notice: Notice) -> Entry:
        """A notice, as an account tells it."""
        match notice:
            case Did():
                return self._did(notice)
            case Perceived():
                return self._perceived(notice)
            case Said():
                return self._said(notice)
            case TalkBegun(names=(one, other)):
                line = f"{one} begins to talk with {other}"
                return self._entry(notice, "talk", line, notice.seats[0], verb="begins to talk")
            case TalkDone():
                return self._done(notice)
            case Recapped(text=text):
                who = self._names[notice.seat]
                return self._entry(
                    notice, "recap", f"{who} tells what came of it: {text}", notice.seat, text
                )
            case Unanswered(failure=failure):
                line = f"{self._names[notice.seat]} {NO_ANSWER} ({failure})"
                return self._entry(notice, "nothing", line, notice.seat, failed=failure)
            case Narrated(text=text):
                return self._entry(notice, "narration", text, None, text)

    def _did(self, did: Did) -> Entry:
        where, until = place(did.address), self._when(did.until)
        fault = f" ({FAULTS.get(did.fault, did.fault)})" if did.fault else ""
        with_whom = "@" if is_place(did.address) else "with"
        text = f"{did.text} {with_whom} {where} until {until}{fault}"
        line = f"{self._names[did.seat]}: {text}"
        return self._entry(did, "action", line, did.seat, text, verb="does")

    def _perceived(self, seen: Perceived) -> Entry:
        parts = [f"{one.name} ({self._doing(one)})" for one in seen.seen]
        said = [f"sees {', '.join(parts)}"] if parts else []
        if seen.learned:
            named = ", ".join(place(one) for one in seen.learned[:_MOST_PLACES])
            more = len(seen.learned) - _MOST_PLACES
            said.append(f"now knows {named}" + (f" and {more} more places" if more > 0 else ""))
        text = "; ".join(said)
        line = f"{self._names[seen.seat]} {text}"
        return self._entry(seen, "perception", line, seen.seat, text, verb="perceives")

    def _said(self, said: Said) -> Entry:
        who, to = self._names[said.seat], self._names[said.to]
        text = said.text or "…"
        return self._entry(said, "utterance", f'{who} to {to}: "{text}"', said.seat, text)

    def _done(self, done: TalkDone) -> Entry:
        one, other = (self._names[seat] for seat in done.seats)
        line = f"{one} and {other} have talked about {done.about}, until {self._when(done.until)}"
        return self._entry(done, "talk", line, None)

    def _entry(
        self,
        notice: Notice,
        kind: str,
        line: str,
        seat: int | None,
        text: str = "",
        *,
        verb: str = "",
        failed: str = "",
    ) -> Entry:
        when = self._when(getattr(notice, "at", 0)) if self._town else ""
        return Entry(
            number=notice.number,
            turn=notice.turn,
            seat=seat,
            who="" if seat is None else self._names[seat],
            kind=kind,
            text=text,
            line=f"{when}  {line}" if when else line,
            to=notice.seats if isinstance(notice, Narrated) else (),
            verb=verb,
            failed=failed,
            when=when,
        )

    def _when(self, step: int) -> str:
        return moment(self._clock, step)

    def _doing(self, one: Person) -> str:
        return f"{one.text} @ {place(one.address)}" if is_place(one.address) else one.text


def _situation(view: View) -> str:
    start = datetime.fromisoformat(view.start)
    if not view.steps:
        one, other = (person.id for person in view.people)
        return f"{long(start)}: {one} and {other} talk."
    end = clock_from(view.start, view.step_s).moment(view.steps)
    town = f"{view.map.world}, a town" if view.map else "A town"
    where = f" You are at {place(view.place)}." if view.place else ""
    return f"{town} of {len(view.people)}, from {long(start)}, to {long(end)}.{where}"


@lru_cache(maxsize=4096)
def _portrait(seat: int, who: Inhabitant, goal: str) -> Portrait:
    facts = (
        ("Age", str(who.age) if who.age else ""),
        ("Traits", who.innate),
        ("Occupation", who.occupation),
        ("About", who.learned),
        ("Currently", who.currently),
        ("Habits", who.lifestyle),
        ("Each day", who.daily),
        ("Home", place(who.home) if who.home else ""),
    )
    brief = ", ".join(filter(None, (str(who.age) if who.age else "", who.occupation)))
    return Portrait(
        seat=seat,
        name=who.id,
        facts=tuple((what, text) for what, text in facts if text),
        brief=(brief,) if brief else (),
        goal=goal,
    )


def outcome(reason: str, summary: Mapping[str, str | int | float | bool]) -> str:
    """How an episode ended, in a few words."""
    if reason == "lived":
        return f"lived, {summary.get('talks', 0)} talks"
    if reason == "talked":
        return f"talked, {summary.get('utterances', 0)} utterances"
    return reason.replace("_", " ")


class CaseWords(EpisodeWords[View, Notice]):
    """A talk: nothing is said of the time."""

    def account(self, view: View) -> Account:
        words = RenderedWords(
            [one.id for one in view.people], view.start, view.step_s, bool(view.steps)
        )
        notes, goal = [], view.task.goal if view.task else ""
        if view.task is not None:
            notes.append(("Task", f"{view.task.goal}\n{view.task.criteria}"))
        if view.memory:
            notes.append(("Earlier", view.memory))
        return Account(
            situation=_situation(view),
            portraits=tuple(
                _portrait(seat, one, "" if seat else goal) for seat, one in enumerate(view.people)
            ),
            entries=tuple(words.entry(notice) for notice in view.noticed),
            notes=tuple(notes),
            turn=view.turn,
            ended=view.ended,
            ending=(ENDINGS | OTHER_ENDINGS).get(view.ended, view.ended),
            detail=view.detail,
        )

    def entry_writer(self, started: EpisodeStarted, viewer: Viewer) -> Callable[[Notice], Entry]:
        case = setup_of(started, Case)
        return RenderedWords(sight.names_of(case), case.at, 60, town=False).entry


class TownWords(CaseWords):
    """By the town's clock."""

    def entry_writer(self, started: EpisodeStarted, viewer: Viewer) -> Callable[[Notice], Entry]:
        """A line of what is done, perceived or said."""
        town = setup_of(started, Town)
        settings = town.settings
        return RenderedWords(sight.names_of(town), settings.start, settings.step_s, town=True).entry


class SandboxPresentation(Presentation[Town | Case]):
    """By the task."""

    def labels(self, setup: Town | Case) -> Mapping[str, str]:
        """The task and its kind."""
        task = setup.task
        return {"task": task.id, "kind": task.kind} if task is not None else {}


TOWN_WORDS: Final = TownWords()
CASE_WORDS: Final = CaseWords()
PRESENTATION: Final = SandboxPresentation()
