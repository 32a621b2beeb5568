"""What an annotator's form sends."""

import pytest

from actors.annotation.state import Study
from events.annotation import AnnotationItem, AnnotationPlanned, SeatAnswer
from events.evaluation import Dimension
from gateway.services.access.token_repository import new_principal
from gateway.services.annotations.answer_form import read_form
from gateway.services.annotations.workspace import choices_of, pseudonym

PLAN = AnnotationPlanned(
    name="n",
    items=(AnnotationItem(episode="e1"), AnnotationItem(episode="e1", seat=1)),
    dimensions=(Dimension(name="goal", low=0, high=10), Dimension(name="polite", low=0, high=1)),
)


def test_a_form_is_read_field_by_field() -> None:
    found = read_form(
        Study(plan=PLAN),
        1,
        2,
        {
            "value.1.0": "7",
            "reason.1.0": "  she asked  ",
            "quotes.1.0": '[{"number": 3, "text": "please"}]',
            "abstained.1.1": "1",
            "value.1.1": "1",
            "reason.1.1": "too short",
            "value.0.0": "3",
            "check": "2",
            "seconds": "81.5",
        },
    )
    assert list(found.answers) == [(1, "goal"), (1, "polite")]
    assert found.answers[1, "goal"] == SeatAnswer(
        seat=1,
        dimension="goal",
        value=7,
        reason="she asked",
        evidence=(3,),
        quotes=("please",),
    )
    assert found.answers[1, "polite"].value is None
    assert found.answers[1, "polite"].abstained
    assert (found.check, found.seconds) == (2, 81.5)


@pytest.mark.parametrize(
    "sent",
    [
        {"value.0.0": "nan", "seconds": "-4", "check": "inf"},
        {"value.0.0": "seven", "seconds": "1e999", "quotes.0.0": "[{}]"},
        {"value.0.0": ["1"], "quotes.0.0": '[{"number": "x", "text": 1}]', "reason.0.0": ["a"]},
        {"quotes.0.0": '{"a": 1}', "seconds": "", "abstained.0.0": ""},
    ],
)
def test_what_cannot_be_read_counts_as_not_answered(sent: dict[str, object]) -> None:
    found = read_form(Study(plan=PLAN), 0, 2, sent)
    assert len(found.answers) == 4
    assert all(one.value is None and one.quotes == () for one in found.answers.values())
    assert found.seconds == 0
    assert found.check is None


def test_a_name_is_the_same_judge_and_a_token_without_one_is_somebody_of_their_own() -> None:
    anna, again = (new_principal("annotator", name="anna") for _ in range(2))
    assert pseudonym(anna) == pseudonym(again)
    assert pseudonym(anna).startswith("p-")
    assert len(pseudonym(anna)) == 10
    one, other = new_principal("annotator"), new_principal("annotator")
    assert pseudonym(one) != pseudonym(other)


def test_short_ranges_of_whole_numbers_are_chosen_from() -> None:
    whole = Dimension(name="d", low=-5, high=5, integer=True)
    assert choices_of(whole, checkpoint=False) == tuple(float(n) for n in range(-5, 6))
    assert choices_of(Dimension(name="d", low=0, high=1), checkpoint=True) == (1.0, 0.0)
    for dimension in (
        Dimension(name="d", low=0, high=100, integer=True),
        Dimension(name="d", low=0, high=1),
    ):
        assert choices_of(dimension, checkpoint=False) == ()
