"""The same two rehearsal minds meet again and again, and remember it as the memory modules do."""

from collections.abc import Callable, Sequence

from actors.lifelong import prompts
from actors.lifelong.memory.prompt_entries import entry, joined, note_text
from actors.social.catalog.starter import starter_catalog
from actors.social.catalog_items import Scenario, Task
from actors.social.chains.rule_notes import rule_note
from actors.social.render import account
from actors.social.setup import EpisodeRules
from actors.social.sight import view
from events.episode import EpisodeStarted
from events.minds import MindSpec
from tests.actors.social.stage import STARTER, Played, play
from tests.support.social_episodes import cast_episode

CAST = ("june_halloran", "tomasz_wrobel")
TIE = "june-tomasz"
HARD: tuple[Scenario, ...] = tuple(s for s in STARTER.scenarios.values() if s.needs)
TEACHING: tuple[str, ...] = tuple(
    dict.fromkeys(fact.taught_by for scenario in HARD for fact in scenario.needs)
)


Telling = Callable[[Sequence[Played], int], str]
"""What was played, and a seat: what it remembers of it."""


def meeting(
    scenario: str, seed: int = 1, *, chain: str = "", index: int = 0, **rules: object
) -> EpisodeStarted:
    """How they meet once more."""
    minds = tuple(MindSpec(name=f"mind{seat}", kind="rehearsal") for seat in range(2))
    task = Task(id=scenario, scenario=scenario, characters=CAST, relationships=(TIE,))
    settings = EpisodeRules(seed=seed, **rules)
    return cast_episode(starter_catalog(), task, minds, settings, chain=chain, index=index)


def meetings(
    scenarios: Sequence[str], tempers: Sequence[str], seed: int = 1, chain: str = ""
) -> list[Played]:
    """They meet in each of these, without memories."""
    return [
        play(meeting(id_, seed + place, chain=chain, index=place), tempers)
        for place, id_ in enumerate(scenarios)
    ]


def accounts(past: Sequence[Played], seat: int) -> str:
    """All of it, as the memory ``full`` tells it to a seat."""
    return joined(
        entry(place, prompts.retelling(account(view(played.history, seat)), seat))
        for place, played in enumerate(past)
    )


def notes(past: Sequence[Played], seat: int, words: tuple[int, int] = (200, 300)) -> str:
    """The notes that fixed rules write on it, as the memory ``summary`` tells them to a seat."""
    return joined(
        entry(place, note_text(rule_note(view(played.history, seat), *words)))
        for place, played in enumerate(past)
    )


def remembering(
    scenarios: Sequence[str], tempers: Sequence[str], tell: Telling = notes, seed: int = 1
) -> list[Played]:
    """They meet in each of these and remember all that went before."""
    lived: list[Played] = []
    for place, id_ in enumerate(scenarios):
        memories = [tell(lived, seat) for seat in range(2)]
        lived.append(play(meeting(id_, seed + place, index=place), tempers, memories))
    return lived
