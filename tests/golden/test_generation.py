"""How a model is asked to write items of social catalogs, whole."""

from actors.social.catalog_items import Character, RelationshipKind, Scenario
from actors.social.generation import prompts
from actors.social.generation.attributes import attribute_lists, draw_attributes
from actors.social.generation.characters import character_jobs
from actors.social.generation.relationships import relationship_jobs
from actors.social.generation.template_jobs import template_jobs
from actors.social.generation.vignette_scenarios import vignette_jobs
from actors.social.generation.written_items import Writer
from actors.social.sources.entries import Bargain, Vignette
from events.base import replace
from events.minds import ModelSpec
from tests import golden

WRITER = Writer(ModelSpec(name="test/writer"), None, None)  # type: ignore[arg-type]
ONE, OTHER = (
    replace(
        draw_attributes(attribute_lists(), number, 0),
        public_info=f"Number {number} has\na garden.",
        personality="Counts twice.",
        secret="Cannot count.",
    )
    for number in range(2)
)
EXAMPLE = Scenario(
    id="s1",
    context='A room. <p viewer="environment">It is haunted.</p>',
    goals=("Stay. <extra_info>You like it.</extra_info>", "Leave."),
    relationships=(RelationshipKind.FRIEND, RelationshipKind.FAMILY),
)
VIGNETTE = Vignette("v1", "the hedge\nhas to go", "conflict")
BIKE = Bargain("line 1", "Road bike", "Worn tape.", 100.0, 70.0, 0)


def check(name: str, template: str, asked) -> None:
    system, user = asked
    words = {"system": system.content, "user": user.content}
    golden.check(f"generation/{name}", prompts.version(template), words)


def test_items_are_asked_for_by_these() -> None:
    secret, public = next(iter(character_jobs(WRITER, 1, 0, ()))).questions
    check("secret-1", prompts.SECRET, secret)
    check("public-1", prompts.PUBLIC, public)
    pairs: list[tuple[Character, Character, RelationshipKind]] = [
        (ONE, OTHER, RelationshipKind.FAMILY)
    ]
    story, sides = next(iter(relationship_jobs(WRITER, pairs, 0))).questions
    check("relationship-1", prompts.RELATIONSHIP, story)
    check("both-sides-1", prompts.BOTH_SIDES, sides)
    assert "Cannot count" not in story[1].content + sides[1].content
    jobs = vignette_jobs(WRITER, "vignettes", [("v1", VIGNETTE)], [EXAMPLE], 0)
    (scenario,) = next(iter(jobs)).questions
    check("scenario-1", prompts.SCENARIO, scenario)
    assert "haunted" not in scenario[1].content
    (fluent,) = next(iter(template_jobs(WRITER, [("l", BIKE)], "bargains", 0))).questions
    check("fluent-1", prompts.FLUENT, fluent)


def test_every_template_has_a_golden_prompt() -> None:
    assert {*prompts.templates()} == golden.templates_of("generation")
