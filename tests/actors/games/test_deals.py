"""Which deals a plan's games have: the same by the same seed, others by another, and in plans that
were recorded before deals had a seed those that they had."""

from collections import Counter

import pytest

from actors.games.catalog.starter import starter_catalog
from actors.games.deals import role_counts
from actors.games.setup import PLANS, Deal, Settings
from actors.games.state import roles_of
from actors.games.tasks import TASKS
from events.serialization.codec import to_json

CATALOG = starter_catalog()
TASK_IDS = ("hunt-8-3", "odd-word-6-41", "buy-sell-2-7", "public-goods-4-2")


def deal_of(task: str, seed: int | None, **section: int) -> Deal:
    """A game of a plan with this seed."""
    settings = Settings(**section)
    if seed is not None:
        settings = PLANS.settings(settings, seed)
    deal = TASKS.begin(CATALOG, task, settings, 1).setup
    assert isinstance(deal, Deal)
    return deal


def roles(deal: Deal) -> list[str]:
    return [one.id for one in roles_of(deal)]


@pytest.mark.parametrize("task", TASK_IDS)
def test_the_same_seed_deals_the_same_and_another_otherwise(task: str):
    deals = [deal_of(task, seed) for seed in range(20)]
    assert deals == [deal_of(task, seed) for seed in range(20)]
    for of in (lambda one: one.players, lambda one: one.scene):
        assert len(set(map(of, deals))) > 3, "people and scenes differ"
    if deals[0].values:
        assert len({str(one.values) for one in deals}) > 10
    if task.startswith("hunt"):
        assert len({tuple(roles(one)) for one in deals}) > 10


def test_a_plan_can_have_the_deals_of_another_seed():
    assert deal_of("hunt-8-3", 7, deals=4) == deal_of("hunt-8-3", 4)


@pytest.mark.parametrize("seed", [0, 5])
def test_each_seat_has_each_role_equally_often_by_any_seed(seed: int):
    found = [Counter[str]() for _ in range(8)]
    for number in range(1, 17):
        for seat, role in enumerate(roles(deal_of(f"hunt-8-{number}", seed))):
            found[seat][role] += 1
    hunt = next(one for one in CATALOG.rulesets if one.id == "hunt")
    assert found == [{id_: 2 * count for id_, count in role_counts(hunt, 8).items()}] * 8


def test_no_setup_has_the_seed_of_the_deals():
    """With the catalog it would tell who has which role."""
    assert "918273" not in to_json(deal_of("hunt-8-3", 918_273))


def test_what_was_planned_before_deals_had_a_seed_is_dealt_as_it_was():
    hunt = deal_of("hunt-8-3", None)
    villagers = ["villager", "villager"]
    assert roles(hunt) == [
        "poacher", *villagers, "healer", "villager", "poacher", "villager", "tracker",
    ]  # fmt: skip
    assert [one.name for one in hunt.players[:3]] == [
        "Walt Jensen", "Bronwen Pryce", "Dolores Pacheco",
    ]  # fmt: skip
    assert deal_of("buy-sell-2-7", None).values == {"cost": 55, "worth": 57}
    assert deal_of("odd-word-6-41", None).values["pair.odd"] == "seagull"
