"""Towns of every kind, by a number."""

import random

from actors.sandbox.catalog.generator import generated
from actors.sandbox.catalog_items import Inhabitant
from actors.sandbox.setup import Settings, Town
from tests.actors.sandbox.small_town import small_town

MOST = 14
"""People."""


def random_town(seed: int) -> Town:
    """A town whose people see and remember as far as chance has it, on a map that is small."""
    draw = random.Random(seed)
    count = draw.randint(2, MOST)
    homes = [f"Small:{draw.choice(('Ann', 'Bo'))}'s house:room" for _ in range(count)]
    return Town(
        map=small_town(),
        inhabitants=tuple(Inhabitant(id=f"P{n}", home=home) for n, home in enumerate(homes)),
        settings=random_settings(draw),
    )


def random_larger_town(seed: int) -> Town:
    """As ``random_town``, with a map of its own."""
    draw = random.Random(seed)
    town, people = generated(seed, draw.randint(2, MOST))
    return Town(map=town, inhabitants=people, settings=random_settings(draw))


def random_settings(draw: random.Random) -> Settings:
    """Any, late in the evening, so that a day ends."""
    return Settings(
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
    )
