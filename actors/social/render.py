"""What a viewer may see, as plain text. The one way a transcript reads, in prompts, for judges and
in the terminal. Nothing here decides what may be seen: ``actors.social.sight`` did."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from actors.episodes.port.planning import Planning
from actors.episodes.port.presentation import Presentation
from actors.episodes.port.sight import Viewer, setup_of
from actors.episodes.port.words import OTHER_ENDINGS, Account, Entry, EpisodeWords, Portrait
from actors.episodes.rules.failed_actions import NO_ANSWER
from actors.social import sight
from actors.social.catalog_items import RelationshipKind
from actors.social.narration import NARRATED, NARRATOR
from actors.social.setup import ENDINGS, SocialSetup
from actors.social.views import Background, Profile, SeenAction, SeenRelationship, View
from actors.text.quotes import continued
from events.episode import EpisodeStarted

_ENDINGS: Final = ENDINGS | OTHER_ENDINGS


_VERBS: Final = {
    "speak": "",
    "non_verbal": "without words",
    "physical": "does",
    "none": "does nothing",
    "leave": "leaves",
    NARRATED: "tells",
}


PLAIN: Final = "prose, taken for speech"


def ending(reason: str) -> str:
    """Why an episode is over, as half a sentence; empty where it goes on."""
    return _ENDINGS.get(reason, reason)


def outcome(reason: str, summary: Mapping[str, str | int | float | bool]) -> str:
    """How an episode ended, in a few words."""
    said = reason.replace("_", " ")
    if unplayed := summary.get("unplayed"):
        said += f"; {unplayed} of the script's actions not played"
    plain = summary.get("plain")
    return f"{said}; {plain} of the actions {PLAIN}" if plain else said


def line(seen: SeenAction, labels: Mapping[int, str] | Sequence[str]) -> str:
    """One action as a line; ``labels`` say how the viewer calls each seat."""
    who, text = seen.label, seen.text
    if seen.failure:
        return f"{who} {NO_ANSWER}"
    to = _names([labels[seat] for seat in seen.to])
    match seen.kind:
        case "speak":
            return f'{who} whispered to {to}: "{text}"' if to else f'{who} said: "{text}"'
        case "non_verbal":
            return f"{who} [non-verbal communication{_noticed_by(to)}] {text}"
        case "physical":
            return f"{who} [action{_noticed_by(to)}] {text}"
        case "leave":
            words = f', whispering to {to}: "{text}"' if to else f', saying: "{text}"'
            return f"{who} left the conversation" + (words if text else "")
        case "narrated":
            return f"[narrator{_noticed_by(to)}] {text}"
        case _:
            return f"{who} did nothing"


def transcript(view: View) -> str:
    """All that the viewer noticed, a line an action, and the ending."""
    lines = [continued(f"Turn {seen.turn}. {line(seen, view.labels)}") for seen in view.lines]
    if view.ended:
        lines.append(f"The episode ended after turn {view.turn}: {ending(view.ended)}.")
    return "\n".join(lines)


def entry(seen: SeenAction, labels: Mapping[int, str] | Sequence[str]) -> Entry:
    """One action, as an account tells it."""
    return Entry(
        number=seen.number,
        turn=seen.turn,
        seat=None if seen.seat == NARRATOR else seen.seat,
        who=seen.label,
        kind=seen.kind,
        text=seen.text,
        line=line(seen, labels),
        to=seen.to,
        verb=NO_ANSWER if seen.failure else _VERBS[seen.kind],
        idle=seen.kind == "none" and not seen.failure,
        failed=seen.failure,
        note=PLAIN if seen.plain else "",
    )


def _portrait(profile: Profile) -> Portrait:
    known = (
        ("Age", "" if profile.age is None else str(profile.age)),
        ("Gender", profile.gender),
        ("Pronouns", profile.pronouns),
        ("Occupation", profile.occupation),
        ("Public information", profile.public_info),
        ("Personality and values", profile.personality),
        ("Traits", profile.big_five),
        ("Moral values", ", ".join(profile.moral_values or ())),
        ("Personal values", ", ".join(profile.schwartz_values or ())),
        ("Decision-making style", profile.decision_style),
    )
    person = (known[0][1], profile.gender, profile.pronouns, profile.occupation)
    told = (profile.public_info, profile.personality)
    return Portrait(
        seat=profile.seat,
        name=profile.label,
        facts=tuple((what, value) for what, value in known if value),
        brief=(" · ".join(filter(None, person)), " ".join(filter(None, told))),
        goal=profile.goal or "",
        secret=profile.secret or "",
    )


def _relationship(relationship: SeenRelationship, labels: Sequence[str]) -> str:
    first, second = relationship.seats
    kind = relationship.kind.replace("_", " ")
    return f"{labels[first]} and {labels[second]}: {kind}. {relationship.story}".strip()


def labels_of(background: Background) -> dict[int, str]:
    """How a seat calls everybody, itself included."""
    own = {background.seat: own_label(background)}
    return own | {other.seat: other.label for other in background.others}


def own_label(background: Background) -> str:
    """How a seat is called in its own transcript."""
    name = background.character.name
    # Two of one name are told apart: the others' labels show whether there are two.
    shared = any(o.label == f"{name} (Person {o.seat + 1})" for o in background.others)
    return f"{name} (Person {background.seat + 1})" if shared else name


def _names(names: Sequence[str]) -> str:
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def _noticed_by(to: str) -> str:
    return f", noticed only by {to}" if to else ""


class SocialWords(EpisodeWords[View, SeenAction]):
    def account(self, view: View) -> Account:
        return Account(
            situation=view.context,
            portraits=tuple(_portrait(profile) for profile in view.profiles),
            relationships=tuple(
                _relationship(relationship, view.labels) for relationship in view.relationships
            ),
            entries=tuple(entry(seen, view.labels) for seen in view.lines),
            notes=(("Remembers of earlier episodes", view.memory),) if view.memory else (),
            turn=view.turn,
            ended=view.ended,
            ending=ending(view.ended),
            detail=view.detail,
        )

    def entry_writer(
        self, started: EpisodeStarted, viewer: Viewer
    ) -> Callable[[SeenAction], Entry]:
        """An action with its words and its witnesses."""
        names = sight.labels(setup_of(started, SocialSetup), viewer)
        return lambda seen: entry(seen, names)


class SocialPlanning(Planning[Background, SeenAction]):
    """What is remembered is what is shown."""

    def told(self, background: Background, notice: SeenAction) -> str:
        """An action, as the prompts tell it."""
        return line(notice, labels_of(background))


class SocialPresentation(Presentation[SocialSetup]):
    """What tables know of a scenario and its cast."""

    turns_are_public = True

    def labels(self, setup: SocialSetup) -> Mapping[str, str]:
        """Where the scenario is from, and how the seats stand to each other."""
        kinds = dict.fromkeys(str(one.kind) for one in setup.relationships)
        related = {seat for one in setup.relationships for seat in one.seats}
        if len(related) < len(setup.cast):
            kinds.setdefault(str(RelationshipKind.STRANGER))
        found = {"source": setup.scenario.source, "relationship": ", ".join(kinds)}
        return found if setup.rules.mode == "interactive" else found | {"mode": setup.rules.mode}

    def mark(self, setup: SocialSetup) -> str:
        """The mode."""
        return "" if setup.rules.mode == "interactive" else setup.rules.mode

    def tags(self, setup: SocialSetup) -> Sequence[str]:
        """The scenario's."""
        return setup.scenario.tags


WORDS: Final = SocialWords()
PLANNING: Final = SocialPlanning()
PRESENTATION: Final = SocialPresentation()
account = WORDS.account
