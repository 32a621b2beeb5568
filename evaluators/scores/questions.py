"""The tests and groupings of a run's scores, by the names that commands accept."""

from typing import Final, Literal

Question = Literal["minds", "memories", "parts", "slopes"]
"""What is tested against what."""

QUESTIONS: Final[dict[Question, str]] = {
    "minds": "mind against mind",
    "memories": "memory against memory",
    "parts": "standard scenarios against hard ones",
    "slopes": "slope against slope, in points an episode",
}
"""Each, as a table is called."""

Part = Literal["all", "standard", "hard"]
"""Which scenarios of chains."""

By = Literal["memory", "length", "parts"]
"""What curves of one mind are apart by: the memory's name, the length of its notes, or what its
notes leave out."""
