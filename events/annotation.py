"""Annotation studies: people who score episodes. Streams ``annotation-<id>``, one a study, and
``draft-<study>.<annotator>``, what one annotator has typed and not handed in.

What annotators hand in becomes evaluations by judges of kind ``person`` (``events.evaluation``),
except for items with known answers, which test whether an annotator is suitable.
"""

from events.base import Event, Value
from events.evaluation import DEFAULT_RUBRIC, Dimension


class KnownAnswer(Value, frozen=True, kw_only=True):
    """What is right to say of a seat in one dimension."""

    seat: int
    """From 0."""
    dimension: str
    """The dimension's name."""
    low: float
    """The least value that is right."""
    high: float
    """The greatest value that is right."""


class AnnotationItem(Value, frozen=True, kw_only=True):
    """One thing to annotate: an episode, or one seat of it."""

    episode: str
    """The episode's id."""
    seat: int | None = None
    """From 0; None: all seats of the episode."""
    wanted: int = 1
    """How many annotators are to annotate it."""
    known: tuple[KnownAnswer, ...] = ()
    """What is right. Such an item is for qualification: every annotator begins with it, and its
    answers become no scores. Empty: an item like others."""


class AttentionCheck(Value, frozen=True, kw_only=True):
    """A row among the others that says in words which value it is to have."""

    dimension: str
    """The dimension in whose form it stands."""
    value: float
    """The value that it asks for."""


class SeatAnswer(Value, frozen=True, kw_only=True):
    """What an annotator says of a seat in one dimension."""

    seat: int
    """From 0."""
    dimension: str
    """The dimension's name."""
    value: float | None = None
    """None: none was given."""
    abstained: bool = False
    """The annotator declines to give a value."""
    reason: str = ""
    """Why, in the annotator's words."""
    evidence: tuple[int, ...] = ()
    """Event numbers of the episode's history that it rests on."""
    quotes: tuple[str, ...] = ()
    """Words that it rests on, as they stand there."""


class AnnotationPlanned(Event, frozen=True, kw_only=True):
    """People are to annotate some items. First event of the stream."""

    name: str
    """How lists call the study."""
    items: tuple[AnnotationItem, ...]
    """In the order in which those for qualification are given out."""
    rubric: str = DEFAULT_RUBRIC
    """The name of what is judged by."""
    dimensions: tuple[Dimension, ...]
    """What is scored of each seat."""
    checkpoints: tuple[str, ...] = ()
    """The dimensions among them that are passed (1) or failed (0)."""
    by_absence: tuple[str, ...] = ()
    """The checkpoints among these that can fail by something left undone, which leaves nothing to
    quote."""
    instructions: str = ""
    """What annotators read first."""
    attention: float = 0.0
    """Share of items, 0 to 1, that come with an attention check."""
    attention_mark: float = 0.5
    """Share of attention checks, 0 to 1, below which an annotator is given no more items."""
    qualification_mark: float = 0.75
    """Share of known answers, 0 to 1, that an annotator has to give to be given other items."""
    lapse_h: float = 24.0
    """Hours after which an item that was not handed in is given to others, too."""
    seed: int = 0
    """Decides what chance would: who is given which item, and where attention checks stand."""
    run: str = ""
    """The run whose episodes they are; empty: they are of several, or of none."""
    by: str = ""
    """Who planned it."""


class AnnotatorJoined(Event, frozen=True, kw_only=True):
    """Somebody began to annotate."""

    annotator: str
    """The pseudonym, which is the name of the judge that their scores are by."""


class ItemAssigned(Event, frozen=True, kw_only=True):
    """An annotator is given an item."""

    annotator: str
    """The pseudonym."""
    item: int
    """Its place among the study's, from 0."""
    lapses_at: int
    """When others may be given it, too; microseconds since 1970-01-01 UTC."""
    check: AttentionCheck | None = None
    """What is asked in between; None: nothing."""


class ItemLapsed(Event, frozen=True, kw_only=True):
    """An item was not handed in for too long, and others are given it. The annotator may hand it in
    all the same."""

    annotator: str
    """The pseudonym."""
    item: int
    """Its place among the study's, from 0."""


class ItemAnnotated(Event, frozen=True, kw_only=True):
    """An annotator handed in an item, for the first time or again."""

    annotator: str
    """The pseudonym."""
    item: int
    """Its place among the study's, from 0."""
    evaluation: str = ""
    """The id of the evaluation that holds the scores; empty: the item is for qualification."""
    answers: tuple[SeatAnswer, ...] = ()
    """What was answered, where the item is for qualification; else empty."""
    check: float | None = None
    """What was given where the attention check asked for a value; None: there was no check, or it
    was left as it was."""
    seconds: float = 0.0
    """How long the item was looked at, as the annotator's page measured it."""


class AnnotationClosed(Event, frozen=True, kw_only=True):
    """Nobody is given an item any more, and nothing is taken."""

    by: str = ""
    """Who closed it."""


class AnnotationOpened(Event, frozen=True, kw_only=True):
    """A study that was closed goes on."""

    by: str = ""
    """Who opened it."""


class DraftKept(Event, frozen=True, kw_only=True):
    """What changed of an annotator's unfinished answers."""

    item: int
    """Its place among the study's, from 0."""
    answers: tuple[SeatAnswer, ...] = ()
    """Those that changed, as they are now; a later one of a seat and dimension takes the place of
    an earlier one."""
    check: float | None = None
    """What stands at the attention check now; None: nothing was changed there."""
    seconds: float = 0.0
    """How long the item was looked at until now."""
