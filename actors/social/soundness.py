"""Whether an episode can be played as it is to begin."""

from actors.social import markup
from events.episode import EpisodeStarted, Tie


def start_fault(started: EpisodeStarted) -> str | None:
    """What is wrong with the beginning of an episode, as a sentence; None if nothing is."""
    seats = len(started.cast)
    if seats < 2:
        return f"an episode needs at least two seats, this one has {seats}"
    if len(started.scenario.goals) != seats:
        goals = len(started.scenario.goals)
        return f"scenario {started.scenario.id!r} has {goals} goals for {seats} seats; one each"
    if len(started.minds) != seats:
        return f"{len(started.minds)} minds were given for {seats} seats; one each is needed"
    if started.rules.turn_cap < 1:
        return f"the turn cap must be at least 1, not {started.rules.turn_cap}"
    if started.rules.stale_turns < 0:
        return f"the number of stale turns must be 0 or more, not {started.rules.stale_turns}"
    if not -(2**63) <= started.rules.seed < 2**63:
        return f"the seed must fit in 64 bits, {started.rules.seed} does not"
    texts = {"context": started.scenario.context}
    texts |= {f"goal of seat {seat}": goal for seat, goal in enumerate(started.scenario.goals)}
    texts |= {f"story of seats {tie.seats}": tie.story for tie in started.ties}
    for what, text in texts.items():
        try:
            markup.parse(text)
        except markup.BadMarkup as bad:
            return f"the {what} cannot be read, {bad}"
    return _ties_fault(started.ties, seats)


def _ties_fault(ties: tuple[Tie, ...], seats: int) -> str | None:
    pairs: set[frozenset[int]] = set()
    for tie in ties:
        pair = frozenset(tie.seats)
        if len(pair) != 2 or not all(0 <= seat < seats for seat in pair):
            return f"a tie must join two different seats of 0 to {seats - 1}, not {tie.seats}"
        if pair in pairs:
            return f"seats {tie.seats[0]} and {tie.seats[1]} have more than one tie"
        pairs.add(pair)
    return None
