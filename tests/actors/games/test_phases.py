"""Who acts when, who notices what of it, and how games end."""

from typing import Any

import pytest

from actors.games.payoffs import payoffs_of
from actors.games.render import LIMITS
from actors.games.rules import RULES
from actors.games.setup import GameAct, Known, Settings
from actors.games.sight import SIGHT, ActSeen
from events.base import replace
from tests.actors.games.table import Table, deal_of, role, ruleset, verb

SAY = verb("say", says=True)
TALK = {"id": "talk", "verbs": [SAY]}
FOUR = ("wolf", "wolf", "farmer", "farmer")


def table(*phases: dict[str, Any], roles: tuple[str, ...] = FOUR, **fields: Any) -> Table:
    given = {"rounds": 3} | fields
    return Table(deal_of(ruleset(phases, **given), roles))


def speakers(game: Table, turns: int) -> list[int]:
    """Who speaks in so many turns, one after the other."""
    order = []
    for _ in range(turns):
        (seat,) = game.open
        order.append(seat)
        game.act(seat, "say", text="hello")
    return order


def test_the_first_to_act_changes_from_round_to_round():
    game = table(TALK)
    assert speakers(game, 12) == [0, 1, 2, 3, 1, 2, 3, 0, 2, 3, 0, 1]
    assert game.end is not None


def test_each_acts_as_often_as_the_phase_says_or_the_plan():
    phase = {"id": "talk", "verbs": [SAY], "repeat": 2}
    silent = {"id": "nod", "verbs": [verb("nod")], "repeat": 2}
    rules = ruleset([phase, silent], rounds=1)
    for talk, turns in ((None, 16), (1, 12), (3, 20)):
        deal = replace(deal_of(rules, FOUR), settings=Settings(talk=talk))
        game = Table(deal)
        assert LIMITS.questions(deal, 4) == (turns // 4,) * 4
        while game.end is None:
            game.all_act()
        assert game.world.turns == turns


def test_all_act_at_once_and_nobody_sees_another_before_all_have():
    game = table({"id": "all", "order": "together", "verbs": [SAY]})
    assert game.open.keys() == {0, 1, 2, 3}
    for seat in (3, 0, 1):
        game.act(seat, "say", text=f"from {seat}")
        for viewer in (0, 1, 2, 3, "spectator"):
            assert [one.seat for one in acts_of(game, viewer)] == [viewer] * (
                viewer != "spectator" and viewer not in game.open
            )
        assert len(acts_of(game, "judge")) == 4 - len(game.open)
    game.act(2, "say", text="from 2")
    assert {one.seat for one in acts_of(game, "spectator")} == {0, 1, 2, 3}


def acts_of(game: Table, viewer: Any) -> list[ActSeen]:
    return [one for one in game.noticed(viewer) if isinstance(one, ActSeen)]


@pytest.mark.parametrize(
    ("visibility", "who_sees"),
    [
        ("public", {0, 1, 2, 3, "spectator", "judge"}),
        ("team", {0, 1, "judge"}),
        ("self", {0, "judge"}),
        ("named", {0, 2, "judge"}),
    ],
)
def test_who_notices_an_act_is_as_the_phase_says(visibility: str, who_sees: set[Any]):
    mark = {"do": "mark", "whom": "target", "name": "m"}
    phase = {"id": "a", "visibility": visibility, "verbs": [verb("do", mark, target={})]}
    game = table(phase)
    game.act(0, "do", target=2)
    everybody = (0, 1, 2, 3, "spectator", "judge")
    assert {one for one in everybody if acts_of(game, one)} == who_sees
    assert {one for one in everybody if game.facts_of(one, "marked")} == who_sees


@pytest.mark.parametrize("visibility", ["public", "team", "self", "named"])
def test_words_to_one_alone_are_noticed_by_that_one_alone(visibility: str):
    point = {"do": "count", "counter": "points"}
    say = verb("say", point, says=True, direct=True)
    game = table({"id": "a", "visibility": visibility, "verbs": [say]})
    option = game.open[0].options[0]
    hearers = {"public": (1, 2, 3), "team": (1,)}.get(visibility, ())
    assert option.direct == hearers
    if not hearers:
        fault = RULES.action_fault(game.open[0], GameAct(verb="say", text="x", to=1), 0, 4)
        assert fault == "words go to all"
        return
    game.act(0, "say", text="come closer", to=1)
    everybody = (0, 1, 2, 3, "spectator", "judge")
    assert [one for one in everybody if acts_of(game, one)] == [0, 1, "judge"]
    assert [one for one in everybody if game.facts_of(one, "counted")] == [0, 1, "judge"]


def test_words_go_to_nobody_who_is_out():
    kill = verb("kill", {"do": "eliminate", "whom": "target"}, target={})
    say = verb("say", says=True, direct=True)
    game = table({"id": "a", "verbs": [kill, say]})
    game.act(0, "kill", target=3)
    (option,) = [one for one in game.open[1].options if one.verb == "say"]
    assert option.direct == (0, 2)


WOLVES = {"roles": ["wolf"]}


@pytest.mark.parametrize(
    ("visibility", "who", "begins", "counted"),
    [
        ("public", WOLVES, None, None),
        ("team", WOLVES, (0, 1), (0, 1)),
        ("team", {"teams": ["pack"]}, (0, 1), (0, 1)),
        ("team", {"not_teams": ["village"]}, (0, 1), (0, 1)),
        ("team", {"roles": ["wolf", "farmer"]}, (0, 1, 2, 3), ()),
        ("team", {}, (0, 1, 2, 3), ()),
        ("self", WOLVES, (0, 1), ()),
        ("named", WOLVES, (0, 1), ()),
    ],
)
def test_who_is_told_of_a_phase_and_of_its_end_is_as_it_says(visibility, who, begins, counted):
    count = {"do": "vote", "name": "pick"}
    phase = {
        "id": "night", "order": "together", "visibility": visibility, "who": who,
        "verbs": [verb("pick", target={})], "effects": [count],
    }  # fmt: skip
    game = table(phase, TALK).all_act()
    assert game.told("phase")[0] == begins
    assert game.told("chosen") == [counted]


def test_a_teammate_who_does_not_act_learns_what_the_team_does():
    roles = [
        role("wolf", "pack"), role("cub", "pack"),
        {"id": "farmer", "name": "a farmer", "team": "village", "goal": "g"},
    ]  # fmt: skip
    count = {"do": "vote", "name": "pick"}
    phase = {"id": "night", "visibility": "team", "who": WOLVES, "verbs": [verb("pick", target={})]}
    rules = ruleset([phase | {"effects": [count]}], roles=roles, rounds=3)
    game = Table(deal_of(rules, ["wolf", "cub", "farmer"]))
    game.act(0, "pick", target=2)
    assert game.told("chosen") == [(0, 1)]
    assert game.told("phase") == [(0,), (0,)]
    assert [bool(acts_of(game, seat)) for seat in range(3)] == [True, True, False]


def test_a_phase_in_which_nobody_can_act_is_skipped_with_its_effects_and_nobody_learns_it():
    point = {"do": "count", "counter": "points"}
    idle = {"id": "idle", "who": {"marked": "m"}, "verbs": [SAY], "effects": [point]}
    dear = {"id": "dear", "verbs": [verb("buy", costs={"coins": 1})], "effects": [point]}
    alone = {"id": "alone", "verbs": [verb("name", target={"marked": "m"})], "effects": [point]}
    low = {"id": "n", "text": "n", "low": 1, "high": {"own": "coins"}}
    poor = {"id": "poor", "verbs": [verb("bid", numbers=[low])], "effects": [point]}
    never = {"left": 1, "right": 2}
    shut = {"id": "shut", "verbs": [verb("open", when=never)], "effects": [point]}
    game = table(idle, dear, alone, poor, shut, TALK)
    assert game.phase == "talk"
    begun = [(one.name, one.to) for one in game.facts if one.kind == "phase"]
    names = ("idle", "dear", "alone", "poor", "shut")
    assert begun == [*((name, ()) for name in names), ("talk", None)]
    assert game.world.shared == {}


@pytest.mark.parametrize("visibility", ["public", "team", "self"])
def test_a_phase_without_verbs_has_its_effects_at_once(visibility: str):
    point = {"do": "count", "counter": "points", "whom": {}}
    game = table({"id": "gain", "visibility": visibility, "effects": [point]}, TALK)
    assert game.phase == "talk"
    assert [one["points"] for one in game.world.own] == [1, 1, 1, 1]
    public = visibility == "public"
    assert game.told("phase") == [None if public else (), None]
    own = [(seat,) for seat in range(4)]
    assert game.told("counted") == ([None] * 4 if public else own)


def test_a_phase_leads_where_the_first_condition_that_holds_says():
    late = {"left": {"round": True}, "compare": ">=", "right": 2}
    phases = [
        TALK | {"id": "a", "next": [{"phase": "d", "when": late}, {"phase": "c"}]},
        TALK | {"id": "b"},
        TALK | {"id": "c", "next": [{"phase": "b", "when": late}, {"phase": "a", "when": late}]},
        TALK | {"id": "d", "next": [{"phase": "d"}]},
    ]
    game = table(*phases, rounds=4)
    while game.end is None:
        game.all_act()
    begun = [(one.name, one.amount) for one in game.facts if one.kind == "phase"]
    assert begun == [("a", 1), ("c", 1), ("d", 1), ("d", 2), ("d", 3), ("d", 4)]
    assert game.end.reason == "exhausted"


def test_a_phase_ends_early_by_its_condition_looked_at_after_each_act():
    point = {"do": "count", "counter": "points"}
    enough = {"left": {"counter": "points"}, "compare": ">=", "right": 2}
    phase = {"id": "a", "repeat": 5, "until": enough, "verbs": [verb("do", point)]}
    game = table(phase, TALK)
    game.act(0, "do").act(1).act(2, "do")
    assert game.phase == "talk"
    again = table(phase, TALK, counters={"points": 2})
    assert again.phase == "a", "it is not looked at before"
    assert again.act(0).phase == "talk"


@pytest.mark.parametrize(
    ("compare", "right", "expected"),
    [("<", 2, True), ("<=", 1, True), ("=", 1, True), ("!=", 1, False), (">=", 2, False),
     (">", 0, True)],
)  # fmt: skip
def test_conditions_compare(compare: str, right: int, expected: bool):
    when = {"left": {"round": True}, "compare": compare, "right": right}
    other = {"any": [{"left": 1, "right": 2}, {"all": [when, {"left": 1, "right": 1}]}]}
    game = table({"id": "a", "verbs": [verb("do", when=other), SAY]})
    assert ("do" in {one.verb for one in game.open[0].options}) == expected


def test_numbers_are_looked_up():
    rules = ruleset(
        [{"id": "a", "verbs": [verb("do", numbers=[
            {"id": "seats", "text": "n", "low": 0, "high": {"seats": {"teams": ["pack"]}}},
            {"id": "shared", "text": "n", "low": 0, "high": {"counter": "pot"}},
            {"id": "own", "text": "n", "low": 0, "high": {"own": "coins"}},
            {"id": "value", "text": "n", "low": 0, "high": {"value": "v"}},
            {"id": "round", "text": "n", "low": 0, "high": {"round": True}},
        ])]}],
        counters={"pot": 7},
        values=[{"id": "v", "low": 1, "high": 9}],
        roles=[role("wolf", "pack", counters={"coins": 3}), role("farmer")],
    )  # fmt: skip
    game = Table(deal_of(rules, ["wolf", "farmer"], {"v": 4}))
    highs = {one.id: one.high for one in game.open[0].options[0].numbers}
    assert highs == {"seats": 1, "shared": 7, "own": 3, "value": 4, "round": 1}


@pytest.mark.parametrize(
    ("seats", "expected"),
    [
        ({}, (0, 1, 3)),
        ({"status": "any"}, (0, 1, 2, 3)),
        ({"status": "out"}, (2,)),
        ({"roles": ["wolf"]}, (0, 1)),
        ({"teams": ["village"]}, (3,)),
        ({"not_teams": ["village"]}, (0, 1)),
        ({"marked": "m"}, (1, 3)),
        ({"unmarked": "m"}, (0,)),
        ({"roles": ["wolf"], "marked": "m"}, (1,)),
        ({"roles": ["wolf"], "teams": ["village"]}, ()),
    ],
)
def test_some_of_the_seats_are_meant(seats: dict[str, Any], expected: tuple[int, ...]):
    do = [{"do": "mark", "whom": "target", "name": "m"}]
    phase = {"id": "m", "verbs": [verb("mark", *do, target={}, oneself=True)]}
    out = {"do": "eliminate", "whom": "target"}
    kill = {"id": "k", "verbs": [verb("kill", out, target={})]}
    ask = {"id": "a", "who": {"roles": ["wolf"]}, "verbs": [
        verb("ask", target=seats, oneself=True), SAY
    ]}  # fmt: skip
    game = table(phase, kill, ask)
    game.act(0, "mark", target=1).act(1, "mark", target=3).act(2, "mark", target=2).act(3)
    game.act(0, "kill", target=2).act(1).act(3)
    options = {one.verb: one.targets for one in game.open[0].options}
    assert options.get("ask", ()) == expected


def test_nobody_names_itself_unless_the_verb_says_so():
    phase = {"id": "a", "verbs": [verb("one", target={}), verb("two", target={}, oneself=True)]}
    targets = {one.verb: one.targets for one in table(phase).open[0].options}
    assert targets == {"one": (1, 2, 3), "two": (0, 1, 2, 3), "pass": ()}


def test_a_seat_may_do_nothing_where_the_phase_lets_it():
    def asked(passes: bool) -> set[str]:
        game = table({"id": "a", "verbs": [SAY], "passes": passes})
        return {one.verb for one in game.open[0].options}

    assert (asked(True), asked(False)) == ({"say", "pass"}, {"say"})


def test_whose_mind_fails_does_nothing_even_where_it_may_not():
    game = table({"id": "a", "verbs": [SAY], "passes": False})
    nothing = RULES.nothing(game.open[0])
    assert nothing == GameAct()
    assert RULES.action_fault(game.open[0], nothing, 0, 4) is not None


@pytest.mark.parametrize(
    ("act", "why"),
    [
        (GameAct(verb="fly"), "there is no verb 'fly' now; there are do, say, guess, pass"),
        (GameAct(verb="do", numbers={"n": 1}), "do names one of the seats 2, 3, 4"),
        (GameAct(verb="do", target=0, numbers={"n": 1}), "do names one of the seats 2, 3, 4"),
        (GameAct(verb="do", target=1), "do takes the numbers n"),
        (GameAct(verb="do", target=1, numbers={"n": 6}), "n is 1 to 5, not 6"),
        (GameAct(verb="do", target=1, numbers={"n": 1}, text="x"), "do has no words"),
        (GameAct(verb="say"), "say has words"),
        (GameAct(verb="say", text=" "), "say has words"),
        (GameAct(verb="say", text="x", target=1), "say names nobody"),
        (GameAct(verb="say", text="x", numbers={"n": 1}), "say takes no number"),
        (GameAct(verb="say", text="x", word="mill"), "say names no word"),
        (GameAct(verb="say", text="x", to=1), "words go to all"),
        (GameAct(verb="say", text="x" * 1201), "what is said has at most 1,200 characters"),
        (GameAct(verb="guess", word="moon"), "guess names one of mill, well"),
        (GameAct(text="x"), "pass has no words"),
    ],
)
def test_what_is_no_answer_is_refused_with_a_reason(act: GameAct, why: str):
    number = {"id": "n", "text": "n", "low": 1, "high": 5}
    verbs = [verb("do", target={}, numbers=[number]), SAY, verb("guess", words=["mill", "well"])]
    game = table({"id": "a", "verbs": verbs})
    assert RULES.action_fault(game.open[0], act, 0, 4) == why


PACK_LEFT = {"left": {"seats": {"teams": ["pack"]}}, "right": 0}
FALL = {"id": "fall", "effects": [{"do": "eliminate", "whom": {"roles": ["wolf"]}}]}


def test_a_game_ends_by_the_first_ending_that_holds():
    ends = [
        {"id": "no", "when": {"left": 1, "right": 2}, "text": "No.", "winners": ["pack"]},
        {"id": "found", "when": PACK_LEFT, "text": "Found.", "winners": ["village"]},
        {"id": "also", "when": PACK_LEFT, "text": "Also.", "winners": ["pack"]},
    ]
    game = table(FALL, TALK, ends=ends, roles_at_end=True)
    assert game.end is not None
    assert (game.end.reason, game.world.ended, game.world.winners) == ("won", "found", (2, 3))
    assert game.end.summary["winners"] == "Cy, Di"
    assert payoffs_of(game.world) == (0.0, 0.0, 1.0, 1.0)
    assert [one.seats for one in game.facts_of("spectator", "ended")] == [(2, 3)]
    shown = [(one.seat, one.word) for one in game.facts_of("spectator", "revealed")]
    assert shown == [(0, "wolf"), (1, "wolf"), (2, "farmer"), (3, "farmer")]


def test_who_was_who_is_told_at_the_end_only_where_the_rules_say_so():
    ends = [{"id": "found", "when": PACK_LEFT, "text": "Found.", "winners": ["wolf"]}]
    game = table(FALL, TALK, ends=ends)
    assert game.world.winners == (0, 1), "roles win, too"
    assert game.facts_of("spectator", "revealed") == []


@pytest.mark.parametrize("winners", [[], ["pack"]])
def test_a_game_is_over_after_its_rounds(winners: list[str]):
    game = table(TALK, rounds=2, rounds_winners=winners)
    speakers(game, 8)
    assert game.end is not None
    assert game.end.reason == "exhausted"
    assert game.end.summary["rounds"] == 2
    assert game.world.winners == ((0, 1) if winners else ())


@pytest.mark.parametrize(("rounds", "asked", "turns"), [(5, 2, 8), (2, 5, 8), (None, None, 4)])
def test_a_plan_can_have_fewer_rounds_and_not_more(rounds, asked, turns):
    fields = {} if rounds is None else {"rounds": rounds}
    deal = deal_of(ruleset([TALK], **fields), FOUR)
    game = Table(replace(deal, settings=Settings(rounds=asked)))
    speakers(game, turns)
    assert game.end is not None


@pytest.mark.parametrize("payoffs", [True, False])
def test_a_game_that_nobody_wins_is_settled_or_drawn(payoffs: bool):
    terms = [{"counter": "points", "weight": 0.5}, {"counter": "pot", "shared": True,
             "per_seat": True, "weight": "v"}]  # fmt: skip
    rules = ruleset(
        [{"id": "a", "effects": [{"do": "count", "counter": "points", "whom": {"roles": ["wolf"]},
          "by": 3}]}, TALK],
        ends=[{"id": "done", "when": {"left": 1, "right": 1}, "text": "Done."}],
        counters={"pot": 10},
        values=[{"id": "v", "low": 1, "high": 3}],
        payoffs=[{"roles": ["farmer"], "terms": terms[1:]}, {"terms": terms}] if payoffs else [],
    )  # fmt: skip
    game = Table(deal_of(rules, ["wolf", "wolf", "farmer", "farmer"], {"v": 2}))
    assert game.end is not None
    assert game.end.reason == ("settled" if payoffs else "drawn")
    # It ended when the first phase began: nobody has a point.
    assert payoffs_of(game.world) == ((5.0,) * 4 if payoffs else (0.0,) * 4)
    richer = replace(game.world, own=({"points": 3}, {}, {"points": 3}, {}))
    assert payoffs_of(richer) == ((6.5, 5.0, 5.0, 5.0) if payoffs else (0.0,) * 4)


def test_nothing_is_shown_of_the_deal_but_what_a_viewer_may_know():
    spy = role("spy", goal="Stay «hidden»", secret="It is «{place}»", knows=["owl"])
    roles = [spy, role("owl")]
    rules = ruleset([TALK], roles=roles, values=[{"id": "place", "words": ["mill", "well"]}])
    deal = deal_of(rules, ["spy", "owl"], {"place": "mill"}, seed=77)
    game = Table(deal)
    own, other, spectator = (SIGHT.view(game.history, who).setup for who in (0, 1, "spectator"))
    assert own.cards[0] == deal.cards[0] is not None
    assert deal.cards[0].secret == "It is «mill»"
    assert [one.seat for one in deal.cards[0].knows] == [1]
    assert own.cards[1] is other.cards[0] is None
    assert spectator.cards == (None, None)
    for shown in (own, other, spectator):
        assert (shown.values, shown.seed) == ({}, 0)
        assert {(one.goal, one.secret) for one in shown.rules.roles} == {("", "")}
    assert SIGHT.view(game.history, "judge").setup == deal


def test_equal_rulesets_are_kept_once():
    one, two = (deal_of(ruleset([TALK]), FOUR) for _ in range(2))
    assert one.rules is two.rules
    views = [SIGHT.view(Table(deal).history, 0).setup.rules for deal in (one, two)]
    assert views[0] is views[1] is not one.rules
    assert deal_of(ruleset([TALK], rounds=9), FOUR).rules is not one.rules


def test_a_deal_that_does_not_fit_is_refused():
    values = [{"id": "v", "low": 1, "high": 2}, {"id": "pair", "bank": "pairs"}]
    rules = ruleset([TALK], least=3, rounds=1, rounds_winners=["pack"], values=values)
    drawn: dict[str, str | int] = {"v": 1, "pair.odd": "pear"}
    deal = deal_of(rules, FOUR, drawn)
    assert RULES.setup_fault(deal, 4) is None
    twins = (deal.players[0], replace(deal.players[1], name=" ADA"), *deal.players[2:])
    nameless = (replace(deal.players[0], name=" "), *deal.players[1:])
    bad = replace(rules, rounds_winners=("pact",))
    card = deal.cards[0]
    assert card is not None
    cards = [
        (replace(card, knows=(known,)), *deal.cards[1:])
        for known in (Known(seat=4, role="wolf"), Known(seat=-1, role="wolf"),
                      Known(seat=1, role="bear"))
    ]  # fmt: skip
    for one in cards:
        assert "tells of its seats" in str(RULES.setup_fault(replace(deal, cards=one), 4))
    for lost in ({**drawn, "v": 3}, {**drawn, "v": "1"}, {"v": 1}):
        assert "was not drawn" in str(RULES.setup_fault(replace(deal, values=lost), 4))
    wolves = tuple([replace(deal.cards[0], role="wolf")] * 4)
    lost_winners = "cannot be played: rounds_winners[0]: there is no role or team 'pact'; did you"
    faults = {
        lost_winners: RULES.setup_fault(replace(deal, rules=bad), 4),
        "different names, not  , Bo": RULES.setup_fault(replace(deal, players=nameless), 4),
        "is for 3 to 12 players": RULES.setup_fault(deal, 2),
        "have different names": RULES.setup_fault(replace(deal, players=twins), 4),
        "4 players deal wolf 4 times": RULES.setup_fault(replace(deal, cards=wolves), 4),
        "has a card": RULES.setup_fault(replace(deal, cards=(None, *deal.cards[1:])), 4),
    }
    for part, fault in faults.items():
        assert fault is not None
        assert part in fault
