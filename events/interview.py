"""A researcher asks a character. Stream ``interview-<episode>.<number>``; the calls to models that
the answers took are in it, too, their ``turn`` being the question's number."""

from events.base import Event
from events.minds import MindSpec


class InterviewBegan(Event, frozen=True, kw_only=True):
    """A character is to be asked. It knows what its seat had noticed by then, and nothing more; the
    episode notices nothing of it."""

    episode: str
    """The episode's id."""
    seat: int
    """Whose character, from 0."""
    at: int
    """The last event number of the episode's history that it knows."""
    mind: MindSpec
    """What answers for it."""
    by: str = ""
    """Who asks."""
    run: str = ""
    """The run whose budget it is of; empty: none."""


class InterviewAsked(Event, frozen=True, kw_only=True):
    """A question."""

    number: int
    """1, 2, 3, …"""
    question: str
    """In the researcher's words."""


class InterviewAnswered(Event, frozen=True, kw_only=True):
    """The answer to a question, or why there is none."""

    number: int
    """The question's."""
    text: str
    """In the character's words; empty where there is no answer."""
    failure: str = ""
    """Why there is none, as a sentence."""
