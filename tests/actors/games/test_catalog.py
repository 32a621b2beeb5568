"""The catalog of games that comes with Troupe."""

import re
from collections import Counter

import pytest

from actors.episodes.registry import environment_named
from actors.games.catalog import starter
from actors.games.catalog.starter import starter_catalog
from actors.games.catalog_items import GameSet
from actors.games.deals import role_counts
from actors.games.rules import RULES
from actors.games.setup import Decide, GameAct, Settings
from actors.games.sight import GameView
from actors.games.state import roles_of
from actors.games.tasks import TASKS
from actors.social.catalog_items import Catalog as SocialCatalog
from events.base import replace
from tests.actors.games.scripted import by_chance, deal_of, played

CATALOG = starter_catalog()
RULESETS = {one.id: one for one in CATALOG.rulesets}
SETS = {one.id: one for one in CATALOG.sets}
NUMBERS = range(1, 201)
every_set = pytest.mark.parametrize("one", CATALOG.sets, ids=list(SETS))


def test_there_are_a_hunt_a_word_game_and_four_small_games() -> None:
    assert set(RULESETS) == {
        "hunt", "odd-word", "ultimatum", "buy-sell", "trade", "public-goods",
    }  # fmt: skip
    sizes = {id_: [one.players for one in CATALOG.sets if one.ruleset == id_] for id_ in RULESETS}
    assert sizes["hunt"] == [5, 6, 8, 10]
    assert sizes["odd-word"] == [4, 6, 8]
    assert all(sizes.values())


@every_set
def test_every_set_deals_every_game(one: GameSet) -> None:
    rules = RULESETS[one.ruleset]
    assert rules.least <= one.players <= rules.most
    for number in NUMBERS:
        deal = deal_of(f"{one.id}-{number}")
        assert RULES.setup_fault(deal, one.players) is None
        texts = [text for card in deal.cards if card for text in (card.goal, card.secret)]
        assert not [text for text in texts if re.search(r"[{}]", text)]
        assert deal.scene


def test_a_game_is_a_scenario_of_its_own_and_bears_each_tag_once() -> None:
    begun = TASKS.begin(CATALOG, "hunt-8-17", Settings(), 1)
    assert (begun.scenario, begun.title) == ("hunt-8-17", "The hunt (hunt-8-17)")
    own = replace(CATALOG, sets=(GameSet(id="hunt", ruleset="hunt", players=8),))
    assert TASKS.entries(own)[11].tags == ("hunt", "first-100")


@every_set
def test_every_seat_has_every_role_as_often(one: GameSet) -> None:
    games = one.players * (len(NUMBERS) // one.players)
    found: list[Counter[str]] = [Counter() for _ in range(one.players)]
    for number in range(1, games + 1):
        for seat, role in enumerate(roles_of(deal_of(f"{one.id}-{number}"))):
            found[seat][role.id] += 1
    counts = role_counts(RULESETS[one.ruleset], one.players)
    expected = {id_: games * count // one.players for id_, count in counts.items() if count}
    assert found == [expected] * one.players


def test_a_pair_of_words_is_told_apart_and_stands_once() -> None:
    (bank,) = CATALOG.banks
    assert len(bank.rows) >= 120
    words = [word for row in bank.rows for word in row]
    assert [word for word, count in Counter(words).items() if count > 1] == []
    assert all(re.fullmatch(r"[a-z]+([ -][a-z]+)?", word) for word in words)
    for first, *_, last in bank.rows:
        # A player who names one of them has not half named the other.
        assert not set(first.split()) & set(last.split())


def test_either_word_of_a_pair_can_be_the_odd_one() -> None:
    (bank,) = CATALOG.banks
    firsts = {row[0] for row in bank.rows}
    odd = [deal_of(f"odd-word-4-{number}").values["pair.odd"] for number in NUMBERS]
    assert 60 < sum(word in firsts for word in odd) < 140
    assert len(set(odd)) > 80


def test_each_game_has_scenes_of_its_own() -> None:
    found = Counter(id_ for scene in CATALOG.scenes for id_ in scene.rulesets)
    assert set(found) == set(RULESETS)
    assert min(found.values()) >= 3
    texts = [scene.text for scene in CATALOG.scenes]
    assert len(set(texts)) == len(texts)
    assert {deal_of(f"hunt-8-{number}").scene for number in NUMBERS} == {
        scene.text for scene in CATALOG.scenes if "hunt" in scene.rulesets
    }


def test_people_of_the_social_catalog_play_by_what_everybody_may_know_of_them() -> None:
    social = environment_named("social").starter()
    assert isinstance(social, SocialCatalog)
    assert len(CATALOG.players) == len(social.characters) == 40
    for player, one in zip(CATALOG.players, social.characters, strict=True):
        assert player.name == one.name
        assert player.about == (f"{one.age}, {one.occupation}, {one.pronouns}. {one.public_info}")


def test_people_of_ours_play_where_the_social_environment_is_not_installed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    games = environment_named("games")
    monkeypatch.setattr(starter, "installed", lambda: {"games": games})
    players = starter_catalog.__wrapped__().players
    assert len({one.name for one in players}) == len(players) == 12
    assert all(one.about for one in players)


@pytest.mark.parametrize("players", [5, 6, 8, 10])
def test_by_chance_neither_side_of_the_hunt_wins_less_than_a_fifth(players: int) -> None:
    won = endings(f"hunt-{players}", games=200)
    assert set(won) == {"found", "overrun"}
    assert min(won.values()) >= 40


@pytest.mark.parametrize("players", [4, 6, 8])
def test_by_chance_neither_side_of_the_word_game_wins_less_than_a_fifth(players: int) -> None:
    won = endings(f"odd-word-{players}", games=100)
    assert set(won) == {"survived", "named", "found"}
    assert 20 <= won["found"] <= 80


@pytest.mark.parametrize("one", ["ultimatum-2", "buy-sell-2", "trade-2", "public-goods-4"])
def test_by_chance_every_ending_of_a_small_game_comes_about(one: str) -> None:
    ends = {end.id for end in RULESETS[SETS[one].ruleset].ends} or {"rounds-over"}
    assert set(endings(one, games=30)) == ends


def endings(id_: str, games: int) -> Counter[str]:
    """How often games of a set end in which way, where all seats choose by chance."""
    found: Counter[str] = Counter()
    for number in range(1, games + 1):
        deal = deal_of(f"{id_}-{number}", Settings(talk=1))
        game = played(deal, dict.fromkeys(role_counts(deal.rules, len(deal.players)), by_chance))
        found[str(game.end.summary["ending"])] += 1
    return found


def test_poachers_alone_hear_what_they_say_at_night() -> None:
    deal = deal_of("hunt-8-1", Settings(talk=1))
    game = played(deal, dict.fromkeys(role_counts(deal.rules, 8), by_chance))
    nights = [(seat, asked) for seat, asked, _ in game.acts if asked.phase == "whispers"]
    assert {roles_of(deal)[seat].id for seat, _ in nights} == {"poacher"}
    assert {asked.heard for _, asked in nights} == {"team"}


def test_a_poacher_who_is_alone_has_nobody_to_talk_to_at_night() -> None:
    deal = deal_of("hunt-6-1")
    game = played(deal, dict.fromkeys(role_counts(deal.rules, 6), by_chance))
    assert "whispers" not in {asked.phase for _, asked, _ in game.acts}


def test_who_is_voted_out_guesses_among_near_words_in_an_order_that_tells_nothing() -> None:
    deal = deal_of("odd-word-4-1")
    odd = [role.id for role in roles_of(deal)].index("odd")

    def suspicious(view: GameView, question: Decide) -> GameAct:
        if question.phase != "vote" or view.viewer == odd:
            return by_chance(view, question)
        return GameAct(verb="vote", target=odd)

    game = played(deal, {"odd": suspicious, "holder": suspicious})
    seat, asked, act = game.acts[-1]
    assert (seat, act.verb) == (odd, "name")
    words = asked.options[0].words
    assert set(words) == set(deal.values.values())
    assert list(words) == sorted(words)
    named = act.word == deal.values["pair.common"]
    assert game.end.summary["ending"] == ("named" if named else "found")
