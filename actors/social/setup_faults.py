"""Whether a social episode can be played as it is to begin."""

from actors.social import markup
from actors.social.modes import MOST_LINES, PROMPT_OF, SCRIPTED
from actors.social.prompt_names import TEMPLATES
from actors.social.setup import EpisodeRules, SeatRelationship, SocialSetup


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
    if fault := mode_fault(rules):
        return fault
    texts = {"context": setup.scenario.context}
    texts |= {f"goal of seat {seat}": goal for seat, goal in enumerate(setup.scenario.goals, 1)}
    texts |= {
        f"story of seats {relationship.seats}": relationship.story
        for relationship in setup.relationships
    }
    for what, text in texts.items():
        try:
            markup.parse(text)
        except markup.BadMarkup as bad:
            return f"the {what} cannot be read, {bad}"
    return _relationships_fault(setup.relationships, seats)


def mode_fault(rules: EpisodeRules) -> str | None:
    """What of some rules does not go with their mode, as half a sentence; None if all does."""
    mode = rules.mode
    if mode == "interactive":
        if rules.prompt in TEMPLATES:
            return None
        return f"there is no prompt {rules.prompt!r} to act by; there are {', '.join(TEMPLATES)}"
    if rules.prompt != PROMPT_OF[mode]:
        return f"mode {mode!r} has the prompt {PROMPT_OF[mode]!r}, not {rules.prompt!r}"
    if mode in SCRIPTED and rules.order == "simultaneous":
        return f'mode {mode!r} writes one turn after the other: the order cannot be "simultaneous"'
    if mode == "script" and rules.order != "round_robin":
        return f'a script says itself who acts: the order cannot be "{rules.order}"'
    if mode == "script" and rules.turn_cap > MOST_LINES:
        return f"a script has at most {MOST_LINES} turns, the turn cap is {rules.turn_cap:,}"
    return None


def _relationships_fault(relationships: tuple[SeatRelationship, ...], seats: int) -> str | None:
    pairs: set[frozenset[int]] = set()
    for relationship in relationships:
        pair = frozenset(relationship.seats)
        if len(pair) != 2 or not all(0 <= seat < seats for seat in pair):
            found = relationship.seats
            return f"a relationship joins two different seats of 0 to {seats - 1}, not {found}"
        if pair in pairs:
            one, other = relationship.seats
            return f"seats {one} and {other} have more than one relationship"
        pairs.add(pair)
    return None
