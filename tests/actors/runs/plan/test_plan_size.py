"""A plan of more episodes than a run can have is refused before anything is planned."""

import pytest

from actors.episodes.chain_support import ChainSection
from actors.runs.plan.chain_sections import chain_problems
from actors.runs.plan.mind_entries import MindEntry
from actors.runs.plan.pairings import pairings, pairings_of
from actors.runs.plan.plan_file import PlanFile, Seats
from actors.runs.plan.plan_run import MOST_EPISODES, check_chains, plan_run
from actors.social.catalog.starter import starter_catalog
from actors.toml_file import BadFile

MINDS = {f"m{n}": MindEntry(kind="rehearsal", temper="generous") for n in range(3)}
PEOPLE = tuple(one.id for one in starter_catalog().characters)


@pytest.mark.parametrize(
    ("seats", "chains"),
    [
        (Seats(repeats=10**18), None),
        (Seats(), ChainSection(length=10**9)),
        (Seats(), ChainSection(length=10**18)),
        (Seats(), ChainSection(pairs=10**18)),
        (Seats(repeats=10**9), ChainSection()),
        (Seats(), ChainSection(characters=(PEOPLE[:2],) * 10_000)),
        (Seats(), ChainSection(characters=(PEOPLE[:20],), length=1)),
        (Seats(pairings=(("m0", "m1"),)), ChainSection(length=10**9)),
        (Seats(pairings=(("m0", "m1"),)), ChainSection(seats=3, pairs=10**18)),
    ],
)
def test_it_is_refused_with_what_it_comes_to_and_the_limit(
    seats: Seats, chains: ChainSection | None
):
    plan = PlanFile(minds=MINDS, seats=seats, chains=chains)
    with pytest.raises(BadFile, match=r"comes to more than 100,000 episodes \(.*plan fewer"):
        plan_run("r1", plan, starter_catalog(), (), path="plan.toml")


def test_as_many_as_a_run_can_have_are_planned():
    chains = ChainSection(length=MOST_EPISODES // 9)
    check_chains(PlanFile(minds=MINDS, chains=chains), chains, "plan.toml")
    chains = ChainSection(length=MOST_EPISODES // 9 + 1)
    with pytest.raises(BadFile, match="9 chains of 11,112 episodes"):
        check_chains(PlanFile(minds=MINDS, chains=chains), chains, "plan.toml")


@pytest.mark.parametrize("given", ["all", "same", (("m0", "m1"), ("m2", "m1"), ("m0",) * 3)])
@pytest.mark.parametrize("seats", [2, 3])
def test_pairings_are_reckoned_as_they_are_listed(given, seats: int):
    plan = PlanFile(minds=MINDS, seats=Seats(pairings=given))
    assert pairings_of(plan, seats) == len(pairings(plan, seats, "plan.toml"))


@pytest.mark.parametrize("seats", [9, 10**9])
def test_a_large_cast_is_not_drawn(seats: int):
    (problem,) = chain_problems(ChainSection(seats=seats), {})
    assert problem[0] == "chains.seats"
    assert "8 or fewer" in problem[1]
