"""Rows of the read side, with what a test does not care about filled in."""

from typing import Any

from store.read_model.records import ChainRow, EpisodeRow


def episode_row(id_: str, **fields: Any) -> EpisodeRow:
    """An episode that was played to its end."""
    plain: dict[str, Any] = {
        "run": "r1",
        "task": "t1",
        "catalog": "c",
        "scenario_id": "s1",
        "scenario": "lost_key",
        "characters": ("Ada", "Ben"),
        "minds": ("calm", "calm"),
        "status": "ended",
        "turns": 20,
        "end_reason": "turn_cap",
        "failed_actions": 0,
        "parent": None,
        "forked_at": None,
        "started_at": 1,
        "ended_at": 2,
        "environment": "social",
    }
    return EpisodeRow(id=id_, **plain | fields)


def chain_row(id_: str, **fields: Any) -> ChainRow:
    """A chain that was played to its end."""
    plain: dict[str, Any] = {
        "run": "r1",
        "catalog": "c",
        "characters": ("ada", "ben"),
        "minds": ("calm", "calm"),
        "memory": "full",
        "module": "full",
        "length": 40,
        "done": 40,
        "failed": 0,
        "memories_failed": 0,
        "status": "ended",
        "reason": "",
        "started_at": 1,
        "ended_at": 2,
    }
    return ChainRow(id=id_, **plain | fields)
