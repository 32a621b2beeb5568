"""The forecast of a plan: what it means before anything is spent."""

from collections.abc import Collection, Iterator

from actors.lifelong.memory.modules import module_for
from actors.runs.forecast.estimate_stages import Estimating
from actors.runs.forecast.estimates import Estimate, Tally, total_usd
from actors.runs.plan.episode_setup import seated
from events.base import Value, replace
from events.environments import Catalog
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
    """One for each evaluation by a model judge, at least; of a judge that asks about an episode
    several times, as often."""
    chains: int
    chain_length: int
    """Episodes of the longest chain."""
    chain_scenarios: tuple[int, int]
    """Different ones in a chain before its hard part, from the fewest to the most: the fewer, the
    more often a cast plays the same."""
    chain_hard: int = 0
    """Hard scenarios that end a chain, at most."""
    people_seats: int = 0
    """Seats that wait for people, of all episodes together."""
    note_calls: int
    """At least: one for each episode and seat whose note a model writes."""
    estimates: tuple[Estimate, ...] = ()
    """What each mind, memory and judge asks of its model; empty: not looked into."""
    usd: tuple[float, float] | None = None
    """US dollars for all of them; None where a price is not known."""


def forecast(planned: RunPlanned, catalog: Catalog) -> Forecast:
    """How many episodes, evaluations and model calls a run means. ``catalog``: what it plays.
    Raises ``MissingItem``."""
    plan = planned.plan
    models = {mind.name for mind in plan.minds if mind.asks}
    people = {mind.name for mind in plan.minds if mind.kind == "person"}
    substitute = plan.people.substitute
    # People may all be late from the first turn on.
    stand_ins = people if substitute is not None and substitute.asks else set[str]()
    judging = sum(judge.kind == "model" for judge in plan.judges)
    return Forecast(
        episodes=len(planned.episodes),
        tasks=len({episode.task for episode in planned.episodes}),
        evaluations=len(planned.episodes) * len(plan.judges),
        play_calls=_play_calls(Estimating(planned, catalog), models | stand_ins),
        people_seats=sum(name in people for one in planned.episodes for name in one.minds),
        judge_calls=len(planned.episodes) * judging,
        chains=len(planned.chains),
        chain_length=max((len(chain.episodes) for chain in planned.chains), default=0),
        note_calls=_note_calls(planned, models),
        chain_scenarios=_chain_scenarios(planned),
        chain_hard=max((hard for _, hard in _parts(planned)), default=0),
    )


async def with_estimates(counts: Forecast, tally: Tally) -> Forecast:
    """The same with what the minds, memories and judges ask."""
    estimates = await tally.estimates()
    # Where nobody knows how often minds are asked, nobody knows what it costs.
    usd = None if counts.play_calls is None else total_usd(estimates)
    return replace(counts, estimates=estimates, usd=usd)


def _chain_scenarios(planned: RunPlanned) -> tuple[int, int]:
    different = [len(standard) for standard, _ in _parts(planned)]
    return min(different, default=0), max(different, default=0)


def _parts(planned: RunPlanned) -> Iterator[tuple[set[str], int]]:
    """Of each chain the scenarios before its hard part, and how many hard ones it has."""
    episodes = {episode.id: episode for episode in planned.episodes}
    for chain in planned.chains:
        own = [episodes[id_] for id_ in chain.episodes if id_ in episodes]
        hard = sum(episode.hard for episode in own)
        yield {episode.scenario for episode in own if not episode.hard}, hard


def _play_calls(estimating: Estimating, models: Collection[str]) -> int | None:
    calls = 0
    for episode in estimating.planned.episodes:
        if not any(name in models for name in episode.minds):
            continue  # however long it gets, no model is asked
        stage = estimating.stage(episode)
        for seat, mind in enumerate(seated(estimating.planned.plan.minds, episode.minds)):
            if mind.kind == "generative":
                thought = estimating.thinking(episode, seat, mind)
                if thought is None:
                    return None
                calls += sum(one.calls.high for one in thought)
            elif mind.name in models:
                if stage is None:
                    return None
                calls += stage.questions[seat]
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
