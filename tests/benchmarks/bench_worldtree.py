"""World trees walked: in rules alone, and the whole path with everything stored.

python -m tests.benchmarks.bench_worldtree
"""

import json
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from math import inf
from typing import Any

from actors.episodes.port.rules import Ask, End
from actors.social.rehearsal import RehearsalMind
from actors.worldtree import rules
from actors.worldtree.formats.files import read_path
from actors.worldtree.rehearsal import RehearsalMind as TreeMind
from actors.worldtree.setup import NAME, Chose, Settings, Walk
from actors.worldtree.task_setup import walk
from actors.worldtree.trees.tree import ACHIEVED, Edge, Entrance, Line, Node, Profile, Tree
from events.base import replace
from events.episode import ActionTaken, EpisodeStarted, WorldChanged
from events.ids import EPISODE, new_id
from events.minds import MindSpec
from gateway.process.worker_node import WorkerNode
from tests.benchmarks.bench_turns import TURNS, turns_per_second
from tests.benchmarks.episodes import on_worker_node, play_all
from tests.benchmarks.shares import shares_of_cpu
from tests.benchmarks.table import Row
from tests.properties.published import DATA, ROOT

WALKS, AT_ONCE = 600, 300
SECONDS = 1.0
"""For each measurement in rules alone."""
PRESETS = {"paper": Settings(), "script": Settings(shuffles=1, told=False)}
LEAST = {"paper": 0.8, "script": 0.7}
"""Of the throughput of social turns: in a tree as deep as those episodes are long."""
REPLY = """```json
{"explanation": "It is what somebody would say who wants this and has seen that.", "choice": "A"}
```"""
TEXT = """Stay in the part of {name}. Who you are: {me}. The others: {others}. What has happened:
{story}Which line do you say? {options}
Say why, then give the letter, as JSON with the fields explanation and choice."""


def trees() -> list[Tree]:
    """The published ones where they are there, else our own."""
    published = DATA / "socialeval" / "worldtrees"
    own = ROOT / "actors" / "worldtree" / "catalog"
    return read_path(published if published.is_dir() else own).trees


def plain(tree: Tree) -> dict[str, Any]:
    """A tree as what its file says: lists and dictionaries."""

    def profile(one: Profile) -> dict[str, Any]:
        return {"name": one.name, "public": one.public, "private": one.private, "goal": one.goal}

    def beat(one: Line | Entrance) -> dict[str, Any]:
        if isinstance(one, Entrance):
            return {"profile": profile(one.profile)}
        return {"role": one.role, "content": one.text}

    return {
        "profiles": [profile(tree.protagonist), *map(profile, tree.cast)],
        "nodes": [
            {
                "id": node.id,
                "type": node.kind,
                "dialogue": [beat(one) for one in node.dialogue],
                "edges": [{"to": edge.to, "content": beat(edge.line)} for edge in node.edges],
                "goal": -1 if node.goal is None else node.goal,
            }
            for node in tree.nodes
        ],
    }


def published_walk(tree: dict[str, Any]) -> tuple[int, bool]:
    """One walk in the way of the published loop, its model left out: at every node all that led
    there is looked up by id again and put into words, and an answer is evaluated, which is always
    the first option. Transitions, and whether the goal was achieved."""
    path = [0]
    while True:
        me, *rest = (
            {field: one.get(field) for field in ("name", "public", "private", "goal")}
            for one in tree["profiles"]
        )
        others = [{"name": one["name"], "public": one["public"]} for one in rest]
        "Name: {name}\nKnown: {public}\nHidden: {private}\nGoal: {goal}".format(**me)
        story, node = "", None
        for id_ in path:
            for candidate in tree["nodes"]:
                if candidate["id"] == id_:
                    node = candidate
                    break
            for one in node["dialogue"] if node else ():
                if "profile" in one:
                    others.append(one["profile"])
                else:
                    story += f"{one['role']}: {one['content']}\n"
        for candidate in tree["nodes"]:
            if candidate["id"] == path[-1]:
                node = candidate
                break
        if node is None or node["type"] == "ending" or not node["edges"]:
            return len(path) - 1, node is not None and node["goal"] == 2
        lines = [f"{e['content']['role']}: {e['content']['content']}" for e in node["edges"]]
        told = "\n".join(f"{one['name']}: {one['public']}" for one in others)
        TEXT.format(
            name=me["name"],
            me=json.dumps(me, ensure_ascii=False),
            others=json.dumps(told, ensure_ascii=False),
            story=story,
            options="\n".join(f"{chr(65 + place)}: {line}" for place, line in enumerate(lines)),
        )
        answer = eval(REPLY.replace("```json", "").replace("```", "").strip())
        path.append(node["edges"][ord(answer["choice"]) - 65]["to"])


ANSWERS = [ActionTaken(turn=1, seat=0, question=id_, action=Chose(option=0)) for id_ in range(9)]


def walk_in_rules(setup: Walk) -> tuple[int, bool]:
    """One walk by the rules, to each question the first option shown being the answer. Transitions,
    and whether the goal was achieved."""
    world, steps = rules.RULES.initial(setup), 0
    while True:
        match rules.RULES.next_step(world):
            case Ask(asked=asked):
                for one in asked:
                    world = rules.RULES.evolve(world, ANSWERS[one.id])
            case End(summary=summary):
                return steps, summary["outcome"] == "achieved"
            case step:
                world = rules.RULES.evolve(world, WorldChanged(change=step))
                steps += 1


def per_transition(walks: Sequence[Callable[[], tuple[int, bool]]]) -> float:
    """Microseconds for a transition, in the best of many rounds of these walks."""
    steps, best, end = sum(one()[0] for one in walks), inf, time.perf_counter() + SECONDS
    while time.perf_counter() < end:
        began = time.perf_counter()
        for one in walks:
            one()
        best = min(best, time.perf_counter() - began)
    return 1e6 * best / steps


def deep(levels: int) -> Tree:
    """A tree in which walks are as long as a social episode of so many turns."""
    words = "what somebody says to somebody else, in as many words as people take for it."
    nodes = [
        Node(
            id=level,
            kind="choice" if level else "beginning",
            dialogue=tuple(Line(role=who, text=f"{level}: {words}") for who in ("Ana", "Bo")),
            edges=tuple(
                Edge(to=level + 1, line=Line(role="Ana", text=f"{level}.{place}: {words}"))
                for place in range(2)
            ),
        )
        for level in range(levels)
    ]
    nodes.append(Node(id=levels, kind="ending", goal=ACHIEVED))
    profile = Profile(name="Ana", public=words, private=words, goal=words)
    return Tree(
        id="deep",
        language="en",
        orientation="Negotiation",
        protagonist=profile,
        nodes=tuple(nodes),
    )


def in_rules(found: Sequence[Tree]) -> Iterator[Row]:
    """Walks in rules alone, beside the published way."""
    files = [plain(tree) for tree in found]
    published = per_transition([lambda file=file: published_walk(file) for file in files])
    for preset, settings in PRESETS.items():
        setups = [walk(tree, settings) for tree in found]
        own = per_transition([lambda setup=setup: walk_in_rules(setup) for setup in setups])
        goal = settings.shuffles == 1
        yield Row(
            f"walked and scored by rules, {preset}",
            f"{own:.1f} µs a transition",
            f"published loop: {published:.0f} µs",
            "≥ 10 times as fast" if goal else "",
            published >= 10 * own if goal else None,
        )


def started(setups: Sequence[Any]) -> Callable[[str], EpisodeStarted]:
    """Episodes of these setups in turn, each with a seed of its own."""
    minds = (MindSpec(name="steady", kind="rehearsal", temper="steady"),)

    def begin(id_: str) -> EpisodeStarted:
        seed = int.from_bytes(id_.encode()[-6:], "big")
        setup = setups[seed % len(setups)]
        return EpisodeStarted(
            run="",
            task=f"walk.{setup.tree.id}",
            catalog="bench",
            environment=NAME,
            setup=replace(setup, settings=replace(setup.settings, seed=seed)),
            scenario=setup.tree.id,
            characters=(setup.tree.protagonist.name,),
            minds=minds,
        )

    return begin


async def transitions_per_second(bench: WorkerNode, setups: Sequence[Any]) -> tuple[float, float]:
    """Transitions a second, and microseconds of this process's CPU a transition, warmed up."""
    bench.episodes.make_mind = lambda *_: TreeMind("steady")
    await play_all(bench, _ids(20), started(setups), 20)
    head = bench.store.head()
    wall, cpu = time.perf_counter(), time.process_time()
    await play_all(bench, _ids(WALKS), started(setups), AT_ONCE)
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    steps = len(bench.store.read_all(head, tags=["WorldChanged"], limit=100 * WALKS))
    return steps / wall, 1e6 * cpu / steps


async def breakdown(bench: WorkerNode, setups: Sequence[Any]) -> list[Row]:
    """Where the loop's CPU goes."""
    bench.episodes.make_mind = lambda *_: TreeMind("steady")
    with shares_of_cpu("a transition") as table:
        await play_all(bench, _ids(100), started(setups), 100)
    return table


def stored(found: Sequence[Tree]) -> Iterator[Row]:
    """Walks with everything stored, beside turns of social episodes."""
    social, social_cpu = on_worker_node(
        lambda bench: turns_per_second(bench, lambda: RehearsalMind("generous"))
    )
    for words, which in ((f"{TURNS} deep", [deep(TURNS)]), ("trees as they are", found)):
        for preset, settings in PRESETS.items():
            setups = [walk(tree, settings) for tree in which]
            rate, cpu = on_worker_node(
                lambda bench, setups=setups: transitions_per_second(bench, setups)
            )
            least = LEAST[preset] if len(which) == 1 else None
            yield Row(
                f"a transition, stored, {words}, {preset}",
                f"{rate:,.0f}/s, {cpu:.0f} µs CPU",
                f"a social turn: {social:,.0f}/s, {social_cpu:.0f} µs",
                f"≥ {least} of the turns" if least else "",
                rate >= least * social if least else None,
            )
    yield from on_worker_node(lambda bench: breakdown(bench, [walk(deep(TURNS), Settings())]))


def rows() -> Iterable[Row]:
    """The table."""
    found = [tree for tree in trees() if all(e.line.text for n in tree.nodes for e in n.edges)]
    yield from in_rules(found)
    yield from stored(found)


def _ids(number: int) -> list[str]:
    return [new_id(EPISODE) for _ in range(number)]


def main() -> None:
    """Print the table."""
    for row in rows():
        print(row, flush=True)


if __name__ == "__main__":
    main()
