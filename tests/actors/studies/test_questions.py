"""Which answers are taken."""

import pytest

from actors.studies.questions import answer_fault
from events.study import StudyQuestion


@pytest.mark.parametrize(
    ("kind", "values", "taken"),
    [
        ("choice", ("a",), True),
        ("choice", ("a", "b"), False),
        ("choice", ("c",), False),
        ("several", ("a", "b"), True),
        ("several", ("a",) * 1_000, False),
        ("scale", ("3",), True),
        ("scale", ("1", "2", "3"), False),
        ("number", ("3", "x"), False),
        ("text", ("Well.",), True),
        ("text", ("Well.", "x" * 100_000), False),
        ("text", ("", "Well."), True),
        ("text", ("", " "), False),
    ],
)
def test_an_answer_is_one_of_those_that_were_offered(
    kind: str, values: tuple[str, ...], taken: bool
) -> None:
    options = ("a", "b") if kind in ("choice", "several") else ()
    question = StudyQuestion(
        id="q",
        text="What?",
        kind=kind,  # type: ignore[arg-type]
        options=options,
        low=1,
        high=7,
    )
    assert (answer_fault(question, values) is None) is taken
