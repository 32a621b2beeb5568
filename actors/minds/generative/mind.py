"""The generative mind: it remembers, plans and reflects, and answers from that."""

from bisect import bisect_right
from collections.abc import Sequence
from functools import partial
from operator import attrgetter

from actors.episodes.mind import Decision, Journal, Scene, decided_on
from actors.episodes.planning_support import Experience, Living, Situation
from actors.episodes.port.game import AnyGame
from actors.minds.generative import conversation, next_action, perception, reflection, task_plan
from actors.minds.generative.day_plan import day_now
from actors.minds.generative.decision import DecisionProcess, Means, Unconcluded, together
from actors.minds.generative.embedding import embedder_of
from actors.minds.generative.placement import Placement, placement_of
from actors.minds.generative.plain_life import PlainLife
from actors.minds.generative.state import MindState
from actors.models.caller import ModelCaller
from actors.models.limits.budget import BudgetKeeper
from events.environments import Action
from events.episode import ActionFailure
from events.minds import GenerativeSpec, MindSpec
from events.thoughts import Decided


class GenerativeMind:
    """Leads one seat's life. All that it keeps follows from its agent's ``Decided`` events and from
    what the seat noticed: another that reads the same goes on the same way."""

    def __init__(
        self,
        spec: MindSpec,
        game: AnyGame,
        caller: ModelCaller,
        budget: BudgetKeeper | None = None,
    ) -> None:
        """Raises ``ValueError`` where the specification names no model."""
        if spec.model is None:
            raise ValueError(f"mind {spec.name!r} of kind generative has no model")
        self.spec = spec
        self._game = game
        given = spec.generative or GenerativeSpec()
        self._means = Means(spec.model, given, caller, budget, embedder_of(spec))
        self._state: MindState | None = None
        self._folded: list[tuple[int, int]] = []
        """Turn and question of each decision that ``_state`` has, in their order."""
        self._background: object = None
        self._life: Living | None = None
        self._plain: PlainLife | None = None
        self._placement = Placement()
        self._learned = -1
        """The number of the last event whose places are in ``_placement``."""

    async def decide(self, scene: Scene, calls: Journal) -> Decision:
        """The answer, after what it concluded on the way is durable; what was decided already, as
        it was. Where no usable answer came: the game's *nothing*, with why.

        Raises ``BudgetSpent`` and ``ModelUnavailable``.
        """
        try:
            before = decided_on(scene, calls)
            if before is not None:
                return before
            state = self._caught_up(calls.decisions())
            decided = await self._decided(scene, state, calls)
            state.close(decided.noticed)
            self._folded.append((decided.turn, decided.question))
            await calls.conclude(decided)
        except BaseException:
            # What was thought on the way is not recorded: it is forgotten.
            self._state = None
            raise
        return Decision(action=decided.action, failure=decided.failure)

    def _caught_up(self, decisions: Sequence[Decided]) -> MindState:
        """What was concluded so far."""
        folded = len(self._folded)
        if (
            self._state is None
            or [(one.turn, one.question) for one in decisions[:folded]] != self._folded
        ):
            self._state, self._folded, folded = MindState(self._means.embedder.embed), [], 0
        for decided in decisions[folded:]:
            self._state.fold(decided)
            self._folded.append((decided.turn, decided.question))
        return self._state

    async def _decided(self, scene: Scene, state: MindState, calls: Journal) -> Decided:
        self._meet(scene.background)
        life = self._life
        if life is None or life.situation(scene).asked == "other":
            return await self._plainly(scene, state, calls)
        situation = life.situation(scene)
        pending = self._lived(life, scene, state)
        thinking = DecisionProcess(
            means=self._means,
            persona=life.persona,
            aim=life.aim,
            situation=situation,
            state=state,
            rooms=self._placement.rooms,
            calls=calls,
            turn=scene.turn,
            question=scene.question_id,
            pending=pending,
        )
        noticed = state.noticed
        action: Action
        failure: ActionFailure | None = None
        takes_in = perception.matters_now(thinking)
        if takes_in:
            noticed = scene.seen[-1].number if scene.seen else 0

        async def digest(line: DecisionProcess, *, waited_for: bool = True) -> None:
            rates = takes_in and bool(perception.unrated(line, pending))
            if takes_in:
                await perception.take_in(line, pending)
                line.pending = ()
            # Three calls one after the other would hold up an answer that is one: reflection is
            # for the next decision then.
            later = rates and not waited_for
            if situation.asked == "act" and reflection.due(line) and not later:
                await reflection.reflect(line)

        try:
            if task_plan.wanted(thinking):
                await task_plan.plan_task(thinking)
            if _at_once(thinking, "done", "met"):
                answer = partial(_answered, life=life, placement=self._placement)
                beside = partial(digest, waited_for=False)
                action, _ = await together(thinking, (answer, beside))
            else:
                if not (thinking.lean and situation.why == "parted"):
                    await digest(thinking)
                elif takes_in:
                    await perception.take_in(thinking, pending)
                    thinking.pending = ()
                action = await _answered(thinking, life, self._placement)
        except Unconcluded as why:
            action, failure = self._game.rules.nothing(scene.question), why.failure
        return Decided(
            turn=scene.turn,
            question=scene.question_id,
            thoughts=tuple(thinking.thoughts),
            action=action,
            failure=failure,
            at=situation.at,
            noticed=noticed,
        )

    def _meet(self, background: object) -> None:
        """Take up a seat's life, or that of another seat."""
        if self._background is background:
            return
        self._background = background
        self._life = self._game.planning.living(background)
        self._plain = None
        known = self._life.known if self._life is not None else ()
        self._placement = placement_of(self._game, known)
        self._learned = -1

    def _lived(self, life: Living, scene: Scene, state: MindState) -> list[Experience]:
        """What was lived through and is not remembered yet; its places are known from now on."""
        since = min(state.noticed, self._learned)
        start = bisect_right(scene.seen, since, key=attrgetter("number"))
        lived = life.lived(scene.seen[start:])
        for one in lived:
            if one.number > self._learned:
                self._placement.learn(one.places)
        if scene.seen:
            self._learned = max(self._learned, scene.seen[-1].number)
        before = []
        if state.noticed < 0 and not len(state.memories):
            before = [Experience(0, 0.0, "event", text) for text in life.remembered]
        new = [one for one in lived if one.number > state.noticed and one.text]
        # A talk is remembered as soon as it is over, before what was noticed earlier.
        return [*before, *(one for one in new if (one.text, one.at) not in state.talks)]

    async def _plainly(self, scene: Scene, state: MindState, calls: Journal) -> Decided:
        if self._plain is None:
            self._plain = PlainLife(self._game, scene.background)
        return await self._plain.decide(scene, state, self._means, calls)


def _at_once(thinking: DecisionProcess, *why: str) -> bool:
    """Whether a question, asked for one of these reasons, may be answered while other things are
    thought about: with few calls, where the answer needs none of them."""
    situation = thinking.situation
    return (
        thinking.lean
        and not thinking.means.embedder.recorded
        and situation.asked == "act"
        and situation.why in why
        and day_now(thinking) in thinking.state.days
    )


async def _answered(thinking: DecisionProcess, life: Living, placement: Placement) -> Action:
    """The answer to the question. Raises ``Unconcluded``."""
    situation: Situation = thinking.situation
    match situation.asked, situation.why:
        case "say", _:
            return await conversation.say(thinking, life)
        case "recap", _:
            return await conversation.recap(thinking, life)
        case _, "met":
            return await conversation.react(thinking, life)
        case _, "parted" if _at_once(thinking, "parted"):
            works = (partial(_after_talk, life=life, placement=placement), conversation.note)
            acted: Action = (await together(thinking, works))[0]
            return acted
        case _, "parted":
            await conversation.note(thinking)
            return await _after_talk(thinking, life, placement)
    return await _acted(thinking, life, placement)


async def _after_talk(thinking: DecisionProcess, life: Living, placement: Placement) -> Action:
    await conversation.bend(thinking)
    return await _acted(thinking, life, placement)


async def _acted(thinking: DecisionProcess, life: Living, placement: Placement) -> Action:
    return life.act(await next_action.next_action(thinking, placement))
