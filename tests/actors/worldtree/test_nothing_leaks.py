"""What a seat is sent and what a model is shown: what happened on the way, the options, and nothing
else of what a tree says (abilities, outcomes, ids, later lines, what others hide)."""

from collections.abc import Iterator, Sequence
from importlib.resources import files
from itertools import count, cycle
from typing import Any, NamedTuple

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from actors.worldtree.environment import CHOICES as GAME
from actors.worldtree.formats.files import read_path
from actors.worldtree.setup import Choose, Chose, Inquiry, Settings, Stepped, Walk
from actors.worldtree.task_setup import walk
from actors.worldtree.tasks import samples_in
from actors.worldtree.trees.tree import (
    AbilityQuestion,
    Beat,
    Edge,
    Entrance,
    Line,
    Node,
    Profile,
    State,
    Tree,
)
from events.episode import ActionTaken, EpisodeStarted, TurnOpened, WorldChanged
from events.minds import MindSpec
from tests.properties.published import DATA

PUBLISHED = DATA / "socialeval" / "worldtrees"
FIELDS = frozenset(
    {
        *("background", "news", "question", "type", "number", "turn", "chosen", "role", "text"),
        *("episode", "seat", "seed", "language", "prompts", "prompt", "told", "reasks"),
        *("protagonist", "cast", "profile", "name", "alias", "identity", "public", "private"),
        *("goal", "scenario", "before", "options"),
    }
)
"""Of all that a seat is sent. None is that of an ability, a state or an outcome."""
WORDS = frozenset({"choosing", "e1", "zh", "en", "line", "entrance", "worldtree.Choose", ""})
"""Values that are no text of a tree's."""
TEMPLATES = "".join(
    file.read_text(encoding="utf-8")
    for file in files("actors.worldtree.prompts").iterdir()
    if file.is_file()
)
FIRST_ID = 7_000
STATE = State(self_interest=1, altruism=-1, polarity=1)


class Asked(NamedTuple):
    """A question of a play."""

    sent: Any
    """What the seat is sent by then, as plain data."""
    prompt: str
    known: set[str]
    """The texts that may be known by then."""


def played(setup: Walk | Inquiry, choices: Sequence[int]) -> Iterator[Asked]:
    """The questions of a play in which the votes agree."""
    minds = (MindSpec(name="m", kind="remote"),)
    first = EpisodeStarted(
        run="", task="", catalog="", environment="worldtree", setup=setup, minds=minds
    )
    background = GAME.sight.background("e1", first, 0, "")
    writer, eyes = GAME.prompts.writer(background), GAME.sight.reducer(first, 0)
    world, numbers, seen = GAME.rules.initial(setup), count(1), list[Any]()
    path: list[Edge] = []

    def happens(event: Any) -> None:
        nonlocal world
        world = GAME.rules.evolve(world, event)
        seen.extend(eyes.apply(next(numbers), event))

    for turn in count(1):
        while isinstance(step := GAME.rules.next_step(world), Stepped):
            assert isinstance(setup, Walk)
            path.append(node_of(setup, path).edges[step.edge])
            happens(WorldChanged(change=step))
        if not hasattr(step, "asked"):
            return
        happens(TurnOpened(turn=turn, asked=step.asked))
        lines = sorted(line.text for line in step.asked[0].question.options)
        meant = lines[choices[turn % len(choices)] % len(lines)]
        for one in step.asked:
            question = one.question
            prompt = writer.prompt(question, seen, turn)
            sent = {"background": background, "news": seen, "question": question}
            plain = msgspec.to_builtins(sent)
            known = known_by_then(setup, path, question)
            yield Asked(plain, f"{prompt.system}\n{prompt.user}", known)
            option = [line.text for line in question.options].index(meant)
            happens(ActionTaken(turn=turn, seat=0, question=one.id, action=Chose(option=option)))


def node_of(setup: Walk, path: Sequence[Edge]) -> Node:
    at = path[-1].to if path else 0
    return next(node for node in setup.tree.nodes if node.id == at)


def known_by_then(setup: Walk | Inquiry, path: Sequence[Edge], question: Choose) -> set[str]:
    story = setup.tree if isinstance(setup, Walk) else setup.sample
    own = story.protagonist
    known = {story.scenario, own.private, own.goal, question.told}
    beats: list[Beat] = [Entrance(profile=one) for one in (own, *story.cast)]
    if isinstance(setup, Walk):
        for steps in range(len(path) + 1):
            beats += node_of(setup, path[:steps]).dialogue
        lines = [edge.line.text for edge in path] if setup.settings.told else []
        beats += [Line(role=own.name, text=text) for text in lines]
    else:
        beats += setup.sample.before
    for beat in (*beats, *[Line(role=own.name, text=line.text) for line in question.options]):
        match beat:
            case Line(role=role, text=text):
                known |= {role, text}
            case Entrance(profile=one):
                known |= {one.name, one.alias, one.identity, one.public}
    return known


def check(setup: Walk | Inquiry, whole: Tree, choices: Sequence[int]) -> int:
    """How many questions were asked."""
    asked = 0
    all_texts = set(texts_in(msgspec.to_builtins(whole)))
    for sent, prompt, known in played(setup, choices):
        asked += 1
        assert set(texts_in(sent)) <= known | WORDS
        assert set(fields_in(sent)) <= FIELDS
        told = "\n".join((*known, TEMPLATES))
        hidden = [text for text in all_texts - known if len(text) > 6 and text not in told]
        assert [text for text in hidden if text in prompt] == []
    return asked


def texts_in(plain: Any) -> Iterator[str]:
    match plain:
        case str():
            yield plain
        case dict():
            for value in plain.values():
                yield from texts_in(value)
        case list() | tuple():
            for value in plain:
                yield from texts_in(value)


def fields_in(plain: Any) -> Iterator[str]:
    match plain:
        case dict():
            for name, value in plain.items():
                yield name
                yield from fields_in(value)
        case list() | tuple():
            for value in plain:
                yield from fields_in(value)


def profile(word: str) -> Profile:
    return Profile(
        name=f"name {word}",
        public=f"public {word}",
        private=f"private {word}",
        goal=f"goal {word}",
        orientation=(1, -1),
        behavior=1,
        state=STATE,
    )


def grown(shape: Sequence[Sequence[int]], goals: Sequence[int | None]) -> Tree:
    """A tree in which all texts differ; for each node the steps ahead its edges lead. Its last
    nodes are endings."""

    def id_of(place: int) -> int:
        return FIRST_ID + place if place else 0

    def edge(place: int, option: int, to: int) -> Edge:
        word = f"{place}/{option}."
        distractors = tuple(Line(role=f"r{n}", text=f"distractor {word}{n}") for n in range(3))
        asks = AbilityQuestion(
            pieces=(f"#question# pieces {word}",),
            text=f"question {word}",
            labels=(f"label {word}",),
            distractors=distractors,
        )
        return Edge(
            to=id_of(to), line=Line(role=f"role {word}", text=f"says {word}"), state=STATE,
            question=asks,
            abilities=("Persuasive Skill",), labels=(f"own label {word}",),
        )  # fmt: skip

    def node(place: int) -> Node:
        ahead = dict.fromkeys(place + step for step in [*shape, ()][place])
        edges = enumerate(dict.fromkeys(min(to, len(shape)) for to in ahead))
        return Node(
            id=id_of(place),
            kind="choice" if ahead else "ending",
            dialogue=(
                Line(text=f"told at {place}."),
                Entrance(profile=profile(f"of {place}.")),
                Line(role=f"role {place}.", text=f"said at {place}."),
            ),
            edges=tuple(edge(place, option, to) for option, to in edges),
            goal=goals[place % len(goals)],
            state=STATE,
        )

    return Tree(
        id="tree-id", title="the title", language="en", orientation="Competition",
        protagonist=profile("own"), cast=(profile("cast"),), scenario="the scenario",
        nodes=tuple(map(node, range(len(shape) + 1))), pair="the pair", source="the source",
    )  # fmt: skip


TREES = st.builds(
    grown,
    st.lists(st.lists(st.integers(1, 4), min_size=1, max_size=4), min_size=1, max_size=7),
    st.lists(st.sampled_from([0, 1, 2, None]), min_size=1, max_size=5),
)
SETTINGS = st.builds(
    Settings,
    shuffles=st.sampled_from([1, 3]),
    prompts=st.sampled_from(["own", "zh", "en"]),
    told=st.booleans(),
    seed=st.integers(0, 2**32),
)
CHOICES = st.lists(st.integers(0, 9), min_size=1, max_size=8)


@given(TREES, SETTINGS, CHOICES)
def test_no_observation_or_prompt_says_more_than_what_happened(tree, settings, choices):
    assert check(walk(tree, settings), tree, choices)
    for sample in samples_in(tree)[:2]:
        assert check(Inquiry(sample=sample, settings=settings), tree, choices)


@given(TREES, SETTINGS, CHOICES)
def test_no_id_is_sent(tree, settings, choices):
    for sent, _, _ in played(walk(tree, settings), choices):
        sent["background"].pop("seed", None)
        assert str(FIRST_ID)[:2] not in msgspec.json.encode(sent).decode()


@pytest.mark.published
@pytest.mark.skipif(not PUBLISHED.is_dir(), reason=f"the published trees are not in {PUBLISHED}")
def test_no_published_tree_says_more_than_what_happened():
    presets = cycle((Settings(), Settings(shuffles=1, prompts="zh", told=False)))
    for found, settings in zip(read_path(PUBLISHED).trees, presets, strict=False):
        assert check(walk(found, settings), found, (0, 1, 2))
        for sample in samples_in(found)[-2:]:
            assert check(Inquiry(sample=sample), found, (0,))
