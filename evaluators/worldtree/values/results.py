"""What came of walks and samples, as all tables and figures read it: a value each.

Made from lists of episodes (``store.read_model.records.EpisodeRow``), the catalog that they were
planned with and the actions taken; no whole history is read.
"""

from collections.abc import Mapping

from actors.worldtree.catalog_items import Sample
from actors.worldtree.setup import Outcome, Verdict
from actors.worldtree.trees.tree import Tree
from events.base import Value

Who = str
"""A mind's name, or a participant's."""


class Walked(Value, frozen=True, kw_only=True):
    who: Who
    tree: str
    """The tree's id; its language and orientation are the tree's."""
    outcome: Outcome
    path: tuple[int, ...]
    """Ids of the nodes that were visited, the root first."""
    episode: str = ""
    """Empty: it was not played here (a participant's, from a file)."""


class Answered(Value, frozen=True, kw_only=True):
    """One sample, asked once (which may be three shuffles)."""

    who: Who
    sample: str
    """The sample's id; abilities and language are the sample's."""
    verdict: Verdict
    episode: str = ""


class Lettered(Value, frozen=True, kw_only=True):
    """Which letters somebody chose, of options that stood in an order of chance."""

    who: Who
    counts: tuple[int, ...]
    """Of A, B, C and so on, as far as there were options."""


class LeftOut(Value, frozen=True, kw_only=True):
    """Episodes of the runs that no table counts."""

    unfinished: int = 0
    """Planned or still playing."""
    given_up: int = 0
    """No answer came, whatever was tried: that is no finding about a mind. An answer that came and
    could not be read is one, and counts as undecided."""
    forks: int = 0
    """Branches of other episodes."""
    superseded: int = 0
    """Played again: the later one counts."""
    others: int = 0
    """Neither walks nor questions about abilities, or of trees and samples that the catalog does
    not hold."""


class Results(Value, frozen=True, kw_only=True):
    """All that tables are made of."""

    trees: Mapping[str, Tree]
    samples: Mapping[str, Sample]
    walks: tuple[Walked, ...] = ()
    answers: tuple[Answered, ...] = ()
    letters: tuple[Lettered, ...] = ()
    """Without options that stood as they were filed, and answers that could not be read."""
    minds: tuple[Who, ...] = ()
    """Who is a row of the tables, in the plan's order."""
    people: tuple[Who, ...] = ()
    """Participants: rows of their own, averaged."""
    rehearsal: frozenset[Who] = frozenset()
    """Minds that are no language model; every table that shows them says so."""
    local: frozenset[Who] = frozenset()
    """Small models of the machine; the same."""
    votes: tuple[int, ...] = (1,)
    """How often a question was put (``Settings.shuffles``), each number once, ascending: chance is
    a row for each."""
    left_out: LeftOut = LeftOut()

    @property
    def chances(self) -> tuple[tuple[str, int], ...]:
        """What the rows of chance are called, each with its votes a question."""
        if len(self.votes) == 1:
            return (("chance", self.votes[0]),)
        return tuple((f"chance, {one} vote{'s' * (one != 1)}", one) for one in self.votes)
