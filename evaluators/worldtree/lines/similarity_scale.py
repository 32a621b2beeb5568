"""What a judge says of a free line, and how strictly a rehearsal says it."""

from collections.abc import Mapping
from typing import Final

from events.evaluation import Dimension

SIMILAR: Final = Dimension(
    name="similar",
    low=0,
    high=1,
    integer=True,
    description="1: a line of the tree means the same as the free line; 0: none does. The quotes "
    "are the lines that do.",
)
TEMPERS: Final[Mapping[str, float]] = {"lenient": 0.35, "strict": 0.6}
"""How alike the words of two lines must be for a rehearsal, 0 to 1."""
