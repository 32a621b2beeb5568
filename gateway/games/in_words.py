"""Filters, numbers and conditions of a ruleset in words."""

from typing import Final

from actors.games.ruleset import (
    Effect,
    Number,
    Quantity,
    Requirement,
    Ruleset,
    SeatFilter,
    Transfer,
    Verb,
)

_SIGNS: Final = {"=": "=", "!=": "≠", "<": "<", "<=": "≤", ">=": "≥", ">": ">"}


def seats_in_words(rules: Ruleset, wanted: SeatFilter) -> str:
    """Who a filter leaves: ``the tracker``, ``team poachers, out``."""
    names = {role.id: role.name for role in rules.roles}
    parts = []
    if wanted.roles:
        parts.append(" or ".join(names.get(role, role) for role in wanted.roles))
    if wanted.teams:
        parts.append(f"team {' or '.join(wanted.teams)}")
    if wanted.not_teams:
        parts.append(f"not team {' or '.join(wanted.not_teams)}")
    if wanted.marked:
        parts.append(f"marked {wanted.marked}")
    if wanted.unmarked:
        parts.append(f"not marked {wanted.unmarked}")
    if not parts:
        parts.append("all")
    if wanted.status == "out":
        parts.append("out of the game")
    elif wanted.status == "any":
        parts.append("in the game or out")
    return ", ".join(parts)


def number_in_words(rules: Ruleset, number: Number | None) -> str:
    """A number: ``3``, ``seats of team poachers``, ``round``."""
    if not isinstance(number, Quantity):
        return str(number or 0)
    if number.seats is not None:
        return f"seats ({seats_in_words(rules, number.seats)})"
    if number.own:
        return f"own {number.own}"
    return number.counter or number.value or "round"


def condition_in_words(rules: Ruleset, wanted: Requirement | None) -> str:
    """A condition: ``round < 4``; empty: there is none."""
    if wanted is None:
        return ""
    for word, inner in (("and", wanted.all), ("or", wanted.any)):
        if inner:
            found = [condition_in_words(rules, one) for one in inner]
            bracketed = [
                f"({text})" if one.all or one.any else text
                for one, text in zip(inner, found, strict=True)
            ]
            return f" {word} ".join(bracketed)
    left, right = number_in_words(rules, wanted.left), number_in_words(rules, wanted.right)
    return f"{left} {_SIGNS[wanted.compare]} {right}"


def verb_in_words(rules: Ruleset, verb: Verb) -> str:
    """A verb with what it takes: ``vote (all)``, ``offer price``."""
    text, more = verb.id, []
    if verb.target is not None:
        who = seats_in_words(rules, verb.target)
        text += f" → {who}{' or oneself' if verb.oneself else ''}"
    if verb.numbers:
        more.append(", ".join(number.id for number in verb.numbers))
    if verb.words or verb.among:
        more.append("one of some words")
    if verb.says:
        more.append("words, to one alone too" if verb.direct else "words")
    if verb.costs:
        more.append("costs " + ", ".join(f"{cost} {name}" for name, cost in verb.costs.items()))
    if verb.when is not None:
        more.append(f"if {condition_in_words(rules, verb.when)}")
    return f"{text}: {'; '.join(more)}" if more else text


def effect_in_words(rules: Ruleset, effect: Effect) -> str:
    """An effect: ``chosen is out of the game``."""
    whom = effect.whom
    who = seats_in_words(rules, whom) if isinstance(whom, SeatFilter) else str(whom or "")
    match effect.do:
        case "eliminate":
            shown = f", {effect.shows} shown" if effect.shows != "nothing" else ""
            text = f"out of the game: {who}{shown}{', protected or not' if effect.despite else ''}"
        case "protect":
            text = f"protected: {who}"
        case "reveal":
            to = effect.to
            told = seats_in_words(rules, to) if isinstance(to, SeatFilter) else to
            text = f"{told} learns the {effect.what} of {who}"
        case "mark" | "unmark":
            text = f"{effect.do}ed {effect.name}: {who}"
        case "vote":
            ties = {"nobody": "a tie chooses nobody", "lot": "ties by lot", "all": "all of a tie"}
            needs = [ties[effect.tie]]
            if effect.majority:
                needs.append("more than half needed")
            elif effect.least > 1:
                needs.append(f"{effect.least} votes needed")
            text = f"chosen by {effect.name}: most votes, {', '.join(needs)}"
        case "give" | "accept" if effect.transfers:
            moves = "; ".join(_transfer(rules, one) for one in effect.transfers)
            text = f"the offer is accepted: {moves}" if effect.do == "accept" else moves
        case "offer":
            text = "an offer that stands"
        case "guess":
            text = f"{effect.counter} + 1 if it is {effect.name}"
        case "count":
            by = number_in_words(rules, effect.by)
            text = f"{effect.counter}{f' of {who}' if who else ''} + {by}"
        case _:
            text = {"accept": "the offer is accepted", "refuse": "the offer is refused"}.get(
                effect.do, effect.do
            )
    when = condition_in_words(rules, effect.when)
    return f"{text}, if {when}" if when else text


def _transfer(rules: Ruleset, one: Transfer) -> str:
    amount = one.amount if isinstance(one.amount, str) else number_in_words(rules, one.amount)
    return f"{amount} {one.item} from {one.giver} to {one.taker}"
