"""``troupe games tournament``: all models in all seats and roles, equally often."""

from collections import Counter
from contextlib import closing

import msgspec
import pytest

from actors.games.catalog.starter import starter_catalog
from actors.games.catalog_items import GameSet
from actors.games.deals import roles_in_order
from gateway.errors import BadArgument
from gateway.games.tournament_plan import (
    Tournament,
    check_models,
    deals,
    mind_names,
    plan_of,
    planned_tournament,
    seatings,
)
from store.open_store import open_store
from tests.gateway.command import Desk
from tests.gateway.test_refusals import refused

CATALOG = starter_catalog()
HUNT_8 = next(one for one in CATALOG.sets if one.id == "hunt-8")
HUNT = next(one for one in CATALOG.rulesets if one.id == HUNT_8.ruleset)
TWO = ("rehearsal/open", "rehearsal/scheming")


def asked(models: tuple[str, ...] = TWO, **more: object) -> Tournament:
    given = {"models": models, "set_id": "hunt-8", "games": 8}
    return Tournament(**(given | more))  # type: ignore[arg-type]


@pytest.mark.parametrize("orders", [1, 3])
@pytest.mark.parametrize("count", [1, 2, 3, 5, 8, 11])
def test_each_model_has_each_role_in_each_seat_equally_often(count: int, orders: int):
    models = [f"m{n}" for n in range(count)]
    rows = seatings(models, HUNT_8.players, seed=4, orders=orders)
    assert len(set(rows)) == len(rows)
    seats, roles = Counter[tuple[str, int]](), Counter[tuple[str, int, str]]()
    played = deals(asked(games=16), HUNT_8)
    assert len(played) == 16
    for number in played:
        dealt = roles_in_order(HUNT, HUNT_8.players, HUNT_8.id, number)
        for row in rows:
            for seat, (model, role) in enumerate(zip(row, dealt, strict=True)):
                seats[model, seat] += 1
                roles[model, seat, role.id] += 1
    assert len(seats) == count * HUNT_8.players
    assert len(set(seats.values())) == 1
    # Two of eight are poachers, one each is tracker and healer, four are villagers.
    by_role = {
        role: {n for (_, _, id_), n in roles.items() if id_ == role}
        for role in ("poacher", "tracker", "healer", "villager")
    }
    each = len(rows) // count * 16 // 8
    assert by_role == {
        "poacher": {2 * each},
        "tracker": {each},
        "healer": {each},
        "villager": {4 * each},
    }


def test_of_two_seats_all_pairs_meet_in_both_orders():
    assert set(seatings(["a", "b", "c"], 2)) == {
        ("a", "b"), ("b", "a"), ("a", "c"), ("c", "a"), ("b", "c"), ("c", "b")
    }  # fmt: skip
    assert seatings(["a"], 2) == [("a", "a")]


def test_first_orders_are_even_and_others_are_not():
    first, *more = (Counter(row) for row in seatings(["a", "b"], 8, orders=6)[::2])
    assert set(first.values()) == {4}
    assert any(set(one.values()) != {4} for one in more)
    assert all(len(one) == 2 for one in more)


def test_deals_are_whole_blocks_drawn_by_the_seed():
    drawn = deals(asked(games=16, seed=1), HUNT_8)
    assert drawn != deals(asked(games=16, seed=2), HUNT_8)
    assert drawn == deals(asked(games=16, seed=1), HUNT_8)
    assert {(number - 1) // 8 for number in drawn[:8]} == {(drawn[0] - 1) // 8}
    small = GameSet(id="hunt-8", ruleset="hunt", players=8, games=12)
    assert deals(asked(games=12), small) == list(range(1, 13))
    with pytest.raises(BadArgument, match="has 12 games"):
        deals(asked(games=13), small)


def test_models_of_one_name_keep_their_providers():
    assert mind_names(["openai/x", "azure/x", "openai/y"]) == {
        "openai/x": "openai/x",
        "azure/x": "azure/x",
        "openai/y": "y",
    }


def test_the_plan_is_a_plan_file(desk: Desk) -> None:
    path = desk.folder / "t.toml"
    given = ("games", "tournament", *TWO, "--set", "hunt-6", "-n", "6", "--name", "night")
    said = desk.does(*given, "--write", str(path)).out
    assert "6 deals of hunt-6, each by 2 seatings: 12 games" in " ".join(said.split())
    plan = msgspec.toml.decode(path.read_text(encoding="utf-8"))
    assert plan["name"] == "night"
    assert plan["judges"] == {"use": ["games"]}
    forecast = desk.does("run", str(path), "--dry-run", "--json").json
    assert forecast["episodes"] == 12
    assert "is there already" in refused(desk, *given, "--write", str(path))
    assert desk.does("runs", "--json").json == [], "nothing was played"


def test_a_tournament_is_played_and_found_again(desk: Desk) -> None:
    given = ("games", "tournament", *TWO, "--set", "hunt-6", "--games", "6")
    said = " ".join(desk.does(*given, "--dry-run").out.split())
    assert "6 deals of hunt-6, each by 2 seatings: 12 games" in said
    found = desk.does(*given, "--json").json
    assert found["games"] == 12
    (ratings, *_) = found["ratings"]
    assert [row["games"] for row in ratings["rows"]] == [12, 12]
    again = desk.does(*given, "--json")
    assert again.json == found
    assert len(desk.does("runs", "--json").json) == 1, "it was not played twice"
    assert "nothing is left to do" in desk.does(*given, "--dry-run").out
    desk.does(*given, "--seed", "2", "--json")
    assert len(desk.does("runs", "--json").json) == 2


def test_other_models_or_deals_are_another_run(desk: Desk) -> None:
    with closing(open_store(f"sqlite:///{desk.folder}/s.db")) as store:
        first = planned_tournament(store, asked()).prepared
        assert planned_tournament(store, asked()).prepared.run == first.run
        assert planned_tournament(store, asked(), usd=3.0).prepared.run == first.run
        others = [asked(seed=2), asked(games=9), asked((*TWO, "rehearsal/cautious"))]
        assert first.run not in {planned_tournament(store, one).prepared.run for one in others}
        assert {one.minds for one in first.planned.episodes} == set(
            seatings(["open", "scheming"], 8)
        )
        pairings = plan_of(asked(), HUNT_8)["seats"]
        assert pairings == {"pairings": [list(row) for row in seatings(["open", "scheming"], 8)]}


def test_what_cannot_be_played_is_refused(desk: Desk) -> None:
    desk.does("catalog", "list")
    for arguments, why in (
        (("rehearsal/open", "--set", "hunt-9"), "has the sets hunt-"),
        (("rehearsal/opne", "--set", "hunt-8"), "did you mean 'open'"),
        ((" ", "--set", "hunt-8"), "is empty"),
        (("rehearsal/open", "--set", "hunt-8", "--games", "100000"), "has 1,000 games"),
        (("rehearsal/open", "--set", "hunt-8", "--judge", "none"), "there is no judge 'none'"),
        (("rehearsal/open", "--set", "hunt-8", "--judge", "facts"), "social"),
        (("rehearsal/open", "--set", "hunt-8", "--catalog", "none"), "none"),
        (("rehearsal/open", "--set", "hunt-8", "--catalog", "tavern"), "tabletop"),
    ):
        assert why in refused(desk, "games", "tournament", *arguments)
    for arguments, missing in ((("--set", "hunt-8"), "MODEL"), (("rehearsal/open",), "--set")):
        said = desk.says("games", "tournament", *arguments)
        assert said.code == 2
        assert missing in said.err
    with pytest.raises(BadArgument, match="at least one"):
        check_models(())
    assert desk.does("runs", "--json").json == []
