"""How a language model is asked for facts of an episode and for scenarios that need them."""

from actors.social.hard_scenarios import prompts
from tests import golden

FIND = {"lines": [(3, "Ada Reyes", "For you, 250."), (5, "Ben Okafor", "My van comes Thursdays.")]}
WRITE = {
    "seats": 2,
    "seat": 2,
    "facts": [
        ("offer", "For you, 250.", ["250"]),
        ("promise", "My van comes Thursdays.", ["van", "Thursdays"]),
    ],
}
PROBLEMS = ["the quote of fact 1 was not said", "the list has an empty key"]


def test_facts_and_scenarios_are_asked_for_in_these_words():
    for template, words in (
        ("find-1", FIND),
        ("find-2", FIND),
        (prompts.FIND, FIND),
        ("write-1", WRITE),
        (prompts.WRITE, WRITE),
    ):
        system, user = prompts.question(template, words)
        asked = {
            "system": system.content,
            "user": user.content,
            "user, again": prompts._templates.block(template, "again", {"problems": PROBLEMS}),
        }
        golden.check(f"hard/{template}", prompts.version(template), asked)


def test_every_template_of_hard_scenarios_has_a_golden_prompt():
    assert set(prompts.templates()) == golden.templates_of("hard")
