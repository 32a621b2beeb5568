"""The minds that a game provides for its seats: prompts for language models, and the offline
mind."""

import abc
from collections.abc import Sequence
from typing import Generic, NamedTuple, Protocol, TypeVar

from actors.episodes.mind import Mind
from actors.episodes.port.sight import Notice
from actors.models.replies.faults import Language
from actors.models.response_formats.schemas import Schema
from events.environments import Action, Question
from events.untrusted.safe_text import shortened

Q = TypeVar("Q", bound=Question)
A = TypeVar("A", bound=Action)
B = TypeVar("B")
N = TypeVar("N", bound=Notice)
Q_contra = TypeVar("Q_contra", bound=Question, contravariant=True)
N_contra = TypeVar("N_contra", bound=Notice, contravariant=True)


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
    schema: Schema | None = None
    """The JSON Schema to which a model is held here, with what the rules allow in this turn; None:
    that of the game's ``prompts.schema``."""
    room: int = 0
    """Tokens that an answer has room for at least, where it is longer than others; 0: as many as
    the model's specification says."""


class PromptWriter(Protocol[Q_contra, N_contra]):
    """Writes one seat's prompts, question after question; what was written once is not written
    again."""

    def prompt(self, question: Q_contra, noticed: Sequence[N_contra], turn: int) -> Prompt:
        """The words for one question. ``noticed``: all that the seat noticed so far."""
        ...


class Form(Protocol):
    """What an answer is to look like, as an ``AnswerReader`` knows it."""

    @property
    def schema(self) -> Schema:
        """The JSON Schema."""
        ...


class Prompts(abc.ABC, Generic[Q, A, B, N]):
    """How a language model in a seat is asked, and its answer read."""

    form: Form | None = None
    """In which all questions are answered, where it is one."""

    @abc.abstractmethod
    def writer(self, background: B) -> PromptWriter[Q, N]:
        """Who asks the language model in a seat."""

    @abc.abstractmethod
    def read(self, question: Q, background: B, text: str, label: str) -> A:
        """The action that a model's text means. ``label`` is the model's in the metrics. Raises
        ``actors.models.errors.Unreadable`` with what is wrong, for the model to mend."""

    def schema(self, question: Q, background: B) -> Schema | None:
        """The JSON Schema of an answer, as forms for people and remote programs are told it; models
        that can be held to one are, unless the prompt brings a narrower one. None: there is
        none."""
        del question, background
        return None if self.form is None else self.form.schema


class Rehearse(Protocol):
    """Makes the offline mind: deterministic, no language model."""

    def __call__(self, temper: str, seed: int | None = None) -> Mind:
        """``temper``: one of the environment's ``tempers``; empty: the usual one. ``seed``: where
        its chance begins, for a fork that is to differ in nothing else; None: with the episode's
        own. Raises ``UnknownTemper``."""
        ...


class UnknownTemper(ValueError):
    """A rehearsal temper that an environment does not have."""

    def __init__(self, given: str, known: Sequence[str]) -> None:
        super().__init__(
            f"there is no rehearsal temper {shortened(given)!r}; there are {', '.join(known)}"
        )
        self.given, self.known = given, tuple(known)
