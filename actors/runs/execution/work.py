"""The remaining work of a run or a part of it, and which jobs may be queued now."""

from collections import deque
from collections.abc import Container, Iterable, Mapping, Sequence
from typing import Final

import msgspec

from actors.runs.state import RunState
from events.base import Event
from events.chain import ChainAdvanced, ChainEnded, ChainFailed
from events.episode import EpisodeEnded, EpisodeFailed, EpisodeReopened
from events.evaluation import EvaluationEnded, EvaluationFailed, EvaluationReopened, JudgeSpec
from events.run import PlannedChain, RunPaused
from events.serialization.fingerprints import evaluation_id, judge_hash
from events.wire.messages import ContinueEpisode, Evaluate, JobKind, PlayEpisode
from events.wire.subjects import split_stream

PROGRESS_TAGS: Final = tuple(
    kind.__name__
    for kind in (
        EpisodeEnded,
        EpisodeFailed,
        EpisodeReopened,
        EvaluationEnded,
        EvaluationFailed,
        EvaluationReopened,
        ChainAdvanced,
        ChainEnded,
        ChainFailed,
    )
)
"""Tags of the events after which there is less to do, or more again."""


class Progress(msgspec.Struct):
    """How far a piece of work is."""

    episodes: int = 0
    episodes_ended: int = 0
    episodes_failed: int = 0
    evaluations: int = 0
    evaluations_ended: int = 0
    evaluations_failed: int = 0
    chains: int = 0
    chains_ended: int = 0
    chains_failed: int = 0
    paused: str = ""
    """Why it waits; empty while it goes on."""
    pause_reason: str = ""
    """The same in a word: that of ``events.run.RunPaused``."""
    held: tuple[str, ...] = ()
    """Models that are held back, in words, where somebody has looked."""

    @property
    def done(self) -> bool:
        """Whether nothing is left to do."""
        return (
            self.episodes_ended + self.episodes_failed >= self.episodes
            and self.evaluations_ended + self.evaluations_failed >= self.evaluations
            and self.chains_ended + self.chains_failed >= self.chains
        )


class _Chain:
    """How far a chain is."""

    def __init__(self, episodes: tuple[str, ...], first: int = 0) -> None:
        self.episodes = episodes
        self.next = first
        """Index of the first episode that is not over and remembered."""

    @property
    def current(self) -> str:
        """The only episode of it that may be played now; empty when all have been."""
        return self.episodes[self.next] if self.next < len(self.episodes) else ""


def _first_of(chain: PlannedChain, episodes: Container[str]) -> int:
    """Index of a chain's first episode that is the run's own: a chain that goes on from one of
    another run has that one's episodes behind it."""
    own = (place for place, id_ in enumerate(chain.episodes) if id_ in episodes)
    return next(own, 0)


def evaluation_job(episode: str, judge: JudgeSpec, run: str = "") -> Evaluate:
    """The job that scores an episode; asked for twice it meets the same stream."""
    return Evaluate(
        evaluation=evaluation_id(episode, judge),
        episode=episode,
        judge_hash=judge_hash(judge),
        run=run,
    )


def leases_of(run: str, judges: Iterable[JudgeSpec]) -> list[str]:
    """Names of the leases that carrying out a whole run takes: one for all of it, by its id, and
    one for what each judge scores of it."""
    return [run, *(f"{run}/{judge_hash(judge)}" for judge in judges)]


class Work:
    """Episodes to be played and scored by some judges, and what of that is done.

    Each event costs the same, however much there is to do. Jobs are known by the episode or
    evaluation they are for.
    """

    def __init__(
        self,
        run: str,
        episodes: Sequence[str],
        judges: Sequence[JudgeSpec],
        chains: Sequence[PlannedChain] = (),
    ) -> None:
        """``episodes`` are all of them, those of ``chains`` too."""
        self.run = run
        self.partial = False
        """Whether this is less than all of the run, so that its end is not the run's end."""
        self.within = ""
        """The run whose episodes it plays though it does not carry it out; empty: of none."""
        self.priority = 1
        self.concurrency = 0
        """The most episodes in the queue at once, those under way included; 0: no limit."""
        self.judges = tuple(judges)
        self.playing: dict[str, PlayEpisode | ContinueEpisode] = {
            id_: PlayEpisode(run=run, episode=id_) for id_ in episodes
        }
        """Episodes that have not ended."""
        self.scoring: dict[str, Evaluate] = {}
        """Evaluations that have not ended, of episodes that have."""
        self._given_up: dict[str, PlayEpisode | ContinueEpisode | Evaluate] = {}
        """Episodes and evaluations that failed, should they be reopened."""
        self.chains = {
            chain.id: _Chain(chain.episodes, _first_of(chain, self.playing)) for chain in chains
        }
        """Chains that are not over."""
        self.chain_of = {id_: chain.id for chain in chains for id_ in chain.episodes}
        self.queued: Mapping[JobKind, dict[str, float]] = {"episode": {}, "evaluation": {}}
        """Jobs that are in the queue, as far as is known, and since when."""
        self._waiting: Mapping[JobKind, deque[str]] = {"episode": deque(), "evaluation": deque()}
        self.progress = Progress(
            episodes=len(self.playing),
            evaluations=len(self.playing) * len(self.judges),
            chains=len(self.chains),
        )

    @classmethod
    def of(cls, run: str, state: RunState) -> "Work":
        """All that a run plans."""
        episodes = [episode.id for episode in state.episodes]
        work = cls(run, episodes, state.plan.judges, state.chains)
        work.priority, work.concurrency = state.plan.priority, state.plan.concurrency
        return work

    @classmethod
    def continuing(cls, episodes: Sequence[str], within: str = "") -> "Work":
        """Episodes whose streams exist, to be played to their end and not scored. ``within``: the
        run that plans them, which nobody else is to carry out meanwhile."""
        work = cls("", (), ())
        work.partial = True
        work.within = within
        work.playing = {id_: ContinueEpisode(episode=id_) for id_ in episodes}
        work.progress.episodes = len(work.playing)
        return work

    @classmethod
    def scoring_only(
        cls, run: str, jobs: Sequence[Evaluate], judges: Sequence[JudgeSpec] = ()
    ) -> "Work":
        """Episodes that have ended, to be scored."""
        work = cls(run, (), judges)
        work.partial = True
        work.scoring = {job.evaluation: job for job in jobs}
        work.progress.evaluations = len(work.scoring)
        return work

    @property
    def leases(self) -> list[str]:
        """Names of the leases it takes, so that no two processes ask models for the same."""
        if not self.partial:
            return leases_of(self.run, self.judges)
        scored = {
            f"{self.run}/{job.judge_hash}" if self.run else job.evaluation
            for job in self.scoring.values()
        }
        return sorted({*self.playing, *scored, self.within} - {""})

    def pause(self, event: RunPaused) -> None:
        """It waits from now on."""
        self.progress.paused = event.detail or event.reason
        self.progress.pause_reason = event.reason

    def left(self, kind: JobKind, aside: int = 0) -> bool:
        """Whether any job of a kind waits to be queued, or more than ``aside`` are in the queue."""
        return len(self.queued[kind]) > aside or bool(self._waiting[kind])

    def line_up(self) -> None:
        """Have everything wait that may be queued now, in the plan's order: of each chain only
        the next episode. To be called once it is known what is done and what is queued."""
        row = self._waiting["episode"]
        row.clear()
        row.extend(chain.current for chain in self.chains.values() if chain.current)
        row.extend(id_ for id_ in self.playing if id_ not in self.chain_of)
        self._waiting["evaluation"].clear()
        self._waiting["evaluation"].extend(self.scoring)

    def take(self, kind: JobKind, most: int) -> list[str]:
        """Up to ``most`` jobs that are to be queued now; they no longer wait."""
        taken: list[str] = []
        row = self._waiting[kind]
        while row and len(taken) < most:
            id_ = row.popleft()
            if self.wanted(kind, id_) and id_ not in self.queued[kind]:
                taken.append(id_)
        return taken

    def put_back(self, kind: JobKind, ids: Iterable[str]) -> None:
        """These wait again, before all others: they were not queued, or were lost."""
        ids = list(ids)
        for id_ in ids:
            self.queued[kind].pop(id_, None)
        self._waiting[kind].extendleft(reversed(ids))

    def wanted(self, kind: JobKind, id_: str) -> bool:
        """Whether a job is to be in the queue: not done, and its turn has come."""
        if kind == "evaluation":
            return id_ in self.scoring
        if id_ not in self.chain_of:
            return id_ in self.playing
        chain = self.chains.get(self.chain_of[id_])
        return chain is not None and chain.current == id_

    def job(self, kind: JobKind, id_: str) -> PlayEpisode | ContinueEpisode | Evaluate:
        if kind == "evaluation":
            return self.scoring[id_]
        # An episode of a chain may be over and not remembered yet.
        return self.playing.get(id_) or PlayEpisode(run=self.run, episode=id_)

    def note(self, stream: str, event: Event) -> bool:
        """Take note of an ending, or of one taken back; whether it is one of this work's."""
        kind, id_ = split_stream(stream)
        if isinstance(event, EpisodeReopened | EvaluationReopened):
            return self._reopened(id_)
        match kind:
            case "episode":
                return self._episode_over(id_, failed=isinstance(event, EpisodeFailed))
            case "evaluation" if (job := self.scoring.pop(id_, None)) is not None:
                self.queued["evaluation"].pop(id_, None)
                if isinstance(event, EvaluationFailed):
                    self._given_up[id_] = job
                    self.progress.evaluations_failed += 1
                else:
                    self.progress.evaluations_ended += 1
                return True
            case "chain" if (chain := self.chains.get(id_)) is not None:
                self._chain_moved(id_, chain, event)
                return True
        return False

    def _episode_over(self, id_: str, *, failed: bool) -> bool:
        if (played := self.playing.pop(id_, None)) is None:
            return False
        if id_ not in self.chain_of:
            # One of a chain is still to be remembered, by the same job.
            self.queued["episode"].pop(id_, None)
        if failed:
            if id_ not in self.chain_of:
                self._given_up[id_] = played
            self.progress.episodes_failed += 1
            self.progress.evaluations -= len(self.judges)
            return True
        self.progress.episodes_ended += 1
        for judge in self.judges:
            job = evaluation_job(id_, judge, self.run)
            self.scoring[job.evaluation] = job
            self._waiting["evaluation"].append(job.evaluation)
        return True

    def _reopened(self, id_: str) -> bool:
        """Episodes of chains are not: what came after them knows that they failed."""
        match self._given_up.pop(id_, None):
            case PlayEpisode() | ContinueEpisode() as played:
                self.playing[id_] = played
                self._waiting["episode"].append(id_)
                self.progress.episodes_failed -= 1
                self.progress.evaluations += len(self.judges)
            case Evaluate() as scored:
                self.scoring[id_] = scored
                self._waiting["evaluation"].append(id_)
                self.progress.evaluations_failed -= 1
            case None:
                return False
        return True

    def _chain_moved(self, id_: str, chain: _Chain, event: Event) -> None:
        match event:
            case ChainAdvanced(index=index, episode=episode, outcome=outcome) if (
                index >= chain.next
            ):
                self._episode_over(episode, failed=outcome == "failed")
                self.queued["episode"].pop(episode, None)
                chain.next = index + 1
                if chain.current:
                    self._waiting["episode"].append(chain.current)
            case ChainEnded():
                del self.chains[id_]
                self.progress.chains_ended += 1
            case ChainFailed():
                del self.chains[id_]
                self.progress.chains_failed += 1
                for episode in chain.episodes[chain.next :]:
                    self._episode_over(episode, failed=True)
                    self.queued["episode"].pop(episode, None)
