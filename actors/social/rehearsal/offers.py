"""What an offer is worth to a seat, and what the seat would offer itself.

What a seat asks for falls from its start towards its limit as its patience goes, and the temper
says how fast and how far: a linear case of what Faratin, Sierra and Jennings (1998) call
time-dependent tactics.
"""

from actors.social.rehearsal.notes import Notes, openings
from actors.social.rehearsal.parts import Price
from actors.social.rehearsal.tempers import Temper


def progress(notes: Notes, patience: int) -> float:
    """How much of its patience the seat has used, from 0 to 1."""
    return min(1.0, notes.mine / max(1, patience - 1))


def value(amount: float, price: Price) -> float:
    """What an amount is worth: 1 at the start, 0 at the limit, below 0 beyond it."""
    return (amount - price.limit) / (price.start - price.limit)


def demand(notes: Notes, temper: Temper, patience: int, price: Price) -> float:
    """The amount the seat would ask for now, between its start and its limit."""
    pace = 0.4 + 0.75 * temper.concession
    given = min(1.0, progress(notes, patience) * pace)
    raw = price.start + (price.limit - price.start) * given
    stepped = round(raw / price.step) * price.step
    low, high = sorted((price.start, price.limit))
    return min(high, max(low, stepped))


def worth_of_table(notes: Notes) -> float:
    """What the standing offer is worth to the seat, from 0 to 1, where no number decides it."""
    reading = notes.table
    if reading is None:
        return 0.0
    terms = reading.terms or reading.words
    worths = [entry.worth for entry in notes.part.hear if entry.on.met_by(terms)]
    if worths:
        return max(worths)
    # Unknown terms: people who keep offering are usually giving ground.
    return min(0.7, 0.2 + 0.12 * notes.offers_heard + 0.1 * reading.concession)


def acceptable(notes: Notes, temper: Temper, patience: int) -> bool:
    """Whether the seat would take what is on the table now."""
    if notes.table is None or notes.offered_by == notes.seat or notes.seat in notes.agreed:
        return False
    last_chance = notes.mine >= patience - 1
    price = notes.part.price
    if price is not None and notes.table_number is not None:
        offered = value(notes.table_number, price)
        if offered < 0:
            return False
        wanted = value(demand(notes, temper, patience, price), price)
        return offered >= wanted or (last_chance and offered >= 0.3 - 0.35 * temper.concession)
    if price is not None:
        return False
    done = progress(notes, patience)
    most, least = 0.95 - 0.25 * temper.concession, 0.68 - 0.42 * temper.concession
    return worth_of_table(notes) >= most - (most - least) * done


def next_amount(notes: Notes, temper: Temper, patience: int) -> float | None:
    """The number to offer now, or None while there is no reason to move."""
    price = notes.part.price
    if price is None:
        return None
    amount = demand(notes, temper, patience, price)
    if notes.my_amount is None:
        return amount
    towards = (amount - notes.my_amount) * (price.limit - price.start)
    return amount if towards > 0 else None


def written(amount: float, price: Price) -> str:
    """An amount as the seat says it."""
    if price.form == "clock":
        hours, minutes = divmod(round(amount * 60), 60)
        return f"{hours}:{minutes:02d}"
    number = f"{amount:,.2f}" if amount % 1 else f"{amount:,.0f}"
    return price.form.replace("{n}", number)


def next_rung(notes: Notes, temper: Temper, patience: int, said: set[str]) -> int | None:
    """Which of the part's offers to make now: the first unsaid one the temper is ready for."""
    offers = notes.part.offer
    rung = next((n for n, offer in enumerate(offers) if openings(offer)[0] not in said), None)
    if rung is None:
        return None
    ready = progress(notes, patience) >= rung / len(offers) * (1.5 - temper.concession)
    answered = temper.concession > 0.6 or notes.offers_heard >= rung - 1 or notes.mine >= 5
    return rung if ready and answered else None
