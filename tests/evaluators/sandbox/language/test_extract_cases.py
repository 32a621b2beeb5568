"""Cases are cut where talks of the performer open, with what was known then and nothing later."""

from collections.abc import Sequence
from typing import Any

import pytest

from actors.sandbox.catalog_items import Inhabitant, Task, TaskKind
from actors.sandbox.map.town_map import Layer, TownMap
from actors.sandbox.setup import (
    ActionStarted,
    AnyFact,
    CarryOn,
    Happened,
    Noticed,
    Seen,
    Settings,
    TalkClosed,
    TalkOpened,
    Town,
    WhatToDo,
)
from evaluators.sandbox.language.case_file import BadCases, parse_cases, written
from evaluators.sandbox.language.extract_cases import Frozen, PlayedTown, freeze
from events.base import Event, replace
from events.episode import Asked, EpisodeStarted, TurnOpened, WorldChanged
from events.minds import MindSpec
from events.thoughts import (
    Block,
    DayPlanned,
    Decided,
    MemoriesRetrieved,
    MemoryAdded,
    StatusRevised,
)
from tests.evaluators.sandbox.language.made_up import ADA, BO, case

CY = Inhabitant(id="Cy Dunn")
MAP = TownMap(
    id="elm",
    world="Elm",
    width=2,
    height=2,
    solid=Layer(),
    sectors=Layer(names=("Mill", "Park")),
    arenas=Layer(),
    objects=Layer(),
)
DAY = 24 * 60

Instant = tuple[int, Sequence[AnyFact]]


def task(kind: TaskKind = "public", **given: Any) -> Task:
    return case(kind, **({"characters": (ADA.id, BO.id, CY.id)} | given)).task


def history(*instants: Instant, of: Task | None = None, **settings: Any) -> list[Event]:
    town = Town(
        map=MAP, inhabitants=(ADA, BO, CY), task=of or task(), settings=Settings(**settings)
    )
    minds = tuple(MindSpec(name=name, kind="rehearsal") for name in "abc")
    events: list[Event] = [
        EpisodeStarted(
            run="", task="t", catalog="c", environment="sandbox", setup=town, minds=minds
        )
    ]
    for turn, (at, facts) in enumerate(instants, start=1):
        events.append(WorldChanged(change=Happened(at=at, facts=tuple(facts))))
        question = WhatToDo(at=at, why="done")
        events.append(TurnOpened(turn=turn, asked=(Asked(seat=0, question=question),)))
    return events


def frozen(
    *instants: Instant,
    of: Task | None = None,
    decided: dict[int, Sequence[Decided]] | None = None,
    **settings: Any,
) -> Frozen:
    lived = PlayedTown(
        "epi", history(*instants, of=of, **settings), lambda s: (decided or {}).get(s, ())
    )
    return freeze([lived])


def opened(*seats: int, talk: int = 0) -> TalkOpened:
    return TalkOpened(talk=talk, seats=seats)  # type: ignore[arg-type]


def began(seat: int, text: str, until: int = 600) -> ActionStarted:
    return ActionStarted(seat=seat, text=text, address="Elm:Mill", until=until)


def test_a_talk_of_the_performer_is_a_case_whoever_began_it() -> None:
    found = frozen((500, [opened(0, 2)]), (520, [opened(1, 0)]), (530, [opened(1, 2)]))
    assert [one.target.inhabitant for one in found.cases] == [CY, BO]
    assert [one.performer.inhabitant for one in found.cases] == [ADA, ADA]
    assert [one.source for one in found.cases] == ["epi#1", "epi#3"]
    assert found.cases[0].at == "2023-02-13 08:20:00"
    assert found.cases[0].places == ("Mill", "Park")
    assert found.cases[0].id == "public_1.cy-dunn.1"


def test_no_case_begins_on_the_second_day_whenever_the_first_began() -> None:
    talks = [(DAY - 1, [opened(0, 1)]), (DAY, [opened(0, 2)])]
    assert [one.at for one in frozen(*talks).cases] == ["2023-02-13 23:59:00"]
    noon = frozen(*talks, start="2023-02-13 12:00:00")
    assert not noon.cases
    assert [task.id for task in noon.empty] == ["public_1"]


def test_a_pair_has_two_cases_of_a_task_over_all_its_towns() -> None:
    talks = [(100 * n, [opened(0, 1)]) for n in range(1, 4)]
    town = PlayedTown("one", history(*talks[:1]), lambda _: ())
    again = PlayedTown("two", history(*talks, (900, [opened(0, 2)])), lambda _: ())
    found = freeze([town, again])
    assert [one.id for one in found.cases] == [
        "public_1.bo-crane.1", "public_1.bo-crane.2", "public_1.cy-dunn.1",
    ]  # fmt: skip
    assert [one.source for one in found.cases] == ["one#1", "two#1", "two#7"]
    assert found.tasks[0].towns == 2


def test_two_whose_names_differ_by_case_alone_have_ids_of_their_own() -> None:
    lived = PlayedTown("epi", history((500, [opened(0, 1)]), (520, [opened(0, 2)])), lambda _: ())
    started = lived.history[0]
    assert isinstance(started, EpisodeStarted)
    people = (ADA, replace(BO, id="Cy Dunn"), replace(CY, id="cy dunn"))
    setup = replace(started.setup, inhabitants=people)
    found = freeze([lived._replace(history=[replace(started, setup=setup), *lived.history[1:]])])
    assert [case.id for case in found.cases] == ["public_1.cy-dunn.1", "public_1.cy-dunn-2.1"]


def test_an_appointment_is_made_with_its_target_alone() -> None:
    of = task("appointment", targets=(CY.id,))
    found = frozen((500, [opened(0, 1)]), (510, [opened(0, 2)]), of=of)
    assert [one.target.inhabitant for one in found.cases] == [CY]


def test_the_stream_tells_what_they_did_and_saw_up_to_then() -> None:
    saw = Noticed(seat=0, seen=(Seen(seat=1, text="sweeping", address="Elm:Mill"),))
    saw_cy = Noticed(seat=0, seen=(Seen(seat=2, text="singing", address="Elm:Mill"),))
    talked = TalkClosed(talk=0, seats=(1, 0), about="the weather", until=310)
    found = frozen(
        (300, [talked]),
        (480, [began(0, "reading"), began(1, "sweeping")]),
        (490, [saw, saw_cy]),
        (500, [opened(0, 1), began(1, "fleeing")]),
        (700, [began(0, "dancing"), Noticed(seat=1, seen=saw_cy.seen)]),
    )
    (one,) = found.cases
    assert (one.performer.doing, one.target.doing) == ("reading", "sweeping")
    assert one.performer.address == "Elm:Mill"
    assert one.performer.schedule == ("until 10:00 reading",)
    assert one.performer.memories == (
        "At 08:10 I saw Bo Crane, who was sweeping.",
        "At 05:00 I talked with Bo Crane about the weather.",
        "At 08:10 I saw Cy Dunn, who was singing.",
        "At 08:00 I began: reading.",
    )
    assert "fleeing" not in str(one)
    assert "dancing" not in str(one)


def memory(id_: int, text: str, at: float = 0.0, **given: Any) -> MemoryAdded:
    return MemoryAdded(id=id_, kind="thought", text=text, at=at, **given)


def decided(turn: int, *thoughts: Any) -> Decided:
    return Decided(turn=turn, thoughts=thoughts, action=CarryOn(), at=0.0)


PLAN = DayPlanned(
    day=0,
    schedule=(
        Block(start=0, minutes=420, text="sleeping"),
        Block(start=420, minutes=90, text="having breakfast", address="Elm:Mill"),
        Block(start=510, minutes=930, text="milling"),
    ),
)


def test_thoughts_tell_what_came_to_mind_and_the_rest_of_the_day() -> None:
    thoughts = [
        decided(1, PLAN, memory(0, "It rains."), memory(1, "Bo owes me a hat.", importance=3)),
        decided(1, memory(2, "The mill burnt down.", importance=10)),
        decided(2, MemoriesRetrieved(ids=(0,), at=500 * 60)),
        decided(3, memory(3, "Bo said no."), StatusRevised(currently="Sad.")),
    ]
    found = frozen(
        (400, []), (499, []), (500, [began(0, "milling"), opened(0, 1)]), decided={0: thoughts}
    )
    (one,) = found.cases
    assert one.performer.memories == ("It rains.", "The mill burnt down.", "Bo owes me a hat.")
    assert one.performer.schedule == (
        "07:00 to 08:30 having breakfast (Elm:Mill)",
        "08:30 to 00:00 milling",
    )
    assert one.performer.inhabitant.currently == ADA.currently
    assert one.target.memories == ()


def test_what_is_about_the_partner_comes_to_mind_before_what_matters() -> None:
    thoughts = [
        decided(1, memory(0, "I like tea.", importance=6), memory(1, "Owes me.", subject=BO.id)),
        decided(
            1, memory(2, "Gone.", expires=60.0, importance=10), StatusRevised(currently="New.")
        ),
    ]
    (one,) = frozen((499, []), (500, [opened(0, 1)]), decided={0: thoughts}).cases
    assert one.performer.memories == ("Owes me.", "I like tea.")
    assert one.performer.inhabitant.currently == "New."


def test_a_file_of_cases_is_read_as_it_was_written_and_the_same_every_time() -> None:
    found = frozen((500, [opened(0, 2)]), (520, [opened(1, 0)]))
    text = written(found, "run")
    assert text == written(frozen((500, [opened(0, 2)]), (520, [opened(1, 0)])), "run")
    assert parse_cases(text.split("\n"), "cases.jsonl") == found


@pytest.mark.parametrize(
    ("change", "line", "why"),
    [
        (lambda lines: [], 1, "empty"),
        (lambda lines: lines[1:], 1, "no file of cases"),
        (
            lambda lines: [lines[0].replace('"version":1', '"version":9'), *lines[1:]],
            1,
            "version 9",
        ),
        (lambda lines: [*lines[:2], "{"], 3, "no JSON: line 1, column 2"),
        (lambda lines: [*lines[:2], lines[1]], 3, "stands in line 2 already"),
        (lambda lines: [lines[0].replace("public_1", "other"), lines[1]], 2, "no task 'public_1'"),
        (lambda lines: [lines[0], lines[1].replace('"public"', '"secret"')], 2, "Invalid enum"),
        (lambda lines: [lines[0], lines[1].replace("02-13 08", "02-33 08")], 2, "no date and time"),
        (lambda lines: [lines[0], lines[1].replace("Cy Dunn", "Ada Bell")], 2, "two people"),
        (lambda lines: [lines[0], '{"x":' + "[" * 100_000], 2, "nested too deeply"),
        (lambda lines: ['{"x":' + "[" * 100_000], 1, "no file of cases"),
        (lambda lines: [lines[0], lines[1].replace("{", '{"id":"x",', 1)], 2, "'id' twice"),
        (lambda lines: [lines[0], lines[1].replace("Cy Dunn", "Cy@Dunn")], 2, "holds an @"),
    ],
)
def test_a_file_that_is_none_is_refused_with_the_line(change: Any, line: int, why: str) -> None:
    lines = written(frozen((500, [opened(0, 2)])), "run").splitlines()
    with pytest.raises(BadCases, match=why) as error:
        parse_cases(change(lines), "cases.jsonl")
    assert error.value.line == line
