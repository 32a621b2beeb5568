"""Towns of every kind, by a number."""

import random

from actors.sandbox.catalog_items import Inhabitant
from actors.sandbox.setup import Settings, Town
from tests.actors.sandbox.small_town import small_town


def random_town(seed: int, most: int = 14) -> Town:
    """A town of two to so many people, who see and remember as far as chance has it."""
    draw = random.Random(seed)
    homes = [
        f"Small:{draw.choice(('Ann', 'Bo'))}'s house:room" for _ in range(draw.randint(2, most))
    ]
    return Town(
        map=small_town(),
        inhabitants=tuple(Inhabitant(id=f"P{n}", home=home) for n, home in enumerate(homes)),
        settings=Settings(
            start="2023-02-13 21:00:00",
            steps=draw.choice((100, 300, 900)),
            step_s=draw.choice((10, 60, 60)),
            radius=draw.choice((2, 3, 8)),
            attention=draw.choice((1, 2, 3, 8)),
            retention=draw.choice((0, 1, 3, 8)),
            rounds=draw.choice((1, 3)),
            talk_gap=draw.choice((0, 20, 800)),
            meet_gap=draw.choice((0, 5, 60)),
            talk_until=24 if draw.random() < 0.8 else 23,
            know=draw.choice(("all", "own")),
        ),
    )
