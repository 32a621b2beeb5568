"""The port every environment fills: pure functions over values of its own.

``docs/how-to/environments.md`` teaches it by an example. Nothing here does I/O, reads a clock or
draws a random number: time and randomness come in with the setup. So a history replays exactly, a
fork is cheap, and a property test can play any environment without knowing its name.
"""

import abc
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, Generic, Literal, NamedTuple, Protocol, TypeVar

import msgspec

from actors.episodes.catalogs.entries import (
    Beginning,
    CatalogEntry,
    Meeting,
    MissingItem,
    Remark,
    TaskEntry,
    plain_entries,
    plain_facts,
)
from actors.episodes.chain_support import ChainSupport
from actors.episodes.mind import Mind
from actors.episodes.typed_answers import Wording, answer_text, plain_line, plain_wording
from actors.models.replies.faults import Language
from events.base import Event, Value
from events.environments import Action, Catalog, Change, Settings, Setup, Vocabulary
from events.episode import (
    ActionFailure,
    ActionTaken,
    Asked,
    EpisodeStarted,
    TurnOpened,
    WorldChanged,
)
from events.untrusted.safe_text import shortened

if TYPE_CHECKING:
    from actors.episodes.formats import Formats
    from actors.episodes.planning_support import Living

W = TypeVar("W")
"""An environment's own state: an immutable value."""

Viewer = int | Literal["narrator", "judge", "spectator"]
"""A seat; or ``narrator`` and ``judge``, who may know everything; or ``spectator``, who may know
what is public."""

Happening = TurnOpened | ActionTaken | WorldChanged
"""What an environment's state follows from, after the setup."""


class Ask(Value, frozen=True, kw_only=True):
    """What comes next: these questions, together, as the next turn."""

    asked: tuple[Asked, ...]


class End(Value, frozen=True, kw_only=True):
    """What comes next: the end."""

    reason: str
    """One of the environment's ``endings``."""
    summary: dict[str, str | int | float | bool] = msgspec.field(default_factory=dict)
    """What lists say of the episode, by a short name."""


Step = Ask | End | Change


class Notice(Protocol):
    """What a viewer notices of one event: a struct of the environment's, with these two."""

    @property
    def number(self) -> int:
        """The event's number in the history."""
        ...

    @property
    def turn(self) -> int:
        """The turn it happened in."""
        ...


class Reducer(Protocol):
    """One viewer's eyes: takes the events of a history one after the other."""

    def apply(self, number: int, event: Event) -> Sequence[Any]:
        """What the viewer notices now that event ``number`` has happened, as ``Notice``s, oldest
        first. Costs the same in a long episode as in a short one."""
        ...


class Prompt(NamedTuple):
    """What a language model is shown when its seat is asked something."""

    system: str
    """Who it plays and the rules; the same in every turn of an episode."""
    user: str
    """What has happened, and the question."""
    version: str
    """Name and fingerprint of the template."""
    language: Language = "en"
    """What it is written in; a request to mend the answer is, too."""
    schema: dict[str, Any] | None = None
    """The JSON Schema to which a model is held here, with what the rules allow in this turn; None:
    that of the environment's ``answer_schema``."""


class PromptWriter(Protocol):
    """Writes one seat's prompts, question after question; what was written once is not written
    again."""

    def prompt(self, question: Any, noticed: Sequence[Any], turn: int) -> Prompt:
        """The words for one question. ``noticed``: all that the seat noticed so far."""
        ...


class Entry(Value, frozen=True, kw_only=True):
    """Something that happened, as an account tells it."""

    number: int
    """The event's number in the history."""
    turn: int
    seat: int | None = None
    """Who did it; None: nobody in particular."""
    who: str = ""
    """How the reader calls them."""
    kind: str = ""
    """What kind of thing it was, in one word of the environment's."""
    text: str = ""
    """The words said, or what was done, alone."""
    line: str
    """The whole of it, as a line of a transcript."""
    to: tuple[int, ...] = ()
    """The seats that alone could notice it; empty: everybody."""
    failed: str = ""
    """Why there was no answer, where the seat's mind gave none."""
    note: str = ""
    """How it came to be what it is, where that is not plain, for those who know everything."""
    verb: str = ""
    """How pages introduce ``text``: ``does``, ``leaves``; empty: it was said."""
    idle: bool = False
    """Nothing was done."""
    when: str = ""
    """When it was by the environment's own clock, in words; empty: it has none."""


class Portrait(Value, frozen=True, kw_only=True):
    """A seat, as an account tells of it."""

    seat: int
    name: str
    """How the reader calls them."""
    facts: tuple[tuple[str, str], ...] = ()
    """What is known of them, each with what it is."""
    brief: tuple[str, ...] = ()
    """The most important of it, a line each, where that reads better than ``facts``."""
    goal: str = ""
    """What it is after, where the reader may know."""
    secret: str = ""
    """What it hides, where the reader may know."""


class Account(Value, frozen=True, kw_only=True):
    """A whole episode as one reader may know it, in words. Terminals, pages and judges read it
    without knowing the environment."""

    situation: str
    """What is given before the first turn."""
    portraits: tuple[Portrait, ...]
    """One a seat, in their order."""
    relationships: tuple[str, ...] = ()
    """What is between seats, a sentence or two each."""
    entries: tuple[Entry, ...]
    """What happened, in order."""
    notes: tuple[tuple[str, str], ...] = ()
    """More that the reader knows, each under a heading."""
    turn: int
    """The last turn opened."""
    ended: str = ""
    """The ending's name; empty while it goes on."""
    ending: str = ""
    """The ending, as half a sentence: ``the turn cap was reached``."""
    detail: str = ""
    """More about the end, where the reader may know."""


OTHER_ENDINGS: Final = {
    "abandoned": "somebody did not answer in time",
    "stopped": "it was stopped",
    "failed": "it failed and was given up",
}
"""Endings that no environment's rules know, in words."""


class Environment(abc.ABC, Generic[W]):
    """A kind of world. One value of a subclass stands behind the entry point."""

    name: str
    """The entry point's name; letters, digits and ``_``."""
    vocabulary: Vocabulary
    endings: Mapping[str, str]
    """How its episodes can end, by the reason's name, as half a sentence: ``stopped``,
    ``abandoned`` and ``failed`` are known to all."""
    endings_of_seats: Mapping[str, str] = {}
    """The endings that who sat in a seat is told in other words."""
    turns_are_public: bool = False
    """Whether all may know which seats a turn asks. Where it would give something away, as at
    night among wolves, a seat is told of itself alone."""
    answers_are_told: bool = True
    """Whether those who know everything are told of every answer when it is given, though nobody
    notices it yet. Where a change says what came of all answers of a turn, that is enough."""

    # ------------------------------------------------------------ rules

    @abc.abstractmethod
    def setup_fault(self, setup: Any, seats: int) -> str | None:
        """Why an episode of ``seats`` seats cannot be played with this setup, as a sentence; None
        if it can."""

    @abc.abstractmethod
    def initial(self, setup: Any) -> W:
        """The state before the first turn."""

    @abc.abstractmethod
    def evolve(self, world: W, event: Happening) -> W:
        """The state after one more event."""

    @abc.abstractmethod
    def next_step(self, world: W) -> Step:
        """What comes next, now that no question is open: a change of the world (and then what
        comes next is asked again), a turn, or the end."""

    @abc.abstractmethod
    def action_fault(self, question: Any, action: Any, seat: int, seats: int) -> str | None:
        """Why an action is no answer to a question, as half a sentence; None if it is one."""

    @abc.abstractmethod
    def nothing(self, question: Any) -> Action:
        """What is recorded for a seat whose mind gave no answer. It comes with the failure."""

    def accepts(self, action: Any, failure: ActionFailure) -> bool:
        """Whether the rules make something of a failure for which ``action``, a *nothing*, was
        recorded, as where an answer that cannot be read is a vote for nothing. No episode is given
        up for such."""
        del action, failure
        return False

    def canonical(self, question: Any, action: Any) -> Action:
        """An action that was accepted, as it is recorded."""
        del question
        return action  # type: ignore[no-any-return]

    def narration(self, text: str, seats: tuple[int, ...]) -> Change | None:
        """What a researcher has a narrator say, as a change of the world that changes no open
        question: who notices it are ``seats``, from 0, in their order; none: everybody. None: there
        are no narrators in this environment."""
        del text, seats
        return None

    # ------------------------------------------------------------ sight

    @abc.abstractmethod
    def background(self, episode: str, started: EpisodeStarted, seat: int, memory: str) -> Any:
        """Who a seat is and what it knows before the first turn, as a struct of the environment's.
        ``memory``: what it remembers of earlier episodes, in words; empty: nothing."""

    @abc.abstractmethod
    def reducer(self, started: EpisodeStarted, viewer: Viewer) -> Reducer:
        """What a viewer notices, event by event, from the first after ``started`` on. The one door:
        nothing that a viewer may not know comes out of it. Raises ``ValueError`` where there is no
        such seat."""

    def noticed_by(self, event: Happening) -> Collection[int] | None:
        """The seats that may notice something of an event; None: any may. Where an episode has
        many seats, each event costs those alone: the reducers of the others are not told of it, and
        notice the same as if they were. Who is not asked in a turn is told of its opening before it
        is told of anything else in it."""
        del event
        return None

    @abc.abstractmethod
    def view(self, history: Sequence[Event], viewer: Viewer, memory: str = "") -> Any:
        """A whole history, or its first events, as a viewer may see it: a struct of the
        environment's. Event N has number N. Raises ``ValueError`` where the history has no start or
        there is no such viewer."""

    @abc.abstractmethod
    def account(self, view: Any) -> Account:
        """A ``view`` in words."""

    @abc.abstractmethod
    def entry_writer(self, started: EpisodeStarted, viewer: Viewer) -> Callable[[Any], Entry]:
        """What makes an entry of the viewer's account of each notice, one by one, for those who
        follow an episode."""

    def ending(self, reason: str) -> str:
        """Why an episode is over, as half a sentence; empty where it goes on."""
        return {**self.endings, **OTHER_ENDINGS}.get(reason, reason)

    def ending_for(self, viewer: Viewer, reason: str) -> str:
        """As ``ending``, in words for the viewer."""
        own = self.endings_of_seats.get(reason) if isinstance(viewer, int) else None
        return own or self.ending(reason)

    def outcome(self, reason: str, summary: Mapping[str, str | int | float | bool]) -> str:
        """How an episode ended, in a few words for lists: by the reason's name and what the end's
        summary says."""
        del summary
        return reason.replace("_", " ")

    def describe(self, settings: Any) -> tuple[tuple[str, str], ...]:
        """A plan's own section in words: each setting under what it is about."""
        del settings
        return ()

    @property
    @abc.abstractmethod
    def shapes(self) -> "Shapes":
        """How what is sent to seats is typed."""

    def shared(self, background: Any) -> Any:
        """A seat's background as its mind keeps it: what is equal in those of many seats may be
        the same there, so that a process that holds a thousand keeps it once."""
        return background

    def shared_news(self, news: Sequence[Any]) -> Sequence[Any]:
        """What a seat has noticed, likewise."""
        return news

    def labels(self, setup: Any) -> Mapping[str, str]:
        """What tables can be filtered by beside tags, by a short name: a column each."""
        del setup
        return {}

    def tags(self, setup: Any) -> Sequence[str]:
        """Tags of what is played, beside those of the task."""
        del setup
        return ()

    @property
    def stage(self) -> Path | None:
        """The folder of its stage piece, served at ``/static/environments/<name>/``: an ES module
        ``stage.js`` that draws what a viewer was told, or brings a form for its questions, or both.
        None: the plain ones serve."""
        return None

    # ------------------------------------------------------------ minds

    @abc.abstractmethod
    def prompt_writer(self, background: Any) -> PromptWriter:
        """Who asks the language model in a seat."""

    @abc.abstractmethod
    def read_answer(self, question: Any, background: Any, text: str, label: str) -> Action:
        """The action that a model's text means. ``label`` is the model's in the metrics. Raises
        ``actors.models.errors.Unreadable`` with what is wrong, for the model to mend."""

    def reasks(self, background: Any) -> int | None:
        """How often a model's answer that cannot be used is asked for again; None: as often as is
        usual."""
        del background
        return None

    def answer_schema(self, question: Any, background: Any) -> dict[str, Any] | None:
        """The JSON Schema of an answer, as forms for people and remote programs are told it; models
        that can be held to one are, unless the prompt brings a narrower one. None: there is
        none."""
        del question, background
        return None

    def living(self, background: Any) -> "Living | None":
        """A seat's life, for a mind that plans and remembers; None: there is nothing to plan here.
        Then such a mind remembers what it is told, and is asked as any model is."""
        del background
        return None

    def told(self, background: Any, notice: Any) -> str:
        """What a seat noticed, as a sentence that such a mind remembers; empty: it is nothing to be
        remembered."""
        del background
        return plain_line(notice)

    @abc.abstractmethod
    def rehearsal(self, temper: str, seed: int | None = None) -> Mind:
        """The offline mind: deterministic, no language model. ``seed``: where its chance begins,
        for a fork that is to differ in nothing else; None: with the episode's own. Raises
        ``UnknownTemper``."""

    def wording(self, question: Any, background: Any) -> Wording:
        """How a person at a keyboard is asked a question, in words."""
        return plain_wording(question, self.answer_schema(question, background))

    def typed(self, question: Any, background: Any, text: str) -> Action:
        """The action that a line means which a person has typed. Raises ``ValueError`` with what is
        wrong, for the person to mend."""
        schema = self.answer_schema(question, background)
        return self.read_answer(question, background, answer_text(text, schema), "person")

    def carried_over(self, question: Any, action: Any, other: Any) -> Action | None:
        """What a person who answered one question so is taken to answer to another one of the same
        turn, where that asks the same in other words; None: they are asked."""
        del question, action, other
        return None

    tempers: tuple[str, ...] = ()
    """How its rehearsal minds can behave, by name. A plan names one of them."""

    # ------------------------------------------------------------ plans

    older_sections: tuple[str, ...] = ()
    """Names that its section of a plan file had before that of the environment."""

    @property
    def section(self) -> type[msgspec.Struct]:
        """Its section of a plan file: every field has a default, unknown ones are forbidden, and
        limits are ``msgspec.Meta``, so that what is wrong can be named."""
        return self.vocabulary.settings[-1]

    def settings(self, section: Any, seed: int) -> Settings:
        """What a run records of the section. ``seed`` is the whole plan's."""
        del seed
        return section  # type: ignore[no-any-return]

    def questions_at_most(self, setup: Any, seats: int) -> tuple[int, ...] | None:
        """How often each seat may be asked in an episode; None: nobody knows before."""
        del setup, seats
        return None

    def days(self, setup: Any) -> float | None:
        """How many days of its own time an episode lasts; None: it has no clock. For the forecast
        of what minds that think ask of models."""
        del setup
        return None

    def told_at_most(self, setup: Any, seat: int) -> str | None:
        """All that a seat may be told in an episode, in words, where that is written down before
        it; None: it grows by what all answer. For the forecast of what is asked of models."""
        del setup, seat
        return None

    # ------------------------------------------------------------ catalogs

    def starter(self) -> Catalog | None:
        """The catalog that comes with the environment; it has a name of its own."""
        return None

    def tasks(self, catalog: Any) -> Sequence[TaskEntry]:
        """What a plan can choose from, in the catalog's order."""
        del catalog
        return ()

    def begin(self, catalog: Any, task: str, settings: Any, seed: int) -> Beginning:
        """How an episode of a task begins. ``seed`` is the episode's own. Raises
        ``MissingItem``."""
        del settings, seed
        raise MissingItem(catalog.name, "task", task)

    def begin_meeting(self, catalog: Any, meeting: Meeting, settings: Any, seed: int) -> Beginning:
        """How an episode of a chain begins, which is no task of the catalog. Raises
        ``MissingItem``."""
        del settings, seed
        raise MissingItem(catalog.name, "scenario", meeting.scenario)

    def entries(self, catalog: Any) -> Sequence[CatalogEntry]:
        """Everything in a catalog, kind by kind, for lists and searches."""
        return plain_entries(catalog)

    def facts(self, catalog: Any, entry: CatalogEntry) -> Sequence[tuple[str, str]]:
        """All there is to know of an entry, for its designer: each with what it is."""
        del catalog
        return plain_facts(entry.item)

    filled_in: Mapping[str, tuple[str, ...]] = MappingProxyType({})
    """By kind the fields that the author of a catalog may leave out, for ``fill_in`` to find."""

    @property
    def full_names(self) -> Collection[str]:
        """Kinds whose ids are people's full names, with blanks between."""
        return ()

    def fill_in(self, catalog: Any, left_out: Collection[tuple[str, int, str]]) -> Any:
        """A catalog with what its author left out: each a kind, the place in the catalog's tuple
        and a field, which is empty so far. What cannot be found stays empty."""
        del left_out
        return catalog

    def check(self, catalog: Any) -> Iterable[Remark]:
        """What is wrong or odd with a catalog, beyond what its types say and beyond tasks with
        which no episode can begin. Nothing in it may be taken for granted: it may name what is not
        there."""
        del catalog
        return ()

    def template(self) -> Mapping[str, str]:
        """What a new catalog begins with: the entries, with comments, as TOML by the plural of
        their kind."""
        from actors.episodes.catalogs.writer import entries_of_starter

        return entries_of_starter(self)

    # ------------------------------------------------------------ chains

    @property
    def chains(self) -> ChainSupport | None:
        """What plays its episodes in chains, where the same characters meet again and remember;
        None: there are none."""
        return None

    # ------------------------------------------------------------ files

    @property
    def formats(self) -> "Formats":
        """The files of other programs that it reads and writes."""
        from actors.episodes.formats import NO_FORMATS

        return NO_FORMATS


class Shapes(NamedTuple):
    """The types of what an environment's seats are shown."""

    background: type
    notice: Any
    """One struct, or a union of tagged ones."""


class UnknownTemper(ValueError):
    """A rehearsal temper that an environment does not have."""

    def __init__(self, given: str, known: Sequence[str]) -> None:
        super().__init__(
            f"there is no rehearsal temper {shortened(given)!r}; there are {', '.join(known)}"
        )
        self.given, self.known = given, tuple(known)


def setup_of(started: EpisodeStarted, kind: type[Setup]) -> Any:
    """The setup of an episode, which is of this kind. Raises ``TypeError`` where it is not."""
    if not isinstance(started.setup, kind):
        raise TypeError(f"the setup is a {type(started.setup).__name__}, not a {kind.__name__}")
    return started.setup
