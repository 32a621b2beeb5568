"""What of an episode can be quoted to a checkpoint: all that was said and done."""

from collections.abc import Iterator, Sequence

from actors.social.views import View
from evaluators.judges.quotes import Passage, Quotable
from evaluators.social.first_template_values import doing


def quotable(view: View, earlier: Sequence[View] = ()) -> Quotable:
    """An episode, and perhaps earlier ones, to be quoted from."""
    before = (line for one in earlier for line in _lines(one, numbered=False))
    return Quotable(_lines(view, numbered=True), before)


def _lines(view: View, *, numbered: bool) -> Iterator[Passage]:
    for line in view.lines:
        yield Passage(
            seat=line.seat,
            number=line.number if numbered else None,
            text=doing(line, view),
            head=f"{line.number} turn {line.turn} {line.label}",
        )
