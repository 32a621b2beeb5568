"""Actions that failed, in words: a mind gave no answer, and nobody chose what is recorded."""

from typing import Final

from events.episode import ActionFailure

NO_ANSWER: Final = "gave no answer"
"""What a transcript says of a seat whose mind failed."""
A_FAULT: Final = "a technical failure, no choice of the character's"
"""Why, for those who may not know what plays."""

_REASONS: Final = {
    "unreadable": "its answer could not be read",
    "model_error": "its model gave none",
    "timeout": "its model took too long",
    "mind_error": "its mind failed",
}


def failure_words(failure: ActionFailure) -> str:
    """Why a seat gave no answer, for those who may know everything."""
    reason = _REASONS.get(failure.reason, failure.reason.replace("_", " "))
    return f"{reason}: {failure.detail}" if failure.detail else reason
