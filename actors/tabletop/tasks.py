"""The sessions that can be played, and how each begins: scene, characters, knowledge and intentions
are drawn by the number of the session, so that they are the same for every model that plays."""

from collections.abc import Sequence
from typing import Final

from actors.episodes.catalogs.entries import Beginning, MissingItem, TaskEntry
from actors.episodes.port.tasks import Tasks
from actors.tabletop.catalog_items import Catalog, CharacterSheet, GameTable, OpeningScene
from actors.tabletop.setup import Intention, Session, Settings
from actors.tabletop.skills import SKILLS, Skill
from events.ids import derived_number

GAME = "tabletop-1"
"""A part of all seeds, for the day on which sessions are drawn in another way."""

FIRST: Final = (12, 50)
"""A plan can choose so many sessions of every table by the tag ``first-N``."""


class SessionTasks(Tasks[Catalog, Settings]):
    """The sessions of all tables."""

    def entries(self, catalog: Catalog) -> Sequence[TaskEntry]:
        return [
            TaskEntry(
                id=f"{table.id}-{number}",
                seats=table.players + 1,
                tags=(
                    table.id,
                    table.kind,
                    *(f"first-{few}" for few in FIRST if number <= few),
                ),
                only_by=table.id if table.variant else "",
                scenario=_scene_at(catalog.scenes, number - 1).id if catalog.scenes else "",
            )
            for table in catalog.tables
            for number in range(1, table.sessions + 1)
        ]

    def begin(self, catalog: Catalog, task: str, settings: Settings, seed: int) -> Beginning:
        """A session. Raises ``MissingItem``."""
        table, number = _table_of(catalog, task)
        session = session_of(catalog, table, number, settings, seed)
        return Beginning(
            setup=session,
            scenario=session.scene.id,
            title=session.topic or session.scene.place,
            characters=tuple([one.name for one in session.characters]),
            tags=(table.id, table.kind),
        )


def _table_of(catalog: Catalog, task: str) -> tuple[GameTable, int]:
    id_, _, digits = task.rpartition("-")
    if digits.isascii() and digits.isdigit():
        for table in catalog.tables:
            if table.id == id_ and 1 <= int(digits) <= table.sessions:
                return table, int(digits)
    raise MissingItem(catalog.name, "task", task)


def session_of(
    catalog: Catalog, table: GameTable, number: int, settings: Settings, seed: int
) -> Session:
    """The session of a table with this number, from 1. Raises ``MissingItem`` where the catalog has
    too few characters, no scene, sheet or want."""
    place = number - 1
    characters = _seated(catalog, table, place)
    scenes = _some(catalog, "scene")
    scene = _scene_at(scenes, place)
    sheet, uses = None, 1
    intentions: tuple[Intention | None, ...] = ()
    if table.kind == "exchange":
        sheets = _some(catalog, "sheet")
        sheet, uses = sheets[place % len(sheets)], place // len(sheets) + 1
    else:
        intentions = _intentions(catalog, table, number, characters, settings)
    return Session(
        kind=table.kind,
        scene=scene,
        characters=characters,
        sheet=sheet,
        sheet_uses=uses,
        topic=sheet.title if sheet else "",
        points=len(sheet.points) if sheet else 0,
        intentions=intentions,
        settings=settings,
        seed=seed,
    )


def _scene_at(scenes: Sequence[OpeningScene], place: int) -> OpeningScene:
    return scenes[place % len(scenes)]


def _some(catalog: Catalog, kind: str) -> tuple:  # type: ignore[type-arg]
    items: tuple = getattr(catalog, f"{kind}s")  # type: ignore[type-arg]
    if not items:
        raise MissingItem(catalog.name, kind, "any")
    return items


def _seated(catalog: Catalog, table: GameTable, place: int) -> tuple[CharacterSheet, ...]:
    """The next characters in the catalog's order, so that no two sessions share one while there
    are enough; of two with the same name the second is passed over."""
    seats, known = table.players + 1, _some(catalog, "character")
    found: dict[str, CharacterSheet] = {}
    for step in range(len(known)):
        one = known[(place * seats + step) % len(known)]
        found.setdefault(one.name, one)
        if len(found) == seats:
            return tuple(found.values())
    raise MissingItem(catalog.name, "character", f"number {seats}")


def _intentions(
    catalog: Catalog,
    table: GameTable,
    number: int,
    characters: tuple[CharacterSheet, ...],
    settings: Settings,
) -> tuple[Intention | None, ...]:
    players = range(table.players)

    def drawn(what: str, seat: int, below: int) -> int:
        return derived_number(GAME, what, catalog.name, table.id, str(number), str(seat)) % below

    chosen = drawn("who", 0, table.players)
    has = [
        seat == chosen
        or (not settings.one_intention and drawn("has", seat, 10_000) >= settings.without * 10_000)
        for seat in players
    ]
    found: list[Intention | None] = []
    for seat in players:
        skill = SKILLS[drawn("skill", seat, len(SKILLS))]
        want = drawn("want", seat, 10**6)
        told = _intention(catalog, skill, want, characters[seat], settings) if has[seat] else None
        found.append(told)
    return tuple(found)


def _intention(
    catalog: Catalog, skill: Skill, draw: int, who: CharacterSheet, settings: Settings
) -> Intention:
    if settings.wording == "named":
        article = "an" if skill[0] in "AEIOU" else "a"
        return Intention(skill=skill, text=f"{who.name} means to make {article} {skill} check.")
    wants = [one for one in catalog.wants if one.skill == skill]
    if not wants:
        raise MissingItem(catalog.name, "want", f"for {skill}")
    return Intention(skill=skill, text=f"{who.name} {wants[draw % len(wants)].text}")


TASKS: Final = SessionTasks()
