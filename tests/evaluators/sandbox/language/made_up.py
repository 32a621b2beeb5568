"""Cases and talks written down by hand."""

from typing import Any

from actors.sandbox.catalog_items import Case, Goal, Inhabitant, Partner, Task, TaskKind
from actors.sandbox.setup import Recap, Say
from evaluators.sandbox.language.talks import CaseTalk, talk_of
from events.base import Event, replace
from events.episode import ActionFailure, ActionTaken, EpisodeEnded, EpisodeStarted
from events.minds import MindSpec

ADA = Inhabitant(id="Ada Bell", home="Elm:Bell house:kitchen")
BO = Inhabitant(id="Bo Crane", home="Elm:Crane house:bedroom")
PARTY = Goal(
    keyword="garden party",
    other_keywords=("feast",),
    start="2023-02-14 19:00",
    minutes=120,
    place="Hobbs Cafe",
)
OPEN = Goal(keyword="revise the essay", other_keywords=("essay",))
WALK = Goal(keyword="go for a walk", place="Johnson Park")
GAME = Goal(keyword="online game", start="2023-02-14 20:30")
BUY = Goal(keyword="buy medicine", other_keywords=("pills",), place="Willows Pharmacy")
DELIVER = Goal(keyword="deliver medicine", other_keywords=("pills",), place="Bell house")
GOALS: dict[TaskKind, tuple[Goal, ...]] = {
    "public": (PARTY,),
    "appointment": (OPEN,),
    "companions": (WALK,),
    "online": (GAME,),
    "help": (BUY, DELIVER),
}


def case(kind: TaskKind, id_: str = "one", **task: Any) -> Case:
    given = {
        "id": f"{kind}_1",
        "kind": kind,
        "town": "elm",
        "goal": "Do it.",
        "brief": "Ada Bell wants to do it.",
        "description": "It is done.",
        "goals": GOALS[kind],
        "people": 4,
        "performer": ADA.id,
        "characters": (ADA.id, BO.id),
    }
    return Case(
        id=id_,
        task=Task(**given | task),
        at="2023-02-13 09:12:00",
        performer=Partner(inhabitant=ADA, doing="reading", address="Elm:Library:hall"),
        target=Partner(inhabitant=BO, doing="sweeping", address="Elm:Library:hall"),
        places=("Hobbs Cafe", "Johnson Park", "Library"),
    )


def history(of: Case, *said: str, summary: str = "") -> list[Event]:
    """What was said in turn, the performer first; an empty text: the answer failed."""
    minds = (MindSpec(name="a", kind="rehearsal"), MindSpec(name="b", kind="rehearsal"))
    events: list[Event] = [
        EpisodeStarted(
            run="", task="case.one", catalog="cases", environment="sandbox", setup=of, minds=minds
        )
    ]
    for place, text in enumerate(said):
        failure = None if text else ActionFailure(reason="timeout")
        events.append(
            ActionTaken(turn=place + 1, seat=place % 2, action=Say(text=text), failure=failure)
        )
    if summary:
        events.append(ActionTaken(turn=len(said) + 1, seat=1, action=Recap(text=summary)))
    return [*events, EpisodeEnded(reason="told", turn=len(said) + 1)]


def talk(of: Case, *said: str, summary: str = "") -> CaseTalk:
    found = talk_of(history(of, *said, summary=summary))
    assert found is not None
    return found


def with_goal(of: Case, goal: Goal) -> Case:
    return replace(of, task=replace(of.task, goals=(goal,)))  # type: ignore[no-any-return]
