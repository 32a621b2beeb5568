"""The section ``[social]`` of a plan file."""

from typing import Annotated

import msgspec

from actors.social.prompt_names import PromptName, template_of
from actors.social.setup import EpisodeRules, Plain, TurnOrder


class Section(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How the episodes run and end."""

    order: TurnOrder = "round_robin"
    turn_cap: Annotated[int, msgspec.Meta(ge=1)] = 20
    stale_turns: Annotated[int, msgspec.Meta(ge=0)] = 2
    stories: bool = False
    """Whether the background stories of relationships are told."""
    prompt: PromptName = "act"
    """By which language models are asked to act."""
    plain: Plain = "unreadable"
    """What prose of a model is that holds nothing of the form it was asked for: ``unreadable``, so
    that it is asked again, or ``speech``."""

    def __post_init__(self) -> None:
        if self.plain == "speech" and self.prompt.startswith("act-paper"):
            raise ValueError(
                f'plain = "speech" goes with our own prompts, not with prompt = "{self.prompt}", '
                "which asks as the published set-up does"
            )


def rules_of(section: Section, seed: int) -> EpisodeRules:
    """What a run records of the section; each episode gets a seed of its own."""
    given = msgspec.structs.asdict(section)
    return EpisodeRules(**{**given, "seed": seed, "prompt": template_of(section.prompt)})


def actions_at_most(rules: EpisodeRules, seats: int) -> tuple[int, ...]:
    """How often each seat may act."""
    if rules.order == "simultaneous":
        return (rules.turn_cap,) * seats
    # Taking turns, the first seats act once more where the cap does not divide evenly.
    rounds, rest = divmod(rules.turn_cap, seats)
    return tuple(rounds + (seat < rest) for seat in range(seats))
