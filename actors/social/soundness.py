"""Whether a social episode can be played as it is to begin."""

from actors.social import markup
from actors.social.setup import SocialSetup, Tie


def setup_fault(setup: SocialSetup, seats: int) -> str | None:
    """What is wrong with the beginning of an episode, as a sentence; None if nothing is."""
    if len(setup.cast) < 2:
        return f"a social episode needs at least two seats, this one has {len(setup.cast)}"
    if len(setup.cast) != seats:
        return f"{seats} minds were given for {len(setup.cast)} seats; one each is needed"
    if len(setup.scenario.goals) != seats:
        goals = len(setup.scenario.goals)
        return f"scenario {setup.scenario.id!r} has {goals} goals for {seats} seats; one each"
    rules = setup.rules
    if rules.turn_cap < 1:
        return f"the turn cap must be at least 1, not {rules.turn_cap}"
    if rules.stale_turns < 0:
        return f"the number of stale turns must be 0 or more, not {rules.stale_turns}"
    if not -(2**63) <= rules.seed < 2**63:
        return f"the seed must fit in 64 bits, {rules.seed} does not"
    texts = {"context": setup.scenario.context}
    texts |= {f"goal of seat {seat}": goal for seat, goal in enumerate(setup.scenario.goals)}
    texts |= {f"story of seats {tie.seats}": tie.story for tie in setup.ties}
    for what, text in texts.items():
        try:
            markup.parse(text)
        except markup.BadMarkup as bad:
            return f"the {what} cannot be read, {bad}"
    return _ties_fault(setup.ties, seats)


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
