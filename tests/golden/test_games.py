"""How a model is asked in a game, whole."""

from actors.games.prompt_writer import PROMPTS, TEMPLATE
from actors.games.setup import Deal, GameAct
from actors.templates import Templates
from tests import golden
from tests.actors.games.play import played
from tests.actors.games.rulesets import SALE, WORDS
from tests.actors.games.test_minds import deal

TEMPLATES = Templates("actors.games.prompts")


def prompts_of(setup: Deal, seat: int, phases: set[str]) -> dict[str, str]:
    """What a seat is asked last in each of some phases."""
    words: dict[str, str] = {}

    def look(scene, _: GameAct) -> None:
        question = scene.question
        if scene.seat == seat and question.phase in phases:
            prompt = PROMPTS.writer(scene.background).prompt(question, scene.seen, scene.turn)
            words["system"] = prompt.system
            words[f"user, {question.phase}"] = prompt.user

    played(setup, "open", look)
    return words


def test_a_player_is_asked_in_these(monkeypatch) -> None:
    # The words of the catalog are none of the template's.
    monkeypatch.setattr("actors.games.render.situation", lambda _: "The green.\nIt is dusk.")
    version = TEMPLATES.version(TEMPLATE)
    setup = deal(WORDS, 2, 5)
    golden.check("games/game-1-words", version, prompts_of(setup, 0, {"describe", "vote"}))
    golden.check("games/game-1-sale", version, prompts_of(deal(SALE, 3), 0, {"ask", "bid", "talk"}))


def test_every_template_of_games_has_a_golden_prompt() -> None:
    assert {*TEMPLATES.names()} == golden.templates_of("games") == {TEMPLATE}
