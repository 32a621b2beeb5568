"""Studies with people, and one participant's way through one.

Stream ``study-<id>``: what is planned, and all that is decided between participants: who may come
in, who waits, who plays with whom in which condition, and how each session ended. Stream
``session-<id>``: one participant's own way: consent and answers. A *session* is that way; in both
streams the participant is a pseudonym.
"""

from typing import Literal

import msgspec

from events.base import Event, Value
from events.episode import PeopleRules
from events.minds import MindSpec

QuestionKind = Literal["choice", "several", "scale", "number", "text"]
Part = Literal["screening", "comprehension", "questionnaire"]
Outcome = Literal[
    "completed",
    "declined",
    "screened_out",
    "not_understood",
    "nobody_came",
    "dropped",
    "idle",
    "full",
    "closed",
    "left",
]
DropReason = Literal["left", "late", "away", "removed"]


class StudyQuestion(Value, frozen=True, kw_only=True):
    """Something that participants are asked outside of an episode."""

    id: str
    """Its name in tables."""
    text: str
    """As it is asked."""
    kind: QuestionKind = "text"
    """One of ``options``; any of them; a whole number from ``low`` to ``high`` as buttons; any
    number in that range; words."""
    options: tuple[str, ...] = ()
    """For ``choice`` and ``several``."""
    right: tuple[str, ...] = ()
    """The answers that are right, where not every one is; of ``several`` they are needed
    together."""
    low: float | None = None
    """For ``scale`` and ``number``; None: there is no bound."""
    high: float | None = None
    """For ``scale`` and ``number``; None: there is no bound."""
    low_label: str = ""
    """What ``low`` means."""
    high_label: str = ""
    """What ``high`` means."""
    required: bool = True
    """It cannot be left open."""


class Consent(Value, frozen=True, kw_only=True):
    """What participants agree to."""

    version: str
    """How the text is called; whoever changes the text changes it."""
    text: str
    """As it is shown; paragraphs are parted by blank lines."""


class InstructionPage(Value, frozen=True, kw_only=True):
    """A page to read."""

    title: str
    """Its heading."""
    text: str
    """Paragraphs are parted by blank lines."""


class Condition(Value, frozen=True, kw_only=True):
    """A kind of group."""

    name: str
    """Its name."""
    tasks: tuple[str, ...]
    """Ids in the study's catalog; each group plays the one that was played least."""
    people: int
    """How many participants a group has."""
    minds: tuple[MindSpec, ...] = ()
    """Who sits in the other seats."""
    share: float = 1.0
    """How many groups, against the other conditions' shares."""
    quota: int = 0
    """Whole groups that are wanted; 0: any number."""


class Lobby(Value, frozen=True, kw_only=True):
    """Where participants wait for each other."""

    limit_s: float = 300.0
    """Seconds that one waits at most."""
    fallback: Literal["model", "pay"] = "pay"
    """Then ``mind`` takes the seats of those who did not come, or the session ends with the code
    ``nobody_came``."""
    mind: MindSpec | None = None
    """For ``model``."""


class DropOuts(Value, frozen=True, kw_only=True):
    """What is done where somebody leaves a group, or does not answer."""

    rule: Literal["replace", "end"] = "end"
    """``mind`` takes the seat; or the episode ends for all."""
    mind: MindSpec | None = None
    """For ``replace``."""


class Recruitment(Value, frozen=True, kw_only=True):
    """Where participants come from."""

    keep: tuple[str, ...] = ()
    """Names of the link's parameters that are kept with a session."""
    participant: str = ""
    """The one that tells participants apart: each comes in once. Empty: it is not told."""
    redirect: str = ""
    """Where to go at the end; ``{code}`` stands for the completion code. Empty: nowhere."""


class Study(Value, frozen=True, kw_only=True):
    """A study with everything resolved."""

    name: str
    """How researchers call it."""
    title: str
    """How participants see it called."""
    environment: str
    """The environment's name."""
    catalog: str
    """The catalog's name."""
    seed: int = 0
    """What is drawn by chance begins here."""
    consent: Consent
    """What they agree to first."""
    instructions: tuple[InstructionPage, ...] = ()
    """What they read then, page by page."""
    screening: tuple[StudyQuestion, ...] = ()
    """Who does not answer all of it right is thanked and goes."""
    comprehension: tuple[StudyQuestion, ...] = ()
    """Who does not answer all of it right reads the instructions again."""
    tries: int = 3
    """How often ``comprehension`` may be answered."""
    conditions: tuple[Condition, ...]
    """At least one."""
    participants: int = 0
    """So many may come in at most; 0: any number. Who went before they played is none of them."""
    lobby: Lobby = Lobby()
    """Where they wait."""
    people: PeopleRules = PeopleRules()
    """What is done in episodes where people are waited for."""
    drop_outs: DropOuts = DropOuts()
    """What is done where somebody leaves."""
    longest_s: float = 3600.0
    """Seconds that an episode may take; then it is stopped."""
    idle_s: float = 1800.0
    """Seconds after which a session ends in which nothing happens."""
    questionnaire: tuple[StudyQuestion, ...] = ()
    """What they are asked at the end."""
    codes: dict[str, str] = msgspec.field(default_factory=dict)
    """Completion codes by outcome; where one is missing ``completed``, ``nobody_came`` and ``full``
    get a code of each session's own, and other outcomes none."""
    recruitment: Recruitment = Recruitment()
    """Where they come from."""
    partners: str = ""
    """What participants are told of who their partners may be; empty: nothing."""

    def condition(self, name: str) -> Condition:
        """The condition of this name. Raises ``KeyError``."""
        for one in self.conditions:
            if one.name == name:
                return one
        raise KeyError(name)


# ------------------------------------------------------------------------------ the study


class StudyPlanned(Event, frozen=True, kw_only=True):
    """A study is set up. First event of its stream."""

    study: Study
    """The study as it stands from here on."""
    run: str
    """The run that its episodes belong to."""
    source: str = ""
    """The file's text."""
    software: str = ""
    """Version of Troupe."""
    by: str = ""
    """Who did it."""


class StudyOpened(Event, frozen=True, kw_only=True):
    """Participants may come in."""

    by: str = ""
    """Who did it."""


class StudyPaused(Event, frozen=True, kw_only=True):
    """Nobody comes in for a while; who is inside goes on."""

    by: str = ""
    """Who did it."""


class StudyClosed(Event, frozen=True, kw_only=True):
    """Nobody comes in any more; who plays or is behind that goes on to the end."""

    by: str = ""
    """Who did it."""


class SessionAdmitted(Event, frozen=True, kw_only=True):
    """A participant comes in."""

    session: str
    """The session's id."""
    participant: str
    """The pseudonym."""
    who: str = ""
    """Fingerprint, under a key of the study's, of what tells them apart; empty: nothing does."""
    at: int
    """Microseconds since 1970-01-01 UTC."""


class SessionWaits(Event, frozen=True, kw_only=True):
    """A participant waits in the lobby."""

    session: str
    """The session's id."""
    condition: str
    """Which one they were drawn into."""
    at: int
    """Microseconds since 1970-01-01 UTC."""


class Member(Value, frozen=True, kw_only=True):
    """A participant in a group."""

    session: str
    """The session's id."""
    participant: str
    """The pseudonym."""
    seat: int
    """From 0."""


class GroupFormed(Event, frozen=True, kw_only=True):
    """Participants begin an episode together."""

    episode: str
    """The episode's id."""
    condition: str
    """The condition's name."""
    task: str
    """The task's id in the study's catalog."""
    members: tuple[Member, ...]
    """At least one."""
    minds: tuple[MindSpec, ...]
    """One a seat; of kind ``person`` where a member sits."""
    fallback: bool = False
    """A mind sits where somebody did not come: it counts for no quota."""
    at: int
    """Microseconds since 1970-01-01 UTC."""


class SessionDropped(Event, frozen=True, kw_only=True):
    """A participant left their group before its end: the group is not whole."""

    session: str
    """The session's id."""
    reason: DropReason
    """As in ``SeatReleased``."""


class GroupEnded(Event, frozen=True, kw_only=True):
    """A group's episode is over."""

    episode: str
    """The episode's id."""
    ending: str
    """The ending's name."""
    at: int
    """Microseconds since 1970-01-01 UTC."""


class SessionEnded(Event, frozen=True, kw_only=True):
    """A participant's way is over."""

    session: str
    """The session's id."""
    outcome: Outcome
    """They did all; did not agree; did not fit; did not understand; found nobody in time; left
    their group; did nothing for too long; there was no room, or the study was closed; or they
    went."""
    code: str = ""
    """The completion code that they were given; empty: none."""
    at: int
    """Microseconds since 1970-01-01 UTC."""


class ParticipantErased(Event, frozen=True, kw_only=True):
    """The key of what a participant said is gone."""

    participant: str
    """The pseudonym."""
    by: str = ""
    """Who did it."""


# ------------------------------------------------------------------------------ a session


class Parameter(Value, frozen=True, kw_only=True):
    """A parameter of the link that somebody came by."""

    name: str
    """Its name."""
    value: str
    """Sealed."""


class SessionBegan(Event, frozen=True, kw_only=True):
    """A participant opened the study's link. First event of a session's stream."""

    study: str
    """The study's id."""
    participant: str
    """The pseudonym."""
    parameters: tuple[Parameter, ...] = ()
    """Those of the link that the study keeps; their values are sealed."""


class ConsentAnswered(Event, frozen=True, kw_only=True):
    """A participant agreed, or did not."""

    version: str
    """How the text was called."""
    hash: str
    """Fingerprint of the text."""
    agreed: bool
    """Whether they did."""


class InstructionsRead(Event, frozen=True, kw_only=True):
    """A participant has read the instructions."""


class Answer(Value, frozen=True, kw_only=True):
    """What a participant answered to one question."""

    question: str
    """The question's id."""
    value: str
    """Sealed. Several are parted by line ends."""


class QuestionsAnswered(Event, frozen=True, kw_only=True):
    """A participant answered a page of questions."""

    part: Part
    """Which questions they are."""
    answers: tuple[Answer, ...]
    """One a question."""
    passed: bool = True
    """Whether everything that has a right answer got it."""
