"""What one thinks stays one's own: whatever a generative mind concludes, and every private text of
an inhabitant, is a marker, and markers are looked for in all that the minds of a town ask."""

import asyncio
import json
import re
from typing import Any

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from actors.models.port import ModelReply, ModelRequest
from actors.sandbox.environment import SANDBOX
from actors.sandbox.map.grid import grid_of
from actors.sandbox.movement.trajectory_reader import trajectory_of
from actors.sandbox.setup import ActionStarted, Happened, Settings, Town
from events.base import replace
from events.episode import TurnOpened, WorldChanged
from tests.support.generative_minds import InProcess, Played
from tests.support.small_town import inhabitant, lives, marker, town

MARKER = re.compile(r"«(\w+)~([^~»]+?)(?:~(\d+))?»")
OPEN = {"do": ("activity", "actions"), "say": ("ends",), "about": ("about",)}
"""What others may come to know, by the answers' fields: what is done, where that is seen; what is
said, and what a talk was about, whoever talked or saw it."""


class Marking(InProcess):
    """A model every text of whose answers is marked with who thinks it; it knows when it is asked,
    by the step of the turn that is open."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.played: Played | None = None
        self.asked: list[tuple[str, int, str]] = []
        """Who was asked, at which step, and all that was sent."""
        self.count = 0

    async def complete(self, request: ModelRequest) -> ModelReply:
        reply = await super().complete(request)
        name = re.search(r"^Name: (.+)$", request.messages[0].content, re.MULTILINE)
        assert name is not None
        assert self.played is not None
        opened = next(e for e in reversed(self.played.history) if isinstance(e, TurnOpened))
        sent = "\n".join(message.content for message in request.messages)
        self.asked.append((name[1], opened.asked[0].question.at, sent))
        answer = json.loads(reply.text)
        for field in ("text", "activity", "about", "note", "memo"):
            self._mark(answer, field, name[1], self._kind(answer, field, sent))
        for field in ("plan", "questions", "items"):
            if field in answer:
                answer[field] = [self._marked("own", name[1]) for _ in answer[field]]
        for hour in answer.get("hours", ()):
            self._mark(hour, "activity", name[1], "do")
        for action in answer.get("actions", ()):
            self._mark(action, "text", name[1], "do")
        for insight in answer.get("insights", ()):
            self._mark(insight, "text", name[1], "own")
        return ModelReply(text=json.dumps(answer), input_tokens=1, output_tokens=1, cost_usd=0.0)

    def _kind(self, answer: dict[str, Any], field: str, sent: str) -> str:
        if field == "about" or "What was it about?" in sent:
            return "about"
        if "in the hour from" in sent:
            return "do"
        return "say" if field == "text" and "ends" in answer else "own"

    def _mark(self, answer: dict[str, Any], field: str, name: str, kind: str) -> None:
        text = answer.get(field)
        # Places to choose from are answered as they are; so is sleep.
        if isinstance(text, str) and text and ":" not in text and "sleep" not in text:
            ends = ". " if text.count(".") > 2 else ""
            kept = text if ends else ""
            answer[field] = f"{self._marked(kind, name)} {kept}".strip()

    def _marked(self, kind: str, name: str) -> str:
        self.count += 1
        return f"«{kind}~{name}~{self.count}»"


class Sight:
    """When who could see whom do what, found out from what was stored of everybody's steps."""

    def __init__(self, played: Played, setup: Town) -> None:
        self.traced, self.grid = trajectory_of(played.history), grid_of(setup.map)
        self.radius = setup.settings.radius
        self.done: list[list[tuple[int, str]]] = [[] for _ in setup.inhabitants]
        """For each seat, when it began what."""
        for event in played.history:
            if isinstance(event, WorldChanged) and isinstance(event.change, Happened):
                for fact in event.change.facts:
                    if isinstance(fact, ActionStarted):
                        self.done[fact.seat].append((event.change.at, fact.text))
        self._first: dict[tuple[int, str], int] = {}

    def first(self, who: int, text: str) -> int:
        """The first step at which somebody did, or saw another do, what has a text in it; one that
        never comes where there is none. What ends in the instant in which another comes into view
        is seen."""
        if (who, text) not in self._first:
            self._first[who, text] = min(
                (
                    step
                    for whom, done in enumerate(self.done)
                    for number, (start, what) in enumerate(done)
                    if text in what
                    for step in range(
                        start,
                        1 + (done[number + 1][0] if number + 1 < len(done) else self.traced.steps),
                    )
                    if who == whom or self._in_view(who, whom, step)
                ),
                default=10**9,
            )
        return self._first[who, text]

    def _in_view(self, who: int, whom: int, step: int) -> bool:
        (x, y), (left, top) = (
            map(int, self.traced.tiles[min(step, self.traced.steps - 1), one])
            for one in (who, whom)
        )
        near = max(abs(x - left), abs(y - top)) <= self.radius
        return near and bool(self.grid.arena[y, x] == self.grid.arena[top, left])

    def place_seen(self, who: int, place: str) -> int:
        """The first step at which somebody could see a place; one that never comes where there is
        none."""
        number = self.grid.places.index(place)
        tiles = (tuple(map(int, tile)) for tile in self.traced.tiles[:, who])
        return next(
            (
                step
                for step, (x, y) in enumerate(tiles)
                if self.grid.seen_from((x, y), self.radius) >> number & 1
            ),
            10**9,
        )


def check(played: Played, model: Marking, setup: Town) -> dict[str, int]:
    """Raises ``AssertionError`` where a mind was shown what it may not know. How much was found of
    what others did and said."""
    sight, names = Sight(played, setup), [one.id for one in setup.inhabitants]
    talkers = [
        (set(talk.people), " ".join(text for _, text in talk.lines)) for talk in sight.traced.talks
    ]
    found = {"do": 0, "say": 0, "about": 0}
    for name, at, sent in model.asked:
        who = names.index(name)
        for kind, owner, number in set(MARKER.findall(sent)):
            if owner == name:
                continue
            whole, whom = f"«{kind}~{owner}~{number}»", names.index(owner)
            where = f"{name} at step {at} was shown {whole}"
            assert kind in OPEN, where
            found[kind] += 1
            if kind == "say":
                said = any({who, whom} == people for people, said in talkers if whole in said)
                assert said or _talks_now(played, who, whom, at), where
            else:
                assert sight.first(who, whole) <= at, where
    if setup.settings.know == "own":
        for who, name in enumerate(names):
            for home in {one.home for one in setup.inhabitants} - set(
                played.backgrounds[who].known
            ):
                first = sight.place_seen(who, home)
                listed = re.compile(rf"^- {re.escape(home)}(?::|$)", re.MULTILINE)
                for asked, at, sent in model.asked:
                    shown = asked == name and listed.search(sent)
                    assert first <= at or not shown, f"{name} at step {at} was shown {home}"
    return found


def _talks_now(played: Played, who: int, whom: int, at: int) -> bool:
    """Whether two are in a talk that has no end yet."""
    return any(
        getattr(asked.question, "to", None) in (who, whom) and asked.seat in (who, whom)
        for event in played.history
        if isinstance(event, TurnOpened)
        for asked in event.asked
        if asked.question.at == at
    )


def lived(setup: Town, seed: int, **fields: Any) -> dict[str, int]:
    """Have a town live, and check all that was asked."""
    model = Marking(seed)
    played = lives(model, setup, **fields)
    model.played = played
    asyncio.run(played.play())
    assert played.over
    assert played.failures == []
    return check(played, model, setup)


@settings(
    max_examples=4,
    deadline=None,
    # A morning is not made shorter by trying others.
    phases=[Phase.explicit, Phase.reuse, Phase.generate],
)
@given(
    seed=st.integers(0, 1_000),
    profile=st.sampled_from(["lean", "published"]),
    agent=st.sampled_from(["ga", "ga+tdp"]),
    start=st.sampled_from(["2023-02-13 07:00:00", "2023-02-13 22:50:00"]),
    know=st.sampled_from(["own", "all"]),
)
def test_no_mind_is_asked_with_what_another_thinks_or_does_out_of_sight(
    seed: int, profile: str, agent: str, start: str, know: str
):
    setup = town(start=start, steps=150, radius=3, know=know)
    lived(setup, seed, profile=profile, agent=agent, reflect_at=60)


def test_what_is_done_in_sight_and_said_to_somebody_is_shown_to_them():
    """Else the test above would hold of minds that are shown nothing."""
    found = lived(town(steps=240), 3, agent="ga+tdp", reflect_at=60)
    assert all(count > 10 for count in found.values())


@pytest.mark.long
@pytest.mark.parametrize("profile", ["lean", "published"])
def test_so_it_is_in_a_village(profile: str):
    catalog = SANDBOX.starter()
    begun = SANDBOX.begin(catalog, catalog.tasks[0].id, Settings(steps=1_000), 1).setup
    task = replace(
        begun.task,
        goal=marker("goal", begun.inhabitants[0].id),
        description=marker("criteria", begun.inhabitants[0].id),
    )
    people = tuple(
        replace(
            one,
            learned=marker("learned", one.id),
            currently=marker("currently", one.id),
            lifestyle=marker("lifestyle", one.id),
            daily=marker("daily", one.id),
        )
        for one in begun.inhabitants
    )
    found = lived(replace(begun, inhabitants=people, task=task), 1, profile=profile, agent="ga+tdp")
    assert all(count > 10 for count in found.values())


def test_every_private_text_of_an_inhabitant_is_a_marker():
    private = {"innate", "learned", "currently", "lifestyle", "daily"}
    for field in private:
        assert MARKER.fullmatch(getattr(inhabitant(0), field))
