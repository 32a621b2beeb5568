"""Chooses what to do by a temper, among what the rules allow.

``open`` says what it has learned, what it suspects and what it is, and acts on what it heard.
``cautious`` says little, does what most do, and rather does nothing. ``scheming`` claims to be what
it is not where it has something to hide, steers votes away from its team, and asks for much.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Final, NamedTuple, cast

from actors.episodes.mind import Decision, Scene
from actors.episodes.port.prompts import UnknownTemper
from actors.games.rehearsal.bargains import Gain, best_offer, gift, is_enough, offer_gain
from actors.games.rehearsal.impressions import Impressions, impressions
from actors.games.rehearsal.purposes import Purpose
from actors.games.rehearsal.speech import (
    Hint,
    Temper,
    fits,
    hints_at,
    phrases,
    understood,
    with_the,
)
from actors.games.ruleset import PASS, Effect, Verb
from actors.games.setup import ActOption, Decide, GameAct
from actors.games.sight import GameView
from actors.seeded_draws import SeededDraws

TEMPERS: Final = ("open", "cautious", "scheming")
PASSING: Final = {"open": 0.25, "cautious": 0.55, "scheming": 0.3}
"""How much there must be to do something instead."""
TALKS: Final = {"open": 0.9, "cautious": 0.4, "scheming": 0.8}
VAGUE: Final = {"open": 0.3, "cautious": 0.7, "scheming": 0.4}
"""How often nothing is said of one's own word."""
SUSPECTS: Final = 0.5
AIMED: Final = ("harm", "help", "learn")
"""What is decided by whom it is for; where the verb names nobody there is nothing to decide."""
_NEVER: Final = -9.0


class LegalMind(NamedTuple):
    """Plays any game; the same scene, the same answer."""

    temper: str
    seed: int | None = None

    async def decide(self, scene: Scene, calls: object) -> Decision:
        """The act. Raises ``UnknownTemper``."""
        if self.temper and self.temper not in TEMPERS:
            raise UnknownTemper(self.temper, TEMPERS)
        background: GameView = scene.background
        question = scene.question
        assert isinstance(question, Decide), "there is no other question"
        now = impressions(background, scene.seen, scene.seat)
        now.round = question.round
        own = str(background.setup.rules.id if self.seed is None else self.seed)
        names = ",".join([one.name for one in background.setup.players])
        draws = SeededDraws("games-mind", own, names, str(scene.turn), str(scene.seat))
        # Who acts together for a team draws the same.
        common = SeededDraws("games-team", own, names, question.phase, str(question.round))
        temper = cast("Temper", self.temper or TEMPERS[0])
        return Decision(action=_Choice(now, question, temper, draws, common).act())


class Wish(NamedTuple):
    """How much something is wanted."""

    weight: float
    act: GameAct


class _Choice:
    """One question."""

    def __init__(
        self,
        now: Impressions,
        question: Decide,
        temper: Temper,
        draws: SeededDraws,
        common: SeededDraws,
    ) -> None:
        self.now, self.question, self.temper = now, question, temper
        self.draws, self.common = draws, common
        self.suspicion = now.suspicion()

    def act(self) -> GameAct:
        wishes = [
            Wish(PASSING[self.temper], GameAct())
            if option.verb == PASS
            else self._wish(option, self._purpose(option))
            for option in self.question.options
        ]
        return max(wishes, key=lambda wish: wish.weight).act

    def _purpose(self, option: ActOption) -> Purpose:
        return self.now.purposes.verbs.get((self.question.phase, option.verb), "other")

    def _verb(self, option: ActOption) -> Verb:
        return self.now.purposes.rules_of[self.question.phase, option.verb]

    def _wish(self, option: ActOption, purpose: Purpose) -> Wish:
        wanted: Mapping[str, Callable[[ActOption], Wish]] = {
            "harm": self._harm,
            "help": self._help,
            "learn": self._learn,
            "accept": self._accept,
            "refuse": self._refuse,
            "offer": self._offer,
            "guess": self._guess,
            "talk": self._talk,
        }
        aimless = purpose in AIMED and not option.targets
        wish = (self._plain if aimless else wanted.get(purpose, self._plain))(option)
        jitter = 0.1 * self.draws.share(f"wish.{option.verb}")
        costly = 0.5 if any(self._verb(option).costs.values()) and wish.weight < 2 else 0.0
        return Wish(wish.weight + jitter - costly, wish.act)

    def _filled(self, option: ActOption, **given: object) -> GameAct:
        """An act with all that the verb takes; what is not given is drawn."""
        fields: dict[str, object] = {
            "verb": option.verb,
            "target": self.draws.one("target", option.targets) if option.targets else None,
            "numbers": {
                one.id: gift(self.now, self.temper, one, self.draws.share(one.id))
                for one in option.numbers
            },
            "word": self.draws.one("word", option.words) if option.words else "",
            "text": self._words() if option.says and "text" not in given else "",
        }
        return GameAct(**{**fields, **given})  # type: ignore[arg-type]

    def _best(
        self, option: ActOption, score: Callable[[int], float], draws: SeededDraws, spread: float
    ) -> tuple[int, float]:
        """The target of the highest score, chance deciding between those that are near it."""
        scored = [
            (score(seat) + spread * draws.share(f"seat{seat}"), seat) for seat in option.targets
        ]
        best, seat = max(scored)
        return seat, best

    def _harm(self, option: ActOption) -> Wish:
        now = self.now
        blamed = now.blamed_now()
        secret = self.question.heard != "public"

        def score(seat: int) -> float:
            if now.is_friend(seat):
                return _NEVER
            if secret and now.hidden:
                claimed = now.claims.get(seat, "")
                return self._danger(claimed) + min(self.suspicion[seat], 100.0) / 100
            if now.hidden:
                # All others are of the other team: whoever the table turns against will do.
                return blamed[seat] + 0.1
            if self.temper == "cautious":
                return max(blamed[seat] - 1.0, min(self.suspicion[seat], 3.0) - 0.8)
            bandwagon = 0.5 if self.temper == "scheming" else 0.2
            return self.suspicion[seat] + bandwagon * blamed[seat]

        draws = self.common if secret else self.draws
        target, best = self._best(option, score, draws, 0.4)
        if secret and now.hidden:
            weight = 1.5
        elif self.temper == "cautious":
            weight = 0.9 if best >= 1.0 else 0.2
        else:
            weight = _NEVER if best < _NEVER / 2 else 0.6 + max(0.0, min(best, 2.0))
        return Wish(weight, self._filled(option, target=target))

    def _danger(self, role: str) -> float:
        """How much a role that somebody claims can do."""
        verbs = [
            purpose
            for (phase, _), purpose in self.now.purposes.verbs.items()
            for one in self.now.deal.rules.phases
            if one.id == phase and role in one.who.roles
        ]
        return 2.0 if "learn" in verbs else 1.0 if "help" in verbs else 0.0

    def _help(self, option: ActOption) -> Wish:
        def score(seat: int) -> float:
            if seat == self.now.seat:
                return 0.8 if self.temper == "cautious" else 0.2
            return self._danger(self.now.claims.get(seat, "")) - min(1.0, self.suspicion[seat])

        target, _ = self._best(option, score, self.draws, 0.5)
        return Wish(1.3, self._filled(option, target=target))

    def _learn(self, option: ActOption) -> Wish:
        def score(seat: int) -> float:
            return _NEVER if seat in self.now.known else self.suspicion[seat]

        target, best = self._best(option, score, self.draws, 0.5)
        return Wish(1.4 if best > _NEVER / 2 else 0.3, self._filled(option, target=target))

    def _acceptance(self) -> Sequence[Effect]:
        """What comes of it when another accepts one's offer: by a verb of a phase in which others
        act."""
        now = self.now
        found: Sequence[Effect] = ()
        for phase in now.deal.rules.phases:
            for verb in phase.verbs:
                if now.purposes.verbs[phase.id, verb.id] != "accept":
                    continue
                if now.role.id not in phase.who.roles:
                    return verb.effects
                found = found or verb.effects
        return found

    def _worth(self, wanted: Purpose) -> Gain:
        """What accepting or refusing brings now; nothing where it cannot be done."""
        now = self.now
        option = next((one for one in self.question.options if self._purpose(one) == wanted), None)
        if option is None or now.offer is None:
            return Gain(0.0, 0.0)
        return offer_gain(now, self._verb(option).effects, now.offer[1], offers=False)

    def _is_good(self) -> bool:
        """Whether the offer that stands is taken."""
        return is_enough(self.now, self.temper, self._worth("accept"), self._worth("refuse"))

    def _accept(self, option: ActOption) -> Wish:
        return Wish(2.5 if self._is_good() else -1.0, self._filled(option))

    def _refuse(self, option: ActOption) -> Wish:
        return Wish(-1.5 if self._is_good() else 0.8, self._filled(option))

    def _offer(self, option: ActOption) -> Wish:
        numbers, gain = best_offer(self.now, self.temper, option, self._acceptance())
        return Wish(1.2 if gain > 0 else -0.5, self._filled(option, numbers=numbers))

    def _guess(self, option: ActOption) -> Wish:
        if not option.words:
            return Wish(-0.5, self._filled(option))
        heard = [hint for hints in self.now.hints.values() for hint in hints]
        fitting = [sum(fits(hint, word) for hint in heard) for word in option.words]
        best = [
            word for word, count in zip(option.words, fitting, strict=True) if count == max(fitting)
        ]
        sure = 1.0 / len(best)
        return Wish(0.1 + 1.5 * sure, self._filled(option, word=self.draws.one("guess", best)))

    def _talk(self, option: ActOption) -> Wish:
        news = self._unsaid()
        weight = TALKS[self.temper]
        if self.temper == "cautious" and (news or self.draws.share("speaks") < 0.25):
            weight += 0.2
        to = None
        if option.direct and self.temper == "scheming" and self.draws.share("whisper") < 0.25:
            friends = [seat for seat in option.direct if self.now.is_friend(seat)]
            to = self.draws.one("to", friends or option.direct)
        return Wish(weight, self._filled(option, to=to, text=self._words(to)))

    def _plain(self, option: ActOption) -> Wish:
        if option.targets:

            def score(seat: int) -> float:
                return -self.suspicion[seat] if self._purpose(option) == "give" else 0.0

            target, _ = self._best(option, score, self.draws, 1.0)
            return Wish(0.9, self._filled(option, target=target))
        return Wish(1.0, self._filled(option))

    # What is said.

    def _words(self, to: int | None = None) -> str:
        """What is said, to one seat alone or to all who hear the phase."""
        said, now = phrases(), self.now
        among = self.question.heard == "team" or (to is not None and now.is_friend(to))
        parts = [self._hint()] if now.word or now.hints else []
        if self._bargains() and not now.minds_each_other:
            parts.append(self._pick("offer", said.offer[self.temper]))
        elif self.temper == "open":
            parts += self._openly(claims=not among)
        elif self.temper == "scheming":
            parts += self._slyly(to, claims=not among)
        elif (news := self._unsaid()) and self.draws.share("tells") < 0.3:
            parts.append(self._told(news[0]))
        text = " ".join(part for part in parts if part)
        return text or self._pick("talk", said.small_talk[self.temper])

    def _bargains(self) -> bool:
        return any(one in self.now.purposes.verbs.values() for one in ("offer", "give"))

    def _pick(self, what: str, among: Sequence[str], **words: str) -> str:
        return self.draws.one(f"says.{what}", among).format(**words)

    def _unsaid(self) -> list[int]:
        """Whose team was revealed to oneself and not told yet."""
        now = self.now
        names = tuple([one.name for one in now.deal.players])
        told = {
            one.about
            for text in now.own_words
            for one in understood(text, names, now.purposes.titles).statements
            if one.team
        }
        return [seat for seat in now.learned if seat not in told and seat not in now.out]

    def _told(self, seat: int, team: str = "") -> str:
        name = self.now.deal.players[seat].name
        team = with_the(team or self.now.known[seat])
        return self._pick("learned", phrases().learned, name=name, team=team)

    def _claimed(self, role: str) -> str:
        said = self._pick("claim", phrases().claim, role=role)
        return "" if any(role in one for one in self.now.own_words) else said

    def _openly(self, *, claims: bool) -> list[str]:
        """``claims``: not among friends, who know what one is."""
        now, said = self.now, phrases()
        news = self._unsaid()
        claims = claims and (not now.hidden or self.draws.share("slips") < 0.1)
        blamed = now.blamed_now()[now.seat] > 0
        parts = []
        if now.team and now.minds_each_other and claims and (news or blamed or now.round > 1):
            parts.append(self._claimed(now.role.name))
        if news:
            return [*parts, *[self._told(seat) for seat in news]]
        if (suspect := self._suspect()) is not None:
            parts.append(self._pick("blame", said.suspect, name=suspect))
        return parts

    def _slyly(self, to: int | None, *, claims: bool) -> list[str]:
        now, said = self.now, phrases()
        if not now.minds_each_other:
            return []
        if not now.hidden:
            known = [seat for seat in self._unsaid() if seat != to and now.is_enemy(seat)]
            suspect = now.deal.players[known[0]].name if known else self._suspect(to)
            return [self._pick("blame", said.suspect, name=suspect)] if suspect else []
        others = [one for one in now.purposes.roles.values() if one.team != now.team]
        victims = [
            seat
            for seat in range(now.players)
            if seat not in now.out and seat != to and not now.is_friend(seat)
        ]
        if not victims or not others:
            return []
        blamed = now.blamed_now()
        seat = max(victims, key=lambda one: (blamed[one], self.draws.share(f"victim{one}")))
        name, parts = now.deal.players[seat].name, []
        if claims and self.draws.share("lies") < 0.4:
            plain = [one for one in others if not one.count] or others
            bold = [one for one in others if self._danger(one.id) == 2.0]
            role = (bold or plain)[0] if self.draws.share("bold") < 0.4 else plain[0]
            parts.append(self._claimed(role.name))
            if role in bold and self.draws.share("accuses") < 0.7:
                return [*parts, self._told(seat, now.team)]
        return [*parts, self._pick("blame", said.suspect, name=name)]

    def _suspect(self, to: int | None = None) -> str | None:
        """The name of who is suspected most, but for who is spoken to."""
        now = self.now
        among = [
            seat
            for seat in range(now.players)
            if seat not in now.out and seat not in (now.seat, to)
        ]
        worst = max(among, key=lambda seat: self.suspicion[seat], default=None)
        if worst is None or self.suspicion[worst] < SUSPECTS:
            return None
        return now.deal.players[worst].name

    def _hint(self) -> str:
        """About one's own word, a little more each time; who has none says what others said."""
        now, said = self.now, phrases()
        if self.draws.share("vague") < VAGUE[self.temper]:
            return self._pick("vague", said.vague)
        heard = [hint for hints in now.hints.values() for hint in hints]
        if self.temper == "scheming" and heard and (now.hidden or not now.word):
            return self._hinted(heard[-1])
        if not now.word:
            return self._pick("vague", said.vague)
        return self._hinted(hints_at(now.word)[len(now.own_words) % 2])

    def _hinted(self, hint: Hint) -> str:
        said = phrases().size if hint.kind == "size" else phrases().half
        return self._pick("hint", said, value=hint.value)
