"""How long the prompts of a social episode can get."""

from actors.models.tokens import count
from actors.social import prompt_writer
from actors.social.actions import LONGEST_TEXT
from actors.social.chains.budget import REHEARSED, prompt_tokens
from actors.social.chains.support import SocialChains
from actors.social.setup import EpisodeRules
from actors.social.sight import background
from events.base import replace
from events.minds import MindSpec, ModelSpec
from tests.support.builders import mind, started

CHAINS = SocialChains()


def test_two_who_take_turns_have_half_of_them_each():
    known = background("e1", started(), 0)

    def longest(*answers: int) -> int:
        rules = EpisodeRules(turn_cap=10)
        minds = tuple(mind(kind="model", model=ModelSpec(name="m", max_tokens=n)) for n in answers)
        return CHAINS.longest_prompt(known, started(minds=minds, rules=rules))

    more = longest(110, 100) - longest(100, 100)
    assert more == 5 * 10


def test_people_may_write_longer_than_rehearsal_minds():
    known = background("e1", started(), 0)
    rehearsed, person = (
        CHAINS.longest_prompt(known, started(minds=(mind("warm"), other)))
        for other in (mind("cold"), MindSpec(name="far", kind="remote"))
    )
    assert person - rehearsed == 10 * (LONGEST_TEXT // 4 - REHEARSED)


def test_the_goal_and_the_memorys_heading_are_part_of_the_prompt():
    known = background("e1", started(), 0)
    longer = replace(known, goal=f"{known.goal} {'word ' * 50}")
    assert prompt_tokens(longer) - prompt_tokens(known) >= 49
    bare = prompt_writer.act_prompt(known, (), known.turn_cap)
    assert prompt_tokens(known) > count(bare.system) + count(bare.user)
