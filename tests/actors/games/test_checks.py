"""Everything that is wrong with a ruleset is said, with its line and what would be right."""

import re
from pathlib import Path

import pytest

from actors.games import answers
from actors.games.catalog.starter import starter_catalog
from actors.games.catalog_items import Catalog, GameScene, GameSet, WordBank
from actors.games.checks.catalog_checks import catalog_remarks
from actors.games.checks.ruleset_checks import TAKEN
from actors.games.checks.ruleset_files import read_rules_files
from actors.games.setup import Player
from actors.games.tasks import TASKS
from events.base import replace
from tests.fuzz.games import BARGAIN, HUNT


def said_of(folder: Path, text: str) -> list[str]:
    """What is said of a ruleset in a file: ``line grade why``."""
    path = folder / "it.toml"
    path.write_text(text, encoding="utf-8")
    (file,) = read_rules_files([path])
    assert all(one.file == str(path) for one in file.remarks)
    return [f"{one.line} {one.grade} {one.field}: {one.why}" for one in file.remarks]


def spoilt(text: str, old: str, new: str) -> tuple[str, int]:
    """A text with one thing in the place of another, and the line of the first difference."""
    assert text.count(old) >= 1, old
    found = text.replace(old, new, 1)
    begin = text.index(old)
    same = next((n for n, (a, b) in enumerate(zip(old, new, strict=False)) if a != b), 0)
    return found, text.count("\n", 0, begin + same) + 1


def test_what_comes_with_troupe_is_not_found_fault_with(tmp_path: Path):
    assert list(catalog_remarks(starter_catalog())) == []
    assert said_of(tmp_path, HUNT) == []
    assert said_of(tmp_path, BARGAIN) == []


@pytest.mark.parametrize(
    ("text", "old", "new", "why"),
    [
        (HUNT, 'knows = ["poachers"]', 'knows = ["poacherz"]', "no role or team 'poacherz'; did"),
        (HUNT, 'roles = ["tracker"]', 'roles = ["village"]', "'village' is a team; name it in t"),
        (HUNT, 'not_teams = ["poachers"]', 'not_teams = ["poacher"]', "is a role; name it in role"),
        (HUNT, 'winners = ["village"]', 'winners = ["vilage"]', "did you mean 'village'?"),
        (HUNT, 'name = "hunt"', 'name = "vote"', "no verb of this phase 'vote', but hunt"),
        (HUNT, 'whom = "target", to', 'whom = "chosen", to', "nobody is chosen yet; put an effect"),
        (HUNT, 'target = {}\neff', "eff", "the verb 'follow' names nobody; give it a target"),
        (HUNT, 'id = "say"', 'id = "pass"', "'pass' is what a seat does that does nothing"),
        (HUNT, 'id = "vote"\ntitle', 'id = "talk"\ntitle', "the phase 'talk' is there twice"),
        (HUNT, 'id = "tracker"\nname', 'id = "healer"\nname', "the role 'healer' is there twice"),
        (HUNT, "rounds = 12", "", "nothing says how often; give the ruleset rounds (1 where"),
        (HUNT, 'tie = "lot"', 'tie = "lot"\nwhom = "chosen"', "vote does not use 'whom'; it takes"),
        (HUNT, 'do = "vote"\nname = "vote"', 'do = "vote"', "vote needs the field 'name'"),
        (HUNT, 'do = "eliminate"\nwhom = "chosen"', 'do = "eliminate"', "eliminate needs the fie"),
        (HUNT, "players = 5, count = 1 }]", "players = 5, count = 0 }]", "nobody can be dealt the"),
        (HUNT, "players = 7, count = 2", "players = 7, count = 12", "correct the counts, or"),
        (HUNT, "roles_at_end = true", "values = [{ id = 'x', low = 3, high = 1 }]", "less than lo"),
        (HUNT, "roles_at_end = true", "values = [{ id = 'x', low = 3 }]", "high is missing"),
        (HUNT, "roles_at_end = true", "values = [{ id = 'x' }]", "just one of bank, low and high"),
        (HUNT, "roles_at_end = true", "values = [{ id = 'x', bank = 'no' }]", "no bank in the cat"),
        (HUNT, "roles_at_end = true", "values = [{ id = 'x', words = ['a'] }]", "is used nowhere"),
        (HUNT, "Stay in the village", "Stay {here} in the village", "there is no drawn value 'her"),
        (HUNT, 'text = "Choose', 'text = "{x} Choose', "is filled in only in the goal and secret"),
        (HUNT, 'knows = ["poachers"]\n', "", 'give it knows = ["poachers"]'),
        (HUNT, "right = 0 }\nwin", "right = 20 }\nwin", "it can never hold; correct it or take"),
        (HUNT, "right = 0 }\nwin", "compare = '>=', right = 0 }\nwin", "it holds before anybody a"),
        (HUNT, "left = { seats = { teams = [\"poachers\"] } }, right", "right", "it has none"),
        (HUNT, 'id = "found"', 'id = "rounds-over"', "is the end of the rounds; name it otherwise"),
        (HUNT, 'title = "Dawn"', 'title = "Dawn"\nnext = [{ phase = "vote" }]', "never reached"),
        (HUNT, 'title = "Dawn"', 'title = "Dawn"\nnext = [{ phase = "votes" }]', "did you mean 'v"),
        (HUNT, "says = true", "says = true\noneself = true", "the verb names nobody; give it a ta"),
        (HUNT, "says = true", "direct = true", "only words go to one seat; say says = true"),
        (HUNT, 'who = { roles = ["healer"] }', 'who = { roles = ["healer"], teams = ["poachers"] }',
         "nobody can be asked in this phase; take out what narrows it too far"),
        (BARGAIN, "{cost}", "{costs}", "there is no drawn value 'costs'; did you mean 'cost'?"),
        (BARGAIN, 'low = { value = "cost" }', 'low = { value = "weather" }', "'weather' is a word"),
        (BARGAIN, 'low = { value = "cost" }', "low = 30", "high is at most 20, and low at least 3"),
        (BARGAIN, 'low = { value = "cost" }', 'low = { value = "cost", round = true }', "has valu"),
        (BARGAIN, 'id = "price"', 'id = "target"', "'target' is something else in an answer"),
        (BARGAIN, 'effects = [{ do = "offer" }]', "", "nothing to accept: no verb has an effect o"),
        (BARGAIN, 'amount = "price"', 'amount = "prize"', "no number of the act 'prize'; did you"),
        (BARGAIN, 'amount = "price"', "amount = 0", "it moves nothing; give an amount from 1"),
        (BARGAIN, 'giver = "actor", taker = "offerer"', 'giver = "actor", taker = "actor"', "same"),
        (BARGAIN, "costs = { tries = 1 }", "costs = { trys = 1 }", "no counter of seats 'trys'"),
        (BARGAIN, 'text = "buy"', 'text = "buy"\ncosts = { coins = 2 }', "what the cost leaves"),
        (BARGAIN, 'left = { own = "coins" }', 'left = { counter = "coins" }', "name it in own"),
        (BARGAIN, 'left = { counter = "deals" }', 'left = { own = "coins" }', "own is for verbs"),
        (BARGAIN, 'among = "weather"', 'among = "wether"', "did you mean 'weather'?"),
        (BARGAIN, 'among = "weather"\n', "", "names no word; give it words or among"),
        (BARGAIN, ', counter = "right" },\n', " },\n", "guess needs the field 'counter'"),
        (BARGAIN, 'weight = "cost"', 'weight = "kost"', "there is no drawn number 'kost'; did you"),
        (BARGAIN, 'roles = ["seller"]\nterms', 'roles = ["sellers"]\nterms', "there is no role 's"),
        (BARGAIN, 'counter = "right", shared', 'counter = "rite", shared', "there is no counter o"),
        (BARGAIN, "costs = { tries = 1 }", "costs = { tries = 1_000_001 }", "from 0 to 1,000,000"),
        (BARGAIN, "weight = 2.5", "weight = 1e308", "a number from -1,000,000 to 1,000,000 or te"),
        (BARGAIN, "when = { any = [", "when = { any = [" + "{ left = 1 }, " * 49,
         "has 51 entries; at most 50"),
        (BARGAIN, 'id = "sky"\nt', 'id = "sky\\n"\nt', "must be an id: small letters"),
        (BARGAIN, "[[values]]", "theory = { efficient = '1e308 * 10' }\n[[values]]", "too great a"),
        (BARGAIN, 'unmarked = "done"', 'unmarked = "dun"', "no mark that an effect sets 'dun'"),
        (HUNT, 'who = { roles = ["healer"] }', 'who = { team = "village" }', "u mean 'teams'"),
        (HUNT, "[[ends]]", "[[end]]", "there is no field 'end' here; did you mean 'ends'?"),
        (HUNT, 'id = "found"', 'id = "The end"', "must be an id: small letters, dig"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said_at_its_line(tmp_path: Path, text: str, old: str, new: str, why: str):
    found, line = spoilt(text, old, new)
    remarks = said_of(tmp_path, found)
    told = [one for one in remarks if why in one]
    assert told, remarks
    lines = {int(one.split()[0]) for one in told}
    elsewhere = (
        *("nothing says how often", "never reached", "give it knows", "correct the counts"),
        *("the role 'healer' is there", "nothing to accept"),
    )
    assert why.startswith(elsewhere) or any(abs(one - line) <= 6 for one in lines), (lines, line)


def test_nobody_wins_where_no_end_has_winners(tmp_path: Path):
    text = re.sub(r"(rounds_)?winners = .*\n", "", HUNT)
    assert any("error ends: nobody can win: give an end" in one for one in said_of(tmp_path, text))


def test_the_line_is_that_of_the_fault_itself(tmp_path: Path):
    text = HUNT.replace('name = "prey"\n', 'name = "prey"\nby = 2\n', 1)
    line = text.split("\n").index("by = 2") + 1
    (remark,) = said_of(tmp_path, text)
    assert remark.startswith(f"{line} error effects, no. 2, by: mark does not use 'by'")


def test_a_table_among_other_forms_is_looked_into(tmp_path: Path):
    text = HUNT.replace("{ status = ", "{ statu = ")
    (remark,) = said_of(tmp_path, text)
    assert "there is no field 'statu' here; did you mean 'status'?" in remark


def test_sets_banks_scenes_and_people_of_a_catalog_are_checked():
    starter = starter_catalog()
    bank = WordBank(id="b", columns=("x", "x"), rows=(("one",),))
    scene = GameScene(id="s", text="Somewhere.", rulesets=("hunting",))
    catalog = replace(
        starter,
        banks=(bank,),
        scenes=(scene,),
        players=(*starter.players[:4], Player(id="none", name=" "),
                 Player(id="other", name=starter.players[0].name.upper())),
        sets=(
            GameSet(id="a", ruleset="hunts", players=5),
            GameSet(id="b", ruleset="hunt", players=3),
            GameSet(id="c", ruleset="hunt", players=9),
        ),
    )  # fmt: skip
    said = {(one.place, one.grade): one.why for one in catalog_remarks(catalog)}
    assert "did you mean 'hunt'?" in said[("set", 0, "ruleset"), "error"]
    assert "is for 5 to 12 players, not 3" in said[("set", 1, "players"), "error"]
    assert "has 6 players; 9 are needed" in said[("set", 2, "players"), "error"]
    assert "did you mean 'hunt'?" in said[("scene", 0, "rulesets", 0), "warning"]
    assert "names must differ" in said[("player", 0, "name"), "error"]
    assert "needs a name" in said[("player", 4, "name"), "error"]
    assert "two columns" in said[("bank", 0, "columns"), "error"]
    assert "has 1 words, and the bank 2 columns" in said[("bank", 0, "rows", 0), "error"]


def test_no_games_follow_from_a_set_that_cannot_be_dealt():
    starter = starter_catalog()
    bad = GameSet(id="bad", ruleset="hunt", players=3)
    good = GameSet(id="good", ruleset="hunt", players=6, games=2)
    entries = TASKS.entries(Catalog(name="x", rulesets=starter.rulesets, players=starter.players,
                                    sets=(bad, good)))  # fmt: skip
    assert [one.id for one in entries] == ["good-1", "good-2"]


def test_no_number_of_an_act_is_called_as_a_field_of_the_answer():
    assert set(answers._FIELDS) <= TAKEN
