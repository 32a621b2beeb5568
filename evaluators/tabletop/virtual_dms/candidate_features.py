"""What linear virtual game masters see of each one who may be meant. No names are looked at, so
what is learned carries from one cast to another."""

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from actors.tabletop.skills import SKILLS
from evaluators.tabletop.calls.samples import SpokenLine
from evaluators.tabletop.virtual_dms.lexicon import skills_named, speakers

Numbers = NDArray[np.float64]

NEAR: Final = 3
"""Own lines that are read for who acts."""
RECENT: Final = 6
"""And for what is meant."""
TIMES: Final = (1.0, 1.0, 1.0, 1.0, 2.0, 3.0)
"""How often those count for what is meant, the oldest first."""
FORMS: Final = 16
"""Numbers of ``Candidates.forms``."""
BLOCKS: Final = 6
"""Stretches of a sample in which words of skills are counted."""
_FEW, _MANY, _ALL = 5, 10, 12
_WISH: Final = re.compile(
    r"\b(?:i(?:['’]m| am|['’]ll| will|['’]d| would)?(?: just| also| gonna| going to)?"
    r" (?:want|try|go|look|take|use|make|cast|attempt|like)|can i|could i|do i|may i|let me)\b",
    re.IGNORECASE,
)


class Scene(NamedTuple):
    """What a virtual game master is shown."""

    lines: Sequence[SpokenLine]
    """The oldest first."""
    cast: Sequence[str]


class Candidates(NamedTuple):
    """Those who spoke in some scenes, and are of the cast: one row each."""

    of: list[tuple[int, str]]
    """The place of the scene, and who."""
    forms: Numbers
    """How they took part, rows by ``FORMS``, from 0 to 1."""
    skills: Numbers
    """How often the words of each skill stand in each stretch, rows by ``BLOCKS`` by skills:
    log(1 + count)."""
    lines: list[str]
    """All lines of which there are words in ``near`` and ``recent``."""
    near: sparse.csr_matrix
    """Rows by lines, sparse: how often a line counts among the words that say who acts."""
    recent: sparse.csr_matrix
    """The same for what is meant."""


def candidates_of(scenes: Sequence[Scene]) -> Candidates:
    """The rows of some scenes, in their order and the casts'."""
    of: list[tuple[int, str]] = []
    forms: list[list[float]] = []
    skills: list[Numbers] = []
    lines: list[str] = []
    near: list[tuple[int, int, float]] = []
    recent: list[tuple[int, int, float]] = []
    for place, scene in enumerate(scenes):
        seen = _Seen(scene)
        told = seen.dm[-1:] if seen.dm and seen.dm[-1] == seen.count - 1 else []
        used = sorted({n for own in (*seen.spoke.values(), told) for n in own[-RECENT:]})
        at = {n: len(lines) + index for index, n in enumerate(used)}
        lines += [seen.texts[n] for n in used]
        for who, own in seen.spoke.items():
            row = len(of)
            of.append((place, who))
            forms.append(seen.form(who, own))
            skills.append(seen.skills(own))
            near += [(row, at[n], 1.0) for n in own[-NEAR:]]
            late = own[-RECENT:]
            recent += [
                (row, at[n], times) for n, times in zip(late, TIMES[-len(late) :], strict=True)
            ]
            recent += [(row, at[n], 1.0) for n in told]
    shape = (len(of), len(lines))
    return Candidates(
        of,
        np.array(forms).reshape(-1, FORMS),
        np.log1p(np.array(skills).reshape(-1, BLOCKS, len(SKILLS))),
        lines,
        _matrix(near, shape),
        _matrix(recent, shape),
    )


def _matrix(cells: Sequence[tuple[int, int, float]], shape: tuple[int, int]) -> sparse.csr_matrix:
    if not cells:
        return sparse.csr_matrix(shape)
    rows, columns, values = zip(*cells, strict=True)
    return sparse.csr_matrix((values, (rows, columns)), shape=shape)


class _Seen:
    """One scene, read once for all candidates."""

    def __init__(self, scene: Scene) -> None:
        self.texts = [line.text for line in scene.lines]
        self.count = len(self.texts)
        who = [speakers(line) for line in scene.lines]
        self.dm = [n for n, whos in enumerate(who) if whos == ["DM"]]
        """Where the game master speaks alone."""
        self.replies = frozenset(self.dm)
        self.players = [n for n, whos in enumerate(who) if whos != ["DM"]]
        spoke: dict[str, list[int]] = {name: [] for name in scene.cast}
        for n, whos in enumerate(who):
            for name in whos:
                if name in spoke:
                    spoke[name].append(n)
        self.spoke = {name: own for name, own in spoke.items() if own}
        """By who spoke, where they did."""
        self.words = [len(text.split()) for text in self.texts]
        self.late = sum(self.words[n] for n in self.players if n >= self.count - _MANY) or 1
        """Words of players near the end."""
        order = sorted(self.spoke, key=lambda name: -self.spoke[name][-1])
        self.rank = {name: n for n, name in enumerate(order)}
        self.told = self.texts[self.dm[-1]].casefold() if self.dm else ""
        wide = len(SKILLS)
        cells = [n * wide + at for n, text in enumerate(self.texts) for at in skills_named(text)]
        counts = np.bincount(np.array(cells, int), minlength=self.count * wide)
        self.counts = counts = counts.reshape(self.count, wide)
        self.shared = (
            counts[[n for n in self.dm if n >= self.count - 2]].sum(0),
            counts[[n for n in self.dm if n >= self.count - 6]].sum(0),
            counts[-8:].sum(0),
        )

    def form(self, who: str, own: Sequence[int]) -> list[float]:
        """How long ago somebody spoke last, how much, in which form, and whether the game master
        turned to them. All from 0 to 1."""
        last, count = own[-1], self.count
        behind = sum(n > last for n in self.players)
        replied = sum(n + 1 in self.replies for n in own if n >= count - _ALL)
        wished = next((n for n in reversed(own) if _WISH.search(self.texts[n])), None)
        first = re.escape(who.split()[0].casefold())
        return [
            float(behind == 0),
            1.0 / (1 + behind),
            1.0 / (count - last),
            len(own) / count,
            sum(n >= count - _MANY for n in own) / _MANY,
            sum(n >= count - _FEW for n in own) / _FEW,
            min(1.0, self.words[last] / 40),
            float("?" in self.texts[last]),
            float(wished in own[-NEAR:]),
            float(re.search(rf"\b{first}\b", self.told) is not None),
            float(self.rank[who] == 1),
            float(self.rank[who] == 2),
            sum(self.words[n] for n in own if n >= count - _MANY) / self.late,
            min(1.0, replied / 6),
            1.0 / (count if wished is None else count - wished),
            float(count - last <= 2),
        ]

    def skills(self, own: Sequence[int]) -> Numbers:
        """Counts in the own last line, last two, last six; in the game master's among the last two
        and six; in the last eight."""
        of = self.counts[own[-RECENT:]]
        return np.stack((of[-1], of[-2:].sum(0), of.sum(0), *self.shared))
