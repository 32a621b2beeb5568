"""Characters: drawn attributes, then a secret, then what others may know, by a model."""

from collections.abc import Collection, Iterator
from typing import Final

import msgspec

from actors.models.response_formats.schemas import object_schema, wording
from actors.social.catalog_items import Character
from actors.social.generation import prompts
from actors.social.generation.attributes import attribute_lists, draw_attributes
from actors.social.generation.written_items import (
    CHARACTERS_FROM,
    TURNS,
    Facts,
    GenerationJob,
    Question,
    TextForm,
    Writer,
    WrittenItem,
    plain_prose,
    shared_run,
)
from events.base import replace

LONGEST_SECRET: Final = 400
LONGEST_TEXT: Final = 700
"""Characters."""
TOLD: Final = 5
"""Words of the secret in a row that another text may not have."""
SECRET_FORM: Final = TextForm("secret", prompts.SECRET, LONGEST_SECRET, 6)
PUBLIC_FORMS: Final = (
    TextForm("public_info", prompts.PUBLIC, LONGEST_TEXT, 8),
    TextForm("personality", prompts.PUBLIC, LONGEST_TEXT, 8),
)
SECRET_SCHEMA: Final = object_schema({"secret": wording(LONGEST_SECRET)})
PUBLIC_SCHEMA: Final = object_schema(
    {"public_info": wording(LONGEST_TEXT), "personality": wording(LONGEST_TEXT)}
)


class SecretAnswer(msgspec.Struct, frozen=True):
    """What a character hides, as a model answers it."""

    secret: str


class PublicAnswer(msgspec.Struct, frozen=True):
    """What others may know, as a model answers it."""

    public_info: str
    personality: str


_SECRET: Final = Question(prompts.SECRET, SecretAnswer)
_PUBLIC: Final = Question(prompts.PUBLIC, PublicAnswer)


def character_jobs(
    writer: Writer, count: int, seed: int, taken: Collection[str]
) -> Iterator[GenerationJob]:
    """``count`` characters that belong to a seed; more of them begin with the same ones. ``taken``:
    first names that none may have."""
    for number in range(count):
        drawn = draw_attributes(attribute_lists(), number, seed, taken)
        words: dict[str, object] = {"name": drawn.name, "facts": drawn_facts(drawn)}
        told = {**words, "secret": f"{drawn.name} …"}
        yield GenerationJob(
            drawn.id,
            "character",
            f"attribute lists, number {number + 1}",
            (_SECRET.messages(words), _PUBLIC.messages(told)),
            _Character(writer, number, drawn, words).write,
        )


class _Character:
    """A character that is to be written."""

    def __init__(
        self, writer: Writer, number: int, drawn: Character, words: dict[str, object]
    ) -> None:
        self._writer, self._drawn, self._words = writer, drawn, words
        self._turn = CHARACTERS_FROM + number * TURNS

    async def write(self) -> WrittenItem:
        """It, with its secret and prose. Raises ``NoUsableAnswer``."""

        def secret_of(answer: SecretAnswer) -> str:
            return plain_prose(SECRET_FORM, answer.secret)

        secret, first = await _SECRET.ask(
            self._writer, self._turn, self._words, SECRET_SCHEMA, secret_of
        )

        def whole(answer: PublicAnswer) -> Character:
            return with_texts(self._drawn, secret, answer)

        words = {**self._words, "secret": secret}
        item, second = await _PUBLIC.ask(self._writer, self._turn + 1, words, PUBLIC_SCHEMA, whole)
        return WrittenItem(item, (first, second))


def with_texts(drawn: Character, secret: str, answer: PublicAnswer) -> Character:
    """A drawn character with what a model wrote. Raises ``ValueError`` with what is to be
    mended."""
    texts = {}
    for form in PUBLIC_FORMS:
        field = form.name
        texts[field] = plain_prose(form, getattr(answer, field))
        if told := shared_run(texts[field], secret, TOLD):
            raise ValueError(f"{field} tells the secret: {told!r}")
    if texts["public_info"] == texts["personality"]:
        raise ValueError("public_info and personality are the same text")
    return replace(drawn, secret=secret, **texts)


def drawn_facts(who: Character) -> Facts:
    """What lists say of a character, for prompts."""
    traits = msgspec.structs.asdict(who.big_five).items()
    found = (
        ("name", who.name),
        ("age", str(who.age)),
        ("gender and pronouns", ", ".join(filter(None, (who.gender, who.pronouns)))),
        ("occupation", who.occupation),
        ("traits", ", ".join(f"{name} {degree}" for name, degree in traits if degree)),
        ("morals", ", ".join(who.moral_values)),
        ("values", ", ".join(who.schwartz_values)),
        ("decides", who.decision_style),
    )
    return tuple((what, text) for what, text in found if text)


def known_facts(who: Character) -> Facts:
    """What may be told of a character to those who know them: no secret."""
    found = (("what is known", who.public_info), ("what friends know", who.personality))
    return (*drawn_facts(who), *((what, text) for what, text in found if text))
