"""Messages about a run's models that are shown while the run continues."""

from typing import Final

from events.run import AnswersUnusable, FormLowered
from events.untrusted.safe_text import shortened

_FORMS: Final = {
    "schema": "a JSON Schema",
    "simple": "a JSON Schema without bounds",
    "json": "JSON mode",
    "none": "plain text",
}
"""What answers are asked for in."""


def note_words(note: FormLowered | AnswersUnusable) -> str:
    """A sentence with the remedy, without its point."""
    model = shortened(note.model)
    if isinstance(note, FormLowered):
        return (
            f"{model} is asked for its answers in {form_words(note.now)} instead of "
            f"{form_words(note.before)} from here on: {shortened(note.why)}"
        )
    return (
        f"{note.unusable} of the first {note.answers} answers of {model} could not be read at "
        "once: `troupe doctor` says whether its server holds answers to a JSON Schema, and "
        "docs/how-to/local-models.md which servers do; where it does, choose another model"
    )


def form_words(form: str) -> str:
    return _FORMS.get(form, form)
