"""What makes a walk or an inquiry unplayable."""

from collections import Counter
from collections.abc import Iterable

from actors.worldtree.options.order import MOST_OPTIONS, MOST_SHUFFLES
from actors.worldtree.setup import LANGUAGES, Inquiry, Settings, Walk
from actors.worldtree.trees.orientations import BY_NAME
from actors.worldtree.trees.plot import ROOT
from actors.worldtree.trees.tree import Tree
from events.serialization.identity_key import cached_by_identity
from events.untrusted.safe_text import shortened


def setup_fault(setup: Walk | Inquiry, seats: int) -> str | None:
    """Why an episode cannot be played with this setup, as a sentence; None if it can."""
    if seats != 1:
        return f"a world tree has one seat, the protagonist's, not {seats}"
    found = _settings_fault(setup.settings)
    if found is None:
        found = tree_fault(setup.tree) if isinstance(setup, Walk) else _sample_fault(setup)
    return found


@cached_by_identity(maxsize=256)
def tree_fault(tree: Tree) -> str | None:
    """Why a tree cannot be walked, as a sentence; None if it can."""
    name = f"tree {shortened(tree.id)!r}"
    if tree.language not in LANGUAGES:
        return f"{name} is in {shortened(tree.language)!r}; there are {', '.join(LANGUAGES)}"
    if tree.orientation not in BY_NAME:
        known = ", ".join(BY_NAME)
        return f"{name} has the orientation {shortened(tree.orientation)!r}; there are {known}"
    nodes = {node.id: node for node in tree.nodes}
    if len(nodes) < len(tree.nodes):
        (twice, _), *_ = Counter(node.id for node in tree.nodes).most_common(1)
        return f"two nodes of {name} have id {twice}"
    if ROOT not in nodes:
        return f"{name} has no root: a node of id {ROOT}"
    for node in tree.nodes:
        if node.kind == "ending":
            continue  # a walk ends there, whatever options it has
        if len(node.edges) > MOST_OPTIONS:
            return f"node {node.id} of {name} has {len(node.edges)} options; at most {MOST_OPTIONS}"
        for place, edge in enumerate(node.edges, start=1):
            option = f"option {place} of node {node.id} of {name}"
            if edge.to not in nodes:
                return f"{option} leads to {edge.to}, which is no node"
    looping = cycle(tree)
    return f"{name} leads from node {looping} back to it" if looping is not None else None


def cycle(tree: Tree) -> int | None:
    """A node from which a path leads back to it; None: there is none. Targets that are no nodes are
    passed over."""
    targets = {
        node.id: [edge.to for edge in node.edges if node.kind != "ending"] for node in tree.nodes
    }
    done: set[int] = set()
    for start in targets:
        under_way: dict[int, Iterable[int]] = {}
        pending = [start] if start not in done else []
        while pending:
            at = pending[-1]
            following = under_way.setdefault(at, iter(targets[at]))
            ahead = next((to for to in following if to in targets and to not in done), None)
            if ahead is None:
                done.add(pending.pop())
                del under_way[at]
            elif ahead in under_way:
                return ahead
            else:
                pending.append(ahead)
    return None


def _settings_fault(settings: Settings) -> str | None:
    if 1 <= settings.shuffles <= MOST_SHUFFLES and settings.shuffles % 2:
        return None
    often = f"an odd number of times, at most {MOST_SHUFFLES}"
    return f"questions are asked {often}, not {settings.shuffles}"


def _sample_fault(setup: Inquiry) -> str | None:
    sample = setup.sample
    name = f"sample {shortened(sample.id)!r}"
    if sample.language not in LANGUAGES:
        return f"{name} is in {shortened(sample.language)!r}; there are {', '.join(LANGUAGES)}"
    if not sample.question.strip():
        return f"{name} asks nothing"
    if not 1 <= len(sample.distractors) < MOST_OPTIONS:
        most = MOST_OPTIONS - 1
        return f"{name} has {len(sample.distractors)} distractors; there can be 1 to {most}"
    texts = [line.text.strip() for line in (sample.right, *sample.distractors)]
    if texts[0] in texts[1:]:
        return f"a distractor of {name} says what its right line does"
    return None
