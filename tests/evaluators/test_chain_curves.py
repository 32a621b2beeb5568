"""Which scores belong to which line."""

import msgspec

from actors.lifelong.formats import Baseline
from evaluators.chain_curves import PEOPLE, DimensionCurves, of_run
from evaluators.seat_scores import Judged, SeatScores
from store.records import ChainRow, EpisodeRow

JUDGE = Judged(name="strict", hash="a1", label="strict")
OTHER = Judged(name="mild", hash="b2", label="mild")


def chain(id_: str, memory: str = "summary") -> ChainRow:
    return ChainRow(
        id=id_,
        run="r1",
        catalog="starter",
        characters=("c1", "c2"),
        minds=("warm", "cold"),
        memory=memory,
        module="summary",
        length=2,
        done=2,
        failed=0,
        memories_failed=0,
        status="ended",
        reason="",
        started_at=None,
        ended_at=None,
    )


def episode(id_: str, chain: str, index: int) -> EpisodeRow:
    return EpisodeRow(
        id=id_,
        run="r1",
        task="t",
        catalog="starter",
        scenario_id="s",
        scenario="s",
        characters=("Ana", "Bo"),
        minds=("warm", "cold"),
        status="ended",
        turns=4,
        end_reason="turn_cap",
        failures=0,
        parent=None,
        forked_at=None,
        started_at=None,
        ended_at=None,
        chain=chain,
        index=index,
    )


def scores_of(episode: str, seat: int, goal: float | None, judge: str = "a1") -> SeatScores:
    mind = ("warm", "cold")[seat]
    got = {"values": {"goal": goal}} if goal is not None else {"failed": {"goal": "unreadable"}}
    return SeatScores(judge=judge, episode=episode, seat=seat, mind=mind, character="x", **got)


EPISODES = [episode("e0", "h1", 0), episode("e1", "h1", 1), episode("e2", "h2", 0)]
CHAINS = [chain("h1"), chain("h2", memory="none")]


def lines(found: list[DimensionCurves]) -> dict[str, list[tuple[int, float | None, int]]]:
    (only,) = found
    return {
        curve.label: [(p.index, p.mean.value, p.asked) for p in curve.places]
        for curve in only.curves
    }


def test_each_mind_with_each_memory_has_a_line():
    scored = [scores_of("e0", 0, 4.0), scores_of("e1", 0, 6.0), scores_of("e0", 1, 1.0)]
    scored.append(scores_of("e2", 0, 9.0))
    assert lines(of_run(CHAINS, EPISODES, scored, [JUDGE])) == {
        "cold, summary": [(0, 1.0, 1)],
        "warm, none": [(0, 9.0, 1)],
        "warm, summary": [(0, 4.0, 1), (1, 6.0, 1)],
    }


def test_a_failed_score_is_asked_for_and_has_no_value():
    scored = [scores_of("e0", 0, None), scores_of("e1", 0, 6.0)]
    assert lines(of_run(CHAINS, EPISODES, scored, [JUDGE])) == {
        "warm, summary": [(0, None, 1), (1, 6.0, 1)]
    }


def test_episodes_of_no_chain_have_no_place_on_a_line():
    loose = msgspec.structs.replace(EPISODES[0], id="e9", chain="")
    scored = [scores_of("e9", 0, 2.0)]
    assert of_run(CHAINS, [*EPISODES, loose], scored, [JUDGE]) == []


def test_judges_are_never_mixed():
    scored = [scores_of("e0", 0, 4.0), scores_of("e0", 0, 8.0, judge="b2")]
    found = of_run(CHAINS, EPISODES, scored, [JUDGE, OTHER])
    assert [(one.judge.name, one.curves[0].places[0].mean.value) for one in found] == [
        ("strict", 4.0),
        ("mild", 8.0),
    ]


def test_people_stand_beside_the_minds_in_their_dimension_only():
    people = [
        Baseline(index=0, dimension="goal", value=7.0, participant="p1"),
        Baseline(index=0, dimension="believability", value=9.0, participant="p1"),
    ]
    found = lines(of_run(CHAINS, EPISODES, [scores_of("e0", 0, 4.0)], [JUDGE], people))
    assert found[PEOPLE] == [(0, 7.0, 1)]


def test_only_the_dimensions_asked_for_are_drawn():
    both = msgspec.structs.replace(
        scores_of("e0", 0, 4.0), values={"goal": 4.0, "believability": 8.0}
    )
    found = of_run(CHAINS, EPISODES, [both], [JUDGE], dimensions=["believability"])
    assert [one.dimension for one in found] == ["believability"]
