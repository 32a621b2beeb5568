"""What generating an item comes to, and how models are asked for its parts."""

from collections.abc import Awaitable, Callable, Sequence
from typing import Final, Generic, NamedTuple, TypeAlias, TypeVar

from actors.models.answers.copied_phrases import is_copied
from actors.models.answers.recorded_questions import Asking, StoredCalls
from actors.models.answers.structured import AnswerReader
from actors.models.caller import ModelCaller
from actors.models.port import Msg
from actors.models.response_formats.schemas import Schema
from actors.social import markup
from actors.social.catalog_items import Character, Relationship, Scenario
from actors.social.generation import prompts
from actors.text.amounts import many
from events.generation import PromptUsed
from events.minds import ModelSpec

A = TypeVar("A")
T = TypeVar("T")
Item: TypeAlias = Character | Relationship | Scenario
Facts: TypeAlias = tuple[tuple[str, str], ...]
"""Of a character: what, and the text."""

CHARACTERS_FROM: Final = 0
RELATIONSHIPS_FROM: Final = 1_000_000
SCENARIOS_FROM: Final = 2_000_000
"""Turns of the calls to models from which on items of a kind are written."""
TURNS: Final = 8
"""Turns that there are for each item."""
COPIED: Final = 6
"""Words in a row that no answer has in common with what asks for it."""


class WrittenItem(NamedTuple):
    """An item, and the questions whose answers are in it."""

    item: Item
    prompts: tuple[PromptUsed, ...] = ()


class GenerationJob(NamedTuple):
    id: str
    """The item's."""
    kind: str
    """``character``, ``relationship`` or ``scenario``."""
    source: str
    """What it is made from, in words."""
    questions: tuple[tuple[Msg, ...], ...]
    """What a model will be asked, as far as it is known before; empty: no model is asked."""
    write: Callable[[], Awaitable[WrittenItem]]
    """Raises ``NoUsableAnswer``."""


class Writer(NamedTuple):
    """A model that is asked, and where the calls are recorded."""

    model: ModelSpec
    caller: ModelCaller
    calls: StoredCalls


class Question(Generic[A]):
    """One kind of question, of which a template has the words."""

    def __init__(self, template: str, answer: type[A]) -> None:
        self.template = template
        self._reader = AnswerReader(answer)

    def messages(self, words: dict[str, object]) -> tuple[Msg, ...]:
        return prompts.question(self.template, words)

    async def ask(
        self,
        writer: Writer,
        turn: int,
        words: dict[str, object],
        schema: Schema,
        use: Callable[[A], T],
    ) -> tuple[T, PromptUsed]:
        """What ``use`` makes of the answer, and which question it answers. Raises
        ``NoUsableAnswer``."""
        asking = Asking(prompts.version(self.template), self._reader, *writer)
        answer = await asking.answered(turn, self.messages(words), schema, use)
        used = PromptUsed(version=asking.prompt_version, request_hash=answer.calls[-1].request_hash)
        return answer.value, used


class TextForm(NamedTuple):
    """What a text of a model has to be like."""

    name: str
    template: str
    """That of the question which asks for it."""
    longest: int
    """Characters."""
    least: int = 1
    """Words."""


def prose(form: TextForm, text: str) -> str:
    """A text of a model on one line. Raises ``ValueError`` with what is to be mended."""
    found, name = " ".join(text.split()), form.name
    if is_copied(found, prompts.phrases(form.template)):
        raise ValueError(f"{name} says nothing of its own")
    if copied := shared_run(found, prompts.instructions(form.template), COPIED):
        raise ValueError(f"{name} repeats how it was asked for: {copied!r}")
    if len(found) > form.longest:
        raise ValueError(f"{name} has {len(found):,} characters; at most {form.longest:,}")
    if (words := len(found.split())) < form.least:
        raise ValueError(f"{name} has {many(words, 'word')}; write {form.least} at least")
    try:
        markup.parse(found)
    except markup.BadMarkup as bad:
        raise ValueError(f"{name} cannot be read, {bad}") from bad
    return found


def plain_prose(form: TextForm, text: str) -> str:
    """The same of a text in which no passage is marked. Raises ``ValueError``."""
    found = prose(form, text)
    if "<" in found:
        raise ValueError(f"{form.name} is to be plain words, without < and >")
    return found


def shared_run(one: str, other: str, words: int) -> str:
    """The first run of so many words that two texts have in common; empty: there is none."""
    first, second = (_words(text) for text in (one, other))
    runs = {tuple(second[at : at + words]) for at in range(len(second) - words + 1)}
    for at in range(len(first) - words + 1):
        if tuple(first[at : at + words]) in runs:
            return " ".join(first[at : at + words])
    return ""


def _words(text: str) -> Sequence[str]:
    kept = "".join(one if one.isalnum() else " " for one in text.casefold())
    return kept.split()
