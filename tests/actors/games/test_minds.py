"""Rehearsal minds: what they say is understood, and a game goes by their tempers."""

import asyncio
from collections import Counter
from typing import Any, Final

import msgspec
import pytest

from actors.episodes.port.prompts import UnknownTemper
from actors.games.catalog.starter import starter_catalog
from actors.games.deals import dealt
from actors.games.rehearsal.mind import TEMPERS, LegalMind
from actors.games.rehearsal.purposes import purposes_of
from actors.games.rehearsal.speech import (
    Statement,
    hints_at,
    phrases,
    secret_values,
    understood,
)
from actors.games.ruleset import Ruleset
from actors.games.setup import Deal, GameAct, Player, Settings
from actors.games.state import roles_of
from actors.games.tasks import TASKS
from tests.actors.games.play import Play, played
from tests.actors.games.rulesets import BANK, DIVISION, POT, SALE, WORDS

CATALOG = starter_catalog()
PEOPLE = tuple([Player(id=f"p{n}", name=f"{name} Ash") for n, name in enumerate(
    ["Ann", "Bob", "Cid", "Dot", "Eve", "Fay"])])  # fmt: skip
NAMES = ("Mara Voss", "Ilan Brück", "Odette Sarr")
TITLES = (("poachers", "poachers"), ("poacher", "poachers"), ("village", "village"),
          ("tracker", "village"))  # fmt: skip


SELF_HELP: Final[dict[str, Any]] = {
    "id": "cups", "title": "The cups", "about": "One is taken.", "least": 3, "most": 3, "rounds": 2,
    "roles": [
        {"id": "fox", "name": "the fox", "team": "fox", "goal": "Take.",
         "count": [{"players": 3, "count": 1}]},
        {"id": "hen", "name": "a hen", "team": "hens", "goal": "Live.", "counters": {"cup": 1}},
    ],
    "phases": [
        {"id": "cups", "title": "Cups", "who": {"roles": ["hen"]}, "order": "together",
         "visibility": "self", "verbs": [
            {"id": "drink", "text": "drink", "costs": {"cup": 1},
             "effects": [{"do": "protect", "whom": "actor"}]}]},
        {"id": "raid", "title": "Raid", "who": {"roles": ["fox"]}, "verbs": [
            {"id": "raid", "text": "take all",
             "effects": [{"do": "eliminate", "whom": {"roles": ["hen"]}}]}]},
    ],
    "ends": [{"id": "eaten", "when": {"left": {"seats": {"roles": ["hen"]}}, "right": 0},
              "winners": ["fox"], "text": "Eaten."}],
}  # fmt: skip


def hunt(number: int) -> Deal:
    setup = TASKS.begin(CATALOG, f"hunt-8-{number}", Settings(), number).setup
    assert isinstance(setup, Deal)
    return setup


def deal(rules: Ruleset, number: int, players: int = 2) -> Deal:
    return dealt(rules, PEOPLE[:players], {"pairs": BANK}, "s", number)


def wins(village: str, hidden: str, games: int = 24) -> int:
    """How many hunts the village wins."""
    won = 0
    for number in range(1, games + 1):
        setup = hunt(number)
        tempers = [hidden if one.team == "poachers" else village for one in roles_of(setup)]
        end = played(setup, [LegalMind(one) for one in tempers]).end
        won += end.summary["sides"] == "village"
    return won


def test_a_village_of_open_minds_finds_its_poachers_more_often_than_a_cautious_one():
    cautious, open_ = wins("cautious", "scheming"), wins("open", "scheming")
    assert open_ > cautious + 6


def test_a_scheming_village_trusts_itself_less_than_an_open_one():
    assert wins("open", "scheming") > wins("scheming", "scheming")


@pytest.mark.parametrize("temper", TEMPERS)
def test_the_same_scene_is_answered_the_same(temper: str):
    first, again = (played(hunt(5), temper) for _ in range(2))
    assert first.events == again.events
    other = played(hunt(5), [LegalMind(temper, seed=9)] * 8)
    assert other.events != first.events


def test_another_temper_is_refused():
    with pytest.raises(UnknownTemper, match="open, cautious, scheming"):
        asyncio.run(LegalMind("sly").decide(None, None))  # type: ignore[arg-type]


def test_what_was_revealed_is_told_by_the_open_and_acted_upon():
    said: Counter[str] = Counter()

    def look(scene, act: GameAct) -> None:
        known = {
            one.fact.seat
            for one in scene.seen
            if getattr(one, "fact", None) and one.fact.kind == "revealed"
            and one.fact.word == "poachers"
        }  # fmt: skip
        names = {seat: scene.background.setup.players[seat].name for seat in known}
        if act.verb == "say":
            said["told"] += any(
                f"{name} is with the poachers" in act.text for name in names.values()
            )
        targets = next(one.targets for one in scene.question.options if one.verb == act.verb)
        if act.verb == "vote" and known & set(targets):
            said["voted"] += act.target in known
            said["could"] += 1

    for number in range(1, 9):
        played(hunt(number), "open", look)
    assert said["told"] >= 3
    assert said["voted"] == said["could"] >= 3


def test_who_can_shelter_nobody_but_oneself_is_played():
    rules = msgspec.convert(SELF_HELP, Ruleset)
    for temper in TEMPERS:
        found = played(deal(rules, 1, players=3), temper)
        assert not [one for one in found.events if getattr(one, "failure", None)]


def test_who_speaks_among_friends_claims_nothing():
    heard = 0

    def look(scene, act: GameAct) -> None:
        nonlocal heard
        friends = {one.seat for one in scene.background.setup.cards[scene.seat].knows}
        if act.text and (act.to in friends or scene.question.heard == "team"):
            heard += 1
            assert "I am " not in act.text
            assert act.to is None or scene.background.setup.players[act.to].name not in act.text

    for number in range(1, 9):
        played(hunt(number), "scheming", look)
    assert heard > 3


def test_who_hides_something_claims_to_be_another_and_votes_for_others():
    lies = votes = 0

    def look(scene, act: GameAct) -> None:
        nonlocal lies, votes
        card = scene.background.setup.cards[scene.seat]
        if card.role != "poacher":
            return
        friends = {one.seat for one in card.knows}
        assert "I am a poacher" not in act.text
        lies += act.text.startswith(("I am the tracker", "I am a villager")) or (
            "guessing about me, I am" in act.text
        )
        if act.verb == "vote":
            votes += 1
            assert act.target not in friends

    for number in range(1, 9):
        played(hunt(number), "scheming", look)
    assert lies > 3
    assert votes > 8


@pytest.mark.parametrize(
    ("text", "statements"),
    [
        ("I suspect Mara Voss, and you?", [Statement(0, blames=True)]),
        ("I trust Ilan. Odette lies!", [Statement(1), Statement(2, blames=True)]),
        ("Odette Sarr is with the poachers.", [Statement(2, team="poachers")]),
        ("Mara is a poacher.", [Statement(0, team="poachers")]),
        ("Mara is not a poacher.", []),
        ("I never suspect anybody.", []),
        ("Good evening, Mara.", []),
        ("Maraschino is suspicious.", []),
    ],
)
def test_sentences_are_read_by_names_and_few_words(text: str, statements: list[Statement]):
    assert list(understood(text, NAMES, TITLES).statements) == statements


def test_what_minds_say_is_read_as_it_is_meant():
    said = phrases()
    for group, expected in (
        (said.suspect, Statement(0, blames=True)),
        (said.trust, Statement(0)),
        (said.learned, Statement(0, team="poachers")),
    ):
        for one in group:
            text = one.format(name=NAMES[0], team="the poachers")
            assert understood(text, NAMES, TITLES).statements == (expected,), text
    for one in said.claim:
        assert understood(one.format(role="the tracker"), NAMES, TITLES).claims == ("tracker",)
    for word in ("kettle", "washing machine"):
        size, half = hints_at(word)
        for group, hint in ((said.size, size), (said.half, half)):
            for one in group:
                read = understood(one.format(value=hint.value), NAMES, TITLES)
                assert read.hints == (hint,), one
    empty = [*said.vague, *sum([*said.small_talk.values(), *said.offer.values()], ())]
    assert all(understood(one, NAMES, TITLES) == ((), (), ()) for one in empty)


def test_a_secret_tells_the_values_that_were_drawn():
    told = secret_values("Worth {a} to you, {b.c} to them.", "Worth 12 to you, ice cream to them.")
    assert told == {"a": "12", "b.c": "ice cream"}
    assert secret_values("Nothing.", "Nothing.") == {}


def test_verbs_are_known_by_what_the_rules_do_with_them():
    hunt_rules = next(one for one in CATALOG.rulesets if one.id == "hunt")
    found = {verb: purpose for (_, verb), purpose in purposes_of(hunt_rules).verbs.items()}
    assert found["hunt"] == found["vote"] == "harm"
    assert (found["follow"], found["shelter"], found["say"]) == ("learn", "help", "talk")
    sale = {verb: purpose for (_, verb), purpose in purposes_of(SALE).verbs.items()}
    assert (sale["ask"], sale["buy"], sale["sell"]) == ("offer", "accept", "accept")


def payoffs(play: Play) -> list[float]:
    return [float(play.end.summary[f"payoff {n + 1}"]) for n in range(len(play.state.alive))]


def shares(rules: Ruleset, proposer: str, responder: str) -> list[tuple[float, float]]:
    """What each role got in some games."""
    found = []
    for number in range(1, 17):
        setup = deal(rules, number)
        roles = [one.id for one in roles_of(setup)]
        first = rules.roles[0].id
        minds = [LegalMind(proposer if one == first else responder) for one in roles]
        got = payoffs(played(setup, minds))
        found.append((got[roles.index(first)], got[1 - roles.index(first)]))
    return found


def test_the_open_divide_evenly_and_the_scheming_offer_little():
    for mine, theirs in shares(DIVISION, "open", "open"):
        assert abs(mine - theirs) <= 1
    mine, theirs = map(sum, zip(*shares(DIVISION, "scheming", "cautious"), strict=True))
    assert mine > 6 * theirs > 0, "whoever is cautious takes what there is"
    assert sum(map(sum, shares(DIVISION, "scheming", "scheming"))) == 0, "they refuse"


def test_nobody_sells_or_buys_at_a_loss():
    for seller in TEMPERS:
        for buyer in TEMPERS:
            for own, other in shares(SALE, seller, buyer):
                assert own >= 0
                assert other >= 0


def test_the_scheming_ask_for_more():
    def first_ask(temper: str) -> float:
        asked: list[int] = []
        played(deal(SALE, 3), temper, lambda _, act: asked.extend(act.numbers.values()))
        return asked[0]

    assert first_ask("scheming") > first_ask("open") > first_ask("cautious")


def test_the_open_put_more_into_the_pot_than_the_scheming():
    got = {temper: sum(payoffs(played(deal(POT, 1, 4), temper))) for temper in TEMPERS}
    assert got["open"] > got["cautious"] > got["scheming"]
    follows = [LegalMind("cautious"), *[LegalMind("open")] * 3]
    alone = [LegalMind("cautious"), *[LegalMind("scheming")] * 3]
    kept = [payoffs(played(deal(POT, 2, 4), minds))[0] for minds in (follows, alone)]
    assert kept[0] > kept[1], "who is cautious gives as others do"


def test_who_has_another_word_is_voted_for_by_what_its_hints_tell():
    found = Counter(
        played(deal(WORDS, number, 6), "open").end.summary["ending"] for number in range(1, 25)
    )
    assert found["found"] > 8
    assert sum(found.values()) == 24


def test_a_role_that_is_told_to_nobody_is_not_known_to_its_mind():
    roles = [msgspec.structs.replace(one, name="a guest", goal="Stay.") for one in WORDS.roles]
    alike = msgspec.structs.replace(WORDS, roles=tuple(roles))
    for number in range(1, 5):
        assert played(deal(alike, number, 6), "scheming").end is not None
