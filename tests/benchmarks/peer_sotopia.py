"""Episodes of `sotopia` 0.1.5 against a stub server; run by `bench_peers` in the peers' own
environment, so it imports nothing of ours.

Prints one line of JSON. The peer takes any error of its model for an action `none`, so an episode
in which not every turn was spoken stops the measurement: it would flatter the peer's speed.
"""

import argparse
import asyncio
import json
import os
import resource
import sys
import tempfile
import time


def _prepare() -> None:
    """Keep the peer off the network and out of the home directory."""
    os.environ.update(
        HOME=tempfile.mkdtemp(prefix="peer-"),
        SOTOPIA_STORAGE_BACKEND="local",
        LITELLM_LOCAL_MODEL_COST_MAP="True",
        LITELLM_LOG="ERROR",
        CUSTOM_API_KEY="none",
        OPENAI_API_KEY="none",
    )


async def _measure(url: str, episodes: int, turns: int, concurrency: int) -> dict[str, float]:
    import logging

    import litellm
    from sotopia.agents import LLMAgent
    from sotopia.database import AgentProfile, EnvironmentProfile, SotopiaDimensions
    from sotopia.envs import ParallelSotopiaEnv
    from sotopia.envs.evaluators import (
        EpisodeLLMEvaluator,
        EvaluationForAgents,
        RuleBasedTerminatedEvaluator,
    )
    from sotopia.messages import AgentAction
    from sotopia.server import arun_one_episode

    logging.getLogger("sotopia.generation").setLevel(logging.ERROR)
    litellm.suppress_debug_info = True
    model = f"custom/structured-stub@{url}"
    people = [
        AgentProfile(
            pk=name,
            first_name=name,
            last_name="Lee",
            age=30,
            occupation="clerk",
            gender="x",
            gender_pronoun="they/them",
            public_info="likes tea",
            personality_and_values="calm",
            decision_making_style="slow",
            secret="none",
        )
        for name in ("Ann", "Bo")
    ]
    situation = EnvironmentProfile(
        pk="bill",
        codename="bill",
        scenario="Two friends share a restaurant bill.",
        agent_goals=["Pay less than half", "Pay exactly half"],
        relationship=0,
    )

    async def play() -> None:
        environment = ParallelSotopiaEnv(
            env_profile=situation,
            model_name=model,
            action_order="round-robin",
            evaluators=[RuleBasedTerminatedEvaluator(max_turn_number=turns, max_stale_turn=2)],
            terminal_evaluators=[
                EpisodeLLMEvaluator(model, EvaluationForAgents[SotopiaDimensions])
            ],
        )
        agents = [LLMAgent(agent_profile=person, model_name=model) for person in people]
        for agent, goal in zip(agents, situation.agent_goals, strict=True):
            agent.goal = goal
        messages = await arun_one_episode(
            env=environment, agent_list=agents, tag="bench", push_to_db=False
        )
        spoken = sum(
            isinstance(message, AgentAction) and message.action_type == "speak"
            for _, _, message in messages
        )
        if spoken != turns:
            raise SystemExit(f"the peer spoke in {spoken} of {turns} turns: not comparable")

    async def play_some(waiting: list[None]) -> None:
        while waiting:
            waiting.pop()
            await play()

    await play()  # warms up
    waiting: list[None] = [None] * episodes
    cpu, began = time.process_time(), time.perf_counter()
    await asyncio.gather(*(play_some(waiting) for _ in range(concurrency)))
    wall, cpu = time.perf_counter() - began, time.process_time() - cpu
    return {
        "episodes_per_s": episodes / wall,
        "cpu_ms_per_turn": 1e3 * cpu / (episodes * turns),
        "memory_mib": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    }


async def _report(url: str, episodes: int, turns: int, concurrency: int) -> None:
    figures = await _measure(url, episodes, turns, concurrency)
    print(json.dumps(figures), file=sys.__stdout__, flush=True)
    # The peer leaves tasks behind that do not end when they are cancelled.
    os._exit(0)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("url")
    for name, default in (("episodes", 50), ("turns", 20), ("concurrency", 50)):
        parser.add_argument(f"--{name}", type=int, default=default)
    asked = parser.parse_args()
    _prepare()
    asyncio.run(_report(asked.url, asked.episodes, asked.turns, asked.concurrency))


if __name__ == "__main__":
    main()
