"""What is wrong with an answer to a study's question, and whether it is right."""

from math import isfinite

from events.study import StudyQuestion

LONGEST = 10_000
"""Characters of an answer in words."""


def answer_fault(question: StudyQuestion, values: tuple[str, ...]) -> str | None:
    """Why these are no answer to a question, as a sentence for who gave them; None if they are.
    ``values``: one, or several of ``several``."""
    given = [value for value in values if value.strip()]
    if not given:
        return "please answer this question" if question.required else None
    if question.kind != "several" and len(given) > 1:
        return "please choose one of them" if question.options else "please give one answer"
    match question.kind:
        case "choice" | "several":
            if len(set(given)) < len(given) or any(
                value not in question.options for value in given
            ):
                return "please choose from what is offered"
        case "scale" | "number":
            return _number_fault(question, given[0])
        case "text":
            if len(given[0]) > LONGEST:
                return (
                    f"please say it in at most {LONGEST:,} characters; there are {len(given[0]):,}"
                )
    return None


def _number_fault(question: StudyQuestion, value: str) -> str | None:
    try:
        number = float(value.replace(",", "."))
    except ValueError:
        return "please give a number"
    low, high = question.low, question.high
    inside = (low is None or number >= low) and (high is None or number <= high)
    if not isfinite(number) or not inside:
        bounds = [f"at least {low:g}"] if low is not None else []
        bounds += [f"at most {high:g}"] if high is not None else []
        return (
            f"please give a number of {' and '.join(bounds)}" if bounds else "please give a number"
        )
    if question.kind == "scale" and number != int(number):
        return "please give a whole number"
    return None


def is_right(question: StudyQuestion, values: tuple[str, ...]) -> bool:
    """Whether an answer is right; every one is where the question names none."""
    if not question.right:
        return True
    given = {value.strip() for value in values if value.strip()}
    if question.kind == "several":
        return given == set(question.right)
    if question.kind in ("number", "scale"):
        return any(_same_number(value, one) for value in given for one in question.right)
    right = {value.casefold() for value in question.right}
    return {value.casefold() for value in given} <= right and bool(given)


def _same_number(value: str, right: str) -> bool:
    try:
        return float(value.replace(",", ".")) == float(right)
    except ValueError:
        return False
