"""What chains need of the social environment."""

from collections.abc import Sequence
from typing import Final

from actors.episodes.catalogs.entries import Beginning, Meeting
from actors.episodes.chain_support import ChainSection, ChainSupport, Meetings
from actors.episodes.port.sight import setup_of
from actors.episodes.port.words import Portrait
from actors.social.catalog.cast_task import cast_task
from actors.social.catalog_items import Catalog, Task
from actors.social.chains import budget
from actors.social.chains.meetings import meetings
from actors.social.chains.rule_notes import rule_note
from actors.social.setup import EpisodeRules, SocialSetup
from actors.social.views import Background, View
from events.episode import EpisodeStarted
from events.memory import Note, NotePart
from events.minds import MindSpec


class SocialChains(ChainSupport[Catalog, EpisodeRules, Background, View]):
    """Characters who know each other meet in one scenario after another."""

    def meetings(self, chains: ChainSection, catalog: Catalog, path: str) -> Sequence[Meetings]:
        """Casts named or drawn, and scenarios that fit them."""
        return meetings(chains, catalog, path)

    def begin(
        self, catalog: Catalog, meeting: Meeting, settings: EpisodeRules, seed: int
    ) -> Beginning:
        """With those who meet again."""
        task = Task(id=meeting.scenario, **meeting._asdict())
        return cast_task(catalog, task, settings, seed)

    def cue(self, background: Background) -> str:
        """The situation, the seat's goal, and the others' names."""
        others = (other.label for other in background.others)
        return " ".join((background.context, background.goal, *others))

    def writer(self, view: View, portrait: Portrait) -> Portrait:
        """Name, occupation, personality and style of deciding."""
        me = view.profiles[portrait.seat]
        told = (
            ("Name", me.name),
            ("Occupation", me.occupation),
            ("Personality and values", me.personality),
            ("How you decide", me.decision_style),
        )
        facts = tuple((what, value) for what, value in told if value)
        return Portrait(seat=me.seat, name=me.label, facts=facts)

    def note_by_rule(self, view: View, low: int, high: int, parts: Sequence[NotePart]) -> Note:
        """Quotes: numbers, offers, promises and what was confided."""
        return rule_note(view, low, high, parts)

    def longest_prompt(self, background: Background, started: EpisodeStarted) -> int:
        """Every turn is played, and every action as long as it may be."""
        answers = [self.answer_tokens(mind) for mind in started.minds]
        growth = budget.growth(background, setup_of(started, SocialSetup).rules, answers)
        return budget.prompt_tokens(background) + growth

    def answer_tokens(self, mind: MindSpec) -> int:
        """A person may write as much as an action holds."""
        if mind.asks:
            return super().answer_tokens(mind)
        return budget.REHEARSED if mind.kind == "rehearsal" else budget.WRITTEN


CHAINS: Final = SocialChains()
