"""Three people in a small town, led by generative minds: for tests of what they think."""

from typing import Any

from actors.episodes.registry import game_of
from actors.minds.generative.mind import GenerativeMind
from actors.sandbox.catalog_items import Goal, Inhabitant, Task
from actors.sandbox.setup import Case, Partner, Settings, Town
from events.episode import EpisodeStarted
from events.minds import MindSpec
from tests.actors.sandbox.small_town import small_town
from tests.support.generative_minds import InProcess, Memory, Played, thinker

NAMES = ("Ann Abel", "Bo Berg", "Cy Cole")
HOMES = ("Small:Ann's house:room", "Small:Bo's house:room", "Small:Ann's house:room")


def marker(what: str, name: str) -> str:
    """A text that occurs nowhere else."""
    return f"«{what}~{name}»"


def inhabitant(seat: int) -> Inhabitant:
    """Somebody each of whose private texts is a marker."""
    name = NAMES[seat]
    return Inhabitant(
        id=name,
        age=30 + seat,
        innate=marker("innate", name),
        learned=marker("learned", name),
        currently=marker("currently", name),
        lifestyle=marker("lifestyle", name),
        daily=marker("daily", name),
        home=HOMES[seat],
    )


TASK = Task(
    id="supper",
    kind="public",
    town="small",
    goal=marker("goal", NAMES[0]),
    brief=marker("brief", NAMES[0]),
    description=marker("criteria", NAMES[0]),
    goals=(Goal(keyword="supper", start="2023-02-14 19:00", minutes=60, place="inn"),),
    people=3,
    performer=NAMES[0],
    characters=NAMES,
)


def started(spec: MindSpec, setup: Town | Case) -> EpisodeStarted:
    """The beginning of an episode of it."""
    seats = 2 if isinstance(setup, Case) else len(setup.inhabitants)
    return EpisodeStarted(
        run="r",
        environment="sandbox",
        task="supper",
        catalog="c",
        minds=(spec,) * seats,
        setup=setup,
    )


def town(**settings: Any) -> Town:
    """A morning of it, unless it is told otherwise."""
    given = {"start": "2023-02-13 07:00:00", "steps": 240, "radius": 6, "talk_gap": 60}
    return Town(
        map=small_town(),
        inhabitants=tuple(inhabitant(seat) for seat in range(3)),
        task=TASK,
        settings=Settings(**(given | settings)),
    )


def case() -> Case:
    """A talk of it."""
    return Case(
        id="case",
        task=TASK,
        at="2023-02-13 09:12:00",
        performer=Partner(inhabitant=inhabitant(0), doing="sweeping", address=HOMES[0]),
        target=Partner(
            inhabitant=inhabitant(1),
            doing="reading",
            address=HOMES[0],
            memories=("Ann lent Bo a ladder", "Ann likes plums"),
            schedule=("12:00 lunch",),
        ),
        rounds=3,
    )


def lives(
    model: InProcess, setup: Town | Case | None = None, spec: MindSpec | None = None, **fields: Any
) -> Played:
    """An episode of it, with one model behind all. ``fields``: of ``GenerativeSpec``."""
    spec = spec or thinker(**fields)
    begun = started(spec, setup or town())
    caller, game = model.caller(), game_of(begun)
    return Played(
        game,
        begun,
        [GenerativeMind(spec, game, caller) for _ in begun.minds],
        [Memory() for _ in begun.minds],
    )
