"""From a plan to its chains: casts, scenarios, seeds, and what a catalog does not allow."""

import itertools
from typing import Any

import msgspec
import pytest

from actors.episodes.chain_support import ChainSection
from actors.episodes.port.environment import Environment
from actors.runs.forecast.forecast import forecast
from actors.runs.plan.mind_entries import MindEntry
from actors.runs.plan.plan_chains import plan_chains
from actors.runs.plan.plan_file import PlanFile, Seats
from actors.runs.plan.plan_run import plan_run
from actors.social.catalog.cast_task import CatalogIndex
from actors.social.catalog.misfits import misfits
from actors.social.catalog.starter import starter_catalog
from actors.social.catalog_items import Catalog, NeededFact, Relationship, RelationshipKind
from actors.social.environment import SOCIAL
from actors.toml_file import BadFile
from events.run import RunPlanned
from tests.support.builders import character, scenario

FRIEND, FAMILY = RelationshipKind.FRIEND, RelationshipKind.FAMILY
STARTER = starter_catalog()
MINDS = {
    "warm": MindEntry(kind="rehearsal", temper="generous"),
    "gpt": MindEntry(kind="model", model="openai/some-model"),
}
PEOPLE = tuple(
    character(f"{name} Reyes", age=age, occupation=occupation)
    for name, age, occupation in (
        ("Ada", 20, "baker"),
        ("Ben", 30, "cook"),
        ("Cleo", 40, "baker"),
        ("Dan", 50, "judge"),
    )
)


def small(*scenarios: Any, relationships: tuple[Relationship, ...] = ()) -> Catalog:
    return Catalog(
        name="small", characters=PEOPLE, scenarios=scenarios, relationships=relationships
    )


def tie(one: str, other: str, kind: RelationshipKind) -> Relationship:
    return Relationship(id=f"{one}-{other}-{kind}", characters=(one, other), kind=kind)


def planned(
    catalog: Catalog = STARTER, *, run: str = "r1", pairings: Any = "same", **chains: Any
) -> RunPlanned:
    plan = PlanFile(minds=MINDS, seats=Seats(pairings=pairings), chains=ChainSection(**chains))
    return plan_run(run, plan, catalog, (), path="plan.toml")


def by_chain(run: RunPlanned) -> dict[str, list[str]]:
    """The scenarios of each chain, in order."""
    return {
        chain.id: [episode.scenario for episode in run.episodes if episode.chain == chain.id]
        for chain in run.chains
    }


def test_a_chain_has_its_episodes_in_order_and_the_run_has_them_all():
    run = planned(pairs=2, length=7)
    assert len(run.chains) == 2 * 2
    for chain in run.chains:
        episodes = [episode for episode in run.episodes if episode.chain == chain.id]
        assert tuple(episode.id for episode in episodes) == chain.episodes
        assert [episode.index for episode in episodes] == list(range(7))
        assert {episode.minds for episode in episodes} == {chain.minds}
    ids = [episode.id for episode in run.episodes]
    assert len(set(ids)) == len(ids) == 2 * 2 * 7


def test_minds_and_memories_of_a_cast_share_scenarios_and_seeds():
    run = planned(pairs=2, length=12, pairings="all", memory=("none", "full", "summary"))
    assert len(run.chains) == 2 * 4 * 3
    shared: dict[tuple[str, ...], set[tuple[tuple[str, int], ...]]] = {}
    for chain in run.chains:
        row = tuple((e.scenario, e.seed) for e in run.episodes if e.chain == chain.id)
        shared.setdefault(chain.characters, set()).add(row)
    assert [len(rows) for rows in shared.values()] == [1, 1]
    assert len({row for rows in shared.values() for row in rows}) == 2, "casts differ"


def test_another_run_of_a_plan_plays_the_same_under_other_ids():
    one, other = planned(length=12), planned(length=12, run="r2")
    assert one == planned(length=12)
    for a, b in zip(one.episodes, other.episodes, strict=True):
        assert (a.scenario, a.seed, a.index) == (b.scenario, b.seed, b.index)
        assert a.id != b.id
    assert not {chain.id for chain in one.chains} & {chain.id for chain in other.chains}


def test_repeats_are_chains_of_their_own_with_seeds_of_their_own():
    plan = PlanFile(
        minds=MINDS, seats=Seats(pairings="same", repeats=2), chains=ChainSection(length=5)
    )
    run = plan_run("r1", plan, STARTER, ())
    assert len(run.chains) == len({chain.id for chain in run.chains}) == 4
    assert len({tuple(row) for row in by_chain(run).values()}) == 1, "the scenarios are the same"
    assert len({episode.seed for episode in run.episodes}) == 2 * 5


def test_every_scenario_fits_its_cast():
    run = planned(pairs=6, length=40)
    index = CatalogIndex(STARTER)
    casts = {chain.id: chain for chain in run.chains}
    assert len({frozenset(chain.characters) for chain in run.chains}) == 6
    for episode in run.episodes:
        chain = casts[episode.chain]
        cast = [index.characters[id_] for id_ in chain.characters]
        kinds = [index.relationships[id_].kind for id_ in chain.relationships]
        kinds = kinds or [RelationshipKind.STRANGER]
        assert not misfits(index.scenarios[episode.scenario], cast, kinds)


def test_all_that_fits_is_played_once_before_any_is_played_again_in_another_order():
    (row, *_) = by_chain(planned(length=150)).values()
    size = len(set(row))
    rounds = [row[start : start + size] for start in range(0, len(row) - size + 1, size)]
    assert len(rounds) > 1
    assert all(len(set(round_)) == size for round_ in rounds)
    assert rounds[0] != rounds[1]
    assert all(one != following for one, following in itertools.pairwise(row))


def test_the_seed_of_the_section_decides_the_draw():
    def drawn(seed: int) -> list[tuple[str, ...]]:
        run = planned(pairs=3, length=5, seed=seed, pairings=(("warm", "warm"),))
        return [chain.characters for chain in run.chains] + [
            tuple(row) for row in by_chain(run).values()
        ]

    assert drawn(1) == drawn(1)
    assert len({str(drawn(seed)) for seed in range(6)}) > 1


def test_constraints_on_age_and_occupation_decide_who_sits_where():
    only = scenario(id="only", ages=((35, 99), (0, 25)), occupations=("", "baker"))
    run = planned(small(only), pairs=2, length=1, pairings=(("warm", "warm"),))
    assert {chain.characters for chain in run.chains} == {("cleo", "ada"), ("dan", "ada")}


def test_those_who_can_play_more_scenarios_are_drawn_first():
    scenarios = (
        scenario(id="any"),
        scenario(id="friends", relationships=(FRIEND,)),
        scenario(id="kin", relationships=(FAMILY,)),
    )
    catalog = small(*scenarios, relationships=(tie("ben", "dan", FRIEND),))
    for seed in range(5):
        (chain,) = planned(catalog, seed=seed, length=3, pairings=(("warm", "warm"),)).chains
        assert set(chain.characters) == {"ben", "dan"}
        assert chain.relationships == ("ben-dan-friend",)


def test_named_characters_and_scenarios_are_played_as_named_and_over_again():
    characters = (("june_halloran", "tomasz_wrobel"),)
    named = ("quiz_ham", "the_eulogy")
    run = planned(characters=characters, scenarios=named, length=5)
    assert {chain.characters for chain in run.chains} == set(characters)
    assert {chain.relationships for chain in run.chains} == {("june-tomasz",)}
    assert {tuple(row) for row in by_chain(run).values()} == {
        ("quiz_ham", "the_eulogy", "quiz_ham", "the_eulogy", "quiz_ham")
    }


def test_of_several_ties_between_two_the_one_that_fits_the_scenarios_is_taken():
    ties = (tie("ada", "ben", FAMILY), tie("ada", "ben", FRIEND))
    catalog = small(scenario(id="friends", relationships=(FRIEND,)), relationships=ties)
    run = planned(catalog, characters=(("ada", "ben"),), length=2)
    assert {chain.relationships for chain in run.chains} == {("ada-ben-friend",)}


def test_chains_of_three_seats_play_scenarios_of_three():
    run = planned(pairs=2, seats=3, length=4)
    assert {len(chain.characters) for chain in run.chains} == {3}
    assert {len(chain.minds) for chain in run.chains} == {3}
    assert {episode.scenario for episode in run.episodes} == {"fete_money", "stuck_lift"}


def hard(id_: str, taught_by: str = "", **fields: Any) -> Any:
    fact = NeededFact(id="f", text="The key is red.", keys=(("red",),), taught_by=taught_by)
    return scenario(id=id_, needs=(fact,), **fields)


def test_hard_scenarios_end_a_chain_and_what_they_need_comes_up_before_them():
    lessons = tuple(scenario(id=f"lesson{n}") for n in range(9))
    catalog = small(*lessons, hard("test", "lesson7"), hard("free"))
    for seed in range(5):
        run = planned(catalog, length=2, hard=("test", "free"), seed=seed)
        for row in by_chain(run).values():
            assert row[2:] == ["test", "free"]
            assert "lesson7" in row[:2]
        assert {one.index for one in run.episodes if one.hard} == {2, 3}
    assert all(
        row == ["lesson7", "test", "free"]
        for row in by_chain(planned(catalog, length=1, hard="all")).values()
    )
    drawn = by_chain(planned(catalog, length=20)).values()
    assert not any({"test", "free"} & set(row) for row in drawn), "they are not drawn"


def test_all_hard_scenarios_that_fit_a_cast_end_its_chains_and_do_not_count_into_the_length():
    catalog = small(
        scenario(id="lesson"),
        scenario(id="other"),
        hard("test", "lesson"),
        hard("both", "other"),
        hard("kin", relationships=(FAMILY,)),
        hard("last"),
    )
    for row in by_chain(planned(catalog, length=5, hard="all")).values():
        assert set(row[:5]) == {"lesson", "other"}
        assert row[5:] == ["test", "both", "last"]
    assert set(map(tuple, by_chain(planned(catalog, length=1, hard="all")).values())) == {
        ("lesson", "test", "last")
    }, "one episode teaches what one of them needs"


KIN = (("june_halloran", "walt_jensen"),)


@pytest.mark.parametrize(
    ("catalog", "chains", "where", "why"),
    [
        (
            STARTER,
            {"scenarios": ("hive_prise",)},
            "chains.scenarios",
            "the nearest is 'hive_price'",
        ),
        (STARTER, {"hard": ("quiz_hem",)}, "chains.hard", "the nearest is 'quiz_ham'"),
        (STARTER, {"tags": ("nonsense",)}, "chains.tags", "their tags are: accommodation"),
        (
            STARTER,
            {"characters": (("june", "walt_jensen"),)},
            "chains.characters",
            "no character 'june'; the nearest is",
        ),
        (
            STARTER,
            {"characters": KIN, "scenarios": ("last_ferry",)},
            "chains.characters",
            "scenario 'last_ferry' does not fit them: the scenario asks for stranger",
        ),
        (
            STARTER,
            {"characters": KIN, "scenarios": ("stuck_lift",)},
            "chains.characters",
            "it has 3 seats, they are 2",
        ),
        (STARTER, {"seats": 5}, "chains.pairs", "1 casts of 5 characters are asked for, and 0"),
        (STARTER, {"pairs": 999}, "chains.pairs", "999 casts of 2 characters are asked for"),
        (small(scenario()), {"hard": "all"}, "chains.hard", "needs facts of earlier episodes"),
        (
            small(scenario(id="a"), hard("test", "b"), scenario(id="b", relationships=(FAMILY,))),
            {"hard": ("test",)},
            "chains.pairs",
            "needs what comes up in 'b', which they do not play before it",
        ),
        (
            small(scenario(id="a"), scenario(id="b"), hard("test", "a"), hard("last", "b")),
            {"hard": ("test", "last"), "length": 1},
            "chains.pairs",
            "1 episodes have no room for what 'last' needs",
        ),
        (STARTER, {"pairings": (("warm",) * 3,)}, "seats.pairings", "a chain has 2 seats"),
    ],
)
def test_what_a_catalog_does_not_allow_is_refused_with_place_and_reason(
    catalog: Catalog, chains: dict[str, Any], where: str, why: str
):
    with pytest.raises(BadFile) as refused:
        planned(catalog, **chains)
    assert refused.value.where == where
    assert why in refused.value.why


@pytest.mark.parametrize(("memory", "notes"), [("none", 0), ("full", 0), ("summary", 5 * 4)])
def test_a_forecast_counts_chains_and_the_notes_that_models_write(memory: str, notes: int):
    run = planned(length=5, pairings="all", memory=(memory,))
    counts = forecast(run, STARTER)
    assert (counts.chains, counts.chain_length, counts.episodes) == (4, 5, 20)
    # gpt sits in four of the eight seats, and plays at most 10 of an episode's 20 turns.
    assert counts.note_calls == notes
    assert counts.play_calls == 4 * 5 * 10


def test_a_memory_with_a_model_writes_the_notes_of_every_seat():
    run = planned(length=5, pairings=(("warm", "gpt"),), memory=("summary",))
    (spec,) = run.plan.memories
    model = next(mind.model for mind in run.plan.minds if mind.name == "gpt")
    own = msgspec.structs.replace(run.plan, memories=(msgspec.structs.replace(spec, model=model),))
    assert forecast(run, STARTER).note_calls == 5
    assert forecast(msgspec.structs.replace(run, plan=own), STARTER).note_calls == 2 * 5


ALONE = Environment(
    name="alone", vocabulary=SOCIAL.vocabulary, endings=SOCIAL.endings, games=SOCIAL.games
)
"""An environment that says nothing of chains."""


def test_an_environment_that_plays_no_chains_refuses_a_plan_of_them():
    plan = PlanFile(minds=MINDS, chains=ChainSection())
    with pytest.raises(BadFile, match="environment 'alone' plays no chains: it does not say how"):
        next(plan_chains("r1", plan, ChainSection(), ALONE, STARTER, "plan.toml"))
