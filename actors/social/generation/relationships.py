"""Relationships: pairs and kinds are drawn, a model writes the story that both share, and is asked
whether it fits either of them."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import combinations
from typing import Final, Literal

import msgspec

from actors.models.answers.recorded_questions import NoUsableAnswer
from actors.models.response_formats.schemas import choice_schema, object_schema, wording
from actors.seeded_draws import SeededDraws
from actors.social.catalog.kinship import kinship_fault
from actors.social.catalog_items import Character, Kinship, Relationship, RelationshipKind
from actors.social.generation import prompts
from actors.social.generation.attributes import TAGS
from actors.social.generation.characters import TOLD, known_facts
from actors.social.generation.written_items import (
    RELATIONSHIPS_FROM,
    TURNS,
    GenerationJob,
    Question,
    TextForm,
    Writer,
    WrittenItem,
    plain_prose,
    shared_run,
)
from events.base import replace
from events.generation import PromptUsed
from events.ids import derived_id

MEANINGS: Final[Mapping[RelationshipKind, str]] = {
    RelationshipKind.KNOWN_BY_NAME: "They know who the other is, and have hardly spoken.",
    RelationshipKind.ACQUAINTANCE: "They meet now and then and know a little of each other.",
    RelationshipKind.FRIEND: "They like each other and meet because they want to.",
    RelationshipKind.ROMANTIC: "They are a couple, or were one.",
    RelationshipKind.FAMILY: "They are relatives.",
}
"""The kinds that have a story: strangers have none."""
ADULT: Final = 18
MOST_BETWEEN: Final = 20
"""Years between two who are drawn as a couple."""
RELATIONSHIP: Final = "r"
"""First letter of the ids of generated relationships."""
TRIES: Final = 3
"""Stories that are written for a pair until one fits both."""
LONGEST_STORY: Final = 800
"""Characters."""
STORY_FORM: Final = TextForm("story", prompts.RELATIONSHIP, LONGEST_STORY, 12)
STORY_SCHEMA: Final = object_schema({"story": wording(LONGEST_STORY)})
_FIT: Final = choice_schema(("fits", "contradicts"))
SIDES_SCHEMA: Final = object_schema({"first": _FIT, "second": _FIT, "why": wording(300)})


class StoryAnswer(msgspec.Struct, frozen=True):
    """The story two share, as a model answers it."""

    story: str


class SidesAnswer(msgspec.Struct, frozen=True):
    """Whether a story fits both, as a model answers it."""

    first: Literal["fits", "contradicts"]
    second: Literal["fits", "contradicts"]
    why: str


_STORY: Final = Question(prompts.RELATIONSHIP, StoryAnswer)
_SIDES: Final = Question(prompts.BOTH_SIDES, SidesAnswer)


def drawn_pairs(
    characters: Sequence[Character], related: Collection[frozenset[str]], seed: int
) -> Iterator[tuple[Character, Character, RelationshipKind]]:
    """Pairs without a relationship, in an order that belongs to the seed; the kinds take turns as
    far as ages allow. ``related``: the ids of pairs that have one."""
    people = {who.id: who for who in characters}
    draws = SeededDraws("social-relationships", str(seed))
    names = {f"{a} {b}": (a, b) for a, b in combinations(sorted(people), 2)}
    free = [
        (people[a], people[b])
        for a, b in (names[key] for key in draws.order("pairs", list(names)))
        if frozenset((a, b)) not in related
    ]
    kinds = list(MEANINGS)
    turn = 0
    while free:
        kind = kinds[turn % len(kinds)]
        turn += 1
        place = next((at for at, pair in enumerate(free) if _may_be(kind, *pair)), None)
        if place is None:
            kinds.remove(kind)
            turn -= 1
            if not kinds:
                return
            continue
        yield (*free.pop(place), kind)


def _may_be(kind: RelationshipKind, one: Character, other: Character) -> bool:
    if kind is not RelationshipKind.ROMANTIC:
        return True
    return min(one.age, other.age) >= ADULT and abs(one.age - other.age) <= MOST_BETWEEN


def drawn_kin(one: Character, other: Character, seed: int) -> Kinship:
    """What the one is to the other, of all that their ages allow."""
    tie = Relationship(id="", characters=(one.id, other.id), kind=RelationshipKind.FAMILY)
    allowed = [kin for kin in Kinship if not kinship_fault(replace(tie, kin=kin), (one, other))]
    return SeededDraws("social-kin", str(seed), one.id, other.id).one("kin", allowed)


def relationship_jobs(
    writer: Writer,
    pairs: Sequence[tuple[Character, Character, RelationshipKind]],
    seed: int,
) -> Iterator[GenerationJob]:
    """A relationship for each of some pairs."""
    for number, (one, other, kind) in enumerate(pairs):
        job = _Story(writer, number, one, other, kind, seed)
        told = {**job.words, "story": f"{one.first_name} and {other.first_name} …"}
        yield GenerationJob(
            job.id,
            "relationship",
            f"the pair {one.name} and {other.name}, drawn as {kind.replace('_', ' ')}",
            (_STORY.messages({**job.words, "problem": ""}), _SIDES.messages(told)),
            job.write,
        )


class _Story:
    """A relationship that is to be written."""

    def __init__(
        self,
        writer: Writer,
        number: int,
        one: Character,
        other: Character,
        kind: RelationshipKind,
        seed: int,
    ) -> None:
        self._writer, self._pair, self._kind = writer, (one, other), kind
        self._turn = RELATIONSHIPS_FROM + number * TURNS
        self.id = derived_id(RELATIONSHIP, *sorted((one.id, other.id)), kind, str(seed))
        self._kin: Kinship | None = None
        meaning = MEANINGS[kind]
        if kind is RelationshipKind.FAMILY:
            self._kin = drawn_kin(one, other, seed)
            meaning = f"{one.name} is {other.name}'s {self._kin.replace('_', ' ')}."
        people = [{"name": who.name, "facts": known_facts(who)} for who in self._pair]
        self.words: dict[str, object] = {
            "people": people,
            "kind": kind.replace("_", " "),
            "meaning": meaning,
        }

    async def write(self) -> WrittenItem:
        """It, with a story that fits both. Raises ``NoUsableAnswer``."""
        asked: list[PromptUsed] = []
        problem = ""
        for attempt in range(TRIES):
            turn = self._turn + 2 * attempt
            words = {**self.words, "problem": problem}
            story, first = await _STORY.ask(self._writer, turn, words, STORY_SCHEMA, self._use)
            words = {**self.words, "story": story}
            sides, second = await _SIDES.ask(
                self._writer, turn + 1, words, SIDES_SCHEMA, lambda answer: answer
            )
            asked += [first, second]
            if sides.first == sides.second == "fits":
                one, other = self._pair
                item = Relationship(
                    id=self.id,
                    characters=(one.id, other.id),
                    kind=self._kind,
                    kin=self._kin,
                    story=story,
                    tags=TAGS,
                )
                return WrittenItem(item, tuple(asked))
            problem = " ".join(sides.why.split())
        raise NoUsableAnswer(self._writer.model.name, f"no story fits both: {problem}")

    def _use(self, answer: StoryAnswer) -> str:
        return usable_story(answer.story, *self._pair)


def usable_story(story: str, one: Character, other: Character) -> str:
    """A story on one line. Raises ``ValueError`` with what is to be mended."""
    found = plain_prose(STORY_FORM, story)
    for who in (one, other):
        if who.first_name.casefold() not in found.casefold():
            raise ValueError(f"the story is to name {who.first_name}")
        if who.secret and shared_run(found, who.secret, TOLD):
            raise ValueError(f"the story tells the secret of {who.first_name}")
    return found
