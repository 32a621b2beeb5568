"""Scenarios by the paper's second method: templates that code fills in from the records of a data
set. Pure."""

import math
from typing import Final

from actors.seeded_draws import SeededDraws
from actors.social.catalog_items import InteractionKind, RelationshipKind, Scenario
from actors.social.generation.attributes import TAGS
from actors.social.sources.entries import BARGAINS, FRIENDS, Attributes, Bargain, FriendLists
from actors.text.amounts import many
from events.untrusted.safe_text import shortened

MARKUP_SCALE: Final = 0.5
"""The mean markup: docs/decisions/0057-markups-are-exponential-with-mean-one-half.md."""
AGES: Final = ((18, 80), (18, 80))
NAME: Final = "name"
"""The attribute of a friend that is not told: names are drawn."""
_LONGEST_TITLE: Final = 60


class TooFewNames(ValueError):
    """More friends than there are names for them."""

    def __init__(self, friends: int, names: int) -> None:
        super().__init__(f"{friends} friends need a name each, and there are {names} names")
        self.friends, self.names = friends, names


def markup_of(share: float, scale: float = MARKUP_SCALE) -> float:
    """A markup, exponentially distributed with mean ``scale``, for a share of 0 to below 1 that is
    drawn evenly."""
    return -scale * math.log1p(-share)


def seller_target(price: float, markup: float) -> float:
    """What a seller means to get: the list price without its markup, in cents."""
    return round(price / (1 + markup), 2)


def amount(dollars: float) -> str:
    """``$80.00``."""
    return f"${dollars:.2f}"


def plain(text: str) -> str:
    """Words of a data set on one line, in which nothing is taken for markup."""
    return " ".join(text.replace("<", "‹").replace(">", "›").split())


def bargain_scenario(
    id_: str, bargain: Bargain, seed: int, scale: float = MARKUP_SCALE
) -> Scenario:
    """Two strangers over something that is for sale. The buyer's target is the data set's, the
    seller's the list price without a markup that is drawn."""
    draws = SeededDraws("social-markup", str(seed), bargain.key)
    sells = seller_target(bargain.price, markup_of(draws.share("markup"), scale))
    title = plain(bargain.title)
    told = f" The seller describes it like this: “{plain(bargain.description)}”"
    buyer = (
        f"You are the buyer. Your target price is {amount(bargain.buyer_target)}. If you pay much "
        "more than that there is a penalty for you; the further below it you buy, the larger is "
        "your bonus."
    )
    seller = (
        f"You are the seller. Your target price is {amount(sells)}. If you sell for much less than "
        "that there is a penalty for you; the further above it you sell, the larger is your bonus."
    )
    return Scenario(
        id=id_,
        codename=shortened(title, _LONGEST_TITLE),
        context=f"Somebody offers this for {amount(bargain.price)}, and somebody else would like "
        f"to buy it: {title}.{told if bargain.description.strip() else ''}",
        goals=(buyer, seller) if bargain.buyer_seat == 0 else (seller, buyer),
        relationships=(RelationshipKind.STRANGER,),
        ages=AGES,
        source=BARGAINS,
        kind=InteractionKind.NEGOTIATION,
        tags=(*TAGS, "competitive", "bargain"),
    )


def friends_scenario(id_: str, lists: FriendLists, seed: int, names: list[str]) -> Scenario:
    """Two strangers who have friends in common and do not know which. Each friend gets one of
    ``names``, on both lists the same; only narrator and judge are told which are shared. Raises
    ``TooFewNames``."""
    draws = SeededDraws("social-friends", str(seed), lists.key)
    everybody = list(dict.fromkeys(one for friends in lists.friends for one in friends))
    if len(everybody) > len(names):
        raise TooFewNames(len(everybody), len(names))
    name_of = dict(zip(everybody, draws.order("names", names), strict=False))
    shared = [name_of[one] for one in lists.friends[0] if one in set(lists.friends[1])]
    listed = ", ".join(shared)
    return Scenario(
        id=id_,
        codename="A friend in common",
        context="Two strangers get into conversation at a party. "
        f'<p viewer="environment">They have {many(len(shared), "friend")} in common: '
        f"{listed}.</p>",
        goals=(_friends_goal(lists.friends[0], name_of), _friends_goal(lists.friends[1], name_of)),
        relationships=(RelationshipKind.STRANGER,),
        ages=AGES,
        source=FRIENDS,
        kind=InteractionKind.COLLABORATION,
        tags=(*TAGS, "cooperative", "mutual-friend"),
    )


def _friends_goal(friends: tuple[Attributes, ...], name_of: dict[Attributes, str]) -> str:
    lines = [f"{name_of[one]}: {_told(one)}" for one in friends]
    listed = "\n".join(lines)
    return (
        "Find out which friends you and the other have in common, without simply listing their "
        f"names. <extra_info>These are your friends:\n{listed}\n</extra_info>"
    )


def _told(friend: Attributes) -> str:
    known = [
        f"{plain(what)} {plain(value)}" for what, value in friend if what.strip().casefold() != NAME
    ]
    return "; ".join(known)
