"""What a plan means before anything is spent."""

from collections.abc import Collection

from actors.episodes.registry import environment_named
from actors.lifelong.memory.modules import module_for
from events.base import Value
from events.run import RunPlanned


class Forecast(Value, frozen=True, kw_only=True):
    """Counts; calls are to language models, re-asked answers not included."""

    episodes: int
    tasks: int
    """Different ones; for chains: different scenarios."""
    evaluations: int
    play_calls: int | None
    """At most: every question that a model mind may be asked; None: nobody knows before."""
    judge_calls: int
    """At least: one for each evaluation by a model judge."""
    chains: int
    chain_length: int
    """Episodes of the longest chain."""
    note_calls: int
    """At least: one for each episode and seat whose note a model writes."""


def forecast(planned: RunPlanned) -> Forecast:
    """How many episodes, evaluations and model calls a run means."""
    plan = planned.plan
    models = {mind.name for mind in plan.minds if mind.kind == "model"}
    judging = sum(judge.kind == "model" for judge in plan.judges)
    return Forecast(
        episodes=len(planned.episodes),
        tasks=len({episode.task for episode in planned.episodes}),
        evaluations=len(planned.episodes) * len(plan.judges),
        play_calls=_play_calls(planned, models),
        judge_calls=len(planned.episodes) * judging,
        chains=len(planned.chains),
        chain_length=max((len(chain.episodes) for chain in planned.chains), default=0),
        note_calls=_note_calls(planned, models),
    )


def _play_calls(planned: RunPlanned, models: Collection[str]) -> int | None:
    plan = planned.plan
    environment = environment_named(plan.environment)
    calls = 0
    for episode in planned.episodes:
        asked = environment.questions_at_most(plan.settings, len(episode.minds))
        if asked is None:
            return None
        calls += sum(n for n, name in zip(asked, episode.minds, strict=True) if name in models)
    return calls


def _note_calls(planned: RunPlanned, models: Collection[str]) -> int:
    memories = {memory.name: memory for memory in planned.plan.memories}
    calls = 0
    for chain in planned.chains:
        memory = memories[chain.memory]
        if module_for(memory).writes_notes:
            # Where the memory has no model of its own, the one in the seat writes.
            writers = [memory.model is not None or name in models for name in chain.minds]
            calls += len(chain.episodes) * sum(writers)
    return calls
