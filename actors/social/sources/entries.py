"""What a source of scenarios holds, one entry for each scenario that can be made of it."""

from typing import Final, NamedTuple, TypeAlias

VIGNETTES: Final = "vignettes"
SOCIAL_CHEMISTRY: Final = "social_chemistry"
SOCIAL_IQA: Final = "social_iqa"
NORMBANK: Final = "normbank"
BARGAINS: Final = "craigslist_bargains"
FRIENDS: Final = "mutual_friends"
"""What scenarios are tagged by as their source. All but the first are called as the published
catalog calls them."""


class Vignette(NamedTuple):
    """A few words about something that happens between people, for a model to begin from."""

    id: str
    """In its list; or the line of its file."""
    text: str
    kind: str = ""
    """What happens, in a word."""

    @property
    def key(self) -> str:
        """What tells it from others of its source, wherever it stands."""
        return self.text


class Bargain(NamedTuple):
    """Something that is for sale, and what its buyer means to pay."""

    id: str
    title: str
    description: str
    """Empty: there is none."""
    price: float
    """What is asked for it, in US dollars, above 0."""
    buyer_target: float
    """The same, what its buyer means to pay."""
    buyer_seat: int
    """0 or 1; the other seat sells."""

    @property
    def key(self) -> str:
        """What tells it from others of its source."""
        return f"{self.title}\n{self.description}\n{self.price}\n{self.buyer_target}"


Attributes: TypeAlias = tuple[tuple[str, str], ...]
"""What is known of somebody, without their name: names of attributes and values."""


class FriendLists(NamedTuple):
    """The friends of two people, some of whom they share."""

    id: str
    friends: tuple[tuple[Attributes, ...], tuple[Attributes, ...]]
    """Of each seat, in its order. Whoever has the same attributes on both lists is one person."""

    @property
    def key(self) -> str:
        """What tells them from others of their source."""
        return repr(self.friends)


SourceEntry: TypeAlias = Vignette | Bargain | FriendLists


class Source(NamedTuple):
    """A list or a file that was read whole."""

    name: str
    """One of those above."""
    label: str
    """The list or the file, as events name it: ``social_iqa, dev.jsonl``."""
    entries: tuple[SourceEntry, ...]
    """Each once, in the order of the file."""
