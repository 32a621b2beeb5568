"""Random, interleaved histories of runs, episodes, forks, evaluations, calls and catalogs.

A history is a list of steps; each is a kind and two numbers that pick what it is about, so that
any list makes sense and shrinks well.
"""

from collections.abc import Callable
from itertools import count

import hypothesis.strategies as st

from actors.social.actions import Action
from events.agent import ModelAnswered, ModelAsked, ModelFailed
from events.base import Event
from events.catalog import CatalogImported
from events.chain import ChainAdvanced, ChainEnded, ChainFailed
from events.episode import ActionTaken, EpisodeEnded, EpisodeFailed, EpisodeForked
from events.evaluation import (
    EvaluationEnded,
    EvaluationFailed,
    EvaluationStarted,
    ScoreAbstained,
    Scored,
    ScoreFailed,
)
from events.memory import MemoryFailed
from events.run import RunEnded, RunPaused, RunResumed
from store.log.event_store import ANY, EventStore
from store.read_model.episode_history import read_history
from tests.store.histories import (
    CALM,
    CATALOG,
    KEEN,
    STRICT,
    chain_started,
    planned,
    planned_chain,
    recalled,
    started,
    turn,
    written,
)

_fresh = count()
_ODD_TEXTS = ("plain", "with\0nul", "ünïcode ✓", "", "x" * 300)


class World:
    """A store and the names of what was put into it."""

    def __init__(self, store: EventStore) -> None:
        self.store = store
        self.runs: list[str] = []
        self.planned: list[str] = []
        self.episodes: list[str] = []
        self.evaluations: list[str] = []
        self.chains: list[str] = []

    def step(self, kind: str, first: int, second: int) -> None:
        """One thing happens."""
        getattr(self, kind)(first, second)

    def plan(self, size: int, _: int) -> None:
        run = f"r{next(_fresh)}"
        episodes = [f"e{next(_fresh)}" for _ in range(size % 4)]
        self._append(f"run-{run}", planned(*episodes, name=_ODD_TEXTS[size % 5]))
        self.runs.append(run)
        self.planned += episodes

    def change_run(self, which: int, how: int) -> None:
        if self.runs:
            event: Event = (
                RunPaused(reason="budget", detail=_ODD_TEXTS[how % 5]),
                RunResumed(),
                RunEnded(
                    episodes_ended=1, episodes_failed=0, evaluations_ended=0, evaluations_failed=0
                ),
            )[how % 3]
            self._append(f"run-{_pick(self.runs, which)}", event)

    def start(self, which: int, run: int) -> None:
        waiting = [id_ for id_ in self.planned if id_ not in self.episodes]
        episode = _pick(waiting, which) if waiting else f"e{next(_fresh)}"
        self._append(f"episode-{episode}", started(self._run(run)))
        self.episodes.append(episode)

    def act(self, which: int, number: int) -> None:
        if self.episodes:
            self._append(
                f"episode-{_pick(self.episodes, which)}", *turn(number, failed=number % 3 == 0)
            )

    def finish(self, which: int, how: int) -> None:
        if self.episodes:
            event: Event = (
                EpisodeEnded(reason="left", turn=how),
                EpisodeFailed(reason=_ODD_TEXTS[how % 5], attempts=3),
            )[how % 2]
            self._append(f"episode-{_pick(self.episodes, which)}", event)

    def fork(self, which: int, at: int) -> None:
        if self.episodes:
            parent = _pick(self.episodes, which)
            last = read_history(self.store, parent)[-1].number
            episode = f"f{next(_fresh)}"
            forked = EpisodeForked(
                parent=parent, at=at % (last + 1), minds=(CALM, KEEN), run=self._run(at)
            )
            self._append(f"episode-{episode}", forked)
            self.episodes.append(episode)

    def evaluate(self, which: int, run: int) -> None:
        if self.episodes:
            evaluation = f"v{next(_fresh)}"
            began = EvaluationStarted(
                episode=_pick(self.episodes, which),
                upto=0,
                judge=STRICT,
                judge_hash="hash",
                run=self._run(run),
            )
            self._append(f"evaluation-{evaluation}", began)
            self.evaluations.append(evaluation)

    def score(self, which: int, how: int) -> None:
        if self.evaluations:
            event: Event = (
                Scored(seat=how % 2, dimension=_ODD_TEXTS[how % 5], value=how / 3),
                Scored(seat=0, dimension="goal", value=float("nan")),
                ScoreFailed(seat=how % 2, dimension="goal", error=_ODD_TEXTS[how % 5]),
                ScoreAbstained(seat=1, dimension="goal"),
                EvaluationEnded(scored=1, failed=0, abstained=0),
                EvaluationFailed(reason=_ODD_TEXTS[how % 5], attempts=2),
            )[how % 6]
            self._append(f"evaluation-{_pick(self.evaluations, which)}", event)

    def call(self, which: int, how: int) -> None:
        if self.episodes:
            stream = f"agent-{_pick(self.episodes, which)}.{how % 2}"
            if self.evaluations and how % 5 == 0:
                stream = f"evaluation-{_pick(self.evaluations, which)}"
            if self.chains and how % 5 == 1:
                stream = f"memory-{_pick(self.chains, which)}.{how % 2}"
            named = {"turn": how % 4, "attempt": 0, "request_hash": "h"}
            event: Event = (
                ModelAsked(**named, purpose="act", model=f"m{how % 2}"),
                ModelAnswered(
                    **named,
                    text="",
                    input_tokens=how,
                    output_tokens=2**64 - 1 if how % 7 == 0 else 3,
                    cost_usd=(0.1, None, 1e-7, float("inf"), -1.0)[how % 5],
                    latency_s=how / 7,
                ),
                ModelFailed(**named, reason="timeout", latency_s=float("nan")),
            )[how % 3]
            self.store.append(stream, ANY, [event], correlation=self._run(which))

    def chain(self, length: int, run: int) -> None:
        chain, episodes = f"h{next(_fresh)}", [f"e{next(_fresh)}" for _ in range(length % 4)]
        if length % 3:
            self._append(f"run-{self._run(run) or 'r'}", planned_chain(chain, *episodes))
        self._append(f"chain-{chain}", chain_started(self._run(run), *episodes))
        for index, episode in enumerate(episodes):
            self._append(f"episode-{episode}", started(self._run(run), chain, index))
        self.episodes += episodes
        self.chains.append(chain)

    def go_on(self, which: int, how: int) -> None:
        if self.chains:
            event: Event = (
                ChainAdvanced(index=how % 4, episode="e", outcome="ended"),
                ChainAdvanced(index=how % 4, episode="e", outcome="failed"),
                ChainEnded(ended=2, failed=how),
                ChainFailed(reason=_ODD_TEXTS[how % 5], attempts=3),
            )[how % 4]
            self._append(f"chain-{_pick(self.chains, which)}", event)

    def remember(self, which: int, how: int) -> None:
        if self.chains:
            seat = ("0", "1", "x")[which % 3]
            event: Event = (
                recalled(how % 4, _ODD_TEXTS[how % 5]),
                written(how % 4, "e", (0.1, None, float("nan"))[how % 3]),
                MemoryFailed(reason=_ODD_TEXTS[how % 5], attempts=3),
            )[how % 3]
            self._append(f"memory-{_pick(self.chains, which)}.{seat}", event)

    def catalog(self, which: int, size: int) -> None:
        imported = CatalogImported(
            environment="social", catalog=CATALOG, digest=str(size), source=_ODD_TEXTS[size % 5]
        )
        self._append(f"catalog-c{which % 3}", imported)

    def whisper(self, which: int, to: int) -> None:
        if self.episodes:
            action = Action(kind="speak", text=_ODD_TEXTS[to % 5], to=(to % 2,))
            taken = ActionTaken(turn=to, seat=which % 2, action=action)
            self._append(f"episode-{_pick(self.episodes, which)}", taken)

    def _run(self, which: int) -> str:
        return _pick([*self.runs, ""], which)

    def _append(self, stream: str, *events: Event) -> None:
        self.store.append(stream, ANY, events)


def _pick(things: list[str], which: int) -> str:
    return things[which % len(things)]


KINDS = (
    "plan",
    "change_run",
    "start",
    "act",
    "whisper",
    "finish",
    "fork",
    "evaluate",
    "score",
    "call",
    "catalog",
    "chain",
    "go_on",
    "remember",
)

Step = tuple[str, int, int]
_numbers = st.integers(min_value=0, max_value=100)


def steps(*others: str) -> st.SearchStrategy[list[Step]]:
    """Lists of steps, with some kinds of the test's own among them."""
    kinds: st.SearchStrategy[str] = st.sampled_from((*KINDS, *others))
    return st.lists(st.tuples(kinds, _numbers, _numbers), min_size=1, max_size=40)


def happen(world: World, history: list[Step], other: dict[str, Callable[[int], object]]) -> None:
    """Let a history happen; ``other`` are the steps that are not the world's."""
    for kind, first, second in history:
        if kind in other:
            other[kind](first)
        else:
            world.step(kind, first, second)
