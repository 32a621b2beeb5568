"""A game in words, for terminals, pages, prompts and judges."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Final

from actors.episodes.port.limits import Limits
from actors.episodes.port.planning import Planning
from actors.episodes.port.presentation import Presentation
from actors.episodes.port.sight import Viewer, setup_of
from actors.episodes.port.words import OTHER_ENDINGS, Account, Entry, EpisodeWords, Portrait
from actors.games.conditions import may_be_one_of
from actors.games.effects import TIME
from actors.games.ruleset import PASS
from actors.games.setup import ENDINGS, Deal, GameAct, GameFact
from actors.games.sight import ActSeen, GameView, Notice
from actors.games.state import repeats_of, roles_of, rounds_of
from events.episode import EpisodeStarted


def name_of(deal: Deal, seat: int | None) -> str:
    """Who sits in a seat; the table where it is none."""
    return "the table" if seat is None else deal.players[seat].name


def role_title(deal: Deal, id_: str) -> str:
    """A role's name; a team's is its id."""
    return next((role.name for role in deal.rules.roles if role.id == id_), id_)


def situation(deal: Deal) -> str:
    """What all are told before the first phase."""
    return "\n".join(part for part in (deal.scene, deal.rules.about) if part)


def terms_of(numbers: Mapping[str, int]) -> str:
    """The numbers of an act or an offer."""
    return ", ".join(f"{name} {number}" for name, number in numbers.items())


def act_line(deal: Deal, seen: ActSeen) -> str:
    """An act as a line."""
    act, who = seen.act, deal.players[seen.seat].name
    if act.verb == PASS:
        return f"{who} does nothing"
    to = " to the team" if _heard(deal, seen) == "team" else ""
    if act.to is not None:
        to = f" to {name_of(deal, act.to)} alone"
    if act.text:
        words = f"{who} ({act.verb}){to}" if act.verb != "say" else f"{who} says{to}"
        parts = [f'{words}: "{act.text}"']
    else:
        parts = [f"{who}: {act.verb}"]
    return " ".join([*parts, *_objects(deal, act)])


def _objects(deal: Deal, act: GameAct) -> list[str]:
    """Whom and what an act names, beside words."""
    target = [] if act.target is None else [name_of(deal, act.target)]
    numbers = [terms_of(act.numbers)] if act.numbers else []
    return [*target, *([act.word] if act.word else []), *numbers]


def fact_line(deal: Deal, fact: GameFact) -> str:
    """A fact as a line."""
    who = name_of(deal, fact.seat)
    match fact.kind:
        case "phase":
            phase = next((one for one in deal.rules.phases if one.id == fact.name), None)
            # Those who know everything are told of phases in which nobody could act.
            skipped = phase is not None and bool(phase.verbs) and fact.to == ()
            title = fact.name if phase is None else phase.title
            return f"Round {fact.amount}: {title}" + " (nobody can act)" * skipped
        case "eliminated":
            shown = f"; {who} was {role_title(deal, fact.word)}" if fact.word else ""
            return f"{who} is out of the game{shown}"
        case "saved":
            return f"{who} was protected"
        case "protected":
            return f"{who} is protected"
        case "unprotected":
            return f"{who} is no longer protected"
        case "unmarked":
            return f"{who} is no longer marked: {fact.name}"
        case "offered":
            return f"{who} offers {terms_of(fact.numbers)}"
        case "revealed" if fact.name == "team":
            return f"{who} is on this side: {fact.word}"
        case "revealed":
            return f"{who} is {role_title(deal, fact.word)}"
        case "marked":
            return f"{who} is marked: {fact.name}"
        case "counted":
            owner = f"{who}: " if fact.seat is not None else ""
            return f"{owner}{fact.name} {fact.amount:+d}"
        case "chosen":
            votes = ", ".join(
                f"{name_of(deal, int(seat))} {count}" for seat, count in fact.votes.items()
            )
            chosen = ", ".join(name_of(deal, seat) for seat in fact.seats) or "nobody"
            named = "" if fact.name == "vote" else f" ({fact.name})"
            return f"Votes{named}: {votes or 'none'}; chosen: {chosen}"
        case "gave":
            return f"{who} gives {name_of(deal, fact.other)} {fact.amount} {fact.name}"
        case "closed":
            verb = "accepts" if fact.amount else "refuses"
            return f"{name_of(deal, fact.other)} {verb} the offer of {who}"
        case "guessed":
            return f"{who} names {fact.word!r}, {'rightly' if fact.amount else 'wrongly'}"
        case "ended":
            return _end_line(deal, fact)


def ending_text(deal: Deal, id_: str) -> str:
    """What all are told of an ending."""
    if id_ == TIME:
        return "The rounds are over."
    return next((one.text for one in deal.rules.ends if one.id == id_), "")


def _end_line(deal: Deal, fact: GameFact) -> str:
    text = ending_text(deal, fact.name)
    winners = ", ".join(name_of(deal, seat) for seat in fact.seats)
    return f"{text} Winners: {winners}" if winners else text


def line(deal: Deal, notice: Notice) -> str:
    """A notice as a line of a transcript."""
    if isinstance(notice, ActSeen):
        return act_line(deal, notice)
    return fact_line(deal, notice.fact)


def _heard(deal: Deal, seen: ActSeen) -> str:
    """The visibility of the phase of an act."""
    phases = deal.rules.phases
    return next((one.visibility for one in phases if one.id == seen.phase), "public")


def hearers(deal: Deal, notice: ActSeen, viewer: Viewer) -> tuple[int, ...]:
    """Who alone could notice an act, as far as the viewer knows them; empty: everybody."""
    act, seat = notice.act, notice.seat
    if act.to is not None:
        return (act.to,)
    match _heard(deal, notice):
        case "team" if isinstance(viewer, int):
            known = {viewer, *_teammates(deal, viewer)}
        case "team":
            roles = roles_of(deal)
            known = {one for one, role in enumerate(roles) if role.team == roles[seat].team}
        case "named" if act.target is not None:
            known = {act.target}
        case "public":
            return ()
        case "self" if not isinstance(viewer, int):
            return ()  # Who knows everything is told that the others notice nothing.
        case _:
            known = {seat}
    return tuple(sorted(known - {seat})) or (seat,)


def _teammates(deal: Deal, seat: int) -> set[int]:
    """Those of its team whom a seat was told of before the game."""
    card, teams = deal.cards[seat], {role.id: role.team for role in deal.rules.roles}
    if card is None:
        return set()
    return {one.seat for one in card.knows if teams.get(one.role) == teams.get(card.role)}


def entry(deal: Deal, viewer: Viewer, notice: Notice) -> Entry:
    """A notice in a viewer's account."""
    if not isinstance(notice, ActSeen):
        return Entry(number=notice.number, turn=notice.turn, line=line(deal, notice))
    act = notice.act
    return Entry(
        number=notice.number,
        turn=notice.turn,
        seat=notice.seat,
        who=deal.players[notice.seat].name,
        kind="act",
        text=act.text or " ".join(_objects(deal, act)),
        line=line(deal, notice),
        to=hearers(deal, notice, viewer),
        failed=notice.failed,
        verb="" if act.text else act.verb,
        idle=act.verb == PASS,
    )


def _portrait(deal: Deal, seat: int) -> Portrait:
    player, card = deal.players[seat], deal.cards[seat]
    if card is None:
        return Portrait(seat=seat, name=player.name, brief=(player.about,) if player.about else ())
    known = ", ".join(
        f"{name_of(deal, one.seat)} is {role_title(deal, one.role)}" for one in card.knows
    )
    secret = " ".join(part for part in (card.secret, f"{known}." if known else "") if part)
    title = role_title(deal, card.role)
    return Portrait(
        seat=seat,
        name=player.name,
        facts=(("Role", title),),
        brief=tuple(part for part in (player.about, f"{title}, by the card") if part),
        goal=card.goal,
        secret=secret,
    )


class GameWords(EpisodeWords[GameView, Notice]):
    """A line a notice."""

    def account(self, view: GameView) -> Account:
        """The view in words."""
        deal, ends = view.setup, {**ENDINGS, **OTHER_ENDINGS}
        return Account(
            situation=situation(deal),
            portraits=tuple([_portrait(deal, seat) for seat in range(len(deal.players))]),
            entries=tuple([entry(deal, view.viewer, one) for one in view.noticed]),
            turn=view.turn,
            ended=view.ended,
            ending=ends.get(view.ended, view.ended),
            detail=view.detail,
        )

    def entry_writer(self, started: EpisodeStarted, viewer: Viewer) -> Callable[[Notice], Entry]:
        """Makes the line of a notice."""
        return partial(entry, setup_of(started, Deal), viewer)


class GamePlanning(Planning[GameView, Notice]):
    """Minds that plan remember each notice as a line."""

    def told(self, background: GameView, notice: Notice) -> str:
        """The notice as a line."""
        return line(background.setup, notice)


class GameLimits(Limits[Deal, GameView]):
    """A seat acts at most once in each repeat of each phase of each round."""

    def questions(self, setup: Deal, seats: int) -> tuple[int, ...]:
        """How often each seat may be asked: in phases that are for its role."""
        phases = [phase for phase in setup.rules.phases if phase.verbs]
        return tuple(
            [
                rounds_of(setup)
                * sum(repeats_of(setup, one) for one in phases if may_be_one_of(role, one.who))
                for role in roles_of(setup)
            ]
        )


class GamePresentation(Presentation[Deal]):
    """Whose turn it is can be a secret: at night it would tell who has a role."""

    def labels(self, setup: Deal) -> Mapping[str, str]:
        """Columns of tables."""
        return {"ruleset": setup.rules.id, "players": str(len(setup.players))}

    def tags(self, setup: Deal) -> Sequence[str]:
        """The rules and how many play."""
        return (setup.rules.id, f"{len(setup.players)}-players")


def outcome(reason: str, summary: Mapping[str, str | int | float | bool]) -> str:
    """How a game ended, in a few words: who has won, or what each has got."""
    if sides := str(summary.get("sides", "")):
        named = " and ".join(f"the {side.replace('-', ' ')}" for side in sides.split(", "))
        return f"{named} won"
    payoffs = [value for name, value in summary.items() if name.startswith("payoff ")]
    if reason in ("settled", "exhausted") and any(payoffs):
        return "payoffs " + ", ".join(f"{float(value):g}" for value in payoffs)
    return {"drawn": "nobody won", "exhausted": "the rounds were over, nobody won"}.get(
        reason, reason.replace("_", " ")
    )


WORDS: Final = GameWords()
PLANNING: Final = GamePlanning()
LIMITS: Final = GameLimits()
PRESENTATION: Final = GamePresentation()
