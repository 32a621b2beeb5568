"""A tree as SVG: a row for each node, endings by outcome, edges as wide as the walks they took.

An outcome is a shape as well as a colour, a polarity a sign. The same tree and walks give the same
text, to the byte.
"""

from collections import Counter, defaultdict
from typing import Final, NamedTuple

from markupsafe import Markup

from actors.worldtree.trees.plot import outcome_of
from actors.worldtree.trees.tree import Entrance, Line, Node, Tree
from evaluators.report.charts.svg_text import cut, svg_text, wide
from evaluators.worldtree.report.edge_counts import Flow
from evaluators.worldtree.report.tree_layout import Layout, Link, layout_of
from evaluators.worldtree.report.tree_style import SHAPES, STYLE, WORDS
from events.untrusted.safe_text import one_line, shortened

PAGE_WIDTH: Final = 400
"""Of a tree in a page: legible where it is shrunk to a phone's 330 px."""
FILE_WIDTH: Final = 900
"""Of a tree in a file of its own."""
_SIZE, _SMALL = 13, 11
"""Of letters."""
_ROW, _SECOND_LINE = 26, 14
_LEAST_STEP = 11.0
"""Between columns."""
_LEAST_ROOM = 160
"""For words beside the deepest node."""
_EDGE = 12
"""How wide the edges of all walks are."""
_LONGEST_TIP = 240
"""Characters that are shown of a text when it is pointed at."""

_SIGNS: Final = {1: ("+", "positive"), 0: ("0", "neutral"), -1: ("−", "negative")}


class TreeMarks(NamedTuple):
    """What is drawn beside the tree itself."""

    ability: bool = False
    """The abilities of each edge, below its line."""
    polarity: bool = False
    """Whether each edge is positive, neutral or negative behaviour."""

    @property
    def below(self) -> bool:
        """Whether there is a second line."""
        return self.ability or self.polarity


PLAIN: Final = TreeMarks()


def drawn(
    tree: Tree,
    flow: Flow | None = None,
    *,
    shown: TreeMarks = PLAIN,
    name: str = "tree",
    alone: bool = False,
    width: int = 0,
) -> Markup:
    """The tree as an SVG element. ``flow``: walks whose ways are shown. ``name`` begins the ids in
    it, for several share a page. ``alone``: it is a file of its own, with its style, a heading and
    a legend; else it needs ``STYLE`` in its page. ``width``: in pixels; 0: ``FILE_WIDTH`` or
    ``PAGE_WIDTH``. A very deep tree is wider. Raises as ``layout_of``."""
    layout = layout_of(tree)
    width = width or (FILE_WIDTH if alone else PAGE_WIDTH)
    width = max(width, round(_LEAST_STEP * layout.columns) + _LEAST_ROOM)
    height = _ROW + _SECOND_LINE * shown.below
    picture = _Picture(tree, flow, layout, shown, width, height)
    head, top = _heading(tree, flow, width) if alone else ("", 6)
    total = top + height * len(tree.nodes) + 8
    links = "".join(map(picture.link, layout.others)) + picture.trunk()
    nodes = "".join(picture.node(node) for node in tree.nodes)
    opening = (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="wt{" alone" * alone}" '
        f'viewBox="0 0 {width} {total}" role="img" aria-labelledby="{name}-title {name}-desc"'
        + (f' width="{width}" height="{total}"' if alone else "")
        + f'><title id="{name}-title">{svg_text(title_of(tree))}</title>'
        f'<desc id="{name}-desc">{svg_text(described(tree, flow))}</desc>'
    )
    style = f'<style>{STYLE}</style><rect width="100%" height="100%" class="back"/>' * alone
    body = f'<g transform="translate(0 {top})" lang="{tree.language}">{links}{nodes}</g></svg>'
    # Whatever a tree says goes through ``svg_text``, which escapes it.
    return Markup(f"{opening}{style}{head}{body}")  # noqa: S704


def title_of(tree: Tree) -> str:
    """What lists call a tree."""
    return tree.title or tree.id


def mark_of(node: Node) -> str:
    """One of ``SHAPES``: what a walk comes to that ends there; empty: it goes on."""
    if node.edges:
        return ""
    return outcome_of(node) if node.kind == "ending" else "dead"


def described(tree: Tree, flow: Flow | None = None) -> str:
    """A tree in a sentence."""
    endings = Counter(mark_of(node) for node in tree.nodes if not node.edges)
    parts = [f"{endings[kind]} {WORDS[kind]}" for kind in WORDS if endings[kind]]
    text = (
        f"{len(tree.nodes)} nodes, {sum(len(node.edges) for node in tree.nodes)} edges, "
        f"{endings.total()} ends: {', '.join(parts)}"
    )
    if flow is None:
        return text + "."
    ended = Counter[str]()
    for node in tree.nodes:
        ended[mark_of(node) or "stopped on the way"] += flow.last[node.id]
    words = {**WORDS, "stopped on the way": "stopped on the way"}
    went = ", ".join(f"{ended[kind]} {words[kind]}" for kind in words if ended[kind])
    return f"{text}. {flow.walks} walks: {went or 'none began'}."


class _Picture:
    """One tree, row by row."""

    def __init__(
        self,
        tree: Tree,
        flow: Flow | None,
        layout: Layout,
        shown: TreeMarks,
        width: int,
        row: int,
    ) -> None:
        self.tree, self.flow, self.layout, self.shown = tree, flow, layout, shown
        self.width, self.row = width, row
        # A deep tree's columns are narrow, so that there is room for words.
        self.step = max(_LEAST_STEP, min(30.0, width * 0.5 / layout.columns))
        self.into = {link.to: link for link in layout.trunk}

    def at(self, node: int) -> tuple[float, float]:
        """Where a node's mark is."""
        place = self.layout.places[node]
        return 14 + place.column * self.step, (place.row + 0.5) * self.row

    def _width(self, link: Link) -> float:
        if self.flow is None:
            return 1.5
        share = self.flow.through[link.start, link.to] / max(1, self.flow.walks)
        # Never wider than the columns are apart: neighbours would run into each other.
        return share and max(1.0, share * min(_EDGE, self.step * 0.8))

    def trunk(self) -> str:
        """Each node's edge from its parent. Those that leave a node on the same side run beside
        each other, the one that goes farthest on the left."""
        sides = defaultdict[tuple[int, bool], list[Link]](list)
        for link in self.layout.trunk:
            places = self.layout.places
            sides[link.start, places[link.to].row > places[link.start].row].append(link)
        drawn = []
        for (start, _), links in sorted(sides.items()):
            links.sort(key=lambda link: -abs(self.at(link.to)[1] - self.at(start)[1]))
            widths = [self._width(link) for link in links]
            offset = -sum(widths) / 2 if self.flow is not None else 0.0
            for link, width in zip(links, widths, strict=True):
                drawn.append(self._elbow(link, width, offset + width / 2 * (offset != 0)))
                offset += width * (offset != 0)
        return "".join(drawn)

    def _elbow(self, link: Link, width: float, offset: float) -> str:
        (x, y), (to_x, to_y) = self.at(link.start), self.at(link.to)
        x += offset
        bend = 6 if to_y > y else -6
        path = f"M{x:.1f} {y:.1f}V{to_y - bend:.1f}q0 {bend} 6 {bend}H{to_x:.1f}"
        return self._stroke(path, width)

    def link(self, link: Link) -> str:
        """A further way to a node: a curve behind everything else."""
        (x, y), (to_x, to_y) = self.at(link.start), self.at(link.to)
        path = f"M{x:.1f} {y:.1f}C{to_x:.1f} {y:.1f} {x:.1f} {to_y:.1f} {to_x:.1f} {to_y:.1f}"
        return self._stroke(path, self._width(link))

    def _stroke(self, path: str, width: float) -> str:
        if self.flow is None:
            return f'<path d="{path}" class="edge" stroke-width="{width}"/>'
        if not width:
            return f'<path d="{path}" class="never"/>'
        return f'<path d="{path}" class="flow" stroke-width="{width:.2f}"/>'

    def node(self, node: Node) -> str:
        """A node's mark and what is written beside it."""
        x, y = self.at(node.id)
        count = self._count(node)
        left = x + 13
        room = self.width - 6 - left - (wide(count, _SMALL) + 8 if count else 0)
        id_ = str(node.id)
        words = cut(self._words(node), room - wide(id_, _SIZE) * 1.1 - 7, _SIZE)
        lines = [
            f'<text x="{left:.1f}" y="{y + 4.5:.1f}" class="halo"><tspan class="id">{id_}</tspan>'
            f'<tspan dx="6">{svg_text(words)}</tspan></text>'
        ]
        if self.shown.below and (below := self._below(node)):
            below = cut(below, self.width - 6 - left, _SMALL)
            lines.append(
                f'<text x="{left:.1f}" y="{y + 18:.1f}" class="small halo" lang="en">'
                f"{svg_text(below)}</text>"
            )
        if count:
            lines.append(
                f'<text x="{self.width - 6}" y="{y + 4:.1f}" class="small halo" '
                f'text-anchor="end">{count}</text>'
            )
        mark = f'<g transform="translate({x:.1f} {y:.1f})">{SHAPES[mark_of(node)]}</g>'
        return f"<g><title>{svg_text(self._tip(node))}</title>{mark}{''.join(lines)}</g>"

    def _words(self, node: Node) -> str:
        """The first words: of the line that leads here, of the root what is told first."""
        if (link := self.into.get(node.id)) is not None:
            return one_line(link.edges[0].line.text)
        return one_line(_told(node) or (self.tree.scenario if node.id == 0 else ""))

    def _below(self, node: Node) -> str:
        if (link := self.into.get(node.id)) is None:
            return ""
        edge = link.edges[0]
        parts = []
        if self.shown.polarity:
            sign, word = _SIGNS.get(edge.state.polarity if edge.state else 2, ("?", "no polarity"))
            parts.append(f"{sign} {word}")
        if self.shown.ability:
            none = "not asked" if edge.kind == "situation" else "no ability"
            parts.append(", ".join(edge.abilities) or none)
        return " · ".join(parts)

    def _count(self, node: Node) -> str:
        """How many walks came here."""
        if self.flow is None:
            return ""
        came, stopped = self.flow.at[node.id], self.flow.last[node.id]
        return f"{came}, {stopped} stopped" if stopped and node.edges else str(came)

    def _tip(self, node: Node) -> str:
        """What is told when the node is pointed at."""
        link = self.into.get(node.id)
        said = [shortened(edge.line.text, _LONGEST_TIP) for edge in link.edges] if link else []
        outcome = WORDS.get(mark_of(node), "")
        parts = [f"Node {node.id}" + f": {outcome}" * bool(outcome), *said]
        if told := _told(node):
            parts.append(f"→ {shortened(told, _LONGEST_TIP)}")
        if self.flow is not None:
            parts.append(f"{self.flow.at[node.id]} of {self.flow.walks} walks")
        return "\n".join(parts)


def _told(node: Node) -> str:
    """The first thing said or told in a scene."""
    for beat in node.dialogue:
        match beat:
            case Line(text=text):
                return text
            case Entrance():
                continue
    return ""


def _heading(tree: Tree, flow: Flow | None, width: int) -> tuple[str, int]:
    """A file's own heading and legend, and their height."""
    about = f"{tree.orientation} · {tree.language} · {described(tree, flow)}"
    goal = f"{tree.protagonist.name}: {tree.protagonist.goal}"
    lines = [(title_of(tree), _SIZE, "id"), (about, _SMALL, "small"), (goal, _SMALL, "small")]
    text = "".join(
        f'<text x="10" y="{22 + 18 * place}" class="{kind}">'
        f"{svg_text(cut(one_line(words), width - 20, size))}</text>"
        for place, (words, size, kind) in enumerate(lines)
    )
    there = {mark_of(node) for node in tree.nodes}
    entries = [(SHAPES[kind], words) for kind, words in WORDS.items() if kind in there]
    if flow is not None:
        entries.append(("", f"edges as wide as the share of {flow.walks} walks; dashed: none"))
    marks, x, y = "", 17.0, 84
    for shape, words in entries:
        needed = 28 + wide(words, _SMALL)
        if x > 17 and x + needed > width:
            x, y = 17.0, y + 22
        left = 13 if shape else -7
        marks += (
            f'<g transform="translate({x:.1f} {y})">{shape}'
            f'<text x="{left}" y="4" class="small">{words}</text></g>'
        )
        x += needed
    return text + marks, y + 24
