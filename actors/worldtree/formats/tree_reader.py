"""One published tree: from plain values to a ``Tree``."""

from collections.abc import Mapping
from typing import Final, Literal, TypeGuard

from actors.worldtree.formats.fields import FieldReader, Fields, shown
from actors.worldtree.formats.questions import endings_of, question_of
from actors.worldtree.formats.tree_names import LANGUAGES, language_in, language_of_name, tree_id
from actors.worldtree.options.order import MOST_OPTIONS
from actors.worldtree.tasks import told_before
from actors.worldtree.trees.ability_labels import abilities_of, second_piece
from actors.worldtree.trees.defects import Place
from actors.worldtree.trees.orientations import ORIENTATIONS, orientation_of
from actors.worldtree.trees.tree import Beat, Edge, Entrance, Language, Node, Profile, Tree

PROFILES: Final = "predefined_profiles"
PLOT: Final = "interactive_plot"
CHOICES: Final = "choices"
MOST_NODES: Final = 20_000
"""Of a tree. Published ones have 58 at most."""
MOST_TOLD: Final = 5_000_000
"""Lines in the stories that lead up to a tree's nodes, together: they grow with the square of its
depth. Published trees have 4,470 at most."""
OWN: Final = ("id", "title", "language", "pair", "source")
"""Keys beside the published ones that Troupe writes and reads: all texts, all optional."""

_KINDS: Final[Mapping[str, Literal["beginning", "choice", "ending"]]] = {
    "beginning": "beginning",
    "choice": "choice",
    "ending": "ending",
}
_EDGE_KINDS: Final[Mapping[str, Literal["skill", "situation"]]] = {
    "skill choice": "skill",
    "situation choice": "situation",
}
_GOALS: Final = (0, 1, 2)
_SAID: Final = ("role", "content")
_FIELDS: Final = {
    "tree": (PROFILES, "scenario", PLOT, *OWN),
    "profile": (
        *("name", "alias", "identity", "public profile", "private profile", "goal"),
        *("orientation", "behavior", "state"),
    ),
    "node": ("cid", "type", "dialog", CHOICES, "goal achievement", "state"),
    "beat": (*_SAID, "profile"),
    "option": ("cid", "type", "content", "skill", "social state", "confusion"),
    "confusion": ("type", "question", "skill", "content"),
}
"""What is read of each object."""


def is_tree(value: object) -> TypeGuard[Fields]:
    """Whether an object may be one tree."""
    return isinstance(value, dict) and (PLOT in value or PROFILES in value)


def read_tree(
    value: Fields, reader: FieldReader, name: str, language: Language | None = None
) -> Tree | None:
    """The tree that an object is; None where a fatal defect keeps it from being one.

    ``name``: its file's, without the ending; ids and languages are in it. ``language``: what is
    known of it already.
    """
    reader.known(value, _FIELDS["tree"], ())
    profiles = reader.objects(value, PROFILES, ())
    for place, given in profiles:
        reader.known(given, _FIELDS["profile"], place)
    if not profiles:
        why = f"holds no {PROFILES}; its first entry is the protagonist"
        reader.add("not_a_tree", (PROFILES,), why)
    cast = [reader.profile(given, place) for place, given in profiles]
    protagonist = cast[0] if cast else Profile(name="")
    orientation = _orientation(profiles, protagonist, reader)
    given_nodes = reader.objects(value, PLOT, ())
    if len(given_nodes) > MOST_NODES:
        why = f"holds {len(given_nodes):,} nodes; at most {MOST_NODES:,} are read"
        reader.add("too_large", (PLOT,), why)
        return None
    nodes = [
        node for place, given in given_nodes if (node := _node(given, place, reader)) is not None
    ]
    reader.node = None
    _check_nodes(nodes, reader)
    if reader.fatal:
        return None
    own = {key: reader.text(value, key, ()) for key in OWN}
    language = _language(own["language"], name, language, nodes)
    reader.tree = tree_id(own["id"], name, orientation, language)
    tree = Tree(
        id=reader.tree,
        title=own["title"],
        language=language,
        orientation=orientation,
        protagonist=protagonist,
        cast=tuple(cast[1:]),
        scenario=reader.text(value, "scenario", ()),
        nodes=tuple(nodes),
        pair=own["pair"],
        source=own["source"] or reader.file,
    )
    if (told := told_before(tree)) > MOST_TOLD:
        why = f"tells {told:,} lines on the ways to its nodes; at most {MOST_TOLD:,} are kept"
        reader.add("too_large", (PLOT,), why)
        return None
    return tree


def _orientation(
    profiles: list[tuple[Place, Fields]], protagonist: Profile, reader: FieldReader
) -> str:
    found = orientation_of(*protagonist.orientation) if protagonist.orientation else None
    if found is None and profiles:
        place, given = profiles[0]
        pairs = ", ".join(f"[{one.self_interest},{one.altruism}]" for one in ORIENTATIONS)
        why = f"is {shown(given.get('orientation'))}; the protagonist's is one of {pairs}"
        reader.add("unknown_orientation", (*place, "orientation"), why)
    return found.name if found else ""


def _language(own: str, name: str, known: Language | None, nodes: list[Node]) -> Language:
    return LANGUAGES.get(own.lower()) or known or language_of_name(name) or language_in(nodes)


def _node(given: Fields, place: Place, reader: FieldReader) -> Node | None:
    id_ = reader.id(given, place)
    reader.node = id_
    if id_ is None:
        why = f"is {shown(given.get('cid'))}; every node has a whole number of its own"
        reader.add("not_a_tree", (*place, "cid"), why)
        return None
    reader.known(given, _FIELDS["node"], place)
    edges = tuple(
        edge
        for at, one in reader.objects(given, CHOICES, place)
        if (edge := _edge(one, at, reader)) is not None
    )
    kind = _KINDS.get(str(given.get("type")))
    if kind is None:
        wanted = "'beginning', 'choice' or 'ending'"
        reader.other_type((*place, "type"), given.get("type"), wanted)
        kind = "beginning" if id_ == 0 else "choice" if edges else "ending"
    goal = given.get("goal achievement") if kind == "ending" else None
    if goal is not None and (type(goal) is not int or goal not in _GOALS):
        reader.other_type((*place, "goal achievement"), goal, "2, 1 or 0")
        goal = None
    return Node(
        id=id_,
        kind=kind,
        dialogue=dialogue(given, "dialog", place, reader),
        edges=edges,
        goal=goal,
        state=reader.state(given, "state", place) if kind == "ending" else None,
    )


def dialogue(given: Fields, key: str, place: Place, reader: FieldReader) -> tuple[Beat, ...]:
    """What is said, and who enters."""
    beats: list[Beat] = []
    for at, one in reader.objects(given, key, place):
        reader.known(one, _FIELDS["beat"], at)
        profile = one.get("profile")
        if isinstance(profile, dict):
            beats.append(Entrance(profile=reader.profile(profile, (*at, "profile"))))
        elif profile is not None:
            reader.other_type((*at, "profile"), profile, "an object")
        if profile is None or "content" in one:
            beats.append(reader.line(one, at))
    return tuple(beats)


def _edge(given: Fields, place: Place, reader: FieldReader) -> Edge | None:
    to = reader.id(given, place)
    if to is None:
        why = f"is {shown(given.get('cid'))}; an option says the id of the node it leads to"
        reader.add("unknown_target", (*place, "cid"), why)
        return None
    reader.known(given, _FIELDS["option"], place)
    said = given.get("content")
    if isinstance(said, dict):
        reader.known(said, _SAID, (*place, "content"))
    confusion = reader.objects(given, "confusion", place)
    for at, one in confusion:
        reader.known(one, _FIELDS["confusion"], at)
    question = question_of(confusion, reader)
    kind = _EDGE_KINDS.get(str(given.get("type")))
    if kind is None:
        reader.other_type(
            (*place, "type"), given.get("type"), "'skill choice' or 'situation choice'"
        )
        kind = "skill" if question else "situation"
    labels = reader.labels(given, "skill", place)
    second = second_piece(question)
    named = labels or (question.labels if question else ())
    return Edge(
        to=to,
        line=reader.line(given.get("content"), (*place, "content")),
        kind=kind,
        abilities=abilities_of(named, second),
        labels=labels,
        state=reader.state(given, "social state", place),
        question=question,
        other_endings=endings_of(confusion, reader),
    )


def _check_nodes(nodes: list[Node], reader: FieldReader) -> None:
    """Everything fatal about how nodes hang together."""
    places: dict[int, int] = {}
    sound = True
    for number, node in enumerate(nodes):
        if node.id in places:
            sound, reader.node = False, node.id
            first = places[node.id]
            why = f"is {node.id}, as that of {PLOT}[{first}]; every node has an id of its own"
            reader.add("duplicate_id", (PLOT, number, "cid"), why)
        else:
            places[node.id] = number
    reader.node = None
    if 0 not in places:
        sound = False
        why = "has no node with cid 0, which is the root" if nodes else "is missing, or has no node"
        reader.add("no_root", (PLOT,), why)
    for number, node in enumerate(nodes):
        for count, edge in enumerate(node.edges):
            if edge.to not in places:
                sound, reader.node = False, node.id
                why = f"is {edge.to}, and there is no node with this id"
                reader.add("unknown_target", (PLOT, number, CHOICES, count, "cid"), why)
    for number, node in enumerate(nodes):
        if len(node.edges) > MOST_OPTIONS:
            reader.node = node.id
            why = f"has {len(node.edges):,} options; at most {MOST_OPTIONS} have a letter each"
            reader.add("too_large", (PLOT, number, CHOICES), why)
    if sound and (cycle := _cycle({node.id: node for node in nodes})):
        reader.node = cycle[0]
        way = " → ".join(map(str, cycle if len(cycle) <= 12 else (*cycle[:6], "…", *cycle[-5:])))
        why = f"a walk can come back to where it was: {way}"
        reader.add("cycle", (PLOT, places[cycle[0]]), why)
    reader.node = None


def _cycle(nodes: Mapping[int, Node]) -> list[int]:
    """A way from a node to itself, both ends included; empty: there is none."""
    done: set[int] = set()
    for start in nodes:
        if start in done:
            continue
        path = [start]
        on_path = {start}
        open_ = [iter(nodes[start].edges)]
        while open_:
            edge = next(open_[-1], None)
            if edge is None:
                open_.pop()
                done.add(path[-1])
                on_path.discard(path.pop())
            elif edge.to in on_path:
                return [*path[path.index(edge.to) :], edge.to]
            elif edge.to not in done:
                path.append(edge.to)
                on_path.add(edge.to)
                open_.append(iter(nodes[edge.to].edges))
    return []
