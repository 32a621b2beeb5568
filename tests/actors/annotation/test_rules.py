"""Who is given what to annotate, and what is taken from them."""

from typing import Any

import pytest
from hypothesis import given as for_all
from hypothesis import settings
from hypothesis import strategies as st

from actors.annotation.rules import (
    AnnotationRefused,
    CloseStudy,
    Command,
    HandIn,
    Next,
    OpenStudy,
    decide,
    open_item,
)
from actors.annotation.state import Study, attentive, evolve, qualified
from events.annotation import AnnotationItem, AnnotationPlanned, KnownAnswer, SeatAnswer
from events.base import replace
from events.evaluation import Dimension

HOUR = 3_600_000_000
GOAL = Dimension(name="goal", low=0, high=10, integer=True)
POLITE = Dimension(name="polite", low=0, high=1)


def plan(items: int = 3, wanted: int = 2, **fields: Any) -> AnnotationPlanned:
    given: dict[str, Any] = {
        "name": "n",
        "items": tuple(AnnotationItem(episode=f"e{n}", wanted=wanted) for n in range(items)),
        "dimensions": (GOAL,),
        **fields,
    }
    return AnnotationPlanned(**given)


def after(study: Study, *commands: Command) -> Study:
    for command in commands:
        for event in decide(study, command):
            study = evolve(study, event)
    return study


def answer(seat: int = 0, dimension: str = "goal", value: float | None = 7, **more: Any) -> Any:
    return SeatAnswer(seat=seat, dimension=dimension, value=value, **{"reason": "so", **more})


def takes(study: Study, who: str, now: int = 0) -> tuple[Study, int]:
    study = after(study, Next(annotator=who, now=now))
    item = open_item(study, who)
    assert item is not None
    return study, item


def does(study: Study, who: str, now: int = 0, *, value: float = 7, slips: bool = False) -> Study:
    """Take the next item and hand it in."""
    study, item = takes(study, who, now)
    check = study.annotators[who].given[item].check
    given = None if check is None else check.value + slips
    return after(
        study,
        HandIn(
            annotator=who,
            item=item,
            seats=1,
            answers=(answer(value=value),),
            evaluation=f"v-{who}-{item}",
            check=given,
        ),
    )


def refused(study: Study, command: Command) -> AnnotationRefused:
    with pytest.raises(AnnotationRefused) as found:
        decide(study, command)
    return found.value


def test_who_comes_back_goes_on_with_the_same_item() -> None:
    study, item = takes(Study(plan=plan()), "ann")
    assert decide(study, Next(annotator="ann", now=10**9)) == []
    assert open_item(study, "ann") == item


def test_an_item_goes_to_as_many_annotators_as_are_wanted_and_to_each_once() -> None:
    study = Study(plan=plan(items=2, wanted=2))
    for who in ("ann", "ben"):
        study = does(does(study, who), who)
        assert refused(study, Next(annotator=who, now=0)).code == "nothing_left"
    assert (study.had, study.wanted) == (4, 4)
    assert refused(study, Next(annotator="cleo", now=0)).code == "nothing_left"


@settings(max_examples=40, deadline=None)
@for_all(
    st.integers(1, 6),
    st.integers(1, 3),
    st.lists(st.sampled_from(["ann", "ben", "cleo", "dan"]), max_size=24),
)
def test_an_item_that_is_given_out_is_one_that_fewest_have(
    items: int, wanted: int, turns: list[str]
) -> None:
    study = Study(plan=plan(items=items, wanted=wanted))
    for who in turns:
        done = study.annotators[who].done if who in study.annotators else {}
        free = [study.taken(at) for at in range(items) if at not in done]
        if not free or min(free) >= wanted:
            assert refused(study, Next(annotator=who, now=0)).code == "nothing_left"
            continue
        before = study
        study = does(study, who)
        (new,) = set(study.annotators[who].done) - set(done)
        assert before.taken(new) == min(free)
    assert max(study.taken(at) for at in range(items)) <= wanted


def test_chance_gives_annotators_different_orders() -> None:
    study = Study(plan=plan(items=12, wanted=4))
    firsts = set()
    for who in ("ann", "ben", "cleo", "dan"):
        firsts.add(takes(Study(plan=study.plan), who)[1])
    assert len(firsts) > 1


def test_an_item_that_is_not_handed_in_goes_to_somebody_else() -> None:
    study, item = takes(Study(plan=plan(items=1, wanted=1, lapse_h=2)), "ann", now=0)
    assert refused(study, Next(annotator="ben", now=HOUR)).code == "nothing_left"
    study, same = takes(study, "ben", now=2 * HOUR)
    assert same == item
    assert open_item(study, "ann") is None
    # Who slept over it may hand it in all the same.
    late = HandIn(annotator="ann", item=item, seats=1, answers=(answer(),), evaluation="v1")
    assert item in after(study, late).annotators["ann"].done


def test_everybody_begins_with_the_qualification() -> None:
    known = (KnownAnswer(seat=0, dimension="goal", low=6, high=8),)
    items = (*plan(items=2).items, AnnotationItem(episode="q", known=known))
    study = Study(plan=replace(plan(), items=items))
    good = does(study, "ann", value=7)
    assert qualified(good, good.annotators["ann"])
    assert takes(good, "ann")[1] in (0, 1)
    bad = does(study, "ben", value=9)
    assert refused(bad, Next(annotator="ben", now=0)).code == "not_qualified"
    assert good.wanted == 4
    again = HandIn(annotator="ann", item=2, seats=1, answers=(answer(value=7),))
    assert refused(good, again).code == "not_given"


def test_who_passes_too_few_attention_checks_is_given_no_more() -> None:
    study = Study(plan=plan(items=6, wanted=2, attention=1.0, attention_mark=0.6))
    once = does(study, "ann", slips=True)
    assert attentive(once, once.annotators["ann"])
    twice = does(once, "ann")
    assert twice.annotators["ann"].checks == (1, 2)
    assert refused(twice, Next(annotator="ann", now=0)).code == "not_attentive"
    careful = does(does(study, "ben"), "ben")
    assert careful.annotators["ben"].checks == (2, 2)
    takes(careful, "ben")


def test_attention_checks_come_as_often_as_asked_for() -> None:
    study = Study(plan=plan(items=200, wanted=1, attention=0.25))
    checks = 0
    for _ in range(200):
        study = does(study, "ann")
    checks = study.annotators["ann"].checks[1]
    assert 30 <= checks <= 70


def test_an_item_handed_in_again_counts_once() -> None:
    study = does(Study(plan=plan(items=1, wanted=1)), "ann")
    again = HandIn(
        annotator="ann", item=0, seats=1, answers=(answer(value=2),), evaluation="v2", seconds=5
    )
    study = after(study, again)
    assert study.had == 1
    assert study.annotators["ann"].done[0].evaluation == "v2"


def test_nothing_is_given_or_taken_once_a_study_is_closed() -> None:
    study, item = takes(Study(plan=plan()), "ann")
    closed = after(study, CloseStudy(by="mara"))
    handed = HandIn(annotator="ann", item=item, seats=1, answers=(answer(),))
    for command in (handed, Next(annotator="ben", now=0)):
        assert refused(closed, command).code == "closed"
    assert decide(closed, CloseStudy(by="mara")) == []
    assert item in after(closed, OpenStudy(by="mara"), handed).annotators["ann"].done


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ([], "choose a value"),
        ([answer(value=None)], "choose a value"),
        ([answer(value=11)], "0 to 10"),
        ([answer(value=float("nan"))], "0 to 10"),
        ([answer(value=2.5)], "whole number"),
        ([answer(reason="  ")], "say why"),
        ([answer(abstained=True)], "not both"),
        ([answer(reason="x" * 4001)], "4,000"),
        ([answer(), answer(seat=1)], "not asked"),
    ],
)
def test_answers_that_cannot_be_taken_are_named(given: list[SeatAnswer], why: str) -> None:
    study, item = takes(Study(plan=plan()), "ann")
    error = refused(study, HandIn(annotator="ann", item=item, seats=1, answers=tuple(given)))
    assert error.code == "faulty"
    assert why in error.faults[0].why


def test_a_failed_checkpoint_needs_a_quote_unless_it_fails_by_something_left_undone() -> None:
    failed = answer(dimension="polite", value=0)
    for by_absence, faulty in (((), True), (("polite",), False)):
        asked = plan(dimensions=(POLITE,), checkpoints=("polite",), by_absence=by_absence)
        study, item = takes(Study(plan=asked), "ann")
        command = HandIn(annotator="ann", item=item, seats=1, answers=(failed,))
        if faulty:
            assert "pick the words" in refused(study, command).faults[0].why
        else:
            assert decide(study, command)
    passed = answer(dimension="polite", value=1)
    study, item = takes(Study(plan=plan(dimensions=(POLITE,), checkpoints=("polite",))), "ann")
    assert decide(study, HandIn(annotator="ann", item=item, seats=1, answers=(passed,)))


def test_what_was_not_given_is_not_taken() -> None:
    study, item = takes(Study(plan=plan(items=2)), "ann")
    other = HandIn(annotator="ann", item=1 - item, seats=1, answers=(answer(),))
    assert refused(study, other).code == "not_given"
    assert refused(study, HandIn(annotator="x", item=0, seats=1, answers=())).code == "not_given"
