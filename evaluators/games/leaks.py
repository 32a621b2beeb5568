"""What a seat gives away in public of what only it knows."""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final, NamedTuple

from actors.games.deals import places_of
from actors.games.ruleset import Role, Ruleset
from actors.games.setup import Deal
from actors.games.sight import ActSeen, FactSeen, GameView
from actors.games.state import roles_of
from evaluators.games.own_claims import claims_one_of

_ARTICLE: Final = re.compile(r"^(?:a|an|the|one of the)\s+", re.IGNORECASE)


class Hidden(NamedTuple):
    """What a seat does not want known: words that were drawn for it, or what its role is called;
    neither where there is nothing to hide."""

    words: tuple[str, ...] = ()
    role: tuple[str, ...] = ()

    def is_in(self, text: str) -> bool:
        """Whether who hides it gives it away in a text: by one of the words, whatever is meant, or
        by claiming the role (``own_claims``)."""
        if self.words:
            return _word(self.words).search(text) is not None
        return claims_one_of(text, self.role)


NOTHING: Final = Hidden()


def has_winners(rules: Ruleset) -> bool:
    """Whether somebody can win; else a game is about payoffs alone."""
    return bool(rules.rounds_winners) or any(end.winners for end in rules.ends)


def hidden_of(deal: Deal) -> tuple[Hidden, ...]:
    """What each seat hides: the words drawn for its secret, as in word games, or else its role.
    Nothing where nobody can win, all have the same role, or all others are told it."""
    roles = roles_of(deal)
    if len({role.id for role in roles}) < 2 or not has_winners(deal.rules):
        return (NOTHING,) * len(roles)
    return tuple([_hidden(deal, seat, role) for seat, role in enumerate(roles)])


def _hidden(deal: Deal, seat: int, role: Role) -> Hidden:
    if words := _drawn(deal, role):
        return Hidden(words=words)
    return NOTHING if _known(deal, seat) else Hidden(role=_names(role))


def leaks_of(view: GameView) -> tuple[tuple[int, ...], ...]:
    """For each seat the numbers of the acts in which it gives away to all what it hides, before all
    learn what it is."""
    deal = view.setup
    hidden = hidden_of(deal)
    public = {phase.id for phase in deal.rules.phases if phase.visibility == "public"}
    found: list[list[int]] = [[] for _ in hidden]
    shown: set[int] = set()
    for one in view.noticed:
        if isinstance(one, FactSeen):
            fact = one.fact
            if fact.kind in ("revealed", "eliminated") and fact.name == "role" and fact.to is None:
                shown |= set() if fact.seat is None else {fact.seat}
        elif (
            _is_public(one, public)
            and one.seat not in shown
            and hidden[one.seat].is_in(one.act.text)
        ):
            found[one.seat].append(one.number)
    return tuple([tuple(numbers) for numbers in found])


def _is_public(one: ActSeen, public: set[str]) -> bool:
    return bool(one.act.text) and one.act.to is None and one.phase in public and not one.failed


def _drawn(deal: Deal, role: Role) -> tuple[str, ...]:
    values = (deal.values.get(place) for place in places_of(role.secret))
    return tuple(dict.fromkeys(value for value in values if isinstance(value, str)))


def _known(deal: Deal, seat: int) -> bool:
    """Whether all others are told the seat's role before the game."""
    return all(
        card is not None and any(one.seat == seat for one in card.knows)
        for other, card in enumerate(deal.cards)
        if other != seat
    )


def _names(role: Role) -> tuple[str, ...]:
    return tuple(dict.fromkeys((_ARTICLE.sub("", role.name), *_spellings(role.id))))


def _spellings(id_: str) -> Iterator[str]:
    yield id_
    if "-" in id_:
        yield id_.replace("-", " ")


@lru_cache(maxsize=256)
def _word(words: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, words))})(?!\w)", re.IGNORECASE)
