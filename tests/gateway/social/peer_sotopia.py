"""What `sotopia` 0.1.5 does with episodes; run in an environment of its own, so that it imports
nothing of ours.

    python peer_sotopia.py play URL    plays episodes, judged by the model server at URL
    python peer_sotopia.py read DIR    reads our exports in DIR; prints what it made of them as JSON

What it keeps goes into ``~/.sotopia/data``, so set HOME.
"""

import asyncio
import json
import os
import sys
import traceback
from itertools import product
from pathlib import Path
from typing import Any

MODELS = ("gpt-4o", "gpt-4o-mini")
JUDGE = "gpt-4o"
ORDERS = ("round-robin", "simultaneous", "random")
TURNS = 4


def _prepare(url: str) -> None:
    """Keep the peer off the network."""
    os.environ.update(
        SOTOPIA_STORAGE_BACKEND="local",
        LITELLM_LOCAL_MODEL_COST_MAP="True",
        LITELLM_LOG="ERROR",
        OPENAI_API_KEY="none",
        OPENAI_BASE_URL=url,
        OPENAI_API_BASE=url,
    )


def _stage() -> tuple[Any, list[Any]]:
    """A scenario and two characters, kept."""
    from sotopia.database import AgentProfile, EnvironmentProfile, RelationshipProfile

    people = [
        AgentProfile(
            pk=name.lower(),
            first_name=name,
            last_name="Lee",
            age=30 + place,
            occupation="Clerk",
            gender="Woman",
            gender_pronoun="She/her",
            public_info=f"{name} likes tea.",
            personality_and_values="Calm.",
            decision_making_style="Slow.",
            secret=f"{name} owes money.",
            model_id="m",
            tag="bench",
        )
        for place, name in enumerate(("Ann", "Bo"))
    ]
    scene = EnvironmentProfile(
        pk="bill",
        codename="bill",
        scenario="Two friends share a restaurant bill.",
        agent_goals=[
            "Pay less than half <extra_info>You have 20 dollars</extra_info>",
            "Pay exactly half",
        ],
        relationship=3,
    )
    tie = RelationshipProfile(
        pk="friends", agent_1_id="ann", agent_2_id="bo", relationship=3, background_story="Old."
    )
    for profile in (*people, scene, tie):
        profile.save()
    return scene, people


async def _play() -> None:
    from sotopia.agents import LLMAgent
    from sotopia.database import EpisodeLog, SotopiaDimensions, episodes_to_jsonl
    from sotopia.envs import ParallelSotopiaEnv
    from sotopia.envs.evaluators import (
        EpisodeLLMEvaluator,
        EvaluationForAgents,
        RuleBasedTerminatedEvaluator,
        unweighted_aggregate_evaluate,
    )
    from sotopia.server import arun_one_episode

    scene, people = _stage()
    judge = EpisodeLLMEvaluator(JUDGE, EvaluationForAgents[SotopiaDimensions])
    judged = []
    for order, models in product(ORDERS, product(MODELS, MODELS)):
        environment = ParallelSotopiaEnv(
            env_profile=scene,
            model_name=JUDGE,
            action_order=order,
            evaluators=[RuleBasedTerminatedEvaluator(max_turn_number=TURNS, max_stale_turn=2)],
            terminal_evaluators=[judge],
        )
        agents = [
            LLMAgent(agent_profile=person, model_name=model)
            for person, model in zip(people, models, strict=True)
        ]
        tag = "-".join((order, *models))
        await arun_one_episode(env=environment, agent_list=agents, tag=tag, push_to_db=True)
        (played,) = EpisodeLog.find(tag=tag).all()
        # This version of its server keeps 0.0 for every seat, whatever its judge said. Versions
        # before kept what its evaluators make of that, as follows.
        said = await judge.__acall__(turn_number=-1, messages=environment.inbox)
        response = unweighted_aggregate_evaluate(said)
        fields = played.model_dump() | {
            "pk": f"judged-{played.pk}",
            "tag": "judged",
            "reasoning": played.reasoning.partition("\n")[0] + "\n" + response.comments,
            "rewards": [response.p1_rate, response.p2_rate],
            "rewards_prompt": judge.prompt,
        }
        judged.append(EpisodeLog(**fields))
        judged[-1].save()
    episodes_to_jsonl(judged, str(Path.home() / "episodes.jsonl"))


def _read(folder: Path) -> dict[str, Any]:
    from sotopia.database import EpisodeLog, episodes_to_jsonl, serialization

    for file, read in (
        ("agent_profiles.jsonl", serialization.jsonl_to_agentprofiles),
        ("environment_profiles.jsonl", serialization.jsonl_to_environmentprofiles),
        ("relationship_profiles.jsonl", serialization.jsonl_to_relationshipprofiles),
        ("env_agent_combo_storages.jsonl", serialization.jsonl_to_envagnetcombostorage),
    ):
        for profile in read(str(folder / file)):
            profile.save()
    lines = (folder / "episodes.jsonl").read_text().splitlines()
    episodes = [EpisodeLog(**json.loads(line)) for line in lines]
    for episode in episodes:
        episode.save()
    episodes_to_jsonl(episodes, str(folder / "serialized.jsonl"))
    return {
        "kept": [EpisodeLog.get(episode.pk) == episode for episode in episodes],
        "rendered": [episode.render_for_humans()[1] for episode in episodes],
        "interactions": [
            serialization.get_social_interactions_from_episode(episode) for episode in episodes
        ],
        "again": [
            again.model_dump() == episode.model_dump()
            for again, episode in zip(
                serialization.jsonl_to_episodes(str(folder / "serialized.jsonl")),
                episodes,
                strict=True,
            )
        ],
    }


def main() -> None:
    """Do what was asked for."""
    what, where = sys.argv[1:]
    _prepare(where if what == "play" else "http://127.0.0.1:9/v1")
    code = 1
    try:
        if what == "play":
            asyncio.get_event_loop_policy().new_event_loop().run_until_complete(_play())
        else:
            print(json.dumps(_read(Path(where))), file=sys.__stdout__, flush=True)
        code = 0
    except Exception:  # noqa: BLE001 - or it would wait for tasks that do not end
        traceback.print_exc()
    # The peer leaves tasks behind that do not end when they are cancelled.
    sys.stderr.flush()
    os._exit(code)


if __name__ == "__main__":
    main()
