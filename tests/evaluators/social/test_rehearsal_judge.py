"""The judge that needs no model: it has to be repeatable, and honest about what it saw."""

from actors.social.sight import view
from evaluators.judges.make_judge import judge_for
from evaluators.registry import built_in
from evaluators.social.rehearsal_judge import judge
from events.evaluation import Dimension, JudgeSpec, ScoreAbstained, Scored
from tests.support.builders import Move, act, character, episode, numbered, scenario, started

STRICT, LENIENT = built_in()["rehearsal-strict"], built_in()["rehearsal-lenient"]

BARGAIN: list[Move] = [
    (0, "Hello Ben. I could do 300 dollars for the oven."),
    (1, "That's too much. What if I pay 210?"),
    (0, "I can come down. How about 280?"),
    (1, "Deal, 280 it is. Thank you!"),
    (0, act("leave", "Goodbye!")),
]


def scores(moves: list[Move], spec: JudgeSpec = STRICT, **fields: object) -> dict:
    events = episode(started(**fields), moves)
    return {(s.seat, s.dimension): s for s in judge(view(events, "judge"), spec)}


def test_the_same_episode_and_judge_give_the_same_scores() -> None:
    assert scores(BARGAIN) == scores(BARGAIN)


def test_every_seat_is_scored_in_every_dimension_within_its_range() -> None:
    for spec in (STRICT, LENIENT):
        found = scores(BARGAIN, spec)
        assert len(found) == 2 * 7
        for dimension in spec.dimensions:
            for seat in (0, 1):
                scored = found[seat, dimension.name]
                assert isinstance(scored, Scored)
                assert dimension.low <= scored.value <= dimension.high
                assert scored.reason


def test_who_gets_the_better_of_a_bargain_reaches_more_of_its_goal() -> None:
    found = scores(BARGAIN)
    assert found[0, "goal"].value > found[1, "goal"].value
    assert found[0, "financial_and_material_benefits"].value > 0
    assert found[1, "financial_and_material_benefits"].value < 0
    assert "80%" in found[0, "goal"].reason
    assert found[0, "goal"].evidence == (8,)


def test_a_secret_told_is_found_where_it_was_told() -> None:
    told = [*BARGAIN[:2], (0, "The truth is, I stole the oven from my cousin's bakery.")]
    found = scores(told)
    assert found[0, "secret"].value <= -6
    assert found[0, "secret"].evidence == (6,)
    assert found[1, "secret"].value == 0


def test_a_whispered_secret_is_told_all_the_same() -> None:
    whispered = (0, act("speak", "I stole the oven from my cousin's bakery.", to=(1,)))
    assert scores([whispered])[0, "secret"].value < 0


def test_a_character_without_a_secret_keeps_the_best_score() -> None:
    cast = (character("Ada Reyes"), character("Ben Okafor"))
    assert scores(BARGAIN, cast=cast)[0, "secret"].value == 0


def test_rude_words_cost_manners_and_the_relationship() -> None:
    polite, rude = scores(BARGAIN), scores([(0, "You stupid liar, shut up!"), *BARGAIN[1:]])
    assert polite[0, "social_rules"].value == 0
    assert rude[0, "social_rules"].value < 0
    assert rude[0, "social_rules"].evidence == (2,)
    assert rude[0, "relationship"].value < polite[0, "relationship"].value


def test_a_number_nearer_to_the_other_sides_is_a_concession() -> None:
    found = scores([(0, "I ask 300 for it."), (1, "I pay 200."), (0, "It is 260 today.")])
    assert "1 concession;" in found[0, "relationship"].reason
    assert found[0, "relationship"].evidence == (6,)
    assert "concession" not in found[1, "relationship"].reason


def test_going_without_a_word_is_rude_and_with_parting_words_is_not() -> None:
    silent = scores([*BARGAIN[:2], (0, act("leave"))])
    spoken = scores([*BARGAIN[:2], (0, act("leave", "I am expected at home."))])
    assert silent[0, "social_rules"].value < 0
    assert spoken[0, "social_rules"].value == 0


def test_saying_the_same_again_and_again_is_not_believable() -> None:
    line = "I have always wanted to own this wonderful old copper oven."
    again: list[Move] = [(turn % 2, line if turn % 2 == 0 else f"No {turn}.") for turn in range(8)]
    assert scores(again)[0, "believability"].value < scores(BARGAIN)[0, "believability"].value
    assert "repeat" in scores(again)[0, "believability"].reason


def test_a_situation_without_money_leaves_nobody_richer() -> None:
    calm = scenario(context="Two people on a bench.", goals=("Listen well.", "Be heard."))
    found = scores([(0, "Tell me about it."), (1, "I will.")], scenario=calm)
    assert found[0, "financial_and_material_benefits"].value == 0


def test_the_lenient_judge_is_kinder_than_the_strict_one() -> None:
    def total(spec: JudgeSpec) -> float:
        return sum(score.value for score in scores(BARGAIN, spec).values())

    assert total(LENIENT) > total(STRICT)


def test_an_episode_in_which_nobody_did_anything_is_not_scored() -> None:
    found = scores([(0, act("none")), (1, act("none"))])
    assert all(isinstance(score, ScoreAbstained) for score in found.values())


def test_a_dimension_it_does_not_know_is_declined() -> None:
    own = Dimension(name="empathy", low=0, high=1)
    spec = JudgeSpec(name="x", kind="rehearsal", temper="strict", dimensions=(own,))
    assert isinstance(scores(BARGAIN, spec)[0, "empathy"], ScoreAbstained)


class NoCalls:
    """A rehearsal judge makes none."""

    def answers_to(self, turn: int, attempt: int) -> tuple[()]:
        raise AssertionError("asked for an answer")

    async def record(self, event: object) -> None:
        raise AssertionError("made a call")

    async def confirm(self) -> None:
        """Nobody else writes here."""


async def test_as_an_evaluator_it_reads_a_history_and_calls_nothing() -> None:
    events = episode(started(), BARGAIN)
    found = await judge_for(STRICT).evaluate(numbered(events), NoCalls())
    assert found == judge(view(events, "judge"), STRICT)
